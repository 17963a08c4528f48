/* Scales frames on the phone. */
#include "eye/phone/phone.h"

#include <string.h>

#include "image/pipeline/scale.h"
#include "util/bytes.h"
#include "util/err.h"
#include "util/mem.h"

_Static_assert(EYE_FRAME_SLACK >= SQ_ROW_SLACK, "rows may be read beyond");

#define HEADER 16
/* Android's codes of the formats that the host does not convert. */
enum { FORMAT_RGBA = 1, FORMAT_RGBX = 2 };

static const enum sq_kernel kernels[SQ_EYE_KERNELS] = {
    [SQ_EYE_CATMULL_ROM] = SQ_KERNEL_CATMULL_ROM,
    [SQ_EYE_BOX] = SQ_KERNEL_AREA,
};

bool
eye_can_scale(const uint8_t head[SQ_EYE_FRAME_HEAD],
              const struct sq_eye_scaling *how) {
    uint32_t format = sq_load_le32(head + 8);
    return sq_load_le32(head) == how->width
        && sq_load_le32(head + 4) == how->height
        && (format == FORMAT_RGBA || format == FORMAT_RGBX);
}

static bool
open_rows(const struct sq_image *image, const struct sq_eye_scaling *how,
          struct sq_rows **out) {
    const struct sq_region part = { (int)how->part.x, (int)how->part.y,
                                    (int)how->part.width,
                                    (int)how->part.height };
    struct sq_rows *rows;
    return sq_rows_from_image(image, &rows, NULL)
        && sq_rows_crop(rows, part, &rows, NULL)
        && sq_scale_rows(rows, (int)how->out_width, (int)how->out_height,
                         kernels[how->kernel], out, NULL);
}

static void
put_header(const uint8_t *frame, const struct sq_eye_scaling *how,
           uint8_t *out) {
    memcpy(out, frame, HEADER);
    sq_store_le32(out, how->out_width);
    sq_store_le32(out + 4, how->out_height);
}

bool
eye_scale(const struct eye_frame *frame, const struct sq_eye_scaling *how,
          struct eye_frame *out) {
    size_t row_bytes = (size_t)how->out_width * SQ_PIXEL_BYTES;
    size_t pixel_bytes = (size_t)how->width * how->height * SQ_PIXEL_BYTES;
    struct sq_image image = {
        .width = (int)how->width,
        .height = (int)how->height,
        .stride = (size_t)how->width * SQ_PIXEL_BYTES,
        .pixels = frame->bytes + HEADER,
    };
    struct sq_rows *rows = NULL;
    if (frame->len != HEADER + pixel_bytes || !eye_can_scale(frame->bytes, how)
        || !eye_frame_reserve(out, HEADER + row_bytes * how->out_height)
        || !open_rows(&image, how, &rows)) {
        return false;
    }
    put_header(frame->bytes, how, out->bytes);
    out->len = HEADER;
    bool ok = true;
    for (uint32_t y = 0; ok && y < how->out_height; y++) {
        struct sq_row row;
        ok = sq_rows_next(rows, &row, NULL);
        if (ok) {
            memcpy(out->bytes + out->len, row.pixels, row_bytes);
            out->len += row_bytes;
        }
    }
    sq_rows_destroy(rows);
    return ok;
}

/* What the scaler of image/pipeline needs of util, without a C library. */

/* Before each block, and its alignment. */
#define HEAD_BYTES 64

void *
sq_mem_zalloc(size_t count, size_t size) {
    if (size > 0 && count > (SIZE_MAX / 2 - HEAD_BYTES) / size) {
        return NULL;
    }
    size_t bytes = HEAD_BYTES + count * size;
    uint8_t *block = eye_map(bytes);
    if (!block) {
        return NULL;
    }
    *(size_t *)(void *)block = bytes;
    return block + HEAD_BYTES;
}

void *
sq_mem_alloc(size_t count, size_t size) {
    return sq_mem_zalloc(count, size);
}

void *
sq_mem_alloc_aligned(size_t bytes) {
    return sq_mem_zalloc(bytes, 1);
}

void *
sq_mem_zalloc_aligned(size_t count, size_t size) {
    return sq_mem_zalloc(count, size);
}

void
sq_mem_free(void *block) {
    if (block) {
        uint8_t *start = (uint8_t *)block - HEAD_BYTES;
        eye_unmap(start, *(size_t *)(void *)start);
    }
}

/* The caller needs to know only that there was an error. */
bool
sq_err_set(struct sq_err *err, enum sq_err_code code, const char *format, ...) {
    (void)err;
    (void)code;
    (void)format;
    return false;
}
