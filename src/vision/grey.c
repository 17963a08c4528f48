/* Extracts, halves and scales one channel. */
#include "vision/grey.h"

#include <string.h>

#include "image/pipeline/scale.h"
#include "util/mem.h"
#include "util/minmax.h"

bool
sq_grey_init(struct sq_grey *grey, int width, int height, struct sq_err *err) {
    size_t count = (size_t)width * (size_t)height;
    uint8_t *pixels = sq_mem_alloc(count + SQ_GREY_SLACK, 1);
    if (!pixels) {
        return sq_fail_nomem(err);
    }
    memset(pixels + count, 0, SQ_GREY_SLACK);
    *grey = (struct sq_grey){ pixels, width, height };
    return true;
}

void
sq_grey_finish(struct sq_grey *grey) {
    sq_mem_free(grey->pixels);
    *grey = (struct sq_grey){ 0 };
}

static void
copy_luma(const uint8_t *p, uint8_t *out, int width) {
    for (int x = 0; x < width; x++) {
        unsigned sum =
            77u * p[4 * x] + 150u * p[4 * x + 1] + 29u * p[4 * x + 2];
        out[x] = (uint8_t)(sum >> 8);
    }
}

static void
copy_channel(const uint8_t *p, uint8_t *out, int width) {
    for (int x = 0; x < width; x++) {
        out[x] = p[4 * x];
    }
}

bool
sq_grey_of(const struct sq_image *image, struct sq_rect box,
           enum sq_grey_channel channel, struct sq_grey *out,
           struct sq_err *err) {
    int width = box.right - box.left;
    int height = box.bottom - box.top;
    if (!sq_grey_init(out, width, height, err)) {
        return false;
    }
    for (int y = 0; y < height; y++) {
        const uint8_t *p = sq_image_row(image, box.top + y)
                         + (size_t)box.left * SQ_PIXEL_BYTES;
        if (channel == SQ_GREY_LUMA) {
            copy_luma(p, sq_grey_row(out, y), width);
        } else {
            copy_channel(p + channel, sq_grey_row(out, y), width);
        }
    }
    return true;
}

bool
sq_grey_halve(const struct sq_grey *in, struct sq_grey *out,
              struct sq_err *err) {
    int width = sq_max_int(1, in->width / 2);
    int height = sq_max_int(1, in->height / 2);
    if (!sq_grey_init(out, width, height, err)) {
        return false;
    }
    size_t right = in->width > 1;
    for (int y = 0; y < height; y++) {
        const uint8_t *a = sq_grey_row(in, 2 * y);
        const uint8_t *b =
            sq_grey_row(in, sq_min_int(2 * y + 1, in->height - 1));
        uint8_t *to = sq_grey_row(out, y);
        for (size_t x = 0; x < (size_t)width; x++) {
            int sum = a[2 * x] + a[2 * x + right] + b[2 * x] + b[2 * x + right];
            to[x] = (uint8_t)((sum + 2) / 4);
        }
    }
    return true;
}

bool
sq_grey_scale_into(const struct sq_grey *in, const struct sq_grey_place *place,
                   struct sq_err *err) {
    const struct sq_plane_plan plan = {
        .in_width = { in->width, in->width },
        .in_height = { in->height, in->height },
        .out_width = { place->width, place->width },
        .out_height = { place->height, place->height },
        .kernel = SQ_KERNEL_CATMULL_ROM,
    };
    SQ_FREED(sq_plane_finish) struct sq_plane plane = { 0 };
    bool ok = sq_plane_init(&plane, &plan, err)
           && sq_plane_hold(&plane, (size_t)in->width, in->height, err);
    for (int y = 0; ok && y < in->height; y++) {
        memcpy(sq_plane_row(&plane, y), sq_grey_row(in, y), (size_t)in->width);
        plane.in++;
    }
    for (int y = 0; ok && y < place->height; y += SQ_PLANE_ROWS) {
        uint8_t *rows[SQ_PLANE_ROWS];
        int count = sq_min_int(SQ_PLANE_ROWS, place->height - y);
        for (int i = 0; i < count; i++) {
            rows[i] = place->pixels + (size_t)(y + i) * place->stride;
        }
        sq_plane_make(&plane, rows, count);
    }
    return ok;
}

bool
sq_grey_scale(const struct sq_grey *in, int width, int height,
              struct sq_grey *out, struct sq_err *err) {
    if (!sq_grey_init(out, width, height, err)) {
        return false;
    }
    const struct sq_grey_place place = { out->pixels, (size_t)width, width,
                                         height };
    if (!sq_grey_scale_into(in, &place, err)) {
        sq_grey_finish(out);
        return false;
    }
    return true;
}
