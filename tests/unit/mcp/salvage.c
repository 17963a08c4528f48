#include "mcp/stdio.h"

#include <stdarg.h>

#include "support/test.h"

/* A text that grows. */
static char text[7 << 20];
static size_t text_len;

static void
begin_text(void) {
    text_len = 0;
    text[0] = '\0';
}

__attribute__((format(printf, 1, 2))) static void
put(const char *format, ...) {
    va_list args;
    va_start(args, format);
    text_len += (size_t)vsnprintf(text + text_len, sizeof(text) - text_len,
                                  format, args);
    va_end(args);
    T(text_len < sizeof(text));
}

static void
put_many(char c, size_t count) {
    T(text_len + count < sizeof(text));
    memset(text + text_len, c, count);
    text_len += count;
}

/* The id of a text that arrives in pieces of at most `step` bytes. */
static const char *
salvaged(struct sq_span from, size_t step) {
    static struct sq_mcp_salvage salvage;
    static char out[SQ_MCP_SALVAGE_ID_BYTES + 1];
    sq_mcp_salvage_init(&salvage);
    for (size_t at = 0; at < from.len; at += step) {
        size_t left = from.len - at;
        sq_mcp_salvage_feed(
            &salvage,
            (struct sq_span){ from.ptr + at, left < step ? left : step });
    }
    struct sq_span id = sq_mcp_salvage_id(&salvage);
    snprintf(out, sizeof(out), "%.*s", SQ_SPAN_ARGS(id));
    return out;
}

struct row {
    struct sq_span text;
    const char *id; /* "": none */
};

#define S(text) SQ_SPAN_INIT(text)

static void
check_rows(const struct row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct sq_span row = rows[i].text;
        bool ok = T_STR(salvaged(row, row.len + 1), rows[i].id);
        for (size_t step = 1; step < 8; step++) {
            ok = T_STR(salvaged(row, step), rows[i].id) && ok;
        }
        if (!ok) {
            printf("# in %.*s\n", SQ_SPAN_ARGS(row));
        }
    }
}

T_CASE(id_is_found_despite_other_errors) {
    static const struct row rows[] = {
        { S("{\"id\":1}"), "1" },
        { S(" \t{ \"id\" : -12 , \"method\" : \"x\" }"), "-12" },
        { S("{\"method\":\"x\",\"params\":{},\"jsonrpc\":\"2.0\",\"id\":7}"),
          "7" },
        { S("{\"id\":\"a b\",\"method\":\"x\"}"), "\"a b\"" },
        { S("{\"id\":\"a\\\"}{,\\\\\",\"method\":1}"), "\"a\\\"}{,\\\\\"" },
        { S("{\"\\u0069\\u0064\":3}"), "3" },
        /* invalid UTF-8, control characters, invalid escapes */
        { S("{\"method\":\"\xff\xc3\",\"id\":1}"), "1" },
        { S("{\"method\":\"a\0b\tc\",\"id\":1}"), "1" },
        { S("{\"m\":\"\\x\\u12\",\"n\":\"\\ud83d\",\"id\":1}"), "1" },
        /* keys given twice */
        { S("{\"a\":1,\"a\":2,\"id\":1,\"method\":1,\"method\":2}"), "1" },
        /* numbers and words that are not JSON */
        { S("{\"a\":NaN,\"b\":-Infinity,\"c\":01,\"d\":True,\"id\":1}"), "1" },
        /* truncated, or followed by something */
        { S("{\"id\":1,"), "1" },
        { S("{\"id\":1,\"params\":{\"a\":[1,2"), "1" },
        { S("{\"id\":\"x\",\"method\":\"pi"), "\"x\"" },
        { S("{\"id\":1}x"), "1" },
        { S("{\"id\":1}{\"id\":2}"), "1" },
        { S("{\"id\":1,,}"), "1" },
        { S("{\"id\":1,\"params\":{]"), "1" },
        { S("\xef\xbb\xbf{\"id\":1}"), "1" },
        /* both an answer and a request: a request */
        { S("{\"id\":1,\"result\":{},\"method\":\"x\"}"), "1" },
    };
    check_rows(rows, SQ_COUNT(rows));
}

