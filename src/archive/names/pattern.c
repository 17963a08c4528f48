/*
 * Parses and formats file names by patterns. A pattern is text with these
 * conversions:
 *
 *   %Y          year, four digits
 *   %M %D       month and day, two digits each
 *   %h %m %s    time, two digits each, 24-hour clock
 *   %H %p       hour of a 12-hour clock without leading zero; AM or PM
 *   %L          milliseconds, three digits
 *   %U %W       seconds, or milliseconds, since 1970
 *   %N          a number that distinguishes shots of the same time
 *   %d          number of the display
 *   %x %y       its width and height
 *
 * and, for names in other languages or with labels, which must be stored:
 *   %^          anything at the start
 *   %*          anything at the end
 *   %~          a few words without digits
 *   %t          H.MM.SS, optionally AM or PM, optionally a copy number
 *   %n          a counter of four digits
 */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "archive/names/private.h"
#include "util/time_text.h"

#define QUARTER_S 900
#define NOON_H 12

enum half { HALF_NONE, HALF_AM, HALF_PM };

struct fields {
    uint64_t year;
    uint64_t month;
    uint64_t day;
    uint64_t hour;
    uint64_t minute;
    uint64_t second;
    enum half half;
    bool has_unix;
    uint64_t unix_s;
    uint64_t number;
    uint64_t monitor;
    uint64_t width;
    uint64_t height;
    bool literal;
};

/* Parses exactly `count` digits. */
static bool
take_digits(struct sq_span *rest, size_t count, uint64_t *out) {
    uint64_t value = 0;
    if (rest->len < count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!sq_is_digit(rest->ptr[i])) {
            return false;
        }
        value = value * 10 + (uint64_t)(rest->ptr[i] - '0');
    }
    sq_span_skip(rest, count);
    *out = value;
    return true;
}

static bool
take_limited(struct sq_span *rest, size_t count, uint64_t max, uint64_t *out) {
    return take_digits(rest, count, out) && *out <= max;
}

static size_t
count_digits(struct sq_span text) {
    size_t count = 0;
    while (count < text.len && sq_is_digit(text.ptr[count])) {
        count++;
    }
    return count;
}

#define SAFE_DIGITS 18 /* always fit into 64 bits */

/*
 * Parses all following digits, at least that many; the name is literal if we
 * format others.
 */
static bool
take_number(struct sq_span *rest, size_t least, struct fields *f,
            uint64_t *out) {
    size_t count = count_digits(*rest);
    bool huge = count > SAFE_DIGITS;
    if (count < least) {
        return false;
    }
    f->literal = f->literal || huge || (rest->ptr[0] == '0' && count > 1);
    if (!huge) {
        return take_digits(rest, count, out);
    }
    sq_span_skip(rest, count);
    *out = UINT64_MAX;
    return true;
}

static bool
take_short_hour(struct sq_span *rest, struct fields *f) {
    size_t count = count_digits(*rest);
    return (count == 1 || count == 2) && rest->ptr[0] != '0'
        && take_limited(rest, count, NOON_H, &f->hour);
}

static bool
take_half(struct sq_span *rest, struct fields *f) {
    bool am = sq_span_take_prefix(rest, "AM");
    f->half = am ? HALF_AM : HALF_PM;
    return am || sq_span_take_prefix(rest, "PM");
}

static bool
take_unix(struct sq_span *rest, struct fields *f) {
    f->has_unix = true;
    return take_number(rest, 9, f, &f->unix_s);
}

static bool
take_unix_millis(struct sq_span *rest, struct fields *f) {
    uint64_t millis;
    if (!take_number(rest, 12, f, &millis)) {
        return false;
    }
    f->has_unix = true;
    f->unix_s = millis / 1000;
    f->number = millis % 1000;
    return true;
}

static bool
take_four(struct sq_span *rest, struct fields *f) {
    f->literal = true;
    return take_digits(rest, 4, &f->number);
}

static bool
take_rest(struct sq_span *rest, struct fields *f) {
    f->literal = true;
    bool any = rest->len > 0;
    sq_span_skip(rest, rest->len);
    return any;
}

#define MAX_WORDS 40 /* bytes */

