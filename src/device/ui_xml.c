/* Parses the XML of a UI hierarchy with expat, into a tree. */
#include "device/ui_xml.h"

#include <assert.h>
#include <expat.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "util/buf.h"
#include "util/limits.h"
#include "util/mem.h"
#include "util/utf8.h"

#define MAX_REPAIRED_BYTES (SQ_XML_REPAIR_GROWTH * SQ_MAX_UI_XML_BYTES)
#define MAX_TREE_MEMORY (2 * MAX_REPAIRED_BYTES)

/* Far beyond any screen, but sums and differences still fit an int. */
#define MAX_COORDINATE (1 << 24)

/* Bytes of an unexpected element's name that are quoted in the error. */
#define MAX_QUOTED 40

static_assert(MAX_REPAIRED_BYTES <= INT_MAX, "expat counts in int");

struct reader {
    XML_Parser parser;
    struct sq_err *err;
    bool complete;
    bool failed; /* err is set */
    struct sq_tree tree;
    struct sq_ui_xml_info info;
    int open;              /* number of open elements */
    int hierarchy_at;      /* depth of the open hierarchy; 0: none */
    int displays;          /* display elements so far */
    struct sq_node *inner; /* the innermost open node */
    struct sq_node *last[SQ_MAX_TREE_DEPTH]; /* last child at each depth */
};

