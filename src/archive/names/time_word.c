/* Parses relative dates and times. */
#include "archive/names/time_word.h"

#include <stdio.h>

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
write_day(int64_t day, struct sq_span rest, struct sq_time_word *out) {
    char date[SQ_TIME_TEXT_SIZE];
    bool is_time =
        rest.len > 1 && sq_is_digit(rest.ptr[1])
        && (rest.ptr[0] == ' ' || rest.ptr[0] == 'T' || rest.ptr[0] == 't');
    if (rest.len > 0 && !is_time) {
        return false;
    }
    sq_date_format(sq_date_from_days(day), date);
    int len = snprintf(out->text, sizeof(out->text), "%s%.*s", date,
                       SQ_SPAN_ARGS(rest));
    return len < (int)sizeof(out->text);
}

static void
write_moment(int64_t utc, const struct sq_zone *zone,
             struct sq_time_word *out) {
    char text[SQ_TIME_TEXT_SIZE];
    sq_time_format(utc, sq_zone_offset(zone, utc), text);
    snprintf(out->text, sizeof(out->text), "%s", text);
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
read_weekday(struct sq_span text, int64_t today, struct sq_time_word *out) {
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
read_day(struct sq_span text, int64_t today, struct sq_time_word *out) {
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
read_distance(struct sq_span rest, const struct sq_time_base *base,
              struct sq_time_word *out) {
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
read_time_of_day(struct sq_span text, int64_t day, struct sq_time_word *out) {
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

bool
sq_time_word_read(struct sq_span text, const struct sq_time_base *base,
                  struct sq_time_word *out) {
    struct sq_time_word word = { 0 };
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