/* Words for the half of the day in names, besides AM and PM. */
static const struct word {
    const char *text;
    enum half half;
} words[] = {
    { "AM", HALF_AM },
    { "PM", HALF_PM },
    { "am", HALF_AM },
    { "pm", HALF_PM },
    { "a.m.", HALF_AM },
    { "p.m.", HALF_PM },
    { "a. m.", HALF_AM },
    { "p. m.", HALF_PM },
    { "a.\xc2\xa0m.", HALF_AM },
    { "p.\xc2\xa0m.", HALF_PM },
    { "\xe5\x8d\x88\xe5\x89\x8d", HALF_AM }, /* Japanese */
    { "\xe5\x8d\x88\xe5\xbe\x8c", HALF_PM },
    { "\xe4\xb8\x8a\xe5\x8d\x88", HALF_AM }, /* Chinese */
    { "\xe4\xb8\x8b\xe5\x8d\x88", HALF_PM },
    { "\xec\x98\xa4\xec\xa0\x84", HALF_AM }, /* Korean */
    { "\xec\x98\xa4\xed\x9b\x84", HALF_PM },
};
#define WORDS (SQ_COUNT(words))
#define FIRST_EASTERN_WORD 10

/* Parses words between date and time; East Asian ones say the half of day. */
static bool
take_words(struct sq_span *rest, struct fields *f) {
    size_t len = 0;
    while (len < rest->len && !sq_is_digit(rest->ptr[len])) {
        len++;
    }
    struct sq_span text = { rest->ptr, len };
    for (; text.len > 0; sq_span_skip(&text, 1)) {
        for (size_t i = FIRST_EASTERN_WORD; i < WORDS; i++) {
            if (sq_span_starts_with(text, words[i].text)) {
                f->half = words[i].half;
            }
        }
    }
    sq_span_skip(rest, len);
    f->literal = true;
    return len > 0 && len <= MAX_WORDS;
}

static void
skip_space(struct sq_span *rest) {
    while (sq_span_take_prefix(rest, " ")
           || sq_span_take_prefix(rest, "\xe2\x80\xaf")
           || sq_span_take_prefix(rest, "\xc2\xa0")) {
        continue;
    }
}

static void
take_any_half(struct sq_span *rest, struct fields *f) {
    struct sq_span after = *rest;
    skip_space(&after);
    for (size_t i = 0; i < WORDS; i++) {
        if (sq_span_take_prefix(&after, words[i].text)) {
            f->half = words[i].half;
            *rest = after;
            return;
        }
    }
}

/*
 * Parses %t. Fails for unknown words, which could mean "afternoon": no time is
 * better than one that is half a day off.
 */
static bool
take_spoken_time(struct sq_span *rest, struct fields *f) {
    size_t count = count_digits(*rest);
    f->literal = true;
    if ((count != 1 && count != 2) || !take_limited(rest, count, 23, &f->hour)
        || !sq_span_take_prefix(rest, ".")
        || !take_limited(rest, 2, 59, &f->minute)
        || !sq_span_take_prefix(rest, ".")
        || !take_limited(rest, 2, 59, &f->second)) {
        return false;
    }
    take_any_half(rest, f);
    /* Parses " 2" or " (2)", the suffix of a second file of the same name. */
    skip_space(rest);
    bool open = sq_span_take_prefix(rest, "(");
    sq_span_skip(rest, count_digits(*rest));
    return open == sq_span_take_prefix(rest, ")");
}

typedef int put_field(char *at, size_t capacity, const struct fields *f);

#define PUT(name, format, value)                                               \
    static int name(char *at, size_t capacity, const struct fields *f) {       \
        return snprintf(at, capacity, format, value);                          \
    }
PUT(put_short_hour, "%d", (int)((f->hour + NOON_H - 1) % NOON_H) + 1)
PUT(put_half, "%s", f->hour < NOON_H ? "AM" : "PM")
PUT(put_unix_millis, "%llu", (unsigned long long)(f->unix_s * 1000 + f->number))
#undef PUT

/* A number of that many digits, or functions. */
static const struct directive {
    size_t offset; /* of the number in struct fields */
    size_t digits; /* 0: any number of them */
    uint64_t max;
    bool (*take)(struct sq_span *rest, struct fields *f); /* NULL: by these */
    put_field *put;     /* NULL: by the digits */
    bool is_stored;     /* such names cannot be formatted */
    const char *sample; /* its text in an example */
} directives[128] = {
#define NUMBER(field) .offset = offsetof(struct fields, field)
    ['Y'] = { NUMBER(year), 4, 9999, .sample = "2026" },
    ['M'] = { NUMBER(month), 2, 12, .sample = "02" },
    ['D'] = { NUMBER(day), 2, 31, .sample = "27" },
    ['h'] = { NUMBER(hour), 2, 23, .sample = "06" },
    ['m'] = { NUMBER(minute), 2, 59, .sample = "14" },
    ['s'] = { NUMBER(second), 2, 59, .sample = "44" },
    ['L'] = { NUMBER(number), 3, 999, .sample = "123" },
    ['N'] = { NUMBER(number), 0, UINT64_MAX, .sample = "1" },
    ['d'] = { NUMBER(monitor), 0, UINT64_MAX, .sample = "1" },
    ['x'] = { NUMBER(width), 0, UINT64_MAX, .sample = "1920" },
    ['y'] = { NUMBER(height), 0, UINT64_MAX, .sample = "1080" },
    ['U'] = { NUMBER(unix_s), 0, UINT64_MAX, .take = take_unix,
              .sample = "1772172884" },
    ['H'] = { .take = take_short_hour, .put = put_short_hour, .sample = "6" },
    ['p'] = { .take = take_half, .put = put_half, .sample = "AM" },
    ['W'] = { .take = take_unix_millis,
              .put = put_unix_millis,
              .sample = "1772172884123" },
    ['n'] = { .take = take_four, .is_stored = true, .sample = "0001" },
    ['*'] = { .take = take_rest, .is_stored = true, .sample = "text" },
    ['~'] = { .take = take_words, .is_stored = true, .sample = " at " },
    ['^'] = { .sample = "text " }, /* only at the start: match_spelling */
    ['t'] = { .take = take_spoken_time,
              .is_stored = true,
              .sample = "6.14.44 AM" },
#undef NUMBER
};

