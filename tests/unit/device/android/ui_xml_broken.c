#include "device/android/parse.h"
#include "device/ui_xml.h"

#include "support/test.h"
#include "util/buf.h"
#include "util/fault.h"
#include "util/limits.h"

#define DOCUMENT                                                               \
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"                 \
    "<hierarchy rotation=\"0\"><node index=\"0\" text=\"caf\xc3\xa9 &amp; "    \
    "&#128512;\" bounds=\"[0,0][9,9]\"><node text=\"in\"/></node></hierarchy>"

/* Refused, and nothing was changed. */
static enum sq_err_code
refusal(struct sq_span text, struct sq_err *err) {
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_tree before = { 0 };
    struct sq_ui_xml_info info = { 7, 7 };
    *err = (struct sq_err){ 0 };
    T(!sq_ui_xml_parse(text, &tree, &info, err));
    T(memcmp(&tree, &before, sizeof(tree)) == 0);
    T(info.rotation == 7 && info.unlabelled == 7);
    T(err->message[0] != '\0');
    return err->code;
}

T_CASE(document_truncated_anywhere_is_an_error) {
    const char whole[] = DOCUMENT;
    for (size_t len = 0; len < sizeof(whole) - 1; len++) {
        struct sq_err err;
        enum sq_err_code code = refusal((struct sq_span){ whole, len }, &err);
        /* Before the root element there is nothing to truncate. */
        T_INT(code, len < 5 ? SQ_ERR_FORMAT : SQ_ERR_TRUNCATED);
    }
}

T_CASE(other_documents_are_refused) {
    static const char *const texts[] = {
        "",
        "ERROR: could not get idle state.\n",
        "<html><body/></html>",
        "<?xml version='1.0'?><html/>",
        "<hierarchyx/>",
        "<hierarchy><node></hierarchy>",
        "<hierarchy><node text=\"a\" text=\"b\"/></hierarchy>",
        "<hierarchy><node text=\"&unknown;\"/></hierarchy>",
        "<hierarchy><node text=\"a & b\"/></hierarchy>",
        "<hierarchy><node text=\"<\"/></hierarchy>",
        "<hierarchy><node text=a/></hierarchy>",
        "<?xml version='1.0'?><!DOCTYPE hierarchy><hierarchy/>",
        "<?xml version='1.0'?><!DOCTYPE h SYSTEM 'file:///etc/passwd'>"
        "<hierarchy/>",
        "<?xml version='1.0'?><!DOCTYPE h [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b "
        "'&a;&a;&a;&a;&a;&a;&a;&a;'><!ENTITY c '&b;&b;&b;&b;&b;&b;&b;'>]>"
        "<hierarchy><node text='&c;&c;&c;'/></hierarchy>",
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        struct sq_err err;
        T_INT(refusal(sq_span_of(texts[i]), &err), SQ_ERR_FORMAT);
    }
}

T_CASE(errors_have_the_position) {
    struct sq_err err;
    refusal(SQ_SPAN("<hierarchy>\n  <node a=1/>\n</hierarchy>"), &err);
    T_HAS(err.message, "line 2, column ");
    refusal(SQ_SPAN("<?xml version='1.0'?><html/>"), &err);
    T_STR(err.message, "not a UI hierarchy: it begins with <html>");
    refusal(SQ_SPAN("<?xml version='1.0'?>"
                    "<a12345678901234567890123456789012345678901234567890/>"),
            &err);
    T_STR(err.message, "not a UI hierarchy: it begins with "
                       "<a123456789012345678901234567890123456789>");
    refusal(SQ_SPAN("<hierarchy><node>"), &err);
    T_STR(err.message, "the UI hierarchy ends too early, after 17 bytes");
    T(err.hint[0] != '\0');
}

static void
repeat(struct sq_buf *out, const char *text, int times) {
    for (int i = 0; i < times; i++) {
        T_OK(sq_buf_append(out, text, strlen(text), &t_err));
    }
}

static struct sq_span
written(const struct sq_buf *buf) {
    return (struct sq_span){ (const char *)buf->data, buf->len };
}

static void
write_nodes(struct sq_buf *out, int count) {
    repeat(out, "<hierarchy>", 1);
    repeat(out,
           "<node text=\"label\" class=\"android.widget.TextView\" "
           "bounds=\"[0,0][100,40]\" clickable=\"true\"/>",
           count);
    repeat(out, "</hierarchy>", 1);
}

/* The number of allocations, and whether there was a tree. */
static long
allocations(const struct sq_buf *document, int want_nodes) {
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    long count = 0;
#ifdef SQ_FAULTS
    sq_fault_arm(SQ_FAULT_ALLOC, (struct sq_fault_plan){ 0 });
#endif
    bool ok = sq_ui_xml_parse(written(document), &tree, NULL, &t_err);
#ifdef SQ_FAULTS
    count = sq_fault_count(SQ_FAULT_ALLOC);
#endif
    if (want_nodes > 0) {
        T_OK(ok);
        T_INT(tree.count, want_nodes);
        T(tree.arena.held < (size_t)want_nodes * 512 + (1 << 20));
    } else {
        T_INT(t_err.code, SQ_ERR_LIMIT);
    }
    return count;
}

