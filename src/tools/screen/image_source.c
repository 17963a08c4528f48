/* Gets the small picture that a request names. */
#include "tools/screen/image_source.h"

#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "image/pipeline/codec.h"
#include "image/png/png.h"
#include "session/session.h"
#include "tool/work.h"
#include "tools/archive/archived_shot.h"
#include "tools/elements/target.h"
#include "tools/screen/output_folder.h"
#include "tools/screen/remembered.h"
#include "tools/screen/screen_text.h"
#include "util/minmax.h"

/* Text within this many sides of the picture is beside it. */
#define BESIDE_SIDES 2

bool
sq_image_search_enabled(const struct sq_call *call, struct sq_err *err) {
    if (call->config->ui.template_matching_enabled) {
        return true;
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "finding pictures in pictures is switched off");
    return sq_fail_hint(
        err, SQ_SAY("Start squint with --template-matching-enabled, or set "
                    "ui.templateMatchingEnabled: true in its configuration.",
                    "Add --template-matching-enabled, or set "
                    "ui.templateMatchingEnabled: true in the configuration."));
}

static bool
crop(const struct sq_image *from, struct sq_rect box, struct sq_image *out,
     struct sq_err *err) {
    int width = box.right - box.left;
    int height = box.bottom - box.top;
    if (!sq_image_init(out, width, height, &sq_limits_default, err)) {
        return false;
    }
    for (int y = 0; y < height; y++) {
        memcpy(sq_image_row(out, y),
               sq_image_row(from, box.top + y)
                   + (size_t)box.left * SQ_PIXEL_BYTES,
               (size_t)width * SQ_PIXEL_BYTES);
    }
    return true;
}

static bool
decode(const struct sq_buf *bytes, struct sq_image_source *out,
       struct sq_err *err) {
    out->has_alpha = sq_png_has_alpha(bytes->data, bytes->len);
    return sq_image_decode(bytes->data, bytes->len, &sq_limits_default,
                           &out->image, err);
}

static bool
open_file(struct sq_call *call, struct sq_span local_path,
          struct sq_image_source *out, struct sq_err *err) {
    SQ_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    return sq_output_file_load(call->config, local_path, &bytes, err)
        && decode(&bytes, out, err);
}

static bool
open_remembered(struct sq_call *call, struct sq_span name,
                struct sq_image_source *out, struct sq_err *err) {
    struct sq_remembered what;
    if (!sq_remembered_read(name, call->arena, &what, &out->image, err)) {
        return false;
    }
    out->name = what.name;
    out->density = what.density;
    out->beside = what.beside;
    snprintf(out->app, sizeof(out->app), "%.*s", SQ_SPAN_ARGS(what.app));
    return true;
}

/* Checks that the region is inside the picture that was returned last. */
static bool
check_past(struct sq_call *call, const struct sq_image_request *request,
           struct sq_err *err) {
    struct sq_size image;
    struct sq_region shown;
    struct sq_rect rect;
    if (!sq_session_shown(call->session, request->picture.value, &image, &shown,
                          err)) {
        return sq_fail_hint(err, "The region counts in the picture of it that "
                                 "was returned last: get it first, in the "
                                 "same session.");
    }
    return sq_region_to_rect(&request->region, image, &rect, err);
}

/* Reads the words around a box. The picture is kept even without them. */
static bool
read_beside(struct sq_call *call, struct sq_screen_text *screen,
            struct sq_rect box, struct sq_span *out, struct sq_err *err) {
    int reach =
        BESIDE_SIDES * sq_max_int(box.right - box.left, box.bottom - box.top);
    struct sq_read_plan plan = { 0 };
    char text[SQ_REMEMBERED_BESIDE_BYTES] = "";
    screen->area = (struct sq_rect){
        sq_max_int(0, box.left - reach), sq_max_int(0, box.top - reach),
        sq_min_int(screen->image.width, box.right + reach),
        sq_min_int(screen->image.height, box.bottom + reach)
    };
    if (!call->reader || !sq_screen_text_read(call, &plan, screen, NULL)) {
        return sq_deadline_check(&call->deadline, err);
    }
    for (int i = 0; i < screen->text.count; i++) {
        const struct sq_words_of_line *words = &screen->text.lines[i].words;
        for (int k = 0; k < words->count; k++) {
            size_t used = strlen(text);
            struct sq_span word = words->items[k].text;
            if (used + word.len + 2 < sizeof(text)) {
                snprintf(text + used, sizeof(text) - used, "%s%.*s",
                         used ? " " : "", SQ_SPAN_ARGS(word));
            }
        }
    }
    *out = sq_span_of(text);
    return sq_arena_keep(call->arena, out, err);
}

