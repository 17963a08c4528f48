/* Parses the time window of a request. */
#include "archive/window.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/minmax.h"
#include "util/time_text.h"

/* What relative times refer to. */
struct time_base {
    const struct sq_zone *zone;
    int64_t now_utc;
    int64_t today; /* since 1970 */
    int64_t day;   /* that of a time without a date */
};

struct time_word {
    char text[96];    /* absolute form, for sq_time_parse */
    bool is_distance; /* relative to now, such as "-7d" */
};

#define MAX_DIGITS 5 /* of a number such as in "-7d" */

/* Takes a word, ignoring case; `word` must be lower case. */
static bool
take_word(struct sq_span *rest, const char *word) {
    size_t len = strlen(word);
    struct sq_span start = { rest->ptr, len };
    if (len > rest->len || !sq_span_is_word(start, word)) {
        return false;
    }
    sq_span_skip(rest, len);
    return true;
}

int64_t
sq_time_local_day(const struct sq_zone *zone, int64_t utc) {
    return sq_days_of_seconds(utc + sq_zone_offset(zone, utc));
}

bool
sq_weekday_take(struct sq_span *rest, int *out) {
    static const char *const names[] = { "sunday",    "monday",   "tuesday",
                                         "wednesday", "thursday", "friday",
                                         "saturday" };
    for (*out = 0; *out < 7; ++*out) {
        char few[4];
        snprintf(few, sizeof(few), "%.3s", names[*out]);
        if (take_word(rest, names[*out]) || take_word(rest, few)) {
            return true;
        }
    }
    return false;
}

/* Writes a day and the text that follows it. */
static bool
write_date(int64_t day, const char *separator, struct sq_span rest,
           struct time_word *out) {
    char date[SQ_TIME_TEXT_SIZE];
    sq_date_format(sq_date_from_days(day), date);
    int len = snprintf(out->text, sizeof(out->text), "%s%s%.*s", date,
                       separator, SQ_SPAN_ARGS(rest));
    return len < (int)sizeof(out->text);
}

/* Writes a day and the optional time that follows it. */
static bool
write_day(int64_t day, struct sq_span rest, struct time_word *out) {
    bool is_time = rest.len > 1 && sq_is_digit(rest.ptr[1]) && rest.ptr[0]
                && strchr(" Tt", rest.ptr[0]);
    return (rest.len == 0 || is_time) && write_date(day, "", rest, out);
}

static void
write_moment(int64_t utc, const struct sq_zone *zone, struct time_word *out) {
    sq_time_format(utc, sq_zone_offset(zone, utc), out->text);
}

static bool
read_day(struct sq_span rest, int64_t today, struct time_word *out) {
    int weekday;
    if (take_word(&rest, "today")) {
        return write_day(today, rest, out);
    }
    if (take_word(&rest, "yesterday")) {
        return write_day(today - 1, rest, out);
    }
    int64_t from = today - take_word(&rest, "last ");
    return sq_weekday_take(&rest, &weekday)
        && write_day(from - (sq_weekday_of_days(from) - weekday + 7) % 7, rest,
                     out);
}

/* Parses a distance such as "-7d". */
static bool
read_distance(struct sq_span rest, const struct time_base *base,
              struct time_word *out) {
    static const struct {
        const char *word;
        int days;
        int seconds;
    } units[] = {
        { "d", 1, 0 }, { "w", 7, 0 }, { "h", 0, 3600 }, { "min", 0, 60 }
    };
    int64_t count = 0;
    size_t digits = 0;
    size_t unit = 0;
    if (!take_word(&rest, "-")) {
        return false;
    }
    for (; digits < rest.len && digits < MAX_DIGITS
           && sq_is_digit(rest.ptr[digits]);
         digits++) {
        count = count * 10 + (rest.ptr[digits] - '0');
    }
    sq_span_skip(&rest, digits);
    while (unit < SQ_COUNT(units) && !take_word(&rest, units[unit].word)) {
        unit++;
    }
    if (digits == 0 || unit == SQ_COUNT(units) || rest.len > 0) {
        return false;
    }
    out->is_distance = true;
    if (units[unit].days > 0) {
        return write_day(base->today - count * units[unit].days, rest, out);
    }
    write_moment(base->now_utc - count * units[unit].seconds, base->zone, out);
    return true;
}

/* Parses a time of day such as "T10", "T1030" or "10:30". */
static bool
read_time_of_day(struct sq_span text, int64_t day, struct time_word *out) {
    bool is_short = text.len >= 5 && sq_is_digit(text.ptr[0])
                 && sq_is_digit(text.ptr[1]) && text.ptr[2] == ':';
    return is_short ? write_date(day, "T", text, out)
                    : text.len > 0 && sq_ascii_lower(text.ptr[0]) == 't'
                          && write_day(day, text, out);
}

