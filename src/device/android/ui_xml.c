#include "device/android/ui_xml.h"

#include <assert.h>
#include <expat.h>
#include <limits.h>
#include <string.h>

#include "device/android/xml_repair.h"
#include "util/limits.h"
#include "util/mem.h"

#define MAX_REPAIRED_BYTES (SQ_XML_REPAIR_GROWTH * SQ_MAX_UI_XML_BYTES)
#define MAX_TREE_MEMORY (2 * MAX_REPAIRED_BYTES)

/* Far outside any screen, yet sums and differences stay within an int. */
#define MAX_COORDINATE (1 << 24)

static_assert(MAX_REPAIRED_BYTES <= INT_MAX, "expat counts in int");

/* One pass over a document. */
struct reader {
    XML_Parser parser;
    struct sq_tree tree;
    struct sq_ui_xml_info info;
    struct sq_err *err;
    int open;              /* elements that are open */
    int hierarchy_at;      /* of these, up to the open hierarchy; 0: none */
    int displays;          /* seen so far */
    struct sq_node *inner; /* the innermost open node */
    struct sq_node *last[SQ_MAX_TREE_DEPTH]; /* child, by depth */
    size_t next_attribute; /* where the next one is looked for first */
    bool complete;
    bool failed;
};

/* Classes that take text, whatever package they come from. */
static const char *const field_classes[] = {
    "EditText",
    "AutoCompleteTextView",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void *
expat_alloc(size_t size) {
    return sq_mem_alloc(1, size);
}

static const XML_Memory_Handling_Suite expat_memory = {
    expat_alloc,
    sq_mem_resize,
    sq_mem_free,
};

/* Expat may call once more after it was told to stop. */
static void
stop(struct reader *reader) {
    XML_StopParser(reader->parser, XML_FALSE);
}

/* The error is recorded already. */
static void
give_up(struct reader *reader) {
    reader->failed = true;
    stop(reader);
}

static bool
is_true(const char *value) {
    return strcmp(value, "true") == 0;
}

static bool
take_coordinate(struct sq_span *rest, int *out) {
    int64_t value;
    if (!sq_span_take_int64(rest, &value)) {
        return false;
    }
    value = value < -MAX_COORDINATE ? -MAX_COORDINATE : value;
    *out = (int)(value > MAX_COORDINATE ? MAX_COORDINATE : value);
    return true;
}

/* "[left,top][right,bottom]"; what is cut off entirely may be inside out. */
static struct sq_dev_rect
parse_bounds(struct sq_span text) {
    struct sq_dev_rect rect;
    bool ok =
        sq_span_take_prefix(&text, "[") && take_coordinate(&text, &rect.left)
        && sq_span_take_prefix(&text, ",") && take_coordinate(&text, &rect.top)
        && sq_span_take_prefix(&text, "][")
        && take_coordinate(&text, &rect.right)
        && sq_span_take_prefix(&text, ",")
        && take_coordinate(&text, &rect.bottom)
        && sq_span_take_prefix(&text, "]");
    if (!ok) {
        return (struct sq_dev_rect){ 0 };
    }
    rect.right = rect.right < rect.left ? rect.left : rect.right;
    rect.bottom = rect.bottom < rect.top ? rect.top : rect.bottom;
    return rect;
}

/* A node whose attributes are being read. */
struct reading {
    struct sq_node *node;
    bool showing_hint;
    int unlabelled;
};

struct attribute {
    const char *name;
    void (*set)(struct reading *reading, const struct attribute *attribute,
                const char *value);
    size_t offset; /* of a text, in the node */
    unsigned flag;
};

static struct sq_span *
text_field(struct sq_node *node, const struct attribute *attribute) {
    return (struct sq_span *)(void *)((char *)node + attribute->offset);
}

static void
set_text(struct reading *reading, const struct attribute *attribute,
         const char *value) {
    *text_field(reading->node, attribute) = sq_span_of(value);
}

static void
set_flag(struct reading *reading, const struct attribute *attribute,
         const char *value) {
    reading->node->flags |= is_true(value) ? attribute->flag : 0;
}

static void
set_bounds(struct reading *reading, const struct attribute *attribute,
           const char *value) {
    (void)attribute;
    reading->node->bounds = parse_bounds(sq_span_of(value));
}

static void
set_showing_hint(struct reading *reading, const struct attribute *attribute,
                 const char *value) {
    (void)attribute;
    reading->showing_hint = is_true(value);
}

static void
set_unlabelled(struct reading *reading, const struct attribute *attribute,
               const char *value) {
    (void)attribute;
    reading->unlabelled = is_true(value);
}

#define TEXT(name, field)                                                      \
    { (name), set_text, offsetof(struct sq_node, field), 0 }
#define FLAG(name, flag)                                                       \
    { (name), set_flag, 0, (flag) }

/* In the order in which Android writes them; some say nothing to us. */
static const struct attribute known_attributes[] = {
    { "NAF", set_unlabelled, 0, 0 },
    { "index", NULL, 0, 0 },
    TEXT("text", text),
    TEXT("resource-id", resource_id),
    TEXT("class", class_name),
    TEXT("package", package),
    TEXT("content-desc", desc),
    FLAG("checkable", SQ_NODE_CHECKABLE),
    FLAG("checked", SQ_NODE_CHECKED),
    FLAG("clickable", SQ_NODE_CLICKABLE),
    FLAG("enabled", SQ_NODE_ENABLED),
    FLAG("focusable", SQ_NODE_FOCUSABLE),
    FLAG("focused", SQ_NODE_FOCUSED),
    FLAG("scrollable", SQ_NODE_SCROLLABLE),
    FLAG("long-clickable", SQ_NODE_LONG_CLICKABLE),
    FLAG("password", SQ_NODE_PASSWORD),
    FLAG("selected", SQ_NODE_SELECTED),
    FLAG("editable", SQ_NODE_EDITABLE),
    { "visible-to-user", NULL, 0, 0 },
    { "bounds", set_bounds, 0, 0 },
    { "drawing-order", NULL, 0, 0 },
    TEXT("hint", hint),
    { "display-id", NULL, 0, 0 },
    { "showing-hint", set_showing_hint, 0, 0 },
};
#define ATTRIBUTES COUNT(known_attributes)

/* The one of that name, mostly the one behind the last; NULL: unknown. */
static const struct attribute *
find_attribute(struct reader *reader, const char *name) {
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        size_t at = (reader->next_attribute + i) % ATTRIBUTES;
        if (strcmp(name, known_attributes[at].name) == 0) {
            reader->next_attribute = at + 1;
            return &known_attributes[at];
        }
    }
    return NULL;
}

