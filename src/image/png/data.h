/* Inflates the pixel data of a PNG, a window at a time. */
#ifndef SQ_IMAGE_PNG_DATA_H
#define SQ_IMAGE_PNG_DATA_H

#include "image/png/chunks.h"
#include "image/png/inflate.h"

/* The caller may read from `unread` to `end` and advance `unread`. */
struct sq_png_data {
    struct sq_inflate inflate;
    const uint8_t *stream_end; /* end of the compressed data */
    /* Inflated bytes: history, rows in use (from `unread`), new bytes. */
    uint8_t *window;
    const uint8_t *limit;
    uint8_t *end;
    const uint8_t *unread;
};

/*
 * Starts with the data of png, which must outlive this. max_need is the largest
 * count for sq_png_data_need.
 */
bool sq_png_data_init(struct sq_png_data *data, const struct sq_png *png,
                      size_t max_need, struct sq_err *err);

/* Frees all memory. Safe on a zeroed value. */
void sq_png_data_finish(struct sq_png_data *data);

/* Ensures at least count unread bytes. Bytes read before may move. */
bool sq_png_data_need(struct sq_png_data *data, size_t count,
                      struct sq_err *err);

/*
 * Fails unless only the stream's checksum is left. Called after the last row.
 */
bool sq_png_data_end(struct sq_png_data *data, struct sq_err *err);

#endif