/*
 * Twice the nodes cause at most twice the allocations, and a document with too
 * many costs no more than one at the limit.
 */
T_CASE(memory_is_proportional_to_the_nodes_and_limited) {
    T_BUF(half, SQ_MAX_UI_XML_BYTES);
    T_BUF(full, SQ_MAX_UI_XML_BYTES);
    T_BUF(over, SQ_MAX_UI_XML_BYTES);
    write_nodes(&half, SQ_MAX_TREE_NODES / 2);
    write_nodes(&full, SQ_MAX_TREE_NODES);
    write_nodes(&over, 2 * SQ_MAX_TREE_NODES);
    long of_half = allocations(&half, SQ_MAX_TREE_NODES / 2);
    long of_full = allocations(&full, SQ_MAX_TREE_NODES);
    long of_over = allocations(&over, 0);
    T(of_full <= 2 * of_half);
    T(of_over <= of_full);
    T(of_full < SQ_MAX_TREE_NODES / 10);
}

T_CASE(one_node_too_many_is_refused) {
    struct sq_err err;
    T_BUF(document, SQ_MAX_UI_XML_BYTES);
    write_nodes(&document, SQ_MAX_TREE_NODES + 1);
    T_INT(refusal(written(&document), &err), SQ_ERR_LIMIT);
}

T_CASE(depth_is_limited) {
    static const struct {
        int nodes;
        bool ok;
    } depths[] = {
        { SQ_MAX_TREE_DEPTH - 1, true }, /* and the hierarchy itself */
        { SQ_MAX_TREE_DEPTH, false },
        { 50000, false },
    };
    for (size_t i = 0; i < SQ_COUNT(depths); i++) {
        T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
        struct sq_err err = { 0 };
        T_BUF(document, SQ_MAX_UI_XML_BYTES);
        repeat(&document, "<hierarchy>", 1);
        repeat(&document, "<node>", depths[i].nodes);
        repeat(&document, "</node>", depths[i].nodes);
        repeat(&document, "</hierarchy>", 1);
        bool ok = sq_ui_xml_parse(written(&document), &tree, NULL, &err);
        T(ok == depths[i].ok);
        T_INT(err.code, depths[i].ok ? SQ_ERR_NONE : SQ_ERR_LIMIT);
        T_INT(tree.count, depths[i].ok ? depths[i].nodes : 0);
    }
}

T_CASE(nested_displays_are_limited) {
    struct sq_err err;
    T_BUF(document, SQ_MAX_UI_XML_BYTES);
    repeat(&document, "<displays>", 50000);
    T_INT(refusal(written(&document), &err), SQ_ERR_LIMIT);
}

T_CASE(too_large_documents_are_refused_unread) {
    struct sq_err err;
    struct sq_span text = { "<hierarchy/>", SQ_MAX_UI_XML_BYTES + 1 };
    T_INT(refusal(text, &err), SQ_ERR_LIMIT);
}

/* 4 MB of '<', of '&', of invalid bytes, of one attribute: all end quickly. */
T_CASE(repeated_special_bytes_are_refused_quickly) {
    static const struct {
        const char *head;
        const char *body;
        enum sq_err_code code;
    } bulks[] = {
        { "", "<", SQ_ERR_FORMAT },
        { "<hierarchy>", "<", SQ_ERR_FORMAT },
        { "<hierarchy a='", "&#", SQ_ERR_FORMAT },
        { "<hierarchy a='", "&#1", SQ_ERR_FORMAT },
        { "<hierarchy a='", "&#xd800;", SQ_ERR_TRUNCATED },
        { "<hierarchy a='", "\xed\xa0\x80", SQ_ERR_TRUNCATED },
        { "<hierarchy ", "abcdefgh", SQ_ERR_TRUNCATED },
        { "<hierarchy><node text='", "x", SQ_ERR_TRUNCATED },
        { "<hierarchy><!--", "x-", SQ_ERR_TRUNCATED },
    };
    for (size_t i = 0; i < SQ_COUNT(bulks); i++) {
        struct sq_err err;
        T_BUF(document, SQ_MAX_UI_XML_BYTES);
        repeat(&document, bulks[i].head, 1);
        repeat(&document, bulks[i].body, 500000);
        T_INT(refusal(written(&document), &err), bulks[i].code);
    }
}

static bool
build(void *context, struct sq_err *err) {
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    return sq_ui_xml_parse(sq_span_of(context), &tree, NULL, err);
}

T_CASE(out_of_memory_is_reported) {
    char plain[] = DOCUMENT;
    char rare[] = "<hierarchy><!-- --><node text=\"a\"/></hierarchy>";
    char mended[] = "<hierarchy><node text=\"\xff\"><a b=\"c\"/></node>"
                    "</hierarchy>";
    T(t_alloc_torture(build, plain) > 1);
    T(t_alloc_torture(build, rare) > 2);
    T(t_alloc_torture(build, mended) > 3);
}
