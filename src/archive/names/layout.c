/* Parses and formats the paths of date folders. */
#include "archive/names/layout.h"

#include <stdio.h>

#include "util/time_text.h"

#define BASE_YEAR 1969 /* years start at 1, so that 0 means none */
#define LAST_YEAR 2106

/* A place contains its row. */
enum row {
    FLAT,  /* the root itself */
    DAY,   /* YYYY-MM-DD */
    TREE,  /* YYYY, YYYY/MM, YYYY/MM/DD */
    HOURS, /* YYYY/MM/DD/HH */
};

/* The parts of a folder's date; 0: none. */
struct date {
    unsigned year; /* since BASE_YEAR */
    unsigned month;
    unsigned day;
    unsigned hour; /* + 1 */
    unsigned row;
    unsigned depth; /* components of the path */
};

/* Packs a date: 8 bits year, 4 month, 5 day, 5 hour, 3 row and 3 depth. */
static sq_place
pack(const struct date *d) {
    return d->year << 20 | d->month << 16 | d->day << 11 | d->hour << 6
         | d->row << 3 | d->depth;
}

static struct date
unpack(sq_place place) {
    return (struct date){
        .year = place >> 20 & 0xff,
        .month = place >> 16 & 0xf,
        .day = place >> 11 & 0x1f,
        .hour = place >> 6 & 0x1f,
        .row = place >> 3 & 0x7,
        .depth = place & 0x7,
    };
}

/* Returns the first day of a folder. */
static struct sq_date
first_day(const struct date *d) {
    return (struct sq_date){
        .year = (int)d->year + BASE_YEAR,
        .month = d->month ? (int)d->month : 1,
        .day = d->day ? (int)d->day : 1,
    };
}

static bool
is_plausible(const struct date *d) {
    return d->year > 0 && d->year + BASE_YEAR <= LAST_YEAR && d->hour <= 24
        && sq_date_is_real(first_day(d));
}

/* Reads a number of exactly that many digits at an offset. */
static bool
read_number(struct sq_span name, size_t at, size_t digits, unsigned *out) {
    uint64_t number;
    bool ok =
        sq_span_to_uint64((struct sq_span){ name.ptr + at, digits }, &number);
    *out = ok ? (unsigned)number : 0;
    return ok;
}

/* Reads the folders of the root: YYYY-MM-DD or YYYY. */
static bool
read_top(struct sq_span name, struct date *out) {
    unsigned year = 0;
    if ((name.len != 4 && name.len != 10) || !read_number(name, 0, 4, &year)
        || year <= BASE_YEAR) {
        return false;
    }
    *out = (struct date){ .year = year - BASE_YEAR, .row = TREE, .depth = 1 };
    if (name.len == 4) {
        return true;
    }
    out->row = DAY;
    return name.ptr[4] == '-' && name.ptr[7] == '-'
        && read_number(name, 5, 2, &out->month)
        && read_number(name, 8, 2, &out->day) && out->month && out->day;
}

/* Reads a folder of two digits inside a year, a month or a day. */
static bool
read_inner(struct sq_span name, struct date *d) {
    unsigned *const parts[] = { NULL, &d->month, &d->day, &d->hour };
    if (d->row != TREE || d->depth < 1 || d->depth > 3 || name.len != 2
        || !read_number(name, 0, 2, parts[d->depth])) {
        return false;
    }
    d->row = d->depth == 3 ? HOURS : TREE;
    d->hour += d->row == HOURS;
    return *parts[d->depth++] > 0;
}

bool
sq_layout_enter(sq_place parent, struct sq_span name, sq_place *out) {
    struct date d = unpack(parent);
    if (!(parent == SQ_PLACE_ROOT ? read_top(name, &d) : read_inner(name, &d))
        || !is_plausible(&d)) {
        return false;
    }
    *out = pack(&d);
    return true;
}

size_t
sq_layout_path(sq_place place, char out[SQ_LAYOUT_PATH_SIZE]) {
    /* Of the path by depth: up to the year, month, day and hour. */
    static const size_t lens[] = { 0, 4, 7, 10, 13 };
    struct date d = unpack(place);
    char sign = d.row == DAY ? '-' : '/';
    size_t len = d.row == DAY ? 10 : lens[d.depth <= 4 ? d.depth : 0];
    char path[32];
    snprintf(path, sizeof(path), "%04u%c%02u%c%02u/%02u", d.year + BASE_YEAR,
             sign, d.month, sign, d.day, d.hour - (d.hour > 0));
    return (size_t)snprintf(out, SQ_LAYOUT_PATH_SIZE, "%.*s", (int)len, path);
}

bool
sq_layout_is_place(uint32_t number) {
    /* Enter it again from the root: only a valid place gives itself. */
    char path[SQ_LAYOUT_PATH_SIZE];
    struct date d = unpack(number);
    sq_place place = SQ_PLACE_ROOT;
    if (d.row == FLAT || d.row > HOURS || !is_plausible(&d)) {
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
    return place == number;
}

void
sq_layout_days(sq_place place, int32_t *first, int32_t *last) {
    struct date d = unpack(place);
    if (d.year == 0) {
        *first = INT32_MIN;
        *last = INT32_MAX;
        return;
    }
    struct sq_date from = first_day(&d);
    struct sq_date next = from;
    if (d.month == 0) {
        next.year++;
    } else if (d.day == 0) {
        next.year += next.month == 12;
        next.month = next.month == 12 ? 1 : next.month + 1;
    }
    *first = (int32_t)sq_date_to_days(from);
    *last = (int32_t)sq_date_to_days(next) - (d.day == 0);
}

void
sq_layout_seconds(sq_place place, int64_t *from_utc, int64_t *to_utc) {
    int32_t first;
    int32_t last;
    sq_layout_days(place, &first, &last);
    *from_utc = ((int64_t)first - 1) * SQ_DAY_S;
    *to_utc = ((int64_t)last + 2) * SQ_DAY_S;
}
