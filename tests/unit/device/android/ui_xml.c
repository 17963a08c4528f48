#include "device/android/parse.h"
#include "device/ui_xml.h"

#include "support/test.h"

#define XML_HEAD "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"

/* The tree that a case inspects; close_tree ends it. */
struct seen {
    struct sq_tree tree;
    struct sq_ui_xml_info info;
    struct sq_err err;
    bool ok;
};

static struct seen
parse_span(struct sq_span text) {
    struct seen seen = { 0 };
    seen.ok = sq_ui_xml_parse(text, &seen.tree, &seen.info, &seen.err);
    T(seen.ok == (seen.err.code == SQ_ERR_NONE));
    return seen;
}

static struct seen
parse(const char *text) {
    return parse_span(sq_span_of(text));
}

static void
close_tree(struct seen *seen) {
    sq_tree_finish(&seen->tree);
}

static const struct sq_node *
node_at(const struct seen *seen, int index) {
    const struct sq_node *node = seen->tree.root;
    while (node && node->index != index) {
        node = sq_node_after(node);
    }
    return node;
}

#define T_SPAN(got, want)                                                      \
    T_BYTES((got).ptr ? (got).ptr : "", (got).len, want, strlen(want))

/* One node with these attributes. */
#define ONE(attributes)                                                        \
    XML_HEAD "<hierarchy rotation=\"0\"><node " attributes " /></hierarchy>"

static const char native[] = XML_HEAD
    "<hierarchy rotation=\"1\">"
    "<node index=\"0\" text=\"\" resource-id=\"\" "
    "class=\"android.widget.FrameLayout\" package=\"com.example\" "
    "content-desc=\"\" checkable=\"false\" checked=\"false\" "
    "clickable=\"false\" enabled=\"true\" focusable=\"false\" "
    "focused=\"false\" scrollable=\"false\" long-clickable=\"false\" "
    "password=\"false\" selected=\"false\" bounds=\"[0,0][2400,1080]\">"
    "<node NAF=\"true\" index=\"0\" text=\"\" "
    "resource-id=\"com.example:id/menu\" class=\"android.widget.ImageButton\" "
    "package=\"com.example\" content-desc=\"\" checkable=\"true\" "
    "checked=\"true\" clickable=\"true\" enabled=\"false\" "
    "focusable=\"true\" focused=\"true\" scrollable=\"true\" "
    "long-clickable=\"true\" password=\"true\" selected=\"true\" "
    "bounds=\"[10,20][110,120]\" drawing-order=\"3\" hint=\"Search\" "
    "display-id=\"0\" />"
    "<node index=\"3\" text=\"OK\" class=\"android.widget.Button\" "
    "content-desc=\"Confirm\" bounds=\"[0,900][200,1080]\"/></node>"
    "<node index=\"1\" text=\"second root\" /></hierarchy>";

T_CASE(parses_dumps_of_uiautomator) {
    struct seen seen = parse(native);
    T_OK(seen.ok, &seen.err);
    T_INT(seen.tree.count, 4);
    T_INT(seen.info.rotation, 1);
    T_INT(seen.info.unlabelled, 1);
    const struct sq_node *root = node_at(&seen, 0);
    const struct sq_node *menu = node_at(&seen, 1);
    const struct sq_node *button = node_at(&seen, 2);
    const struct sq_node *second = node_at(&seen, 3);
    if (!T(root && menu && button && second)) {
        close_tree(&seen);
        return;
    }
    T_SPAN(root->class_name, "android.widget.FrameLayout");
    T_SPAN(root->package, "com.example");
    T(root->text.len == 0 && !root->parent && root->depth == 0);
    T_INT(root->flags, SQ_NODE_ENABLED);
    T_INT(root->bounds.right, 2400);
    T_SPAN(menu->resource_id, "com.example:id/menu");
    T_SPAN(menu->hint, "Search");
    T(menu->parent == root && root->first_child == menu && menu->depth == 1);
    T_INT(menu->flags,
          SQ_NODE_CLICKABLE | SQ_NODE_LONG_CLICKABLE | SQ_NODE_FOCUSABLE
              | SQ_NODE_FOCUSED | SQ_NODE_SCROLLABLE | SQ_NODE_CHECKABLE
              | SQ_NODE_CHECKED | SQ_NODE_SELECTED | SQ_NODE_PASSWORD);
    T_INT(menu->bounds.left, 10);
    T_INT(menu->bounds.top, 20);
    T_INT(menu->bounds.right, 110);
    T_INT(menu->bounds.bottom, 120);
    T(menu->next == button && button->parent == root && !button->next);
    T_SPAN(button->text, "OK");
    T_SPAN(button->desc, "Confirm");
    T(root->next == second && second->depth == 0 && !second->parent);
    close_tree(&seen);
}

