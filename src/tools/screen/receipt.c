/* Writes the receipts of acting operations. */
#include "tools/screen/receipt.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/clock.h"
#include "tools/reply.h"

/* Size of the minimal receipt: the action, one note, the device. */
#define LEAST_BYTES 8192

/* Maximum number of elements of a new list; dump returns the others. */
#define MAX_LISTED 60

/* The same of one that was not asked for: about 250 tokens. */
#define MAX_ROWS 30
#define MAX_ROW_BYTES 750

/* A default receipt does not wait for a capture that takes longer. */
#define SLOW_LOOK_MS 800

void
sq_act_finish(struct sq_act *act) {
    sq_tree_finish(&act->tree);
    sq_screen_picture_finish(&act->shot);
    sq_screen_text_finish(&act->seen);
    sq_watch_finish(&act->watch);
    sq_buf_finish(&act->reply);
}

void
sq_act_note(struct sq_act *act, const char *format, ...) {
    size_t used = strlen(act->note);
    if (used > 0 && used + 1 < sizeof(act->note)) {
        act->note[used++] = ' ';
        act->note[used] = '\0';
    }
    va_list list;
    va_start(list, format);
    vsnprintf(act->note + used, sizeof(act->note) - used, format, list);
    va_end(list);
}

void
sq_act_note_error(struct sq_act *act, const char *doing,
                  const struct sq_err *err) {
    struct sq_err shown = *err;
    sq_reply_hide_error(act->call->redactor, &shown);
    sq_act_note(act, "%s failed: %s.", doing, shown.message);
    act->note_quotes = act->note_quotes || err->quotes;
}

static bool
wants_picture(const struct sq_act *act) {
    return act->level == SQ_RECEIPT_FULL || act->look
        || (act->level == SQ_RECEIPT_FAST
            && (act->asked || act->looks_once
                || act->call->device->ops->capture_is_cheap));
}

static bool
check_look(bool look, enum sq_receipt level, struct sq_err *err) {
    return !look || level != SQ_RECEIPT_NONE
        || sq_fail_argument(err, "$look needs a receipt, but $receipt is none",
                            "Set $receipt: \"fast\", or leave $look out.");
}

bool
sq_act_check(const struct sq_act_options *options, struct sq_err *err) {
    return !options->receipt.given
        || check_look(options->look.value,
                      (enum sq_receipt)options->receipt.value, err);
}

bool
sq_act_begin(struct sq_act *act, struct sq_call *call,
             const struct sq_act_options *options, struct sq_err *err) {
    act->call = call;
    act->level =
        (enum sq_receipt)(options->receipt.given ? options->receipt.value
                                                 : call->config->ui.receipt);
    act->asked = options->receipt.given && act->level != SQ_RECEIPT_AUTO;
    act->says_words = act->level >= SQ_RECEIPT_FULL;
    act->level = act->level == SQ_RECEIPT_AUTO ? SQ_RECEIPT_FAST : act->level;
    act->look = options->look.value;
    if (!check_look(act->look, act->level, err)) {
        return false;
    }
    if (act->is_off_screen && !act->asked && !act->look) {
        act->level = SQ_RECEIPT_NONE;
    }
    const struct sq_device_ops *ops = call->device->ops;
    act->looks_once = act->level == SQ_RECEIPT_FAST && !act->asked && !act->look
                   && !ops->capture_is_cheap && ops->capture_ms > 0
                   && ops->capture_ms <= SLOW_LOOK_MS;
    uint8_t *space;
    sq_buf_init(&act->reply, (size_t)call->config->limits.max_result_bytes);
    bool ok = sq_buf_reserve(&act->reply, LEAST_BYTES, &space, err)
           && (!wants_picture(act) || sq_act_look_before(act, err));
    act->begun_ns = sq_clock_monotonic_ns();
    return ok;
}

/* Finds the element at the point that is touched. */
static void
hit_find(struct sq_act *act, const struct sq_elements *elements) {
    const struct sq_element *found =
        sq_element_at(elements->items, elements->count, act->point);
    if (!found) {
        return;
    }
    act->hit = (struct sq_hit){ .is_known = true, .element = *found };
    for (size_t i = 0; i < elements->count; i++) {
        act->hit.same_ids +=
            sq_span_equal(elements->items[i].resource_id, found->resource_id);
    }
}

