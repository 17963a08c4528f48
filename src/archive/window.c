#include "archive/window.h"

#include <stdarg.h>
#include <stdio.h>

#include "util/time_text.h"

#define FIRST_YEAR 1970
#define LAST_YEAR 2100
#define MAX_WINDOW_S (INT64_C(3653) * SQ_DAY_S) /* with three leap days */

/* One end of a window. */
struct end {
    struct sq_time_text text;
    struct sq_zone_moment moment;
    int offset_s; /* in which it is shown */
};

static bool
read_end(struct sq_span text, const char *which, const struct sq_zone *zone,
         struct end *out, struct sq_err *err) {
    if (!sq_time_parse(text, &out->text, err)) {
        return sq_fail_in(err, "%s", which);
    }
    int64_t wall_s = out->text.wall_s;
    int year = sq_date_from_days(sq_days_of_seconds(wall_s)).year;
    if (year < FIRST_YEAR || year > LAST_YEAR) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s: no screenshots of the year %d",
                which, year);
        return sq_fail_hint(err, "use dates from %d to %d", FIRST_YEAR,
                            LAST_YEAR);
    }
    if (out->text.has_offset) {
        int64_t utc = wall_s - out->text.offset_s;
        out->moment = (struct sq_zone_moment){ utc, utc, SQ_ZONE_ONCE };
    } else {
        out->moment = sq_zone_from_wall(zone, wall_s);
    }
    return true;
}

/* Shows a moment in the offset it was given, or in that of the zone. */
static void
show(const struct end *end, int64_t utc, const struct sq_zone *zone,
     char out[SQ_TIME_TEXT_SIZE]) {
    int offset_s =
        end->text.has_offset ? end->text.offset_s : sq_zone_offset(zone, utc);
    sq_time_format(utc, offset_s, out);
}

/* A text of limited length that grows; what does not fit is left out. */
struct note {
    char *text;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void
add(struct note *note, const char *format, ...) {
    va_list args;
    va_start(args, format);
    size_t room = SQ_WINDOW_NOTE_SIZE - note->used;
    int len = vsnprintf(note->text + note->used, room, format, args);
    va_end(args);
    note->used += (size_t)len < room ? (size_t)len : room - 1;
}

static void
add_wall(struct note *note, const struct end *end, const char *which) {
    if (end->moment.wall == SQ_ZONE_TWICE) {
        add(note, "; the %s came twice that night, both are included", which);
    } else if (end->moment.wall == SQ_ZONE_NEVER) {
        add(note, "; the %s was skipped when clocks went forward", which);
    }
}

static void
write_note(const struct end *start, const struct end *end,
           const struct sq_window *window, const struct sq_zone *zone,
           char out[SQ_WINDOW_NOTE_SIZE]) {
    struct note note = { out, 0 };
    char from[SQ_TIME_TEXT_SIZE];
    char to[SQ_TIME_TEXT_SIZE];
    show(start, window->from_utc, zone, from);
    show(end, window->to_utc, zone, to);
    add(&note, "from %s up to, not including, %s", from, to);
    if (!end->text.has_time) {
        add(&note, "; the end date includes that day");
    }
    if (!start->text.has_offset || !end->text.has_offset) {
        add(&note, "; times without an offset are in %s", sq_zone_name(zone));
    }
    add_wall(&note, start, "start");
    add_wall(&note, end, "end");
}

static bool
check_order(const struct sq_window *window, bool ends_with_day,
            struct sq_err *err) {
    if (window->to_utc < window->from_utc + ends_with_day) {
        sq_fail(err, SQ_ERR_ARGUMENT, "endDate lies before startDate");
        return sq_fail_hint(err, "swap them");
    }
    if (window->to_utc == window->from_utc) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "endDate and startDate are the same "
                "moment: no time lies between them");
        return sq_fail_hint(err, "use a later endDate, or two dates without "
                                 "times for whole days");
    }
    if (window->to_utc - window->from_utc > MAX_WINDOW_S) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "from startDate to endDate it is more than %d years",
                SQ_WINDOW_MAX_YEARS);
        return sq_fail_hint(err, "ask for a shorter time: a day or a week "
                                 "shows more");
    }
    return true;
}

bool
sq_window_read(struct sq_span start, struct sq_span end,
               const struct sq_zone *zone, struct sq_window *out,
               char note[SQ_WINDOW_NOTE_SIZE], struct sq_err *err) {
    struct end first;
    struct end last;
    if (!read_end(start, "startDate", zone, &first, err)
        || !read_end(end, "endDate", zone, &last, err)) {
        return false;
    }
    if (!last.text.has_time) {
        last.moment = sq_zone_from_wall(zone, last.text.wall_s + SQ_DAY_S);
        /* The next day begins once, also where clocks go back to this one. */
        last.moment.latest = last.moment.utc;
        last.moment.wall = SQ_ZONE_ONCE;
    }
    struct sq_window window = {
        .from_utc = first.moment.utc,
        /* Files tell whole seconds: one that has begun is in. */
        .to_utc = last.moment.latest + (last.text.nanos > 0),
    };
    if (!check_order(&window, !last.text.has_time, err)) {
        return false;
    }
    write_note(&first, &last, &window, zone, note);
    *out = window;
    return true;
}

bool
sq_moment_read(struct sq_span text, const struct sq_zone *zone, int64_t *utc,
               struct sq_err *err) {
    struct end end;
    if (!read_end(text, "time", zone, &end, err)) {
        return false;
    }
    *utc = end.moment.utc;
    return true;
}
