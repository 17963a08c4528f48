/* Parses the time window of a request. */
#include "archive/window.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/time_text.h"

/* What relative times refer to. */
struct time_base {
    const struct sq_zone *zone;
    int64_t now_utc;
    int64_t day; /* since 1970: the day of a time without a date */
};

struct time_word {
    char text[96];    /* absolute form, for sq_time_parse */
    bool is_distance; /* relative to now, such as "-7d" */
};

#define MAX_DIGITS 5 /* of a number such as in "-7d" */

/* Takes a word, ignoring case; `word` must be lower case. */
static bool
take_word(struct sq_span *rest, const char *word) {
    size_t len = 0;
    for (; word[len]; len++) {
        if (len >= rest->len || sq_ascii_lower(rest->ptr[len]) != word[len]) {
            return false;
        }
    }
    sq_span_skip(rest, len);
    return true;
}

int64_t
sq_time_local_day(const struct sq_zone *zone, int64_t utc) {
    return sq_days_of_seconds(utc + sq_zone_offset(zone, utc));
}

/* Writes a day and the optional time that follows it. */
static bool
write_day(int64_t day, struct sq_span rest, struct time_word *out) {
    char date[SQ_TIME_TEXT_SIZE];
    bool is_time = rest.len > 1 && sq_is_digit(rest.ptr[1]) && rest.ptr[0]
                && strchr(" Tt", rest.ptr[0]);
    if (rest.len > 0 && !is_time) {
        return false;
    }
    sq_date_format(sq_date_from_days(day), date);
    int len = snprintf(out->text, sizeof(out->text), "%s%.*s", date,
                       SQ_SPAN_ARGS(rest));
    return len < (int)sizeof(out->text);
}

static void
write_moment(int64_t utc, const struct sq_zone *zone, struct time_word *out) {
    sq_time_format(utc, sq_zone_offset(zone, utc), out->text);
}

/* Starts with Sunday. */
static const char *const weekdays[] = { "sunday",    "monday",   "tuesday",
                                        "wednesday", "thursday", "friday",
                                        "saturday" };

/* Takes a weekday by its name or its first three letters. */
static bool
take_weekday(struct sq_span text, int weekday, struct sq_span *rest) {
    char few[4];
    snprintf(few, sizeof(few), "%.3s", weekdays[weekday]);
    *rest = text;
    return take_word(rest, weekdays[weekday]) || take_word(rest, few);
}

static bool
read_weekday(struct sq_span text, int64_t today, struct time_word *out) {
    int before = take_word(&text, "last ") ? 1 : 0;
    for (int i = 0; i < 7; i++) {
        struct sq_span rest;
        if (take_weekday(text, i, &rest)) {
            int64_t from = today - before;
            int back = (sq_weekday_of_days(from) - i + 7) % 7;
            return write_day(from - back, rest, out);
        }
    }
    return false;
}

static bool
read_day(struct sq_span text, int64_t today, struct time_word *out) {
    struct sq_span rest = text;
    if (take_word(&rest, "today")) {
        return write_day(today, rest, out);
    }
    if (take_word(&rest, "yesterday")) {
        return write_day(today - 1, rest, out);
    }
    return read_weekday(text, today, out);
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
    if (!take_word(&rest, "-")) {
        return false;
    }
    for (; digits < rest.len && digits < MAX_DIGITS
           && sq_is_digit(rest.ptr[digits]);
         digits++) {
        count = count * 10 + (rest.ptr[digits] - '0');
    }
    rest = (struct sq_span){ rest.ptr + digits, rest.len - digits };
    size_t unit = 0;
    while (unit < 4 && !take_word(&rest, units[unit].word)) {
        unit++;
    }
    if (digits == 0 || unit == 4 || rest.len > 0) {
        return false;
    }
    out->is_distance = true;
    if (units[unit].seconds > 0) {
        write_moment(base->now_utc - count * units[unit].seconds, base->zone,
                     out);
        return true;
    }
    int64_t today = sq_time_local_day(base->zone, base->now_utc);
    return write_day(today - count * units[unit].days, rest, out);
}

/* Parses a time of day such as "T10", "T1030" or "10:30". */
static bool
read_time_of_day(struct sq_span text, int64_t day, struct time_word *out) {
    bool is_short = text.len >= 5 && sq_is_digit(text.ptr[0])
                 && sq_is_digit(text.ptr[1]) && text.ptr[2] == ':';
    char date[SQ_TIME_TEXT_SIZE];
    if (!is_short) {
        return text.len > 0 && (text.ptr[0] == 'T' || text.ptr[0] == 't')
            && write_day(day, text, out);
    }
    sq_date_format(sq_date_from_days(day), date);
    int len = snprintf(out->text, sizeof(out->text), "%sT%.*s", date,
                       SQ_SPAN_ARGS(text));
    return len < (int)sizeof(out->text);
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
    struct time_word word = { 0 };
    struct sq_span trimmed = sq_span_trim(text);
    struct sq_span rest = trimmed;
    if (take_word(&rest, "now") && rest.len == 0) {
        write_moment(base->now_utc, base->zone, &word);
    } else if (!read_day(trimmed, sq_time_local_day(base->zone, base->now_utc),
                         &word)
               && !read_distance(trimmed, base, &word)
               && !read_time_of_day(trimmed, base->day, &word)) {
        return false;
    }
    *out = word;
    return true;
}

