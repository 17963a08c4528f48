/* Returns a picture of the screen when elements do not help. */
#include "tools/screen/fallback.h"

#include <stdio.h>

#include "config/config.h"
#include "tool/tool.h"
#include "tools/elements/listing.h"
#include "tools/offer.h"
#include "tools/reply.h"

/* Requests the foreground app. The picture is returned even without it. */
static bool
ask_app(struct sq_call *call, struct sq_fallback *out, struct sq_err *err) {
    out->has_app = sq_ask_app(call, &out->app, &out->app_err);
    return !sq_is_fatal(out->app_err.code) || sq_fail_with(err, &out->app_err);
}

static bool
take_picture(struct sq_call *call, struct sq_marks *marks,
             struct sq_fallback *out, struct sq_err *err) {
    const struct sq_decoration decoration = { sq_marks_draw, marks };
    bool may_write = !call->config->tools.read_only;
    /* The picture is omitted only if the configuration is explicitly false. */
    bool path_only = may_write && !call->needs_picture
                  && call->config->ui.include_base64.given
                  && !call->config->ui.include_base64.value;
    const struct sq_screen_picture_opts opts = {
        .to_file = path_only,
        .is_unasked = true,
        .keep_file = may_write && !path_only,
        .format = path_only ? SQ_FORMAT_PNG : SQ_FORMAT_JPEG,
        .decoration = marks ? &decoration : NULL,
        .seen = marks ? marks->seen : NULL,
    };
    bool ok = sq_screen_picture_make(call, &opts, &out->shot, err)
           && sq_screen_picture_deliver(&out->shot, err);
    if (ok && marks && marks->drawn > 0) {
        sq_marks_number(call, marks);
        out->marks = marks;
    }
    return ok;
}

static bool
is_about_the_screen(enum sq_err_code code) {
    return code == SQ_ERR_SECURE_SCREEN || code == SQ_ERR_SCREENSHOT_FAILED
        || code == SQ_ERR_UNSUPPORTED;
}

bool
sq_fallback_take(struct sq_call *call, bool must_show, struct sq_marks *marks,
                 struct sq_fallback *out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    out->may_tap = !call->config->tools.read_only;
    if (take_picture(call, marks, out, &local_err)) {
        return ask_app(call, out, err);
    }
    if (must_show || !is_about_the_screen(local_err.code)) {
        return sq_fail_with(err, &local_err);
    }
    sq_offer_hint(sq_offer_to(call), &local_err);
    out->picture_err = local_err;
    return ask_app(call, out, err);
}

static void
put_screen(const struct sq_screen_picture *shot, struct sq_json_writer *w) {
    const struct sq_screen *screen = &shot->capture.screen;
    sq_json_begin_object_of(w, "screen");
    sq_put_int(w, "width", screen->size.width);
    sq_put_int(w, "height", screen->size.height);
    sq_put_double(w, "density", screen->density);
    sq_json_end_object(w);
}

static void
put_app(const struct sq_fallback *fallback, struct sq_json_writer *w) {
    char note[SQ_ERR_MESSAGE_SIZE + 40];
    if (fallback->has_app) {
        sq_put_app(fallback->shot.call, w, "app", &fallback->app);
        return;
    }
    snprintf(note, sizeof(note), "The foreground app is not known: %s",
             fallback->app_err.message);
    sq_put_untrusted(w, "appNote", sq_span_of(note));
}

static void
put_refusal(const struct sq_err *err, struct sq_json_writer *w) {
    sq_put_text(w, "error", sq_tool_error_name(err->code));
    sq_put_message(w, "message", err);
    sq_put_text(w, "suggestion", err->hint);
}

/* Returns how to name a mark. */
static const char *
by_mark(const struct sq_marks *marks) {
    return !marks ? ""
         : !marks->has_indexes
             ? SQ_SAY("the number of a mark as elementIndex, or ",
                      "the number of a mark as --element-index, or ")
             : SQ_SAY("as elementIndex what elementIndexes has for the number "
                      "of a mark, or ",
                      "as --element-index what elementIndexes has for the "
                      "number of a mark, or ");
}

static void
put_hint(const struct sq_fallback *fallback, const char *reason,
         struct sq_json_writer *w) {
    static const char *const places[] = {
        [SQ_SCREEN_PICTURE_NOWHERE] = "",
        [SQ_SCREEN_PICTURE_INLINE] = " The picture is attached",
        [SQ_SCREEN_PICTURE_FILE] = " The picture is in screenshotPath",
        [SQ_SCREEN_PICTURE_LINK] = " The picture is linked",
    };
    char text[480];
    const struct sq_screen_picture *shot = &fallback->shot;
    const char *place = places[shot->way];
    if (*place == '\0' || !fallback->may_tap) {
        snprintf(text, sizeof(text), "%s%s%s", reason, place,
                 *place ? "." : "");
    } else {
        snprintf(text, sizeof(text),
                 "%s%s: to tap, give %sx,y in its pixels (%s %s).", reason,
                 place, by_mark(fallback->marks),
                 SQ_SAY("screenshotId", "--screenshot-id"), shot->frame.id);
    }
    sq_put_text(w, "hint", text);
}

void
sq_fallback_put(const struct sq_fallback *fallback, const char *reason,
                struct sq_json_writer *w) {
    const struct sq_screen_picture *shot = &fallback->shot;
    bool shown = fallback->picture_err.code == SQ_ERR_NONE;
    if (shown && shot->has_saved) {
        sq_put_text(w, "screenshotPath", shot->saved.path);
    }
    if (shown) {
        put_screen(shot, w);
    }
    put_app(fallback, w);
    if (!shown) {
        put_refusal(&fallback->picture_err, w);
        return;
    }
    if (reason) {
        put_hint(fallback, reason, w);
    }
    if (shot->way != SQ_SCREEN_PICTURE_NOWHERE) {
        sq_put_size(w, "image", shot->info.image);
        sq_put_double(w, "scaleFactor", shot->scale_factor);
        sq_put_text(w, "screenshotId", shot->frame.id);
    }
    if (fallback->marks) {
        sq_marks_put(fallback->marks, w);
    }
    sq_put_int(w, "tokens", shot->tokens);
    sq_put_redacted(w, shot->redacted);
    if (shot->note[0]) {
        sq_put_text(w, "note", shot->note);
    }
}

void
sq_fallback_commit(struct sq_fallback *fallback) {
    if (fallback->picture_err.code == SQ_ERR_NONE) {
        sq_screen_picture_commit(&fallback->shot);
    }
}

void
sq_fallback_finish(struct sq_fallback *fallback) {
    sq_screen_picture_finish(&fallback->shot);
}
