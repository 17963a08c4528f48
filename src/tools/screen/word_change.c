/* Compares two lists of elements, and writes the difference in words. */
#include "tools/screen/word_change.h"

#include <stdio.h>

#include "redact/redact.h"
#include "tools/elements/listing.h"
#include "tools/elements/selector.h"
#include "tools/offer.h"
#include "tools/reply.h"
#include "util/span.h"
#include "util/utf8.h"

#define MAX_TEXT_BYTES 90
#define MAX_ALL_BYTES 500
#define MAX_COMPARED 4000
/* Another screen has at least that many new elements. */
#define LEAST_NEW 4

bool
sq_may_name(const struct sq_call *call, const struct sq_screen *screen) {
    const struct sq_redact_rules *rules =
        call->redactor ? call->redactor->rules : NULL;
    return !rules || !sq_redact_has_app_rules(rules)
        || (screen->app[0]
            && !sq_redact_hides_app(rules, sq_span_of(screen->app)));
}

bool
sq_elements_take_at_most(const struct sq_device *device, int ms) {
    const struct sq_device_ops *ops = device->ops;
    return ops->elements_are_instant
        || (ops->tree_ms > 0 && ops->tree_ms <= ms);
}

bool
sq_elements_keep(struct sq_arena *arena, struct sq_elements *elements) {
    bool ok = true;
    for (size_t i = 0; ok && i < elements->count; i++) {
        ok = sq_element_keep(&elements->items[i], arena, NULL);
    }
    elements->is_known = elements->is_known && ok;
    return ok;
}

void
sq_elements_read_if_cheap(struct sq_call *call, struct sq_elements *out) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_tree_state state;
    struct sq_elements now;
    if (sq_elements_take_at_most(call->device, SQ_CHEAP_LIST_MS)
        && sq_tree_fetch(call, &tree, &state, NULL)
        && state.outcome == SQ_TREE_READ
        && sq_tree_elements(&tree, call->arena, &now, NULL)
        && sq_elements_keep(call->arena, &now)) {
        *out = now;
    }
}

/* Replaces a text by what rules leave of it, shortened. */
static bool
shorten(const struct sq_call *call, struct sq_span *text, const char **dots) {
    if (!sq_reply_hide(call, text, NULL)) {
        return false;
    }
    struct sq_span start = sq_utf8_shorten(*text, MAX_TEXT_BYTES);
    *dots = start.len < text->len ? "\xe2\x80\xa6" : "";
    *text = start;
    return true;
}

bool
sq_word_change_add(struct sq_call *call, struct sq_word_change *words,
                   char sign, struct sq_span text, struct sq_span state) {
    char line[2 * MAX_TEXT_BYTES + 20];
    const char *dots[2];
    if (words->count == SQ_MAX_WORD_LINES || words->bytes > MAX_ALL_BYTES) {
        words->more++;
        return true;
    }
    if (!shorten(call, &text, &dots[0]) || !shorten(call, &state, &dots[1])) {
        return false;
    }
    /* A name that could be read as one with a state. */
    const char *quote = state.len > 0 && sq_span_find(text, ": ") ? "\"" : "";
    int len = snprintf(line, sizeof(line), "%c %s%.*s%s%s%s%.*s%s", sign, quote,
                       SQ_SPAN_ARGS(text), dots[0], quote,
                       state.len > 0 ? ": " : "", SQ_SPAN_ARGS(state), dots[1]);
    for (int i = 0; i < len; i++) {
        line[i] = line[i] == '\n' ? ' ' : line[i];
    }
    struct sq_span kept = { line, (size_t)len };
    if (!sq_arena_keep(call->arena, &kept, NULL)) {
        return false;
    }
    words->lines[words->count++] = kept;
    words->bytes += kept.len;
    return true;
}

/* One of the two lists, and which of the other one each entry is. */
struct side {
    const struct sq_elements *list;
    uint32_t *hashes;
    size_t *pairs; /* index in the other list, or NONE */
};

#define NONE SIZE_MAX

static uint32_t
hash_text(uint32_t hash, struct sq_span text) {
    for (size_t i = 0; i < text.len; i++) {
        hash = (hash ^ (uint8_t)text.ptr[i]) * 16777619U;
    }
    return (hash ^ 0xff) * 16777619U;
}

static bool
is_field(const struct sq_element *item) {
    return item->flags & SQ_NODE_EDITABLE || item->is_secret;
}

/*
 * Returns the label of an element, or of the lowest one around it: a switch
 * often has none, but its row has.
 */