T_CASE(parses_dumps_of_appium) {
    struct seen seen = parse(
        XML_HEAD "\n<hierarchy index=\"0\" class=\"hierarchy\" rotation=\"3\" "
                 "width=\"1920\" height=\"957\">\n"
                 "  <android.widget.FrameLayout package=\"a.b\" "
                 "class=\"android.widget.FrameLayout\" "
                 "bounds=\"[640,79][1898,957]\" displayed=\"true\">\n"
                 "    <a.b.Outer.Inner class=\"a.b.Outer$Inner\" />\n"
                 "    <a.b.Bare text=\"x\" />\n"
                 "  </android.widget.FrameLayout>\n</hierarchy>\n");
    T_OK(seen.ok, &seen.err);
    T_INT(seen.tree.count, 3);
    T_INT(seen.info.rotation, 3);
    static const char *const classes[] = { "android.widget.FrameLayout",
                                           "a.b.Outer$Inner", "a.b.Bare" };
    for (int i = 0; i < 3; i++) {
        const struct sq_node *node = node_at(&seen, i);
        if (T(node != NULL)) {
            T_SPAN(node->class_name, classes[i]);
        }
    }
    close_tree(&seen);
}

T_CASE(uses_windows_of_the_first_display) {
    struct seen seen = parse(
        XML_HEAD "<displays><display id=\"0\">"
                 "<window index=\"0\" title=\"Dialog\" bounds=\"[0,0][9,9]\" "
                 "type=\"TYPE_APPLICATION\">"
                 "<window index=\"0\" title=\"child\"><hierarchy "
                 "rotation=\"2\"><node text=\"a\"/></hierarchy></window>"
                 "<hierarchy rotation=\"2\"><node text=\"b\"><node "
                 "text=\"c\"/></node></hierarchy></window>"
                 "<window index=\"1\" title=\"no root\" />"
                 "<window index=\"2\"><hierarchy rotation=\"2\"><node "
                 "text=\"d\"/></hierarchy></window></display>"
                 "<display id=\"2\"><window><hierarchy rotation=\"1\"><node "
                 "text=\"elsewhere\"><display/></node></hierarchy></window>"
                 "</display></displays>");
    T_OK(seen.ok, &seen.err);
    T_INT(seen.info.rotation, 2);
    T_INT(seen.tree.count, 4);
    static const char *const texts[] = { "a", "b", "c", "d" };
    static const int depths[] = { 0, 0, 1, 0 };
    const struct sq_node *node = seen.tree.root;
    for (size_t i = 0; i < SQ_COUNT(texts) && T(node != NULL); i++) {
        T_SPAN(node->text, texts[i]);
        T_INT(node->depth, depths[i]);
        T_INT(node->index, i);
        node = sq_node_after(node);
    }
    T(node == NULL);
    close_tree(&seen);
}

T_CASE(hierarchy_may_be_empty) {
    static const char *const texts[] = {
        "<hierarchy rotation=\"0\"/>",
        "<hierarchy rotation=\"0\"></hierarchy>",
        "<displays></displays>",
        "<displays><display id=\"0\"><window/></display></displays>",
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        struct seen seen = parse(texts[i]);
        T_OK(seen.ok, &seen.err);
        T(seen.tree.root == NULL && seen.tree.count == 0);
        T_INT(seen.info.rotation, i < 2 ? 0 : -1);
        close_tree(&seen);
    }
}

T_CASE(text_around_the_document_is_skipped) {
    static const char *const texts[] = {
        XML_HEAD "<hierarchy><node text=\"x\"/></hierarchy>UI hierchary dumped "
                 "to: /dev/tty\n",
        "UI hierchary dumped to: /sdcard/window_dump.xml\r\n" XML_HEAD
        "<hierarchy><node text=\"x\"/></hierarchy>\r\n",
        "\xef\xbb\xbf" XML_HEAD "<hierarchy><node text=\"x\"/></hierarchy>",
        "WARNING: linker: a < b <unused>\n<hierarchy><node text=\"x\"/>"
        "</hierarchy> <hierarchy><node/></hierarchy> & <",
        "<displays><display><window><hierarchy><node text=\"x\"/></hierarchy>"
        "</window></display></displays>\0",
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        struct seen seen = parse(texts[i]);
        T_OK(seen.ok, &seen.err);
        if (T_INT(seen.tree.count, 1)) {
            T_SPAN(seen.tree.root->text, "x");
        }
        close_tree(&seen);
    }
}

/* In the file, and in the tree. */
static const char *const texts[][2] = {
    { "a &amp; b &lt;c&gt; &quot;d&quot; &apos;e&apos;",
      "a & b <c> \"d\" 'e'" },
    { "one&#10;two&#13;three&#9;four", "one\ntwo\rthree\tfour" },
    { "one\ntwo\tthree", "one two three" },
    { "22\xc2\xb0 \xea\xb0\x80", "22\xc2\xb0 \xea\xb0\x80" },
    { "&#128512;&#x1F600;\xf0\x9f\x98\x80",
      "\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80" },
    { "&#55357;&#56832;", "\xf0\x9f\x98\x80" },
    { "&#xD83D;&#xde00;", "\xf0\x9f\x98\x80" },
    { "a&#55357;b", "a\xef\xbf\xbd"
                    "b" },
    { "a\xff"
      "b",
      "a\xef\xbf\xbd"
      "b" },
    { "a\x01"
      "b&#0;",
      "a\xef\xbf\xbd"
      "b\xef\xbf\xbd" },
    { "&amp;#55357;", "&#55357;" },
};

