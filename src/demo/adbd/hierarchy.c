/* Writes an accessibility tree as XML in uiautomator's format. */
#include "demo/adbd/hierarchy.h"

#include "util/utf8.h"

/* Attribute values, in the order of uiautomator: texts or flags of the node. */
static struct sq_span
text_of(const struct sq_node *node) {
    return node->text;
}

static struct sq_span
id_of(const struct sq_node *node) {
    return node->resource_id;
}

static struct sq_span
class_of(const struct sq_node *node) {
    return node->class_name;
}

static struct sq_span
package_of(const struct sq_node *node) {
    return node->package;
}

static struct sq_span
desc_of(const struct sq_node *node) {
    return node->desc;
}

static const struct {
    const char *name;
    struct sq_span (*text)(const struct sq_node *node);
    enum sq_node_flag flag;
} attributes[] = {
    { .name = "text", .text = text_of },
    { .name = "resource-id", .text = id_of },
    { .name = "class", .text = class_of },
    { .name = "package", .text = package_of },
    { .name = "content-desc", .text = desc_of },
    { .name = "checkable", .flag = SQ_NODE_CHECKABLE },
    { .name = "checked", .flag = SQ_NODE_CHECKED },
    { .name = "clickable", .flag = SQ_NODE_CLICKABLE },
    { .name = "enabled", .flag = SQ_NODE_ENABLED },
    { .name = "focusable", .flag = SQ_NODE_FOCUSABLE },
    { .name = "focused", .flag = SQ_NODE_FOCUSED },
    { .name = "scrollable", .flag = SQ_NODE_SCROLLABLE },
    { .name = "long-clickable", .flag = SQ_NODE_LONG_CLICKABLE },
    { .name = "password", .flag = SQ_NODE_PASSWORD },
    { .name = "selected", .flag = SQ_NODE_SELECTED },
};
#define ATTRIBUTES (sizeof(attributes) / sizeof(attributes[0]))

struct writer {
    struct sq_buf *out;
    struct sq_err *err;
};

static bool
put(const struct writer *to, struct sq_span text) {
    return sq_buf_append(to->out, text.ptr, text.len, to->err);
}

static const char *
entity_of(uint32_t code) {
    switch (code) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\n':
        return "&#10;";
    case '\r':
        return "&#13;";
    case '\t':
        return "&#9;";
    default:
        return NULL;
    }
}

/* Characters that XML forbids are written as a dot, as uiautomator does. */
static bool
is_invalid(uint32_t code) {
    return code < ' ' || code == 0xfffe || code == 0xffff;
}

static bool
put_escaped(const struct writer *to, struct sq_span text) {
    bool ok = true;
    while (ok && text.len > 0) {
        uint32_t code = 0;
        size_t len = sq_utf8_decode(text, &code);
        const char *entity = entity_of(code);
        if (len == 0 || (is_invalid(code) && !entity)) {
            ok = put(to, SQ_SPAN("."));
            len = len ? len : 1;
        } else {
            ok = put(to, entity ? sq_span_of(entity)
                                : (struct sq_span){ text.ptr, len });
        }
        text.ptr += len;
        text.len -= len;
    }
    return ok;
}

/* Returns whether the node is clickable but has no description (NAF). */
static bool
is_not_accessible(const struct sq_node *node) {
    unsigned both = SQ_NODE_CLICKABLE | SQ_NODE_ENABLED;
    const struct sq_node *end = node;
    if ((node->flags & both) != both) {
        return false;
    }
    while (end && !end->next) {
        end = end->parent;
    }
    end = end ? end->next : NULL;
    for (const struct sq_node *inner = node; inner && inner != end;
         inner = sq_node_after(inner)) {
        if (inner->text.len || inner->desc.len) {
            return false;
        }
    }
    return true;
}

static int
index_in_parent(const struct sq_node *node) {
    int index = 0;
    const struct sq_node *one = node->parent ? node->parent->first_child : node;
    while (one && one != node) {
        one = one->next;
        index++;
    }
    return index;
}

static bool
put_attributes(const struct writer *to, const struct sq_node *node) {
    bool ok = true;
    for (size_t i = 0; ok && i < ATTRIBUTES; i++) {
        struct sq_span value = node->flags & attributes[i].flag
                                 ? SQ_SPAN("true")
                                 : SQ_SPAN("false");
        if (attributes[i].text) {
            value = attributes[i].text(node);
        }
        ok = sq_buf_printf(to->out, to->err, " %s=\"", attributes[i].name)
          && put_escaped(to, value) && put(to, SQ_SPAN("\""));
    }
    return ok;
}

static bool
put_start(const struct writer *to, const struct sq_node *node) {
    struct sq_dev_rect at = node->bounds;
    int index = index_in_parent(node);
    return put(to, SQ_SPAN("<node"))
        && (!is_not_accessible(node) || put(to, SQ_SPAN(" NAF=\"true\"")))
        && sq_buf_printf(to->out, to->err, " index=\"%d\"", index)
        && put_attributes(to, node)
        && sq_buf_printf(to->out, to->err,
                         " bounds=\"[%d,%d][%d,%d]\" drawing-order=\"%d\""
                         " hint=\"",
                         at.left, at.top, at.right, at.bottom, index)
        && put_escaped(to, node->hint)
        && put(to, node->first_child ? SQ_SPAN("\" display-id=\"0\">")
                                     : SQ_SPAN("\" display-id=\"0\" />"));
}

/* Writes the end tags of all ancestors that end with this node. */
static bool
put_ends(const struct writer *to, const struct sq_node *node) {
    bool ok = true;
    if (node->first_child) {
        return true;
    }
    while (ok && !node->next && node->parent) {
        node = node->parent;
        ok = put(to, SQ_SPAN("</node>"));
    }
    return ok;
}

bool
sq_adbd_hierarchy_put(const struct sq_tree *tree, int rotation,
                      struct sq_buf *out, struct sq_err *err) {
    struct writer to = { out, err };
    bool ok = sq_buf_printf(out, err,
                            "<?xml version='1.0' encoding='UTF-8' "
                            "standalone='yes' ?><hierarchy rotation=\"%d\">",
                            rotation);
    for (const struct sq_node *node = tree->root; ok && node;
         node = sq_node_after(node)) {
        ok = put_start(&to, node) && put_ends(&to, node);
    }
    return ok && put(&to, SQ_SPAN("</hierarchy>"));
}
