#include "tools/past.h"

#include <stdio.h>
#include <string.h>

#include "image/codec.h"
#include "image/tokens.h"
#include "tools/saved.h"
#include "session/session.h"
#include "util/time_text.h"

#define QUARTER_S 900
#define MIN_SIDE 128

bool
sq_past_find(struct sq_call *call, struct sq_span ref,
             struct sq_archive_pick *out, struct sq_err *err) {
    return sq_archive_resolve(call->past->archive, ref, &call->deadline, out,
                              err);
}

bool
sq_past_read_small(struct sq_call *call, const struct sq_archive_pick *pick,
                   struct sq_archive_file *out, bool *is_stored,
                   struct sq_err *err) {
    struct sq_archive *archive = call->past->archive;
    struct sq_err why = { 0 };
    bool has_thumb = (pick->shot.flags & SQ_SHOT_THUMB) != 0;
    bool got_thumb = has_thumb
                  && sq_archive_read(archive, pick, SQ_ARCHIVE_WANT_THUMB,
                                     &call->deadline, out, &why);
    if (is_stored) {
        *is_stored = got_thumb;
    }
    if (got_thumb) {
        return true;
    }
    /* What is not the file's own fault would only fail again. */
    bool may_help = (pick->shot.flags & SQ_SHOT_FULL) != 0
                 && out->fault != SQ_ARCHIVE_FAULT_NONE
                 && out->fault != SQ_ARCHIVE_FAULT_NOT_ALLOWED;
    if (!has_thumb || may_help) {
        return sq_archive_read(archive, pick, SQ_ARCHIVE_WANT_TO_SHRINK,
                               &call->deadline, out, err);
    }
    if (err) {
        *err = why;
    }
    return false;
}

bool
sq_past_allows(const struct sq_call *call, const struct sq_archive_pick *pick,
               enum sq_archive_permission permission) {
    return sq_archive_root_at(call->past->archive, (size_t)pick->root)
               ->permission
        >= permission;
}

/* "s17": references of past shots are longer. */
static bool
is_frame_id(struct sq_span ref) {
    int64_t number;
    return sq_span_take_prefix(&ref, "s") && sq_span_take_int64(&ref, &number)
        && ref.len == 0 && number >= 0;
}

bool
sq_past_open(struct sq_call *call, struct sq_span ref,
             struct sq_past_source *out, struct sq_err *err) {
    if (is_frame_id(ref)) {
        out->is_live = true;
        sq_buf_init(&out->bytes, SQ_MAX_IMAGE_BYTES);
        return sq_session_held(call->session, ref, &out->bytes, err);
    }
    struct sq_archive_file file = { 0 };
    if (!sq_past_find(call, ref, &out->pick, err)) {
        return false;
    }
    out->is_small = !(out->pick.shot.flags & SQ_SHOT_FULL);
    bool ok = sq_archive_read(call->past->archive, &out->pick,
                              out->is_small ? SQ_ARCHIVE_WANT_THUMB
                                            : SQ_ARCHIVE_WANT_FULL,
                              &call->deadline, &file, err);
    out->bytes = file.bytes;
    return ok;
}

void
sq_past_source_finish(struct sq_past_source *source) {
    sq_buf_finish(&source->bytes);
}

void
sq_past_charge(struct sq_call *call, const struct sq_picture_info *info) {
    const struct sq_token_profile *profile = sq_reply_profile(call);
    const struct sq_ledger cost = {
        .images = 1,
        .image_tokens = sq_token_cost(profile, info->image).tokens,
        .image_bytes = (long)info->bytes,
    };
    sq_session_charge(call->session, &cost);
}

static int
offset_of(const struct sq_archive_pick *pick) {
    return pick->shot.quarters * QUARTER_S;
}

static void
write_uri(const char *ref, char out[128]) {
    snprintf(out, 128, SQ_SAVED_URI "%s", ref);
}

bool
sq_past_put(struct sq_call *call, const struct sq_archive_pick *pick,
            struct sq_size size, struct sq_json_writer *w, struct sq_err *err) {
    char ref[SQ_REF_SIZE];
    char uri[128];
    char text[SQ_TIME_TEXT_SIZE];
    struct sq_archive *archive = call->past->archive;
    if (!sq_archive_ref(archive, pick, ref, err)) {
        return false;
    }
    write_uri(ref, uri);
    sq_put_text(w, "screenshotRef", ref);
    sq_time_format(pick->shot.utc, offset_of(pick), text);
    sq_put_text(w, "timestamp", text);
    sq_time_format_wall(pick->shot.utc, offset_of(pick), text);
    sq_put_text(w, "displayLocalTime", text);
    if (size.width > 0) {
        sq_put_int(w, "width", size.width);
        sq_put_int(w, "height", size.height);
    }
    sq_put_int(w, "monitor", pick->shot.monitor);
    sq_put_bool(w, "hasThumbnail", (pick->shot.flags & SQ_SHOT_THUMB) != 0);
    if (sq_past_allows(call, pick, SQ_ARCHIVE_THUMBNAIL)) {
        sq_put_text(w, "resourceUri", uri);
    } else {
        sq_put_text(w, "access", "metadata");
    }
    if (sq_archive_root_count(archive) > 1) {
        const struct sq_archive_root *root =
            sq_archive_root_at(archive, (size_t)pick->root);
        sq_put_untrusted(w, "root", sq_span_of(root->name));
    }
    return true;
}

