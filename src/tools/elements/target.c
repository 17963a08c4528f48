/* Resolves the targets of acting operations. */
#include "tools/elements/target.h"

#include <math.h>
#include <stdio.h>

#include "redact/redact.h"
#include "tools/elements/icon_words.h"
#include "tools/elements/label.h"
#include "tools/elements/listing.h"
#include "tools/elements/pixel_nodes.h"
#include "tools/reply.h"
#include "tools/screen/pixel_search.h"
#include "util/minmax.h"
#include "util/span.h"
#include "util/utf8.h"

bool
sq_visible_part(struct sq_dev_rect rect, struct sq_size screen,
                struct sq_dev_rect *out) {
    const struct sq_dev_rect seen = {
        .left = sq_max_int(rect.left, 0),
        .top = sq_max_int(rect.top, 0),
        .right = sq_min_int(rect.right, screen.width),
        .bottom = sq_min_int(rect.bottom, screen.height),
    };
    if (seen.left >= seen.right || seen.top >= seen.bottom) {
        return false;
    }
    *out = seen;
    return true;
}

bool
sq_answer_view(struct sq_call *call, const struct sq_screen *screen,
               struct sq_frame *out, struct sq_err *err) {
    const char *device = call->device->info.id;
    struct sq_frame frame;
    if (!sq_session_view(call->session, device, screen, &frame, err)) {
        return false;
    }
    struct sq_frame known;
    if (!sq_session_frame(call->session, device, sq_span_of(frame.id), screen,
                          &known, NULL)) {
        frame.id[0] = '\0'; /* new id that will not be remembered */
    }
    *out = frame;
    return true;
}

/* Rounds half up; coordinates are within about 100,000 of zero. */
static int
whole(double number) {
    return (int)floor(number + 0.5);
}

static bool
fail_outside(const char *what, double x, double y, struct sq_size size,
             struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "the point %g,%g is outside the %dx%d %s", x,
            y, size.width, size.height, what);
    return sq_fail_hint(err,
                        what[0] == 'i'
                            ? "x goes from 0 to %d and y from 0 to %d; set "
                              "$deviceSpace: true for pixels of the device."
                            : "x goes from 0 to %d and y from 0 to %d.",
                        size.width - 1, size.height - 1);
}

static bool
is_on_screen(struct sq_dev_pt at, struct sq_size screen) {
    return at.x >= 0 && at.x < screen.width && at.y >= 0
        && at.y < screen.height;
}

static bool
image_point(struct sq_call *call, const struct sq_point *point,
            struct sq_target *target, struct sq_err *err) {
    if (!sq_session_frame(call->session, call->device->info.id,
                          point->screenshot_id, &target->screen, &target->frame,
                          err)) {
        return false;
    }
    const struct sq_view *view = &target->frame.view;
    return sq_view_place(view, point->x, point->y, &target->at)
        || fail_outside("image", point->x, point->y, view->image, err);
}

static bool
device_point(const struct sq_point *point, struct sq_target *target,
             struct sq_err *err) {
    bool scaled = point->space == SQ_SPACE_SCALED;
    double x = scaled ? point->x * point->scale_x : point->x;
    double y = scaled ? point->y * point->scale_y : point->y;
    target->at = (struct sq_dev_pt){ whole(x), whole(y) };
    return is_on_screen(target->at, target->screen.size)
        || fail_outside("screen", x, y, target->screen.size, err);
}

/* Reads the screen before the action: a timeout here changes nothing. */
static bool
see_screen(struct sq_call *call, struct sq_screen *out, struct sq_err *err) {
    return sq_device_screen(call->device, out, &call->deadline, err)
        || (err && err->code == SQ_ERR_TIMEOUT
            && sq_fail_in(err, "nothing was done"));
}

bool
sq_target_point(struct sq_call *call, const struct sq_point *point,
                struct sq_target *out, struct sq_err *err) {
    struct sq_target target = {
        .space = point->space,
        .x = point->x,
        .y = point->y,
        .scale_x = point->scale_x,
        .scale_y = point->scale_y,
    };
    bool ok = see_screen(call, &target.screen, err)
           && (point->space == SQ_SPACE_IMAGE
                   ? image_point(call, point, &target, err)
                   : device_point(point, &target, err));
    if (ok) {
        *out = target;
    }
    return ok;
}

