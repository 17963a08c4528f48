/* Writes the text block of a reply. */
#include "tools/reply.h"

#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "device/device.h"
#include "image/measure/measure.h"
#include "image/pipeline/picture.h"
#include "redact/redact.h"
#include "tools/offer.h"
#include "tools/screen/word_change.h"
#include "util/base64.h"
#include "util/utf8.h"

#define NOTE_TEXT 200 /* bytes of a dialog that are told */

size_t
sq_reply_picture_bytes(size_t reply_bytes) {
    return reply_bytes / 8 * 7 / 4 * 3;
}

static const struct sq_token_profile *
profile_of(const struct sq_config *config) {
    const struct sq_token_profile *profile =
        sq_token_profile_at((size_t)config->model.profile);
    return profile ? profile : sq_token_profile_at(0);
}

const struct sq_token_profile *
sq_reply_profile(const struct sq_call *call) {
    return profile_of(call->config);
}

int
sq_reply_side(const struct sq_config *config, int side) {
    static const struct sq_size sizes[][2] = { /* of most phones */
                                               { { 450, 1000 }, { 448, 996 } },
                                               { { 230, 512 }, { 224, 498 } }
    };
    const struct sq_token_profile *profile = profile_of(config);
    for (int i = 0; config->ui.replies == SQ_REPLIES_SHORT && i < 2; i++) {
        if (sizes[i][0].height == side
            && sq_token_cost(profile, sizes[i][1]).tokens
                   < sq_token_cost(profile, sizes[i][0]).tokens) {
            return sizes[i][1].height;
        }
    }
    return side;
}

int
sq_reply_max_dimension(const struct sq_config *config) {
    const int given = config->ui.max_image_dimension;
    const int by_profile = profile_of(config)->default_side;
    return sq_reply_side(config, given > 0    ? given
                                 : by_profile ? by_profile
                                              : SQ_DEFAULT_MAX_DIMENSION);
}

size_t
sq_reply_bytes_left(const struct sq_call *call) {
    size_t left = (size_t)call->config->limits.max_result_bytes;
    for (int i = 0; i < call->result->count; i++) {
        size_t used = sq_base64_encoded_len(call->result->blocks[i].data.len);
        left = used < left ? left - used : 0;
    }
    return left;
}

static bool
apply_mask(const void *context, struct sq_span text, struct sq_buf *out,
           struct sq_err *err) {
    return sq_redact_text(context, text, out, err);
}

static bool
has_text_rules(const struct sq_redactor *redactor) {
    return redactor && sq_redact_hides_text(redactor->rules);
}

void
sq_reply_mask(const struct sq_call *call, struct sq_json_writer *w) {
    if (has_text_rules(call->redactor)) {
        w->mask = (struct sq_json_mask){ apply_mask, call->redactor->rules };
    }
}

void
sq_reply_writer_init(const struct sq_call *call, struct sq_json_writer *w,
                     struct sq_buf *out) {
    sq_json_writer_init(w, out);
    sq_reply_mask(call, w);
}

static bool
leave_nothing(const void *context, struct sq_span text, struct sq_buf *out,
              struct sq_err *err) {
    (void)context;
    (void)text;
    (void)out;
    (void)err;
    return true;
}

void
sq_reply_writer_init_least(const struct sq_call *call, struct sq_json_writer *w,
                           struct sq_buf *out) {
    sq_json_writer_init(w, out);
    if (has_text_rules(call->redactor)) {
        w->mask = (struct sq_json_mask){ leave_nothing, NULL };
    }
}

bool
sq_reply_hide(const struct sq_call *call, struct sq_span *text,
              struct sq_err *err) {
    if (!has_text_rules(call->redactor)) {
        return true;
    }
    SQ_BUF(masked, SQ_MAX_JSON_BYTES);
    struct sq_span left = { NULL, 0 };
    bool ok = sq_redact_text(call->redactor->rules, *text, &masked, err);
    if (ok) {
        left = sq_buf_span(&masked);
        ok = sq_arena_keep(call->arena, &left, err);
    }
    if (ok) {
        *text = left;
    }
    return ok;
}

#define ELLIPSIS "\xe2\x80\xa6"

/*
 * Removes the bytes before `end` that may be a part of a secret. Returns the
 * text after the character that is now there.
 */
