/* Reports a selector that matches several elements. */
#include <stdlib.h>

#include "tools/elements/target.h"
#include "tools/reply.h"

#define MAX_SHOWN 8
#define MAX_DETAILS 65536

static int
tappable(const struct sq_match *match) {
    unsigned flags = match->node->flags;
    return flags & SQ_NODE_CLICKABLE      ? 3
         : flags & SQ_NODE_LONG_CLICKABLE ? 2
         : flags & SQ_NODE_FOCUSABLE      ? 1
                                          : 0;
}

static int
by_number(int64_t a, int64_t b) {
    return (a > b) - (a < b);
}

static int
best_tappable(const void *left, const void *right) {
    const struct sq_match *a = left;
    const struct sq_match *b = right;
    int orders[] = {
        by_number(b->score, a->score),
        by_number(tappable(b), tappable(a)),
        by_number(sq_dev_rect_area(a->node->bounds),
                  sq_dev_rect_area(b->node->bounds)),
        by_number(a->node->index, b->node->index),
    };
    size_t i = 0;
    while (i + 1 < SQ_COUNT(orders) && orders[i] == 0) {
        i++;
    }
    return orders[i];
}

/* Which arguments can identify an alternative in the next call. */
struct naming {
    struct sq_frame frame;
    bool by_point; /* x,y of the frame are valid without its id */
};

static bool
choose_naming(struct sq_call *call, const struct sq_screen *screen,
              struct naming *out, struct sq_err *err) {
    static const struct sq_span latest = { 0 };
    struct sq_frame current;
    if (!sq_answer_view(call, screen, &out->frame, err)) {
        return false;
    }
    out->by_point = sq_session_frame(call->session, call->device->info.id,
                                     latest, screen, &current, NULL)
                 && sq_size_equal(current.view.image, out->frame.view.image)
                 && sq_dev_rect_equal(current.view.crop, out->frame.view.crop);
    return true;
}

static void
put_alternative(struct sq_call *call, struct sq_json_writer *w,
                const struct sq_match *match, const struct naming *naming) {
    sq_json_begin_object(w);
    const struct sq_element element =
        sq_element_of(match->node, match->label, 0);
    int index =
        sq_session_index_of(call->session, call->device->info.id, &element);
    if (index >= 0) {
        sq_put_int(w, "index", index);
    }
    sq_put_untrusted(w, "label", match->label);
    sq_put_untrusted(w, "type", sq_node_type(match->node));
    sq_put_untrusted(w, "resourceId", sq_short_id(match->node->resource_id));
    struct sq_dev_pt touched;
    struct sq_img_pt point;
    bool has_point = naming->by_point || naming->frame.id[0];
    if (has_point
        && sq_view_middle(&naming->frame.view, match->node->bounds, &touched,
                          &point)) {
        sq_put_int(w, "x", point.x);
        sq_put_int(w, "y", point.y);
    }
    sq_json_end_object(w);
}

static bool
put_details(struct sq_call *call, const struct naming *naming,
            const struct sq_selection *selection, size_t equals,
            struct sq_err *err) {
    struct sq_buf *details = &call->result->details;
    sq_buf_finish(details);
    sq_buf_init(details, MAX_DETAILS);
    struct sq_json_writer w;
    sq_reply_writer_init(call, &w, details);
    sq_json_begin_object(&w);
    sq_put_int(&w, "matches", (int64_t)selection->count);
    if (equals < selection->count) {
        sq_put_int(&w, "equal", (int64_t)equals); /* those at the front */
    }
    sq_json_begin_array_of(&w, "alternatives");
    for (size_t i = 0; i < selection->count && i < MAX_SHOWN; i++) {
        put_alternative(call, &w, &selection->matches[i], naming);
    }
    sq_json_end_array(&w);
    if (naming->by_point || naming->frame.id[0]) {
        sq_put_frame(&w, &naming->frame);
    }
    sq_put_mark(&w);
    sq_json_end_object(&w);
    bool ok = sq_json_writer_done(&w, err);
    if (!ok) {
        sq_buf_finish(details);
    }
    return ok;
}

static const char *
hint_for(const struct naming *naming) {
    if (naming->by_point) {
        return "${Take one of the alternatives in details by x and y|Tap one "
               "of these with squint tap X Y}, or add $resourceId, $className "
               "or $nearestTo.";
    }
    if (naming->frame.id[0]) {
        return "${Take one of the alternatives in details|Tap one of these} by "
               "x, y and $screenshotId, or add $resourceId, $className or "
               "$nearestTo.";
    }
    return "Add $resourceId, $className or $nearestTo, or run @find and take "
           "one by ${elementIndex|X and Y}.";
}

bool
sq_fail_ambiguous(struct sq_call *call, const struct sq_screen *screen,
                  struct sq_selection *selection, struct sq_err *err) {
    qsort(selection->matches, selection->count, sizeof(selection->matches[0]),
          best_tappable);
    struct naming naming;
    size_t equals = 1;
    while (equals < selection->count
           && selection->matches[equals].score == selection->matches[0].score) {
        equals++;
    }
    if (!choose_naming(call, screen, &naming, err)
        || !put_details(call, &naming, selection, equals, err)) {
        return false;
    }
    sq_fail(err, SQ_ERR_AMBIGUOUS_MATCH,
            "%zu elements match ${the selector |}equally well", equals);
    char hint[SQ_MARKED_SIZE];
    return sq_fail_hint(err, "%s", sq_marked(hint_for(&naming), hint));
}

bool
sq_fail_ambiguous_anchor(struct sq_call *call, const struct sq_screen *screen,
                         const struct sq_selection *selection,
                         struct sq_err *err) {
    const struct sq_selection anchors = { .matches = selection->anchors,
                                          .count = selection->anchor_count };
    struct naming naming;
    if (!choose_naming(call, screen, &naming, err)
        || !put_details(call, &naming, &anchors, anchors.count, err)) {
        return false;
    }
    sq_fail(err, SQ_ERR_AMBIGUOUS_MATCH,
            "%zu elements have the text of $nearestTo, and another element is "
            "nearest to each",
            anchors.count);
    return sq_fail_hint(
        err, "details has where they are. Give $nearestTo a text that only one "
             "has, or run @find and take an element by $elementIndex.");
}