const char *
sq_name_sample(char letter) {
    return (unsigned char)letter < 128 ? directives[(int)letter].sample : NULL;
}

static const struct directive *
directive_of(char letter) {
    const struct directive *found = &directives[letter & 0x7f];
    assert(found->max || found->take);
    return found;
}

static bool
take(const struct directive *directive, struct sq_span *rest,
     struct fields *f) {
    if (directive->take) {
        return directive->take(rest, f);
    }
    uint64_t *out = (uint64_t *)(void *)((char *)f + directive->offset);
    return directive->digits > 0
             ? take_limited(rest, directive->digits, directive->max, out)
             : take_number(rest, 1, f, out);
}

static int
put(const struct directive *directive, char *at, size_t capacity,
    const struct fields *f) {
    if (directive->put) {
        return directive->put(at, capacity, f);
    }
    const char *number = (const char *)f + directive->offset;
    return snprintf(
        at, capacity, "%0*llu", (int)directive->digits,
        (unsigned long long)*(const uint64_t *)(const void *)number);
}

/* Matches the whole text with a pattern without %^. */
static bool
match(const char *pattern, struct sq_span text, struct fields *f) {
    for (; *pattern; pattern++) {
        if (*pattern == '%') {
            pattern++;
            if (!take(directive_of(*pattern), &text, f)) {
                return false;
            }
        } else if (text.len == 0 || *text.ptr != *pattern) {
            return false;
        } else {
            sq_span_skip(&text, 1);
        }
    }
    return text.len == 0;
}

/*
 * Matches a pattern after %^. A date does not start inside a number, so few
 * positions are tried, and each fails within a few bytes.
 */
static bool
match_after_anything(const char *pattern, struct sq_span text,
                     struct fields *out) {
    for (size_t i = 1; i < text.len; i++) {
        struct fields f = { .literal = true };
        if (sq_is_digit(text.ptr[i]) && sq_is_digit(text.ptr[i - 1])) {
            continue;
        }
        struct sq_span rest = { text.ptr + i, text.len - i };
        if (match(pattern, rest, &f)) {
            *out = f;
            return true;
        }
    }
    return false;
}

static bool
match_spelling(const char *pattern, struct sq_span stem, struct fields *f) {
    if (pattern[0] == '%' && pattern[1] == '^') {
        return match_after_anything(pattern + 2, stem, f);
    }
    *f = (struct fields){ 0 };
    return match(pattern, stem, f);
}

/* Returns the local time of the shot, as if it were UTC. */
static bool
wall_of(const struct fields *f, int64_t *wall_s) {
    struct sq_date date = { (int)f->year, (int)f->month, (int)f->day };
    int hour = (int)f->hour;
    if (f->half != HALF_NONE && hour <= NOON_H) {
        hour = hour % NOON_H + (f->half == HALF_PM ? NOON_H : 0);
    }
    if (!sq_date_is_real(date)) {
        return false;
    }
    *wall_s = sq_date_to_days(date) * SQ_DAY_S + hour * 3600
            + (int64_t)(f->minute * 60 + f->second);
    return true;
}

/* Returns the time of the shot, and the UTC offset of its local time. */
static bool
moment_of(const struct fields *f, bool utc_names, const struct sq_zone *zone,
          int64_t *utc, int64_t *east_s) {
    int64_t wall_s;
    if (f->has_unix) {
        if (f->unix_s > UINT32_MAX) {
            return false;
        }
        *utc = (int64_t)f->unix_s;
    } else if (!wall_of(f, &wall_s)) {
        return false;
    } else if (!utc_names && zone) {
        *utc = sq_zone_from_wall(zone, wall_s).utc;
        *east_s = wall_s - *utc;
        return true;
    } else {
        *utc = wall_s;
    }
    *east_s = zone ? sq_zone_offset(zone, *utc) : 0;
    return true;
}

