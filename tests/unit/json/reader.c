#include "json/reader.h"

#include <limits.h>

#include "support/test.h"
#include "util/buf.h"
#include "util/limits.h"

#define S SQ_SPAN_INIT

static bool
parses(struct sq_span text, struct sq_err *err) {
    const struct sq_json *root = NULL;
    T_ARENA(arena, 1 << 20);
    bool ok = sq_json_parse(text, &arena, &root, err);
    T(ok == (root != NULL));
    return ok;
}

/* Quotes are written as ' so that the caret is below its byte. */
static void
expect_failure_at(const char *text, const char *caret, const char *what,
                  enum sq_err_code code) {
    size_t at = strlen(caret) - 1;
    char quoted[400];
    snprintf(quoted, sizeof(quoted), "%s", text);
    for (char *c = quoted; *c; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    T(!parses(sq_span_of(quoted), &t_err));
    T_STR(t_err.message,
          t_text("%s at line 1, column %zu (byte %zu)", what, at + 1, at));
    T_INT(t_err.code, code);
}

#define FAIL_AT(text, caret, what)                                             \
    expect_failure_at(text, caret, what, SQ_ERR_FORMAT)
#define ENDS_AT(text, caret, what)                                             \
    expect_failure_at(text, caret, what, SQ_ERR_TRUNCATED)

/* clang-format off */
T_CASE(errors_name_the_position) {
    FAIL_AT("{'x': 1,, 'y': 2}",
            "        ^", "expected a key in quotes");
    FAIL_AT("[1,,2]",
            "   ^", "expected a value");
    FAIL_AT("[1 2]",
            "   ^", "expected ',' or ']'");
    FAIL_AT("{'a':1 'b':2}",
            "       ^", "expected ',' or '}'");
    FAIL_AT("{'a' 1}",
            "     ^", "expected ':'");
    FAIL_AT("[tru3]",
            "    ^", "expected true, false or null");
    FAIL_AT("[01]",
            "  ^", "expected ',' or ']'");
    FAIL_AT("[1.x]",
            "   ^", "expected a digit");
    FAIL_AT("['ab\\q']",
            "    ^", "invalid escape");
    FAIL_AT("['a\\ud800\\u12']",
            "         ^", "invalid escape");
    FAIL_AT("['a\tb']",
            "   ^", "control character in a string");
    FAIL_AT("['a\xff']",
            "   ^", "invalid UTF-8");
    FAIL_AT("[] x",
            "   ^", "expected the end of the text");
    FAIL_AT("{'a':1, 'b':2, '\\u0061':3}",
            "               ^", "duplicate key");
    ENDS_AT("",
            "^", "expected a value");
    ENDS_AT("[1,",
            "   ^", "expected a value");
    ENDS_AT("'abc",
            "    ^", "unterminated string");
    ENDS_AT("fal",
            "   ^", "expected true, false or null");
}
/* clang-format on */

T_CASE(counts_lines_and_characters) {
    T(!parses(SQ_SPAN("{\n  \"\xc3\xa9\xe2\x82\xac\": x\n}"), &t_err));
    T_STR(t_err.message, "expected a value at line 2, column 9 (byte 13)");
}

static const struct sq_json *
must_parse(struct sq_span text, struct sq_arena *arena) {
    const struct sq_json *root = NULL;
    T_OK(sq_json_parse(text, arena, &root, &t_err));
    return root;
}

T_CASE(values_are_found_by_kind_and_key) {
    T_ARENA(arena, 1 << 20);
    const struct sq_json *root = must_parse(
        SQ_SPAN("{\"s\":\"x\",\"n\":-7,\"t\":true,\"f\":false,\"z\":null,"
                "\"a\":[1,\"2\",[3]],\"o\":{\"k\":{\"deep\":5}}}"),
        &arena);
    struct sq_span text = SQ_SPAN("kept");
    int64_t number = 99;
    bool flag = false;
    T(sq_json_string(sq_json_get(root, "s"), &text) && sq_span_is(text, "x"));
    T(sq_json_int(sq_json_get(root, "n"), &number));
    T_INT(number, -7);
    T(sq_json_bool(sq_json_get(root, "t"), &flag) && flag);
    T(sq_json_bool(sq_json_get(root, "f"), &flag) && !flag);
    T(sq_json_is(sq_json_get(root, "z"), SQ_JSON_NULL));
    T(!sq_json_get(root, "missing") && !sq_json_get(root, "S"));

    const struct sq_json *item = sq_json_first(sq_json_get(root, "a"));
    T_INT(sq_json_count(sq_json_get(root, "a")), 3);
    T(sq_json_is(item, SQ_JSON_NUMBER));
    T_INT(sq_json_key(item).len, 0);
    item = sq_json_next(item);
    T(sq_json_is(item, SQ_JSON_STRING));
    item = sq_json_next(item);
    T(sq_json_is(item, SQ_JSON_ARRAY) && !sq_json_next(item));

    const struct sq_json *deep =
        sq_json_get(sq_json_get(sq_json_get(root, "o"), "k"), "deep");
    T(sq_json_int(deep, &number));
    T_INT(number, 5);
    T(sq_span_is(sq_json_key(deep), "deep"));
}

T_CASE(wrong_kind_returns_false) {
    T_ARENA(arena, 1 << 20);
    const struct sq_json *list =
        must_parse(SQ_SPAN("[\"1\",1,true,null,[],{}]"), &arena);
    struct sq_span text = SQ_SPAN("kept");
    int64_t number = 99;
    double real = 99;
    bool flag = true;
    size_t strings = 0, numbers = 0, ints = 0, reals = 0, flags = 0;
    for (const struct sq_json *v = sq_json_first(list); v;
         v = sq_json_next(v)) {
        T(!sq_json_get(v, "1") && !sq_json_first(v) && sq_json_count(v) == 0);
        strings += sq_json_string(v, &text);
        numbers += sq_json_number(v, &text);
        ints += sq_json_int(v, &number);
        reals += sq_json_double(v, &real);
        flags += sq_json_bool(v, &flag);
    }
    T(strings == 1 && numbers == 1 && ints == 1 && reals == 1 && flags == 1);
    T(!sq_json_string(NULL, &text) && !sq_json_int(NULL, &number));
    T(!sq_json_get(NULL, "x") && !sq_json_first(NULL) && !sq_json_next(NULL));
    T(!sq_json_is(NULL, SQ_JSON_NULL) && sq_json_count(NULL) == 0);
    T_INT(sq_json_key(NULL).len, 0);
}

T_CASE(missing_members_are_empty) {
    T_ARENA(arena, 1 << 20);
    const struct sq_json *object = must_parse(
        SQ_SPAN("{\"word\":\"x\",\"most\":2147483647,\"least\":-2147483648,"
                "\"more\":2147483648,\"half\":0.5,\"none\":null}"),
        &arena);
    T(sq_span_is(sq_json_text_of(object, "word"), "x"));
    T_INT(sq_json_text_of(object, "most").len, 0);
    T_INT(sq_json_text_of(object, "none").len, 0);
    T_INT(sq_json_text_of(object, "nothing").len, 0);
    T_INT(sq_json_text_of(NULL, "word").len, 0);
    T_INT(sq_json_int_of(object, "most"), INT_MAX);
    T_INT(sq_json_int_of(object, "least"), INT_MIN);
    T_INT(sq_json_int_of(object, "more"), 0);
    T_INT(sq_json_int_of(object, "half"), 0);
    T_INT(sq_json_int_of(object, "word"), 0);
    T_INT(sq_json_int_of(NULL, "word"), 0);
}

T_CASE(keeps_numbers_exact) {
    T_ARENA(arena, 1 << 20);
    const struct sq_json *list =
        must_parse(SQ_SPAN("[9223372036854775807,-9223372036854775808,"
                           "9223372036854775808,5.0,5.5,1e3,-0,1E400,"
                           "12345678901234567890123]"),
                   &arena);
    static const struct {
        const char *text;
        bool is_int;
        int64_t number;
        bool is_double;
    } want[] = {
        { "9223372036854775807", true, INT64_MAX, true },
        { "-9223372036854775808", true, INT64_MIN, true },
        { "9223372036854775808", false, 0, true },
        { "5.0", true, 5, true },
        { "5.5", false, 0, true },
        { "1e3", true, 1000, true },
        { "-0", true, 0, true },
        { "1E400", false, 0, false },
        { "12345678901234567890123", false, 0, true },
    };
    const struct sq_json *item = sq_json_first(list);
    for (size_t i = 0; i < SQ_COUNT(want); i++, item = sq_json_next(item)) {
        struct sq_span text = { 0 };
        int64_t number = 0;
        double real;
        T(sq_json_number(item, &text) && sq_span_is(text, want[i].text));
        T_INT(sq_json_int(item, &number), want[i].is_int);
        T_INT(number, want[i].number);
        T_INT(sq_json_double(item, &real), want[i].is_double);
    }
    T(!item);
}

T_CASE(unescapes_strings) {
    T_ARENA(arena, 1 << 20);
    struct sq_span text = SQ_SPAN(
        "[\"plain\",\"\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"a\\u0000b\","
        "\"\\u00e9\\u20AC\\ud83d\\ude00\\uDBFF\\uDFFF\",\"\\\\u0041\"]");
    static const struct sq_span want[] = {
        S("plain"),   S("\"\\/\b\f\n\r\t"),
        S("a\0b"),    S("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf"),
        S("\\u0041"),
    };
    const struct sq_json *item = sq_json_first(must_parse(text, &arena));
    for (size_t i = 0; i < SQ_COUNT(want); i++, item = sq_json_next(item)) {
        struct sq_span got = { 0 };
        T(sq_json_string(item, &got));
        T_BYTES(got.ptr, got.len, want[i].ptr, want[i].len);
        bool inside = got.ptr >= text.ptr && got.ptr < text.ptr + text.len;
        T_INT(inside, i == 0); /* only strings with escapes are copied */
    }
}

#define FFFD "\xef\xbf\xbd"

/* If a client cuts a text inside a character, only that character is lost. */
T_CASE(lone_surrogate_is_the_replacement_character) {
    static const struct {
        const char *json;
        const char *want;
    } rows[] = {
        { "\"\\ud83d\"", FFFD },
        { "\"a\\ud83d\"", "a" FFFD },
        { "\"\\ude00b\"", FFFD "b" },
        { "\"\\ud83d\\u0041\"", FFFD "A" },
        { "\"\\ud83d\\n\"", FFFD "\n" },
        { "\"\\ud83d\\ud83d\\ude00\"", FFFD "\xf0\x9f\x98\x80" },
        { "\"\\ude00\\ud83d\"", FFFD FFFD },
        { "\"\\uD83D\\\\uDE00\"", FFFD "\\uDE00" },
    };
    T_ARENA(arena, 1 << 20);
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        struct sq_span got = { 0 };
        T(sq_json_string(must_parse(sq_span_of(rows[i].json), &arena), &got));
        T_BYTES(got.ptr, got.len, rows[i].want, strlen(rows[i].want));
    }
}