static bool
take_coordinate(struct sq_span *rest, const char *before, int *out) {
    int64_t value;
    if (!sq_span_take_prefix(rest, before)
        || !sq_span_take_int64(rest, &value)) {
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
    if (!take_coordinate(&text, "[", &rect.left)
        || !take_coordinate(&text, ",", &rect.top)
        || !take_coordinate(&text, "][", &rect.right)
        || !take_coordinate(&text, ",", &rect.bottom)
        || !sq_span_take_prefix(&text, "]")) {
        return (struct sq_dev_rect){ 0 };
    }
    rect.right = rect.right < rect.left ? rect.left : rect.right;
    rect.bottom = rect.bottom < rect.top ? rect.top : rect.bottom;
    return rect;
}

/* Flags of the document that are not flags of a node. */
#define UNLABELLED (1u << 30)
#define SHOWING_HINT (1u << 31)
#define NOT_SHOWN (1u << 29)

/* The attributes that are a text of the node or a flag; not the bounds. */
static const struct attribute {
    const char *name;
    size_t offset; /* of the text in struct sq_node */
    unsigned flag; /* 0: a text */
} attributes[] = {
    { "NAF", 0, UNLABELLED },
    { "text", offsetof(struct sq_node, text), 0 },
    { "resource-id", offsetof(struct sq_node, resource_id), 0 },
    { "class", offsetof(struct sq_node, class_name), 0 },
    { "package", offsetof(struct sq_node, package), 0 },
    { "content-desc", offsetof(struct sq_node, desc), 0 },
    { "checkable", 0, SQ_NODE_CHECKABLE },
    { "checked", 0, SQ_NODE_CHECKED },
    { "clickable", 0, SQ_NODE_CLICKABLE },
    { "enabled", 0, SQ_NODE_ENABLED },
    { "focusable", 0, SQ_NODE_FOCUSABLE },
    { "focused", 0, SQ_NODE_FOCUSED },
    { "scrollable", 0, SQ_NODE_SCROLLABLE },
    { "long-clickable", 0, SQ_NODE_LONG_CLICKABLE },
    { "password", 0, SQ_NODE_PASSWORD },
    { "selected", 0, SQ_NODE_SELECTED },
    { "editable", 0, SQ_NODE_EDITABLE },
    { "hint", offsetof(struct sq_node, hint), 0 },
    { "showing-hint", 0, SHOWING_HINT },
};

static void
read_attribute(struct sq_node *node, const char *name, const char *value) {
    if (strcmp(name, "bounds") == 0) {
        node->bounds = parse_bounds(sq_span_of(value));
        return;
    }
    for (size_t i = 0; i < SQ_COUNT(attributes); i++) {
        const struct attribute *attribute = &attributes[i];
        if (strcmp(name, attribute->name) != 0) {
            continue;
        }
        if (attribute->flag == 0) {
            char *field = (char *)node + attribute->offset;
            *(struct sq_span *)(void *)field = sq_span_of(value);
        } else if (strcmp(value, "true") == 0) {
            node->flags |= attribute->flag;
        }
        return;
    }
    if (strcmp(name, "displayed") == 0 && strcmp(value, "false") == 0) {
        node->flags |= NOT_SHOWN;
    }
}

/*
 * Fills the node from pairs of names and values, ended by NULL. Its spans point
 * into expat's memory.
 */
static void
read_attributes(struct reader *reader, const char *name, const char **pairs,
                struct sq_node *node) {
    for (; *pairs; pairs += 2) {
        read_attribute(node, pairs[0], pairs[1]);
    }
    bool showing_hint = node->flags & SHOWING_HINT;
    reader->info.unlabelled += (node->flags & UNLABELLED) != 0;
    if (node->flags & NOT_SHOWN) {
        node->bounds = (struct sq_dev_rect){ 0 }; /* nothing to touch */
    }
    node->flags &= ~(UNLABELLED | SHOWING_HINT | NOT_SHOWN);
    if (node->class_name.len == 0 && strcmp(name, "node") != 0) {
        node->class_name = sq_span_of(name);
    }
    if (sq_span_ends_with(node->class_name, "EditText")
        || sq_span_ends_with(node->class_name, "AutoCompleteTextView")) {
        node->flags |= SQ_NODE_EDITABLE;
    }
    /* Android reports the visible hint of an empty field as its text. */
    bool same = node->flags & SQ_NODE_EDITABLE && node->hint.len > 0
             && sq_span_equal(node->text, node->hint);
    if (showing_hint && node->hint.len == 0) {
        node->hint = node->text;
    }
    if (showing_hint || same) {
        node->text = (struct sq_span){ 0 };
    }
}

/* The elements of iOS. */

#define CLICK (SQ_NODE_CLICKABLE | SQ_NODE_FOCUSABLE)
#define CHECK (CLICK | SQ_NODE_CHECKABLE)
#define EDIT (CLICK | SQ_NODE_EDITABLE)
#define IOS_PREFIX "XCUIElementType"

/* Flags by type. Types not listed only display. */
static const struct type {
    const char *name;
    unsigned flags;
} ios_types[] = {
    { "Button", CLICK },
    { "Cell", CLICK },
    { "CheckBox", CHECK },
    { "CollectionView", SQ_NODE_SCROLLABLE },
    { "ComboBox", EDIT },
    { "DisclosureTriangle", CLICK },
    { "Icon", CLICK },
    { "Incrementor", CLICK },
    { "Key", CLICK },
    { "Link", CLICK },
    { "MenuButton", CLICK },
    { "MenuItem", CLICK },
    { "PickerWheel", CLICK | SQ_NODE_SCROLLABLE },
    { "PopUpButton", CLICK },
    { "RadioButton", CLICK },
    { "ScrollArea", SQ_NODE_SCROLLABLE },
    { "ScrollView", SQ_NODE_SCROLLABLE },
    { "SearchField", EDIT },
    { "SecureTextField", EDIT | SQ_NODE_PASSWORD },
    { "SegmentedControl", CLICK },
    { "Slider", CLICK },
    { "Stepper", CLICK },
    { "Switch", CHECK },
    { "Tab", CLICK },
    { "Table", SQ_NODE_SCROLLABLE },
    { "TextArea", EDIT },
    { "TextField", EDIT },
    { "TextView", EDIT },
    { "Toggle", CHECK },
    { "WebArea", SQ_NODE_SCROLLABLE },
    { "WebView", SQ_NODE_SCROLLABLE },
};

unsigned
sq_ios_type_flags(struct sq_span type) {
    for (size_t i = 0; i < SQ_COUNT(ios_types); i++) {
        if (sq_span_is(type, ios_types[i].name)) {
            return ios_types[i].flags;
        }
    }
    return 0;
}

/* The attributes of an element of iOS, which may all be missing. */
struct ios_attributes {
    struct sq_span name;
    struct sq_span label;
    struct sq_span value;
    struct sq_span placeholder;
    int numbers[4]; /* x, y, width, height */
    bool is_hidden;
};

static void
read_ios_attribute(struct ios_attributes *all, struct sq_node *node,
                   const char *name, const char *value) {
    static const char *const numbers[] = { "x", "y", "width", "height" };
    static const struct {
        const char *name;
        unsigned flag;
    } flags[] = {
        { "enabled", SQ_NODE_ENABLED },
        { "focused", SQ_NODE_FOCUSED },
        { "selected", SQ_NODE_SELECTED },
    };
    const struct {
        const char *name;
        struct sq_span *text;
    } texts[] = {
        { "name", &all->name },
        { "label", &all->label },
        { "value", &all->value },
        { "placeholderValue", &all->placeholder },
    };
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        if (strcmp(name, texts[i].name) == 0) {
            *texts[i].text = sq_span_of(value);
        }
    }
    for (size_t i = 0; i < SQ_COUNT(numbers); i++) {
        struct sq_span rest = sq_span_of(value);
        if (strcmp(name, numbers[i]) == 0) {
            take_coordinate(&rest, "", &all->numbers[i]);
        }
    }
    for (size_t i = 0; i < SQ_COUNT(flags); i++) {
        if (strcmp(name, flags[i].name) == 0 && strcmp(value, "true") == 0) {
            node->flags |= flags[i].flag;
        }
    }
    all->is_hidden |=
        strcmp(name, "visible") == 0 && strcmp(value, "false") == 0;
}

