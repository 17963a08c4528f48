/* Parses the output of idb. */
#include "device/ios/parse.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "device/ui_xml.h"
#include "json/reader.h"
#include "util/limits.h"

#define MAX_JSON_ARENA ((size_t)64 << 20)
#define MAX_TREE_ARENA ((size_t)32 << 20)

/* Far beyond any screen, but safely within the range of int. */
#define MAX_COORDINATE 1000000.0

#define CLICK (SQ_NODE_CLICKABLE | SQ_NODE_FOCUSABLE)
#define CHECK (CLICK | SQ_NODE_CHECKABLE)
#define EDIT (CLICK | SQ_NODE_EDITABLE)

/* Flags by role and subrole. */
static const struct type {
    const char *name;
    unsigned flags;
} roles[] = {
    { "button", CLICK },    { "link", CLICK },
    { "switch", CHECK },    { "tab", CLICK },
    { "toggle", CHECK },    { "secure text field", EDIT | SQ_NODE_PASSWORD },
    { "text field", EDIT }, { "search text field", EDIT },
};

static const struct type subroles[] = {
    { "AXSecureTextField", EDIT | SQ_NODE_PASSWORD },
    { "AXSearchField", EDIT },
    { "AXSwitch", CHECK },
    { "AXToggle", CHECK },
};

static const struct type traits[] = {
    { "Button", CLICK },      { "Link", CLICK },
    { "KeyboardKey", CLICK }, { "Selected", SQ_NODE_SELECTED },
    { "SearchField", EDIT },  { "ToggleButton", CHECK },
};

static unsigned
look_up(const struct type *table, size_t count, struct sq_span name) {
    for (size_t i = 0; i < count; i++) {
        if (sq_span_is(name, table[i].name)) {
            return table[i].flags;
        }
    }
    return 0;
}

struct reader {
    struct sq_idb_screen screen;
    struct sq_node **end;      /* where to link the root's next child */
    const struct sq_json *app; /* the element that became the root */
    struct sq_err *err;
};

/* Returns a text, or a number, which older versions use. */
static struct sq_span
text_of(const struct sq_json *element, const char *key) {
    struct sq_span text = { 0 };
    const struct sq_json *value = sq_json_get(element, key);
    if (!sq_json_string(value, &text)) {
        sq_json_number(value, &text);
    }
    return text;
}

static bool
is_true(const struct sq_json *element, const char *key, bool fallback) {
    sq_json_bool(sq_json_get(element, key), &fallback);
    return fallback;
}

struct frame {
    double x;
    double y;
    double width;
    double height;
};

static bool
take_number(struct sq_span *text, const char *before, double *out) {
    size_t len = 0;
    *text = sq_span_trim(*text);
    if (!sq_span_take_prefix(text, before)) {
        return false;
    }
    *text = sq_span_trim(*text);
    while (len < text->len && text->ptr[len] != ',' && text->ptr[len] != '}') {
        len++;
    }
    struct sq_span number = { text->ptr, len };
    sq_span_skip(text, len);
    return sq_span_to_double(sq_span_trim(number), out);
}

/* Reads an object or, of older versions, "{{199, 116}, {64, 87.5}}". */
static bool
find_frame(const struct sq_json *element, struct frame *out) {
    const struct sq_json *value = sq_json_get(element, "frame");
    struct sq_span text = text_of(element, "AXFrame");
    struct frame frame;
    bool ok = (sq_json_double(sq_json_get(value, "x"), &frame.x)
               && sq_json_double(sq_json_get(value, "y"), &frame.y)
               && sq_json_double(sq_json_get(value, "width"), &frame.width)
               && sq_json_double(sq_json_get(value, "height"), &frame.height))
           || (take_number(&text, "{{", &frame.x)
               && take_number(&text, ",", &frame.y)
               && sq_span_take_prefix(&text, "}")
               && sq_span_take_prefix(&text, ",")
               && take_number(&text, "{", &frame.width)
               && take_number(&text, ",", &frame.height));
    if (ok) {
        *out = frame;
    }
    return ok;
}