/*
 * Parses a relative date or time, in any case: today, yesterday, now; a
 * weekday, the latest up to today, or up to yesterday after "last"; -7d, -2w: a
 * day; -2h, -30min: a time; T10, T1030, 10:30: a time of day, which may follow
 * a day.
 */
static bool
read_word(struct sq_span text, const struct time_base *base,
          struct time_word *out) {
    struct sq_span trimmed = sq_span_trim(text);
    *out = (struct time_word){ 0 };
    if (sq_span_is_word(trimmed, "now")) {
        write_moment(base->now_utc, base->zone, out);
        return true;
    }
    return read_day(trimmed, base->today, out)
        || read_distance(trimmed, base, out)
        || read_time_of_day(trimmed, base->day, out);
}

#define FIRST_YEAR 1970
#define LAST_YEAR 2100
#define MAX_WINDOW_S (INT64_C(3653) * SQ_DAY_S) /* with three leap days */

/* The first and the last day of a period, as dates. */
struct period {
    char first[SQ_TIME_TEXT_SIZE];
    char last[SQ_TIME_TEXT_SIZE];
};

static void
write_days(int64_t first, int64_t last, struct period *out) {
    sq_date_format(sq_date_from_days(first), out->first);
    sq_date_format(sq_date_from_days(last), out->last);
}

/* Writes `count` months from one on, which may be 0 or above 12. */
static void
write_months(int year, int month, int count, struct period *out) {
    int first = year * 12 + month - 1;
    int next = first + count;
    write_days(
        sq_date_to_days((struct sq_date){ first / 12, first % 12 + 1, 1 }),
        sq_date_to_days((struct sq_date){ next / 12, next % 12 + 1, 1 }) - 1,
        out);
}

/* Parses "last month" and the like. */
static bool
read_words(struct sq_span text, int64_t today, struct period *out) {
    const struct sq_date date = sq_date_from_days(today);
    int back = take_word(&text, "last ");
    if (!back && !take_word(&text, "this ")) {
        return false;
    }
    if (sq_span_is_word(text, "week")) {
        int64_t monday = today - (sq_weekday_of_days(today) + 6) % 7 - 7 * back;
        write_days(monday, monday + 6, out);
    } else if (sq_span_is_word(text, "month")) {
        write_months(date.year, date.month - back, 1, out);
    } else if (sq_span_is_word(text, "year")) {
        write_months(date.year - back, 1, 12, out);
    } else {
        return false;
    }
    return true;
}

/* Parses "2026" and "2026-01". */
static bool
read_numbers(struct sq_span text, struct period *out) {
    uint64_t year;
    uint64_t month = 1;
    bool has_month = text.len == 7 && text.ptr[4] == '-';
    if ((text.len != 4 && !has_month)
        || !sq_span_to_uint64((struct sq_span){ text.ptr, 4 }, &year)
        || year < FIRST_YEAR || year > LAST_YEAR
        || (has_month
            && !sq_span_to_uint64((struct sq_span){ text.ptr + 5, 2 }, &month))
        || month < 1 || month > 12) {
        return false;
    }
    write_months((int)year, (int)month, has_month ? 1 : 12, out);
    return true;
}

/*
 * Parses "last" or "this" and week, month or year, a month such as 2026-01, or
 * a year; case is ignored. A week begins on Monday. Returns false for anything
 * else.
 */
static bool
read_period(struct sq_span text, const struct time_base *base,
            struct period *out) {
    struct sq_span trimmed = sq_span_trim(text);
    return read_words(trimmed, base->today, out) || read_numbers(trimmed, out);
}

/* One end of a window. */
struct end {
    const char *which;
    struct sq_span given; /* text of the request; empty: not given */
    struct sq_time_text text;
    struct sq_zone_moment moment;
    bool is_word; /* a relative time, resolved with clock and zone */
    bool is_distance;
    struct sq_span period; /* "last month", of which it is one end */
    struct period days;
};

static bool
check_year(const struct end *end, struct sq_err *err) {
    int year = sq_date_from_days(sq_days_of_seconds(end->text.wall_s)).year;
    if (year >= FIRST_YEAR && year <= LAST_YEAR) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "%s: the year %d is not supported",
            end->which, year);
    return sq_fail_hint(err, "Use dates from %d to %d.", FIRST_YEAR, LAST_YEAR);
}