/* The text of a field is its value; of other elements, their label. */
static void
read_ios(const char *name, const char **pairs, struct sq_node *node) {
    struct ios_attributes all = { .name = { 0 } };
    struct sq_span type = sq_span_of(name);
    sq_span_take_prefix(&type, IOS_PREFIX);
    node->class_name = type;
    node->flags = sq_ios_type_flags(type);
    for (; *pairs; pairs += 2) {
        read_ios_attribute(&all, node, pairs[0], pairs[1]);
    }
    node->bounds = (struct sq_dev_rect){
        all.numbers[0],
        all.numbers[1],
        all.numbers[0] + (all.numbers[2] > 0 ? all.numbers[2] : 0),
        all.numbers[1] + (all.numbers[3] > 0 ? all.numbers[3] : 0),
    };
    if (all.is_hidden) {
        node->bounds = (struct sq_dev_rect){ 0 };
    }
    /* Without an identifier of its own the name is the label again. */
    if (!sq_span_equal(all.name, all.label)) {
        node->resource_id = all.name;
    }
    if (!node->parent) {
        return; /* the app's name is not a label on the screen */
    }
    node->hint = all.placeholder;
    if (node->flags & SQ_NODE_EDITABLE) {
        bool is_empty = sq_span_equal(all.value, all.placeholder);
        node->text = is_empty ? (struct sq_span){ 0 } : all.value;
        node->desc = all.label;
    } else if (node->flags & SQ_NODE_CHECKABLE) {
        node->text = all.label;
        node->flags |= sq_span_is(all.value, "1") ? SQ_NODE_CHECKED : 0;
    } else {
        node->text = all.label;
        node->desc = sq_span_equal(all.value, all.label) ? (struct sq_span){ 0 }
                                                         : all.value;
    }
}

/* Copies the node's text into the arena as one block. */
static bool
copy_text(struct sq_arena *arena, struct sq_node *node, struct sq_err *err) {
    struct sq_span *const texts[] = { &node->text,       &node->resource_id,
                                      &node->class_name, &node->package,
                                      &node->desc,       &node->hint };
    size_t total = 0;
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
        total += texts[i]->len;
    }
    char *copy = total ? sq_arena_alloc(arena, total, 1, err) : NULL;
    if (total && !copy) {
        return false;
    }
    for (size_t i = 0; i < SQ_COUNT(texts); i++) {
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

static bool
add_node(struct reader *reader, const char *name, const char **pairs) {
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
    if (sq_span_starts_with(sq_span_of(name), IOS_PREFIX)) {
        read_ios(name, pairs, &node);
    } else {
        read_attributes(reader, name, pairs, &node);
    }
    struct sq_node *copy =
        sq_arena_alloc(&reader->tree.arena, 1, sizeof(*copy), reader->err);
    if (!copy || !copy_text(&reader->tree.arena, &node, reader->err)) {
        return false;
    }
    *copy = node;
    struct sq_node *sibling = reader->last[copy->depth];
    if (sibling) {
        sibling->next = copy;
    } else if (copy->parent) {
        copy->parent->first_child = copy;
    } else {
        reader->tree.root = copy;
    }
    reader->last[copy->depth] = copy;
    if (copy->depth + 1 < SQ_MAX_TREE_DEPTH) {
        reader->last[copy->depth + 1] = NULL;
    }
    reader->inner = copy;
    reader->tree.count++;
    return true;
}

/* Handles an element around the nodes. Unknown ones are ignored. */
static bool
open_outer(struct reader *reader, const char *name, const char **pairs) {
    bool hierarchy =
        strcmp(name, "hierarchy") == 0 || strcmp(name, "AppiumAUT") == 0;
    if (reader->open == 0 && !hierarchy && strcmp(name, "displays") != 0) {
        return sq_fail_quoting(reader->err, SQ_ERR_FORMAT,
                               "not a UI hierarchy: it begins with <%.*s>",
                               MAX_QUOTED, name);
    }
    reader->displays += strcmp(name, "display") == 0;
    if (!hierarchy || reader->displays > 1) {
        return true;
    }
    reader->hierarchy_at = reader->open + 1;
    for (; *pairs; pairs += 2) {
        int64_t turns;
        if (strcmp(pairs[0], "rotation") == 0
            && sq_span_to_int64(sq_span_of(pairs[1]), &turns) && turns >= 0
            && turns <= 3 && reader->info.rotation < 0) {
            reader->info.rotation = (int)turns;
        }
    }
    return true;
}

/* Stops after an error that is already set. Expat may make one more callback.
 */
static void
abort_parsing(struct reader *reader) {
    reader->failed = true;
    XML_StopParser(reader->parser, XML_FALSE);
}

static void XMLCALL
on_start(void *context, const char *name, const char **pairs) {
    struct reader *reader = context;
    bool is_deep = reader->open == SQ_MAX_TREE_DEPTH;
    if (reader->failed) {
        return;
    }
    if (is_deep) {
        sq_fail(reader->err, SQ_ERR_LIMIT,
                "the UI hierarchy is nested more than %d deep",
                SQ_MAX_TREE_DEPTH);
    }
    if (is_deep
        || !(reader->hierarchy_at > 0 ? add_node(reader, name, pairs)
                                      : open_outer(reader, name, pairs))) {
        abort_parsing(reader);
    }
    reader->open++;
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
    if (--reader->open == 0) {
        reader->complete = true;
        XML_StopParser(reader->parser, XML_FALSE);
    }
}

/* Refuses a doctype: it could declare entities that expand without limit. */
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
    abort_parsing(reader);
}

