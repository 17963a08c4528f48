/*
 * Captures the screen and returns it as a picture; shared by all operations
 * that show it. The order is: capture, choose a size, encode, deliver, and only
 * then update the session, so that a failure does not change what the next tap
 * means.
 */
#ifndef SQ_TOOLS_SCREEN_SCREEN_PICTURE_H
#define SQ_TOOLS_SCREEN_SCREEN_PICTURE_H

#include "device/device.h"
#include "image/pipeline/picture.h"
#include "session/session.h"
#include "tool/tool.h"
#include "tools/screen/output_folder.h"
#include "tools/screen/screen_text.h"

/* The warning for a picture that is not scaled. */
#define SQ_RAW_WARNING                                                         \
    "Raw mode: no scaling applied. May exceed API limits with multiple "       \
    "images."

enum sq_screen_picture_size {
    SQ_SCREEN_PICTURE_DEFAULT, /* the configured longest side */
    SQ_SCREEN_PICTURE_HALF,    /* sizes of the seeds: 512, native, 256, 128 */
    SQ_SCREEN_PICTURE_FULL,
    SQ_SCREEN_PICTURE_QUARTER,
    SQ_SCREEN_PICTURE_THUMB,
    SQ_SCREEN_PICTURE_SIZES,
};

/* Draws on the picture before it is encoded, in its own pixels. */
struct sq_decoration {
    bool (*draw)(void *context, struct sq_image *image,
                 const struct sq_view *view, struct sq_err *err);
    void *context;
};

/* All zero: the whole screen in default size, as inline JPEG. */
struct sq_screen_picture_opts {
    int max_dimension; /* 0: by size; SQ_ARG_OTHER: as its text needs, within
                          budget_tokens */
    enum sq_screen_picture_size size;
    int budget_tokens; /* 0: none */
    bool raw;          /* native pixels, with a warning */
    enum sq_format format;
    int quality; /* 0: the format's default */
    bool has_region;
    struct sq_img_rect region; /* in pixels of the picture it refers to */
    struct sq_span region_id;  /* id of that picture; empty: the latest */
    const struct sq_frame *region_of; /* or its view; NULL: use region_id */
    const char *display;              /* NULL: the one that taps reach */
    bool picture_only;                /* the caller does not want elements */
    bool to_file;                     /* instead of inline */
    bool keep_file;            /* inline, and as a PNG file of the same size */
    struct sq_span local_path; /* of to_file; empty: a generated name */
    const struct sq_decoration *decoration; /* NULL: none */
    bool grid; /* the decoration draws the grid of marks.h */
    /*
     * Shows the capture that was kept there, and takes it over, instead of a
     * new one. NULL, or nothing kept: a new one.
     */
    struct sq_screen_text *seen;
    bool is_unasked; /* of to_file: not requested, only the newest are kept */
};

/* How the picture is returned. */
enum sq_screen_picture_way {
    SQ_SCREEN_PICTURE_NOWHERE, /* black screen: no picture is sent */
    SQ_SCREEN_PICTURE_INLINE,
    SQ_SCREEN_PICTURE_FILE,
    SQ_SCREEN_PICTURE_LINK,
};

#define SQ_SCREEN_PICTURE_NOTE_SIZE 320

/*
 * One picture being made. A plain value: zero it first, end with
 * sq_screen_picture_finish.
 */
struct sq_screen_picture {
    struct sq_call *call; /* these two are set when it is made */
    struct sq_screen_picture_opts opts;
    struct sq_capture capture;   /* empty after sq_screen_picture_deliver */
    struct sq_buf picture;       /* likewise: moves into the block if inline */
    struct sq_buf copy;          /* the PNG of keep_file */
    struct sq_buf decorated;     /* the scaled picture with its decoration */
    struct sq_stored_frame held; /* compact copy of the capture, for later
                                    crops */
    bool drawn_early;            /* encoded while the capture was received */
    bool held_early;             /* `held` was made in the same way */
    struct sq_scaling chosen;    /* what is needed of the capture */
    bool needs_frame;            /* a scaled picture was not enough */
    struct sq_picture_info info;
    int redacted;          /* parts of the capture that were hidden */
    size_t captured_bytes; /* of the capture, as received */
    struct sq_frame
        frame;           /* has an id; sq_screen_picture_commit remembers it */
    double scale_factor; /* device pixels per image pixel, long side */
    int tokens;          /* for the configured model; 0: not shown, or a link */
    enum sq_screen_picture_way way;
    char note[SQ_SCREEN_PICTURE_NOTE_SIZE]; /* deviations from the request;
                                               may be empty */
    struct sq_region part; /* of the captured picture, if it is a region */
    int screen_tokens;     /* then the cost of the whole screen */
    char region_of[SQ_FRAME_ID_SIZE]; /* the picture it refers to; may be
                                         empty */
    struct sq_output_file saved;      /* file of FILE and LINK */
    bool has_saved;                   /* `saved` is set and not yet committed */
};

/*
 * Captures and encodes the screen within the host's limits. Changes nothing
 * except *shot, which must be zeroed. Fails with SQ_ERR_SECURE_SCREEN if the
 * device protects the screen, SQ_ERR_SCREENSHOT_FAILED if there is no valid
 * picture, SQ_ERR_STALE_SCREENSHOT if the region refers to a view from before
 * the screen was rotated.
 */
bool sq_screen_picture_make(struct sq_call *call,
                            const struct sq_screen_picture_opts *opts,
                            struct sq_screen_picture *shot, struct sq_err *err);

/* Adds the image or link block to the call's result, or writes the file. */
bool sq_screen_picture_deliver(struct sq_screen_picture *shot,
                               struct sq_err *err);

/*
 * Writes the members that every picture has: mode, screenshotId, device, image,
 * scaleFactor, mimeType, sizeBytes, tokens, path, warning, note; for a region
 * also region and deviceRegion.
 */
void sq_screen_picture_put(const struct sq_screen_picture *shot,
                           struct sq_json_writer *w);

/* Writes the member displays, if the device reports more than one. */
void sq_screen_picture_put_displays(const struct sq_screen_picture *shot,
                                    struct sq_json_writer *w);

/*
 * Remembers the frame if it has an id, adds the cost and keeps the file. Cannot
 * fail. Call it last, when the reply is complete.
 */
void sq_screen_picture_commit(struct sq_screen_picture *shot);

/* Frees all; removes the file unless committed. Safe on a zeroed value. */
void sq_screen_picture_finish(struct sq_screen_picture *shot);

#endif
