/* What devices send, read by other processes, well and badly. */
#include "sys/foreign.h"

#include <stdio.h>

#include "device/android/link.h"
#include "device/ios/parse.h"
#include "device/ui_xml.h"
#include "support/gzip_maker.h"
#include "support/test.h"
#include "util/limits.h"
#include "util/minmax.h"

#if defined(__SANITIZE_ADDRESS__) /* which makes each start slow */
#define ROUNDS 20
#define STRIDE 13
#else
#define ROUNDS 200
#define STRIDE 1
#endif
#define MAX_BYTES ((size_t)4 << 20)

static bool
use_workers(int timeout_ms) {
#if defined(__linux__)
    return T_OK(
        sq_foreign_start(t_made_path("bad-decoder"), timeout_ms, &t_err));
#else
    (void)timeout_ms;
    t_skip("workers need Linux");
    return false;
#endif
}

T_FIXTURE(NULL, sq_foreign_stop);

#define NODE(attributes, inside) "<node " attributes ">" inside "</node>"

static const char *const documents[] = {
    "<hierarchy rotation=\"3\"></hierarchy>",
    "a message<?xml version='1.0'?><hierarchy rotation=\"1\">" NODE(
        "text=\"\xc3\xa9\xf0\x9f\x98\x80\" class=\"a.EditText\" "
        "hint=\"Name\" package=\"p\" resource-id=\"p:id/x\" "
        "bounds=\"[1,2][30,40]\" clickable=\"true\" password=\"true\"",
        NODE("content-desc=\"in\" bounds=\"[-5,9][3,4]\"",
             NODE("text=\"deep\" NAF=\"true\"", ""))
            NODE("text=\"second\" enabled=\"true\"", ""))
        NODE("text=\"next window\"", "") "</hierarchy>",
    "<AppiumAUT></AppiumAUT>", /* begins with nothing that is searched */
    "<hierarchy><node text=\"\xff\xed\xa0\x80&#1;\"/></hierarchy>",
    "<hierarchy><node text=\"cut",
    "<hierarchy><node></hierarchy>",
    "<!DOCTYPE x><hierarchy/>",
    "",
    "<?xml version='1.0'?><AppiumAUT><XCUIElementTypeApplication name=\"A\">"
    "<XCUIElementTypeButton label=\"Go\" name=\"id\" x=\"1\" y=\"2\" "
    "width=\"3\" height=\"4\" enabled=\"true\"/>"
    "</XCUIElementTypeApplication></AppiumAUT>",
};

static int
index_of(const struct sq_node *node) {
    return node ? node->index : -1;
}

/* Writes all that a parser says of a document. */
static void
describe(struct sq_span text, struct sq_buf *out) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_ui_xml_info info = { 0 };
    struct sq_err err = { 0 };
    bool ok = sq_ui_xml_parse(text, &tree, &info, &err);
    T_OK(sq_buf_printf(out, &t_err, "%d %d %s %s\n", ok, err.code, err.message,
                       err.hint));
    if (ok) {
        T_OK(sq_buf_printf(out, &t_err, "%d nodes, rotation %d, NAF %d\n",
                           tree.count, info.rotation, info.unlabelled));
    }
    for (const struct sq_node *node = tree.root; node;
         node = sq_node_after(node)) {
        const struct sq_span *texts[] = { &node->text,       &node->desc,
                                          &node->hint,       &node->resource_id,
                                          &node->class_name, &node->package };
        T_OK(sq_buf_printf(out, &t_err, "%d %d %d %d %d %x %d,%d,%d,%d",
                           node->index, node->depth, index_of(node->parent),
                           index_of(node->first_child), index_of(node->next),
                           node->flags, node->bounds.left, node->bounds.top,
                           node->bounds.right, node->bounds.bottom));
        for (size_t i = 0; i < SQ_COUNT(texts); i++) {
            T_OK(sq_buf_printf(out, &t_err, " %zu:", texts[i]->len)
                 && (texts[i]->len == 0
                     || sq_buf_append(out, texts[i]->ptr, texts[i]->len,
                                      &t_err)));
        }
        T_OK(sq_buf_append(out, "\n", 1, &t_err));
    }
}

