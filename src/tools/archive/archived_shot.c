/* Writes archived shots to a reply: metadata, pictures and links. */
#include "tools/archive/archived_shot.h"

#include <stdio.h>
#include <string.h>

#include "archive/search/search.h"
#include "image/measure/measure.h"
#include "image/pipeline/codec.h"
#include "tools/screen/output_folder.h"
#include "util/time_text.h"

#define QUARTER_S 900
#define MIN_SIDE 128

/* Returns whether there is no folder that could have screenshots. */
static bool
has_no_folder(struct sq_call *call) {
    const struct sq_archive_window window = { .to_utc = 1,
                                              .monitor = SQ_ARCHIVE_ANY,
                                              .root = SQ_ARCHIVE_ANY };
    struct sq_archive *archive = call->past->archive;
    struct sq_archive_listing listing = { 0 };
    if (call->past->is_configured) {
        return false;
    }
    bool is_missing =
        sq_archive_root_count(archive) == 0
        || (sq_archive_list(archive, &window, &call->deadline, &listing, NULL)
            && listing.roots[0].trouble == SQ_ARCHIVE_TROUBLE_MISSING);
    sq_archive_listing_finish(&listing);
    return is_missing;
}

/* Says why no screenshot is known, if no folder is configured. */
static bool
explain_unknown(struct sq_call *call, struct sq_err *err) {
    return err && err->code == SQ_ERR_UNKNOWN_SCREENSHOT && has_no_folder(call)
        && sq_search_fail_troubled(call->past, 0, SQ_ARCHIVE_TROUBLE_MISSING,
                                   err);
}

/* Refuses a hit whose file is another one than when it was found. */
static bool
check_hit(struct sq_call *call, int number, const struct sq_session_hit *hit,
          struct sq_err *err) {
    struct sq_archive_pick pick;
    bool has_changed;
    if (!sq_archived_shot_find(call, sq_span_of(hit->ref), &pick, err)
        || !sq_search_has_changed(call->past->archive, &pick, hit->state,
                                  &call->deadline, &has_changed, err)) {
        return false;
    }
    if (has_changed) {
        sq_fail(err, SQ_ERR_STALE_SCREENSHOT,
                "the screenshot of hit %d has changed since the search",
                number);
        return sq_fail_hint(err, "Search again, or give ${screenshotRef|REF} "
                                 "to see it as it is now.");
    }
    return true;
}

bool
sq_archived_shot_named(struct sq_call *call,
                       const struct sq_archived_shot_request *request,
                       struct sq_span *out, struct sq_err *err) {
    char ref[SQ_REF_SIZE];
    struct sq_session_hit hit;
    int given = request->screenshot_ref.given + request->cell.given
              + request->hit.given;
    if (given != 1) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                given > 1 ? "only one of ${screenshotRef, cell and hit|REF, "
                            "--cell and --hit} may name the screenshot"
                          : "${screenshotRef|REF} is missing");
        return sq_fail_hint(
            err,
            SQ_SAY("Give screenshotRef from list_screenshots, cell of the last "
                   "contact_sheet, or hit of the last search_screenshots.",
                   "Give REF from squint list, --cell of the last squint "
                   "sheet, or --hit of the last squint search."));
    }
    if (request->screenshot_ref.given) {
        *out = request->screenshot_ref.value;
        return true;
    }
    if (request->cell.given ? !sq_session_sheet_cell(
            call->session, request->cell.value, ref, err)
                            : !sq_session_get_hit(
                                call->session, request->hit.value, &hit, err)) {
        return explain_unknown(call, err);
    }
    if (request->hit.given && !check_hit(call, request->hit.value, &hit, err)) {
        return false;
    }
    const char *kept = sq_arena_strdup(
        call->arena, sq_span_of(request->cell.given ? ref : hit.ref), err);
    *out = kept ? sq_span_of(kept) : *out;
    return kept != NULL;
}

bool
sq_archived_shot_find(struct sq_call *call, struct sq_span ref,
                      struct sq_archive_pick *out, struct sq_err *err) {
    return sq_archive_resolve(call->past->archive, ref, &call->deadline, out,
                              err)
        || explain_unknown(call, err);
}