static int
round_coordinate(double at) {
    double clamped = fmin(fmax(at, -MAX_COORDINATE), MAX_COORDINATE);
    return (int)floor(clamped + 0.5);
}

/*
 * Rounds each edge to the nearest point, so that adjacent elements stay
 * adjacent.
 */
static void
round_edges(double from, double length, int *start, int *end) {
    *start = round_coordinate(from);
    *end = round_coordinate(from + length);
    if (length > 0 && *end == *start) {
        *start = round_coordinate(floor(from));
        *end = *start + 1;
    }
    *end = length > 0 ? *end : *start;
}

static struct sq_span
type_of(const struct sq_json *element) {
    struct sq_span type = text_of(element, "type");
    if (type.len == 0) {
        type = text_of(element, "role");
    }
    sq_span_take_prefix(&type, "XCUIElementType");
    sq_span_take_prefix(&type, "AX");
    return type;
}

static unsigned
flags_of(const struct sq_json *element) {
    struct sq_span value = text_of(element, "AXValue");
    unsigned flags =
        sq_ios_type_flags(type_of(element))
        | look_up(roles, SQ_COUNT(roles), text_of(element, "role_description"))
        | look_up(subroles, SQ_COUNT(subroles), text_of(element, "subrole"));
    for (const struct sq_json *trait =
             sq_json_first(sq_json_get(element, "traits"));
         trait; trait = sq_json_next(trait)) {
        struct sq_span name = { 0 };
        sq_json_string(trait, &name);
        flags |= look_up(traits, SQ_COUNT(traits), name);
    }
    if (is_true(element, "enabled", true)) {
        flags |= SQ_NODE_ENABLED;
    }
    if (is_true(element, "focused", false)) {
        flags |= SQ_NODE_FOCUSED;
    }
    if (flags & SQ_NODE_CHECKABLE
        && (sq_span_is(value, "1") || sq_span_is(value, "true"))) {
        flags |= SQ_NODE_CHECKED;
    }
    return flags;
}

/* The text of a field is its value; of other elements, their label. */
static bool
copy_texts(struct reader *reader, const struct sq_json *element,
           struct sq_node *node) {
    bool is_field = node->flags & SQ_NODE_EDITABLE;
    node->class_name = type_of(element);
    /* The app's name is not a label on the screen. */
    if (node->parent) {
        struct sq_span label = text_of(element, "AXLabel");
        label = label.len > 0 ? label : text_of(element, "title");
        struct sq_span value = text_of(element, "AXValue");
        node->hint = text_of(element, "placeholder");
        if (node->hint.len == 0) {
            node->hint = is_field ? label : text_of(element, "help");
        }
        /* An empty field reports its placeholder as its value. */
        if (is_field && sq_span_equal(value, node->hint)) {
            value.len = 0;
        }
        node->text = is_field ? value : label;
        node->desc = is_field                        ? label
                   : node->flags & SQ_NODE_CHECKABLE ? (struct sq_span){ 0 }
                                                     : value;
        node->resource_id = text_of(element, "AXUniqueId");
    }
    struct sq_span *const texts[] = { &node->text, &node->desc, &node->hint,
                                      &node->resource_id, &node->class_name };
    bool ok = true;
    for (size_t i = 0; ok && i < SQ_COUNT(texts); i++) {
        if (texts[i]->len == 0) {
            *texts[i] = (struct sq_span){ 0 };
        } else {
            ok = sq_arena_keep(&reader->screen.tree.arena, texts[i],
                               reader->err);
        }
    }
    return ok;
}

