/* Plans strokes that scroll, and repeats them until something is seen. */
#include "tools/elements/scrolling.h"

#include <math.h>

#include "config/config.h"
#include "sys/clock.h"
#include "tools/reply.h"
#include "util/minmax.h"

/*
 * Share of a side that the finger covers. The whole side would start at the
 * edges, where the system has its own gestures.
 */
#define REACH 0.8
#define MIN_MS 100

/* Usual heights of the bars of a screen, and of the system's own edges. */
#define TOP_BARS_PERCENT 18
#define BOTTOM_BARS_PERCENT 12
#define EDGE_PERCENT 3

#define NS_PER_MS 1000000
#define POLL_MS 50       /* between two reads of a list */
#define MAX_RESTS 20     /* reads of a list that keeps moving */
#define RESERVE_MS 12000 /* of the call's time, for what follows a search */
#define MAX_LABELS 400
#define MAX_PASSED_BYTES 40 /* of a label in the answer */

const char *const sq_direction_words[] = { "up", "down", "left", "right",
                                           NULL };

struct sq_swipe
sq_plan_stroke(struct sq_dev_rect part, enum sq_direction direction,
               double amount) {
    struct sq_dev_pt middle = sq_dev_rect_middle(part);
    bool vertical = direction == SQ_UP || direction == SQ_DOWN;
    bool forward = direction == SQ_DOWN || direction == SQ_RIGHT;
    int start = vertical ? part.top : part.left;
    int end = vertical ? part.bottom : part.right;
    int distance = (int)floor((end - start) * amount * REACH + 0.5);
    /* Both ends are pixels inside the part. */
    int low = start + (end - start - distance) / 2;
    int high = sq_min_int(low + distance, end - 1);
    /* To show what is further down, the content must move up. */
    int from = forward ? high : low;
    int to = forward ? low : high;
    return (struct sq_swipe){
        .from = { vertical ? middle.x : from, vertical ? from : middle.y },
        .to = { vertical ? middle.x : to, vertical ? to : middle.y },
        .duration_ms = sq_max_int(distance / 2, MIN_MS),
        .is_scroll = true,
    };
}

struct sq_swipe
sq_plan_screen_stroke(struct sq_size screen, enum sq_direction direction,
                      double amount) {
    const struct sq_dev_rect whole = { 0, 0, screen.width, screen.height };
    struct sq_swipe swipe = sq_plan_stroke(whole, direction, amount);
    if (direction == SQ_UP || direction == SQ_DOWN) {
        const int edge = screen.height * EDGE_PERCENT / 100;
        const int top = screen.height * TOP_BARS_PERCENT / 100;
        const int bottom = screen.height * BOTTOM_BARS_PERCENT / 100;
        const int from =
            sq_min_int(sq_max_int(swipe.from.y, top), screen.height - bottom);
        const int to = swipe.to.y + from - swipe.from.y;
        swipe.to.y = sq_min_int(sq_max_int(to, edge), screen.height - edge);
        swipe.from.y = from;
    }
    return swipe;
}

const struct sq_node *
sq_scrollable_around(const struct sq_tree *tree, const struct sq_node *inside) {
    const struct sq_node *best = inside;
    while (best && !(best->flags & SQ_NODE_SCROLLABLE)) {
        best = best->parent;
    }
    if (best) {
        return best;
    }
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        if (node->flags & SQ_NODE_SCROLLABLE
            && sq_dev_rect_is_around(node->bounds, inside->bounds)
            && (!best
                || sq_dev_rect_area(node->bounds)
                       < sq_dev_rect_area(best->bounds))) {
            best = node;
        }
    }
    return best;
}

const struct sq_node *
sq_scrollable_largest(const struct sq_tree *tree) {
    const struct sq_node *best = NULL;
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        if (node->flags & SQ_NODE_SCROLLABLE
            && (!best
                || sq_dev_rect_area(node->bounds)
                       > sq_dev_rect_area(best->bounds))) {
            best = node;
        }
    }
    return best;
}

/* A label, and the latest look that showed it. */
struct seen_label {
    struct sq_span text;
    int look;
};

/* All labels of a search, in the order in which they were seen. */
struct sq_scroll_labels {
    struct seen_label items[MAX_LABELS];
    size_t count;
    int looks;
    uint64_t hash; /* of the latest look */
};