/*
 * Adds what the session knows of the screen that a picture was taken of. The
 * name of an activity of the archive is not that of an app: remembered pictures
 * are left out in other apps.
 */
static void
add_screen(struct sq_call *call, struct sq_span id,
           struct sq_image_source *out) {
    struct sq_screen screen;
    struct sq_frame frame;
    if (sq_device_screen(call->device, &screen, &call->deadline, NULL)
        && sq_region_frame(call, id, &screen, &frame, NULL)) {
        out->density = screen.density;
        snprintf(out->app, sizeof(out->app), "%s", frame.app);
    }
}

/* Cuts the region out of a picture that was returned earlier. */
static bool
open_past(struct sq_call *call, const struct sq_image_request *request,
          struct sq_image_source *out, struct sq_err *err) {
    const struct sq_opt_region *region = &request->region;
    struct sq_span ref = request->picture.value;
    const struct sq_crop_rect part = { region->x.value, region->y.value,
                                       region->width.value,
                                       region->height.value, SQ_CROP_IMAGE };
    SQ_FREED(sq_archived_shot_source_finish)
    struct sq_archived_shot_source source = { 0 };
    struct sq_screen_text whole = { 0 }; /* hidden parts are painted over */
    struct sq_region cut;
    bool ok = sq_archived_shot_open(call, ref, &source, err)
           && check_past(call, request, err)
           && sq_work_begin(call->work, true, &call->deadline, err)
           && sq_image_decode(source.bytes.data, source.bytes.len,
                              &sq_limits_capture, &whole.image, err)
           && sq_archived_shot_part(call, ref, &part,
                                    sq_image_size(&whole.image), &cut, err);
    if (ok) {
        const struct sq_rect box = { cut.x, cut.y, cut.x + cut.width,
                                     cut.y + cut.height };
        ok = crop(&whole.image, box, &out->image, err)
          && (!request->reads_beside
              || read_beside(call, &whole, box, &out->beside, err));
    }
    sq_work_end(call->work);
    if (ok && source.is_live && call->device) {
        add_screen(call, ref, out);
    }
    sq_screen_text_finish(&whole);
    return ok;
}

/* Cuts a region or an element out of the screen as it is now. */
static bool
open_live(struct sq_call *call, const struct sq_image_request *request,
          struct sq_image_source *out, struct sq_err *err) {
    SQ_FREED(sq_screen_text_finish) struct sq_screen_text screen = { 0 };
    struct sq_target target = { 0 };
    struct sq_rect box;
    /* Checks that the element is still there as it was listed. */
    bool ok = (!request->element.given
               || sq_target_index(call, request->element.value, &target, err))
           && sq_screen_text_capture(call, &request->region, &screen, err);
    box = screen.area;
    if (ok && request->element.given) {
        ok = sq_screen_text_area(&screen, target.element.bounds, &box)
          || sq_fail(err, SQ_ERR_ELEMENT_NOT_FOUND,
                     "the element is not visible");
    }
    ok = ok && crop(&screen.image, box, &out->image, err)
      && (!request->reads_beside
          || read_beside(call, &screen, box, &out->beside, err));
    if (ok) {
        out->density = screen.screen.density;
        snprintf(out->app, sizeof(out->app), "%s", screen.screen.app);
    }
    sq_work_end(call->work);
    return ok;
}

static bool
check(const struct sq_image_request *request, struct sq_err *err) {
    int ways = request->name.given + request->local_path.given
             + request->element.given + request->region.given;
    if (ways == 1 && (!request->picture.given || request->region.given)) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            ways > 1 ? "the picture is named in more than one way"
            : ways   ? "$screenshotId says in which picture a region is, but "
                       "there is no region"
                     : "the request does not say which picture");
    return sq_fail_hint(
        err,
        SQ_SAY(
            "Give one of: region (with screenshotId for an earlier picture), "
            "elementIndex, the name of a remembered picture, localPath.",
            "Give --region X,Y,W,H, or the NAME of a remembered picture."));
}

bool
sq_image_source_open(struct sq_call *call,
                     const struct sq_image_request *request,
                     struct sq_image_source *out, struct sq_err *err) {
    if (!check(request, err)) {
        return false;
    }
    if (request->name.given) {
        return open_remembered(call, request->name.value, out, err);
    }
    if (request->local_path.given) {
        return open_file(call, request->local_path.value, out, err);
    }
    return request->picture.given ? open_past(call, request, out, err)
                                  : open_live(call, request, out, err);
}

void
sq_image_source_finish(struct sq_image_source *source) {
    sq_image_finish(&source->image);
    *source = (struct sq_image_source){ 0 };
}
