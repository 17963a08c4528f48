/* Reads what the walk over a page answers, and says what became of a click. */
#include "device/page_elements.h"

#include <string.h>

#include "json/writer.h"
#include "util/limits.h"
#include "util/minmax.h"

enum column {
    NODE_ID,
    DEPTH,
    ROLE,
    TEXT,
    NAME,
    HINT,
    ID,
    LEFT,
    TOP,
    RIGHT,
    BOTTOM,
    FLAGS,
    COLUMNS,
};

#define MAX_PLACE 1000000
/* Of the scales of frames. */
#define MIN_SCALE 0.01
#define MAX_SCALE 100.0

static unsigned
flags_of(struct sq_span letters) {
    static const struct {
        char letter;
        unsigned flag;
    } table[] = {
        { 'c', SQ_NODE_CLICKABLE }, { 'f', SQ_NODE_FOCUSABLE },
        { 'F', SQ_NODE_FOCUSED },   { 's', SQ_NODE_SCROLLABLE },
        { 'k', SQ_NODE_CHECKABLE }, { 'K', SQ_NODE_CHECKED },
        { 'S', SQ_NODE_SELECTED },  { 'e', SQ_NODE_EDITABLE },
        { 'p', SQ_NODE_PASSWORD },  { 'o', SQ_NODE_UNSEEN },
    };
    unsigned flags = sq_span_contains(letters, 'd') ? 0 : SQ_NODE_ENABLED;
    for (size_t i = 0; i < SQ_COUNT(table); i++) {
        flags |= sq_span_contains(letters, table[i].letter) ? table[i].flag : 0;
    }
    return flags;
}

static double
scale_of(const struct sq_frame_place *place) {
    return place->by > 0 ? place->by : 1;
}

static int
clamp(int64_t value, int low, int high) {
    return value < low ? low : value > high ? high : (int)value;
}

/* Reads the columns of a row. Returns false if one is missing or wrong. */
static bool
read_columns(const struct sq_json *row, struct sq_span texts[COLUMNS],
             int64_t numbers[COLUMNS]) {
    const struct sq_json *value = sq_json_first(row);
    for (int i = 0; i < COLUMNS; i++, value = sq_json_next(value)) {
        bool is_number = i <= DEPTH || (i >= LEFT && i <= BOTTOM);
        if (is_number ? !sq_json_int(value, &numbers[i])
                      : !sq_json_string(value, &texts[i])) {
            return false;
        }
    }
    return true;
}

/* Notes a frame whose elements another walk lists. Its hint is its scale. */
static void
note_frame(const struct sq_frame_place *place, struct sq_node *node,
           struct sq_dev_rect at, bool has_focus) {
    struct sq_opaque_frames *frames = place->opaque;
    double by = 1;
    if (!sq_span_to_double(node->hint, &by) || by < MIN_SCALE
        || by > MAX_SCALE) {
        by = 1;
    }
    node->hint = (struct sq_span){ 0 };
    if (frames && frames->count < SQ_MAX_FRAMES) {
        frames->items[frames->count++] = (struct sq_opaque_frame){
            .node = node,
            .at = { at.left, at.top },
            .by = by * scale_of(place),
            .has_focus = has_focus,
        };
    }
}

/* From a frame to the screen. */
static int
on_screen(int64_t place_in_frame, int at, double by) {
    double place = (double)place_in_frame * by;
    return at + (int)(place < 0 ? place - 0.5 : place + 0.5);
}

/* Cuts off what is outside of the frame; all of it: it is not seen. */
static void
set_bounds(struct sq_node *node, struct sq_dev_rect at,
           const struct sq_frame_place *place) {
    const struct sq_dev_rect clip = place->clip;
    const struct sq_dev_rect seen = {
        clamp(at.left, clip.left, clip.right),
        clamp(at.top, clip.top, clip.bottom),
        clamp(at.right, clip.left, clip.right),
        clamp(at.bottom, clip.top, clip.bottom),
    };
    if (place->is_unseen || seen.left >= seen.right
        || seen.top >= seen.bottom) {
        node->flags |= SQ_NODE_UNSEEN;
    }
    node->bounds = node->flags & SQ_NODE_UNSEEN ? at : seen;
}