T_CASE(decodes_text) {
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        struct seen seen = parse(
            t_text("<hierarchy><node text=\"%s\"/></hierarchy>", texts[i][0]));
        T_OK(seen.ok, &seen.err);
        if (seen.tree.root) {
            T_SPAN(seen.tree.root->text, texts[i][1]);
        }
        close_tree(&seen);
    }
}

static const struct {
    const char *text;
    struct sq_dev_rect want;
} bounds[] = {
    { "[0,0][1080,2400]", { 0, 0, 1080, 2400 } },
    { "[-40,-120][200,60]", { -40, -120, 200, 60 } },
    { "[5,5][5,5]", { 5, 5, 5, 5 } },
    { "[0,2400][1080,2361]", { 0, 2400, 1080, 2400 } },
    { "[9,8][7,6]", { 9, 8, 9, 8 } },
    { "[-99999999999,0][99999999999,1]", { -(1 << 24), 0, 1 << 24, 1 } },
    { "[1,2][3,999999999999999999999]", { 0 } },
    { "[1,2][3]", { 0 } },
    { "[1.5,2][3,4]", { 0 } },
    { "", { 0 } },
};

T_CASE(bounds_are_parsed) {
    for (size_t i = 0; i < SQ_COUNT(bounds); i++) {
        char document[200];
        snprintf(document, sizeof(document),
                 "<hierarchy><node bounds=\"%s\"/></hierarchy>",
                 bounds[i].text);
        struct seen seen = parse(document);
        T_OK(seen.ok, &seen.err);
        if (seen.tree.root) {
            T_BYTES(&seen.tree.root->bounds, sizeof(struct sq_dev_rect),
                    &bounds[i].want, sizeof(struct sq_dev_rect));
        }
        close_tree(&seen);
    }
}

static const struct {
    const char *document;
    const char *text;
    const char *hint;
    unsigned flags;
} fields[] = {
    { ONE("text=\"me\" hint=\"Name\" class=\"android.widget.EditText\""), "me",
      "Name", SQ_NODE_EDITABLE },
    { ONE("text=\"Name\" hint=\"Name\" class=\"android.widget.EditText\""), "",
      "Name", SQ_NODE_EDITABLE },
    { ONE("text=\"Name\" showing-hint=\"true\" class=\"x.EditText\""), "",
      "Name", SQ_NODE_EDITABLE },
    { ONE("text=\"a\" hint=\"b\" showing-hint=\"true\""), "", "b", 0 },
    { ONE("text=\"Same\" hint=\"Same\" class=\"android.widget.TextView\""),
      "Same", "Same", 0 },
    { ONE("class=\"android.widget.MultiAutoCompleteTextView\""), "", "",
      SQ_NODE_EDITABLE },
    { ONE("class=\"x.Custom\" editable=\"true\""), "", "", SQ_NODE_EDITABLE },
    { ONE("text=\"&#8226;&#8226;\" password=\"true\" class=\"EditText\""),
      "\xe2\x80\xa2\xe2\x80\xa2", "", SQ_NODE_EDITABLE | SQ_NODE_PASSWORD },
};

T_CASE(text_and_hint_are_distinguished) {
    for (size_t i = 0; i < SQ_COUNT(fields); i++) {
        struct seen seen = parse(fields[i].document);
        T_OK(seen.ok, &seen.err);
        if (seen.tree.root) {
            T_SPAN(seen.tree.root->text, fields[i].text);
            T_SPAN(seen.tree.root->hint, fields[i].hint);
            T_INT(seen.tree.root->flags, fields[i].flags);
        }
        close_tree(&seen);
    }
}

T_CASE(rotation_is_0_to_3_or_unknown) {
    static const struct {
        const char *text;
        int want;
    } rotations[] = {
        { "<hierarchy rotation=\"0\"/>", 0 },
        { "<hierarchy rotation=\"3\"/>", 3 },
        { "<hierarchy rotation=\"4\"/>", -1 },
        { "<hierarchy rotation=\"-1\"/>", -1 },
        { "<hierarchy rotation=\"x\"/>", -1 },
        { "<hierarchy/>", -1 },
    };
    for (size_t i = 0; i < SQ_COUNT(rotations); i++) {
        struct seen seen = parse(rotations[i].text);
        T_OK(seen.ok, &seen.err);
        T_INT(seen.info.rotation, rotations[i].want);
        close_tree(&seen);
    }
}

T_CASE(info_is_optional) {
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    T_OK(sq_ui_xml_parse(SQ_SPAN("<hierarchy><node/></hierarchy>"), &tree, NULL,
                         &t_err));
    T_INT(tree.count, 1);
}