static bool
note_label(struct sq_call *call, struct sq_scroll_labels *labels,
           struct sq_span text, struct sq_err *err) {
    size_t i = 0;
    while (i < labels->count && !sq_span_equal(labels->items[i].text, text)) {
        i++;
    }
    if (i == MAX_LABELS || text.len == 0) {
        return true;
    }
    if (i == labels->count) {
        if (!sq_arena_keep(call->arena, &text, err)) {
            return false;
        }
        labels->items[labels->count++].text = text;
    }
    labels->items[i].look = labels->looks;
    return true;
}

/* Returns whether no edge of the list may cut an element off. */
static bool
is_inside(struct sq_dev_rect list, struct sq_dev_rect element) {
    return element.left >= list.left && element.right <= list.right
        && element.top > list.top && element.bottom < list.bottom;
}

/* FNV-1a. */
static uint64_t
mix(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/* Notes the labels of the list, and computes the hash of what it shows. */
static bool
note_list(struct sq_call *call, struct sq_scroll_search *search,
          struct sq_err *err) {
    struct sq_scroll_labels *labels = search->labels;
    struct sq_listing all;
    bool ok = sq_listing_make(&search->tree, &search->frame.view, false,
                              call->arena, &all, err);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    labels->looks++;
    for (size_t i = 0; ok && i < all.count; i++) {
        const struct sq_listed *item = &all.items[i];
        if (sq_dev_rect_has_middle(search->part, item->node->bounds)) {
            hash = mix(hash, item->label.ptr, item->label.len);
            hash = mix(hash, &item->rect, sizeof(item->rect));
            ok = sq_node_is_secret(item->node)
              || !is_inside(search->part, item->node->bounds)
              || note_label(call, labels, item->label, err);
        }
    }
    labels->hash = hash;
    return ok;
}

/* Returns whether the middle of an element can be seen in the list. */
static bool
is_seen(const struct sq_scroll_search *search, const struct sq_node *node) {
    struct sq_dev_rect part;
    const struct sq_node *list = sq_scrollable_around(&search->tree, node);
    return sq_node_has_area(node)
        && sq_visible_part(node->bounds, search->frame.view.device, &part)
        && sq_dev_rect_has_middle(part, node->bounds)
        && (!list || list == node
            || sq_dev_rect_has_middle(list->bounds, node->bounds));
}

/* Reads the screen, and looks for the element. */
static bool
look(struct sq_call *call, struct sq_scroll_search *search,
     struct sq_err *err) {
    struct sq_screen screen;
    struct sq_selection selection = { 0 };
    search->list = (struct sq_listing){ 0 };
    sq_tree_finish(&search->tree);
    sq_device_begin(call->device, 0);
    if (!sq_target_tree(call, &search->tree, err)
        || !sq_device_screen(call->device, &screen, &call->deadline, err)
        || (search->labels->looks == 0
            && !sq_session_view(call->session, call->device->info.id, &screen,
                                &search->frame, err))) {
        return false;
    }
    if (sq_dev_rect_area(search->part) == 0) {
        const struct sq_node *list = sq_scrollable_largest(&search->tree);
        search->part =
            (struct sq_dev_rect){ 0, 0, screen.size.width, screen.size.height };
        if (list) {
            sq_visible_part(list->bounds, screen.size, &search->part);
        }
    }
    if (!note_list(call, search, err)
        || (search->until
            && !sq_select(&search->tree, search->until, call->arena, &selection,
                          err))) {
        return false;
    }
    for (size_t i = 0; i < selection.count; i++) {
        if (is_seen(search, selection.matches[i].node)) {
            selection.matches += i;
            selection.count = 1;
            return sq_listing_of(&selection, &search->frame.view, call->arena,
                                 &search->list, err);
        }
    }
    return true;
}

/*
 * Reads the list until it has moved and rests again, or has had the time to
 * react. *moved is false if it shows what it showed before.
 */
static bool
await_move(struct sq_call *call, struct sq_scroll_search *search, bool *moved,
           struct sq_err *err) {
    const uint64_t before = search->labels->hash;
    const int64_t start = sq_clock_monotonic_ns();
    const bool is_instant = call->device->ops->elements_are_instant;
    uint64_t last = before;
    bool is_at_rest = false;
    for (int reads = 0; !is_at_rest && reads < MAX_RESTS; reads++) {
        if ((reads > 0 && !sq_wait_ms(POLL_MS, &call->deadline, err))
            || !look(call, search, err)) {
            return false;
        }
        uint64_t now = search->labels->hash;
        int64_t waited = (sq_clock_monotonic_ns() - start) / NS_PER_MS;
        *moved = now != before;
        /* Where reading takes long, it waits until the screen is idle. */
        is_at_rest = *moved ? now == last || !is_instant
                            : waited >= call->config->ui.watch_ms;
        last = now;
    }
    return true;
}

static bool
make_stroke(struct sq_call *call, struct sq_scroll_search *search,
            struct sq_err *err) {
    struct sq_swipe swipe =
        sq_plan_stroke(search->part, search->direction, search->amount);
    swipe.duration_ms *= 2; /* lists that are thrown would pass elements */
    search->strokes++;
    return sq_device_swipe(call->device, &swipe, &call->deadline, err);
}

/* Collects the labels that were seen before and are not seen now. */
static bool
collect_passed(struct sq_call *call, struct sq_scroll_search *search,
               struct sq_err *err) {
    const struct sq_scroll_labels *labels = search->labels;
    search->passed = sq_arena_alloc(call->arena, SQ_MAX_PASSED,
                                    sizeof(*search->passed), err);
    if (!search->passed) {
        return false;
    }
    for (size_t i = 0; i < labels->count; i++) {
        if (labels->items[i].look == labels->looks) {
            continue;
        }
        if (search->passed_count < SQ_MAX_PASSED) {
            search->passed[search->passed_count] = labels->items[i].text;
        }
        search->passed_count++;
    }
    return true;
}

bool
sq_scroll_search(struct sq_call *call, struct sq_scroll_search *search,
                 struct sq_err *err) {
    bool moved = true;
    search->labels =
        sq_arena_alloc(call->arena, 1, sizeof(*search->labels), err);
    if (!search->labels) {
        return false;
    }
    search->labels->count = 0;
    search->labels->looks = 0;
    bool ok = look(call, search, err);
    while (ok && search->list.count == 0 && moved
           && search->strokes < search->limit
           && sq_deadline_left_ms(&call->deadline) > RESERVE_MS) {
        ok = make_stroke(call, search, err)
          && await_move(call, search, &moved, err);
    }
    search->stop = search->list.count > 0 ? SQ_SCROLL_FOUND
                 : moved                  ? SQ_SCROLL_LIMIT
                                          : SQ_SCROLL_END;
    return ok && collect_passed(call, search, err);
}

bool
sq_scroll_to(struct sq_call *call, const struct sq_selector *selector,
             struct sq_scroll_search *search, struct sq_err *err) {
    const struct sq_scroll_search way = {
        .until = selector,
        .direction = SQ_DOWN,
        .amount = SQ_SEARCH_AMOUNT,
        .limit = SQ_USUAL_STROKES,
    };
    *search = way;
    if (!sq_scroll_search(call, search, err)) {
        return false;
    }
    if (search->stop == SQ_SCROLL_FOUND) {
        return true;
    }
    int strokes = search->strokes;
    sq_scroll_search_finish(search);
    *search = way;
    search->direction = SQ_UP;
    search->limit = SQ_USUAL_STROKES + strokes;
    return sq_scroll_search(call, search, err);
}

void
sq_scroll_search_put(const struct sq_scroll_search *search,
                     struct sq_json_writer *w) {
    static const char *const stops[] = {
        [SQ_SCROLL_FOUND] = "found",
        [SQ_SCROLL_END] = "end",
        [SQ_SCROLL_LIMIT] = "limit",
    };
    size_t shown = sq_min_size(search->passed_count, SQ_MAX_PASSED);
    sq_put_text(w, "direction", sq_direction_words[search->direction]);
    sq_put_text(w, "stopped", stops[search->stop]);
    sq_put_int(w, "strokes", search->strokes);
    if (shown == 0) {
        return;
    }
    sq_json_begin_array_of(w, "passed");
    for (size_t i = 0; i < shown; i++) {
        sq_json_put_untrusted_start(w, search->passed[i], MAX_PASSED_BYTES);
    }
    sq_json_end_array(w);
    if (shown < search->passed_count) {
        sq_put_int(w, "passedCount", (int64_t)search->passed_count);
    }
}

void
sq_scroll_search_finish(struct sq_scroll_search *search) {
    sq_tree_finish(&search->tree);
}