T_CASE(a_worker_reads_the_same_elements) {
    T_FREED(sq_buf_finish) struct sq_buf here = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf there = { 0 };
    T_FREED(sq_buf_finish) struct sq_buf many = { 0 };
    sq_buf_init(&here, MAX_BYTES);
    sq_buf_init(&there, MAX_BYTES);
    sq_buf_init(&many, MAX_BYTES);
    T_OK(sq_buf_printf(&many, &t_err, "<hierarchy>"));
    for (int i = 0; i < 500; i++) {
        T_OK(sq_buf_printf(&many, &t_err, i % 3 ? "<node text=\"%d\">" : "%d",
                           i));
    }
    for (int i = 0; i < 500; i++) {
        T_OK(sq_buf_printf(&many, &t_err, i % 3 ? "</node>" : ""));
    }
    T_OK(sq_buf_printf(&many, &t_err, "</hierarchy>"));
    for (int round = 0; round < 2; round++) {
        struct sq_buf *out = round ? &there : &here;
        if (round && !use_workers(T_PATIENCE_MS)) {
            return;
        }
        for (size_t i = 0; i < SQ_COUNT(documents); i++) {
            describe(sq_span_of(documents[i]), out);
        }
        describe(sq_buf_span(&many), out);
    }
    T(here.len > 10000);
    T_BYTES(there.data, there.len, here.data, here.len);
}

static bool
parse_named(const char *word, struct sq_err *err) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    char text[100];
    *err = (struct sq_err){ 0 };
    snprintf(text, sizeof(text), "<hierarchy><node text=\"%s\"/></hierarchy>",
             word);
    return sq_ui_xml_parse(sq_span_of(text), &tree, NULL, err)
        && T_INT(tree.count, 1);
}

static const struct {
    const char *word;
    enum sq_err_code code;
} bad[] = {
    { "bad:crash", SQ_ERR_IO },
    { "bad:nonsense", SQ_ERR_FORMAT },
    { "bad:short", SQ_ERR_FORMAT },
};

/* Each is one failed call, and the next one works. */
T_CASE(bad_elements_are_one_failed_call) {
    if (!use_workers(T_PATIENCE_MS)) {
        return;
    }
    for (size_t i = 0; i < ROUNDS; i++) {
        struct sq_err err;
        T(!parse_named(bad[i % SQ_COUNT(bad)].word, &err));
        T_INT(err.code, bad[i % SQ_COUNT(bad)].code);
        T_OK(parse_named("good", &t_err));
    }
}

/* A tree that a parser of ours never makes. */
T_CASE(trees_of_workers_are_checked_at_every_byte) {
    if (!use_workers(T_PATIENCE_MS)) {
        return;
    }
    for (int at = 0; at < 400; at += STRIDE) {
        SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
        char text[200];
        snprintf(text, sizeof(text),
                 "<hierarchy><node text=\"bad:byte%d.\"><node bounds=\"[1,2]"
                 "[3,4]\"/></node></hierarchy>",
                 at);
        if (sq_ui_xml_parse(sq_span_of(text), &tree, NULL, NULL)) {
            int count = 0;
            for (const struct sq_node *node = tree.root; node;
                 node = sq_node_after(node)) {
                count++;
                T(node->depth >= 0 && node->depth < SQ_MAX_TREE_DEPTH);
                T((node->parent != NULL) == (node->depth > 0));
            }
            T_INT(count, tree.count);
        }
    }
}