static struct sq_span
label_of(const struct sq_elements *list, const struct sq_element *item) {
    const struct sq_element *best = item;
    for (size_t i = 0; item->label.len == 0 && i < list->count; i++) {
        const struct sq_element *other = &list->items[i];
        if (other->label.len > 0 && !is_field(other)
            && sq_dev_rect_is_around(other->bounds, item->bounds)
            && (best == item
                || other->bounds.bottom - other->bounds.top
                       < best->bounds.bottom - best->bounds.top)) {
            best = other;
        }
    }
    return best->label;
}

static bool
start_side(struct sq_arena *arena, const struct sq_elements *list,
           struct side *out) {
    const size_t room = list->count + 1;
    out->list = list;
    out->hashes = sq_arena_alloc(arena, room, sizeof(*out->hashes), NULL);
    out->pairs = sq_arena_alloc(arena, room, sizeof(*out->pairs), NULL);
    if (!out->hashes || !out->pairs) {
        return false;
    }
    for (size_t i = 0; i < list->count; i++) {
        const struct sq_element *item = &list->items[i];
        uint32_t hash = hash_text(2166136261U, item->type);
        hash = hash_text(hash, item->resource_id);
        /* The label of a password field says whether it has text. */
        out->hashes[i] =
            item->is_secret ? hash : hash_text(hash, label_of(list, item));
        out->pairs[i] = NONE;
    }
    return true;
}

static bool
same_place(const struct sq_element *a, const struct sq_element *b) {
    return sq_dev_rect_equal(a->bounds, b->bounds);
}

/* How two entries are recognised as the same, in this order. */
enum likeness {
    UNMOVED,
    ANYWHERE,
    FIELD, /* with another text */
};

static bool
is_pair(const struct side *before, size_t i, const struct side *after, size_t j,
        enum likeness likeness) {
    const struct sq_element *a = &before->list->items[i];
    const struct sq_element *b = &after->list->items[j];
    return likeness == FIELD
             ? a->flags & b->flags & SQ_NODE_EDITABLE
                   && sq_span_equal(a->type, b->type)
                   && sq_span_equal(a->resource_id, b->resource_id)
                   && (a->resource_id.len > 0 || same_place(a, b))
             : before->hashes[i] == after->hashes[j]
                   && (likeness == ANYWHERE || same_place(a, b));
}

static void
find_pairs(struct side *before, struct side *after, enum likeness likeness) {
    size_t first = 0; /* all before it have one */
    for (size_t j = 0; j < after->list->count; j++) {
        while (first < before->list->count && before->pairs[first] != NONE) {
            first++;
        }
        for (size_t i = first;
             after->pairs[j] == NONE && i < before->list->count; i++) {
            if (before->pairs[i] == NONE
                && is_pair(before, i, after, j, likeness)) {
                before->pairs[i] = j;
                after->pairs[j] = i;
            }
        }
    }
}

/* Returns a name for an element: its label, or its id or type. */
static struct sq_span
name_of(const struct sq_elements *list, const struct sq_element *item,
        char space[MAX_TEXT_BYTES]) {
    struct sq_span label = label_of(list, item);
    struct sq_span id = sq_short_id(item->resource_id);
    if (label.len > 0 && !is_field(item)) {
        return label;
    }
    snprintf(space, MAX_TEXT_BYTES, "%s%.*s", id.len > 0 ? "#" : "",
             SQ_SPAN_ARGS(id.len > 0 ? id : item->type));
    return sq_span_of(space);
}

static const struct {
    unsigned flag;
    const char *names[2]; /* if it has the flag now, or no longer */
} states[] = {
    { SQ_NODE_CHECKED, { "checked", "unchecked" } },
    { SQ_NODE_SELECTED, { "selected", NULL } },
    { SQ_NODE_FOCUSED, { "focused", NULL } },
    { SQ_NODE_ENABLED, { "enabled", "disabled" } },
};

/* Adds a line for each state of an element that is new. */
static bool
add_states(struct sq_call *call, const struct sq_elements *list,
           const struct sq_element *was, const struct sq_element *is,
           struct sq_word_change *words) {
    bool ok = true;
    for (size_t i = 0; ok && i < SQ_COUNT(states); i++) {
        const char *name = states[i].names[!(is->flags & states[i].flag)];
        if ((was->flags ^ is->flags) & states[i].flag && name) {
            char space[MAX_TEXT_BYTES];
            ok = sq_word_change_add(call, words, '=', name_of(list, is, space),
                                    sq_span_of(name));
        }
    }
    return ok;
}

