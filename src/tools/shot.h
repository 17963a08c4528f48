/*
 * What all operations that show the screen share: capture, choose a size,
 * make the picture, hand it over, and only then let the session know. In that
 * order, so that a failure anywhere leaves the meaning of the next tap alone.
 */
#ifndef SQ_TOOLS_SHOT_H
#define SQ_TOOLS_SHOT_H

#include "device/device.h"
#include "image/picture.h"
#include "session/session.h"
#include "tool/tool.h"
#include "tools/saved.h"

enum sq_shot_size {
    SQ_SHOT_DEFAULT, /* the configured longest side */
    SQ_SHOT_HALF,    /* seed sizes: 512, native, 256, 128 */
    SQ_SHOT_FULL,
    SQ_SHOT_QUARTER,
    SQ_SHOT_THUMB,
    SQ_SHOT_SIZES,
};

/* All zero: a whole screen of the default size as JPEG, inline. */
struct sq_shot_opts {
    int max_dimension; /* 0: by size */
    enum sq_shot_size size;
    int budget_tokens; /* 0: none */
    bool raw;          /* native pixels, with the seed's warning */
    enum sq_format format;
    int quality; /* 0: the format's default */
    bool has_region;
    struct sq_img_rect region; /* in pixels of the device's view */
    bool to_file;              /* instead of inline */
    bool keep_file;            /* inline, and as a PNG file of the same size */
    struct sq_span local_path; /* of to_file; empty: a name of our own */
};

/* How the picture is handed over. */
enum sq_shot_way {
    SQ_SHOT_NOWHERE, /* black: nothing to see, nothing to pay */
    SQ_SHOT_INLINE,
    SQ_SHOT_FILE,
    SQ_SHOT_LINK,
};

#define SQ_SHOT_NOTE_SIZE 320

/* One picture on its way. A value: start zeroed, end with sq_shot_finish. */
struct sq_shot {
    struct sq_capture capture; /* empty after sq_shot_deliver */
    struct sq_buf picture;     /* likewise: inline it moves into the block */
    struct sq_buf copy;        /* of keep_file */
    struct sq_picture_info info;
    struct sq_frame frame; /* has its id; remembered by sq_shot_commit */
    double scale_factor;   /* device pixels per image pixel, long side */
    int tokens;            /* for the configured model; 0: not looked at */
    enum sq_shot_way way;
    char note[SQ_SHOT_NOTE_SIZE]; /* what was done differently; may be empty */
    bool raw;
    struct sq_saved saved; /* the file of FILE and LINK */
    bool has_saved;        /* and it is not committed yet */
};

/*
 * Capture and encode, within the host's limits. Changes nothing but *shot,
 * which is zeroed before. A screen that the device protects is
 * SQ_ERR_SECURE_SCREEN; no picture, or a broken one, SQ_ERR_SCREENSHOT_FAILED.
 */
bool sq_shot_make(struct sq_call *call, const struct sq_shot_opts *opts,
                  struct sq_shot *shot, struct sq_err *err);

/* Add the image block (or link) to the call's result, or write the file. */
bool sq_shot_deliver(struct sq_call *call, const struct sq_shot_opts *opts,
                     struct sq_shot *shot, struct sq_err *err);

/*
 * The members every picture's answer has: mode, screenshotId, device, image,
 * scaleFactor, mimeType, sizeBytes, tokens, path, warning, note.
 */
void sq_shot_put(const struct sq_shot *shot, struct sq_json_writer *w);

/*
 * The answer is complete: remember the frame, count the cost, keep the file.
 * Cannot fail; the last thing an operation does.
 */
void sq_shot_commit(struct sq_call *call, struct sq_shot *shot);

/* Free all; removes the file unless committed. Safe on a zeroed value. */
void sq_shot_finish(struct sq_shot *shot);

#endif
