/*
 * Delivers a picture: in the reply, as a file, or as a link to one; and
 * describes it in the reply.
 */
#include "tools/reply.h"
#include "tools/screen/screen_picture_private.h"

#define SHAPE_WARNING                                                          \
    "The picture has another shape than the screen that taps reach: x,y may "  \
    "miss. Take another screenshot, or use selectors."

static bool
deliver_inline(struct sq_call *call, struct sq_screen_picture *shot,
               struct sq_err *err) {
    struct sq_block *block;
    if (!sq_result_add(call->result, SQ_BLOCK_IMAGE, SQ_MAX_IMAGE_BYTES, &block,
                       err)) {
        return false;
    }
    block->mime_type = sq_format_mime(shot->info.format);
    block->priority = 0.9;
    block->data = shot->picture;
    shot->picture = (struct sq_buf){ 0 };
    return true;
}

static bool
save(struct sq_call *call, struct sq_screen_picture *shot,
     const struct sq_output_file_name *name, const struct sq_buf *picture,
     struct sq_err *err) {
    shot->has_saved =
        sq_output_file_write(call->config, name, picture, &shot->saved, err);
    return shot->has_saved;
}

static bool
deliver_link(struct sq_call *call, struct sq_screen_picture *shot,
             struct sq_err *err) {
    struct sq_block *block;
    const struct sq_output_file_name name = { .is_unasked = true,
                                              .format = shot->info.format };
    if (!save(call, shot, &name, &shot->picture, err)
        || !sq_result_add(call->result, SQ_BLOCK_LINK, 0, &block, err)) {
        return false;
    }
    block->mime_type = sq_format_mime(shot->info.format);
    block->priority = 0.9;
    block->size = shot->info.bytes;
    snprintf(block->name, sizeof(block->name), "Screenshot %s", shot->frame.id);
    sq_output_file_uri(shot->saved.name, block->uri, sizeof(block->uri));
    shot->tokens = 0;
    return true;
}

static bool
deliver_file(struct sq_call *call, const struct sq_screen_picture_opts *opts,
             struct sq_screen_picture *shot, struct sq_err *err) {
    const struct sq_output_file_name name = { .local_path = opts->local_path,
                                              .is_unasked = opts->is_unasked,
                                              .format = shot->info.format };
    return save(call, shot, &name, &shot->picture, err);
}

/*
 * Writes the additional file. Since the picture is in the reply, a failure only
 * adds a note.
 */
static bool
deliver_copy(struct sq_call *call, struct sq_screen_picture *shot,
             struct sq_err *err) {
    struct sq_err local_err = { 0 };
    const struct sq_output_file_name name = { .is_unasked = true,
                                              .format = SQ_FORMAT_PNG };
    if (save(call, shot, &name, &shot->copy, &local_err)) {
        return true;
    }
    if (local_err.code != SQ_ERR_IO && local_err.code != SQ_ERR_NOT_FOUND
        && local_err.code != SQ_ERR_EXHAUSTED) {
        return sq_fail_with(err, &local_err);
    }
    add_note(shot, "Not saved as a file:");
    add_note(shot, local_err.message);
    return true;
}

bool
sq_screen_picture_deliver(struct sq_call *call,
                          const struct sq_screen_picture_opts *opts,
                          struct sq_screen_picture *shot, struct sq_err *err) {
    bool ok = true;
    switch (shot->way) {
    case SQ_SCREEN_PICTURE_NOWHERE:
        shot->tokens = 0;
        break;
    case SQ_SCREEN_PICTURE_INLINE:
        ok = deliver_inline(call, shot, err)
          && (!opts->keep_file || deliver_copy(call, shot, err));
        break;
    case SQ_SCREEN_PICTURE_FILE:
        ok = deliver_file(call, opts, shot, err);
        break;
    case SQ_SCREEN_PICTURE_LINK:
        ok = deliver_link(call, shot, err);
        break;
    }
    sq_buf_finish(&shot->picture);
    sq_buf_finish(&shot->copy);
    return ok;
}

void
sq_screen_picture_put_displays(const struct sq_screen_picture *shot,
                               struct sq_json_writer *w) {
    const struct sq_displays *displays = &shot->capture.displays;
    if (displays->count < 2) {
        return;
    }
    sq_json_begin_array_of(w, "displays");
    for (int i = 0; i < displays->count; i++) {
        sq_json_begin_object(w);
        sq_put_text(w, "id", displays->entries[i].id);
        sq_put_untrusted(w, "name", sq_span_of(displays->entries[i].name));
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

static void
put_region(const struct sq_screen_picture *shot, struct sq_json_writer *w) {
    const struct sq_img_rect *region = &shot->region;
    const struct sq_dev_rect *crop = &shot->frame.view.crop;
    sq_json_begin_object_of(w, "region");
    sq_put_edges(w, region->left, region->top, region->right, region->bottom);
    if (shot->region_of[0]) {
        sq_put_text(w, "screenshotId", shot->region_of);
    }
    sq_json_end_object(w);
    sq_json_begin_object_of(w, "deviceRegion");
    sq_put_edges(w, crop->left, crop->top, crop->right, crop->bottom);
    sq_json_end_object(w);
}

void
sq_screen_picture_put(const struct sq_screen_picture *shot,
                      struct sq_json_writer *w) {
    static const char *const modes[] = {
        [SQ_SCREEN_PICTURE_NOWHERE] = "none",
        [SQ_SCREEN_PICTURE_INLINE] = "inline",
        [SQ_SCREEN_PICTURE_FILE] = "file",
        [SQ_SCREEN_PICTURE_LINK] = "link",
    };
    sq_put_text(w, "mode", modes[shot->way]);
    if (shot->way == SQ_SCREEN_PICTURE_NOWHERE) {
        sq_put_bool(w, "blank", true);
        sq_put_size(w, "device", shot->frame.view.device);
        sq_put_int(w, "tokens", 0);
        sq_put_text(w, "note", shot->note);
        return;
    }
    sq_put_text(w, "screenshotId", shot->frame.id);
    if (shot->has_saved) {
        sq_put_text(w, "path", shot->saved.path);
    }
    sq_put_size(w, "device", shot->frame.view.device);
    sq_put_size(w, "image", shot->info.image);
    if (shot->frame.is_region) {
        put_region(shot, w);
    }
    sq_put_double(w, "scaleFactor", shot->scale_factor);
    sq_put_text(w, "mimeType", sq_format_mime(shot->info.format));
    sq_put_int(w, "sizeBytes", (int64_t)shot->info.bytes);
    sq_put_int(w, "tokens", shot->tokens);
    sq_put_redacted(w, shot->redacted);
    if (shot->capture.other_shape || shot->is_raw) {
        sq_put_text(w, "warning",
                    !shot->is_raw               ? SHAPE_WARNING
                    : shot->capture.other_shape ? SHAPE_WARNING
                        " " SQ_RAW_WARNING
                                                : SQ_RAW_WARNING);
    }
    if (shot->note[0]) {
        sq_put_text(w, "note", shot->note);
    }
}