static char *
remove_before(char *text, size_t end) {
    size_t most = end > SQ_REDACT_PART_BYTES ? end - SQ_REDACT_PART_BYTES : 0;
    size_t kept = sq_utf8_shorten((struct sq_span){ text, end }, most).len;
    memmove(text + kept, text + end, strlen(text + end) + 1);
    return text + kept + (text[kept] != '\0');
}

/*
 * Removes the ends of quotations that were cut: rules do not match the first
 * part of a secret.
 */
static void
remove_cut_ends(char *text, size_t size) {
    if (strlen(text) >= size - SQ_UTF8_MAX) {
        remove_before(text, strlen(text));
    }
    for (char *cut = strstr(text, ELLIPSIS); cut;) {
        cut = strstr(remove_before(text, (size_t)(cut - text)), ELLIPSIS);
    }
}

/* Replaces one text of an error; by nothing if that fails. */
static void
hide_in(const struct sq_redact_rules *rules, char *text, size_t size) {
    remove_cut_ends(text, size);
    SQ_BUF(masked, SQ_MAX_JSON_BYTES);
    bool ok = sq_redact_text(rules, sq_span_of(text), &masked, NULL);
    struct sq_span left =
        ok ? sq_utf8_shorten(sq_buf_span(&masked), size - 1) : SQ_SPAN("");
    snprintf(text, size, "%.*s", SQ_SPAN_ARGS(left));
}

void
sq_reply_hide_error(const struct sq_redactor *redactor, struct sq_err *err) {
    if (err && err->quotes && has_text_rules(redactor)) {
        hide_in(redactor->rules, err->message, sizeof(err->message));
        hide_in(redactor->rules, err->hint, sizeof(err->hint));
    }
}

bool
sq_reply_start(struct sq_call *call, struct sq_reply *reply,
               struct sq_err *err) {
    if (!sq_result_add(call->result, SQ_BLOCK_TEXT, sq_reply_bytes_left(call),
                       &reply->block, err)) {
        return false;
    }
    reply->block->mime_type = "application/json";
    reply->block->priority = 0.7;
    sq_reply_writer_init(call, &reply->w, &reply->block->data);
    sq_json_begin_object(&reply->w);
    sq_put_late_change(call, &reply->w);
    return true;
}

void
sq_put_late_change(struct sq_call *call, struct sq_json_writer *w) {
    if (call->late_change.count == 0) {
        return;
    }
    call->reports_late_change = true;
    sq_json_begin_object_of(w, "sinceLastAction");
    sq_put_changed(w, &call->late_change, NULL);
    if (call->late_ms > 0) {
        sq_put_int(w, "afterMs", call->late_ms);
    }
    if (call->late_words) {
        sq_word_change_put(call, call->late_words, w);
    }
    sq_json_end_object(w);
}

/*
 * Returns whether an id can be read as a text: Android's serial numbers may
 * contain blanks. Other ids are not marked, since every answer has one.
 */
static bool
reads_as_text(const char *id) {
    return strspn(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                      "0123456789._:-")
         < strlen(id);
}

/* Returns whether the result has a picture: what it shows is data, too. */
static bool
has_picture(const struct sq_result *result) {
    for (int i = 0; i < result->count; i++) {
        if (result->blocks[i].kind == SQ_BLOCK_IMAGE
            || result->blocks[i].kind == SQ_BLOCK_LINK) {
            return true;
        }
    }
    return result->saved_path[0] != '\0';
}

/* Says once what the device does not tell, one thing per answer. */
static void
put_untold(struct sq_call *call, struct sq_json_writer *w) {
    struct sq_device *device = call->device;
    if (device && device->is_new_session) {
        sq_put_text(w, "deviceNote",
                    "The session of this device had ended. This is a new one, "
                    "which may show something else.");
        device->is_new_session = false;
        return;
    }
    const struct {
        bool is_untold;
        enum sq_notice notice;
        const char *text;
    } notes[] = {
        { device && device->password_focus_is_untold && call->redactor
              && call->redactor->passwords == SQ_REDACT_FOCUSED,
          SQ_NOTICE_PASSWORDS,
          "This device does not tell whether a password is being typed, so "
          "pictures may show its last character. redact.passwords: always "
          "hides password fields, but is slower." },
        { device && device->display_is_untold, SQ_NOTICE_DISPLAY,
          "dumpsys window of this device does not describe its display: the "
          "size is that of wm size, and a rotation or another app may not be "
          "noticed. Take a new screenshot before you tap." },
    };
    for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++) {
        if (notes[i].is_untold
            && !sq_session_notice_was_sent(call->session, device->info.id,
                                           notes[i].notice)) {
            sq_put_text(w, "deviceNote", notes[i].text);
            sq_session_set_notice_sent(call->session, device->info.id,
                                       notes[i].notice);
            return;
        }
    }
}

