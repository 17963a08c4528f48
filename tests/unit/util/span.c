#include "util/span.h"

#include <inttypes.h>
#include <math.h>

#include "support/test.h"

T_CASE(spans_are_compared_and_trimmed) {
    T(sq_span_equal(SQ_SPAN("abc"), sq_span_of("abc")));
    T(!sq_span_equal(SQ_SPAN("abc"), SQ_SPAN("abd")));
    T(!sq_span_equal(SQ_SPAN("abc"), SQ_SPAN("ab")));
    T(sq_span_equal((struct sq_span){ 0 }, SQ_SPAN("")));
    T(sq_span_is(SQ_SPAN("x\0y"), "x") == false);
    T(sq_span_is_word(SQ_SPAN("Content-Length"), "content-length"));
    T(sq_span_is_word(SQ_SPAN(""), ""));
    T(!sq_span_is_word(SQ_SPAN("YE"), "yes"));
    T(!sq_span_is_word(SQ_SPAN("yess"), "yes"));
    T(!sq_span_is_word(SQ_SPAN("a["), "a{"));
    T(!sq_span_is_word(SQ_SPAN("\xc3\x84"), "\xc3\xa4"));
    T(sq_span_starts_with(SQ_SPAN("abc"), "ab"));
    T(sq_span_starts_with(SQ_SPAN("abc"), ""));
    T(!sq_span_starts_with(SQ_SPAN("ab"), "abc"));
    T(!sq_span_starts_with((struct sq_span){ 0 }, "a"));
    T(sq_span_contains(SQ_SPAN("a\0b"), '\0'));
    T(!sq_span_contains(SQ_SPAN("ab"), '\0'));
    T(!sq_span_contains((struct sq_span){ 0 }, 'a'));
    T(sq_span_is(sq_span_trim(SQ_SPAN(" \t\r\n a b \v\f ")), "a b"));
    T(sq_span_is(sq_span_trim(SQ_SPAN(" \n ")), ""));
    T(sq_span_is(sq_span_trim((struct sq_span){ 0 }), ""));
}

T_CASE(parses_a_line_of_other_programs) {
    struct sq_span rest = SQ_SPAN("Physical size: 1080x-2400 px");
    struct sq_span name;
    int64_t width = 0;
    int64_t height = 0;
    T(sq_span_take_until(&rest, ':', &name)
      && sq_span_is(name, "Physical size"));
    T(!sq_span_take_prefix(&rest, "1080"));
    T(sq_span_take_prefix(&rest, " "));
    T(sq_span_take_int64(&rest, &width) && sq_span_take_prefix(&rest, "x")
      && sq_span_take_int64(&rest, &height));
    T_INT(width, 1080);
    T_INT(height, -2400);
    T(sq_span_is(rest, " px"));
}

T_CASE(failed_parsing_consumes_nothing) {
    struct sq_span rest = SQ_SPAN("-99999999999999999999,-x");
    struct sq_span taken = SQ_SPAN("kept");
    int64_t value = 7;
    T(!sq_span_take_int64(&rest, &value));
    T(!sq_span_take_until(&rest, ';', &taken));
    T_INT(rest.len, 24);
    T_INT(value, 7);
    T(sq_span_is(taken, "kept"));
    T(sq_span_take_until(&rest, ',', &taken));
    T(!sq_span_take_int64(&rest, &value));
    T(sq_span_is(rest, "-x"));
}

T_CASE(lines_end_with_lf_or_crlf) {
    static const char *const want[] = { "one", "", "two\rtwo", "three" };
    struct sq_span rest = SQ_SPAN("one\r\n\ntwo\rtwo\nthree");
    struct sq_span line;
    size_t count = 0;
    while (sq_span_take_line(&rest, &line) && count < SQ_COUNT(want)) {
        T(sq_span_is(line, want[count++]));
    }
    T_INT(count, SQ_COUNT(want));
    rest = SQ_SPAN("end\n");
    T(sq_span_take_line(&rest, &line) && sq_span_is(line, "end"));
    T(!sq_span_take_line(&rest, &line));
}

T_CASE(parses_integers_strictly) {
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {
        { "0", 0 },
        { "-0", 0 },
        { "007", 7 },
        { "9223372036854775807", INT64_MAX },
        { "-9223372036854775808", INT64_MIN },
        { "00000000000000000000000000000012", 12 },
    };
    static const char *const bad[] = {
        "",
        "-",
        "+1",
        " 1",
        "1 ",
        "1a",
        "0x10",
        "1.0",
        "1e3",
        "--1",
        "- 1",
        "9223372036854775808",
        "1\t2",
        "-9223372036854775809",
        "99999999999999999999999",
    };
    for (size_t i = 0; i < SQ_COUNT(good); i++) {
        int64_t value = 99;
        T(sq_span_to_int64(sq_span_of(good[i].text), &value));
        T_INT(value, good[i].value);
    }
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        int64_t value = 99;
        T(!sq_span_to_int64(sq_span_of(bad[i]), &value));
        T_INT(value, 99);
    }
    T(!sq_span_to_int64((struct sq_span){ 0 }, &(int64_t){ 0 }));
    T(!sq_span_to_int64(SQ_SPAN("1\0"), &(int64_t){ 0 }));

    uint64_t big = 0;
    T(sq_span_to_uint64(SQ_SPAN("18446744073709551615"), &big));
    T(big == UINT64_MAX);
    T(!sq_span_to_uint64(SQ_SPAN("18446744073709551616"), &big));
    T(!sq_span_to_uint64(SQ_SPAN("-1"), &big));
    T(!sq_span_to_uint64(SQ_SPAN(""), &big));
    T(big == UINT64_MAX);
}

