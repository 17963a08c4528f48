/* Keeps a sliding window over the inflated data of a PNG. */
#include "image/png/data.h"

#include <string.h>

#include "util/mem.h"

#define FRESH_BYTES ((size_t)128 * 1024) /* per step; fits the cache */

static bool
check_zlib_header(const struct sq_png *png, struct sq_err *err) {
    unsigned method = png->data[0];
    unsigned flags = png->data[1];
    bool preset = flags & 0x20;
    if ((method & 15) != 8 || method >> 4 > 7 || (method * 256 + flags) % 31
        || preset) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "PNG: the data are not a zlib stream");
    }
    return true;
}

bool
sq_png_data_init(struct sq_png_data *data, const struct sq_png *png,
                 size_t max_need, struct sq_err *err) {
    size_t fresh = max_need > FRESH_BYTES ? max_need : FRESH_BYTES;
    size_t window = SQ_INFLATE_WINDOW + fresh;
    if (!check_zlib_header(png, err)) {
        return false;
    }
    data->window = sq_mem_alloc(window + SQ_INFLATE_OVERRUN, 1);
    if (!data->window) {
        return sq_fail_nomem(err);
    }
    data->limit = data->window + window;
    data->end = data->window;
    data->unread = data->window;
    data->stream_end = png->data + png->data_len;
    sq_inflate_init(&data->inflate, png->data + 2, png->data_len - 2);
    return true;
}

void
sq_png_data_finish(struct sq_png_data *data) {
    sq_mem_free(data->window);
    data->window = NULL;
}

/* Frees space in the window. Unread bytes and history move to its start. */
static void
slide(struct sq_png_data *data) {
    const uint8_t *keep = data->window;
    if (data->end - data->window > SQ_INFLATE_WINDOW) {
        keep = data->end - SQ_INFLATE_WINDOW;
    }
    if (data->unread < keep) {
        keep = data->unread;
    }
    size_t dropped = (size_t)(keep - data->window);
    memmove(data->window, keep, (size_t)(data->end - keep));
    data->end -= dropped;
    data->unread -= dropped;
}

bool
sq_png_data_need(struct sq_png_data *data, size_t count, struct sq_err *err) {
    while ((size_t)(data->end - data->unread) < count) {
        if (data->inflate.state == SQ_INFLATE_DONE) {
            return sq_fail(err, SQ_ERR_TRUNCATED,
                           "PNG: the data end before the last row");
        }
        if (data->end >= data->limit) {
            slide(data);
        }
        if (!sq_inflate_run(&data->inflate, data->window, &data->end,
                            data->limit, err)) {
            return sq_fail_in(err, "PNG");
        }
    }
    return true;
}

/*
 * The zlib checksum is not verified, because the CRCs of the chunks already
 * cover all compressed bytes.
 */
bool
sq_png_data_end(struct sq_png_data *data, struct sq_err *err) {
    /* If bytes are left, the file is invalid, and the window may be full. */
    bool all_read = data->unread == data->end;
    if (all_read && data->inflate.state != SQ_INFLATE_DONE) {
        slide(data);
        if (!sq_inflate_run(&data->inflate, data->window, &data->end,
                            data->end + 1, err)) {
            return sq_fail_in(err, "PNG");
        }
    }
    if (data->unread != data->end) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "PNG: the data continue after the last row");
    }
    const uint8_t *rest = sq_inflate_rest(&data->inflate);
    if (data->inflate.state != SQ_INFLATE_DONE || data->stream_end - rest < 4) {
        return sq_fail(err, SQ_ERR_TRUNCATED,
                       "PNG: the data have no end marker");
    }
    return true;
}
