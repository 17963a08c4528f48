/* The picture formats squint reads, and how to tell them apart. */
#ifndef SQ_IMAGE_CODEC_H
#define SQ_IMAGE_CODEC_H

#include "geom/size.h"
#include "image/jpeg_read.h"
#include "image/rows.h"

/* One row per format; constant, never freed. */
struct sq_codec {
    const char *name;
    bool (*sniff)(const uint8_t *bytes, size_t count);
    /*
     * Rows of the whole picture as stored, to be given to sq_rows_normalise;
     * the bytes must outlive them.
     */
    bool (*open)(const uint8_t *bytes, size_t count,
                 const struct sq_limits *limits, struct sq_rows **out,
                 struct sq_err *err);
    /*
     * NULL where decoding less than everything saves nothing. Otherwise shape
     * reads the header alone, and open_part gives a shrunk picture or a part.
     */
    bool (*shape)(const uint8_t *bytes, size_t count,
                  struct sq_stored_shape *out, struct sq_err *err);
    bool (*open_part)(const uint8_t *bytes, size_t count,
                      const struct sq_limits *limits,
                      const struct sq_jpeg_want *want, struct sq_rows **out,
                      struct sq_err *err);
};

/*
 * The codec these bytes are for. Otherwise SQ_ERR_UNSUPPORTED for a picture of
 * a format that we know by name only, SQ_ERR_FORMAT for anything else, with
 * what squint reads as the hint; SQ_ERR_TRUNCATED for no bytes at all.
 */
bool sq_codec_find(const uint8_t *bytes, size_t count,
                   const struct sq_codec **out, struct sq_err *err);

/* Upright sRGB rows of the whole picture; the bytes must outlive them. */
bool sq_codec_open(const struct sq_codec *codec, const uint8_t *bytes,
                   size_t count, const struct sq_limits *limits,
                   struct sq_rows **out, struct sq_err *err);

/*
 * The size of a picture when it is upright, from its header alone where the
 * format allows.
 */
bool sq_codec_size(const uint8_t *bytes, size_t count, struct sq_size *out,
                   struct sq_err *err);

/* Decode a whole picture, whatever its format, to be finished by the caller. */
bool sq_image_decode(const uint8_t *bytes, size_t count,
                     const struct sq_limits *limits, struct sq_image *out,
                     struct sq_err *err);

#endif
