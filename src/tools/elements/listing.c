/* Converts element trees to lists. */
#include "tools/elements/listing.h"

#include <stdio.h>

#include "config/config.h"
#include "device/device.h"
#include "tools/elements/label.h"
#include "tools/elements/pixel_nodes.h"
#include "tools/offer.h"
#include "tools/reply.h"

#define LEAST_NEAR 500 /* of 1000; see sq_text_nearness */

static bool
place(const struct sq_view *view, struct sq_listed *item) {
    struct sq_dev_pt touched;
    return sq_node_has_area(item->node) && !(item->node->flags & SQ_NODE_UNSEEN)
        && sq_view_rect_to_image(view, item->node->bounds, &item->rect)
        && sq_view_middle(view, item->node->bounds, &touched, &item->middle);
}

int
sq_listed_index(const struct sq_node *node, size_t position) {
    const struct sq_node *root = node;
    while (root->parent) {
        root = root->parent;
    }
    return node->id ? node->id
                    : (int)position + (root->id ? SQ_FIRST_POSITION : 0);
}

/* Returns whether the node can do more than take the focus. */
static bool
can_be_used(const struct sq_node *node) {
    return sq_node_is_interactive(node)
        && (node->flags & ~(unsigned)SQ_NODE_FOCUSABLE
            & (SQ_NODE_CLICKABLE | SQ_NODE_LONG_CLICKABLE | SQ_NODE_SCROLLABLE
               | SQ_NODE_CHECKABLE | SQ_NODE_EDITABLE));
}

static bool
is_worth_listing(const struct sq_node *node, struct sq_span label,
                 int interactive_only) {
    if (can_be_used(node)) {
        return true;
    }
    if (interactive_only) {
        return node->flags & SQ_NODE_FOCUSABLE && label.len > 0;
    }
    return label.len > 0 && !sq_folded_into(node);
}

/* Decides whether a node with that label belongs into a list. */
struct filter {
    bool (*keeps)(const struct sq_node *node, struct sq_span label, int how);
    int how;
};

static bool
list_kept(const struct sq_tree *tree, const struct sq_view *view,
          const struct filter *filter, struct sq_arena *arena,
          struct sq_listing *out, struct sq_err *err) {
    struct sq_listing list = { 0 };
    list.items = sq_arena_alloc(arena, (size_t)tree->count + 1,
                                sizeof(*list.items), err);
    if (!list.items) {
        return false;
    }
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        struct sq_listed item = { .node = node };
        if (view ? !place(view, &item) : !sq_node_has_area(node)) {
            continue;
        }
        if (!sq_node_label(node, arena, &item.label, err)) {
            return false;
        }
        if (filter->keeps(node, item.label, filter->how)) {
            item.index = sq_listed_index(node, list.count);
            list.items[list.count++] = item;
        }
    }
    *out = list;
    return true;
}

bool
sq_listing_make(const struct sq_tree *tree, const struct sq_view *view,
                bool interactive_only, struct sq_arena *arena,
                struct sq_listing *out, struct sq_err *err) {
    const struct filter filter = { is_worth_listing, interactive_only };
    return list_kept(tree, view, &filter, arena, out, err);
}

const struct sq_node *
sq_only_checkable(const struct sq_node *root) {
    const struct sq_node *found = NULL;
    for (const struct sq_node *node = root;
         node && (node == root || node->depth > root->depth);
         node = sq_node_after(node)) {
        if (!(node->flags & SQ_NODE_CHECKABLE)) {
            continue;
        }
        if (found) {
            return NULL;
        }
        found = node;
    }
    return found;
}

/* Returns the state of the switch in a row that can be touched, or NULL. */
static const char *
state_inside(const struct sq_node *row) {
    const unsigned kinds = SQ_NODE_CLICKABLE | SQ_NODE_SCROLLABLE;
    const struct sq_node *inside = (row->flags & kinds) == SQ_NODE_CLICKABLE
                                     ? sq_only_checkable(row)
                                     : NULL;
    return !inside || inside == row        ? NULL
         : inside->flags & SQ_NODE_CHECKED ? "checked"
                                           : "unchecked";
}