T_CASE(limits_depth_and_size) {
    char text[2 * SQ_MAX_JSON_DEPTH + 2];
    memset(text, '[', SQ_MAX_JSON_DEPTH + 1);
    memset(text + SQ_MAX_JSON_DEPTH + 1, ']', SQ_MAX_JSON_DEPTH + 1);
    T_FAILS(parses((struct sq_span){ text, sizeof(text) }, &t_err),
            SQ_ERR_LIMIT);
    T_STR(t_err.message, "nested too deep at line 1, column 65 (byte 64)");
    T_OK(parses((struct sq_span){ text + 1, sizeof(text) - 2 }, &t_err));

    T_FAILS(parses((struct sq_span){ "", SQ_MAX_JSON_BYTES + 1 }, &t_err),
            SQ_ERR_LIMIT);

    const struct sq_json *root = NULL;
    T_ARENA(arena, 256);
    T_FAILS(
        sq_json_parse(SQ_SPAN("[1,2,3,4,5,6,7,8,9]"), &arena, &root, &t_err),
        SQ_ERR_LIMIT);
    T(!root);
}

/* Keys of equal length, so that their bytes decide the order. */
static void
write_object(struct sq_buf *out, int members, int duplicate) {
    for (int i = 0; i < members; i++) {
        int key = (int)((unsigned)i * 7919u % (unsigned)members);
        T(sq_buf_printf(out, &t_err, "%s\"key%07d\":%d", i ? "," : "{", key,
                        key));
    }
    T(sq_buf_printf(out, &t_err, ",\"key%07d\":-1}", duplicate));
}