static bool
parse(struct end *end, const struct time_base *base, struct sq_err *err) {
    struct time_word word;
    struct sq_time_text ignored;
    struct sq_span text = end->given;
    end->is_word = read_word(text, base, &word);
    if (end->is_word) {
        end->is_distance = word.is_distance;
        text = sq_span_of(word.text);
    }
    if (sq_time_parse(text, &end->text, NULL)) {
        return true;
    }
    /* The message quotes the original text, not the resolved one. */
    sq_time_parse(end->given, &ignored, err);
    sq_fail_hint(err, "%s",
                 strcmp(end->which, "at") == 0
                     ? "Write 2026-01-31T09:30, \"yesterday 10:00\", 10:30 or "
                       "-2h."
                     : "Write 2026-01-31, 2026-01-31T09:30, the same with an "
                       "offset (Z or +01:00), today, yesterday, monday, -7d or "
                       "last month.");
    return sq_fail_in(err, "%s", end->which);
}

/* Converts the text to UTC. */
static void
place(struct end *end, const struct sq_zone *zone) {
    int64_t wall_s = end->text.wall_s;
    if (end->text.has_offset) {
        int64_t utc = wall_s - end->text.offset_s;
        end->moment = (struct sq_zone_moment){ utc, utc, SQ_ZONE_ONCE };
    } else {
        end->moment = sq_zone_from_wall(zone, wall_s);
    }
}

static bool
read_end(struct end *end, const struct time_base *base, struct sq_err *err) {
    if (!parse(end, base, err) || !check_year(end, err)) {
        return false;
    }
    place(end, base->zone);
    return true;
}

/* Replaces a period by its first or last day, or by both if it is alone. */
static void
split_period(const struct time_base *base, struct end *first,
             struct end *last) {
    bool is_first_given = first->given.len > 0;
    bool is_last_given = last->given.len > 0;
    if (read_period(first->given, base, &first->days)) {
        first->period = first->given;
        first->given = sq_span_of(first->days.first);
        last->given =
            is_last_given ? last->given : sq_span_of(first->days.last);
    }
    if (is_last_given && read_period(last->given, base, &last->days)) {
        last->period = last->given;
        last->given = sq_span_of(last->days.last);
        first->given =
            is_first_given ? first->given : sq_span_of(last->days.first);
    }
}

static struct time_base
base_of(const struct sq_window_request *request) {
    int64_t today = sq_time_local_day(request->zone, request->now_utc);
    return (struct time_base){ request->zone, request->now_utc, today, today };
}

static bool
read_ends(const struct sq_window_request *request, struct end *first,
          struct end *last, struct sq_err *err) {
    struct time_base base = base_of(request);
    split_period(&base, first, last);
    if (first->given.len == 0) {
        if (!read_end(last, &base, err)) {
            return false;
        }
        /* Sets the start: the start of the day of the end. */
        first->text = last->text;
        first->text.nanos = 0;
        first->text.wall_s = sq_days_of_seconds(last->text.wall_s) * SQ_DAY_S;
        place(first, base.zone);
        return true;
    }
    if (!read_end(first, &base, err)) {
        return false;
    }
    if (last->given.len == 0) {
        /* Sets the end: now, or the end of the day of the start. */
        if (first->is_distance) {
            int64_t next = base.now_utc + 1;
            last->text = (struct sq_time_text){ .wall_s = next,
                                                .has_time = true,
                                                .has_offset = true };
        } else {
            last->text = first->text;
            last->text.nanos = 0;
            last->text.has_time = first->text.has_offset;
            last->text.wall_s =
                sq_days_of_seconds(first->text.wall_s) * SQ_DAY_S;
            last->text.wall_s += last->text.has_time ? SQ_DAY_S : 0;
        }
        place(last, base.zone);
        return true;
    }
    base.day = sq_days_of_seconds(first->text.wall_s);
    return read_end(last, &base, err);
}

