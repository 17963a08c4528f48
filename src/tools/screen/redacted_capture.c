/* Captures a device's screen without what must be hidden. */
#include "tools/screen/redacted_capture.h"

#include "image/pipeline/codec.h"
#include "tools/elements/label.h"
#include "tools/elements/selector.h"
#include "tools/screen/late_change.h"
#include "tools/screen/watch.h"
#include "util/mem.h"

/* What is known of a screen, in pixels of its picture. */
struct knowledge {
    struct sq_rect *boxes;
    size_t box_count;
    struct sq_redact_label *labels;
    size_t label_count;
    struct sq_tree tree; /* owns the texts */
    struct sq_app app;
};

bool
sq_redacted_may_observe(const struct sq_redactor *redactor) {
    return !redactor || !sq_redactor_is_active(redactor);
}

/* How much depends on the elements of a picture. */
enum need {
    NEED_NONE,
    NEED_IF_POSSIBLE, /* a picture without them may be shown */
    NEED_TREE,        /* without them the picture must not be shown */
    NEED_PASSWORD,    /* nor without the password field that has the focus */
};

/* Returns whether the elements are read to find password fields. */
static enum need
tree_need(const struct sq_redacted_request *request,
          const struct sq_capture *capture) {
    const struct sq_device_ops *ops = request->device->ops;
    enum sq_redact_passwords passwords = request->redactor->passwords;
    if (capture->other_display || !ops->tree) {
        return NEED_NONE;
    }
    if (passwords == SQ_REDACT_FOCUSED
        && capture->password_focus == SQ_PASSWORD_FOCUSED) {
        return NEED_PASSWORD;
    }
    if (passwords == SQ_REDACT_ALWAYS) {
        return NEED_TREE;
    }
    bool picture_only = request->capture && request->capture->picture_only;
    bool may_be_focused = passwords == SQ_REDACT_FOCUSED && !picture_only
                       && capture->password_focus == SQ_PASSWORD_FOCUS_UNKNOWN;
    /* A secret that was typed may be shown by the app later. */
    bool has_typed = sq_redact_has_typed(request->redactor->rules);
    return ops->elements_are_instant || may_be_focused || has_typed
             ? NEED_IF_POSSIBLE
             : NEED_NONE;
}

/* Returns whether the picture may be shown although reading has failed. */
static bool
may_show(const struct sq_redacted_request *request, enum need need,
         enum sq_err_code code) {
    /* The demo phone knows that its screen has no elements, as in a game. */
    bool has_none = code == SQ_ERR_UNSUPPORTED
                 && request->device->ops->elements_are_instant;
    return need == NEED_IF_POSSIBLE ? !sq_is_fatal(code)
                                    : need == NEED_TREE && has_none;
}

/*
 * Reads the elements; *unknown: there are none to read. Fails only if the
 * picture must not be shown then.
 */
static bool
read_tree(const struct sq_redacted_request *request, enum need need,
          struct sq_tree *out, bool *unknown, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_device_tree(request->device, out, request->deadline, &local_err)) {
        if (out->root) {
            return true;
        }
        sq_fail(&local_err, SQ_ERR_UNSUPPORTED, "the device lists no elements");
    }
    /* A device that knows all of its elements knows that there are none. */
    *unknown = !request->device->ops->elements_are_instant;
    if (may_show(request, need, local_err.code)) {
        return true;
    }
    return sq_fail_with(err, &local_err)
        || sq_fail_in(err, need == NEED_PASSWORD
                               ? "a password field has the focus and cannot be "
                                 "hidden"
                               : "redact.passwords is always, and password "
                                 "fields cannot be found");
}

/* Fails unless the elements have the password field that has the focus. */
static bool
check_password_field(const struct sq_tree *tree, enum need need,
                     struct sq_err *err) {
    const struct sq_node *node = tree->root;
    while (node && !sq_node_is_secret(node)) {
        node = sq_node_after(node);
    }
    if (node || need < NEED_PASSWORD) {
        return true;
    }
    sq_fail(err, SQ_ERR_INVALID_OPERATION,
            "the picture is not shown, because a password is being typed and "
            "no element shows where");
    return sq_fail_hint(
        err, "@Tap another field or leave this screen, then try again. Or "
             "${ask the person to |}set redact.passwords: known.");
}

/* An empty field shows its hint, which is not secret. */
static bool
has_secret(const struct sq_node *node) {
    return sq_node_is_secret(node) && node->text.len > 0
        && !sq_span_equal(node->text, node->hint);
}

static bool
to_pixels(const struct sq_view *view, struct sq_dev_rect bounds,
          struct sq_rect *out) {
    struct sq_img_rect rect;
    if (!sq_view_rect_to_image(view, bounds, &rect)) {
        return false;
    }
    *out = sq_img_edges(rect);
    return true;
}

/* Takes password fields and texts from the elements. */
static bool
take_elements(const struct sq_view *view, struct knowledge *known,
              struct sq_err *err) {
    size_t count = (size_t)known->tree.count + SQ_SESSION_SECRETS + 1;
    known->boxes = sq_mem_alloc(count, sizeof(*known->boxes));
    known->labels = sq_mem_alloc(2 * count, sizeof(*known->labels));
    if (!known->boxes || !known->labels) {
        return sq_fail_nomem(err);
    }
    for (const struct sq_node *node = known->tree.root; node;
         node = sq_node_after(node)) {
        struct sq_rect box;
        if (!to_pixels(view, node->bounds, &box)) {
            continue;
        }
        if (has_secret(node)) {
            known->boxes[known->box_count++] = box;
        } else if (!sq_node_is_secret(node)) {
            const struct sq_span texts[] = { node->text, node->desc };
            for (int i = 0; i < 2; i++) {
                known->labels[known->label_count++] =
                    (struct sq_redact_label){ texts[i], box };
            }
        }
    }
    return true;
}