/* Says what a dialog asks, if it is not told as what an action has opened. */
static bool
put_dialog(const struct sq_call *call, struct sq_json_writer *w) {
    char note[SQ_DEVICE_NOTICE_SIZE];
    const char *asked = call->device && !(call->tool->flags & SQ_TOOL_ACTS)
                          ? sq_device_dialog(call->device)
                          : NULL;
    if (asked) {
        struct sq_span text = sq_utf8_shorten(sq_span_of(asked), NOTE_TEXT);
        snprintf(note, sizeof(note), "The page shows a dialog: \"%.*s\"",
                 SQ_SPAN_ARGS(text));
        sq_put_quoting(w, "deviceNote", note);
    }
    return asked;
}

bool
sq_reply_end(struct sq_call *call, struct sq_reply *reply, struct sq_err *err) {
    const bool has_note = put_dialog(call, &reply->w);
    reply->w.has_untrusted =
        reply->w.has_untrusted || has_picture(call->result)
        || (call->device && reads_as_text(call->device->info.id));
    sq_put_mark(&reply->w);
    if (call->device) {
        sq_put_text(&reply->w, "deviceId", call->device->info.id);
    }
    sq_put_if_true(&reply->w, "otherClientActed",
                   call->other_acted || call->other_may_react);
    if (has_note) {
        /* Only one is said. */
    } else if (call->demo_by_default
               && !sq_session_notice_was_sent(
                   call->session, call->device->info.id, SQ_NOTICE_DEMO)) {
        sq_put_text(&reply->w, "deviceNote",
                    "demo phone: no other device is attached");
    } else {
        put_untold(call, &reply->w);
    }
    sq_json_end_object(&reply->w);
    bool ok = sq_json_writer_done(&reply->w, err);
    if (ok && call->reports_late_change) {
        call->device->look.untold = (struct sq_late_change){ 0 };
    }
    return ok;
}

void
sq_put_text(struct sq_json_writer *w, const char *key, const char *text) {
    sq_json_put_string(sq_json_at(w, key), sq_span_of(text));
}

void
sq_put_int(struct sq_json_writer *w, const char *key, int64_t number) {
    sq_json_put_int(sq_json_at(w, key), number);
}

void
sq_put_double(struct sq_json_writer *w, const char *key, double number) {
    sq_json_put_double(sq_json_at(w, key), number);
}

void
sq_put_bool(struct sq_json_writer *w, const char *key, bool boolean) {
    sq_json_put_bool(sq_json_at(w, key), boolean);
}

void
sq_put_if_true(struct sq_json_writer *w, const char *key, bool boolean) {
    if (boolean) {
        sq_put_bool(w, key, true);
    }
}

void
sq_put_redacted(struct sq_json_writer *w, int count) {
    if (count > 0) {
        sq_put_int(w, "redacted", count);
    }
}

bool
sq_reply_has_room(const struct sq_json_writer *w) {
    return w->out->len <= w->out->max / 2;
}

void
sq_put_untrusted(struct sq_json_writer *w, const char *key,
                 struct sq_span text) {
    if (text.len > 0) {
        sq_json_put_untrusted_start(sq_json_at(w, key), text,
                                    SQ_MAX_UNTRUSTED_BYTES);
    }
}

void
sq_put_clean(struct sq_json_writer *w, const char *key, struct sq_span text) {
    if (text.len > 0) {
        sq_json_put_clean(sq_json_at(w, key),
                          sq_utf8_shorten(text, SQ_MAX_UNTRUSTED_BYTES));
    }
}

void
sq_put_quoting(struct sq_json_writer *w, const char *key, const char *text) {
    sq_json_put_untrusted(sq_json_at(w, key), sq_span_of(text));
}