/* A text of limited length; what does not fit is cut. */
struct note {
    char *text;
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void
add(struct note *note, const char *format, ...) {
    char text[SQ_WINDOW_NOTE_SIZE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    size_t capacity = SQ_WINDOW_NOTE_SIZE - note->used;
    int len = snprintf(note->text + note->used, capacity, "%s%s",
                       note->used > 0 ? "; " : "", text);
    note->used += sq_min_size((size_t)len, capacity - 1);
}

/* Adds what a relative word means: a day, or a local time in the zone. */
static void
add_word(struct note *note, const struct end *end) {
    char text[SQ_TIME_TEXT_SIZE];
    struct sq_span word = sq_span_trim(end->given);
    if (!end->is_word) {
        return;
    }
    sq_time_format_wall(end->text.wall_s, 0, text);
    add(note, "%.*s is %.*s", SQ_SPAN_ARGS(word),
        end->text.has_time ? SQ_TIME_TEXT_SIZE : 10, text);
}

static void
add_period(struct note *note, const struct end *end) {
    if (end->period.len > 0) {
        add(note, "%.*s is %s to %s", SQ_SPAN_ARGS(sq_span_trim(end->period)),
            end->days.first, end->days.last);
    }
}

static void
add_wall(struct note *note, const struct end *end) {
    if (end->moment.wall == SQ_ZONE_TWICE) {
        add(note, "%s occurred twice that night, and both are included",
            end->which);
    } else if (end->moment.wall == SQ_ZONE_NEVER) {
        add(note, "%s was skipped when clocks went forward", end->which);
    }
}

static void
write_note(const struct end *start, const struct end *end,
           const struct sq_zone *zone, char out[SQ_WINDOW_NOTE_SIZE]) {
    struct note note = { out, 0 };
    out[0] = '\0';
    add_word(&note, start);
    if (!sq_span_equal(start->given, end->given)) {
        add_word(&note, end);
    }
    add_period(&note, start);
    if (!sq_span_equal(start->period, end->period)) {
        add_period(&note, end);
    }
    if (start->given.len == 0) {
        add(&note, SQ_SAY("without startDate, from the start of that day",
                          "without --start-date, from the start of that day"));
    } else if (end->given.len == 0) {
        add(&note,
            SQ_SAY("without endDate, up to %s", "without --end-date, up to %s"),
            start->is_distance ? "now" : "the end of that day");
    } else if (!end->text.has_time && start->period.len == 0
               && end->period.len == 0) {
        add(&note,
            SQ_SAY("endDate includes its day", "--end-date includes its day"));
    }
    if (!start->text.has_offset || !end->text.has_offset) {
        add(&note, "in %s", sq_zone_name(zone));
    }
    add_wall(&note, start);
    add_wall(&note, end);
}

bool
sq_window_read(const struct sq_window_request *request, struct sq_window *out,
               char note[SQ_WINDOW_NOTE_SIZE], struct sq_err *err) {
    struct end first = { .which = "startDate", .given = request->start };
    struct end last = { .which = "endDate", .given = request->end };
    if (!read_ends(request, &first, &last, err)) {
        return false;
    }
    if (!last.text.has_time) {
        last.moment =
            sq_zone_from_wall(request->zone, last.text.wall_s + SQ_DAY_S);
        /* A day begins only once, even if clocks go back to the day before. */
        last.moment.latest = last.moment.utc;
        last.moment.wall = SQ_ZONE_ONCE;
    }
    struct sq_window window = {
        .from_utc = first.moment.utc,
        /* Files have whole seconds: a second that has begun is included. */
        .to_utc = last.moment.latest + (last.text.nanos > 0),
    };
    bool ends_with_day = !last.text.has_time;
    if (window.to_utc < window.from_utc + ends_with_day) {
        sq_fail(err, SQ_ERR_ARGUMENT, "$endDate is before $startDate");
        return sq_fail_hint(err, "Swap them.");
    }
    if (window.to_utc == window.from_utc) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "$endDate and $startDate are the same moment, so the time "
                "between them is empty");
        return sq_fail_hint(
            err,
            "Use a later $endDate, or two dates without times for whole days.");
    }
    if (window.to_utc - window.from_utc > MAX_WINDOW_S) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the time from $startDate to $endDate is longer than %d years",
                SQ_WINDOW_MAX_YEARS);
        return sq_fail_hint(err,
                            "Ask for a shorter time, such as a day or a week.");
    }
    write_note(&first, &last, request->zone, note);
    *out = window;
    return true;
}

bool
sq_window_read_moment(const struct sq_window_request *request, int64_t *out_utc,
                      char note[SQ_WINDOW_NOTE_SIZE], struct sq_err *err) {
    struct end at = { .which = "at", .given = request->start };
    const struct time_base base = base_of(request);
    struct note words = { note, 0 };
    if (!read_end(&at, &base, err)) {
        return false;
    }
    if (!at.text.has_time) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                SQ_SAY("at: \"%.*s\" is a day, not a moment",
                       "--at %.*s is a day, not a moment"),
                SQ_SPAN_ARGS(sq_span_trim(at.given)));
        return sq_fail_hint(err,
                            "Add a time: yesterday 10:00, 2026-01-31T09:30; or "
                            "give the day as $startDate.");
    }
    note[0] = '\0';
    add_word(&words, &at);
    if (!at.text.has_offset) {
        add(&words, "in %s", sq_zone_name(request->zone));
    }
    if (at.moment.wall == SQ_ZONE_TWICE) {
        add(&words, "at occurred twice that night; the first is meant");
    } else {
        add_wall(&words, &at);
    }
    *out_utc = at.moment.utc;
    return true;
}