static void
take_session(const struct sq_redacted_request *request,
             const struct sq_capture *capture, const struct sq_view *view,
             struct knowledge *known) {
    struct sq_dev_rect secrets[SQ_SESSION_SECRETS];
    size_t count = request->session ? sq_session_secrets(
                       request->session, request->device, capture, secrets)
                                    : 0;
    for (size_t i = 0; i < count; i++) {
        known->box_count +=
            to_pixels(view, secrets[i], &known->boxes[known->box_count]);
    }
}

/* Finds out which app is in front, if rules depend on it. */
static struct sq_span
find_app(const struct sq_redacted_request *request,
         const struct sq_capture *capture, struct knowledge *known) {
    if (!sq_redact_has_app_rules(request->redactor->rules)
        || capture->screen.app[0]
        || !sq_device_current_app(request->device, &known->app,
                                  request->deadline, NULL)) {
        return sq_span_of(capture->screen.app);
    }
    return sq_span_of(known->app.package);
}

/* Returns the size of the picture without decoding it, if possible. */
static bool
picture_view(const struct sq_capture *capture, struct sq_view *out,
             struct sq_err *err) {
    struct sq_size size;
    if (!sq_codec_size(capture->bytes.data, capture->bytes.len, &size, err)) {
        return false;
    }
    *out = sq_view_make(capture->screen.size, size);
    return true;
}

static bool
redact(const struct sq_redacted_request *request, struct sq_capture *capture,
       int *count, struct sq_err *err) {
    struct sq_redact_original original = { 0 };
    struct knowledge known = { 0 };
    struct sq_view view;
    enum need need = tree_need(request, capture);
    bool *unknown = &capture->passwords_unknown;
    bool ok = picture_view(capture, &view, err)
           && (need == NEED_NONE
               || read_tree(request, need, &known.tree, unknown, err))
           && check_password_field(&known.tree, need, err)
           && take_elements(&view, &known, err);
    if (ok) {
        if ((need == NEED_NONE || *unknown) && !capture->other_display) {
            take_session(request, capture, &view, &known);
        }
        const struct sq_redact_facts facts = {
            .boxes = known.boxes,
            .box_count = known.box_count,
            .labels = known.labels,
            .label_count = known.label_count,
            .app = find_app(request, capture, &known),
        };
        bool may_paint =
            known.box_count > 0 || sq_redactor_is_active(request->redactor);
        uint64_t hash = may_paint ? sq_capture_hash(&capture->bytes) : 0;
        ok = sq_redact_picture(request->redactor, &facts, request->deadline,
                               &capture->bytes, &original, err);
        *count = sq_redact_count_places(&original.boxes);
        if (ok && *count > 0 && !capture->other_display) {
            sq_device_saw(request->device, hash);
        }
    }
    if (request->original) {
        *request->original = original;
    } else {
        sq_redact_original_finish(&original);
    }
    sq_mem_free(known.boxes);
    sq_mem_free(known.labels);
    sq_tree_finish(&known.tree);
    return ok;
}

/* Leaves errors of the picture to the caller, which explains them. */
static bool
is_picture(const struct sq_capture *capture) {
    struct sq_size size;
    return !capture->secure && capture->bytes.len > 0
        && sq_codec_size(capture->bytes.data, capture->bytes.len, &size, NULL);
}

/* Returns whether something may have to be hidden in this capture. */
static bool
may_hide(const struct sq_redacted_request *request,
         const struct sq_capture *capture) {
    struct sq_dev_rect secrets[SQ_SESSION_SECRETS];
    return request->redactor
        && (sq_redactor_is_active(request->redactor)
            || tree_need(request, capture) != NEED_NONE
            || (request->session
                && sq_session_secrets(request->session, request->device,
                                      capture, secrets)
                       > 0));
}

/*
 * Captures the screen. Boxes are painted before a picture is scaled, so one
 * that was scaled on the device is taken again if there may be any.
 */
static bool
take(const struct sq_redacted_request *request,
     struct sq_capture_request *capture, struct sq_capture *out,
     struct sq_err *err) {
    size_t most = out->bytes.max;
    if (!sq_device_capture(request->device, capture, out, request->deadline,
                           err)) {
        return false;
    }
    if (out->scaled.hash == 0 || !may_hide(request, out)) {
        return true;
    }
    capture->chooser = NULL;
    sq_capture_finish(out);
    *out = (struct sq_capture){ 0 };
    sq_buf_init(&out->bytes, most);
    return sq_device_capture(request->device, capture, out, request->deadline,
                             err);
}

bool
sq_redacted_hide(const struct sq_redacted_request *request,
                 struct sq_capture *capture, int *count, struct sq_err *err) {
    *count = 0;
    if (!request->redactor || !is_picture(capture) || capture->scaled.hash != 0
        || redact(request, capture, count, err)) {
        return true;
    }
    sq_buf_clear(&capture->bytes);
    return false;
}

bool
sq_redacted_capture(const struct sq_redacted_request *request,
                    struct sq_capture *out, int *count, struct sq_err *err) {
    struct sq_capture_request capture = { 0 };
    if (request->capture) {
        capture = *request->capture;
    }
    capture.finds_password_focus =
        request->redactor && request->redactor->passwords == SQ_REDACT_FOCUSED;
    *count = 0;
    if (!take(request, &capture, out, err)) {
        return false;
    }
    if (request->call) {
        sq_late_change_look(request->call, out, request->deadline);
    }
    return sq_redacted_hide(request, out, count, err);
}
