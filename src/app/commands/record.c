/* Writes captures as files of a ManicTime archive. */
#include "app/commands/record.h"

#include <stdio.h>

#include "archive/recorded.h"
#include "image/pipeline/picture.h"
#include "sys/folder.h"
#include "util/time_text.h"

#define FULL_QUALITY 80
#define THUMB_SIDE 320
#define THUMB_QUALITY 75
/* A change of two digits of a clock stays within these limits. */
#define SAME_BITS 2
#define SAME_CELL_DELTA 5
#define DAY_S 86400

struct pictures {
    struct sq_buf full;
    struct sq_buf thumb;
    struct sq_picture_info info;
    struct sq_image_fingerprint print;
};

static bool
is_repetition(const struct sq_recorder *recorder,
              const struct pictures *pictures) {
    const struct sq_image_fingerprint *now = &pictures->print;
    return recorder->last.known
        && recorder->last_size.width == pictures->info.image.width
        && recorder->last_size.height == pictures->info.image.height
        && sq_hash_distance(recorder->last.hash, now->hash) <= SAME_BITS
        && sq_image_fingerprint_cell_delta(&recorder->last, now)
               < SAME_CELL_DELTA;
}

/* Finds the latest shot of the recorder's monitor. */
static bool
find_latest(const struct sq_recorder *recorder, struct sq_archive *archive,
            const struct sq_deadline *deadline, struct sq_archive_pick *out) {
    struct sq_archive_range range;
    SQ_FREED(sq_archive_listing_finish)
    struct sq_archive_listing listing = { 0 };
    if (!sq_archive_range(archive, 0, deadline, &range, NULL)
        || range.newest_day == SQ_ARCHIVE_NO_DAY) {
        return false;
    }
    /* Local days begin up to a day before or after those of UTC. */
    const struct sq_archive_window window = {
        .from_utc = ((int64_t)range.newest_day - 1) * DAY_S,
        .to_utc = ((int64_t)range.newest_day + 2) * DAY_S,
        .monitor = recorder->monitor,
        .root = 0,
    };
    bool found = sq_archive_list(archive, &window, deadline, &listing, NULL)
              && listing.shots.count > 0;
    if (found) {
        sq_archive_listing_pick(&listing, listing.shots.count - 1, out);
    }
    return found;
}

void
sq_recorder_continue(struct sq_recorder *recorder, const char *folder,
                     const struct sq_deadline *deadline) {
    const struct sq_archive_root root = { .path = folder,
                                          .permission = SQ_ARCHIVE_FULL };
    const struct sq_archive_options options = { .roots = &root,
                                                .root_count = 1,
                                                .zone = recorder->zone };
    struct sq_archive *archive = NULL;
    struct sq_archive_pick pick;
    struct sq_archive_file file = { 0 };
    struct sq_image_fingerprint print;
    if (sq_archive_create(&options, &archive, NULL)
        && find_latest(recorder, archive, deadline, &pick)
        && sq_archive_inspect(archive, &pick, SQ_ARCHIVE_WANT_THUMB, deadline,
                              &file, NULL)
        && sq_image_fingerprint_make(file.bytes.data, file.bytes.len, NULL,
                                     &print, NULL)) {
        recorder->last = print;
        recorder->last_size =
            (struct sq_size){ pick.shot.width, pick.shot.height };
    }
    sq_buf_finish(&file.bytes);
    sq_archive_destroy(archive);
}

/*
 * Writes "2026-01-15/2026-01-15_10-30-45_+01-00_1080_2400_7_0", without the
 * extension.
 */
static void
write_stem(const struct sq_recorder *recorder, struct sq_size size, int64_t utc,
           char out[SQ_RECORD_NAME_SIZE]) {
    char time[SQ_TIME_TEXT_SIZE];
    int offset = sq_zone_offset(recorder->zone, utc);
    int minutes = (offset < 0 ? -offset : offset) / 60;
    sq_time_format_wall(utc, offset, time);
    snprintf(out, SQ_RECORD_NAME_SIZE,
             "%.10s/%.10s_%.2s-%.2s-%.2s_%c%02d-%02d_%d_%d_%lu_%d", time, time,
             time + 11, time + 14, time + 17, offset < 0 ? '-' : '+',
             minutes / 60, minutes % 60, size.width, size.height,
             (unsigned long)recorder->seq, recorder->monitor);
}

/*
 * Writes the thumbnail first, so that a full picture always has one, and last
 * the line that says whose they are.
 */
static bool
write_pictures(const struct sq_recorder *recorder,
               const struct pictures *pictures, const char *stem,
               char name[SQ_RECORD_NAME_SIZE], struct sq_err *err) {
    char thumb[SQ_RECORD_NAME_SIZE + 16];
    char full[SQ_RECORD_NAME_SIZE + 16];
    snprintf(thumb, sizeof(thumb), "%s.thumbnail.jpg", stem);
    snprintf(full, sizeof(full), "%s.jpg", stem);
    size_t new_folder; /* that of the day */
    if (!sq_folder_write_new(recorder->folder, sq_span_of(thumb),
                             pictures->thumb.data, pictures->thumb.len,
                             &new_folder, err)) {
        return false;
    }
    if (!sq_folder_write(recorder->folder, sq_span_of(full),
                         pictures->full.data, pictures->full.len, err)) {
        sq_folder_remove_new(recorder->folder, sq_span_of(thumb), new_folder);
        return false;
    }
    if (!sq_recorded_add(recorder->folder, stem, err)) {
        sq_folder_remove(recorder->folder, sq_span_of(full));
        sq_folder_remove_new(recorder->folder, sq_span_of(thumb), new_folder);
        return false;
    }
    snprintf(name, SQ_RECORD_NAME_SIZE, "%.*s", SQ_RECORD_NAME_SIZE - 1, full);
    return true;
}

bool
sq_recorder_take(struct sq_recorder *recorder, const struct sq_capture *capture,
                 int64_t utc, char name[SQ_RECORD_NAME_SIZE],
                 struct sq_err *err) {
    struct pictures pictures = { 0 };
    char stem[SQ_RECORD_NAME_SIZE];
    name[0] = '\0';
    const struct sq_picture_opts full = { .quality = FULL_QUALITY };
    const struct sq_picture_opts thumb = { .max_dimension = THUMB_SIDE,
                                           .quality = THUMB_QUALITY };
    struct sq_picture_info info;
    const struct sq_buf *bytes = &capture->bytes;
    sq_buf_init(&pictures.full, SQ_MAX_IMAGE_BYTES);
    sq_buf_init(&pictures.thumb, SQ_MAX_IMAGE_BYTES);
    bool ok =
        sq_picture_make(bytes->data, bytes->len, &thumb, &sq_limits_default,
                        &pictures.thumb, &info, err)
        && sq_image_fingerprint_make(pictures.thumb.data, pictures.thumb.len,
                                     NULL, &pictures.print, err)
        && sq_picture_make(bytes->data, bytes->len, &full, &sq_limits_default,
                           &pictures.full, &pictures.info, err);
    if (ok && is_repetition(recorder, &pictures)) {
        recorder->skipped++;
    } else if (ok) {
        write_stem(recorder, pictures.info.image, utc, stem);
        ok = write_pictures(recorder, &pictures, stem, name, err);
        if (ok) {
            recorder->last = pictures.print;
            recorder->last_size = pictures.info.image;
            recorder->seq++;
            recorder->kept++;
        }
    }
    sq_buf_finish(&pictures.full);
    sq_buf_finish(&pictures.thumb);
    return ok;
}
