#include "tools/fallback.h"

#include "config/config.h"
#include "tool/names.h"
#include "tools/reply.h"

static bool
ask_app(struct sq_call *call, struct sq_fallback *out, struct sq_err *err) {
    struct sq_err why = { 0 };
    out->has_app =
        sq_device_current_app(call->device, &out->app, &call->deadline, &why);
    if (out->has_app || why.code == SQ_ERR_UNSUPPORTED) {
        return true;
    }
    if (err) {
        *err = why;
    }
    return false;
}

static bool
take_picture(struct sq_call *call, struct sq_fallback *out,
             struct sq_err *err) {
    bool may_write = !call->config->tools.read_only;
    /* Only an explicit "no" leaves the model without the picture itself. */
    bool path_only =
        may_write && call->config->ui.include_base64 == SQ_TRI_FALSE;
    const struct sq_look_opts opts = {
        .to_file = path_only,
        .is_unasked = true,
        .keep_file = may_write && !path_only,
        .format = path_only ? SQ_FORMAT_PNG : SQ_FORMAT_JPEG,
    };
    return sq_look_make(call, &opts, &out->shot, err)
        && sq_look_deliver(call, &opts, &out->shot, err);
}

static bool
is_about_the_screen(enum sq_err_code code) {
    return code == SQ_ERR_SECURE_SCREEN || code == SQ_ERR_SCREENSHOT_FAILED
        || code == SQ_ERR_UNSUPPORTED;
}

bool
sq_fallback_take(struct sq_call *call, bool must_show, struct sq_fallback *out,
                 struct sq_err *err) {
    struct sq_err why = { 0 };
    if (!ask_app(call, out, err)) {
        return false;
    }
    if (take_picture(call, out, &why)) {
        return true;
    }
    if (must_show || !is_about_the_screen(why.code)) {
        if (err) {
            *err = why;
        }
        return false;
    }
    out->refused = why;
    return true;
}

static void
put_screen(const struct sq_look *shot, struct sq_json_writer *w) {
    const struct sq_screen *screen = &shot->capture.screen;
    sq_json_put_key(w, "screen");
    sq_json_begin_object(w);
    sq_put_int(w, "width", screen->size.width);
    sq_put_int(w, "height", screen->size.height);
    sq_put_double(w, "density", screen->density);
    sq_json_end_object(w);
}

static void
put_refusal(const struct sq_err *refused, struct sq_json_writer *w) {
    sq_put_text(w, "error", sq_tool_error_name(refused->code));
    sq_put_text(w, "message", refused->message);
    sq_put_text(w, "suggestion", refused->hint);
}

void
sq_fallback_put(const struct sq_fallback *fallback, const char *hint,
                struct sq_json_writer *w) {
    const struct sq_look *shot = &fallback->shot;
    bool shown = fallback->refused.code == SQ_ERR_NONE;
    if (shown && shot->has_saved) {
        sq_put_text(w, "screenshotPath", shot->saved.path);
    }
    if (shown) {
        put_screen(shot, w);
    }
    if (fallback->has_app) {
        sq_put_app(w, "app", &fallback->app);
    }
    if (!shown) {
        put_refusal(&fallback->refused, w);
        return;
    }
    if (hint) {
        sq_put_text(w, "hint", hint);
    }
    if (shot->way != SQ_LOOK_NOWHERE) {
        sq_put_size(w, "image", shot->info.image);
        sq_put_double(w, "scaleFactor", shot->scale_factor);
        sq_put_text(w, "screenshotId", shot->frame.id);
    }
    sq_put_int(w, "tokens", shot->tokens);
    if (shot->note[0]) {
        sq_put_text(w, "note", shot->note);
    }
}

void
sq_fallback_commit(struct sq_call *call, struct sq_fallback *fallback) {
    if (fallback->refused.code == SQ_ERR_NONE) {
        sq_look_commit(call, &fallback->shot);
    }
}

void
sq_fallback_finish(struct sq_fallback *fallback) {
    sq_look_finish(&fallback->shot);
}
