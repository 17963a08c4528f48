/* Builds the tree of a UI hierarchy. */
#include "device/android/ui_builder.h"

#include <string.h>

#include "device/android/xml_repair.h"

#define MAX_TREE_MEMORY (2 * SQ_XML_REPAIR_GROWTH * SQ_MAX_UI_XML_BYTES)

/* Far beyond any screen, but sums and differences still fit an int. */
#define MAX_COORDINATE (1 << 24)

/* Bytes of an unexpected element's name that are quoted in the error. */
#define MAX_QUOTED 40

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Class names of text fields, in any package. */
static const char *const field_classes[] = {
    "EditText",
    "AutoCompleteTextView",
};

/* Compares bytes; faster than sq_span_equal if most lengths differ. */
static inline bool
is_same(struct sq_span a, struct sq_span b) {
    return a.len == b.len && memcmp(a.ptr, b.ptr, a.len) == 0;
}

static bool
is_true(struct sq_span value) {
    return is_same(value, SQ_SPAN("true"));
}

static inline bool
take_byte(struct sq_span *rest, char byte) {
    if (rest->len == 0 || rest->ptr[0] != byte) {
        return false;
    }
    *rest = (struct sq_span){ rest->ptr + 1, rest->len - 1 };
    return true;
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

/*
 * Parses "[left,top][right,bottom]". The bounds of a node that is fully clipped
 * may be inverted.
 */
static struct sq_dev_rect
parse_bounds(struct sq_span text) {
    struct sq_dev_rect rect;
    bool ok = take_byte(&text, '[') && take_coordinate(&text, &rect.left)
           && take_byte(&text, ',') && take_coordinate(&text, &rect.top)
           && take_byte(&text, ']') && take_byte(&text, '[')
           && take_coordinate(&text, &rect.right) && take_byte(&text, ',')
           && take_coordinate(&text, &rect.bottom) && take_byte(&text, ']');
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
    struct sq_span name;
    void (*set)(struct reading *reading, const struct attribute *attribute,
                struct sq_span value);
    size_t offset; /* of the span in struct sq_node */
    unsigned flag;
};

static struct sq_span *
text_field(struct sq_node *node, const struct attribute *attribute) {
    return (struct sq_span *)(void *)((char *)node + attribute->offset);
}

static void
set_text(struct reading *reading, const struct attribute *attribute,
         struct sq_span value) {
    *text_field(reading->node, attribute) = value;
}

static void
set_flag(struct reading *reading, const struct attribute *attribute,
         struct sq_span value) {
    reading->node->flags |= is_true(value) ? attribute->flag : 0;
}

static void
set_bounds(struct reading *reading, const struct attribute *attribute,
           struct sq_span value) {
    (void)attribute;
    reading->node->bounds = parse_bounds(value);
}

static void
set_showing_hint(struct reading *reading, const struct attribute *attribute,
                 struct sq_span value) {
    (void)attribute;
    reading->showing_hint = is_true(value);
}

static void
set_unlabelled(struct reading *reading, const struct attribute *attribute,
               struct sq_span value) {
    (void)attribute;
    reading->unlabelled = is_true(value);
}

#define TEXT(name, field)                                                      \
    { SQ_SPAN_INIT(name), set_text, offsetof(struct sq_node, field), 0 }
#define FLAG(name, flag)                                                       \
    { SQ_SPAN_INIT(name), set_flag, 0, (flag) }

/* In the order in which Android writes them. Some are not used. */
static const struct attribute known_attributes[] = {
    { SQ_SPAN_INIT("NAF"), set_unlabelled, 0, 0 },
    { SQ_SPAN_INIT("index"), NULL, 0, 0 },
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
    { SQ_SPAN_INIT("visible-to-user"), NULL, 0, 0 },
    { SQ_SPAN_INIT("bounds"), set_bounds, 0, 0 },
    { SQ_SPAN_INIT("drawing-order"), NULL, 0, 0 },
    TEXT("hint", hint),
    { SQ_SPAN_INIT("display-id"), NULL, 0, 0 },
    { SQ_SPAN_INIT("showing-hint"), set_showing_hint, 0, 0 },
};
#define ATTRIBUTES COUNT(known_attributes)

/* Finds an attribute by name, usually right after the last. NULL: unknown. */
static const struct attribute *
find_attribute(struct sq_ui_builder *builder, struct sq_span name) {
    for (size_t i = 0; i < ATTRIBUTES; i++) {
        size_t at = (builder->next_attribute + i) % ATTRIBUTES;
        if (is_same(name, known_attributes[at].name)) {
            builder->next_attribute = at + 1;
            return &known_attributes[at];
        }
    }
    return NULL;
}

static bool
is_field(const struct sq_node *node) {
    for (size_t i = 0; i < COUNT(field_classes); i++) {
        if (sq_span_ends_with(node->class_name, field_classes[i])) {
            return true;
        }
    }
    return false;
}

/* Android reports the visible hint of an empty field as its text. */
static void
separate_hint(struct sq_node *node, bool showing_hint) {
    bool same = node->flags & SQ_NODE_EDITABLE && node->hint.len > 0
             && sq_span_equal(node->text, node->hint);
    if (showing_hint && node->hint.len == 0) {
        node->hint = node->text;
    }
    if (showing_hint || same) {
        node->text = (struct sq_span){ 0 };
    }
}

/* An element as passed in by the parser. */
struct element {
    struct sq_span name;
    const struct sq_ui_attribute *attributes;
    size_t count;
};

/* Fills the node. Its spans point into the parser's memory. */
static void
read_attributes(struct sq_ui_builder *builder, const struct element *element,
                struct sq_node *node) {
    struct reading reading = { .node = node };
    for (size_t i = 0; i < element->count; i++) {
        const struct sq_ui_attribute *attribute = &element->attributes[i];
        const struct attribute *known =
            find_attribute(builder, attribute->name);
        if (known && known->set) {
            known->set(&reading, known, attribute->value);
        }
    }
    builder->info.unlabelled += reading.unlabelled;
    if (node->class_name.len == 0 && !is_same(element->name, SQ_SPAN("node"))) {
        node->class_name = element->name;
    }
    if (is_field(node)) {
        node->flags |= SQ_NODE_EDITABLE;
    }
    separate_hint(node, reading.showing_hint);
}

/* Copies the node's text into the arena as one block. */
static bool
copy_text(struct sq_arena *arena, struct sq_node *node, struct sq_err *err) {
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
        if (!copy || text->len == 0) {
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
link_node(struct sq_ui_builder *builder, struct sq_node *node) {
    struct sq_node *sibling = builder->last[node->depth];
    if (sibling) {
        sibling->next = node;
    } else if (node->parent) {
        node->parent->first_child = node;
    } else {
        builder->tree.root = node;
    }
    builder->last[node->depth] = node;
    if (node->depth + 1 < SQ_MAX_TREE_DEPTH) {
        builder->last[node->depth + 1] = NULL;
    }
    builder->inner = node;
}

static bool
add_node(struct sq_ui_builder *builder, const struct element *element) {
    if (builder->tree.count == SQ_MAX_TREE_NODES) {
        return sq_fail(builder->err, SQ_ERR_LIMIT,
                       "the UI hierarchy has more than %d nodes",
                       SQ_MAX_TREE_NODES);
    }
    struct sq_node node = {
        .index = builder->tree.count,
        .depth = builder->inner ? builder->inner->depth + 1 : 0,
        .parent = builder->inner,
    };
    read_attributes(builder, element, &node);
    struct sq_node *copy =
        sq_arena_alloc(&builder->tree.arena, 1, sizeof(*copy), builder->err);
    if (!copy || !copy_text(&builder->tree.arena, &node, builder->err)) {
        return false;
    }
    *copy = node;
    link_node(builder, copy);
    builder->tree.count++;
    return true;
}

static void
read_rotation(struct sq_ui_builder *builder, const struct element *element) {
    for (size_t i = 0; i < element->count; i++) {
        const struct sq_ui_attribute *attribute = &element->attributes[i];
        int64_t turns;
        if (is_same(attribute->name, SQ_SPAN("rotation"))
            && sq_span_to_int64(attribute->value, &turns) && turns >= 0
            && turns <= 3 && builder->info.rotation < 0) {
            builder->info.rotation = (int)turns;
        }
    }
}

/* Handles an element around the nodes. Unknown ones are ignored. */
static bool
open_outer(struct sq_ui_builder *builder, const struct element *element) {
    struct sq_span name = element->name;
    bool hierarchy = is_same(name, SQ_SPAN("hierarchy"));
    if (builder->open == 0 && !hierarchy
        && !is_same(name, SQ_SPAN("displays"))) {
        name.len = name.len > MAX_QUOTED ? MAX_QUOTED : name.len;
        return sq_fail_quoting(builder->err, SQ_ERR_FORMAT,
                               "not a UI hierarchy: it begins with <%.*s>",
                               SQ_SPAN_ARGS(name));
    }
    builder->displays += is_same(name, SQ_SPAN("display"));
    if (hierarchy && builder->displays <= 1) {
        builder->hierarchy_at = builder->open + 1;
        read_rotation(builder, element);
    }
    return true;
}

bool
sq_ui_builder_open(struct sq_ui_builder *builder, struct sq_span name,
                   const struct sq_ui_attribute *attributes, size_t count) {
    if (builder->open == SQ_MAX_TREE_DEPTH) {
        return sq_fail(builder->err, SQ_ERR_LIMIT,
                       "the UI hierarchy is nested more than %d deep",
                       SQ_MAX_TREE_DEPTH);
    }
    const struct element element = { name, attributes, count };
    bool ok = builder->hierarchy_at > 0 ? add_node(builder, &element)
                                        : open_outer(builder, &element);
    builder->open++;
    return ok;
}

void
sq_ui_builder_close(struct sq_ui_builder *builder) {
    if (builder->open == builder->hierarchy_at) {
        builder->hierarchy_at = 0;
    } else if (builder->hierarchy_at > 0) {
        builder->inner = builder->inner->parent;
    }
    builder->open--;
}

void
sq_ui_builder_init(struct sq_ui_builder *builder, struct sq_err *err) {
    *builder = (struct sq_ui_builder){ .info.rotation = -1, .err = err };
    sq_arena_init(&builder->tree.arena, MAX_TREE_MEMORY);
}

void
sq_ui_builder_finish(struct sq_ui_builder *builder) {
    sq_tree_finish(&builder->tree);
}