T_CASE(a_worker_converts_property_lists) {
    static const char *const lists[] = {
        "{ \"com.a\" = { Name = \"\\U00e9\"; Data = <0fbd 77>; }; }",
        "{ a = ( 1, 2 ",
        "no list",
    };
    char expected[3][300];
    for (int round = 0; round < 2; round++) {
        if (round && !use_workers(T_PATIENCE_MS)) {
            return;
        }
        for (size_t i = 0; i < SQ_COUNT(lists); i++) {
            SQ_BUF(json, MAX_BYTES);
            struct sq_err err = { 0 };
            char got[300];
            bool ok = sq_plist_to_json(sq_span_of(lists[i]), &json, &err);
            snprintf(got, sizeof(got), "%d %d %.90s %.*s", ok, err.code,
                     err.message, ok ? (int)json.len : 0,
                     ok ? (char *)json.data : "");
            if (round == 0) {
                memcpy(expected[i], got, sizeof(got));
            }
            T_STR(got, expected[i]);
        }
    }
}

/* Decompresses bytes in pieces. */
static bool
inflate(struct sq_gunzip *gunzip, const uint8_t *bytes, size_t len,
        struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    sq_gunzip_reset(gunzip);
    sq_buf_clear(out);
    for (size_t at = 0; ok && at < len; at += 5000) {
        size_t count = sq_min_size(5000, len - at);
        memcpy(sq_gunzip_space(gunzip), bytes + at, count);
        sq_gunzip_add(gunzip, count);
        while (ok && sq_gunzip_has_work(gunzip)) {
            ok = sq_gunzip_run(gunzip, out, 70000, err);
        }
    }
    return ok;
}

/* gzip without compression, so that a worker finds the word. */
static void
put_stored(const char *word, struct sq_buf *out) {
    const uint8_t len = (uint8_t)strlen(word);
    const uint8_t start[] = { 0x1f, 0x8b, 8, 0,   0, 0,          0,   0,
                              0,    3,    1, len, 0, 0xff ^ len, 0xff };
    sq_buf_clear(out);
    T_OK(sq_buf_append(out, start, sizeof(start), &t_err)
         && sq_buf_append(out, word, len, &t_err));
}

T_CASE(a_worker_decompresses) {
    static const size_t counts[] = { 0, 1, 3000, 900000 };
    struct sq_gunzip *gunzip = NULL;
    struct sq_err err = { 0 };
    SQ_BUF(out, MAX_BYTES);
    SQ_BUF(stored, MAX_BYTES);
    if (!use_workers(T_PATIENCE_MS)
        || !T_OK(sq_gunzip_create(&gunzip, &t_err))) {
        return;
    }
    for (size_t i = 0; i < ROUNDS; i++) {
        size_t count = counts[i % SQ_COUNT(counts)];
        uint8_t *content = malloc(count + 1);
        size_t len;
        for (size_t at = 0; at < count; at++) {
            content[at] =
                at / 100 % 3 ? (uint8_t)(at / 50) : (uint8_t)t_random();
        }
        uint8_t *stream = t_gzip(content, count, &len);
        T_OK(inflate(gunzip, stream, len, &out, &t_err));
        T_INT(sq_gunzip_state(gunzip), SQ_GUNZIP_COMPLETE);
        T_BYTES(out.data, out.len, content, count);
        put_stored(bad[i % SQ_COUNT(bad)].word, &stored);
        T(!inflate(gunzip, stored.data, stored.len, &out, &err));
        T_INT(err.code, bad[i % SQ_COUNT(bad)].code);
        free(stream);
        free(content);
    }
    sq_gunzip_destroy(gunzip);
}

T_CASE(a_worker_that_hangs_is_ended) {
    struct sq_gunzip *gunzip = NULL;
    struct sq_err err = { 0 };
    SQ_BUF(stored, MAX_BYTES);
    SQ_BUF(out, MAX_BYTES);
    if (!use_workers(3000) || !T_OK(sq_gunzip_create(&gunzip, &t_err))) {
        return;
    }
    T(!parse_named("bad:hang", &err));
    T_INT(err.code, SQ_ERR_TIMEOUT);
    T_OK(parse_named("good", &t_err));
    put_stored("bad:hang", &stored);
    T(!inflate(gunzip, stored.data, stored.len, &out, &err));
    T_INT(err.code, SQ_ERR_TIMEOUT);
    sq_gunzip_destroy(gunzip);
}
