/* One past shot in an answer: its facts, its picture, its address. */
#ifndef SQ_TOOLS_ARCHIVED_SHOT_H
#define SQ_TOOLS_ARCHIVED_SHOT_H

#include "archive/library.h"
#include "image/picture.h"
#include "tool/tool.h"
#include "tools/crop_rect.h"
#include "tools/reply.h"

/*
 * The reference that a call names, by screenshotRef or by the cell of the
 * latest contact sheet: exactly one of them. Lives in the call's arena, or
 * where the argument does.
 */
struct sq_archived_shot_ask {
    struct sq_span screenshot_ref;
    bool has_screenshot_ref;
    int cell;
    bool has_cell;
};
bool sq_archived_shot_named(struct sq_call *call,
                            const struct sq_archived_shot_ask *ask,
                            struct sq_span *out, struct sq_err *err);

#define SQ_ARCHIVED_SHOT_ASK(args)                                             \
    (&(struct sq_archived_shot_ask){ (args)->screenshot_ref,                   \
                                     (args)->has_screenshot_ref, (args)->cell, \
                                     (args)->has_cell })

/* The session knows how many cells there are. */
#define SQ_ARCHIVED_SHOT_CELL(args)                                            \
    SQ_INT(args, cell, "cell", 1, 1000000, "Of the last contact_sheet")

/*
 * The shot of a reference. An unknown one is SQ_ERR_UNKNOWN_SCREENSHOT, with
 * what to do.
 */
bool sq_archived_shot_find(struct sq_call *call, struct sq_span ref,
                           struct sq_archive_pick *out, struct sq_err *err);

/* The folder of that name or path; SQ_ARCHIVE_ANY for an empty name. */
bool sq_archived_shot_root(const struct sq_call *call, struct sq_span name,
                           int *out, struct sq_err *err);

/*
 * Its thumbnail or, where there is none that can be used, the picture to make
 * one of: *is_stored tells which, NULL does not ask. As large as may leave.
 */
bool sq_archived_shot_read_small(struct sq_call *call,
                                 const struct sq_archive_pick *pick,
                                 struct sq_archive_file *out, bool *is_stored,
                                 struct sq_err *err);

/* The same for us to look at, in its own size: never for an answer. */
bool sq_archived_shot_inspect_small(struct sq_call *call,
                                    const struct sq_archive_pick *pick,
                                    struct sq_archive_file *out,
                                    bool *is_stored, struct sq_err *err);

/* Whether pictures of a shot may leave its folder: any, or in any size. */
bool sq_archived_shot_shows_any(const struct sq_call *call,
                                const struct sq_archive_pick *pick);
bool sq_archived_shot_shows_all(const struct sq_call *call,
                                const struct sq_archive_pick *pick);

/*
 * The members every past shot has: screenshotRef, timestamp, displayLocalTime,
 * width, height, monitor, hasThumbnail, resourceUri; timeSource where the time
 * is that of the file's last change. A size of 0 is left out.
 */
bool sq_archived_shot_put(struct sq_call *call,
                          const struct sq_archive_pick *pick,
                          struct sq_size size, struct sq_json_writer *w,
                          struct sq_err *err);

/* The facts of a list's shots that are the same for all of them. */
struct sq_archived_shot_common {
    bool has_size;
    bool has_offset;
    bool has_monitor;
    bool has_thumbnail;
    bool has_access;
    bool has_root;
    bool has_time_source;
};

/* One shot of a list, with the size of its whole picture. */
struct sq_archived_shot_entry {
    const struct sq_archive_pick *pick;
    struct sq_size size;
};

/* The member "common"; nothing for less than two shots. Fills *out. */
void sq_archived_shot_put_common(struct sq_call *call,
                                 const struct sq_archived_shot_entry *entries,
                                 size_t count, struct sq_json_writer *w,
                                 struct sq_archived_shot_common *out);

/* The members of one shot of a list, without those that are common. */
bool sq_archived_shot_put_entry(struct sq_call *call,
                                const struct sq_archived_shot_entry *entry,
                                const struct sq_archived_shot_common *common,
                                struct sq_json_writer *w, struct sq_err *err);

/* The best bytes there are of a picture, past or live. Start zeroed. */
struct sq_archived_shot_source {
    struct sq_buf bytes;
    struct sq_archive_pick pick; /* unless is_live */
    bool is_live;                /* a recent screenshot of a device */
    bool is_small;               /* only the thumbnail is left */
};

/* ref is a screenshotRef, or the screenshotId of a picture that is held. */
bool sq_archived_shot_open(struct sq_call *call, struct sq_span ref,
                           struct sq_archived_shot_source *out,
                           struct sq_err *err);

/* Safe on a zeroed value. */
void sq_archived_shot_source_finish(struct sq_archived_shot_source *source);

/*
 * The pixels of a picture of that size that a part covers, as
 * sq_crop_rect_region; with SQ_CROP_IMAGE by the picture of `ref` that was
 * handed out last.
 */
bool sq_archived_shot_part(struct sq_call *call, struct sq_span ref,
                           const struct sq_crop_rect *part,
                           struct sq_size picture, struct sq_region *out,
                           struct sq_err *err);

/* Count a picture that was handed over to the model. */
void sq_archived_shot_charge(struct sq_call *call,
                             const struct sq_picture_info *info);

#define SQ_ARCHIVED_SHOT_NAME_SIZE 64

/* "Screenshot 2026-01-15 10:30:45" */
void sq_archived_shot_name(const struct sq_archive_pick *pick,
                           char out[SQ_ARCHIVED_SHOT_NAME_SIZE]);

/* Add a link to the whole picture. */
bool sq_archived_shot_add_link(struct sq_call *call,
                               const struct sq_archive_pick *pick,
                               enum sq_audience audience, struct sq_err *err);

/*
 * Add a picture as an image block, at most max_side long and within what a
 * reply may hold: quality falls first, then the size. A JPEG that may stay as
 * it is does. *info is what it became.
 */
struct sq_archived_shot_picture {
    int max_side; /* 0: native */
    int quality;
    const struct sq_region *region; /* NULL: all of it */
    enum sq_audience audience;
    double priority;
};
bool sq_archived_shot_add_picture(struct sq_call *call,
                                  const struct sq_buf *bytes,
                                  const struct sq_archived_shot_picture *how,
                                  struct sq_picture_info *info,
                                  struct sq_err *err);

/* Bytes of a picture that a reply still has room for, beside its text. */
size_t sq_archived_shot_room(const struct sq_call *call);

/* What to do about a window of a good archive that is empty. */
const char *sq_archived_shot_remedy(enum sq_archive_reason reason);

#endif