static bool
ends_with(struct sq_span text, const char *end) {
    size_t len = strlen(end);
    return text.len >= len && memcmp(text.ptr + text.len - len, end, len) == 0;
}

static bool
is_field(const struct sq_node *node) {
    for (size_t i = 0; i < COUNT(field_classes); i++) {
        if (ends_with(node->class_name, field_classes[i])) {
            return true;
        }
    }
    return false;
}

/* An empty field shows its hint, and Android calls that its text. */
static void
untangle_hint(struct sq_node *node, bool showing_hint) {
    bool same = node->flags & SQ_NODE_EDITABLE && node->hint.len > 0
             && sq_span_equal(node->text, node->hint);
    if (showing_hint && node->hint.len == 0) {
        node->hint = node->text;
    }
    if (showing_hint || same) {
        node->text = (struct sq_span){ 0 };
    }
}

/* Spans point into expat's memory, which lives as long as its callback. */
static void
read_attributes(struct reader *reader, const char *element,
                const char **attributes, struct sq_node *node) {
    struct reading reading = { .node = node };
    for (; attributes[0]; attributes += 2) {
        const struct attribute *known = find_attribute(reader, attributes[0]);
        if (known && known->set) {
            known->set(&reading, known, attributes[1]);
        }
    }
    reader->info.unlabelled += reading.unlabelled;
    if (node->class_name.len == 0 && strcmp(element, "node") != 0) {
        node->class_name = sq_span_of(element);
    }
    if (is_field(node)) {
        node->flags |= SQ_NODE_EDITABLE;
    }
    untangle_hint(node, reading.showing_hint);
}