bool
sq_listing_of(const struct sq_selection *selection, const struct sq_view *view,
              struct sq_arena *arena, struct sq_listing *out,
              struct sq_err *err) {
    struct sq_listing list = { 0 };
    list.items =
        sq_arena_alloc(arena, selection->count + 1, sizeof(*list.items), err);
    if (!list.items) {
        return false;
    }
    for (size_t i = 0; i < selection->count; i++) {
        struct sq_listed item = { .node = selection->matches[i].node,
                                  .label = selection->matches[i].label };
        item.likeness = selection->matches[i].likeness;
        item.line = selection->matches[i].line;
        item.how = selection->matches[i].how;
        item.inside = state_inside(item.node);
        if (item.node->flags & SQ_NODE_UNSEEN || place(view, &item)) {
            item.index = sq_listed_index(item.node, list.count);
            list.items[list.count++] = item;
        }
    }
    *out = list;
    return true;
}

void
sq_listing_nearest(const struct sq_listing *all, struct sq_span wanted,
                   struct sq_listing *near) {
    int scores[SQ_MAX_NEAR] = { 0 };
    for (size_t i = 0; i < all->count; i++) {
        int score = sq_text_nearness(all->items[i].label, wanted);
        size_t at = near->count;
        while (at > 0 && scores[at - 1] < score) {
            at--;
        }
        if (score < LEAST_NEAR || at == SQ_MAX_NEAR) {
            continue;
        }
        near->count += near->count < SQ_MAX_NEAR;
        for (size_t j = near->count - 1; j > at; j--) {
            near->items[j] = near->items[j - 1];
            scores[j] = scores[j - 1];
        }
        near->items[at] = all->items[i];
        scores[at] = score;
    }
}

void
sq_listing_number(const struct sq_call *call, struct sq_listing *list) {
    if (sq_session_keeps_lists(call->session)) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        struct sq_listed *item = &list->items[i];
        if (item->node->id) {
            continue;
        }
        const struct sq_element element =
            sq_element_of(item->node, item->label, (int)i);
        item->index = sq_session_element_number(
            call->session, call->device->info.id, &element);
    }
}

bool
sq_tree_elements(const struct sq_tree *tree, struct sq_arena *arena,
                 struct sq_elements *out, struct sq_err *err) {
    struct sq_listing list;
    struct sq_elements all = { .is_known = true };
    if (!sq_listing_make(tree, NULL, false, arena, &list, err)
        || !sq_listing_elements(&list, arena, &all.items, err)) {
        return false;
    }
    all.count = list.count;
    *out = all;
    return true;
}

bool
sq_listing_elements(const struct sq_listing *list, struct sq_arena *arena,
                    struct sq_element **out, struct sq_err *err) {
    struct sq_element *elements =
        sq_arena_alloc(arena, list->count + 1, sizeof(*elements), err);
    if (!elements) {
        return false;
    }
    int checks = SQ_COVER_CHECKS;
    for (size_t i = 0; i < list->count; i++) {
        const struct sq_node *node = list->items[i].node;
        elements[i] =
            sq_element_of(node, list->items[i].label, sq_listed_index(node, i));
        elements[i].is_covered = sq_node_is_covered(node, &checks);
    }
    *out = elements;
    return true;
}

bool
sq_listing_remember(struct sq_call *call, const struct sq_listing *list,
                    uint64_t change, struct sq_err *err) {
    struct sq_element *elements;
    return sq_listing_elements(list, call->arena, &elements, err)
        && sq_session_set_elements(call->session, call->device->info.id, change,
                                   elements, list->count, err);
}

const char *
sq_node_state(const struct sq_node *node) {
    if (!(node->flags & SQ_NODE_ENABLED)) {
        return "disabled";
    }
    if (node->flags & SQ_NODE_CHECKED) {
        return "checked";
    }
    if (node->flags & SQ_NODE_SELECTED) {
        return "selected";
    }
    if (node->flags & SQ_NODE_PASSWORD) {
        return "password";
    }
    return node->flags & SQ_NODE_FOCUSED ? "focused" : NULL;
}

const char *
sq_listed_state(const struct sq_listed *item) {
    const char *own = sq_node_state(item->node);
    return item->node->flags & SQ_NODE_DOUBTFUL ? "doubtful"
         : own                                  ? own
                                                : item->inside;
}