static bool
fill(struct sq_node *node, struct sq_tree *tree, const struct sq_json *row,
     const struct sq_frame_place *place, struct sq_err *err) {
    struct sq_span texts[COLUMNS] = { { 0 } };
    int64_t numbers[COLUMNS] = { 0 };
    if (!read_columns(row, texts, numbers)) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "an element of the page has an unexpected form");
    }
    for (int i = LEFT; i <= BOTTOM; i++) {
        numbers[i] = clamp(numbers[i], -MAX_PLACE, MAX_PLACE);
    }
    *node = (struct sq_node){
        .text = texts[TEXT],
        .desc = texts[NAME],
        .hint = texts[HINT],
        .resource_id = texts[ID],
        .class_name = texts[ROLE],
        .flags = flags_of(texts[FLAGS]),
        .depth = clamp(numbers[DEPTH], 0, SQ_MAX_TREE_DEPTH - 1),
        .id = clamp(numbers[NODE_ID], 0, SQ_MAX_NODE_ID),
    };
    const double by = scale_of(place);
    const struct sq_dev_rect at = {
        on_screen(numbers[LEFT], place->at.x, by),
        on_screen(numbers[TOP], place->at.y, by),
        on_screen(numbers[RIGHT], place->at.x, by),
        on_screen(numbers[BOTTOM], place->at.y, by),
    };
    set_bounds(node, at, place);
    if (sq_span_contains(texts[FLAGS], 'x')) {
        note_frame(place, node, at, sq_span_contains(texts[FLAGS], 'X'));
    }
    /* An element that takes no text has its name as text, as on phones. */
    if (node->text.len == 0 && !(node->flags & SQ_NODE_EDITABLE)
        && !(node->flags & SQ_NODE_PASSWORD)) {
        node->text = node->desc;
        node->desc = (struct sq_span){ 0 };
    }
    struct sq_span *const kept[] = { &node->text, &node->desc, &node->hint,
                                     &node->resource_id, &node->class_name };
    bool ok = true;
    for (size_t i = 0; ok && i < SQ_COUNT(kept); i++) {
        ok = kept[i]->len == 0 || sq_arena_keep(&tree->arena, kept[i], err);
    }
    return ok;
}

bool
sq_page_add(struct sq_tree *tree, const struct sq_json *answer,
            const struct sq_frame_place *place, struct sq_err *err) {
    const struct sq_json *rows = sq_json_get(answer, "rows");
    struct sq_span origin = sq_json_text_of(answer, "origin");
    /* The last row of each depth: the path to the row that was read last. */
    struct sq_node *path[SQ_MAX_TREE_DEPTH] = { place->parent };
    tree->is_cut |= sq_json_bool_of(answer, "isCut");
    tree->unlisted += sq_json_int_of(answer, "more");
    if (origin.len > 0 && !sq_arena_keep(&tree->arena, &origin, err)) {
        return false;
    }
    if (!sq_json_is(rows, SQ_JSON_ARRAY)) {
        return sq_fail(err, SQ_ERR_FORMAT, "the page lists no elements");
    }
    for (const struct sq_json *row = sq_json_first(rows);
         row && tree->count < SQ_MAX_TREE_NODES; row = sq_json_next(row)) {
        struct sq_node *node =
            sq_arena_alloc(&tree->arena, 1, sizeof(*node), err);
        if (!node || !fill(node, tree, row, place, err)) {
            return false;
        }
        node->package = origin;
        struct sq_node **end = &tree->root;
        int depth = path[0] ? sq_max_int(node->depth, 1) : 0;
        if (depth > 0) {
            /* Below the last row that is less deep, as its last child. */
            for (int i = depth; i < SQ_MAX_TREE_DEPTH; i++) {
                path[i] = NULL;
            }
            for (int i = depth - 1; !node->parent; i--) {
                node->parent = path[i];
            }
            end = &node->parent->first_child;
        }
        while (*end) {
            end = &(*end)->next;
        }
        *end = node;
        node->depth = node->parent ? node->parent->depth + 1 : 0;
        path[depth] = node;
        tree->count++;
    }
    return true;
}

void
sq_page_number(struct sq_tree *tree) {
    int index = 0;
    for (struct sq_node *node = tree->root; node; node = sq_node_next(node)) {
        node->index = index++;
    }
}

bool
sq_page_fail_gone(bool was_stopped, struct sq_err *err) {
    sq_fail(err, SQ_ERR_STALE_ELEMENT, "%s",
            was_stopped ? "the element moved away, or something covered it, "
                          "while it was clicked: the click was stopped"
                        : "the element does not exist any more");
    return sq_fail_hint(err, "The page has changed: run @find or @dump again.");
}

bool
sq_page_write_enter(struct sq_span text, struct sq_buf *out,
                    struct sq_err *err) {
    struct sq_json_writer w;
    if (!sq_buf_append(out, "enter(", 6, err)) {
        return false;
    }
    sq_json_writer_init(&w, out);
    sq_json_put_string(&w, text);
    return sq_json_writer_done(&w, err) && sq_buf_append_byte(out, ')', err);
}

bool
sq_page_fail_value(const char *others, struct sq_err *err) {
    sq_fail_quoting(err, SQ_ERR_ARGUMENT, "the field does not take this: %s",
                    others);
    return sq_fail_hint(err, "Give one of these.");
}
