/*
 * What all operations that show the screen share: capture, choose a size,
 * make the picture, hand it over, and only then let the session know. In that
 * order, so that a failure anywhere leaves the meaning of the next tap alone.
 */
#ifndef SQ_TOOLS_SCREEN_PICTURE_H
#define SQ_TOOLS_SCREEN_PICTURE_H

#include "device/device.h"
#include "image/picture.h"
#include "session/session.h"
#include "tool/tool.h"
#include "tools/output_folder.h"

enum sq_screen_picture_size {
    SQ_SCREEN_PICTURE_DEFAULT, /* the configured longest side */
    SQ_SCREEN_PICTURE_HALF,    /* seed sizes: 512, native, 256, 128 */
    SQ_SCREEN_PICTURE_FULL,
    SQ_SCREEN_PICTURE_QUARTER,
    SQ_SCREEN_PICTURE_THUMB,
    SQ_SCREEN_PICTURE_SIZES,
};

/* All zero: a whole screen of the default size as JPEG, inline. */
struct sq_screen_picture_opts {
    int max_dimension; /* 0: by size */
    enum sq_screen_picture_size size;
    int budget_tokens; /* 0: none */
    bool raw;          /* native pixels, with the seed's warning */
    enum sq_format format;
    int quality; /* 0: the format's default */
    bool has_region;
    struct sq_img_rect region; /* in pixels of the picture it is given in */
    struct sq_span region_id;  /* that picture; empty: the latest one */
    const struct sq_frame *region_of; /* or its view; NULL: by region_id */
    bool hash;                        /* the capture, for capture_hash */
    const char *display;              /* NULL: the one that taps reach */
    bool picture_only;                /* elements are not wanted */
    bool to_file;                     /* instead of inline */
    bool keep_file;            /* inline, and as a PNG file of the same size */
    struct sq_span local_path; /* of to_file; empty: a name of our own */
    bool is_unasked;           /* of to_file: only the newest are kept */
};

/* How the picture is handed over. */
enum sq_screen_picture_way {
    SQ_SCREEN_PICTURE_NOWHERE, /* black: nothing to see, nothing to pay */
    SQ_SCREEN_PICTURE_INLINE,
    SQ_SCREEN_PICTURE_FILE,
    SQ_SCREEN_PICTURE_LINK,
};

#define SQ_SCREEN_PICTURE_NOTE_SIZE 320

/* One picture on its way. A value: start zeroed, end with
 * sq_screen_picture_finish. */
struct sq_screen_picture {
    struct sq_capture capture;   /* empty after sq_screen_picture_deliver */
    struct sq_buf picture;       /* likewise: inline it moves into the block */
    struct sq_buf copy;          /* of keep_file */
    struct sq_stored_frame held; /* the capture, small, for a closer look */
    bool drawn_early;            /* the picture was made as the capture came */
    bool held_early;             /* and so was held */
    struct sq_picture_info info;
    size_t captured_bytes; /* of the capture, as the device gave it */
    uint64_t capture_hash; /* 0: not taken, or of another display */
    struct sq_frame
        frame; /* has its id; remembered by sq_screen_picture_commit */
    double scale_factor; /* device pixels per image pixel, long side */
    int tokens;          /* for the configured model; 0: not looked at */
    enum sq_screen_picture_way way;
    char note[SQ_SCREEN_PICTURE_NOTE_SIZE]; /* what was done differently; may be
                                               empty */
    bool raw;
    struct sq_img_rect region;        /* of a frame that is one */
    char region_of[SQ_FRAME_ID_SIZE]; /* the picture it is in; may be empty */
    struct sq_output_file saved;      /* the file of FILE and LINK */
    bool has_saved;                   /* and it is not committed yet */
};

/*
 * Capture and encode, within the host's limits. Changes nothing but *shot,
 * which is zeroed before. A screen that the device protects is
 * SQ_ERR_SECURE_SCREEN; no picture, or a broken one, SQ_ERR_SCREENSHOT_FAILED;
 * a region of a view from before the screen turned, SQ_ERR_STALE_SCREENSHOT.
 */
bool sq_screen_picture_make(struct sq_call *call,
                            const struct sq_screen_picture_opts *opts,
                            struct sq_screen_picture *shot, struct sq_err *err);

/* Add the image block (or link) to the call's result, or write the file. */
bool sq_screen_picture_deliver(struct sq_call *call,
                               const struct sq_screen_picture_opts *opts,
                               struct sq_screen_picture *shot,
                               struct sq_err *err);

/*
 * The members every picture's answer has: mode, screenshotId, device, image,
 * scaleFactor, mimeType, sizeBytes, tokens, path, warning, note; of a region
 * also region and deviceRegion.
 */
void sq_screen_picture_put(const struct sq_screen_picture *shot,
                           struct sq_json_writer *w);

/*
 * The answer is complete: remember the frame, count the cost, keep the file.
 * Cannot fail; the last thing an operation does.
 */
void sq_screen_picture_commit(struct sq_call *call,
                              struct sq_screen_picture *shot);

/* Free all; removes the file unless committed. Safe on a zeroed value. */
void sq_screen_picture_finish(struct sq_screen_picture *shot);

#endif