void
sq_listed_put(const struct sq_call *call, const struct sq_listed *item,
              struct sq_json_writer *w) {
    const struct sq_node *node = item->node;
    if (call->is_short && !item->likeness && !item->how && !item->line.len) {
        sq_compact_put_row(item, w);
        return;
    }
    sq_json_begin_object(w);
    if (item->index >= 0) {
        sq_put_int(w, "index", item->index);
    }
    sq_put_untrusted(w, "text", item->label);
    sq_put_untrusted(w, "line", item->line);
    sq_put_untrusted(w, "resourceId", sq_short_id(node->resource_id));
    sq_put_untrusted(w, "className", sq_node_type(node));
    if (node->flags & SQ_NODE_UNSEEN) {
        sq_put_bool(w, "offScreen", true);
    } else {
        sq_put_int(w, "centerX", item->middle.x);
        sq_put_int(w, "centerY", item->middle.y);
        sq_put_img_rect(w, "bounds", item->rect);
    }
    sq_put_bool(w, "clickable", node->flags & SQ_NODE_CLICKABLE);
    const char *state = sq_listed_state(item);
    if (state) {
        sq_put_text(w, "state", state);
    }
    if (item->likeness > 0 && item->likeness < 1000) {
        sq_put_double(w, "score", (item->likeness + 5) / 10 / 100.0);
    }
    if (item->how) {
        sq_put_text(w, "match", item->how);
    }
    const char *source = sq_seen_source(node->flags);
    if (source || node->flags & SQ_NODE_NAMED) {
        sq_put_text(w, "source",
                    source                           ? source
                    : node->flags & SQ_NODE_PICTURED ? "tree, label from image"
                                                     : "tree, label from text");
    }
    sq_json_end_object(w);
}

/* Requesting the app may take 1/APP_SHARE of the remaining time. */
#define APP_SHARE 4

bool
sq_ask_app(struct sq_call *call, struct sq_app *out, struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(
        &call->deadline, sq_deadline_left_ms(&call->deadline) / APP_SHARE);
    return sq_device_current_app(call->device, out, &limit, err);
}

/*
 * Returns in *out whether the configuration requests pictures for the
 * foreground app; false if the app is unknown.
 */
static bool
is_visual(struct sq_call *call, bool *out, struct sq_err *err) {
    struct sq_app app = { 0 };
    struct sq_err local_err = { 0 };
    *out = false;
    if (call->config->ui.visual_mode_packages.count == 0) {
        return true;
    }
    if (sq_ask_app(call, &app, &local_err)) {
        *out = sq_config_is_visual(call->config, app.package);
        return true;
    }
    return !sq_is_fatal(local_err.code) || sq_fail_with(err, &local_err);
}

static struct sq_tree_state
visual_mode(void) {
    return (struct sq_tree_state){
        .outcome = SQ_TREE_VISUAL_MODE,
        .why = "elements of this app are not read (ui.visualModePackages)",
        .text = "Elements of this app are not read (ui.visualModePackages). "
                "Take a screenshot.",
    };
}

struct sq_tree_state
sq_tree_missing(const struct sq_call *call, const struct sq_err *err) {
    struct sq_tree_state state = { .outcome = SQ_TREE_MISSING };
    struct sq_err shown = *err;
    char hint[SQ_ERR_HINT_SIZE];
    state.quotes = err->quotes;
    sq_reply_hide_error(call->redactor, &shown);
    sq_offer_write(sq_offer_to(call), shown.hint, hint, sizeof(hint));
    snprintf(state.why, sizeof(state.why), "%s", shown.message);
    snprintf(state.text, sizeof(state.text),
             "Elements cannot be listed: %s. %s", shown.message,
             hint[0] ? hint : "Take a screenshot.");
    return state;
}

bool
sq_tree_fail(const struct sq_tree_state *state, enum sq_err_code code,
             const char *before, const char *text, struct sq_err *err) {
    return state->quotes ? sq_fail_quoting(err, code, "%s%s", before, text)
                         : sq_fail(err, code, "%s%s", before, text);
}

/*
 * Applies the text rules to texts that are too long for a label: a part of a
 * secret would not be recognised as one.
 */