/* Returns whether an entry is certainly the same as the one of its pair. */
static bool
is_certain(const struct side *before, const struct side *after, size_t j) {
    const size_t i = after->pairs[j];
    if (same_place(&before->list->items[i], &after->list->items[j])) {
        return true;
    }
    int alike = 0;
    for (size_t k = 0; k < before->list->count; k++) {
        alike += before->hashes[k] == after->hashes[j];
    }
    for (size_t k = 0; k < after->list->count; k++) {
        alike += after->hashes[k] == after->hashes[j];
    }
    return alike <= 2;
}

/* Returns the text of a field; in quotes if it reads as a state. */
static struct sq_span
text_of_field(const struct sq_element *field, char space[MAX_TEXT_BYTES]) {
    bool is_state = sq_span_is(field->label, "empty");
    for (size_t i = 0; i < 2 * SQ_COUNT(states); i++) {
        const char *name = states[i / 2].names[i % 2];
        is_state = is_state || (name && sq_span_is(field->label, name));
    }
    snprintf(space, MAX_TEXT_BYTES, "\"%.*s\"", SQ_SPAN_ARGS(field->label));
    return field->is_empty ? SQ_SPAN("empty")
         : is_state        ? sq_span_of(space)
                           : field->label;
}

/* Adds what is still there with another state or text. */
static bool
add_updates(struct sq_call *call, const struct side *before,
            const struct side *after, struct sq_word_change *words) {
    bool ok = true;
    for (size_t j = 0; ok && j < after->list->count; j++) {
        const struct sq_element *is = &after->list->items[j];
        size_t i = after->pairs[j];
        if (i == NONE || !is_certain(before, after, j)) {
            continue;
        }
        if (before->hashes[i] != after->hashes[j]) {
            char name[MAX_TEXT_BYTES];
            char text[MAX_TEXT_BYTES];
            ok = sq_word_change_add(call, words, '=',
                                    name_of(after->list, is, name),
                                    text_of_field(is, text));
        }
        ok = ok
          && add_states(call, after->list, &before->list->items[i], is, words);
    }
    return ok;
}

/* How many labels a list has, and how many of them only this one has. */
struct label_count {
    size_t all;
    size_t own;
};

/* Adds the labels of a list that the other one does not have. */
static bool
add_others(struct sq_call *call, const struct side *side, char sign,
           struct sq_word_change *words, struct label_count *count) {
    bool ok = true;
    for (size_t i = 0; ok && i < side->list->count; i++) {
        const struct sq_element *item = &side->list->items[i];
        if (item->label.len == 0 || item->is_secret) {
            continue;
        }
        count->all++;
        if (side->pairs[i] == NONE) {
            count->own++;
            ok =
                sq_word_change_add(call, words, sign, item->label, SQ_SPAN(""));
        }
    }
    return ok;
}

bool
sq_word_change_compare(struct sq_call *call, const struct sq_elements *before,
                       const struct sq_elements *after,
                       struct sq_word_change *out) {
    struct sq_word_change words = { .by = "elements" };
    struct side sides[2];
    struct label_count appeared = { 0, 0 };
    struct label_count gone = { 0, 0 };
    if (before->count > MAX_COMPARED || after->count > MAX_COMPARED) {
        return true;
    }
    if (!start_side(call->arena, before, &sides[0])
        || !start_side(call->arena, after, &sides[1])) {
        return false;
    }
    for (int likeness = UNMOVED; likeness <= FIELD; likeness++) {
        find_pairs(&sides[0], &sides[1], (enum likeness)likeness);
    }
    if (!add_updates(call, &sides[0], &sides[1], &words)
        || !add_others(call, &sides[1], '+', &words, &appeared)
        || !add_others(call, &sides[0], '-', &words, &gone)) {
        return false;
    }
    words.is_other_screen =
        appeared.own >= LEAST_NEW && 2 * appeared.own > appeared.all;
    *out = words;
    return true;
}

void
sq_word_change_put(const struct sq_call *call,
                   const struct sq_word_change *words,
                   struct sq_json_writer *w) {
    if (!words->by) {
        return;
    }
    sq_json_begin_array_of(w, "now");
    for (int i = 0; i < words->count; i++) {
        sq_json_put_untrusted(w, words->lines[i]);
    }
    sq_json_end_array(w);
    if (words->more > 0) {
        char text[60];
        snprintf(text, sizeof(text), "%d more: @dump", words->more);
        sq_put_advice(call, w, "more", text);
    }
    sq_put_redacted(w, words->redacted);
    sq_put_text(w, "by", words->by);
}
