/* Shortest decimal representation of doubles. */
#include "json/number.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "util/span.h"

/* 0.d1d2d3... * 10^point */
struct digits {
    char text[DBL_DECIMAL_DIG + 1];
    int count;
    int point;
};

/* Parses "d.ddde[+-]xx". The character of the point depends on the locale. */
static void
split(const char *scientific, struct digits *d) {
    const char *c = scientific;
    for (d->count = 0; *c != 'e'; c++) {
        if (*c >= '0' && *c <= '9') {
            d->text[d->count++] = *c;
        }
    }
    while (d->count > 1 && d->text[d->count - 1] == '0') {
        d->count--;
    }
    struct sq_span rest = sq_span_of(c + 1);
    int64_t exponent = 0;
    sq_span_take_prefix(&rest, "+");
    sq_span_to_int64(rest, &exponent);
    d->point = (int)exponent + 1;
}

/*
 * If any text of up to 15 digits reads back as the same normal double, the one
 * with 15 digits does, without its trailing zeros. Subnormal doubles may need
 * only one digit.
 */
static void
find_shortest(double magnitude, struct digits *d) {
    int precision = magnitude < DBL_MIN ? 1 : DBL_DIG;
    double again = -1.0;
    for (; again != magnitude; precision++) {
        assert(precision <= DBL_DECIMAL_DIG);
        char text[DBL_DECIMAL_DIG + 16];
        snprintf(text, sizeof(text), "%.*e", precision - 1, magnitude);
        split(text, d);
        snprintf(text, sizeof(text), "%.*se%d", d->count, d->text,
                 d->point - d->count);
        if (!sq_span_to_double(sq_span_of(text), &again)) {
            again = -1.0; /* rounding exceeded the largest double */
        }
    }
}

void
sq_json_format_double(double number, char out[SQ_JSON_NUMBER_SIZE]) {
    assert(isfinite(number));
    struct digits d;
    find_shortest(fabs(number), &d);

    const char *sign = signbit(number) ? "-" : "";
    const size_t size = SQ_JSON_NUMBER_SIZE;
    if (d.point > 21 || d.point < -5) {
        snprintf(out, size, "%s%c%s%.*se%+d", sign, d.text[0],
                 d.count > 1 ? "." : "", d.count - 1, d.text + 1, d.point - 1);
    } else if (d.point >= d.count) {
        snprintf(out, size, "%s%.*s%.*s", sign, d.count, d.text,
                 d.point - d.count, "000000000000000000000");
    } else if (d.point > 0) {
        snprintf(out, size, "%s%.*s.%.*s", sign, d.point, d.text,
                 d.count - d.point, d.text + d.point);
    } else {
        snprintf(out, size, "%s0.%.*s%.*s", sign, -d.point, "00000", d.count,
                 d.text);
    }
}