/* Expat 2.9 deprecates the functions whose results may have 32 bits. */
#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
#define XML_GetCurrentLineNumber64 XML_GetCurrentLineNumber
#define XML_GetCurrentColumnNumber64 XML_GetCurrentColumnNumber
#endif

/* Reports expat's error. */
static bool
fail_parse(const struct reader *reader, struct sq_span text) {
    enum XML_Error code = XML_GetErrorCode(reader->parser);
    if (code == XML_ERROR_NO_MEMORY) {
        return sq_fail_nomem(reader->err);
    }
    if (code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN
        || code == XML_ERROR_UNCLOSED_CDATA_SECTION
        || code == XML_ERROR_PARTIAL_CHAR) {
        sq_fail(reader->err, SQ_ERR_TRUNCATED,
                "the UI hierarchy ends too early, after %zu bytes", text.len);
        return sq_fail_hint(reader->err,
                            "Try again. The device did not send all of it.");
    }
    uint64_t line = XML_GetCurrentLineNumber64(reader->parser);
    uint64_t column = XML_GetCurrentColumnNumber64(reader->parser) + 1;
    return sq_fail(reader->err, SQ_ERR_FORMAT,
                   "the UI hierarchy is invalid XML: %s at line %" PRIu64
                   ", column %" PRIu64,
                   XML_ErrorString(code), line, column);
}

static void *
expat_alloc(size_t size) {
    return sq_mem_alloc(1, size);
}

static const XML_Memory_Handling_Suite expat_memory = {
    expat_alloc,
    sq_mem_resize,
    sq_mem_free,
};

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

/* Skips messages before the document. */
static bool
find_document(struct sq_span *text, struct sq_err *err) {
    static const char *const openings[] = { "<?xml", "<hierarchy",
                                            "<displays" };
    struct sq_span rest = *text;
    const char *at;
    if (text->len > SQ_MAX_UI_XML_BYTES) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "the UI hierarchy has %zu bytes, more than %zu",
                       text->len, SQ_MAX_UI_XML_BYTES);
    }
    while (rest.len > 0 && (at = memchr(rest.ptr, '<', rest.len))) {
        sq_span_skip(&rest, (size_t)(at - rest.ptr));
        for (size_t i = 0; i < SQ_COUNT(openings); i++) {
            if (sq_span_starts_with(rest, openings[i])) {
                *text = rest;
                return true;
            }
        }
        sq_span_skip(&rest, 1);
    }
    sq_fail(err, SQ_ERR_FORMAT,
            "the device sent %zu bytes without a UI hierarchy", text->len);
    return sq_fail_hint(err, "Try again, or take a screenshot.");
}

bool
sq_ui_xml_parse_here(struct sq_span text, struct sq_tree *out,
                     struct sq_ui_xml_info *info, struct sq_err *err) {
    struct reader reader = { .err = err, .info.rotation = -1 };
    struct sq_buf scratch;
    sq_buf_init(&scratch, MAX_REPAIRED_BYTES);
    sq_arena_init(&reader.tree.arena, MAX_TREE_MEMORY);
    bool ok = find_document(&text, err)
           && sq_xml_repair(text, &scratch, &text, err)
           && read_document(&reader, text);
    sq_buf_finish(&scratch);
    if (!ok) {
        sq_tree_finish(&reader.tree);
        return false;
    }
    *out = reader.tree;
    *info = reader.info;
    return true;
}
