/* Writes archived shots to a reply: metadata, pictures and links. */
#include "tools/archive/archived_shot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "archive/search/search.h"
#include "image/measure/measure.h"
#include "image/pipeline/picture.h"
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
    SQ_FREED(sq_archive_listing_finish)
    struct sq_archive_listing listing = { 0 };
    if (call->past->is_configured) {
        return false;
    }
    return sq_archive_root_count(archive) == 0
        || (sq_archive_list(archive, &window, &call->deadline, &listing, NULL)
            && listing.roots[0].trouble == SQ_ARCHIVE_TROUBLE_MISSING);
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
        const struct sq_stored_frame stored =
            sq_session_stored_frame(call->session, ref);
        out->redacted = stored.redacted;
        out->place = stored.place;
        sq_buf_init(&out->bytes, SQ_MAX_IMAGE_BYTES);
        const struct sq_live_frame_reader reader =
            sq_archived_shot_live_reader(call);
        return (out->leaves_pixels && out->place.device_id[0])
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

const char *const sq_crop_rect_units[] = { "percent", "normalized", "pixels",
                                           "image", NULL };

/* Converts a part of a returned image, which shows the region `shown`. */
static struct sq_crop_rect
part_of_picture(const struct sq_crop_rect *part, struct sq_size image,
                struct sq_region shown) {
    double scale_x = (double)shown.width / image.width;
    double scale_y = (double)shown.height / image.height;
    return (struct sq_crop_rect){
        .x = shown.x + part->x * scale_x,
        .y = shown.y + part->y * scale_y,
        .width = part->width * scale_x,
        .height = part->height * scale_y,
        .units = SQ_CROP_PIXELS,
    };
}

static double
pixels_per_unit(enum sq_crop_rect_units units, int side) {
    switch (units) {
    case SQ_CROP_PERCENT:
        return side / 100.0;
    case SQ_CROP_NORMALIZED:
        return side;
    case SQ_CROP_PIXELS:
    case SQ_CROP_IMAGE:
    default:
        return 1;
    }
}

/* Clips one axis. Returns false if nothing of it is inside. */
static bool
cover(double from, double length, double scale, int side, int *start,
      int *count) {
    double low = fmax(from * scale, 0);
    double high = fmin((from + length) * scale, side);
    if (!(length > 0) || !(high > low)) {
        return false;
    }
    int left = (int)floor(low + 0.5);
    int right = (int)floor(high + 0.5);
    left = left < side ? left : side - 1;
    *start = left;
    *count = right > left ? right - left : 1;
    return true;
}

bool
sq_crop_rect_region(const struct sq_crop_rect *part, struct sq_size picture,
                    struct sq_region *out, struct sq_err *err) {
    struct sq_region region;
    if (!cover(part->x, part->width,
               pixels_per_unit(part->units, picture.width), picture.width,
               &region.x, &region.width)
        || !cover(part->y, part->height,
                  pixels_per_unit(part->units, picture.height), picture.height,
                  &region.y, &region.height)) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the part has no area inside the picture of %dx%d",
                picture.width, picture.height);
        return sq_fail_hint(
            err, "x, y, width and height are %s; width and height above 0.",
            part->units == SQ_CROP_PERCENT      ? "percent from 0 to 100"
            : part->units == SQ_CROP_NORMALIZED ? "from 0 to 1"
                                                : "pixels");
    }
    *out = region;
    return true;
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
    const struct sq_crop_rect pixels = part_of_picture(part, image, shown);
    return sq_crop_rect_region(&pixels, picture, out, err);
}

struct sq_size
sq_archived_shot_size(const struct sq_archived_shot_source *source,
                      struct sq_size file) {
    const struct sq_shot *shot = &source->pick.shot;
    const struct sq_size named = { shot->width, shot->height };
    return source->is_small && named.width && named.height ? named : file;
}