void
sq_put_message(struct sq_json_writer *w, const char *key,
               const struct sq_err *err) {
    struct sq_err shown = *err;
    sq_json_put_key(w, key);
    if (!err->quotes) {
        sq_json_put_clean(w, sq_span_of(shown.message));
        return;
    }
    if (w->mask.apply) {
        remove_cut_ends(shown.message, sizeof(shown.message));
    }
    sq_json_put_untrusted(w, sq_span_of(shown.message));
}

void
sq_put_mark(struct sq_json_writer *w) {
    sq_put_if_true(w, "untrusted", w->has_untrusted);
}

void
sq_put_words(struct sq_json_writer *w, const char *key, const char *text) {
    char words[SQ_MARKED_SIZE];
    sq_put_text(w, key, sq_marked(text, words));
}

bool
sq_fail_conflict(const char *a, const char *b, struct sq_err *err) {
    char first[SQ_MARKED_SIZE];
    char second[SQ_MARKED_SIZE];
    sq_fail(err, SQ_ERR_ARGUMENT, "%s and %s cannot be used together",
            sq_marked(a, first), sq_marked(b, second));
    return sq_fail_hint(err, "Leave one of them out.");
}

void
sq_put_advice(const struct sq_call *call, struct sq_json_writer *w,
              const char *key, const char *text) {
    char advice[SQ_ERR_HINT_SIZE];
    sq_offer_write(sq_offer_to(call), text, advice, sizeof(advice));
    sq_json_put_clean(sq_json_at(w, key), sq_span_of(advice));
}

void
sq_put_size(struct sq_json_writer *w, const char *key, struct sq_size size) {
    sq_json_begin_object_of(w, key);
    sq_put_int(w, "width", size.width);
    sq_put_int(w, "height", size.height);
    sq_json_end_object(w);
}

void
sq_put_img_pt(struct sq_json_writer *w, const char *key,
              struct sq_img_pt point) {
    sq_json_begin_object_of(w, key);
    sq_put_int(w, "x", point.x);
    sq_put_int(w, "y", point.y);
    sq_json_end_object(w);
}

void
sq_put_img_rect(struct sq_json_writer *w, const char *key,
                struct sq_img_rect rect) {
    sq_json_begin_object_of(w, key);
    sq_put_int(w, "left", rect.left);
    sq_put_int(w, "top", rect.top);
    sq_put_int(w, "right", rect.right);
    sq_put_int(w, "bottom", rect.bottom);
    sq_json_end_object(w);
}

void
sq_put_edges(struct sq_json_writer *w, int left, int top, int right,
             int bottom) {
    sq_put_int(w, "x", left);
    sq_put_int(w, "y", top);
    sq_put_int(w, "width", right - left);
    sq_put_int(w, "height", bottom - top);
}

void
sq_put_changed(struct sq_json_writer *w, const struct sq_img_rects *rects,
               const char *id) {
    sq_json_put_key(w, "changed");
    if (rects->count > 1) {
        sq_json_begin_array(w);
    }
    for (int i = 0; i < rects->count; i++) {
        const struct sq_img_rect *rect = &rects->items[i];
        sq_json_begin_object(w);
        sq_put_edges(w, rect->left, rect->top, rect->right, rect->bottom);
        if (id && id[0]) {
            sq_put_text(w, "screenshotId", id);
        }
        sq_json_end_object(w);
    }
    if (rects->count == 0) {
        sq_json_put_null(w);
    } else if (rects->count > 1) {
        sq_json_end_array(w);
    }
}

void
sq_put_frame(struct sq_json_writer *w, const struct sq_frame *frame) {
    sq_put_text(w, "coordinateSpace", "image");
    if (frame->id[0]) {
        sq_put_text(w, "screenshotId", frame->id);
    }
}

void
sq_put_app(const struct sq_call *call, struct sq_json_writer *w,
           const char *key, const struct sq_app *app) {
    sq_json_begin_object_of(w, key);
    sq_put_untrusted(w, "packageName", sq_span_of(app->package));
    sq_put_untrusted(w, "activityName", sq_span_of(app->activity));
    if (app->locked) {
        sq_put_bool(w, "locked", true);
        sq_put_advice(call, w, "hint",
                      "The device is locked: its lock screen may cover this "
                      "app. Unlock it by hand. If it has no secret, @wake does "
                      "that.");
    }
    sq_json_end_object(w);
}