/* Targets an element; copies its texts from the tree into the call's arena. */
static bool
aim(struct sq_call *call, const struct sq_element *element,
    struct sq_target *target, struct sq_err *err) {
    struct sq_img_pt image;
    target->element = *element;
    target->has_element = true;
    if (!sq_answer_view(call, &target->screen, &target->frame, err)) {
        return false;
    }
    if (!sq_view_middle(&target->frame.view, element->bounds, &target->at,
                        &image)) {
        sq_fail(err, SQ_ERR_ELEMENT_NOT_FOUND,
                "the element is there, but outside the visible screen");
        return sq_fail_hint(err, "@Scroll until it is visible.");
    }
    target->x = image.x;
    target->y = image.y;
    return sq_element_keep(&target->element, call->arena, err);
}

bool
sq_target_tree(struct sq_call *call, struct sq_tree *out, struct sq_err *err) {
    struct sq_tree_state state;
    if (!sq_tree_fetch(call, out, &state, err)) {
        return false;
    }
    if (state.outcome != SQ_TREE_READ) {
        sq_tree_fail(&state, SQ_ERR_ELEMENT_NOT_FOUND,
                     "no elements to choose from: ", state.why, err);
        return sq_fail_hint(err, "Take a screenshot and use x and y.");
    }
    return true;
}

/* Finds the node of the element again; *out stays NULL if there is none. */
static bool
find_again(struct sq_call *call, const struct sq_tree *tree,
           const struct sq_element *listed, const struct sq_node **out,
           struct sq_err *err) {
    for (const struct sq_node *node = tree->root; node && !*out;
         node = sq_node_after(node)) {
        struct sq_element now = sq_element_of(node, listed->label, 0);
        if (!sq_element_same(&now, listed)) {
            continue; /* before building its label */
        }
        if (!sq_node_label(node, call->arena, &now.label, err)) {
            return false;
        }
        /* The device does not know a label that comes from the pixels. */
        if (listed->flags & SQ_NODE_NAMED
            || sq_span_equal(now.label, listed->label)) {
            *out = node;
        }
    }
    return true;
}

/* Fails for an element that is gone; listed may be NULL: it is not known. */
static bool
fail_stale(int index, const struct sq_element *listed, struct sq_err *err) {
    struct sq_span type = listed ? listed->type : (struct sq_span){ 0 };
    sq_fail(err, SQ_ERR_STALE_ELEMENT,
            "element %d%s%.*s%s is no longer on the screen as it was listed",
            index, listed ? ", " : "", SQ_SPAN_ARGS(type), listed ? "," : "");
    return sq_fail_hint(err, "The screen has changed: run @find or @dump again "
                             "and use an index from that.");
}

static bool
is_covered(const struct sq_node *node) {
    int checks = SQ_COVER_CHECKS;
    return sq_node_is_covered(node, &checks);
}

/*
 * Fails if the label of an element comes from text in the pixels that is not
 * there now. What is painted in a field is its contents, which may change.
 */
static bool
check_name(struct sq_call *call, struct sq_tree *tree,
           const struct sq_node *node, const struct sq_element *listed,
           struct sq_err *err) {
    bool is_text = listed->flags & SQ_NODE_NAMED
                && !(listed->flags & (SQ_NODE_PICTURED | SQ_NODE_EDITABLE));
    bool same = true;
    return !is_text || !call->reader
        || (sq_look_check_name(call, tree, node, listed->label, &same, err)
            && (same || fail_stale(listed->index, listed, err)));
}

/* Targets an element of the device's tree that was listed. */
static bool
aim_at_listed(struct sq_call *call, const struct sq_element *listed,
              struct sq_target *target, struct sq_err *err) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    const struct sq_node *node = NULL;
    bool ok = sq_target_tree(call, &tree, err)
           && find_again(call, &tree, listed, &node, err)
           && (node || fail_stale(listed->index, listed, err))
           && check_name(call, &tree, node, listed, err);
    if (ok) {
        struct sq_element now =
            sq_element_of(node, listed->label, listed->index);
        now.is_covered = is_covered(node);
        ok = aim(call, &now, target, err);
    }
    return ok;
}

/* Targets something that was found in the pixels, if it is still there. */
static bool
aim_at_seen(struct sq_call *call, struct sq_element *listed,
            struct sq_target *target, struct sq_err *err) {
    bool found;
    return sq_look_find_again(call, listed, &found, err)
        && (found || fail_stale(listed->index, listed, err))
        && aim(call, listed, target, err);
}