void
sq_past_name(const struct sq_archive_pick *pick, char out[SQ_PAST_NAME_SIZE]) {
    char text[SQ_TIME_TEXT_SIZE];
    sq_time_format_wall(pick->shot.utc, offset_of(pick), text);
    snprintf(out, SQ_PAST_NAME_SIZE, "Screenshot %s", text);
}

bool
sq_past_add_link(struct sq_call *call, const struct sq_archive_pick *pick,
                 enum sq_audience audience, struct sq_err *err) {
    char ref[SQ_REF_SIZE];
    char name[SQ_PAST_NAME_SIZE];
    struct sq_block *block;
    if (!sq_archive_ref(call->past->archive, pick, ref, err)
        || !sq_result_add(call->result, SQ_BLOCK_LINK, 0, &block, err)) {
        return false;
    }
    sq_past_name(pick, name);
    block->audience = audience;
    block->priority = 0.3;
    block->mime_type = sq_name_mime(&pick->shot);
    write_uri(ref, block->uri);
    snprintf(block->name, sizeof(block->name), "%s", name);
    return true;
}

/* Encode until it fits: lower quality first, then smaller sides. */
static bool
encode_within(const struct sq_buf *bytes, struct sq_picture_opts how,
              size_t most, struct sq_buf *out, struct sq_picture_info *info,
              struct sq_err *err) {
    static const int qualities[] = { 60, 45, 30 };
    size_t tries = 0;
    for (;;) {
        sq_buf_clear(out);
        if (!sq_picture_make(bytes->data, bytes->len, &how, &sq_limits_default,
                             out, info, err)) {
            return false;
        }
        int side = sq_size_long_side(info->image);
        if (out->len <= most) {
            return true;
        }
        if (tries < sizeof(qualities) / sizeof(qualities[0])) {
            how.quality = qualities[tries++];
        } else if (side > MIN_SIDE) {
            how.max_dimension = side * 3 / 4;
        } else {
            return sq_fail(err, SQ_ERR_LIMIT,
                           "the picture does not fit into a reply");
        }
    }
}

/* Whether the bytes can go out untouched: then *info describes them. */
static bool
may_stay(const struct sq_buf *bytes, const struct sq_past_picture *how,
         size_t most, struct sq_picture_info *info) {
    const struct sq_codec *codec;
    struct sq_size size;
    bool plain = false;
    if (how->region || bytes->len > most
        || !sq_codec_find(bytes->data, bytes->len, &codec, NULL)
        || strcmp(codec->name, sq_format_name(SQ_FORMAT_JPEG)) != 0
        || !sq_jpeg_is_plain(bytes->data, bytes->len, &plain, NULL) || !plain
        || !sq_codec_size(bytes->data, bytes->len, &size, NULL)
        || (how->max_side && sq_size_long_side(size) > how->max_side)) {
        return false;
    }
    *info = (struct sq_picture_info){ .device = size,
                                      .image = size,
                                      .scale_factor = 1,
                                      .format = SQ_FORMAT_JPEG,
                                      .bytes = bytes->len };
    return true;
}

size_t
sq_past_room(const struct sq_call *call) {
    return sq_reply_picture_bytes(sq_reply_bytes_left(call));
}

bool
sq_past_add_picture(struct sq_call *call, const struct sq_buf *bytes,
                    const struct sq_past_picture *how,
                    struct sq_picture_info *info, struct sq_err *err) {
    struct sq_buf picture;
    struct sq_block *block;
    size_t most = sq_past_room(call);
    const struct sq_picture_opts opts = {
        .max_dimension = how->max_side,
        .quality = how->quality,
        .region = how->region,
    };
    sq_buf_init(&picture, SQ_MAX_IMAGE_BYTES);
    bool ok = may_stay(bytes, how, most, info)
                ? sq_buf_append(&picture, bytes->data, bytes->len, err)
                : encode_within(bytes, opts, most, &picture, info, err);
    if (!ok
        || !sq_result_add(call->result, SQ_BLOCK_IMAGE, SQ_MAX_IMAGE_BYTES,
                          &block, err)) {
        sq_buf_finish(&picture);
        return false;
    }
    block->mime_type = sq_format_mime(info->format);
    block->audience = how->audience;
    block->priority = how->priority;
    block->data = picture;
    return true;
}

const char *
sq_past_remedy(const struct sq_call *call, enum sq_archive_reason reason) {
    static const char *const remedies[] = {
        [SQ_ARCHIVE_REASON_NONE] = "",
        [SQ_ARCHIVE_REASON_RETENTION] =
            "The window lies before the oldest screenshot: older ones were "
            "probably purged. Ask for a later window, or have the person "
            "review ManicTime's screenshot retention settings.",
        [SQ_ARCHIVE_REASON_CAPTURE_DISABLED] =
            "The folder is missing or was never written to. Have the person "
            "review ManicTime's screenshot capture and retention settings and "
            "the configured folder; squint://health says more.",
        [SQ_ARCHIVE_REASON_UNKNOWN] =
            "There are screenshots, but none in this window. Try a wider one, "
            "or have the person review ManicTime's screenshot capture and "
            "retention settings.",
    };
    return reason == SQ_ARCHIVE_REASON_CAPTURE_DISABLED
                && !call->past->is_configured
             ? "No folder of screenshots is configured. Have the person set "
               "archive.roots, --archive DIR or MANICTIME_DATA_DIR; squint "
               "record makes an archive of any device."
             : remedies[reason];
}