static struct sq_node *
make_node(struct reader *reader, const struct sq_json *element,
          struct sq_node *parent) {
    struct sq_tree *tree = &reader->screen.tree;
    struct sq_node *node =
        sq_arena_alloc(&tree->arena, 1, sizeof(*node), reader->err);
    if (!node) {
        return NULL;
    }
    struct frame frame = { 0 };
    struct sq_dev_rect bounds = { 0 };
    if (find_frame(element, &frame) && !is_true(element, "hidden", false)) {
        round_edges(frame.x, frame.width, &bounds.left, &bounds.right);
        round_edges(frame.y, frame.height, &bounds.top, &bounds.bottom);
    }
    *node = (struct sq_node){
        .bounds = bounds,
        .flags = flags_of(element),
        .index = tree->count++,
        .depth = parent ? parent->depth + 1 : 0,
        .parent = parent,
    };
    reader->screen.reports_focus =
        reader->screen.reports_focus
        || sq_json_is(sq_json_get(element, "focused"), SQ_JSON_BOOL);
    return copy_texts(reader, element, node) ? node : NULL;
}

/* The depth is limited by the JSON parser. */
static bool
add_children(struct reader *reader, const struct sq_json *element,
             struct sq_node *parent, struct sq_node ***end) {
    for (const struct sq_json *child =
             sq_json_first(sq_json_get(element, "children"));
         child; child = sq_json_next(child)) {
        if (!sq_json_is(child, SQ_JSON_OBJECT)) {
            continue;
        }
        struct sq_node *node = make_node(reader, child, parent);
        if (!node) {
            return false;
        }
        **end = node;
        *end = &node->next;
        struct sq_node **children = &node->first_child;
        if (!add_children(reader, child, node, &children)) {
            return false;
        }
    }
    return true;
}

/* Makes the app the root, even if a flat list has it as a sibling. */
static bool
add_root(struct reader *reader, const struct sq_json *app) {
    struct sq_node *root = make_node(reader, app, NULL);
    if (!root) {
        return false;
    }
    reader->app = app;
    reader->screen.tree.root = root;
    reader->end = &root->first_child;
    struct sq_dev_rect rect = reader->screen.tree.root->bounds;
    struct sq_size size = { rect.right - rect.left, rect.bottom - rect.top };
    if (reader->app && size.width > 0 && size.height > 0
        && size.width <= SQ_MAX_SIDE && size.height <= SQ_MAX_SIDE) {
        reader->screen.points = size;
    }
    if (!sq_json_int(sq_json_get(reader->app, "pid"), &reader->screen.pid)) {
        sq_json_int(sq_json_get(reader->app, "AXPid"), &reader->screen.pid);
    }
    return add_children(reader, app, root, &reader->end);
}

static bool
add_sibling(struct reader *reader, const struct sq_json *element) {
    if (element == reader->app || !sq_json_is(element, SQ_JSON_OBJECT)) {
        return true;
    }
    struct sq_node *root = reader->screen.tree.root;
    struct sq_node *node = make_node(reader, element, root);
    if (!node) {
        return false;
    }
    *reader->end = node;
    reader->end = &node->next;
    struct sq_node **children = &node->first_child;
    return add_children(reader, element, node, &children);
}

/* The JSON values of a text: a single one, or one per line. */
struct values {
    const struct sq_json **items;
    size_t count;
};

static bool
read_lines(struct sq_span text, struct sq_arena *arena, struct values *out,
           struct sq_err *err) {
    struct sq_span line;
    struct sq_span rest = text;
    size_t line_count = 0;
    while (sq_span_take_line(&rest, &line)) {
        line_count++;
    }
    out->items =
        sq_arena_alloc(arena, line_count + 1, sizeof(*out->items), err);
    if (!out->items) {
        return false;
    }
    while (sq_span_take_line(&text, &line)) {
        line = sq_span_trim(line);
        if (line.len > 0
            && !sq_json_parse(line, arena, &out->items[out->count++], err)) {
            return false;
        }
    }
    return true;
}