/* Move the node's text into the arena, in one piece. */
static bool
keep_text(struct sq_arena *arena, struct sq_node *node, struct sq_err *err) {
    struct sq_span *const texts[] = { &node->text,       &node->resource_id,
                                      &node->class_name, &node->package,
                                      &node->desc,       &node->hint };
    size_t total = 0;
    for (size_t i = 0; i < COUNT(texts); i++) {
        total += texts[i]->len;
    }
    char *copy = total ? sq_arena_alloc(arena, total, 1, err) : NULL;
    if (total && !copy) {
        return false;
    }
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct sq_span *text = texts[i];
        if (text->len == 0) {
            *text = (struct sq_span){ 0 };
            continue;
        }
        memcpy(copy, text->ptr, text->len);
        text->ptr = copy;
        copy += text->len;
    }
    return true;
}

static void
link_node(struct reader *reader, struct sq_node *node) {
    struct sq_node *sibling = reader->last[node->depth];
    if (sibling) {
        sibling->next = node;
    } else if (node->parent) {
        node->parent->first_child = node;
    } else {
        reader->tree.root = node;
    }
    reader->last[node->depth] = node;
    if (node->depth + 1 < SQ_MAX_TREE_DEPTH) {
        reader->last[node->depth + 1] = NULL;
    }
    reader->inner = node;
}

static bool
add_node(struct reader *reader, const char *element, const char **attributes) {
    if (reader->tree.count == SQ_MAX_TREE_NODES) {
        return sq_fail(reader->err, SQ_ERR_LIMIT,
                       "the UI hierarchy has more than %d nodes",
                       SQ_MAX_TREE_NODES);
    }
    struct sq_node node = {
        .index = reader->tree.count,
        .depth = reader->inner ? reader->inner->depth + 1 : 0,
        .parent = reader->inner,
    };
    read_attributes(reader, element, attributes, &node);
    struct sq_node *kept =
        sq_arena_alloc(&reader->tree.arena, 1, sizeof(*kept), reader->err);
    if (!kept || !keep_text(&reader->tree.arena, &node, reader->err)) {
        return false;
    }
    *kept = node;
    link_node(reader, kept);
    reader->tree.count++;
    return true;
}

static void
read_rotation(struct reader *reader, const char **attributes) {
    for (; attributes[0]; attributes += 2) {
        int64_t turns;
        if (strcmp(attributes[0], "rotation") == 0
            && sq_span_to_int64(sq_span_of(attributes[1]), &turns) && turns >= 0
            && turns <= 3 && reader->info.rotation < 0) {
            reader->info.rotation = (int)turns;
        }
    }
}

/* An element around the nodes; others than these say nothing to us. */
static bool
open_frame(struct reader *reader, const char *name, const char **attributes) {
    bool hierarchy = strcmp(name, "hierarchy") == 0;
    if (reader->open == 0 && !hierarchy && strcmp(name, "displays") != 0) {
        return sq_fail(reader->err, SQ_ERR_FORMAT,
                       "not a UI hierarchy: it begins with <%.40s>", name);
    }
    reader->displays += strcmp(name, "display") == 0;
    if (hierarchy && reader->displays <= 1) {
        reader->hierarchy_at = reader->open + 1;
        read_rotation(reader, attributes);
    }
    return true;
}

static bool
open_element(struct reader *reader, const char *name, const char **attributes) {
    if (reader->open == SQ_MAX_TREE_DEPTH) {
        return sq_fail(reader->err, SQ_ERR_LIMIT,
                       "the UI hierarchy is nested more than %d deep",
                       SQ_MAX_TREE_DEPTH);
    }
    bool ok = reader->hierarchy_at > 0 ? add_node(reader, name, attributes)
                                       : open_frame(reader, name, attributes);
    reader->open++;
    return ok;
}

static void XMLCALL
on_start(void *context, const char *name, const char **attributes) {
    struct reader *reader = context;
    if (!reader->failed && !open_element(reader, name, attributes)) {
        give_up(reader);
    }
}

static void XMLCALL
on_end(void *context, const char *name) {
    (void)name;
    struct reader *reader = context;
    if (reader->failed) {
        return;
    }
    if (reader->open == reader->hierarchy_at) {
        reader->hierarchy_at = 0;
    } else if (reader->hierarchy_at > 0) {
        reader->inner = reader->inner->parent;
    }
    reader->open--;
    if (reader->open == 0) {
        reader->complete = true;
        stop(reader);
    }
}