static bool
hide_in_long_texts(const struct sq_call *call, struct sq_tree *tree,
                   struct sq_err *err) {
    bool ok = true;
    for (struct sq_node *node = tree->root; ok && node;
         node = sq_node_next(node)) {
        struct sq_span *const texts[] = { &node->text, &node->desc,
                                          &node->hint };
        for (int i = 0; ok && i < 3; i++) {
            ok = texts[i]->len < SQ_MAX_LABEL_BYTES / 2
              || sq_reply_hide(call, texts[i], err);
        }
    }
    return ok;
}

bool
sq_tree_remember(struct sq_call *call, const struct sq_tree *tree,
                 struct sq_err *err) {
    struct sq_screen screen;
    struct sq_elements all;
    if (!call->session || !sq_session_keeps_lists(call->session)
        || !sq_device_screen(call->device, &screen, &call->deadline, NULL)) {
        return true;
    }
    const struct sq_tree_stamp stamp = sq_tree_stamp_now(call->device, &screen);
    return sq_tree_elements(tree, call->arena, &all, err)
        && sq_session_set_on_screen(call->session, call->device->info.id,
                                    &stamp, all.items, all.count, err);
}

bool
sq_tree_fetch(struct sq_call *call, struct sq_tree *out,
              struct sq_tree_state *state, struct sq_err *err) {
    bool visual;
    struct sq_err local_err = { 0 };
    if (!is_visual(call, &visual, err)) {
        return false;
    }
    if (visual) {
        *state = visual_mode();
        return true;
    }
    if (sq_device_tree(call->device, out, &call->deadline, &local_err)) {
        *state = (struct sq_tree_state){ .outcome = SQ_TREE_READ };
        return hide_in_long_texts(call, out, err)
            && sq_tree_remember(call, out, err);
    }
    if (local_err.code == SQ_ERR_UNSUPPORTED) {
        *state = sq_tree_missing(call, &local_err);
        return true;
    }
    return sq_fail_with(err, &local_err);
}

bool
sq_select_whole(struct sq_call *call, const struct sq_selector *selector,
                struct sq_tree *tree, struct sq_selection *out,
                struct sq_err *err) {
    struct sq_tree whole = { 0 };
    if (!sq_select(tree, selector, call->arena, out, err)) {
        return false;
    }
    bool is_complete =
        out->count > 0 && (!selector->nearest_to.given || out->anchor);
    if (is_complete || !call->device->ops->whole_tree) {
        return true;
    }
    if (!sq_device_whole_tree(call->device, &whole, &call->deadline, NULL)) {
        tree->is_cut = true;
        return true;
    }
    sq_tree_finish(tree);
    *tree = whole;
    return hide_in_long_texts(call, tree, err)
        && sq_select(tree, selector, call->arena, out, err);
}

const char *const sq_tappable_words[] = { "strict", "moderate", "permissive",
                                          "none", NULL };

/* Returns whether the type is a control by nature. */
static bool
is_control(const struct sq_node *node) {
    static const char *const parts[] = { "Button", "Cell",        "Link",
                                         "Tab",    "Switch",      "Field",
                                         "Edit",   "PickerWheel", "Check" };
    struct sq_span type = sq_node_type(node);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (sq_text_contains(type, sq_span_of(parts[i]), false)) {
            return true;
        }
    }
    return false;
}

static bool
passes(const struct sq_node *node, struct sq_span label, int level) {
    if (level == SQ_TAPPABLE_NONE) {
        return true;
    }
    if (!(node->flags & SQ_NODE_ENABLED)) {
        return false;
    }
    bool moderate =
        can_be_used(node)
        || sq_text_contains(sq_node_type(node), SQ_SPAN("Image"), false);
    bool named = label.len > 0 || node->resource_id.len > 0;
    return is_control(node) || (level >= SQ_TAPPABLE_MODERATE && moderate)
        || (level == SQ_TAPPABLE_PERMISSIVE && named);
}

bool
sq_listing_level(const struct sq_tree *tree, const struct sq_view *view,
                 enum sq_tappable level, struct sq_arena *arena,
                 struct sq_listing *out, struct sq_err *err) {
    const struct filter filter = { passes, (int)level };
    return list_kept(tree, view, &filter, arena, out, err);
}
