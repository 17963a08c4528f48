/* Decimal numbers are written as printf writes them. */
#include "util/bytes.h"

#include <inttypes.h>

#include "support/test.h"

static void
check(int64_t number, int min_digits) {
    char got[64];
    char magnitude[64];
    int len = snprintf(magnitude, sizeof(magnitude), "%0*" PRIu64, min_digits,
                       number < 0 ? -(uint64_t)number : (uint64_t)number);
    T(len > 0 && len < (int)sizeof(magnitude));
    const char *want = t_text("%s%s", number < 0 ? "-" : "", magnitude);
    *sq_put_signed(got, number, min_digits) = '\0';
    T_STR(got, want);
    if (number >= 0) {
        *sq_put_decimal(got, (uint64_t)number, min_digits) = '\0';
        T_STR(got, want);
    }
}

T_CASE(numbers_are_written_like_printf) {
    static const int64_t numbers[] = { 0,   1,    9,          10,        99,
                                       100, 2026, 4294967295, INT64_MAX, -1,
                                       -10, -999, INT64_MIN };
    for (size_t i = 0; i < SQ_COUNT(numbers); i++) {
        for (int digits = 1; digits <= SQ_DECIMAL_MAX; digits++) {
            check(numbers[i], digits);
        }
    }
}

T_CASE(the_largest_number_fits) {
    char got[SQ_DECIMAL_MAX + 1];
    *sq_put_decimal(got, UINT64_MAX, 1) = '\0';
    T_STR(got, "18446744073709551615");
    *sq_put_decimal(got, 0, SQ_DECIMAL_MAX) = '\0';
    T_STR(got, "00000000000000000000");
}