#define FIRST_YEAR 1970
#define LAST_YEAR 2100
#define MAX_WINDOW_S (INT64_C(3653) * SQ_DAY_S) /* with three leap days */

/* The first and the last day of a period, as dates. */
struct period {
    char first[SQ_TIME_TEXT_SIZE];
    char last[SQ_TIME_TEXT_SIZE];
};

/* Days since 1970, both inclusive. */
struct days {
    int64_t first;
    int64_t last;
};

/* Returns the month that is `back` months before that of the date. */
static struct days
month_before(struct sq_date date, int back) {
    int months = date.year * 12 + date.month - 1 - back;
    const struct sq_date first = { months / 12, months % 12 + 1, 1 };
    months++;
    const struct sq_date next = { months / 12, months % 12 + 1, 1 };
    return (struct days){ sq_date_to_days(first), sq_date_to_days(next) - 1 };
}

static struct days
year_of(int year) {
    return (struct days){ sq_date_to_days((struct sq_date){ year, 1, 1 }),
                          sq_date_to_days((struct sq_date){ year, 12, 31 }) };
}

static struct days
week_before(int64_t today, int back) {
    int64_t monday = today - (sq_weekday_of_days(today) + 6) % 7 - 7 * back;
    return (struct days){ monday, monday + 6 };
}

/* Parses "last month" and the like. */
static bool
read_words(struct sq_span text, int64_t today, struct days *out) {
    static const char *const words[][2] = {
        { "this week", "last week" },
        { "this month", "last month" },
        { "this year", "last year" },
    };
    const struct sq_date date = sq_date_from_days(today);
    for (int back = 0; back < 2; back++) {
        if (sq_span_is_word(text, words[0][back])) {
            *out = week_before(today, back);
        } else if (sq_span_is_word(text, words[1][back])) {
            *out = month_before(date, back);
        } else if (sq_span_is_word(text, words[2][back])) {
            *out = year_of(date.year - back);
        } else {
            continue;
        }
        return true;
    }
    return false;
}

/* Parses "2026" and "2026-01". */
static bool
read_numbers(struct sq_span text, struct days *out) {
    uint64_t year;
    uint64_t month = 0;
    bool has_month = text.len == 7 && text.ptr[4] == '-';
    struct sq_span head = { text.ptr, text.len == 4 || has_month ? 4 : 0 };
    struct sq_span tail = { head.len ? text.ptr + text.len - 2 : NULL, 2 };
    if (!sq_span_to_uint64(head, &year) || year < 1970 || year > 2100
        || (has_month
            && (!sq_span_to_uint64(tail, &month) || month < 1 || month > 12))) {
        return false;
    }
    *out = has_month
             ? month_before((struct sq_date){ (int)year, (int)month, 1 }, 0)
             : year_of((int)year);
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
    struct days days;
    int64_t today = sq_time_local_day(base->zone, base->now_utc);
    if (!read_words(trimmed, today, &days) && !read_numbers(trimmed, &days)) {
        return false;
    }
    sq_date_format(sq_date_from_days(days.first), out->first);
    sq_date_format(sq_date_from_days(days.last), out->last);
    return true;
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
    if (strcmp(end->which, "at") == 0) {
        sq_fail_hint(err, "Write 2026-01-31T09:30, \"yesterday 10:00\", 10:30 "
                          "or -2h.");
        return sq_fail_in(err, "%s", end->which);
    }
    sq_fail_hint(
        err,
        "Write 2026-01-31, 2026-01-31T09:30, the same with an "
        "offset (Z or +01:00), today, yesterday, monday, -7d or last month.");
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
    return (struct time_base){
        .zone = request->zone,
        .now_utc = request->now_utc,
        .day = sq_time_local_day(request->zone, request->now_utc),
    };
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
    va_list args;
    va_start(args, format);
    size_t capacity = SQ_WINDOW_NOTE_SIZE - note->used;
    int len = snprintf(note->text + note->used, capacity, "%s",
                       note->used > 0 ? "; " : "");
    note->used += (size_t)len < capacity ? (size_t)len : capacity - 1;
    capacity = SQ_WINDOW_NOTE_SIZE - note->used;
    len = vsnprintf(note->text + note->used, capacity, format, args);
    va_end(args);
    note->used += (size_t)len < capacity ? (size_t)len : capacity - 1;
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
