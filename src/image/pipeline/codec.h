/* Lists the picture formats that squint reads, and detects the format. */
#ifndef SQ_IMAGE_PIPELINE_CODEC_H
#define SQ_IMAGE_PIPELINE_CODEC_H

#include "geom/size.h"
#include "image/jpeg/read.h"
#include "image/pipeline/rows.h"

/* One entry per format; constant, never freed. */
struct sq_codec {
    const char *name;
    bool (*sniff)(const uint8_t *bytes, size_t count);
    /*
     * Opens the whole picture as stored. The caller passes the rows to
     * sq_rows_normalise. The bytes must outlive the rows.
     */
    bool (*open)(const uint8_t *bytes, size_t count,
                 const struct sq_limits *limits, struct sq_rows **out,
                 struct sq_err *err);
    /*
     * Both NULL if decoding a part costs as much as decoding everything.
     * Otherwise shape reads only the header, and open_part decodes a shrunk
     * picture or a region.
     */
    bool (*shape)(const uint8_t *bytes, size_t count,
                  struct sq_stored_shape *out, struct sq_err *err);
    bool (*open_part)(const uint8_t *bytes, size_t count,
                      const struct sq_limits *limits,
                      const struct sq_jpeg_want *want, struct sq_rows **out,
                      struct sq_err *err);
};

/*
 * Finds the codec for the bytes. Fails with SQ_ERR_UNSUPPORTED for a picture
 * format that is recognised but not read, SQ_ERR_TRUNCATED for no bytes, and
 * SQ_ERR_FORMAT for anything else. The hint lists the supported formats.
 */
bool sq_codec_find(const uint8_t *bytes, size_t count,
                   const struct sq_codec **out, struct sq_err *err);

/*
 * Opens the whole picture as upright sRGB rows. The bytes must outlive the
 * rows.
 */
bool sq_codec_open(const struct sq_codec *codec, const uint8_t *bytes,
                   size_t count, const struct sq_limits *limits,
                   struct sq_rows **out, struct sq_err *err);

/*
 * Gets the size of the upright picture, from the header alone where the format
 * allows.
 */
bool sq_codec_size(const uint8_t *bytes, size_t count, struct sq_size *out,
                   struct sq_err *err);

/*
 * Decodes a whole picture of any format. The caller frees *out with
 * sq_image_finish.
 */
bool sq_image_decode(const uint8_t *bytes, size_t count,
                     const struct sq_limits *limits, struct sq_image *out,
                     struct sq_err *err);

#endif