static bool
read_values(struct sq_span text, struct sq_arena *arena, struct values *out,
            struct sq_err *err) {
    struct sq_err whole_err = { 0 };
    out->items = sq_arena_alloc(arena, 1, sizeof(*out->items), err);
    if (!out->items) {
        return false;
    }
    if (sq_json_parse(text, arena, out->items, &whole_err)) {
        out->count = 1;
        return true;
    }
    struct values lines = { 0 };
    struct sq_err lines_err = { 0 };
    bool nomem = whole_err.code == SQ_ERR_NOMEM;
    if (!nomem && read_lines(text, arena, &lines, &lines_err)) {
        *out = lines;
        return true;
    }
    if (err) {
        *err = lines_err.code == SQ_ERR_NOMEM ? lines_err : whole_err;
    }
    return false;
}

/* Returns the top-level element after `last`, which may be NULL: one of an
 * array, or a value. *at is where it is among the values. */
static const struct sq_json *
next_element(const struct values *values, size_t *at,
             const struct sq_json *last) {
    bool in_array = last && sq_json_is(values->items[*at], SQ_JSON_ARRAY);
    const struct sq_json *next = in_array ? sq_json_next(last) : NULL;
    *at += last && !next;
    for (; !next && *at < values->count; *at += !next) {
        const struct sq_json *value = values->items[*at];
        next = sq_json_is(value, SQ_JSON_ARRAY) ? sq_json_first(value) : value;
    }
    return next;
}

static bool
build(struct reader *reader, const struct values *values) {
    const struct sq_json *element = NULL;
    const struct sq_json *app = NULL;
    bool any = false;
    size_t at = 0;
    while ((element = next_element(values, &at, element))) {
        any = any || sq_json_is(element, SQ_JSON_OBJECT);
        app =
            !app && sq_span_is(type_of(element), "Application") ? element : app;
    }
    /* Without an app, use an empty root as the parent of all elements. */
    bool ok = !any || add_root(reader, app);
    at = 0;
    while (any && ok && (element = next_element(values, &at, element))) {
        ok = add_sibling(reader, element);
    }
    return ok;
}

bool
sq_idb_parse_elements(struct sq_span text, struct sq_idb_screen *out,
                      struct sq_err *err) {
    struct reader reader = { .err = err };
    struct values values = { 0 };
    SQ_ARENA(arena, MAX_JSON_ARENA);
    sq_arena_init(&reader.screen.tree.arena, MAX_TREE_ARENA);
    bool ok = read_values(text, &arena, &values, err)
           && (values.count > 0
               || sq_fail(err, SQ_ERR_TRUNCATED, "the output is empty"));
    for (size_t i = 0; ok && i < values.count; i++) {
        ok = sq_json_is(values.items[i], SQ_JSON_ARRAY)
          || sq_json_is(values.items[i], SQ_JSON_OBJECT)
          || sq_fail(err, SQ_ERR_FORMAT, "not a list of elements");
    }
    ok = ok && build(&reader, &values);
    if (ok) {
        *out = reader.screen;
    } else {
        sq_tree_finish(&reader.screen.tree);
    }
    return ok;
}

void
sq_idb_screen_finish(struct sq_idb_screen *screen) {
    sq_tree_finish(&screen->tree);
}

bool
sq_idb_find_target(struct sq_span text, const char *udid, char *state,
                   size_t size) {
    struct values values = { 0 };
    bool found = false;
    SQ_ARENA(arena, MAX_JSON_ARENA);
    if (read_lines(text, &arena, &values, NULL)) {
        for (size_t i = 0; i < values.count && !found; i++) {
            struct sq_span word = text_of(values.items[i], "state");
            struct sq_span id = text_of(values.items[i], "udid");
            found = id.len == strlen(udid)
                 && strncasecmp(id.ptr, udid, id.len) == 0;
            if (found) {
                size_t len = word.len < size ? word.len : size - 1;
                memcpy(state, len ? word.ptr : "", len);
                state[len] = '\0';
            }
        }
    }
    return found;
}
