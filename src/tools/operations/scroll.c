/* scroll: scrolls the screen, or one list on it. */
#include <math.h>

#include "tools/elements/alternatives.h"
#include "tools/elements/target.h"
#include "tools/operations.h"
#include "tools/reply.h"
#include "tools/screen/gesture.h"
#include "tools/screen/receipt.h"

/*
 * Share of a side that the finger covers. The whole side would start at the
 * edges, where the system has its own gestures.
 */
#define REACH 0.8
#define DEFAULT_AMOUNT 0.5
#define MIN_MS 100

enum direction {
    UP,
    DOWN,
    LEFT,
    RIGHT,
};

static const char *const directions[] = { "up", "down", "left", "right", NULL };

struct scroll_args {
    struct sq_opt_int direction;
    struct sq_opt_double amount;
    struct sq_selector selector;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    { .name = "direction",
      SQ_CHOICE_FIELD(scroll_args, direction),
      .choices = directions,
      .required = true,
      .text = "",
      .help = "where to look next" },
    SQ_NUMBER(scroll_args, amount, "amount", 0, 1, "Of the screen",
              .help = "how far, as a share of the height or width",
              .initial = "0.5"),
    SQ_SELECTOR(scroll_args, selector),
    SQ_RECEIPT_ROWS(scroll_args),
    SQ_ARGS_END,
};

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct scroll_args *args = raw_args;
    return sq_selector_check(&args->selector, err)
        && sq_act_check(SQ_ACT_OPTIONS(args), err);
}

static int64_t
area(struct sq_dev_rect rect) {
    return ((int64_t)rect.right - rect.left)
         * ((int64_t)rect.bottom - rect.top);
}

static bool
contains(struct sq_dev_rect outer, struct sq_dev_rect inner) {
    return outer.left <= inner.left && outer.top <= inner.top
        && outer.right >= inner.right && outer.bottom >= inner.bottom;
}

static const struct sq_node *
scrollable_above(const struct sq_node *node) {
    while (node && !(node->flags & SQ_NODE_SCROLLABLE)) {
        node = node->parent;
    }
    return node;
}

/*
 * Returns the smallest scrollable ancestor of the node in the tree, else the
 * smallest one around it on the screen.
 */
static const struct sq_node *
container_of(const struct sq_tree *tree, const struct sq_node *inside) {
    const struct sq_node *best = scrollable_above(inside);
    if (best) {
        return best;
    }
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        if (node->flags & SQ_NODE_SCROLLABLE
            && contains(node->bounds, inside->bounds)
            && (!best || area(node->bounds) < area(best->bounds))) {
            best = node;
        }
    }
    return best;
}

/* Several matches are unambiguous if they all lie in one container. */
static bool
common_container(struct sq_call *call, const struct sq_screen *screen,
                 const struct sq_tree *tree, struct sq_selection *selection,
                 struct sq_dev_rect *out, struct sq_err *err) {
    const struct sq_node *container =
        container_of(tree, selection->matches[0].node);
    for (size_t i = 1; i < selection->count; i++) {
        if (container_of(tree, selection->matches[i].node) != container
            && !sq_selection_is_clear(selection)) {
            return sq_fail_ambiguous(call, screen, selection, err);
        }
    }
    if (!container) {
        sq_fail(err, SQ_ERR_ELEMENT_NOT_FOUND,
                "no scrollable element contains the element");
        return sq_fail_hint(err, "Leave ${selector|--selector.text} out to "
                                 "scroll the screen, or use @swipe.");
    }
    *out = container->bounds;
    return true;
}

static bool
find_container(struct sq_call *call, const struct sq_selector *selector,
               const struct sq_screen *screen, struct sq_dev_rect *out,
               struct sq_err *err) {
    struct sq_tree tree = { 0 };
    struct sq_selection selection = { 0 };
    bool ok = sq_target_tree(call, &tree, err)
           && sq_target_matches(call, &tree, selector, &selection, err)
           && common_container(call, screen, &tree, &selection, out, err);
    sq_tree_finish(&tree);
    return ok;
}

static int
rounded(double number) {
    return (int)floor(number + 0.5);
}

/* The start and end of the gesture on one axis. */
struct stroke {
    int from;
    int to;
};

/*
 * Plans the gesture on one axis. The finger moves against the direction: to
 * show what is further down, the content must move up. Both ends are pixels
 * inside the part.
 */
static struct stroke
plan_axis(int start, int end, int distance, bool forward) {
    int low = start + (end - start - distance) / 2;
    int high = low + distance < end ? low + distance : end - 1;
    return forward ? (struct stroke){ high, low }
                   : (struct stroke){ low, high };
}

static struct sq_swipe
plan(struct sq_dev_rect part, int direction, double amount) {
    struct sq_dev_pt middle = sq_dev_rect_middle(part);
    bool vertical = direction == UP || direction == DOWN;
    bool forward = direction == DOWN || direction == RIGHT;
    int start = vertical ? part.top : part.left;
    int end = vertical ? part.bottom : part.right;
    int distance = rounded((end - start) * amount * REACH);
    struct stroke stroke = plan_axis(start, end, distance, forward);
    int duration = distance / 2;
    return (struct sq_swipe){
        .from = { vertical ? middle.x : stroke.from,
                  vertical ? stroke.from : middle.y },
        .to = { vertical ? middle.x : stroke.to,
                vertical ? stroke.to : middle.y },
        .duration_ms = duration > MIN_MS ? duration : MIN_MS,
    };
}

