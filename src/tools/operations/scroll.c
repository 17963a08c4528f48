/* scroll: scrolls the screen, or one list on it. */
#include <string.h>

#include "tools/elements/scrolling.h"
#include "tools/elements/target.h"
#include "tools/operations.h"
#include "tools/screen/gesture.h"
#include "tools/screen/receipt.h"

#define DEFAULT_AMOUNT 0.5

struct scroll_args {
    struct sq_opt_int direction;
    struct sq_opt_double amount;
    struct sq_selector selector;
    struct sq_selector until;
    struct sq_opt_int limit;
    SQ_RECEIPT_FIELDS;
};

static const struct sq_arg table[] = {
    SQ_CHOICE(scroll_args, direction, "direction", sq_direction_words, "",
              .help = "where to look next", .initial = "down"),
    SQ_NUMBER(scroll_args, amount, "amount", 0, 1, "Of the screen",
              .help = "how far, as a share of the height or width",
              .initial = "0.5"),
    SQ_SELECTOR(scroll_args, selector),
    SQ_OBJECT(scroll_args, until, "until", sq_selector, sq_selector_args,
              SQ_UNTIL_TEXT, .is_open = true, .placeholder = "TEXT",
              .help =
                  "repeat until this part of a label is seen, or to the end"),
    SQ_INT(scroll_args, limit, "limit", 1, SQ_MAX_STROKES, "",
           .help = "make at most N strokes with --until", .initial = "20"),
    SQ_RECEIPT_ROWS(scroll_args),
    SQ_ARGS_END,
};

static bool
check(const void *raw_args, struct sq_err *err) {
    const struct scroll_args *args = raw_args;
    if (args->limit.given && !args->until.given) {
        return sq_fail_argument(err, "$limit does nothing without $until",
                                "Leave it out, or give $until.");
    }
    return sq_selector_check(&args->selector, err)
        && sq_selector_check(&args->until, err)
        && sq_act_check(SQ_ACT_OPTIONS(args), err);
}

