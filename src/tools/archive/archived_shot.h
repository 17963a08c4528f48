/* Writes one archived shot to a reply: its metadata, picture and URI. */
#ifndef SQ_TOOLS_ARCHIVE_ARCHIVED_SHOT_H
#define SQ_TOOLS_ARCHIVE_ARCHIVED_SHOT_H

#include "archive/library.h"
#include "image/pipeline/picture.h"
#include "redact/redact.h"
#include "session/session.h"
#include "tool/people.h"
#include "tool/tool.h"
#include "tools/reply.h"
#include "tools/screen/live_frame.h"

/*
 * Returns the reference that a call names, by screenshotRef, by the cell of the
 * latest contact sheet or by the hit of the latest search; exactly one must be
 * given. The text lives in the call's arena or in the arguments.
 */
struct sq_archived_shot_request {
    struct sq_opt_text screenshot_ref;
    struct sq_opt_int cell;
    struct sq_opt_int hit;
};
bool sq_archived_shot_named(struct sq_call *call,
                            const struct sq_archived_shot_request *request,
                            struct sq_span *out, struct sq_err *err);

#define SQ_ARCHIVED_SHOT_REQUEST(args)                                         \
    (&(struct sq_archived_shot_request){ (args)->screenshot_ref, (args)->cell, \
                                         (args)->hit })

/* The session checks the numbers. */
#define SQ_ARCHIVED_SHOT_NUMBERS(args)                                         \
    SQ_INT(args, cell, "cell", 1, 1000000, "",                                 \
           .help = "which one: a number in the latest squint sheet"),          \
        SQ_INT(args, hit, "hit", 1, SQ_SESSION_HIT_NUMBERS, "",                \
               .help = "which one: a number in the latest squint search")

/* Finds a reference's shot. SQ_ERR_UNKNOWN_SCREENSHOT and a hint if unknown. */
bool sq_archived_shot_find(struct sq_call *call, struct sq_span ref,
                           struct sq_archive_pick *out, struct sq_err *err);

/*
 * Reads the thumbnail of a shot or, if it has no usable one, the full picture,
 * as large as may be returned. *is_stored is true for a stored thumbnail; it
 * may be NULL.
 */
bool sq_archived_shot_read_small(struct sq_call *call,
                                 const struct sq_archive_pick *pick,
                                 struct sq_archive_file *out, bool *is_stored,
                                 struct sq_err *err);

/* Return whether pictures of a shot may be returned at all, or in any size. */
bool sq_archived_shot_shows_any(const struct sq_archive_pick *pick);
bool sq_archived_shot_shows_all(const struct sq_archive_pick *pick);

/*
 * Writes the members that every archived shot has: screenshotRef, timestamp,
 * displayLocalTime, width, height, monitor, hasThumbnail, and timeSource
 * if the time is the file's mtime. A size of 0 is omitted.
 */
bool sq_archived_shot_put(struct sq_call *call,
                          const struct sq_archive_pick *pick,
                          struct sq_size size, struct sq_json_writer *w,
                          struct sq_err *err);

/* One shot of a list, with the size of its full picture. */
struct sq_archived_shot_entry {
    const struct sq_archive_pick *pick;
    struct sq_size size;
};

/*
 * Writes the members that are equal for all shots of a list, in "common"; none
 * for fewer than two shots. Returns which, for sq_archived_shot_put_entry.
 */
unsigned
sq_archived_shot_put_common(struct sq_call *call,
                            const struct sq_archived_shot_entry *entries,
                            size_t count, struct sq_json_writer *w);

/* Writes the members of one shot of a list, without those in "common". */
bool sq_archived_shot_put_entry(struct sq_call *call,
                                const struct sq_archived_shot_entry *entry,
                                unsigned common, struct sq_json_writer *w,
                                struct sq_err *err);

/* The best available bytes of a picture, archived or live. Zero it first. */
struct sq_archived_shot_source {
    struct sq_buf bytes;
    /*
     * Set by the caller: pixels that were left on the device are not fetched;
     * `place` says where they are, and bytes is empty.
     */
    bool leaves_pixels;
    struct sq_frame_place place;
    struct sq_archive_pick pick; /* unset if is_live */
    bool is_live;                /* a recent screenshot of a device */
    bool is_small;               /* only the thumbnail exists */
    int redacted;                /* parts that were hidden */
};

/* Returns what reads recent screenshots of a device for this call. */
struct sq_live_frame_reader
sq_archived_shot_live_reader(const struct sq_call *call);

/*
 * Opens a picture. ref is a screenshotRef, or the screenshotId of a recent
 * screenshot that the session still stores.
 */
