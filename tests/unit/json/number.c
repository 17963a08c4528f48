#include "json/writer.h"

#include <float.h>
#include <math.h>

#include "support/test.h"
#include "util/span.h"

/* As JSON.stringify prints them, except -0. */
T_CASE(writes_numbers_like_javascript) {
    static const struct {
        double number;
        const char *text;
    } cases[] = {
        { 0.0, "0" },
        { -0.0, "-0" },
        { 1.0, "1" },
        { -1.0, "-1" },
        { 0.1, "0.1" },
        { 0.1 + 0.2, "0.30000000000000004" },
        { 1.0 / 3.0, "0.3333333333333333" },
        { 100.0, "100" },
        { 123456.789, "123456.789" },
        { 999999999999999.0, "999999999999999" },
        { 1e15, "1000000000000000" },
        { 9007199254740993.0, "9007199254740992" },
        { 1e20, "100000000000000000000" },
        { 123456789012345680000.0, "123456789012345680000" },
        { 1e21, "1e+21" },
        { -1.5e300, "-1.5e+300" },
        { 1e-6, "0.000001" },
        { 1.5e-6, "0.0000015" },
        { 1e-7, "1e-7" },
        { 1.25e-7, "1.25e-7" },
        { 5e-324, "5e-324" },
        { DBL_MIN, "2.2250738585072014e-308" },
        { DBL_MAX, "1.7976931348623157e+308" },
        { 2.0 / 3.0, "0.6666666666666666" },
        { 4.35, "4.35" },
        { 1.1e-5, "0.000011" },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        char text[SQ_JSON_NUMBER_SIZE];
        sq_json_format_double(cases[i].number, text);
        T_STR(text, cases[i].text);
    }
}

static size_t
count_digits(const char *text) {
    size_t count = 0;
    for (; *text && *text != 'e'; text++) {
        count += (*text >= '1' && *text <= '9') || (*text == '0' && count > 0);
    }
    return count;
}

T_CASE(reads_back_as_the_same_double) {
    for (int i = 0; i < 50000; i++) {
        uint64_t bits = t_random();
        double number;
        memcpy(&number, &bits, sizeof(number));
        if (i % 2) { /* the magnitudes that occur in practice */
            number = (double)t_random_between(-1000000000, 1000000000)
                   / pow(10.0, (double)t_random_between(0, 9));
        }
        if (!isfinite(number)) {
            continue;
        }
        char text[SQ_JSON_NUMBER_SIZE];
        double again;
        sq_json_format_double(number, text);
        T(sq_span_to_double(sq_span_of(text), &again));
        T(memcmp(&again, &number, sizeof(number)) == 0);
        T(i % 2 == 0 || count_digits(text) <= 10 || strchr(text, '.') == NULL);
    }
}