T_CASE(parses_decimals_with_integer_value) {
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {
        { "5", 5 },
        { "5.0", 5 },
        { "-50e-1", -5 },
        { "1.5e1", 15 },
        { "0.00e999999999999999999999", 0 },
        { "9.223372036854775807E18", INT64_MAX },
        { "-9223372036854775808.000", INT64_MIN },
        { "92233720368547758070e-1", INT64_MAX },
        { "1e18", 1000000000000000000 },
    };
    static const char *const bad[] = {
        "0.5",
        "1e19",
        "9223372036854775808",
        "1e999999999999999999",
        "1e-1",
        "-1e-999999",
        "1.",
        ".5",
        "1e",
        "1e+",
        "1.5",
        "nan",
        "123e-2",
        "1.0.0",
        "0x1p3",
    };
    for (size_t i = 0; i < SQ_COUNT(good); i++) {
        int64_t value = 99;
        T(sq_span_to_exact_int64(sq_span_of(good[i].text), &value));
        T_INT(value, good[i].value);
    }
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        int64_t value = 99;
        T(!sq_span_to_exact_int64(sq_span_of(bad[i]), &value));
        T_INT(value, 99);
    }
}

static bool
same_double(double a, double b) {
    return memcmp(&a, &b, sizeof(a)) == 0;
}

T_CASE(parses_doubles_strictly) {
    static const struct {
        const char *text;
        double value;
    } good[] = {
        { "0", 0.0 },
        { "-0.0", -0.0 },
        { "1.5", 1.5 },
        { "-12.5e3", -12500.0 },
        { "1E+2", 100.0 },
        { "1e-400", 0.0 },
        { "-1e-99999999999999999999", -0.0 },
        { "4.9406564584124654e-324", 4.9406564584124654e-324 },
        { "1.7976931348623157e308", 1.7976931348623157e308 },
        { "9007199254740993", 9007199254740992.0 },
        { "0e99999999999999999999", 0.0 },
    };
    static const char *const bad[] = {
        "",      "-",      ".",        "1.",      ".5",
        "+1",    "1e",     "1e+",      "inf",     "nan",
        "0x1",   "1,5",    " 1",       "1 ",      "1e5x",
        "1e999", "-1e309", "infinity", "1.8e308", "1e99999999999999",
    };
    for (size_t i = 0; i < SQ_COUNT(good); i++) {
        double value = 99;
        T(sq_span_to_double(sq_span_of(good[i].text), &value));
        T(same_double(value, good[i].value));
    }
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        double value = 99;
        T(!sq_span_to_double(sq_span_of(bad[i]), &value));
        T(same_double(value, 99));
    }
}

/* Halfway between two doubles, decided by a digit a thousand places later. */
T_CASE(rounds_by_digits_far_after_the_point) {
    char text[1400];
    memset(text, '0', sizeof(text));
    memcpy(text, "9007199254740993.", 17);
    double value = 0;
    struct sq_span whole = { text, sizeof(text) };
    T(sq_span_to_double(whole, &value)
      && same_double(value, 9007199254740992.0));
    text[sizeof(text) - 1] = '1';
    T(sq_span_to_double(whole, &value)
      && same_double(value, 9007199254740994.0));

    memset(text, '0', sizeof(text));
    memcpy(text, "1.", 2);
    text[sizeof(text) - 1] = '1';
    T(sq_span_to_double(whole, &value) && same_double(value, 1.0));

    /* As many zeros before the point as the exponent removes. */
    memset(text, '0', sizeof(text));
    text[0] = '7';
    memcpy(text + sizeof(text) - 6, "e-1393", 6);
    T(sq_span_to_double(whole, &value) && same_double(value, 7.0));
    int64_t exact = 0;
    T(sq_span_to_exact_int64(whole, &exact));
    T_INT(exact, 7);
}

T_CASE(agrees_with_strtod) {
    for (int i = 0; i < 20000; i++) {
        uint64_t whole = t_random() >> t_random_between(0, 63);
        uint64_t fraction = t_random() >> t_random_between(0, 63);
        const char *text =
            t_text("%s%" PRIu64 ".%" PRIu64 "e%d", i % 2 ? "-" : "", whole,
                   fraction, (int)t_random_between(-350, 300));
        double want = strtod(text, NULL);
        double got = -1.0;
        bool ok = sq_span_to_double(sq_span_of(text), &got);
        T(isinf(want) ? !ok : ok && same_double(got, want));
    }
}