/* Reads the tree now, and finds the element in it. */
static void
hit_read(struct sq_act *act, struct sq_err *err) {
    struct sq_call *call = act->call;
    SQ_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_tree_state state;
    struct sq_elements elements;
    if (!sq_tree_fetch(call, &tree, &state, err)) {
        return;
    }
    if (state.outcome != SQ_TREE_READ) {
        sq_tree_fail(&state, SQ_ERR_UNSUPPORTED, "", state.why, err);
    } else if (sq_tree_elements(&tree, call->arena, &elements, err)) {
        hit_find(act, &elements);
        act->hit.is_known =
            act->hit.is_known
            && sq_element_keep(&act->hit.element, call->arena, err);
    }
}

/* Does so before an action; it must leave time to act. */
static bool
read_hit(struct sq_act *act, struct sq_err *err) {
    struct sq_call *call = act->call;
    const struct sq_deadline whole = call->deadline;
    struct sq_err local_err = { 0 };
    call->deadline =
        sq_deadline_within(&whole, call->config->limits.timeout_ms);
    hit_read(act, &local_err);
    call->deadline = whole;
    if (local_err.code && act->level == SQ_RECEIPT_FULL) {
        sq_act_note_error(act, "Listing the elements before", &local_err);
    }
    return sq_deadline_check(&whole, err);
}

/*
 * Finds the element in the latest tree, if a capture that was just taken shows
 * the same as when the tree was read.
 */
static void
hit_recall(struct sq_act *act, const struct sq_screen *screen) {
    struct sq_call *call = act->call;
    const struct sq_tree_stamp now = sq_tree_stamp_now(call->device, screen);
    struct sq_elements elements;
    sq_session_on_screen(call->session, call->device->info.id, &now,
                         call->arena, &elements);
    if (elements.is_known) {
        hit_find(act, &elements);
        act->hit.is_from_list = act->hit.is_known;
    }
}

static bool
find_hit(struct sq_act *act, const struct sq_target *target,
         struct sq_err *err) {
    struct sq_call *call = act->call;
    if (target->has_element) {
        act->hit = (struct sq_hit){ .is_known = !target->element.is_covered,
                                    .element = target->element };
        return true;
    }
    if (act->elements[0].is_known) {
        hit_find(act, &act->elements[0]);
        act->hit.is_from_list = act->hit.is_known && act->is_from_list;
        return true;
    }
    if (act->level == SQ_RECEIPT_FULL
        || call->device->ops->elements_are_instant) {
        return read_hit(act, err);
    }
    if (act->watching) {
        hit_recall(act, &target->screen);
    }
    return true;
}

bool
sq_act_aim(struct sq_act *act, const struct sq_target *target,
           struct sq_err *err) {
    if (act->level == SQ_RECEIPT_NONE) {
        return true;
    }
    act->has_point = true;
    act->point = target->at;
    bool ok = find_hit(act, target, err);
    if (target->space == SQ_SPACE_IMAGE) {
        memcpy(act->named, target->frame.id, sizeof(act->named));
    }
    if (act->hit.is_known) {
        act->touched = act->hit.element.bounds;
    }
    return ok;
}

/* Returns whether captures are too slow for a default receipt. */
static bool
skipped_look(const struct sq_act *act) {
    return act->level != SQ_RECEIPT_NONE && !wants_picture(act);
}

/* Writes why nothing was verified: first as a sentence, then a code. */
static void
put_unverified(const struct sq_act *act, struct sq_json_writer *w) {
    const struct sq_call *call = act->call;
    sq_put_bool(w, "verified", false);
    if (!skipped_look(act)) {
        return; /* the note has the reason */
    }
    if (sq_session_notice_was_sent(call->session, call->device->info.id,
                                   SQ_NOTICE_SLOW_CAPTURES)) {
        sq_put_text(w, "reason", "slow_captures");
        return;
    }
    char reason[100];
    int ms = call->device->ops->capture_ms;
    snprintf(reason, sizeof(reason),
             ms > 0 ? "captures take %d ms on this device; ask for receipt fast"
                    : "captures are slow on this device; ask for receipt fast",
             ms);
    sq_put_text(w, "reason", reason);
}