/*
 * Each size is parsed with and without a duplicate key. At the largest, a
 * quadratic search would compare 10^10 keys and run into the test's timeout.
 */
T_CASE(finds_keys_and_duplicates_among_many) {
    static const int sizes[] = { 1, 7, 8, 9, 10, 100, 1000, 100000 };
    for (size_t i = 0; i < SQ_COUNT(sizes); i++) {
        int count = sizes[i];
        const struct sq_json *root = NULL;
        T_BUF(text, SQ_MAX_JSON_BYTES);
        T_ARENA(arena, (size_t)32 << 20);
        write_object(&text, count, count);
        T_OK(sq_json_parse((struct sq_span){ (char *)text.data, text.len },
                           &arena, &root, &t_err));
        T_INT(sq_json_count(root), count + 1);
        for (int key = 0; key < count; key++) {
            int64_t number = -2;
            sq_json_int(sq_json_get(root, t_text("key%07d", key)), &number);
            if (number != key) {
                T_INT(number, key);
            }
        }
        T(!sq_json_get(root, "key") && !sq_json_get(root, "key9999999"));

        sq_arena_reset(&arena);
        sq_buf_clear(&text);
        write_object(&text, count, count / 2);
        T(!sq_json_parse((struct sq_span){ (char *)text.data, text.len },
                         &arena, &root, &t_err));
        char want[80];
        size_t at = text.len - strlen("\"key0000000\":-1}");
        snprintf(want, sizeof(want),
                 "duplicate key at line 1, column %zu (byte %zu)", at + 1, at);
        T_STR(t_err.message, want);
    }
}

