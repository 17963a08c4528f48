/* Parses and formats the paths of date folders. */
#include "archive/names/layout.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "util/time_text.h"

/*
 * A place contains the row of its pattern, so only append rows. A folder that
 * matches several patterns (2026/02 is a month in two of them) belongs to the
 * first.
 */
static const struct sq_layout rows[] = {
    { "flat", "" },
    { "day", "YYYY-MM-DD" },
    { "tree", "YYYY/MM/DD" },
    { "hours", "YYYY/MM/DD/HH" },
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

#define BASE_YEAR 1969 /* years start at 1, so that 0 means none */
#define LAST_YEAR 2106

enum part {
    YEAR,
    MONTH,
    DAY,
    HOUR,
    PARTS,
};
static const char letters[PARTS] = { 'Y', 'M', 'D', 'H' };

struct date {
    bool has[PARTS];
    unsigned part[PARTS];
    unsigned row;
    unsigned depth; /* components of the path */
};

/* Packs a date: 8 bits year, 4 month, 5 day, 5 hour + 1, 3 row and 3 depth. */
static sq_place
pack(const struct date *d) {
    unsigned year = d->has[YEAR] ? d->part[YEAR] - BASE_YEAR : 0;
    unsigned hour = d->has[HOUR] ? d->part[HOUR] + 1 : 0;
    return year << 20 | d->part[MONTH] << 16 | d->part[DAY] << 11 | hour << 6
         | d->row << 3 | d->depth;
}

static struct date
unpack(sq_place place) {
    unsigned year = place >> 20 & 0xff;
    unsigned month = place >> 16 & 0xf;
    unsigned day = place >> 11 & 0x1f;
    unsigned hour = place >> 6 & 0x1f;
    return (struct date){
        .has = { year > 0, month > 0, day > 0, hour > 0 },
        .part = { year + BASE_YEAR, month, day, hour ? hour - 1 : 0 },
        .row = place >> 3 & 0x7,
        .depth = place & 0x7,
    };
}

size_t
sq_layout_count(void) {
    return ROWS;
}

const struct sq_layout *
sq_layout_at(size_t row) {
    assert(row < ROWS);
    return &rows[row];
}

/* Returns the pattern after that many components; "" if there are no more. */
static const char *
after_pieces(const char *pattern, unsigned pieces) {
    for (; pieces > 0 && *pattern; pieces--) {
        const char *slash = strchr(pattern, '/');
        pattern = slash ? slash + 1 : pattern + strlen(pattern);
    }
    return pattern;
}

/* Returns whether the first components of both patterns are equal. */
static bool
begin_alike(const char *a, const char *b, unsigned pieces) {
    for (; pieces > 0; pieces--) {
        size_t len = strcspn(a, "/");
        if (len == 0 || len != strcspn(b, "/") || memcmp(a, b, len) != 0) {
            return false;
        }
        a = after_pieces(a, 1);
        b = after_pieces(b, 1);
    }
    return true;
}

/* Returns the date part of a pattern letter; PARTS: a literal character. */
static enum part
part_of(char letter) {
    unsigned part = YEAR;
    while (part < PARTS && letters[part] != letter) {
        part++;
    }
    return (enum part)part;
}

static bool
is_plausible(const struct date *d) {
    struct sq_date day = {
        .year = (int)d->part[YEAR],
        .month = d->has[MONTH] ? (int)d->part[MONTH] : 1,
        .day = d->has[DAY] ? (int)d->part[DAY] : 1,
    };
    return d->part[YEAR] > BASE_YEAR && d->part[YEAR] <= LAST_YEAR
        && d->part[HOUR] < 24 && sq_date_is_real(day);
}

/* Parses a name by the first component of a pattern into the date. */
static bool
read_piece(const char *piece, struct sq_span name, struct date *out) {
    struct date d = *out;
    if (name.len == 0 || name.len != strcspn(piece, "/")) {
        return false;
    }
    for (size_t i = 0; i < name.len; i++) {
        enum part part = part_of(piece[i]);
        unsigned digit = (unsigned)(uint8_t)name.ptr[i] - '0';
        if (part == PARTS ? name.ptr[i] != piece[i] : digit > 9) {
            return false;
        }
        if (part != PARTS) {
            d.part[part] = (d.has[part] ? d.part[part] * 10 : 0) + digit;
            d.has[part] = true;
        }
    }
    if (!is_plausible(&d)) {
        return false;
    }
    *out = d;
    return true;
}

bool
sq_layout_enter(sq_place parent, struct sq_span name, sq_place *out) {
    struct date from = unpack(parent);
    for (unsigned row = 0; row < ROWS; row++) {
        const char *pattern = rows[row].pattern;
        struct date d = from;
        if (begin_alike(pattern, rows[from.row].pattern, from.depth)
            && read_piece(after_pieces(pattern, from.depth), name, &d)) {
            d.row = row;
            d.depth = from.depth + 1;
            *out = pack(&d);
            return true;
        }
    }
    return false;
}

size_t
sq_layout_path(sq_place place, char out[SQ_LAYOUT_PATH_SIZE]) {
    struct date d = unpack(place);
    const char *pattern = rows[d.row].pattern;
    size_t len = (size_t)(after_pieces(pattern, d.depth) - pattern);
    len -= len > 0 && pattern[len - 1] == '/';
    /* From the end, because numbers end there with their last digit. */
    for (size_t i = len; i-- > 0;) {
        enum part part = part_of(pattern[i]);
        if (part == PARTS) {
            out[i] = pattern[i];
        } else {
            out[i] = (char)('0' + d.part[part] % 10);
            d.part[part] /= 10;
        }
    }
    out[len] = '\0';
    return len;
}

bool
sq_layout_is_place(uint32_t number) {
    /* Enter it again from the root: only a valid place gives itself. */
    char path[SQ_LAYOUT_PATH_SIZE];
    struct date d = unpack(number);
    sq_place place = SQ_PLACE_ROOT;
    if (d.row >= ROWS || !is_plausible(&d)) {
        return false;
    }
    struct sq_span rest = { path, sq_layout_path(number, path) };
    while (rest.len > 0) {
        struct sq_span piece;
        if (!sq_span_take_until(&rest, '/', &piece)) {
            piece = rest;
            rest.len = 0;
        }
        if (!sq_layout_enter(place, piece, &place)) {
            return false;
        }
    }
    return place == number && place != SQ_PLACE_ROOT;
}

size_t
sq_layout_of(sq_place place) {
    return unpack(place).row;
}

void
sq_layout_days(sq_place place, int32_t *first, int32_t *last) {
    struct date d = unpack(place);
    if (!d.has[YEAR]) {
        *first = INT32_MIN;
        *last = INT32_MAX;
        return;
    }
    struct sq_date from = {
        .year = (int)d.part[YEAR],
        .month = d.has[MONTH] ? (int)d.part[MONTH] : 1,
        .day = d.has[DAY] ? (int)d.part[DAY] : 1,
    };
    struct sq_date next = from;
    if (!d.has[MONTH]) {
        next.year++;
    } else if (!d.has[DAY]) {
        next.year += next.month == 12;
        next.month = next.month == 12 ? 1 : next.month + 1;
    }
    *first = (int32_t)sq_date_to_days(from);
    *last = (int32_t)sq_date_to_days(next) - !d.has[DAY];
}

void
sq_layout_seconds(sq_place place, int64_t *from_utc, int64_t *to_utc) {
    int32_t first;
    int32_t last;
    sq_layout_days(place, &first, &last);
    *from_utc = ((int64_t)first - 1) * SQ_DAY_S;
    *to_utc = ((int64_t)last + 2) * SQ_DAY_S;
}