/* Entities could be declared there, and they could grow without end. */
static void XMLCALL
on_doctype(void *context, const char *name, const char *system_id,
           const char *public_id, int has_subset) {
    (void)name;
    (void)system_id;
    (void)public_id;
    (void)has_subset;
    struct reader *reader = context;
    sq_fail(reader->err, SQ_ERR_FORMAT,
            "not a UI hierarchy: it declares a document type");
    give_up(reader);
}

static bool
fail_truncated(size_t bytes, struct sq_err *err) {
    sq_fail(err, SQ_ERR_TRUNCATED,
            "the UI hierarchy breaks off after %zu bytes", bytes);
    return sq_fail_hint(err, "Try again; the device did not send all of it.");
}

/* Say what expat did not like. */
static bool
fail_parse(const struct reader *reader, struct sq_span text) {
    enum XML_Error code = XML_GetErrorCode(reader->parser);
    if (code == XML_ERROR_NO_MEMORY) {
        return sq_fail_nomem(reader->err);
    }
    if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN
        || code == XML_ERROR_UNCLOSED_CDATA_SECTION
        || code == XML_ERROR_PARTIAL_CHAR) {
        return fail_truncated(text.len, reader->err);
    }
    return sq_fail(reader->err, SQ_ERR_FORMAT,
                   "the UI hierarchy is broken XML: %s at line %lu, column %lu",
                   XML_ErrorString(code),
                   XML_GetCurrentLineNumber(reader->parser),
                   XML_GetCurrentColumnNumber(reader->parser) + 1);
}

static bool
read_document(struct reader *reader, struct sq_span text) {
    reader->parser = XML_ParserCreate_MM("UTF-8", &expat_memory, NULL);
    if (!reader->parser) {
        return sq_fail_nomem(reader->err);
    }
    XML_SetUserData(reader->parser, reader);
    XML_SetElementHandler(reader->parser, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(reader->parser, on_doctype);
    XML_Parse(reader->parser, text.ptr, (int)text.len, XML_TRUE);
    bool ok = reader->complete || (!reader->failed && fail_parse(reader, text));
    XML_ParserFree(reader->parser);
    return ok;
}

/* Step over what was printed before the document. */
static bool
find_document(struct sq_span *text) {
    static const char *const openings[] = { "<?xml", "<hierarchy",
                                            "<displays" };
    struct sq_span rest = *text;
    while (rest.len > 0) {
        const char *at = memchr(rest.ptr, '<', rest.len);
        if (!at) {
            return false;
        }
        rest = (struct sq_span){ at, rest.len - (size_t)(at - rest.ptr) };
        for (size_t i = 0; i < COUNT(openings); i++) {
            if (sq_span_starts_with(rest, openings[i])) {
                *text = rest;
                return true;
            }
        }
        rest = (struct sq_span){ at + 1, rest.len - 1 };
    }
    return false;
}

static bool
read_text(struct reader *reader, struct sq_span text) {
    if (text.len > SQ_MAX_UI_XML_BYTES) {
        return sq_fail(reader->err, SQ_ERR_LIMIT,
                       "the UI hierarchy has %zu bytes, more than %zu",
                       text.len, SQ_MAX_UI_XML_BYTES);
    }
    if (!find_document(&text)) {
        sq_fail(reader->err, SQ_ERR_FORMAT,
                "no UI hierarchy in the %zu bytes the device sent", text.len);
        return sq_fail_hint(reader->err, "Try again, or look at a screenshot.");
    }
    struct sq_buf scratch;
    struct sq_span repaired;
    sq_buf_init(&scratch, MAX_REPAIRED_BYTES);
    bool ok = sq_xml_repair(text, &scratch, &repaired, reader->err)
           && read_document(reader, repaired);
    sq_buf_finish(&scratch);
    return ok;
}

bool
sq_ui_xml_parse(struct sq_span text, struct sq_tree *out,
                struct sq_ui_xml_info *info, struct sq_err *err) {
    struct reader reader = { .info.rotation = -1, .err = err };
    sq_arena_init(&reader.tree.arena, MAX_TREE_MEMORY);
    if (!read_text(&reader, text)) {
        sq_tree_finish(&reader.tree);
        return false;
    }
    *out = reader.tree;
    if (info) {
        *info = reader.info;
    }
    return true;
}
