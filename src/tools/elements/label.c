/* Compares texts of a screen and assigns labels to elements. */
#include "tools/elements/label.h"

#include <string.h>

#include "tools/elements/selector.h"
#include "util/span.h"
#include "util/utf8.h"

#define ELLIPSIS "\xe2\x80\xa6"
#define MASK "\xe2\x80\xa2\xe2\x80\xa2\xe2\x80\xa2"
#define SEPARATOR ", "

/* Ranges of upper-case letters, and their distance to lower case. */
static const struct shift {
    uint32_t first;
    uint32_t last;
    uint32_t away;
} shifts[] = {
    { 'A', 'Z', 32 },       { 0xc0, 0xd6, 32 },       { 0xd8, 0xde, 32 },
    { 0x391, 0x3a1, 32 },   { 0x3a3, 0x3ab, 32 },     { 0x400, 0x40f, 80 },
    { 0x410, 0x42f, 32 },   { 0x531, 0x556, 48 },     { 0x24b6, 0x24cf, 26 },
    { 0xff21, 0xff3a, 32 }, { 0x10400, 0x10427, 40 },
};

/* Blocks in which upper and lower case alternate. */
static const struct pairs {
    uint32_t first;
    uint32_t last;
    uint32_t upper; /* lowest bit of upper-case letters */
} pairs[] = {
    { 0x100, 0x12f, 0 }, { 0x132, 0x137, 0 },   { 0x139, 0x148, 1 },
    { 0x14a, 0x177, 0 }, { 0x179, 0x17e, 1 },   { 0x1cd, 0x1dc, 1 },
    { 0x1de, 0x1ef, 0 }, { 0x1f8, 0x21f, 0 },   { 0x222, 0x233, 0 },
    { 0x460, 0x481, 0 }, { 0x48a, 0x4bf, 0 },   { 0x4c1, 0x4ce, 1 },
    { 0x4d0, 0x52f, 0 }, { 0x1e00, 0x1e95, 0 }, { 0x1ea0, 0x1eff, 0 },
};

static uint32_t
lower(uint32_t code) {
    for (size_t i = 0; i < SQ_COUNT(shifts); i++) {
        if (code >= shifts[i].first && code <= shifts[i].last) {
            return code + shifts[i].away;
        }
    }
    for (size_t i = 0; i < SQ_COUNT(pairs); i++) {
        if (code >= pairs[i].first && code <= pairs[i].last) {
            return (code & 1) == pairs[i].upper ? code + 1 : code;
        }
    }
    return code;
}

/* Takes the next character; an invalid byte stands for itself. */
static uint32_t
take_char(struct sq_span *text) {
    uint32_t code = (uint8_t)text->ptr[0] + 0x110000u;
    size_t len = sq_utf8_decode(*text, &code);
    len = len ? len : 1;
    sq_span_skip(text, len);
    return code;
}

/* Returns whether text begins with prefix; *rest is what follows it. */
static bool
begins(struct sq_span text, struct sq_span prefix, bool ignore_case,
       struct sq_span *rest) {
    while (prefix.len > 0) {
        if (text.len == 0) {
            return false;
        }
        uint32_t a = take_char(&text);
        uint32_t b = take_char(&prefix);
        if (a != b && !(ignore_case && lower(a) == lower(b))) {
            return false;
        }
    }
    *rest = text;
    return true;
}

bool
sq_text_equal(struct sq_span a, struct sq_span b, bool ignore_case) {
    struct sq_span rest;
    return begins(sq_span_trim(a), sq_span_trim(b), ignore_case, &rest)
        && rest.len == 0;
}

static bool
is_word_byte(char byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z')
        || (byte >= 'a' && byte <= 'z') || (uint8_t)byte >= 0x80;
}

bool
sq_text_contains(struct sq_span text, struct sq_span part, bool ignore_case) {
    struct sq_span rest;
    while (text.len > 0) {
        if (begins(text, part, ignore_case, &rest)) {
            return true;
        }
        take_char(&text);
    }
    return false;
}

/* Takes the next word: letters and digits, and all that is not ASCII. */
static bool
take_word(struct sq_span *text, struct sq_span *word) {
    size_t start = 0;
    while (start < text->len && !is_word_byte(text->ptr[start])) {
        start++;
    }
    size_t end = start;
    while (end < text->len && is_word_byte(text->ptr[end])) {
        end++;
    }
    *word = (struct sq_span){ text->ptr + start, end - start };
    sq_span_skip(text, end);
    return word->len > 0;
}

