#include "json/writer.h"

#include <math.h>

#include "json/reader.h"
#include "support/test.h"
#include "util/mem.h"

#define S SQ_SPAN_INIT

/* The text that build writes; checks that it is valid JSON. */
static void
expect_text(void (*build)(struct sq_json_writer *w), const char *want) {
    struct sq_json_writer w;
    const struct sq_json *root;
    T_BUF(out, 1 << 20);
    T_ARENA(arena, 1 << 20);
    sq_json_writer_init(&w, &out);
    build(&w);
    T_OK(sq_json_writer_done(&w, &t_err));
    T_BYTES(out.data, out.len, want, strlen(want));
    T_OK(sq_json_parse((struct sq_span){ (const char *)out.data, out.len },
                       &arena, &root, &t_err));
}

static const char all_kinds[] =
    "{\"int\":-42,\"real\":0.5,\"list\":[true,false,null,[],{},\"last\"],"
    "\"raw\":{\"as\":\"is\"},\"data\":\"Zm9vYg==\",\"k\\\"\\n\":\"\"}";

static void
build_all_kinds(struct sq_json_writer *w) {
    sq_json_begin_object(w);
    sq_json_put_key(w, "int");
    sq_json_put_int(w, -42);
    sq_json_put_key(w, "real");
    sq_json_put_double(w, 0.5);
    sq_json_begin_array_of(w, "list");
    sq_json_put_bool(w, true);
    sq_json_put_bool(w, false);
    sq_json_put_null(w);
    sq_json_begin_array(w);
    sq_json_end_array(w);
    sq_json_begin_object(w);
    sq_json_end_object(w);
    sq_json_put_string(w, SQ_SPAN("last"));
    sq_json_end_array(w);
    sq_json_put_key(w, "raw");
    sq_json_put_raw(w, SQ_SPAN("{\"as\":\"is\"}"));
    sq_json_put_key(w, "data");
    sq_json_put_base64(w, "foob", 4);
    sq_json_put_key(w, "k\"\n");
    sq_json_put_string(w, (struct sq_span){ 0 });
    sq_json_end_object(w);
}

T_CASE(writes_all_kinds_without_spaces) {
    expect_text(build_all_kinds, all_kinds);
}

static void
build_extremes(struct sq_json_writer *w) {
    sq_json_begin_array(w);
    sq_json_put_int(w, INT64_MIN);
    sq_json_put_int(w, INT64_MAX);
    sq_json_put_double(w, (double)INFINITY);
    sq_json_put_double(w, -(double)INFINITY);
    sq_json_put_double(w, (double)NAN);
    sq_json_put_double(w, 1e14);
    sq_json_put_base64(w, NULL, 0);
    sq_json_end_array(w);
}

T_CASE(writes_extremes) {
    expect_text(build_extremes,
                "[-9223372036854775808,9223372036854775807,null,null,null,"
                "100000000000000,\"\"]");
}

static void
build_one_string(struct sq_json_writer *w) {
    sq_json_put_string(w, SQ_SPAN("only"));
}

T_CASE(writes_one_value_alone) {
    expect_text(build_one_string, "\"only\"");
}

struct string_case {
    struct sq_span text;
    const char *plain;
    const char *untrusted; /* NULL: the same */
};