static void
put_change(const struct sq_act *act, struct sq_json_writer *w) {
    if (act->level == SQ_RECEIPT_NONE) {
        return;
    }
    if (!act->has_change || act->is_doubtful) {
        put_unverified(act, w);
    }
    if (!act->has_change) {
        return;
    }
    if (act->looks_once) {
        sq_put_int(w, "lookedAfterMs", act->watch.watched_ms);
    } else {
        sq_put_bool(w, "settled", act->settled);
    }
    if (act->change.resized) {
        return;
    }
    sq_put_changed(w, &act->where,
                   strcmp(act->view.id, act->named) == 0 ? NULL : act->view.id);
    if (act->change.any ? act->is_press_only : !act->looks_once) {
        sq_put_int(w, "watchedMs", act->watch.watched_ms);
    }
}

static void
put_picture(const struct sq_act *act, struct sq_json_writer *w) {
    if (act->shows_part) {
        const struct sq_img_rect *part = &act->shot.opts.region;
        sq_json_begin_object_of(w, "picture");
        sq_put_edges(w, part->left, part->top, part->right, part->bottom);
        sq_json_end_object(w);
        sq_put_redacted(w, act->shot.redacted);
    } else if (act->shot.frame.id[0]) {
        sq_json_begin_object_of(w, "picture");
        sq_screen_picture_put(&act->shot, w);
        sq_json_end_object(w);
    }
}

/* Writes the list; one that was not asked for is short. */
static void
put_rows(const struct sq_act *act, struct sq_json_writer *w) {
    bool is_full = act->level == SQ_RECEIPT_FULL;
    size_t shown = sq_compact_put(&act->list, is_full ? MAX_LISTED : MAX_ROWS,
                                  is_full ? SIZE_MAX : MAX_ROW_BYTES, w);
    if (is_full && shown < act->list.count) {
        sq_put_int(w, "totalCount", (int64_t)act->list.count);
    } else if (shown < act->list.count) {
        char text[60];
        snprintf(text, sizeof(text), "%zu more: @dump",
                 act->list.count - shown);
        sq_put_advice(act->call, w, "more", text);
    }
    if (act->list.count == 0) {
        sq_put_no_elements(w);
    }
}

static void
put_list(const struct sq_act *act, struct sq_json_writer *w) {
    if (act->has_list) {
        if (!act->call->lists_later) {
            put_rows(act, w);
        }
        sq_put_frame(w, &act->list_view);
    }
}

/* Writes the words, unless the list says more, and where they are from. */
static void
put_words(const struct sq_act *act, struct sq_json_writer *w) {
    bool is_listed =
        act->has_list
        && (act->level != SQ_RECEIPT_FULL || act->words.is_other_screen);
    bool any = act->change.any || act->words.count > 0;
    if (any && !is_listed && !act->shows_part) {
        sq_word_change_put(act->call, &act->words, w);
    }
    if (act->shows_part
        || (any && !act->change.resized && !act->has_list && !act->words.by
            && act->says_words && act->call->is_short)) {
        sq_put_text(w, "by", act->shows_part ? "picture" : "pixels");
    }
}

/*
 * Writes where in an element without a label it was touched, if not near its
 * middle: it may be a container, and a replay must not touch its middle.
 */
static void
put_place(const struct sq_act *act, struct sq_json_writer *w) {
    const struct sq_hit *hit = &act->hit;
    const struct sq_dev_rect *bounds = &hit->element.bounds;
    int64_t width = bounds->right - bounds->left;
    int64_t height = bounds->bottom - bounds->top;
    if (hit->element.label.len > 0 || width <= 0 || height <= 0) {
        return;
    }
    int64_t x = (act->point.x - bounds->left) * 100 / width;
    int64_t y = (act->point.y - bounds->top) * 100 / height;
    if (llabs(x - 50) > 25 || llabs(y - 50) > 25) {
        char text[48];
        snprintf(text, sizeof(text), "%" PRId64 "%%,%" PRId64 "%%", x, y);
        sq_put_text(w, "at", text);
    }
}

/* Writes the element that was touched, if it is known. */
static void
put_hit(const struct sq_act *act, struct sq_json_writer *w) {
    const struct sq_hit *hit = &act->hit;
    if (!hit->is_known) {
        return;
    }
    const struct sq_element *element = &hit->element;
    sq_json_begin_object_of(w, "element");
    sq_put_untrusted(w, "label", element->label);
    sq_put_untrusted(w, "type", element->type);
    sq_put_untrusted(w, "resourceId", sq_short_id(element->resource_id));
    if (element->resource_id.len > 0 && hit->same_ids > 1) {
        sq_put_int(w, "sameIds", hit->same_ids);
    }
    put_place(act, w);
    if (hit->has_state) {
        sq_put_bool(w, "checked", hit->is_checked);
    }
    sq_put_if_true(w, "fromLastList", hit->is_from_list);
    sq_json_end_object(w);
}