/* Returns 2 if a text has this word, 1 if it has one like it. */
static int
points_of(struct sq_span text, struct sq_span wanted) {
    struct sq_span word;
    struct sq_span rest;
    int points = 0;
    while (take_word(&text, &word)) {
        if (sq_text_equal(word, wanted, true)) {
            return 2;
        }
        if (wanted.len > 2
            && (begins(word, wanted, true, &rest)
                || (wanted.len > 3 && sq_edit_distance(word, wanted) == 1))) {
            points = 1;
        }
    }
    return points;
}

int
sq_text_nearness(struct sq_span text, struct sq_span wanted) {
    struct sq_span word;
    struct sq_span rest = wanted;
    int points = 0;
    int words = 0;
    while (take_word(&rest, &word)) {
        points += points_of(text, word);
        words++;
    }
    bool is_slip =
        wanted.len > 3 && sq_edit_distance(text, wanted) <= wanted.len / 4;
    int near = words > 0 ? 500 * points / words : 0;
    return is_slip && near < 700 ? 700 : near;
}

bool
sq_node_is_secret(const struct sq_node *node) {
    for (; node; node = node->parent) {
        if (node->flags & SQ_NODE_PASSWORD) {
            return true;
        }
    }
    return false;
}

struct sq_span
sq_node_desc(const struct sq_node *node) {
    if (sq_node_is_secret(node) && node->text.len > 0
        && sq_text_contains(node->desc, node->text, false)) {
        return (struct sq_span){ 0 };
    }
    return node->desc;
}

struct sq_span
sq_element_own_label(const struct sq_node *node) {
    if (sq_node_is_secret(node)) {
        return (struct sq_span){ 0 };
    }
    return sq_span_trim(node->text).len > 0 ? node->text : node->desc;
}

bool
sq_node_folds(const struct sq_node *node) {
    return node->flags & SQ_NODE_CLICKABLE && node->first_child
        && sq_span_trim(node->text).len == 0
        && sq_span_trim(node->desc).len == 0 && !sq_node_is_secret(node);
}

/* Returns the next node inside parent; does not enter clickable nodes. */
static const struct sq_node *
step(const struct sq_node *parent, const struct sq_node *node) {
    if (node->first_child
        && (node == parent || !(node->flags & SQ_NODE_CLICKABLE))) {
        return node->first_child;
    }
    while (node != parent && !node->next) {
        node = node->parent;
    }
    return node == parent ? NULL : node->next;
}

const struct sq_node *
sq_folded_next(const struct sq_node *parent, const struct sq_node *last) {
    const struct sq_node *node = step(parent, last ? last : parent);
    while (node
           && (node->flags & SQ_NODE_CLICKABLE
               || sq_span_trim(sq_element_own_label(node)).len == 0)) {
        node = step(parent, node);
    }
    return node;
}

const struct sq_node *
sq_folded_into(const struct sq_node *node) {
    while (node && !(node->flags & SQ_NODE_CLICKABLE)) {
        node = node->parent;
    }
    return node && sq_node_folds(node) ? node : NULL;
}

/* A label being built, of limited length. */
struct label {
    char text[SQ_MAX_LABEL_BYTES];
    size_t len;
    bool full;
};

static size_t
capacity(const struct label *label) {
    return sizeof(label->text) - sizeof(ELLIPSIS) + 1 - label->len;
}

/* Marks a label as incomplete. */
static void
end_early(struct label *label) {
    memcpy(label->text + label->len, ELLIPSIS, sizeof(ELLIPSIS) - 1);
    label->len += sizeof(ELLIPSIS) - 1;
    label->full = true;
}

static void
append(struct label *label, struct sq_span text) {
    if (label->full || text.len == 0) {
        return;
    }
    size_t len = sq_utf8_shorten(text, capacity(label)).len;
    memcpy(label->text + label->len, text.ptr, len);
    label->len += len;
    if (len < text.len) {
        end_early(label);
    }
}

static bool
keep(const struct label *label, struct sq_arena *arena, struct sq_span *out,
     struct sq_err *err) {
    *out = (struct sq_span){ label->text, label->len };
    return sq_arena_keep(arena, out, err);
}