/* Finds the element that has a number; out->index stays 0 if none has. */
static bool
find_numbered(struct sq_call *call, const struct sq_tree *tree, int number,
              struct sq_element *out, struct sq_err *err) {
    for (const struct sq_node *node = tree->root; node && out->index == 0;
         node = sq_node_after(node)) {
        struct sq_span label;
        if (!sq_node_label(node, call->arena, &label, err)) {
            return false;
        }
        struct sq_element now = sq_element_of(node, label, number);
        if (sq_session_has_element_number(call->session, call->device->info.id,
                                          &now, number)) {
            now.is_covered = is_covered(node);
            *out = now;
        }
    }
    return true;
}

/* Targets the element of the device's tree or the pixels that has a number. */
static bool
aim_at_numbered(struct sq_call *call, int number, struct sq_target *target,
                struct sq_err *err) {
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_element element = { 0 };
    bool ok = sq_session_is_seen_number(number)
                ? sq_look_find_numbered(call, number, &element, err)
                : sq_target_tree(call, &tree, err)
                      && find_numbered(call, &tree, number, &element, err);
    return ok && (element.index != 0 || fail_stale(number, NULL, err))
        && aim(call, &element, target, err);
}

static const struct sq_node *
find_node(const struct sq_tree *tree, int id) {
    const struct sq_node *node = tree->root;
    while (node && node->id != id) {
        node = sq_node_after(node);
    }
    return node;
}

static bool
fail_unreachable(int id, struct sq_err *err) {
    sq_fail(err, SQ_ERR_ELEMENT_NOT_FOUND,
            "element %d is there, but cannot be touched: it is covered, or "
            "scrolling does not show it",
            id);
    return sq_fail_hint(err, "Look at a screenshot: close what covers it, or "
                             "open what it is in.");
}

/* Targets the node of an id. If it is not on the screen, scrolls to it. */
static bool
aim_at_node(struct sq_call *call, int id, struct sq_target *target,
            struct sq_err *err) {
    const struct sq_node *node = NULL;
    struct sq_tree tree = { 0 };
    struct sq_span label;
    bool ok = true;
    bool exists = true;
    for (int looks = 0; ok && !node && exists && looks < 2; looks++) {
        target->is_revealed = looks > 0;
        sq_tree_finish(&tree);
        ok = (looks == 0
              || sq_device_reveal(call->device, id, &exists, &call->deadline,
                                  err))
          && sq_target_tree(call, &tree, err);
        node = ok ? find_node(&tree, id) : NULL;
    }
    ok = ok && (exists || fail_stale(id, NULL, err))
      && (node || fail_unreachable(id, err))
      && sq_node_label(node, call->arena, &label, err);
    if (ok) {
        const struct sq_element now = sq_element_of(node, label, id);
        ok = aim(call, &now, target, err);
    }
    sq_tree_finish(&tree);
    return ok;
}

/* Targets an element of the list that the session keeps. */
static bool
aim_at_kept(struct sq_call *call, int index, struct sq_target *target,
            struct sq_err *err) {
    struct sq_element listed;
    return sq_session_element(call->session, call->device->info.id, index,
                              call->arena, &listed, err)
        && see_screen(call, &target->screen, err)
        && (listed.flags & SQ_NODE_SEEN
                ? aim_at_seen(call, &listed, target, err)
                : aim_at_listed(call, &listed, target, err));
}

bool
sq_target_index(struct sq_call *call, int index, struct sq_target *out,
                struct sq_err *err) {
    struct sq_target target = { .space = SQ_SPACE_IMAGE };
    bool is_id = call->device->ops->reveal && index < SQ_FIRST_POSITION;
    bool ok = is_id ? see_screen(call, &target.screen, err)
                          && aim_at_node(call, index, &target, err)
            : sq_session_is_element_number(call->session, index)
                ? see_screen(call, &target.screen, err)
                      && aim_at_numbered(call, index, &target, err)
                : aim_at_kept(call, index, &target, err);
    if (ok) {
        *out = target;
    }
    return ok;
}

/*
 * Finds the label that is most similar to the text of a selector; nothing if
 * there are rules that may hide it.
 */
