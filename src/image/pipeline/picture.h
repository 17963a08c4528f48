/*
 * Converts a picture of any format to a small legible one. Chooses size, format
 * and quality.
 */
#ifndef SQ_IMAGE_PIPELINE_PICTURE_H
#define SQ_IMAGE_PIPELINE_PICTURE_H

#include "geom/rect.h"
#include "image/measure/measure.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/rows.h"
#include "image/pipeline/scale.h"
#include "util/buf.h"

enum sq_format {
    SQ_FORMAT_JPEG,
    SQ_FORMAT_WEBP,
    SQ_FORMAT_PNG,
    SQ_FORMAT_AUTO, /* a palette PNG for interfaces, WebP for photographs */
    SQ_FORMATS,
};

#define SQ_DEFAULT_MAX_DIMENSION 1000
#define SQ_DEFAULT_JPEG_QUALITY 70
#define SQ_DEFAULT_WEBP_QUALITY 60
#define SQ_PHOTO_WEBP_QUALITY 80 /* of SQ_FORMAT_AUTO */
#define SQ_UI_COLOURS 64 /* as legible as lossless for user interfaces */

/* All zero: native size, JPEG. */
struct sq_picture_opts {
    int max_dimension; /* longest side of the result; 0: native size */
    /* Instead of max_dimension: the largest size within this token budget. */
    const struct sq_token_profile *profile;
    int budget_tokens;

    enum sq_format format;
    int quality;      /* 1 to 100; 0: the format's default */
    int colours;      /* maximum palette size of a PNG; 0: truecolour */
    bool full_chroma; /* JPEG 4:4:4 instead of 4:2:0 */
    enum sq_kernel kernel;
    const struct sq_region *region; /* crop, in the upright source */
};

struct sq_picture_info {
    struct sq_size source; /* size of the source picture, upright */
    struct sq_size image;  /* the result */
    double scale_factor;   /* source pixels per result pixel */
    enum sq_format format; /* never SQ_FORMAT_AUTO */
    int colours;           /* palette size; 0: none */
    size_t bytes;          /* size of the encoded result */
};

/* Return "jpeg" and "image/jpeg" for JPEG. Not for SQ_FORMAT_AUTO. */
const char *sq_format_name(enum sq_format format);
const char *sq_format_mime(enum sq_format format);

/*
 * Chooses the part of an upright source that is shown, and the size that it
 * gets. Fails as sq_picture_make does.
 */
bool sq_picture_plan(const struct sq_picture_opts *opts, struct sq_size source,
                     struct sq_region *part, struct sq_size *image,
                     struct sq_err *err);

/*
 * Appends the encoded picture to out. The bytes must not change during the
 * call. On failure out and info are unchanged.
 */
bool sq_picture_make(const uint8_t *bytes, size_t count,
                     const struct sq_picture_opts *opts,
                     const struct sq_limits *limits, struct sq_buf *out,
                     struct sq_picture_info *info, struct sq_err *err);

/*
 * Like sq_picture_make, while the bytes are still being received. Fails with
 * SQ_ERR_UNSUPPORTED for formats that cannot be decoded in parts.
 */
bool sq_picture_make_incoming(struct sq_incoming *incoming,
                              const struct sq_picture_opts *opts,
                              const struct sq_limits *limits,
                              struct sq_buf *out, struct sq_picture_info *info,
                              struct sq_err *err);

/* What is known of a picture without decoding it. */
struct sq_picture_facts {
    struct sq_size size; /* upright */
    bool is_plain_jpeg;  /* upright sRGB: it can be shown as it is */
};

bool sq_picture_probe(const uint8_t *bytes, size_t count,
                      struct sq_picture_facts *out, struct sq_err *err);

/*
 * Opens a picture of any format as upright sRGB rows, which the bytes must
 * outlive.
 */
bool sq_picture_open(const uint8_t *bytes, size_t count,
                     const struct sq_limits *limits, struct sq_rows **out,
                     struct sq_err *err);

/*
 * Decodes the picture at any size that is at least this large: the one that
 * costs least. The caller frees *out.
 */
bool sq_picture_decode_coarse(const uint8_t *bytes, size_t count,
                              struct sq_size least, struct sq_image *out,
                              struct sq_err *err);

/*
 * Decodes the picture, scaled so that no side exceeds max_dimension. The caller
 * frees *out with sq_image_finish. On failure *out is unchanged.
 */
bool sq_picture_decode(const uint8_t *bytes, size_t count, int max_dimension,
                       const struct sq_limits *limits, struct sq_image *out,
                       struct sq_err *err);

#endif