/* Limits a number to the range of a shot's field. */
static uint16_t
side_of(uint64_t number) {
    return number < UINT16_MAX ? (uint16_t)number : UINT16_MAX;
}

static bool
fill_shot(const struct fields *f, int64_t utc, int64_t east_s,
          struct sq_shot *shot) {
    assert(east_s / QUARTER_S == (int8_t)(east_s / QUARTER_S));
    if (utc < 0 || utc > UINT32_MAX) {
        return false;
    }
    bool literal = f->literal || east_s % QUARTER_S != 0
                || f->number > UINT32_MAX || f->monitor > UINT8_MAX
                || f->width > UINT16_MAX || f->height > UINT16_MAX;
    *shot = (struct sq_shot){
        .utc = (uint32_t)utc,
        .seq = (uint32_t)f->number,
        .width = side_of(f->width),
        .height = side_of(f->height),
        .monitor = (uint8_t)(f->monitor < UINT8_MAX ? f->monitor : UINT8_MAX),
        .quarters = (int8_t)(east_s / QUARTER_S),
        .flags = literal ? SQ_SHOT_LITERAL : 0,
    };
    return true;
}

/* Finds the first spelling that matches; returns false if none does. */
static bool
find_spelling(const struct sq_name_row *row, struct sq_span stem,
              struct fields *f, size_t *out) {
    size_t spelling = 0;
    while (row->spellings[spelling]
           && !match_spelling(row->spellings[spelling], stem, f)) {
        spelling++;
    }
    *out = spelling;
    return row->spellings[spelling] != NULL;
}

bool
sq_name_parse_pattern(const struct sq_name_row *row, struct sq_span stem,
                      const struct sq_zone *zone, struct sq_shot *shot) {
    struct fields f = { 0 };
    size_t spelling;
    int64_t utc;
    int64_t east_s;
    if (!find_spelling(row, stem, &f, &spelling)
        || !moment_of(&f, row->utc, zone, &utc, &east_s)
        || !fill_shot(&f, utc, east_s, shot)) {
        return false;
    }
    shot->flags = (uint8_t)(shot->flags | spelling << SQ_SHOT_SPELLING_SHIFT);
    return true;
}

bool
sq_name_fits_pattern(const struct sq_name_row *row, struct sq_span stem) {
    struct fields f = { 0 };
    size_t spelling;
    return find_spelling(row, stem, &f, &spelling);
}

bool
sq_name_date_changed(int64_t changed_utc, const struct sq_zone *zone,
                     struct sq_shot *shot) {
    const struct fields f = { .literal = true };
    return fill_shot(&f, changed_utc,
                     zone ? sq_zone_offset(zone, changed_utc) : 0, shot);
}

bool
sq_name_pattern_can_format(const struct sq_name_row *row, size_t spelling) {
    size_t count = 0;
    while (row->spellings[count]) {
        count++;
    }
    if (spelling >= count || strncmp(row->spellings[spelling], "%^", 2) == 0) {
        return false;
    }
    const char *at = row->spellings[spelling];
    while ((at = strchr(at, '%')) && !directive_of(at[1])->is_stored) {
        at += 2;
    }
    return !at;
}

static struct fields
fields_of(const struct sq_shot *shot, bool utc_names) {
    int64_t wall_s =
        (int64_t)shot->utc + (utc_names ? 0 : shot->quarters * QUARTER_S);
    int64_t day = sq_days_of_seconds(wall_s);
    uint64_t second = (uint64_t)(wall_s - day * SQ_DAY_S);
    struct sq_date date = sq_date_from_days(day);
    return (struct fields){
        .year = (uint64_t)date.year,
        .month = (uint64_t)date.month,
        .day = (uint64_t)date.day,
        .hour = second / 3600,
        .minute = second / 60 % 60,
        .second = second % 60,
        .unix_s = shot->utc,
        .number = shot->seq,
        .monitor = shot->monitor,
        .width = shot->width,
        .height = shot->height,
    };
}

size_t
sq_name_format_pattern(const struct sq_name_row *row,
                       const struct sq_shot *shot, char *out) {
    struct fields f = fields_of(shot, row->utc);
    const char *pattern = row->spellings[shot->flags >> SQ_SHOT_SPELLING_SHIFT];
    size_t len = 0;
    for (; *pattern; pattern++) {
        if (*pattern == '%') {
            pattern++;
            const struct directive *directive = directive_of(*pattern);
            assert(!directive->is_stored);
            len += (size_t)put(directive, out + len, SQ_NAME_SIZE - len, &f);
        } else {
            out[len++] = *pattern;
        }
    }
    assert(len < SQ_NAME_SIZE);
    out[len] = '\0';
    return len;
}
