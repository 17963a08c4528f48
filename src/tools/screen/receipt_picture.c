/* Makes the pictures of receipts: of the screen, or of what changed. */
#include "tools/reply.h"
#include "tools/screen/receipt.h"
#include "tools/screen/redacted_capture.h"
#include "util/minmax.h"

/* Margin of a crop around the change, in image pixels. */
#define CROP_MARGIN 16

/* Limits of a part that is shown because it has no words. */
#define MAX_PART_TOKENS 100
#define SEEN_MS 100 /* if its frame is here */

static bool
show(struct sq_act *act, const struct sq_screen_picture_opts *opts,
     struct sq_err *err) {
    return sq_screen_picture_make(act->call, opts, &act->shot, err)
        && sq_screen_picture_deliver(&act->shot, err);
}

/*
 * Shows the whole screen: what was before the action is unknown, all of it has
 * changed, or nothing. Points of a list of elements count in it, too.
 */
static bool
show_screen(struct sq_act *act, struct sq_err *err) {
    const struct sq_screen_picture_opts opts = {
        .max_dimension = act->has_list && !act->is_blind
                              && (!act->change.any || act->change.resized)
                           ? sq_size_long_side(act->list_view.view.image)
                           : 0,
    };
    return show(act, &opts, err);
}

/* Returns the part of the view that shows these changes. */
static struct sq_img_rect
part_of(const struct sq_act *act, const struct sq_img_rects *changes) {
    struct sq_size image = act->view.view.image;
    const struct sq_img_rect where = sq_rects_around(changes);
    return (struct sq_img_rect){
        sq_max_int(where.left - CROP_MARGIN, 0),
        sq_max_int(where.top - CROP_MARGIN, 0),
        sq_min_int(where.right + CROP_MARGIN, image.width),
        sq_min_int(where.bottom + CROP_MARGIN, image.height)
    };
}

/*
 * Shows the change. If that is the whole screen, the picture is one of the
 * screen, not of a region: points without an id then count in it.
 */
static bool
show_change(struct sq_act *act, struct sq_err *err) {
    struct sq_size image = act->view.view.image;
    const struct sq_screen_picture_opts opts = {
        .has_region = true,
        .region_of = &act->view,
        .region = part_of(act, &act->where),
    };
    bool is_whole = opts.region.left == 0 && opts.region.top == 0
                 && opts.region.right == image.width
                 && opts.region.bottom == image.height;
    return is_whole ? show_screen(act, err) : show(act, &opts, err);
}

/* Returns whether words say what changed, or that nothing has happened. */
static bool
has_words(const struct sq_act *act) {
    const struct sq_word_change *words = &act->words;
    return words->count > 0 || words->redacted > 0
        || (words->by && act->elements[1].is_known && act->is_press_only);
}

static struct sq_size
rect_size(struct sq_img_rect rect) {
    return (struct sq_size){ rect.right - rect.left, rect.bottom - rect.top };
}

/* Returns the size of a part as a default picture of the screen shows it. */
static struct sq_size
part_size(const struct sq_act *act, struct sq_img_rect part) {
    const int shown = sq_size_long_side(act->view.view.image);
    const int side =
        sq_max_int(shown, sq_reply_max_dimension(act->call->config));
    const struct sq_size size = rect_size(part);
    return (struct sq_size){ size.width * side / shown,
                             size.height * side / shown };
}

/*
 * Finds the part that shows most of what has changed and is cheap enough: all
 * of it, or else some of the places. Returns false if there is none.
 */
static bool
choose_part(const struct sq_act *act, struct sq_img_rect *out) {
    const struct sq_token_profile *profile = sq_reply_profile(act->call);
    int64_t most = 0;
    for (unsigned which = 1; which < 1U << act->where.count; which++) {
        struct sq_img_rects some = { 0 };
        int64_t shown = 0;
        for (int i = 0; i < act->where.count; i++) {
            if (which & 1U << i) {
                const struct sq_size size = rect_size(act->where.items[i]);
                some.items[some.count++] = act->where.items[i];
                shown += (int64_t)size.width * size.height;
            }
        }
        const struct sq_img_rect part = part_of(act, &some);
        if (shown > most
            && sq_token_cost(profile, part_size(act, part)).tokens
                   <= MAX_PART_TOKENS) {
            most = shown;
            *out = part;
        }
    }
    return most > 0;
}

/* Returns whether a change has no words that a short reply would have. */
static bool
wants_part(const struct sq_act *act) {
    return act->call->is_short && act->says_words && act->may_show
        && !act->has_list && !has_words(act);
}

/* Hides what must be hidden in the last frame, if there is one. */
static bool
hide_in_seen(struct sq_act *act) {
    struct sq_call *call = act->call;
    struct sq_screen_text *seen = &act->seen;
    const struct sq_capture_request capture = { .picture_only = true };
    const struct sq_redacted_request request = {
        .device = call->device,
        .redactor = call->redactor,
        .session = call->session,
        .capture = &capture,
        .deadline = &call->deadline,
    };
    return sq_redacted_hide(&request, &seen->captured, &seen->redacted, NULL);
}

/*
 * Shows a small change without words, in short replies, unless a part of it is
 * hidden: in the last frame, or in a new one if that one stayed on the device.
 * Points do not count in it: the next tap means the same as without it.
 */
static void
show_part(struct sq_act *act) {
    struct sq_call *call = act->call;
    const struct sq_deadline whole = call->deadline;
    const bool is_seen = act->seen.captured.bytes.len > 0;
    const int most_ms = sq_deadline_left_ms(&act->soon);
    struct sq_img_rect part;
    if (!wants_part(act) || !choose_part(act, &part)
        || (!is_seen && call->device->ops->capture_ms > most_ms)) {
        return;
    }
    const struct sq_screen_picture_opts opts = {
        .max_dimension = sq_size_long_side(part_size(act, part)),
        .has_region = true,
        .region_of = &act->view,
        .region = part,
        .picture_only = true,
        .seen = &act->seen,
    };
    call->deadline = is_seen ? sq_deadline_within(&whole, SEEN_MS) : act->soon;
    act->shows_part = hide_in_seen(act)
                   && sq_screen_picture_make(call, &opts, &act->shot, NULL)
                   && act->shot.redacted == 0
                   && !act->shot.capture.passwords_unknown
                   && act->shot.way == SQ_SCREEN_PICTURE_INLINE
                   && sq_screen_picture_deliver(&act->shot, NULL);
    call->deadline = whole;
    act->shot.frame.id[0] = '\0';
    if (!act->shows_part) {
        sq_screen_picture_finish(&act->shot);
        act->shot = (struct sq_screen_picture){ 0 };
    }
}

void
sq_act_make_picture(struct sq_act *act) {
    struct sq_err err = { 0 };
    bool visible = act->has_change && act->change.any && !act->change.resized;
    bool ok = true;
    if (visible && !act->look) {
        show_part(act);
        return;
    }
    if (act->look && act->is_blind) {
        ok = show_screen(act, &err);
    } else if (act->look && visible) {
        ok = show_change(act, &err);
    } else if (act->look && act->call->needs_picture) {
        ok = show_screen(act, &err);
    }
    if (!ok) {
        sq_act_note_error(act, "Making the picture", &err);
        sq_screen_picture_finish(&act->shot);
        act->shot = (struct sq_screen_picture){ 0 };
    }
}