bool
sq_archived_shot_root(const struct sq_call *call, struct sq_span name, int *out,
                      struct sq_err *err) {
    struct sq_archive *archive = call->past->archive;
    *out = name.len ? sq_archive_root_named(archive, name) : SQ_ARCHIVE_ANY;
    if (name.len == 0 || *out != SQ_ARCHIVE_ANY) {
        return true;
    }
    char all[SQ_ERR_HINT_SIZE - 16] = "";
    for (size_t i = 0; i < sq_archive_root_count(archive); i++) {
        size_t used = strlen(all);
        snprintf(all + used, sizeof(all) - used, "%s%s", used ? ", " : "",
                 sq_archive_root_at(archive, i)->name);
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no archive folder of that name");
    return sq_fail_hint(err, "Known: %s.", all[0] ? all : "none");
}

bool
sq_archived_shot_read_small(struct sq_call *call,
                            const struct sq_archive_pick *pick,
                            struct sq_archive_file *out, bool *is_stored,
                            struct sq_err *err) {
    struct sq_archive *archive = call->past->archive;
    struct sq_err local_err = { 0 };
    bool has_thumb = (pick->shot.flags & SQ_SHOT_THUMB) != 0;
    bool got_thumb = has_thumb
                  && sq_archive_read(archive, pick, SQ_ARCHIVE_WANT_THUMB,
                                     &call->deadline, out, &local_err);
    if (is_stored) {
        *is_stored = got_thumb;
    }
    if (got_thumb) {
        return true;
    }
    /* Other errors than faults of the file would only occur again. */
    bool may_help = (pick->shot.flags & SQ_SHOT_FULL) != 0
                 && out->fault != SQ_ARCHIVE_FAULT_NONE
                 && out->fault != SQ_ARCHIVE_FAULT_NOT_ALLOWED;
    if (!has_thumb || may_help) {
        return sq_archive_read(archive, pick, SQ_ARCHIVE_WANT_TO_SHRINK,
                               &call->deadline, out, err);
    }
    return sq_fail_with(err, &local_err);
}

bool
sq_archived_shot_shows_any(const struct sq_archive_pick *pick) {
    return sq_permission_allows(pick->permission).max_side > 0;
}

bool
sq_archived_shot_shows_all(const struct sq_archive_pick *pick) {
    return sq_permission_allows(pick->permission).max_side
        == SQ_ARCHIVE_ANY_SIDE;
}

struct sq_live_frame_reader
sq_archived_shot_live_reader(const struct sq_call *call) {
    return (struct sq_live_frame_reader){
        .session = call->session,
        .devices = call->devices,
        .device = call->device,
        .work = call->work,
        .deadline = &call->deadline,
    };
}

bool
sq_archived_shot_open(struct sq_call *call, struct sq_span ref,
                      struct sq_archived_shot_source *out, struct sq_err *err) {
    if (sq_session_is_frame_id(ref)) {
        out->is_live = true;
        out->redacted = sq_session_frame_redacted(call->session, ref);
        sq_buf_init(&out->bytes, SQ_MAX_IMAGE_BYTES);
        const struct sq_live_frame_reader reader =
            sq_archived_shot_live_reader(call);
        return (out->leaves_pixels
                && sq_session_frame_place(call->session, ref, &out->place))
            || sq_live_frame_read(&reader, ref, &out->bytes, err);
    }
    struct sq_archive_file file = { 0 };
    if (!sq_archived_shot_find(call, ref, &out->pick, err)) {
        return false;
    }
    out->is_small = !(out->pick.shot.flags & SQ_SHOT_FULL);
    bool ok = sq_archive_read(call->past->archive, &out->pick,
                              out->is_small ? SQ_ARCHIVE_WANT_THUMB
                                            : SQ_ARCHIVE_WANT_FULL,
                              &call->deadline, &file, err);
    out->bytes = file.bytes;
    out->redacted = file.redacted;
    return ok;
}

void
sq_archived_shot_source_finish(struct sq_archived_shot_source *source) {
    sq_buf_finish(&source->bytes);
}

bool
sq_archived_shot_part(struct sq_call *call, struct sq_span ref,
                      const struct sq_crop_rect *part, struct sq_size picture,
                      struct sq_region *out, struct sq_err *err) {
    struct sq_size image;
    struct sq_region shown;
    if (part->units != SQ_CROP_IMAGE) {
        return sq_crop_rect_region(part, picture, out, err);
    }
    if (!sq_session_shown(call->session, ref, &image, &shown, err)) {
        return false;
    }
    if (shown.width == 0) {
        shown = (struct sq_region){ 0, 0, picture.width, picture.height };
    }
    const struct sq_crop_rect pixels =
        sq_crop_rect_from_image(part, image, shown);
    return sq_crop_rect_region(&pixels, picture, out, err);
}

void
sq_archived_shot_charge(struct sq_call *call,
                        const struct sq_picture_info *info) {
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
    snprintf(out, 128, SQ_OUTPUT_URI "%s", ref);
}

static bool
has_thumbnail(const struct sq_archive_pick *pick) {
    return (pick->shot.flags & SQ_SHOT_THUMB) != 0;
}

static void
put_size(struct sq_size size, struct sq_json_writer *w) {
    if (size.width > 0) {
        sq_put_int(w, "width", size.width);
        sq_put_int(w, "height", size.height);
    }
}

static void
put_root(struct sq_call *call, const struct sq_archive_pick *pick,
         struct sq_json_writer *w) {
    const struct sq_archive *archive = call->past->archive;
    if (sq_archive_root_count(archive) > 1) {
        const struct sq_archive_root *root =
            sq_archive_root_at(archive, (size_t)pick->root);
        sq_put_clean(w, "root", sq_span_of(root->name));
    }
}

static void
put_local_time(const struct sq_archive_pick *pick, struct sq_json_writer *w) {
    char text[SQ_TIME_TEXT_SIZE];
    sq_time_format_wall(pick->shot.utc, offset_of(pick), text);
    sq_put_text(w, "displayLocalTime", text);
}

/* Writes nothing if the time is from the file name. */
static void
put_time_source(const struct sq_archive_pick *pick, struct sq_json_writer *w) {
    if (sq_name_is_by_change(&pick->shot)) {
        sq_put_text(w, "timeSource", "fileModified");
    }
}

/* Writes what may be returned of a shot if no picture may be. */
static void
put_access(const struct sq_archive_pick *pick, struct sq_json_writer *w) {
    if (!sq_archived_shot_shows_any(pick)) {
        sq_put_text(w, "access", sq_permission_name(pick->permission));
    }
}

bool
sq_archived_shot_put(struct sq_call *call, const struct sq_archive_pick *pick,
                     struct sq_size size, struct sq_json_writer *w,
                     struct sq_err *err) {
    char ref[SQ_REF_SIZE];
    char text[SQ_TIME_TEXT_SIZE];
    if (!sq_archive_ref(call->past->archive, pick, ref, err)) {
        return false;
    }
    sq_put_text(w, "screenshotRef", ref);
    sq_time_format(pick->shot.utc, offset_of(pick), text);
    sq_put_text(w, "timestamp", text);
    put_local_time(pick, w);
    put_time_source(pick, w);
    put_size(size, w);
    sq_put_int(w, "monitor", pick->shot.monitor);
    sq_put_bool(w, "hasThumbnail", has_thumbnail(pick));
    put_access(pick, w);
    put_root(call, pick, w);
    return true;
}

/* Writes the offset, such as "+01:00". */
static void
put_offset(const struct sq_archive_pick *pick, struct sq_json_writer *w) {
    char text[16];
    int minutes = offset_of(pick) / 60;
    int size = minutes < 0 ? -minutes : minutes;
    snprintf(text, sizeof(text), "%c%02d:%02d", minutes < 0 ? '-' : '+',
             size / 60, size % 60);
    sq_put_text(w, "utcOffset", text);
}

/* Writes either the common members of an entry, or all others. */
static void
put_facts(struct sq_call *call, const struct sq_archived_shot_entry *entry,
          const struct sq_archived_shot_common *common, bool are_common,
          struct sq_json_writer *w) {
    const struct sq_archive_pick *pick = entry->pick;
    if (common->has_offset == are_common) {
        put_offset(pick, w);
    }
    if (common->has_size == are_common) {
        put_size(entry->size, w);
    }
    if (common->has_monitor == are_common) {
        sq_put_int(w, "monitor", pick->shot.monitor);
    }
    if (common->has_thumbnail == are_common) {
        sq_put_bool(w, "hasThumbnail", has_thumbnail(pick));
    }
    if (common->has_access == are_common) {
        put_access(pick, w);
    }
    if (common->has_root == are_common) {
        put_root(call, pick, w);
    }
    if (common->has_time_source == are_common) {
        put_time_source(pick, w);
    }
}

void
sq_archived_shot_put_common(struct sq_call *call,
                            const struct sq_archived_shot_entry *entries,
                            size_t count, struct sq_json_writer *w,
                            struct sq_archived_shot_common *out) {
    bool several = count > 1;
    *out = (struct sq_archived_shot_common){ several, several, several, several,
                                             several, several, several };
    for (size_t i = 1; i < count; i++) {
        const struct sq_archived_shot_entry *a = &entries[0];
        const struct sq_archived_shot_entry *b = &entries[i];
        out->has_size &=
            a->size.width == b->size.width && a->size.height == b->size.height;
        out->has_offset &= a->pick->shot.quarters == b->pick->shot.quarters;
        out->has_monitor &= a->pick->shot.monitor == b->pick->shot.monitor;
        out->has_thumbnail &= has_thumbnail(a->pick) == has_thumbnail(b->pick);
        out->has_access &= a->pick->permission == b->pick->permission;
        out->has_root &= a->pick->root == b->pick->root;
        out->has_time_source &= sq_name_is_by_change(&a->pick->shot)
                             == sq_name_is_by_change(&b->pick->shot);
    }
    if (several) {
        sq_json_put_key(w, "common");
        sq_json_begin_object(w);
        put_facts(call, &entries[0], out, true, w);
        sq_json_end_object(w);
    }
}

bool
sq_archived_shot_put_entry(struct sq_call *call,
                           const struct sq_archived_shot_entry *entry,
                           const struct sq_archived_shot_common *common,
                           struct sq_json_writer *w, struct sq_err *err) {
    char ref[SQ_REF_SIZE];
    if (!sq_archive_ref(call->past->archive, entry->pick, ref, err)) {
        return false;
    }
    sq_put_text(w, "screenshotRef", ref);
    put_local_time(entry->pick, w);
    put_facts(call, entry, common, false, w);
    return true;
}

void
sq_archived_shot_name(const struct sq_archive_pick *pick,
                      char out[SQ_ARCHIVED_SHOT_NAME_SIZE]) {
    char text[SQ_TIME_TEXT_SIZE];
    sq_time_format_wall(pick->shot.utc, offset_of(pick), text);
    snprintf(out, SQ_ARCHIVED_SHOT_NAME_SIZE, "Screenshot %s", text);
}

bool
sq_archived_shot_add_link(struct sq_call *call,
                          const struct sq_archive_pick *pick,
                          enum sq_audience audience, struct sq_err *err) {
    char ref[SQ_REF_SIZE];
    char name[SQ_ARCHIVED_SHOT_NAME_SIZE];
    struct sq_block *block;
    if (!sq_archive_ref(call->past->archive, pick, ref, err)
        || !sq_result_add(call->result, SQ_BLOCK_LINK, 0, &block, err)) {
        return false;
    }
    sq_archived_shot_name(pick, name);
    block->audience = audience;
    block->priority = 0.3;
    block->mime_type = sq_name_mime(&pick->shot);
    write_uri(ref, block->uri);
    snprintf(block->name, sizeof(block->name), "%s", name);
    return true;
}

/* Encodes until it fits: reduces the quality first, then the size. */
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

/*
 * Returns whether the bytes can be returned unchanged; *info then describes
 * them.
 */
static bool
may_stay(const struct sq_buf *bytes, const struct sq_archived_shot_picture *how,
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
    *info = (struct sq_picture_info){ .source = size,
                                      .image = size,
                                      .scale_factor = 1,
                                      .format = SQ_FORMAT_JPEG,
                                      .bytes = bytes->len };
    return true;
}

size_t
sq_archived_shot_room(const struct sq_call *call) {
    return sq_reply_picture_bytes(sq_reply_bytes_left(call));
}

bool
sq_archived_shot_add_picture(struct sq_call *call, const struct sq_buf *bytes,
                             const struct sq_archived_shot_picture *how,
                             struct sq_picture_info *info, struct sq_err *err) {
    struct sq_buf picture;
    struct sq_block *block;
    size_t most = sq_archived_shot_room(call);
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

/* In general, and for folders that ManicTime writes. */
static const char *const remedies[][2] = {
    [SQ_ARCHIVE_REASON_NONE] = { "", "" },
    [SQ_ARCHIVE_REASON_RETENTION] = {
        "${The window lies before the oldest screenshot. Ask for a later "
        "window.|This is before the oldest screenshot. Ask for a later time.}",
        "${The window lies before the oldest screenshot: older ones were "
        "probably purged. Ask for a later window, or have the person|This is "
        "before the oldest screenshot: older ones were probably purged. Ask "
        "for a later time, or} review ManicTime's screenshot retention "
        "settings.",
    },
    [SQ_ARCHIVE_REASON_CAPTURE_DISABLED] = {
        "${Have the person check the program that writes the screenshots; "
        "squint://health says more.|Check the program that writes the "
        "screenshots; squint doctor says more.}",
        "${Have the person review ManicTime's screenshot capture settings; "
        "squint://health says more.|Review ManicTime's screenshot capture "
        "settings; squint doctor says more.}",
    },
    [SQ_ARCHIVE_REASON_UNKNOWN] = {
        "There are screenshots, but none in this ${window. Try a "
        "wider|period. Try a longer} one.",
        "There are screenshots, but none in this ${window. Try a wider one, "
        "or have the person|period. Try a longer one, or} review ManicTime's "
        "screenshot capture and retention settings.",
    },
};

const char *
sq_archived_shot_remedy(enum sq_archive_reason reason, bool is_manictime) {
    static _Thread_local char text[SQ_MARKED_SIZE];
    return sq_marked(remedies[reason][is_manictime], text);
}