static bool
is_same(struct sq_dev_pt a, struct sq_dev_pt b) {
    return a.x == b.x && a.y == b.y;
}

static bool
find_part(struct sq_call *call, const struct scroll_args *args,
          const struct sq_screen *screen, struct sq_dev_rect *out,
          struct sq_err *err) {
    *out =
        (struct sq_dev_rect){ 0, 0, screen->size.width, screen->size.height };
    struct sq_dev_rect found;
    if (!args->selector.given) {
        return true;
    }
    if (!find_container(call, &args->selector, screen, &found, err)) {
        return false;
    }
    if (!sq_visible_part(found, screen->size, out)) {
        sq_fail(err, SQ_ERR_ELEMENT_NOT_FOUND,
                "the scrollable element is outside the visible screen");
        return sq_fail_hint(
            err, "Leave ${selector|--selector.text} out to scroll the screen.");
    }
    return true;
}

struct scrolling {
    const struct scroll_args *args;
    double amount;
    struct sq_gesture gesture;
};

/* Converts an end of the gesture to pixels of its frame. */
static void
place(struct sq_target *end) {
    struct sq_img_pt image = sq_view_to_image(&end->frame.view, end->at);
    end->x = image.x;
    end->y = image.y;
}

static bool
prepare(struct sq_call *call, struct scrolling *scrolling, struct sq_err *err) {
    const struct scroll_args *args = scrolling->args;
    struct sq_target *from = &scrolling->gesture.from;
    struct sq_target *to = &scrolling->gesture.to;
    struct sq_dev_rect part;
    if (!sq_device_screen(call->device, &from->screen, &call->deadline, err)
        || !find_part(call, args, &from->screen, &part, err)
        || !sq_answer_view(call, &from->screen, &from->frame, err)) {
        return false;
    }
    struct sq_swipe swipe =
        plan(part, args->direction.value, scrolling->amount);
    if (is_same(swipe.from, swipe.to)) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "an amount of %g scrolls by less than a pixel",
                scrolling->amount);
        return sq_fail_hint(
            err, "Give a larger amount, up to 1. The default is 0.5.");
    }
    *to = *from;
    from->at = swipe.from;
    to->at = swipe.to;
    place(from);
    place(to);
    scrolling->gesture.duration_ms = swipe.duration_ms;
    return true;
}

static void
put_scrolled(struct sq_json_writer *w, const void *context) {
    const struct scrolling *scrolling = context;
    sq_json_put_key(w, "scrolled");
    sq_json_begin_object(w);
    sq_put_text(w, "direction", directions[scrolling->args->direction.value]);
    sq_put_double(w, "amount", scrolling->amount);
    sq_put_gesture(w, &scrolling->gesture);
    sq_json_end_object(w);
}

static bool
scroll_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct scroll_args *args = raw_args;
    struct scrolling scrolling = {
        .args = args,
        .amount = args->amount.given ? args->amount.value : DEFAULT_AMOUNT,
    };
    struct sq_act act = { 0 };
    bool ok = prepare(call, &scrolling, err)
           && sq_act_begin(&act, call, SQ_ACT_OPTIONS(args), err)
           && sq_gesture_make(call, &scrolling.gesture, err)
           && sq_act_end(&act, put_scrolled, NULL, &scrolling, err);
    sq_act_finish(&act);
    return ok;
}

const struct sq_tool sq_tool_scroll = {
    .name = "scroll",
    .title = "Scroll",
    .text = "Scroll the screen, or the list at a selector.",
    .manual =
        "`direction` is the direction in which you want to see more: `down` "
        "moves the content up. `amount` is the share of the height or width, "
        "0.5 if omitted. With `selector` the smallest scrolling area around "
        "the match is moved, otherwise the whole screen.\n\n"
        "`\"changed\": null` in the answer means that nothing moved: the end "
        "was reached, or nothing there can scroll.\n\n"
        "```json\n"
        "{\"operation\": \"@scroll\", \"direction\": \"down\", \"amount\": 0.8}"
        "\n"
        "```\n",
    .flags = SQ_TOOL_ACTS | SQ_TOOL_NEEDS_DEVICE | SQ_TOOL_IMAGE,
    .args = table,
    .args_size = sizeof(struct scroll_args),
    .words = "direction amount?",
    .timeout_ms = 40000,
    .check = check,
    .people = { .about =
                    "Scroll the screen, or a list that --selector.text names.",
                .examples = { "scroll down", "scroll down 0.8" },
                .line = "Scrolled {scrolled.direction}" },
    .uses = SQ_USES_ACTS | SQ_USES_FINDS,
    .synonyms = "scroll scroll-down scroll-up scroll-to swipe-up swipe-down "
                "swipe-screen scroll-screen",
    .example = "\"direction\": \"down\"",
    .run = scroll_run,
};
