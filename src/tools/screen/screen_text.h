/* Captures the screen at its full size and reads its text. */
#ifndef SQ_TOOLS_SCREEN_SCREEN_TEXT_H
#define SQ_TOOLS_SCREEN_SCREEN_TEXT_H

#include "args/optional.h"
#include "device/device.h"
#include "image/image.h"
#include "redact/redact.h"
#include "session/session.h"
#include "tool/tool.h"
#include "vision/lines.h"
#include "vision/reader.h"

/* Start zeroed; free with sq_screen_text_finish. */
struct sq_screen_text {
    struct sq_image image; /* the capture, without its hidden parts */
    int redacted;          /* how many there are */
    struct sq_redact_original original; /* the capture with them */
    struct sq_screen screen;
    struct sq_view pixels; /* between pixels of the capture and the device */
    struct sq_frame frame; /* the view of the reply's coordinates */
    struct sq_rect area;   /* the region, in pixels of the capture */
    struct sq_text text;   /* boxes in pixels of the capture */
    /* Set by the caller before capturing: */
    struct sq_span region_id; /* the picture in whose pixels a region is; empty:
                                 the latest */
    bool keeps_capture;       /* fill captured */
    struct sq_capture captured; /* the capture as it was received */
};

/* Fails with SQ_ERR_UNSUPPORTED and a hint if reading text is not enabled. */
bool sq_screen_text_enabled(const struct sq_call *call, struct sq_err *err);

/* Returns the number of letters and digits of a text, or of its digits. */
int sq_count_letters(struct sq_span text);
int sq_count_digits(struct sq_span text);

/*
 * Captures the screen and begins the call's work. region is in pixels of the
 * latest picture, or of out->region_id. Fails with SQ_ERR_AMBIGUOUS_FRAME if a
 * region is given without an id and the latest picture shows only a part of the
 * screen.
 */
bool sq_screen_text_capture(struct sq_call *call,
                            const struct sq_opt_region *region,
                            struct sq_screen_text *out, struct sq_err *err);

/*
 * Reads the text, without what is hidden, and ends the call's work; plan->area
 * is set here.
 */
bool sq_screen_text_read(struct sq_call *call, struct sq_read_plan *plan,
                         struct sq_screen_text *screen, struct sq_err *err);

/* Finds areas of one colour, without the boxes that hide parts. */
bool sq_screen_text_shapes(const struct sq_screen_text *screen,
                           struct sq_areas *out, struct sq_err *err);

/* Converts a box in pixels of the capture to device space. */
struct sq_dev_rect sq_screen_text_bounds(const struct sq_screen_text *screen,
                                         struct sq_rect box);

/*
 * Converts device space to pixels of the capture. Returns false if no part of
 * the rectangle is visible.
 */
bool sq_screen_text_area(const struct sq_screen_text *screen,
                         struct sq_dev_rect rect, struct sq_rect *out);

/* Writes the centre and size of a box, if it is visible in the reply's view. */
void sq_put_screen_place(struct sq_json_writer *w,
                         const struct sq_screen_text *screen,
                         struct sq_rect box);

void sq_screen_text_finish(struct sq_screen_text *screen);

/* Fails if an id is given without a region. */
bool sq_region_id_check(const struct sq_opt_region *region,
                        const struct sq_opt_text *id, struct sq_err *err);

/*
 * Returns the picture in whose pixels a region counts: the one with the id, or
 * the latest. It may show another app than the screen.
 */
bool sq_region_frame(struct sq_call *call, struct sq_span id,
                     const struct sq_screen *screen, struct sq_frame *out,
                     struct sq_err *err);

/*
 * Converts a region to a rectangle in a picture of that size, or returns the
 * whole picture if none is given. Fails if it is not inside the picture.
 */
bool sq_region_to_rect(const struct sq_opt_region *region, struct sq_size size,
                       struct sq_rect *out, struct sq_err *err);

#endif