static void
find_similar(const struct sq_call *call, const struct sq_tree *tree,
             const struct sq_selector *selector, struct sq_nearest *out) {
    const struct sq_redactor *redactor = call->redactor;
    bool may_hide = redactor && sq_redact_hides_text(redactor->rules);
    sq_nearest_begin(out, sq_span_trim(selector->text.value));
    if (may_hide || !selector->text.given) {
        return;
    }
    for (const struct sq_node *node = tree->root; node;
         node = sq_node_after(node)) {
        struct sq_span label = sq_span_trim(sq_element_own_label(node));
        char text[SQ_NEAREST_SIZE];
        if (label.len > 0 && label.len < sizeof(text)) {
            snprintf(text, sizeof(text), "%.*s", SQ_SPAN_ARGS(label));
            sq_nearest_try(out, text);
        }
    }
}

static bool
fail_nothing(const struct sq_call *call, const struct sq_tree *tree,
             const struct sq_selector *selector, struct sq_err *err) {
    struct sq_nearest nearest;
    const struct sq_node *root = tree->root;
    if (root && sq_span_is(root->class_name, "dialog") && root->first_child) {
        struct sq_span text = sq_utf8_shorten(root->first_child->text, 200);
        sq_fail_quoting(err, SQ_ERR_ELEMENT_NOT_FOUND,
                        "the page shows a dialog, and no element of it "
                        "matches: %.*s",
                        SQ_SPAN_ARGS(text));
        return sq_fail_hint(err, "Answer it first: @tap a button of it, or "
                                 "press the key enter or escape.");
    }
    if (tree->is_cut) {
        sq_fail(err, SQ_ERR_ELEMENT_NOT_FOUND,
                "no element matches of those that were read: not all were, "
                "because the page is large or slow");
        return sq_fail_hint(err, "Try again, or @scroll to it and use @dump.");
    }
    find_similar(call, tree, selector, &nearest);
    if (nearest.found[0]) {
        sq_fail_quoting(err, SQ_ERR_ELEMENT_NOT_FOUND,
                        "no element on the screen matches; did you mean "
                        "\"%s\"?",
                        nearest.found);
    } else {
        sq_fail(err, SQ_ERR_ELEMENT_NOT_FOUND,
                "no element on the screen matches");
    }
    return sq_fail_hint(
        err, SQ_SAY("Run @find with a looser selector, such as textContains, "
                    "or take a screenshot and use x and y.",
                    "Run @find --text-contains and a part of the text, or take "
                    "a screenshot and give X and Y."));
}

static bool
fail_no_anchor(struct sq_err *err) {
    sq_fail(err, SQ_ERR_ELEMENT_NOT_FOUND,
            "the text of $nearestTo is not on the screen");
    return sq_fail_hint(
        err, "Leave $nearestTo out, or give a text that @dump or @find shows.");
}

bool
sq_target_matches(struct sq_call *call, const struct sq_tree *tree,
                  const struct sq_selector *selector, struct sq_selection *out,
                  struct sq_err *err) {
    struct sq_selection selection;
    if (!sq_select(tree, selector, call->arena, &selection, err)
        || (selector->nearest_to.given && !selection.anchor
            && !fail_no_anchor(err))
        || (selection.count == 0 && !fail_nothing(call, tree, selector, err))) {
        return false;
    }
    *out = selection;
    return true;
}

/* Fails as the tree did, and says what the pixels show or hide. */
static bool
fail_unseen(const struct sq_look *look, int redacted,
            const struct sq_err *tree_err, const struct sq_err *look_err,
            struct sq_err *err) {
    char hidden[80] = "";
    if (look_err->code == SQ_ERR_UNSUPPORTED) {
        sq_fail_quoting(err, tree_err->code,
                        "%s; text in the pixels cannot be read: %s",
                        tree_err->message, look_err->message);
        return sq_fail_hint(err, "%s", look_err->hint);
    }
    if (look->is_slow) {
        sq_fail_quoting(err, tree_err->code,
                        "%s; the text in the pixels was not read in time",
                        tree_err->message);
        return sq_fail_hint(err,
                            "Try again, or take a screenshot and use x and y.");
    }
    if (!look->has_nearest && redacted == 0) {
        return sq_fail_with(err, tree_err);
    }
    if (redacted > 0) {
        snprintf(hidden, sizeof(hidden),
                 redacted == 1 ? "; 1 part of the screen is hidden by redaction"
                               : "; %d parts of the screen are hidden by "
                                 "redaction",
                 redacted);
    }
    sq_fail_quoting(err, tree_err->code, "%s%s%s%s", tree_err->message,
                    look->has_nearest ? "; in the pixels: " : "",
                    look->has_nearest ? look->why : "", hidden);
    return sq_fail_hint(err, "%s", tree_err->hint);
}

