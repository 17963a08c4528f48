/*
 * A small picture for remember and visual-find-image: a part of a live or past
 * picture, an element, a file, or a remembered picture.
 */
#ifndef SQ_TOOLS_SCREEN_IMAGE_SOURCE_H
#define SQ_TOOLS_SCREEN_IMAGE_SOURCE_H

#include "args/optional.h"
#include "device/device.h"
#include "image/image.h"
#include "tool/tool.h"

/* How a request names the picture; give one of them. */
struct sq_image_request {
    struct sq_opt_text name;       /* of a remembered picture */
    struct sq_opt_text local_path; /* a file in the output folder */
    struct sq_opt_int element;     /* index in the latest list */
    struct sq_opt_region region;   /* of that picture, or of the screen now: */
    struct sq_opt_text picture;    /* screenshotId or screenshotRef */
    bool reads_beside;             /* also the text beside it */
};

/* Start zeroed; free with sq_image_source_finish. */
struct sq_image_source {
    struct sq_image image;
    struct sq_span name;           /* under which it is remembered; in the
                                      call's arena */
    bool has_alpha;                /* the fourth byte of a pixel is alpha */
    double density;                /* 0: unknown */
    char app[SQ_DEVICE_TEXT_SIZE]; /* empty: unknown */
    struct sq_span beside;         /* text next to it, if text is read; in the
                                      call's arena */
};

bool sq_image_source_open(struct sq_call *call,
                          const struct sq_image_request *request,
                          struct sq_image_source *out, struct sq_err *err);

void sq_image_source_finish(struct sq_image_source *source);

/* Fails with SQ_ERR_UNSUPPORTED and a hint if finding pictures is off. */
bool sq_image_search_enabled(const struct sq_call *call, struct sq_err *err);

#endif