/* Several matches are unambiguous if they all lie in one container. */
static bool
common_container(struct sq_call *call, const struct sq_screen *screen,
                 const struct sq_tree *tree, struct sq_selection *selection,
                 struct sq_dev_rect *out, struct sq_err *err) {
    const struct sq_node *container =
        sq_scrollable_around(tree, selection->matches[0].node);
    for (size_t i = 1; i < selection->count; i++) {
        if (sq_scrollable_around(tree, selection->matches[i].node) != container
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
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_selection selection = { 0 };
    return sq_target_tree(call, &tree, err)
        && sq_target_matches(call, &tree, selector, &selection, err)
        && common_container(call, screen, &tree, &selection, out, err);
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

/* One call. */
struct scrolling {
    const struct scroll_args *args;
    enum sq_direction direction;
    double amount;
    struct sq_gesture gesture;
    struct sq_scroll_search search;
    struct sq_selector until; /* of the search */
    const struct sq_call *call;
    const struct sq_act *act;
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
        args->selector.given
            ? sq_plan_stroke(part, scrolling->direction, scrolling->amount)
            : sq_plan_screen_stroke(from->screen.size, scrolling->direction,
                                    scrolling->amount);
    if (swipe.from.x == swipe.to.x && swipe.from.y == swipe.to.y) {
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
    scrolling->gesture.is_scroll = swipe.is_scroll;
    if (args->selector.given) {
        scrolling->search.part = part;
    }
    return true;
}

static bool
scroll_until(struct sq_call *call, struct scrolling *scrolling,
             struct sq_err *err) {
    const struct scroll_args *args = scrolling->args;
    struct sq_scroll_search *search = &scrolling->search;
    struct sq_selector *until = &scrolling->until;
    *until = sq_selector_until(&args->until);
    search->until = sq_span_is(args->until.text.value, "end") ? NULL : until;
    search->direction = scrolling->direction;
    search->amount = args->amount.given ? args->amount.value : SQ_SEARCH_AMOUNT;
    search->limit = args->limit.given ? args->limit.value : SQ_USUAL_STROKES;
    return sq_scroll_search(call, search, err);
}

static void
put_scrolled(struct sq_json_writer *w, const void *context) {
    const struct scrolling *scrolling = context;
    sq_json_begin_object_of(w, "scrolled");
    if (!scrolling->args->until.given) {
        sq_put_text(w, "direction", sq_direction_words[scrolling->direction]);
        sq_put_double(w, "amount", scrolling->amount);
        sq_put_gesture(w, &scrolling->gesture);
    } else {
        sq_scroll_search_put(&scrolling->search, w);
    }
    sq_json_end_object(w);
}

/*
 * Returns the element that was found, with the index that is valid after this
 * call: a list in the receipt replaces that of the search.
 */
static struct sq_listed
found_element(const struct scrolling *scrolling) {
    struct sq_listed found = scrolling->search.list.items[0];
    const struct sq_listing *list = &scrolling->act->list;
    if (!scrolling->act->has_list) {
        return found;
    }
    found.index = -1;
    for (size_t i = 0; i < list->count; i++) {
        const struct sq_listed *item = &list->items[i];
        if (memcmp(&item->rect, &found.rect, sizeof(found.rect)) == 0
            && sq_span_equal(item->label, found.label)) {
            found.index = item->index;
        }
    }
    return found;
}

static void
put_found(struct sq_json_writer *w, const void *context) {
    const struct scrolling *scrolling = context;
    if (scrolling->search.list.count > 0) {
        const struct sq_listed found = found_element(scrolling);
        sq_json_put_key(w, "found");
        sq_listed_put(scrolling->call, &found, w);
        if (!scrolling->act->has_list) { /* which has its own */
            sq_put_frame(w, &scrolling->search.frame);
        }
    }
}

/* Scrolls, and makes the element that was found the list of elementIndex. */
static bool
scroll(struct sq_call *call, struct scrolling *scrolling, struct sq_err *err) {
    struct sq_listing *list = &scrolling->search.list;
    if (!scrolling->args->until.given) {
        return sq_gesture_make(call, &scrolling->gesture, err);
    }
    if (!scroll_until(call, scrolling, err)) {
        return false;
    }
    sq_listing_number(call, list);
    return list->count == 0 || sq_listing_remember(call, list, 0, err);
}

static bool
scroll_run(struct sq_call *call, const void *raw_args, struct sq_err *err) {
    const struct scroll_args *args = raw_args;
    struct scrolling scrolling = {
        .args = args,
        .call = call,
        .direction = args->direction.given
                       ? (enum sq_direction)args->direction.value
                       : SQ_DOWN,
        .amount = args->amount.given ? args->amount.value : DEFAULT_AMOUNT,
    };
    SQ_FREED(sq_act_finish) struct sq_act act = { 0 };
    scrolling.act = &act;
    bool ok = prepare(call, &scrolling, err)
           && sq_act_begin(&act, call, SQ_ACT_OPTIONS(args), err);
    ok = ok && scroll(call, &scrolling, err);
    if (args->until.given && act.level != SQ_RECEIPT_FULL) {
        /* What it passed and found is enough, or else what is there now. */
        act.lists = act.says_words && scrolling.search.list.count == 0;
        act.says_words = act.lists;
    }
    ok = ok && sq_act_end(&act, put_scrolled, put_found, &scrolling, err);
    if (ok && scrolling.search.list.count > 0) {
        sq_session_add_frame(call->session, &scrolling.search.frame);
    }
    sq_scroll_search_finish(&scrolling.search);
    return ok;
}

/* Returns whether the text that was looked for was found, if one was. */
static bool
has_stopped_well(const struct sq_people *people) {
    struct sq_span stopped =
        sq_json_text_of(sq_json_get(people->reply, "scrolled"), "stopped");
    return stopped.len == 0 || sq_span_is(stopped, "found")
        || sq_span_equal(sq_json_text_of(people->request, "until"), stopped);
}

const struct sq_tool sq_tool_scroll = {
    .name = "scroll",
    .title = "Scroll",
    .text = "Scroll the screen, or the list at a selector.",
    .manual =
        "`direction` is the direction in which you want to see more: `down` "
        "moves the content up. `amount` is the share of the height or width, "
        "0.5 if omitted. With `selector` the smallest scrolling area around "
        "the match is moved, otherwise the whole screen.\n\n`until` repeats "
        "this: `\"end\"` until nothing moves, a text until an element whose "
        "label contains it is seen, or a selector: `{\"until\": "
        "{\"resourceId\": \"about\"}}`. `scrolled` says why it `stopped` "
        "(found, end, or limit: after `limit` strokes, 20 if omitted) and "
        "which labels it `passed`; `found` is the element, whose index "
        "`elementIndex` takes. If it was not found, the answer has the rows "
        "of the screen where elements are cheap. It looks only at elements, "
        "not at pixels.\n\n`\"changed\": null` in the answer means that "
        "nothing moved: the end was reached, or nothing there can scroll.",
    .manual_example = "\"direction\": \"down\", \"amount\": 0.8",
    .flags = SQ_TOOL_ACTION,
    SQ_ARGS(table, scroll_args),
    .words = "direction? amount?",
    .timeout_ms = 40000,
    .check = check,
    .people = { .about =
                    "Scroll the screen, or a list that --selector.text names.",
                .examples = { "scroll down", "scroll down 0.8",
                              "scroll down --until About" },
                .line = "Scrolled {scrolled.direction}",
                .is_done = has_stopped_well },
    .uses = SQ_USES_ACTS | SQ_USES_FINDS,
    .synonyms = "scroll scroll-down scroll-up scroll-to swipe-up swipe-down "
                "swipe-screen scroll-screen",
    .example = "\"direction\": \"down\"",
    .run = scroll_run,
};
