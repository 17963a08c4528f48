/* The bytes of a PNG's pixels, inflated a window at a time. */
#ifndef SQ_IMAGE_PNG_DATA_H
#define SQ_IMAGE_PNG_DATA_H

#include "image/inflate.h"
#include "image/png_chunks.h"

/* Read unread freely, and move it up to end. */
struct sq_png_data {
    struct sq_inflate inflate;
    const uint8_t *stream_end; /* of the compressed data */
    /* Inflated bytes: history, rows being used (from `unread`), fresh ones. */
    uint8_t *window;
    const uint8_t *limit;
    uint8_t *end;
    const uint8_t *unread;
};

/*
 * Begin with the data of png, which must outlive this. max_need is the most
 * that will be asked for at once.
 */
bool sq_png_data_init(struct sq_png_data *data, const struct sq_png *png,
                      size_t max_need, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_png_data_finish(struct sq_png_data *data);

/* Have at least count unread bytes; what was read before may move. */
bool sq_png_data_need(struct sq_png_data *data, size_t count,
                      struct sq_err *err);

/* After the last row: nothing but the stream's checksum may follow. */
bool sq_png_data_end(struct sq_png_data *data, struct sq_err *err);

#endif
