/* The program uiautomator, which dumps the elements of the screen as XML. */
#include "demo/adbd/program.h"
#include "util/utf8.h"

#define DEFAULT_FILE "/sdcard/window_dump.xml"
#define NULL_ROOT "ERROR: null root node returned by UiTestAutomationBridge.\n"
#define KILLED 137

#define TEXT(name) .text = offsetof(struct sq_node, name), .is_text = true

/* In the order of uiautomator: texts of the node, then its flags. */
static const struct {
    const char *name;
    enum sq_node_flag flag;
    bool is_text;
    size_t text; /* where it is in the node */
} attributes[] = {
    { "text", TEXT(text) },
    { "resource-id", TEXT(resource_id) },
    { "class", TEXT(class_name) },
    { "package", TEXT(package) },
    { "content-desc", TEXT(desc) },
    { "checkable", .flag = SQ_NODE_CHECKABLE },
    { "checked", .flag = SQ_NODE_CHECKED },
    { "clickable", .flag = SQ_NODE_CLICKABLE },
    { "enabled", .flag = SQ_NODE_ENABLED },
    { "focusable", .flag = SQ_NODE_FOCUSABLE },
    { "focused", .flag = SQ_NODE_FOCUSED },
    { "scrollable", .flag = SQ_NODE_SCROLLABLE },
    { "long-clickable", .flag = SQ_NODE_LONG_CLICKABLE },
    { "password", .flag = SQ_NODE_PASSWORD },
    { "selected", .flag = SQ_NODE_SELECTED },
};

/* Characters that XML forbids are written as a dot, as uiautomator does. */
static void
put_escaped(struct sq_adbd_call *call, struct sq_span text) {
    while (text.len > 0) {
        uint32_t code = 0;
        size_t len = sq_utf8_decode(text, &code);
        static const char *const entities[] = {
            ['&'] = "&amp;",  ['<'] = "&lt;",   ['>'] = "&gt;",
            ['"'] = "&quot;", ['\n'] = "&#10;", ['\r'] = "&#13;",
            ['\t'] = "&#9;",
        };
        const char *entity = code < SQ_COUNT(entities) ? entities[code] : NULL;
        bool is_invalid =
            len == 0 || code < ' ' || code == 0xfffe || code == 0xffff;
        len = len ? len : 1;
        sq_adbd_put(call, entity       ? sq_span_of(entity)
                          : is_invalid ? SQ_SPAN(".")
                                       : (struct sq_span){ text.ptr, len });
        sq_span_skip(&text, len);
    }
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
    while (node && node != end && !node->text.len && !node->desc.len) {
        node = sq_node_after(node);
    }
    return node == end;
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

static void
put_node(struct sq_adbd_call *call, const struct sq_node *node) {
    struct sq_dev_rect at = node->bounds;
    int index = index_in_parent(node);
    sq_adbd_print(call, "<node%s index=\"%d\"",
                  is_not_accessible(node) ? " NAF=\"true\"" : "", index);
    for (size_t i = 0; i < SQ_COUNT(attributes); i++) {
        bool is_set = node->flags & attributes[i].flag;
        const void *text = (const char *)node + attributes[i].text;
        sq_adbd_print(call, " %s=\"", attributes[i].name);
        put_escaped(call, attributes[i].is_text ? *(const struct sq_span *)text
                          : is_set              ? SQ_SPAN("true")
                                                : SQ_SPAN("false"));
        sq_adbd_put(call, SQ_SPAN("\""));
    }
    sq_adbd_print(call,
                  " bounds=\"[%d,%d][%d,%d]\" drawing-order=\"%d\" hint=\"",
                  at.left, at.top, at.right, at.bottom, index);
    put_escaped(call, node->hint);
    sq_adbd_print(call, "\" display-id=\"0\"%s",
                  node->first_child ? ">" : " />");
    /* The end tags of all ancestors that end with this node. */
    bool is_last = !node->first_child;
    while (is_last && !node->next && node->parent) {
        node = node->parent;
        sq_adbd_put(call, SQ_SPAN("</node>"));
    }
}

static void
write_document(struct sq_adbd_call *call, const struct sq_tree *tree,
               const char *path) {
    struct sq_buf *out = call->out;
    bool is_stdout = strcmp(path, "/dev/tty") == 0
                  || strcmp(path, "/dev/stdout") == 0
                  || strcmp(path, "/proc/self/fd/1") == 0;
    call->out = is_stdout
                  ? out
                  : sq_adbd_create_file(
                      call, path, "java.io.FileNotFoundException: ",
                      ": open failed: ENOENT (No such file or directory)\n"
                      "\tat libcore.io.IoBridge.open(IoBridge.java:574)");
    if (call->out) {
        sq_adbd_print(call,
                      "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
                      "<hierarchy rotation=\"%d\">",
                      call->phone->demo->landscape);
        for (const struct sq_node *node = tree->root; node;
             node = sq_node_after(node)) {
            put_node(call, node);
        }
        sq_adbd_put(call, SQ_SPAN("</hierarchy>"));
    }
    call->out = out;
    if (call->status == 0) {
        sq_adbd_print(call, "UI hierchary dumped to: %s\n", path);
    }
}

/* Simulates failures. Returns whether a fault has produced the output. */
static bool
inject_fault(struct sq_adbd_call *call) {
    struct sq_adbd_faults *faults = &call->phone->faults;
    if (sq_adbd_fault_spend(faults, SQ_ADBD_CRASH)) {
        call->status = KILLED;
    } else if (sq_adbd_fault_spend(faults, SQ_ADBD_IDLE)) {
        sq_adbd_fail(call, 0, "ERROR: could not get idle state.\n");
    } else if (sq_adbd_fault_spend(faults, SQ_ADBD_NULL_ROOT)) {
        sq_adbd_fail(call, 0, NULL_ROOT);
    } else {
        return false;
    }
    return true;
}

static void
run_uiautomator(struct sq_adbd_call *call) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_deadline deadline = { .at_ns = INT64_MAX };
    const char *path = DEFAULT_FILE;
    if (!sq_adbd_arg_is(call, 1, "dump")) {
        sq_adbd_fail(call, 1,
                     "Usage: uiautomator <subcommand> [options]\n\n"
                     "Available subcommands:\n"
                     "help: displays help message\n"
                     "dump: creates an XML dump of current UI hierarchy\n");
        return;
    }
    for (int i = 2; i < call->argc; i++) {
        path = call->argv[i][0] == '-' ? path : call->argv[i];
    }
    if (inject_fault(call)
        || !sq_adbd_check(call,
                          sq_device_tree(sq_adbd_phone_device(call->phone),
                                         &tree, &deadline, call->err))) {
        return;
    }
    if (tree.root) {
        write_document(call, &tree, path);
    } else {
        sq_adbd_fail(call, 0, NULL_ROOT);
    }
}

const struct sq_adbd_program sq_adbd_uiautomator_programs[] = {
    { "uiautomator", run_uiautomator, SQ_ADBD_PROGRAM },
    { 0 },
};