static const struct string_case strings[] = {
    { S(""), "", NULL },
    { S("a\"b\\c/d"), "a\\\"b\\\\c/d", NULL },
    { S("\b\f\n\r\t\0\x01\x1f"), "\\b\\f\\n\\r\\t\\u0000\\u0001\\u001f", NULL },
    { S("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
      "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", NULL },
    /* not UTF-8: one replacement character for each invalid byte */
    { S("a\xff"
        "b"),
      "a\xef\xbf\xbd"
      "b",
      NULL },
    { S("\xc3"), "\xef\xbf\xbd", NULL },
    { S("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd", NULL },
    { S("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", NULL },
    { S("\xc0\xaf\""), "\xef\xbf\xbd\xef\xbf\xbd\\\"", NULL },
    { S("\x80\xc3\xa9"), "\xef\xbf\xbd\xc3\xa9", NULL },
    /* invisible or bidirectional */
    { S("\x7f"), "\x7f", "\\u007f" },
    { S("\xc2\x85"), "\xc2\x85", "\\u0085" },
    { S("\xc2\xad"), "\xc2\xad", "\\u00ad" },
    { S("a\xe2\x80\x8b"
        "b"),
      "a\xe2\x80\x8b"
      "b",
      "a\\u200bb" },
    { S("\xe2\x80\xae"
        "evil\xe2\x80\xac"),
      "\xe2\x80\xae"
      "evil\xe2\x80\xac",
      "\\u202eevil\\u202c" },
    { S("\xe2\x81\xa6\xe2\x81\xa9"), "\xe2\x81\xa6\xe2\x81\xa9",
      "\\u2066\\u2069" },
    { S("\xe2\x80\xa8\xe2\x80\xa9"), "\xe2\x80\xa8\xe2\x80\xa9",
      "\\u2028\\u2029" },
    { S("\xef\xbb\xbf"), "\xef\xbb\xbf", "\\ufeff" },
    { S("\xd8\x9c"), "\xd8\x9c", "\\u061c" },
    { S("\xf3\xa0\x81\x81"), "\xf3\xa0\x81\x81", "\\udb40\\udc41" },
    /* their neighbours are not escaped */
    { S("~\xc2\xa0\xc2\xac\xc2\xae"), "~\xc2\xa0\xc2\xac\xc2\xae", NULL },
    { S("\xe2\x80\x8a\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf"),
      "\xe2\x80\x8a\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf", NULL },
    { S("\xf3\x9f\xbf\xbf\xf3\xa1\x80\x80"), "\xf3\x9f\xbf\xbf\xf3\xa1\x80\x80",
      NULL },
};

static void
expect_string(struct sq_span text, bool untrusted, const char *want) {
    struct sq_json_writer w;
    T_BUF(out, 1 << 10);
    T_BUF(quoted, 1 << 10);
    sq_json_writer_init(&w, &out);
    if (untrusted) {
        sq_json_put_untrusted(&w, text);
    } else {
        sq_json_put_string(&w, text);
    }
    T_OK(sq_json_writer_done(&w, &t_err));
    T(sq_buf_printf(&quoted, &t_err, "\"%s\"", want));
    T_BYTES(out.data, out.len, quoted.data, quoted.len);
}

T_CASE(escapes_only_what_must_be_escaped) {
    for (size_t i = 0; i < SQ_COUNT(strings); i++) {
        const struct string_case *s = &strings[i];
        expect_string(s->text, false, s->plain);
        expect_string(s->text, true, s->untrusted ? s->untrusted : s->plain);
    }
}

/* Bytes are read 8 at a time: each of the 8 positions is tried. */
T_CASE(escapes_at_every_position_of_a_word) {
    for (size_t i = 0; i < SQ_COUNT(strings); i++) {
        const struct string_case *s = &strings[i];
        const char *want = s->untrusted ? s->untrusted : s->plain;
        for (int before = 0; before < 8; before++) {
            T_BUF(text, 1 << 10);
            T(sq_buf_printf(&text, &t_err, "%.*s", before, "abcdefgh"));
            T(sq_buf_append(&text, s->text.ptr, s->text.len, &t_err));
            T(sq_buf_append(&text, "ijklmnop", 8, &t_err));
            expect_string(sq_buf_span(&text), true,
                          t_text("%.*s%sijklmnop", before, "abcdefgh", want));
        }
    }
}

/* Escapes a text of ASCII characters, one after the other. */
static void
put_escaped(struct sq_span text, struct sq_buf *out) {
    static const char special[] = "\"\\\b\f\n\r\t";
    static const char letters[] = "\"\\bfnrt";
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.ptr[i];
        const char *found = byte ? strchr(special, byte) : NULL;
        T_OK(found
                 ? sq_buf_printf(out, &t_err, "\\%c", letters[found - special])
             : byte < ' ' ? sq_buf_printf(out, &t_err, "\\u%04x", byte)
                          : sq_buf_append_byte(out, byte, &t_err));
    }
}

/* Writes the text as a string and as a key, and compares with put_escaped. */
static bool
is_escaped_correctly(struct sq_span text) {
    struct sq_json_writer w;
    T_BUF(out, 1 << 10);
    T_BUF(want, 1 << 10);
    sq_json_writer_init(&w, &out);
    sq_json_begin_object(&w);
    sq_json_put_key(&w, "a");
    sq_json_put_string(&w, text);
    sq_json_put_key_span(&w, text);
    sq_json_put_null(&w);
    sq_json_end_object(&w);
    T_OK(sq_json_writer_done(&w, &t_err));
    T(sq_buf_append(&want, "{\"a\":\"", 6, &t_err));
    put_escaped(text, &want);
    T(sq_buf_append(&want, "\",\"", 3, &t_err));
    put_escaped(text, &want);
    T(sq_buf_append(&want, "\":null}", 7, &t_err));
    return T_BYTES(out.data, out.len, want.data, want.len);
}

/* Texts of every length, with each ASCII byte at each place. */
T_CASE(escapes_every_byte_at_every_place) {
    char text[20];
    bool ok = true;
    for (size_t len = 1; len <= sizeof(text); len++) {
        for (size_t place = 0; place < len; place++) {
            for (int byte = 0; ok && byte < 128; byte++) {
                memcpy(text, "abcdefghijklmnopqrst", sizeof(text));
                text[place] = (char)byte;
                ok = is_escaped_correctly((struct sq_span){ text, len });
            }
        }
    }
}

static void
build_raw_members(struct sq_json_writer *w) {
    sq_json_begin_object(w);
    sq_json_put_raw_members(w, SQ_SPAN("\"a\":1,\"b\":2"));
    sq_json_put_key(w, "c");
    sq_json_put_int(w, 3);
    sq_json_put_raw_members(w, SQ_SPAN("\"d\":4"));
    sq_json_end_object(w);
}

T_CASE(separates_raw_members) {
    expect_text(build_raw_members, "{\"a\":1,\"b\":2,\"c\":3,\"d\":4}");
}

/* Random bytes: the output parses, and valid UTF-8 is unchanged. */
T_CASE(turns_any_bytes_into_valid_json) {
    for (int round = 0; round < 20000; round++) {
        char bytes[40];
        struct sq_json_writer w;
        const struct sq_json *root = NULL;
        size_t len = (size_t)t_random_between(0, (int64_t)sizeof(bytes));
        for (size_t i = 0; i < len; i++) {
            bytes[i] = (char)(t_random() >> t_random_between(0, 8));
        }
        T_BUF(out, 1 << 12);
        T_ARENA(arena, 1 << 16);
        sq_json_writer_init(&w, &out);
        (round % 2 ? sq_json_put_string
                   : sq_json_put_untrusted)(&w, (struct sq_span){ bytes, len });
        T_OK(sq_json_writer_done(&w, &t_err));
        struct sq_span text = { (const char *)out.data, out.len };
        struct sq_span back = { 0 };
        T_OK(sq_json_parse(text, &arena, &root, &t_err));
        T(sq_json_string(root, &back));
        if (!memchr(text.ptr, 0xef, text.len)) {
            T_BYTES(back.ptr, back.len, bytes, len);
        }
    }
}

T_CASE(writes_a_parsed_text_again) {
    struct sq_json_writer w;
    const struct sq_json *root = NULL;
    T_BUF(out, 1 << 12);
    T_ARENA(arena, 1 << 16);
    T_OK(sq_json_parse(SQ_SPAN(" { \"id\" : 1.50e+03 , \"\\u0061\" : [ true ,"
                               " null, \"\\ud83d\\ude00\\/\\u0007\" , { } ] }"),
                       &arena, &root, &t_err));
    sq_json_writer_init(&w, &out);
    sq_json_begin_array(&w);
    sq_json_put_value(&w, root);
    sq_json_put_value(&w, NULL);
    sq_json_end_array(&w);
    T_OK(sq_json_writer_done(&w, &t_err));
    const char *want = "[{\"id\":1.50e+03,\"a\":[true,null,"
                       "\"\xf0\x9f\x98\x80/\\u0007\",{}]},null]";
    T_BYTES(out.data, out.len, want, strlen(want));
}

T_CASE(keeps_the_first_error) {
    for (size_t max = 0; max < 200; max++) {
        struct sq_json_writer w;
        T_BUF(out, max);
        sq_json_writer_init(&w, &out);
        build_all_kinds(&w);
        bool ok = sq_json_writer_done(&w, &t_err);
        T(ok || t_err.code == SQ_ERR_LIMIT);
        T_INT(ok, max >= sizeof(all_kinds) - 1);
        T(out.len <= max);
        T(out.len == 0 || memcmp(out.data, all_kinds, out.len) == 0);
    }
}

T_CASE(limits_its_depth) {
    struct sq_json_writer w;
    T_BUF(out, 1 << 12);
    sq_json_writer_init(&w, &out);
    for (int i = 0; i < SQ_JSON_WRITER_DEPTH + 1; i++) {
        sq_json_begin_array(&w);
    }
    for (int i = 0; i < SQ_JSON_WRITER_DEPTH + 1; i++) {
        sq_json_end_array(&w);
    }
    T_FAILS(sq_json_writer_done(&w, &t_err), SQ_ERR_LIMIT);
}

T_ALLOC_CASE(survives_every_failed_allocation, 3) {
    struct sq_json_writer w;
    T_BUF(out, 1 << 16);
    sq_json_writer_init(&w, &out);
    sq_json_begin_array(&w);
    for (int i = 0; i < 50; i++) {
        build_all_kinds(&w);
    }
    sq_json_end_array(&w);
    return sq_json_writer_done(&w, err);
}

static bool
mask_nothing(const void *context, struct sq_span text, struct sq_buf *out,
             struct sq_err *err) {
    (void)context;
    return sq_buf_append(out, text.ptr, text.len, err);
}

/* Masked and cut text, members, and a parsed value, in an object. */
static void
build_foreign(struct sq_json_writer *w, const struct sq_json *value) {
    w->mask.apply = mask_nothing;
    sq_json_begin_object(w);
    sq_json_put_key(w, "");
    sq_json_put_clean(w, SQ_SPAN("a\x7f\xe2\x80\xae"));
    sq_json_put_key(w, "untrusted");
    sq_json_put_untrusted_start(w, SQ_SPAN("abcdefghi"), 6);
    sq_json_put_raw_members(w, SQ_SPAN("\"raw\":1"));
    sq_json_put_key(w, "parsed");
    sq_json_put_value(w, value);
    sq_json_end_object(w);
}

static const struct sq_json *
parse_some(struct sq_arena *arena) {
    const struct sq_json *root = NULL;
    T_OK(sq_json_parse(SQ_SPAN("{\"list\":[1,\"two\",{\"three\":null}]}"),
                       arena, &root, &t_err));
    return root;
}

static const char foreign[] =
    "{\"\":\"a\\u007f\\u202e\",\"untrusted\":\"abc\xe2\x80\xa6\",\"raw\":1,"
    "\"parsed\":{\"list\":[1,\"two\",{\"three\":null}]}}";

T_CASE(keeps_the_first_error_of_foreign_text) {
    T_ARENA(arena, 1 << 16);
    const struct sq_json *value = parse_some(&arena);
    for (size_t max = 0; max < 200; max++) {
        struct sq_json_writer w;
        T_BUF(out, max);
        sq_json_writer_init(&w, &out);
        build_foreign(&w, value);
        bool ok = sq_json_writer_done(&w, &t_err);
        T(ok || t_err.code == SQ_ERR_LIMIT);
        T_INT(ok, max >= sizeof(foreign) - 1);
        T(out.len <= max
          && memcmp(out.data ? (char *)out.data : "", foreign, out.len) == 0);
    }
}

/* Without memory for the mark the text ends without it. */
T_ALLOC_CASE(foreign_text_survives_every_failed_allocation, 3) {
    struct sq_json_writer w;
    T_BUF(out, 1 << 16);
    T_ARENA(arena, 1 << 16);
    const struct sq_json *value = NULL;
    if (!sq_json_parse(SQ_SPAN("[1]"), &arena, &value, err)) {
        return false;
    }
    sq_json_writer_init(&w, &out);
    build_foreign(&w, value);
    bool ok = sq_json_writer_done(&w, err);
    T(!ok || sq_span_find(sq_buf_span(&out), "abc\",\"raw\"")
      || sq_span_find(sq_buf_span(&out), "abc\xe2\x80\xa6\",\"raw\""));
    return ok;
}

/* At these lengths the text fills its buffer, and the mark needs another. */
T_ALLOC_CASE(text_is_cut_without_memory_for_the_mark, 1) {
    char text[4200];
    struct sq_json_writer w;
    T_BUF(out, 1 << 16);
    memset(text, 'x', sizeof(text));
    sq_json_writer_init(&w, &out);
    sq_json_begin_array(&w);
    for (size_t len = 32; len <= 4096; len *= 2) {
        sq_json_put_untrusted_start(&w, (struct sq_span){ text, sizeof(text) },
                                    len + strlen("…"));
    }
    sq_json_end_array(&w);
    bool ok = sq_json_writer_done(&w, err);
    if (ok) {
        struct sq_span rest = sq_buf_span(&out);
        for (size_t len = 32; len <= 4096; len *= 2) {
            T(sq_span_take_prefix(&rest, len == 32 ? "[\"" : ",\""));
            T(rest.len > len && memcmp(rest.ptr, text, len) == 0);
            sq_span_skip(&rest, len);
            sq_span_take_prefix(&rest, "…");
            T(sq_span_take_prefix(&rest, "\""));
        }
    }
    return ok;
}

/* The memory of a buffer may be larger than the buffer may grow. */
T_CASE(writes_no_more_than_the_limit_into_a_larger_block) {
    const size_t bytes = 3 << 20;
    const size_t max = 2 << 20;
    uint8_t *space;
    struct sq_json_writer w;
    T_BUF(out, max);
    sq_block_cache_keep(bytes);
    sq_block_cache_put(sq_mem_alloc(bytes, 1), bytes);
    T_OK(sq_buf_reserve(&out, max, &space, &t_err));
    T_INT(out.cap, bytes);
    sq_json_writer_init(&w, &out);
    sq_json_begin_object(&w);
    for (int i = 0; i < 200000; i++) {
        sq_json_put_key(&w, "key");
        sq_json_put_string(&w, SQ_SPAN("value"));
    }
    sq_json_end_object(&w);
    T_FAILS(sq_json_writer_done(&w, &t_err), SQ_ERR_LIMIT);
    T(out.len <= max && out.len > max - 20);
    sq_block_cache_keep(0);
}

T_CASE(marks_untrusted_text) {
    struct sq_json_writer w;
    T_BUF(out, 1 << 16);
    sq_json_writer_init(&w, &out);
    sq_json_begin_array(&w);
    sq_json_put_clean(&w, SQ_SPAN("a\xe2\x80\xae"));
    T(!w.has_untrusted);
    sq_json_put_untrusted(&w, SQ_SPAN("a\xe2\x80\xae"));
    T(w.has_untrusted);
    sq_json_end_array(&w);
    T_OK(sq_json_writer_done(&w, &t_err));
    static const char want[] = "[\"a\\u202e\",\"a\\u202e\"]";
    T_BYTES(out.data, out.len, want, sizeof(want) - 1);
}

/* No character is split, and the mark is within the limit. */
T_CASE(marks_text_that_is_cut) {
    static const struct {
        const char *text;
        size_t max;
        const char *want;
    } cuts[] = { { "abcdef", 6, "[\"abcdef\"]" },
                 { "abcdefg", 6, "[\"abc…\"]" },
                 { "éééé", 7, "[\"éé…\"]" },
                 { "€€€", 8, "[\"€…\"]" } };
    for (size_t i = 0; i < 2 * SQ_COUNT(cuts); i++) {
        struct sq_json_writer w;
        T_BUF(out, 1 << 10);
        sq_json_writer_init(&w, &out);
        w.mask.apply = i % 2 ? mask_nothing : NULL;
        sq_json_begin_array(&w);
        sq_json_put_untrusted_start(&w, sq_span_of(cuts[i / 2].text),
                                    cuts[i / 2].max);
        sq_json_end_array(&w);
        T_OK(sq_json_writer_done(&w, &t_err));
        T_BYTES(out.data, out.len, cuts[i / 2].want, strlen(cuts[i / 2].want));
    }
}
