/* accessibility-check: reports how usable the elements of this screen are. */
#include "tools/elements/listing.h"
#include "tools/elements/target.h"
#include "tools/operations.h"

/* A screen with more tappable elements counts as rich. */
#define RICH_CLICKABLE 3

struct counts {
    int total;
    int clickable;
    int unlabeled; /* of the clickable elements */
    int named;     /* clickable and labeled, not a canvas */
    int texts;
    int fields;
};

/* Returns whether the node has an area on the screen. */
static bool
is_visible(const struct sq_node *node, struct sq_dev_rect screen) {
    struct sq_size size = { screen.right, screen.bottom };
    struct sq_dev_rect seen;
    return sq_node_has_area(node)
        && (size.width <= 0 || sq_visible_part(node->bounds, size, &seen));
}

static int64_t
area_of(struct sq_dev_rect rect) {
    return (int64_t)(rect.right - rect.left) * (rect.bottom - rect.top);
}

static bool
has_label(const struct sq_node *node) {
    return node->text.len > 0 || node->desc.len > 0 || node->hint.len > 0;
}

/*
 * Returns whether the node is a canvas that handles touches and draws its
 * contents itself: it covers more than half of the screen, and nothing in it
 * has a label.
 */
static bool
is_canvas(const struct sq_node *node, struct sq_dev_rect screen) {
    if (node->flags & SQ_NODE_EDITABLE
        || 2 * area_of(node->bounds) <= area_of(screen)) {
        return false;
    }
    const struct sq_node *inside = sq_node_after(node);
    while (inside && inside->depth > node->depth && !has_label(inside)) {
        inside = sq_node_after(inside);
    }
    return !inside || inside->depth <= node->depth;
}

static bool
count_nodes(struct sq_call *call, const struct sq_tree *tree,
            struct counts *counts, struct sq_err *err) {
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        struct sq_span label;
        if (!is_visible(node, tree->root->bounds)) {
            continue;
        }
        if (!sq_node_label(node, call->arena, &label, err)) {
            return false;
        }
        bool clickable = node->flags & SQ_NODE_CLICKABLE;
        counts->total++;
        counts->clickable += clickable;
        counts->unlabeled += clickable && label.len == 0;
        counts->named +=
            clickable && label.len > 0 && !is_canvas(node, tree->root->bounds);
        counts->texts += node->text.len > 0 || node->desc.len > 0;
        counts->fields += (node->flags & SQ_NODE_EDITABLE) != 0;
    }
    return true;
}

static const char *
quality(const struct counts *counts) {
    if (counts->total <= 1 || counts->named + counts->fields == 0) {
        return "minimal";
    }
    bool named = counts->unlabeled * 2 <= counts->clickable;
    bool rich = counts->clickable > RICH_CLICKABLE || counts->fields > 0;
    return rich && named ? "rich" : "moderate";
}

static void
put_counts(const struct counts *counts, const struct sq_tree_state *state,
           struct sq_json_writer *w) {
    const char *grade = quality(counts);
    bool ready = sq_span_is(sq_span_of(grade), "rich");
    sq_put_bool(w, "hasAccessibleElements",
                counts->clickable > 0 || counts->texts > 0);
    sq_put_int(w, "clickableCount", counts->clickable);
    sq_put_int(w, "unlabeledClickableCount", counts->unlabeled);
    sq_put_int(w, "textCount", counts->texts);
    sq_put_int(w, "textFieldCount", counts->fields);
    sq_put_int(w, "totalElements", counts->total);
    sq_put_text(w, "quality", grade);
    sq_put_text(w, "recommendation",
                ready ? "accessibility-ready" : "consider-screenshot");
    if (state->outcome != SQ_TREE_READ) {
        sq_put_untrusted(w, "warning", sq_span_of(state->text));
    }
}

static bool
accessibility_check_run(struct sq_call *call, const void *args,
                        struct sq_err *err) {
    (void)args;
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct counts counts = { 0 };
    struct sq_reply reply;
    struct sq_tree_state state;
    bool ok = sq_tree_fetch(call, &tree, &state, err)
           && count_nodes(call, &tree, &counts, err)
           && sq_reply_start(call, &reply, err);
    if (ok) {
        put_counts(&counts, &state, &reply.w);
        ok = sq_reply_end(call, &reply, err);
    }
    return ok;
}

static bool
show(struct sq_people *people, struct sq_err *err) {
    static const struct {
        const char *quality;
        const char *sentence;
        enum sq_ink ink;
    } grades[] = {
        { "rich", "The elements describe this screen well", SQ_INK_GOOD },
        { "minimal", "This screen has hardly any elements", SQ_INK_DOUBT },
    };
    const struct sq_json *reply = people->reply;
    struct sq_span quality = sq_json_text_of(reply, "quality");
    const char *sentence = "The elements describe only a part of this screen";
    enum sq_ink ink = SQ_INK_DOUBT;
    for (size_t i = 0; i < SQ_COUNT(grades); i++) {
        if (sq_span_is(quality, grades[i].quality)) {
            sentence = grades[i].sentence;
            ink = grades[i].ink;
        }
    }
    return sq_page_printf(&people->page, ink, err, "%s", sentence)
        && sq_people_end_line(people, err)
        && sq_page_printf(&people->page, SQ_INK_PLAIN, err,
                          "  %d element%s: %d to tap (%d without a label), "
                          "%d with text, %d text field%s\n",
                          sq_json_int_of(reply, "totalElements"),
                          sq_plural(sq_json_int_of(reply, "totalElements")),
                          sq_json_int_of(reply, "clickableCount"),
                          sq_json_int_of(reply, "unlabeledClickableCount"),
                          sq_json_int_of(reply, "textCount"),
                          sq_json_int_of(reply, "textFieldCount"),
                          sq_plural(sq_json_int_of(reply, "textFieldCount")));
}

const struct sq_tool sq_tool_accessibility_check = {
    .name = "accessibility-check",
    .title = "Rate the elements",
    .text = "Whether elements or pictures serve better.",
    .manual =
        "Rates the screen's element tree. `quality` is rich, moderate or "
        "minimal (no tappable element has a name, as in a game); "
        "`recommendation` is accessibility-ready (use `@dump` and `@find`) or "
        "consider-screenshot (look at the picture and use its coordinates).",
    .flags = SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IDEMPOTENT | SQ_TOOL_ELEMENTS,
    .output =
        "hasAccessibleElements:bool clickableCount:int "
        "unlabeledClickableCount:int textCount:int textFieldCount:int "
        "totalElements:int quality:text recommendation:text warning?:text "
        "untrusted?:bool",
    .people = { .about = "Say whether the elements describe the screen well "
                         "enough to "
                         "be used instead of pictures.",
                .examples = { "accessibility-check" },
                .show = show },
    .uses = SQ_USE_SIZES | SQ_USE_ELEMENTS,
    .synonyms = "accessibility-check audit accessibility-audit",
    .run = accessibility_check_run,
};
