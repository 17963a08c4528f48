/* Writes element lists in compact form. */
#include "tools/elements/listing.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "tools/elements/label.h"
#include "tools/reply.h"
#include "util/utf8.h"

#define MAX_TYPE_BYTES 40
#define ROW_BYTES 22 /* about as many has a row without its label */
#define LAST 3       /* rows that are never left out */
#define ROW_SIZE (3 * SQ_MAX_LABEL_BYTES / 2 + MAX_TYPE_BYTES + 80)

void
sq_compact_put_columns(struct sq_json_writer *w) {
    sq_put_text(w, "columns", "index x,y type:state label, or #id");
}

void
sq_put_no_elements(struct sq_json_writer *w) {
    sq_put_text(w, "warning",
                "The screen has no elements: the app may be loading, draw its "
                "own pixels, or block accessibility. Take a screenshot.");
}

/* Returns how many bytes a class name has before the first that none has. */
static size_t
class_len(struct sq_span type) {
    size_t len = 0;
    while (len < type.len
           && (isalnum((unsigned char)type.ptr[len]) || type.ptr[len] == '_'
               || type.ptr[len] == '$' || type.ptr[len] == '-'
               || (unsigned char)type.ptr[len] >= 0x80)) {
        len++;
    }
    return len;
}

/* Shortens the type: "TextView" becomes "Text". An app may give any name. */
static struct sq_span
lean_type(const struct sq_node *node) {
    static const char *const endings[] = { "View", "Layout" };
    struct sq_span type = sq_node_type(node);
    for (size_t i = 0; i < SQ_COUNT(endings); i++) {
        size_t len = strlen(endings[i]);
        if (type.len > len && sq_span_ends_with(type, endings[i])) {
            type.len -= len;
            break;
        }
    }
    type.len = type.len < MAX_TYPE_BYTES ? type.len : MAX_TYPE_BYTES;
    type.len = class_len(type);
    return type.len > 0 ? type : SQ_SPAN("-");
}

/*
 * Applies the writer's mask to a name alone: rules may begin with ^, and must
 * not hide coordinates. If it fails, the name is dropped and the writer has the
 * error.
 */
static void
mask_name(struct sq_json_writer *w, struct sq_span *name,
          struct sq_buf *masked) {
    sq_buf_init(masked, SQ_MAX_JSON_BYTES);
    if (!w->mask.apply || name->len == 0) {
        return;
    }
    bool ok = w->err.code == SQ_ERR_NONE
           && w->mask.apply(w->mask.context, *name, masked, &w->err);
    *name = ok ? sq_buf_span(masked) : (struct sq_span){ 0 };
}

/* Returns where a label that the device does not know comes from. */
static const char *
origin_of(const struct sq_node *node) {
    return !(node->flags & SQ_NODE_NAMED) ? ""
         : node->flags & SQ_NODE_PICTURED ? "+image"
                                          : "+text";
}

/*
 * Returns whether a label could be read as another part of a row: an id, a type
 * with a state, or a label in quotes.
 */
static bool
is_misleading(struct sq_span label) {
    static const char *const states[] = { "disabled", "checked",  "unchecked",
                                          "selected", "password", "focused",
                                          "doubtful" };
    if (label.len == 0 || label.ptr[0] == '#' || label.ptr[0] == '"') {
        return label.len > 0;
    }
    const char *space = memchr(label.ptr, ' ', label.len);
    const struct sq_span word = { label.ptr, space ? (size_t)(space - label.ptr)
                                                   : label.len };
    for (size_t i = 0; i < SQ_COUNT(states); i++) {
        size_t len = strlen(states[i]);
        if (word.len > len && word.ptr[word.len - len - 1] == ':'
            && sq_span_ends_with(word, states[i])) {
            return true;
        }
    }
    return false;
}

/* Returns the name of a field whose label is its text, or nothing. */
static struct sq_span
title_of(const struct sq_node *node) {
    bool is_filled = node->flags & SQ_NODE_EDITABLE && !sq_node_is_secret(node)
                  && sq_span_trim(node->text).len > 0;
    return is_filled
             ? sq_utf8_shorten(sq_span_trim(node->desc), SQ_MAX_LABEL_BYTES / 2)
             : (struct sq_span){ 0 };
}

/*
 * Writes one string per element. The label is last, so that text of an app
 * cannot imitate another column; one that looks like an id or a state is in
 * quotes. An element without a label is identified by its id. "-" stands for an
 * index or a type that does not exist.
 */
void
sq_compact_put_row(const struct sq_listed *item, struct sq_json_writer *w) {
    const char *state = sq_listed_state(item);
    struct sq_span type = lean_type(item->node);
    struct sq_span title = title_of(item->node);
    struct sq_span name = item->label;
    SQ_FREED(sq_buf_finish) struct sq_buf masked_title = { 0 };
    SQ_FREED(sq_buf_finish) struct sq_buf masked = { 0 };
    bool by_id = name.len == 0;
    if (by_id) {
        name = sq_short_id(item->node->resource_id);
    }
    mask_name(w, &title, &masked_title);
    mask_name(w, &name, &masked);
    bool is_quoted = !by_id && is_misleading(title.len > 0 ? title : name);
    char index[12] = "-";
    if (item->index >= 0) {
        snprintf(index, sizeof(index), "%d", item->index);
    }
    char place[32] = "off-screen";
    if (!(item->node->flags & SQ_NODE_UNSEEN)) {
        snprintf(place, sizeof(place), "%d,%d", item->middle.x, item->middle.y);
    }
    char row[ROW_SIZE];
    int len = snprintf(row, sizeof(row), "%s %s %.*s%s%s%s%s%.*s%s%.*s%s",
                       index, place, SQ_SPAN_ARGS(type), origin_of(item->node),
                       state ? ":" : "", state ? state : "",
                       name.len == 0 ? ""
                       : by_id       ? " #"
                       : is_quoted   ? " \""
                                     : " ",
                       SQ_SPAN_ARGS(title), title.len > 0 ? ": " : "",
                       SQ_SPAN_ARGS(name), is_quoted ? "\"" : "");
    size_t kept = len < ROW_SIZE ? (size_t)len : ROW_SIZE - 1;
    sq_json_put_clean(w, (struct sq_span){ row, kept });
    w->has_untrusted = true;
}

static size_t
bytes_of(const struct sq_listed *item) {
    return ROW_BYTES + item->label.len;
}

size_t
sq_compact_put(const struct sq_listing *list, size_t limit, size_t max_bytes,
               struct sq_json_writer *w) {
    const size_t last = list->count - (list->count < LAST ? list->count : LAST);
    size_t first = 0; /* how many of those before the last */
    size_t bytes = 0;
    size_t shown = 0;
    for (size_t i = last; i < list->count; i++) {
        bytes += bytes_of(&list->items[i]);
    }
    while (first < last && first + LAST < limit
           && bytes + bytes_of(&list->items[first]) <= max_bytes) {
        bytes += bytes_of(&list->items[first++]);
    }
    sq_compact_put_columns(w);
    sq_json_begin_array_of(w, "elements");
    for (size_t i = 0; i < list->count && sq_reply_has_room(w); i++) {
        if (i < first || i >= last) {
            sq_compact_put_row(&list->items[i], w);
            shown++;
        }
    }
    sq_json_end_array(w);
    return shown;
}