struct sq_crop_rect
sq_archived_shot_in_file(const struct sq_archived_shot_source *source,
                         struct sq_size file, const struct sq_crop_rect *part) {
    const struct sq_size whole = sq_archived_shot_size(source, file);
    const struct sq_region all = { 0, 0, file.width, file.height };
    return part->units == SQ_CROP_PIXELS ? part_of_picture(part, whole, all)
                                         : *part;
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

static bool
has_thumbnail(const struct sq_archive_pick *pick) {
    return (pick->shot.flags & SQ_SHOT_THUMB) != 0;
}

/* Members of a shot. */
enum fact {
    FACT_OFFSET = 1 << 0,
    FACT_SOURCE = 1 << 1, /* of the time, if it is not from the file name */
    FACT_SIZE = 1 << 2,
    FACT_MONITOR = 1 << 3,
    FACT_THUMBNAIL = 1 << 4,
    FACT_ACCESS = 1 << 5, /* what may be returned if no picture may be */
    FACT_ROOT = 1 << 6,   /* if there are several */
    ALL_FACTS = (1 << 7) - 1,
};

static void
put_facts(struct sq_call *call, const struct sq_archived_shot_entry *entry,
          unsigned facts, struct sq_json_writer *w) {
    const struct sq_archive_pick *pick = entry->pick;
    const struct sq_archive *archive = call->past->archive;
    if (facts & FACT_OFFSET) {
        /* Writes the offset, such as "+01:00". */
        char text[16];
        int minutes = offset_of(pick) / 60;
        int size = minutes < 0 ? -minutes : minutes;
        snprintf(text, sizeof(text), "%c%02d:%02d", minutes < 0 ? '-' : '+',
                 size / 60, size % 60);
        sq_put_text(w, "utcOffset", text);
    }
    if (facts & FACT_SOURCE && sq_name_is_by_change(&pick->shot)) {
        sq_put_text(w, "timeSource", "fileModified");
    }
    if (facts & FACT_SIZE && entry->size.width > 0) {
        sq_put_int(w, "width", entry->size.width);
        sq_put_int(w, "height", entry->size.height);
    }
    if (facts & FACT_MONITOR) {
        sq_put_int(w, "monitor", pick->shot.monitor);
    }
    if (facts & FACT_THUMBNAIL) {
        sq_put_bool(w, "hasThumbnail", has_thumbnail(pick));
    }
    if (facts & FACT_ACCESS && !sq_archived_shot_shows_any(pick)) {
        sq_put_text(w, "access", sq_permission_name(pick->permission));
    }
    if (facts & FACT_ROOT && sq_archive_root_count(archive) > 1) {
        sq_put_clean(
            w, "root",
            sq_span_of(sq_archive_root_at(archive, (size_t)pick->root)->name));
    }
}

static void
put_local_time(const struct sq_archive_pick *pick, struct sq_json_writer *w) {
    char text[SQ_TIME_TEXT_SIZE];
    sq_time_format_wall(pick->shot.utc, offset_of(pick), text);
    sq_put_text(w, "displayLocalTime", text);
}

bool
sq_archived_shot_put(struct sq_call *call, const struct sq_archive_pick *pick,
                     struct sq_size size, struct sq_json_writer *w,
                     struct sq_err *err) {
    char ref[SQ_REF_SIZE];
    char text[SQ_TIME_TEXT_SIZE];
    const struct sq_archived_shot_entry entry = { pick, size };
    if (!sq_archive_ref(call->past->archive, pick, ref, err)) {
        return false;
    }
    sq_put_text(w, "screenshotRef", ref);
    sq_time_format(pick->shot.utc, offset_of(pick), text);
    sq_put_text(w, "timestamp", text);
    put_local_time(pick, w);
    put_facts(call, &entry, ALL_FACTS & ~FACT_OFFSET, w);
    return true;
}

/* Returns the members that are equal. */
static unsigned
equal_facts(const struct sq_archived_shot_entry *a,
            const struct sq_archived_shot_entry *b) {
    const struct sq_archive_pick *one = a->pick;
    const struct sq_archive_pick *two = b->pick;
    bool is_same_size =
        a->size.width == b->size.width && a->size.height == b->size.height;
    bool is_same_source =
        sq_name_is_by_change(&one->shot) == sq_name_is_by_change(&two->shot);
    return (one->shot.quarters == two->shot.quarters ? FACT_OFFSET : 0)
         | (is_same_source ? FACT_SOURCE : 0) | (is_same_size ? FACT_SIZE : 0)
         | (one->shot.monitor == two->shot.monitor ? FACT_MONITOR : 0)
         | (has_thumbnail(one) == has_thumbnail(two) ? FACT_THUMBNAIL : 0)
         | (one->permission == two->permission ? FACT_ACCESS : 0)
         | (one->root == two->root ? FACT_ROOT : 0);
}

unsigned
sq_archived_shot_put_common(struct sq_call *call,
                            const struct sq_archived_shot_entry *entries,
                            size_t count, struct sq_json_writer *w) {
    unsigned common = count > 1 ? ALL_FACTS : 0;
    for (size_t i = 1; i < count; i++) {
        common &= equal_facts(&entries[0], &entries[i]);
    }
    if (count > 1) {
        sq_json_begin_object_of(w, "common");
        put_facts(call, &entries[0], common, w);
        sq_json_end_object(w);
    }
    return common;
}

bool
sq_archived_shot_put_entry(struct sq_call *call,
                           const struct sq_archived_shot_entry *entry,
                           unsigned common, struct sq_json_writer *w,
                           struct sq_err *err) {
    char ref[SQ_REF_SIZE];
    if (!sq_archive_ref(call->past->archive, entry->pick, ref, err)) {
        return false;
    }
    sq_put_text(w, "screenshotRef", ref);
    put_local_time(entry->pick, w);
    put_facts(call, entry, ALL_FACTS & ~common, w);
    return true;
}

bool
sq_archived_shot_add_link(struct sq_call *call,
                          const struct sq_archive_pick *pick,
                          enum sq_audience audience, struct sq_err *err) {
    char ref[SQ_REF_SIZE];
    char text[SQ_TIME_TEXT_SIZE];
    struct sq_block *block;
    if (!sq_archive_ref(call->past->archive, pick, ref, err)
        || !sq_result_add(call->result, SQ_BLOCK_LINK, 0, &block, err)) {
        return false;
    }
    sq_time_format_wall(pick->shot.utc, offset_of(pick), text);
    block->audience = audience;
    block->priority = 0.3;
    block->mime_type = sq_name_mime(&pick->shot);
    snprintf(block->uri, sizeof(block->uri), SQ_OUTPUT_URI "%s", ref);
    snprintf(block->name, sizeof(block->name), "Screenshot %s", text);
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
        if (tries < SQ_COUNT(qualities)) {
            how.quality = qualities[tries++];
        } else if (side > MIN_SIDE) {
            how.max_dimension = side * 3 / 4;
        } else {
            return sq_fail(err, SQ_ERR_LIMIT,
                           "the picture does not fit into a reply");
        }
    }
}

/* Returns whether the bytes can be returned as they are; sets *info then. */
static bool
may_stay(const struct sq_buf *bytes, const struct sq_archived_shot_picture *how,
         size_t most, struct sq_picture_info *info) {
    struct sq_picture_facts facts;
    if (how->region || bytes->len > most
        || !sq_picture_probe(bytes->data, bytes->len, &facts, NULL)
        || !facts.is_plain_jpeg
        || (how->max_side && sq_size_long_side(facts.size) > how->max_side)) {
        return false;
    }
    *info = (struct sq_picture_info){ .source = facts.size,
                                      .image = facts.size,
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