bool
sq_text_shorten(struct sq_span text, struct sq_arena *arena,
                struct sq_span *out, struct sq_err *err) {
    text = sq_span_trim(text);
    if (text.len <= SQ_MAX_LABEL_BYTES - sizeof(ELLIPSIS) + 1) {
        *out = text;
        return true;
    }
    struct label label = { .len = 0 };
    append(&label, text);
    return keep(&label, arena, out, err);
}

static bool
label_secret(const struct sq_node *node, struct sq_arena *arena,
             struct sq_span *out, struct sq_err *err) {
    struct sq_span name = sq_span_trim(sq_node_desc(node));
    if (name.len == 0) {
        name = sq_span_trim(node->hint);
    }
    struct label label = { .len = 0 };
    append(&label, name);
    if (node->text.len > 0) {
        append(&label, name.len > 0 ? SQ_SPAN(" " MASK) : SQ_SPAN(MASK));
    }
    return keep(&label, arena, out, err);
}

/*
 * Joins the labels of the pieces. One that does not fit is left out whole: text
 * rules of redaction do not recognise a part of it.
 */
static bool
label_folded(const struct sq_node *node, struct sq_arena *arena,
             struct sq_span *out, struct sq_err *err) {
    struct label label = { .len = 0 };
    for (const struct sq_node *piece = sq_folded_next(node, NULL);
         piece && !label.full; piece = sq_folded_next(node, piece)) {
        struct sq_span text = sq_span_trim(sq_element_own_label(piece));
        bool is_first = label.len == 0;
        if (!is_first && sizeof(SEPARATOR) - 1 + text.len > capacity(&label)) {
            end_early(&label);
            break;
        }
        append(&label, is_first ? SQ_SPAN("") : SQ_SPAN(SEPARATOR));
        append(&label, text);
    }
    return keep(&label, arena, out, err);
}

bool
sq_node_label(const struct sq_node *node, struct sq_arena *arena,
              struct sq_span *out, struct sq_err *err) {
    if (sq_node_is_secret(node)) {
        return label_secret(node, arena, out, err);
    }
    if (sq_node_folds(node) && sq_folded_next(node, NULL)) {
        return label_folded(node, arena, out, err);
    }
    struct sq_span own = sq_element_own_label(node);
    return sq_text_shorten(own.len > 0 ? own : node->hint, arena, out, err);
}

/* Returns the text after the last such byte, or all of it. */
static struct sq_span
after_last(struct sq_span text, char byte) {
    size_t start = text.len;
    while (start > 0 && text.ptr[start - 1] != byte) {
        start--;
    }
    return (struct sq_span){ text.ptr + start, text.len - start };
}

struct sq_span
sq_node_type(const struct sq_node *node) {
    if (node->class_name.len == 0) {
        return SQ_SPAN("View");
    }
    struct sq_span type = after_last(node->class_name, '.');
    type = after_last(type, '$');
    sq_span_take_prefix(&type, "XCUIElementType");
    return type.len > 0 ? type : node->class_name;
}

struct sq_span
sq_short_id(struct sq_span resource_id) {
    return resource_id.len > 0 ? after_last(resource_id, '/') : resource_id;
}

bool
sq_node_is_interactive(const struct sq_node *node) {
    return node->flags
         & (SQ_NODE_CLICKABLE | SQ_NODE_LONG_CLICKABLE | SQ_NODE_FOCUSABLE
            | SQ_NODE_SCROLLABLE | SQ_NODE_CHECKABLE | SQ_NODE_EDITABLE);
}

bool
sq_node_has_area(const struct sq_node *node) {
    return node->bounds.left < node->bounds.right
        && node->bounds.top < node->bounds.bottom;
}

struct sq_element
sq_element_of(const struct sq_node *node, struct sq_span label, int index) {
    return (struct sq_element){
        .index = index,
        .id = node->id,
        .label = label,
        .type = sq_node_type(node),
        .resource_id = node->resource_id,
        .row = node->row,
        .bounds = node->bounds,
        .flags = node->flags,
        .is_empty = node->hint.len > 0 && sq_span_equal(label, node->hint),
        .is_secret = sq_node_is_secret(node),
    };
}