T_CASE(memory_is_proportional_to_the_text) {
    size_t held[2];
    for (size_t i = 0; i < 2; i++) {
        const struct sq_json *root;
        static char text[400001];
        size_t len = 200001 * (i + 1) - i;
        for (size_t c = 0; c < len; c++) {
            text[c] = c == 0 ? '[' : c == len - 1 ? ']' : c % 2 ? '1' : ',';
        }
        T_ARENA(arena, (size_t)64 << 20);
        T_OK(sq_json_parse((struct sq_span){ text, len }, &arena, &root,
                           &t_err));
        held[i] = arena.held;
    }
    T(held[0] < 6000000 && held[1] < held[0] * 2 + (256 << 10));
}

static bool
parse_all_sorts(void *context, struct sq_err *err) {
    static const struct sq_span text =
        S("{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,"
          "\"i\":[\"\\u00e9\\n\",null,true,{\"\\t\":{}}],\"j\":\"x\"}");
    const struct sq_json *root = NULL;
    T_ARENA(arena, 1 << 20);
    /* Nearly fills the first block, so that the parser must allocate more. */
    bool ok = sq_arena_alloc(&arena, 4096 - 100, 1, err)
           && sq_json_parse(text, &arena, &root, err);
    T(ok == (root != NULL));
    return ok;
}

T_CASE(nothing_is_no_value) {
    const struct sq_json *root = NULL;
    T_ARENA(arena, 4096);
    T_FAILS(sq_json_parse((struct sq_span){ 0 }, &arena, &root, &t_err),
            SQ_ERR_TRUNCATED);
    T(!root);
}

/* What does not fit into an int is none. */
T_CASE(small_numbers_are_asked_for) {
    const struct sq_json *root = NULL;
    T_ARENA(arena, 1 << 16);
    T_OK(sq_json_parse(SQ_SPAN("{\"a\":2147483647,\"b\":-2147483648,"
                               "\"c\":2147483648,\"d\":-2147483649}"),
                       &arena, &root, &t_err));
    T_INT(sq_json_int_of(root, "a"), INT_MAX);
    T_INT(sq_json_int_of(root, "b"), INT_MIN);
    T_INT(sq_json_int_of(root, "c"), 0);
    T_INT(sq_json_int_of(root, "d"), 0);
}

T_CASE(survives_every_failed_allocation) {
    T_INT(t_alloc_torture(parse_all_sorts, NULL), 2);
}

/* The arena becomes full at every step of the parser. */
T_CASE(survives_every_full_arena) {
    struct sq_span text = SQ_SPAN(
        "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,"
        "\"i\":[\"\\u00e9\\n\",null,true,{\"\\t\":{}}],\"j\":\"x\"}");
    bool ok = false;
    for (size_t max = 0; !ok && max < 4096; max += 16) {
        const struct sq_json *root = NULL;
        T_ARENA(arena, max);
        ok = sq_json_parse(text, &arena, &root, &t_err);
        T(ok || (t_err.code == SQ_ERR_LIMIT && !root));
    }
    T(ok);
}