static bool
write_reply(struct sq_act *act, struct sq_reply *reply, sq_act_put *put,
            sq_act_put *more, const void *context) {
    struct sq_json_writer *w = &reply->w;
    sq_buf_clear(&reply->block->data);
    sq_reply_writer_init(act->call, w, &reply->block->data);
    sq_json_begin_object(w);
    sq_put_late_change(act->call, w);
    put(w, context);
    if (more) {
        more(w, context);
    }
    put_hit(act, w);
    if (act->target_changed) {
        sq_put_bool(w, "targetChanged", true);
    }
    put_change(act, w);
    put_words(act, w);
    put_picture(act, w);
    put_list(act, w);
    if (act->note[0]) {
        sq_json_put_key(w, "note");
        if (act->note_quotes) {
            sq_json_put_untrusted(w, sq_span_of(act->note));
        } else {
            sq_json_put_clean(w, sq_span_of(act->note));
        }
    }
    return sq_reply_end(act->call, reply, NULL);
}

/* Writes only the action, into the reserved memory, if out of memory. */
static bool
write_least(struct sq_act *act, struct sq_reply *reply, sq_act_put *put,
            const void *context, struct sq_err *err) {
    struct sq_json_writer *w = &reply->w;
    sq_buf_clear(&reply->block->data);
    sq_reply_writer_init_least(act->call, w, &reply->block->data);
    sq_json_begin_object(w);
    put(w, context);
    sq_put_text(w, "note", "Done, but there was no memory for a full reply.");
    return sq_reply_end(act->call, reply, err);
}

/* Removes the picture, which is useless without its text. */
static void
drop_picture(struct sq_act *act, struct sq_block **text) {
    struct sq_result *result = act->call->result;
    if (result->count == 2) {
        sq_buf_finish(&result->blocks[0].data);
        result->blocks[0] = result->blocks[1];
        result->count = 1;
        *text = &result->blocks[0];
    }
}

/*
 * Writes the reply and remembers its list. Indexes in the reply must be valid,
 * and only those: a list that cannot be remembered is removed from the reply.
 */
static bool
write_and_remember(struct sq_act *act, struct sq_reply *reply, sq_act_put *put,
                   sq_act_put *more, const void *context) {
    struct sq_err err = { 0 };
    if (!write_reply(act, reply, put, more, context)) {
        return false;
    }
    if (!act->has_list) {
        return true;
    }
    if (sq_listing_remember(act->call, &act->list, act->call->device->change,
                            &err)) {
        sq_session_add_frame(act->call->session, &act->list_view);
        return true;
    }
    act->has_list = false;
    sq_act_note_error(act, "Remembering the list of elements", &err);
    return write_reply(act, reply, put, more, context);
}

bool
sq_act_end(struct sq_act *act, sq_act_put *put, sq_act_put *more,
           const void *context, struct sq_err *err) {
    const char *notice = act->call->device->notice;
    sq_act_watch(act);
    if (notice[0]) {
        sq_act_note(act, "%s", notice);
        act->note_quotes = true;
    }
    sq_act_read_after(act);
    sq_act_make_picture(act);
    struct sq_reply reply;
    if (!sq_result_add(act->call->result, SQ_BLOCK_TEXT, act->reply.max,
                       &reply.block, err)) {
        return false;
    }
    reply.block->mime_type = "application/json";
    reply.block->priority = 0.7;
    reply.block->data = act->reply;
    act->reply = (struct sq_buf){ 0 };
    if (write_and_remember(act, &reply, put, more, context)) {
        if (act->shows_part || act->shot.frame.id[0]) {
            sq_screen_picture_commit(&act->shot);
        }
        if (skipped_look(act)) {
            sq_session_set_notice_sent(act->call->session,
                                       act->call->device->info.id,
                                       SQ_NOTICE_SLOW_CAPTURES);
        }
        return true;
    }
    drop_picture(act, &reply.block);
    return write_least(act, &reply, put, context, err);
}