bool sq_archived_shot_open(struct sq_call *call, struct sq_span ref,
                           struct sq_archived_shot_source *out,
                           struct sq_err *err);

/* Safe on a zeroed value. */
void sq_archived_shot_source_finish(struct sq_archived_shot_source *source);

enum sq_crop_rect_units {
    SQ_CROP_PERCENT,    /* 0 to 100 of each side */
    SQ_CROP_NORMALIZED, /* 0 to 1 */
    SQ_CROP_PIXELS,     /* of the full picture */
    SQ_CROP_IMAGE,      /* pixels of the picture of it returned last */
};

/* The names of the units, in that order; NULL-terminated. */
extern const char *const sq_crop_rect_units[];

/* Limit of coordinates. Values outside the picture are allowed, and clipped. */
#define SQ_CROP_FAR 1e6

struct sq_crop_rect {
    double x;
    double y;
    double width;
    double height;
    enum sq_crop_rect_units units;
};

/*
 * Returns the region of a picture that the part covers: clipped to the picture,
 * rounded to the nearest pixel, at least one pixel. Fails with SQ_ERR_ARGUMENT
 * if the part has no area or lies entirely outside.
 */
bool sq_crop_rect_region(const struct sq_crop_rect *part,
                         struct sq_size picture, struct sq_region *out,
                         struct sq_err *err);

/*
 * Converts a part of a picture to pixels, as sq_crop_rect_region does. With
 * SQ_CROP_IMAGE the part is in pixels of the picture of `ref` that was returned
 * last.
 */
bool sq_archived_shot_part(struct sq_call *call, struct sq_span ref,
                           const struct sq_crop_rect *part,
                           struct sq_size picture, struct sq_region *out,
                           struct sq_err *err);

/*
 * Returns the size that answers give to a shot whose file has that size: a
 * thumbnail stands for the picture whose size its name has.
 */
struct sq_size
sq_archived_shot_size(const struct sq_archived_shot_source *source,
                      struct sq_size file);

/* Returns a part of that shot as a part of its file. */
struct sq_crop_rect
sq_archived_shot_in_file(const struct sq_archived_shot_source *source,
                         struct sq_size file, const struct sq_crop_rect *part);

/* Adds a picture that was returned to the model to the session's cost. */
void sq_archived_shot_charge(struct sq_call *call,
                             const struct sq_picture_info *info);

/* Adds a link block to the full picture. */
bool sq_archived_shot_add_link(struct sq_call *call,
                               const struct sq_archive_pick *pick,
                               enum sq_audience audience, struct sq_err *err);

/*
 * Adds a picture as an image block, at most max_side long and within the size
 * limit of a reply: first the quality is reduced, then the size. A JPEG that
 * fits is copied unchanged. *info describes the result.
 */
struct sq_archived_shot_picture {
    int max_side; /* 0: original size */
    int quality;
    const struct sq_region *region; /* NULL: the whole picture */
    enum sq_audience audience;
    double priority;
};
bool sq_archived_shot_add_picture(struct sq_call *call,
                                  const struct sq_buf *bytes,
                                  const struct sq_archived_shot_picture *how,
                                  struct sq_picture_info *info,
                                  struct sq_err *err);

/* Returns how many bytes of a picture still fit beside the reply's text. */
size_t sq_archived_shot_room(const struct sq_call *call);

struct sq_shot_filter {
    const struct sq_library *past;
    const struct sq_redactor *redactor;
};

/*
 * A filter for sq_archive_set_filter; its context is a struct sq_shot_filter.
 * What a thumbnail must hide is found in the full picture, where text can be
 * read.
 */
sq_archive_filter sq_shot_filter_apply;

/* Returns whether the reply has screenshots, or counts of them by month. */
bool sq_has_shots(const struct sq_people *people);

/* Shows one screenshot, whole or in part. */
bool sq_show_shot(struct sq_people *people, struct sq_err *err);

/* Shows a contact sheet. */
bool sq_show_sheet(struct sq_people *people, struct sq_err *err);

/* Prints how many there are, and of which period. */
bool sq_people_put_shot_total(struct sq_people *people, size_t shown,
                              struct sq_err *err);

/* Prints the table of the screenshots. */
bool sq_people_put_shots(struct sq_people *people, struct sq_err *err);

/* Prints what is wrong with the folders. */
bool sq_people_put_diagnostics(struct sq_people *people, struct sq_err *err);

/*
 * Prints how dates were read; not if this only says that they are in the
 * system's zone, which is the default.
 */
bool sq_people_put_read_as(struct sq_people *people,
                           const struct sq_json *reply, struct sq_err *err);

#endif