T_CASE(nothing_else_is_taken_for_the_id) {
    static const struct row rows[] = {
        { S(""), "" },
        { S("garbage"), "" },
        { S("1"), "" },
        { S("\"id\""), "" },
        { S("\"id\":1"), "" },
        { S("{}"), "" },
        { S("{\"method\":\"x\"}"), "" },
        /* nested, or part of a string */
        { S("{\"params\":{\"id\":1}}"), "" },
        { S("{\"params\":{\"a\":[{\"id\":1}],\"id\":2},\"method\":\"x\"}"),
          "" },
        { S("[{\"id\":1}]"), "" },
        { S("[\"id\",1]"), "" },
        { S("{\"a\":[\"id\",1]}"), "" },
        { S("{\"a\":\"\\\"id\\\":1,\"}"), "" },
        { S("{\"a\":\",\\\"id\\\":1,\\\"\"}"), "" },
        { S("{\"a\":\"id\",\"b\":1}"), "" },
        { S("{\"a\":\"x\\\\\",\"b\":\",\\\"id\\\":1}\"}"), "" },
        /* other names */
        { S("{\"ID\":1,\"Id\":2,\"i\":3,\"idd\":4,\"\":5,\"identifier\":6}"),
          "" },
        { S("{\"\\u0169d\":1,\"i\\d\":2,\"\\id\":3,\"\\u069d\":4}"), "" },
        /* several */
        { S("{\"id\":1,\"id\":1}"), "" },
        { S("{\"id\":1,\"\\u0069d\":2,\"method\":\"x\"}"), "" },
        { S("{\"id\":1,\"id\":"), "" },
        { S("{\"id\":{},\"id\":1}"), "" },
        /* not a scalar */
        { S("{\"id\":{\"id\":1},\"method\":\"x\"}"), "" },
        { S("{\"id\":[1],\"method\":\"x\"}"), "" },
        /* unknown whether it ends there */
        { S("{\"id\":12"), "" },
        { S("{\"id\":\"ab"), "" },
        { S("{\"id\":\"ab\""), "" },
        { S("{\"id\":1@,\"method\":\"x\"}"), "" },
        { S("{\"id\":1\xff,\"method\":\"x\"}"), "" },
        { S("{\"id\":1 2,\"method\":\"x\"}"), "" },
        { S("{\"id\":\"a \"b\" c\",\"method\":\"x\"}"), "" },
        { S("{\"id\":,\"method\":\"x\"}"), "" },
        { S("{\"id\" 1,\"method\":\"x\"}"), "" },
        { S("{\"id\":1]"), "" },
        /* after an error the structure is unknown */
        { S("{\"a\":\"x\"y\",\"id\":1}"), "" },
        { S("{\"a\":{\"b\":1]},\"id\":1},\"id\":2}"), "" },
        { S("{\"a\":{\"b\":1},,\"id\":1}"), "" },
        { S("{\"a\":[1}],\"id\":1}"), "" },
        { S("{a:1,\"id\":1}"), "" },
        { S("{'id':1}"), "" },
        { S("{\"a\":1}\"id\":1}"), "" },
        { S("\xef\xbb{\"a\":1}"), "" },
        /* a response gets no answer */
        { S("{\"id\":1,\"result\":{\"a\":1,\"a\":2}}"), "" },
        { S("{\"error\":{\"a\":\"\xff\"},\"id\":1}"), "" },
    };
    check_rows(rows, SQ_COUNT(rows));
}

static struct sq_span
all(void) {
    return (struct sq_span){ text, text_len };
}

/* At any depth: a closed value changes nothing. */
T_CASE(depth_is_not_limited) {
    static const size_t depths[] = { 63,   64,   65,    4094,   4095,
                                     4096, 4097, 10000, 3000000 };
    for (size_t i = 0; i < SQ_COUNT(depths); i++) {
        /* With one bracket less the id is inside an array. */
        for (size_t missing = 0; missing < 2; missing++) {
            begin_text();
            put("{\"params\":");
            put_many('[', depths[i]);
            put_many(']', depths[i] - missing);
            put(",\"id\":5}");
            T_STR(salvaged(all(), 1000), missing ? "" : "5");
        }
    }
}

/* Objects below the depth at which their kind is known. */
T_CASE(nested_ids_are_ignored) {
    enum { DEPTH = 5000 };
    begin_text();
    for (int i = 0; i < DEPTH; i++) {
        put("{\"a\":");
    }
    put("{\"id\":1,\"b\":\"]}\\\"}\"}");
    put_many('}', DEPTH - 1);
    T_STR(salvaged(all(), 777), "");
    put(",\"id\":2}");
    T_STR(salvaged(all(), 777), "2");
}

T_CASE(long_id_is_not_kept) {
    static char want[SQ_MCP_SALVAGE_ID_BYTES + 1];
    for (size_t extra = 0; extra < 2; extra++) {
        begin_text();
        put("{\"id\":\"");
        put_many('i', SQ_MCP_SALVAGE_ID_BYTES - 2 + extra);
        put("\",\"method\":\"x\"}");
        memcpy(want, text + 6, SQ_MCP_SALVAGE_ID_BYTES);
        T_STR(salvaged(all(), 100), extra ? "" : want);
    }
}

/* A random value; never with an id outside of it. */
static void
put_value(int depth) {
    static const char *const scalars[] = {
        "1",        "-2.5e3",      "\"\"",       "\"id\"", "\"\\\"id\\\":9,\"",
        "null",     "\"a\\\\\"",   "\"}{][,:\"", "true",   "\"\\u0022,\"",
        "\"\xff\"", "\"\\ud83d\"",
    };
    int64_t kind = t_random_between(depth > 0 ? 0 : 2, 3);
    if (kind > 1) {
        put("%s", scalars[t_random_between(0, (int64_t)SQ_COUNT(scalars) - 1)]);
        return;
    }
    put(kind ? "[" : "{");
    for (int64_t i = 0, n = t_random_between(0, 3); i < n; i++) {
        put("%s%s", i ? " , " : "", kind ? "" : "\"id\": ");
        put_value(depth - 1);
    }
    put(kind ? "]" : "}");
}

/* A message with its id at any position, and the length that shows the id. */
static size_t
put_message(int number) {
    size_t known = 0;
    int64_t members = t_random_between(1, 5);
    int64_t place = t_random_between(0, members - 1);
    begin_text();
    put("{");
    for (int64_t i = 0; i < members; i++) {
        put(i ? "," : "");
        if (i == place) {
            put("\"id\":\"i%d\" ", number);
            known = text_len + 1;
        } else {
            put("\"k%d\" :", (int)i);
            put_value(3);
        }
    }
    put("}");
    return known;
}

/* The id is found with the comma or brace after it, not earlier. */
T_CASE(every_prefix_gives_the_id_or_none) {
    for (int round = 0; round < 300; round++) {
        size_t known = put_message(round);
        const char *want = t_text("\"i%d\"", round);
        for (size_t len = 0; len <= text_len; len++) {
            T_STR(salvaged((struct sq_span){ text, len }, 16),
                  len < known ? "" : want);
        }
    }
}