/* Finds the icons whose id or description is the word of a selector. */
static bool
find_icons(struct sq_call *call, const struct sq_selector *selector,
           const struct sq_tree *tree, struct sq_selection *out) {
    const struct sq_icon_request request = { selector, true };
    const char *why;
    return tree->root
        && sq_icon_select(tree, &request, call->arena, out, &why, NULL)
        && out->count > 0;
}

/* Finds them in what the device lists: as text, further down, or as icons. */
static bool
find_in_tree(struct sq_call *call, const struct sq_selector *selector,
             unsigned prefer, struct sq_tree *tree, struct sq_selection *out,
             struct sq_err *err) {
    if (sq_target_tree(call, tree, err)
        && sq_target_matches(call, tree, selector, out, err)) {
        return true;
    }
    if (err->code != SQ_ERR_ELEMENT_NOT_FOUND) {
        return false;
    }
    if (sq_select_whole(call, selector, tree, out, NULL) && out->count > 0
        && (!selector->nearest_to.given || out->anchor)) {
        return true;
    }
    return (tree->is_cut && fail_nothing(call, tree, selector, err))
        || (!prefer && find_icons(call, selector, tree, out));
}

/*
 * Finds the matches of a selector in the tree, as text or, unless a kind of
 * element is preferred, as icons, or, if it has none, in the pixels, as far as
 * that is enabled. The error is that of the tree.
 */
static bool
find_matches(struct sq_call *call, const struct sq_selector *selector,
             unsigned prefer, struct sq_tree *tree, struct sq_selection *out,
             struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_look look = {
        .call = call,
        .tree = tree,
        .names_fields = prefer != 0,
    };
    if (find_in_tree(call, selector, prefer, tree, out, &local_err)) {
        return true;
    }
    struct sq_err look_err = { 0 };
    bool may_look = local_err.code == SQ_ERR_ELEMENT_NOT_FOUND
                 && sq_look_may_select(call, selector);
    bool found = may_look && sq_look_select(&look, selector, 0, out, &look_err)
              && out->count > 0 && (!selector->nearest_to.given || out->anchor);
    int redacted = look.screen.redacted;
    sq_look_finish(&look);
    if (found && prefer) {
        sq_selection_prefer_named(tree, prefer, out);
    }
    return found || fail_unseen(&look, redacted, &local_err, &look_err, err);
}

bool
sq_target_selector(struct sq_call *call, const struct sq_selector *selector,
                   unsigned prefer, struct sq_target *out, struct sq_err *err) {
    struct sq_target target = { .space = SQ_SPACE_IMAGE };
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_selection selection = { 0 };
    bool ok =
        see_screen(call, &target.screen, err)
        && find_matches(call, selector, prefer, &tree, &selection, err)
        && (!selection.anchor_count
            || sq_fail_ambiguous_anchor(call, &target.screen, &selection, err))
        && (sq_selection_prefer(&selection, prefer)
            || sq_selection_is_clear(&selection)
            || sq_fail_ambiguous(call, &target.screen, &selection, err));
    if (ok) {
        const struct sq_match *best = &selection.matches[0];
        struct sq_element element =
            sq_element_of(best->node, best->label, best->node->index);
        element.is_covered = is_covered(best->node);
        ok = best->node->flags & SQ_NODE_UNSEEN
               ? aim_at_node(call, element.id, &target, err)
               : aim(call, &element, &target, err);
    }
    if (ok) {
        *out = target;
    }
    return ok;
}

void
sq_put_point(struct sq_json_writer *w, const struct sq_target *target) {
    sq_put_double(w, "x", target->x);
    sq_put_double(w, "y", target->y);
    sq_put_int(w, "deviceX", target->at.x);
    sq_put_int(w, "deviceY", target->at.y);
}

void
sq_put_space(struct sq_json_writer *w, const struct sq_target *target) {
    if (target->space == SQ_SPACE_IMAGE) {
        sq_put_frame(w, &target->frame);
        return;
    }
    bool scaled = target->space == SQ_SPACE_SCALED;
    sq_put_text(w, "coordinateSpace", scaled ? "scaled" : "device");
    if (scaled) {
        sq_put_double(w, "screenshotScaleX", target->scale_x);
        sq_put_double(w, "screenshotScaleY", target->scale_y);
    }
}

void
sq_put_target(struct sq_json_writer *w, const struct sq_target *target) {
    sq_put_point(w, target);
    sq_put_space(w, target);
}
