/*
 * A JPEG file that decodes also decodes or is resized to a smaller size, and
 * any region of it equals that part of the whole; other files are refused with
 * an error.
 */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "image/jpeg/jpeg.h"
#include "image/pipeline/rows.h"

/* Small, so that a run is short: the bytes matter, not the pixels. */
static const struct sq_limits limits = { 600, 40000, (size_t)1 << 20 };

static bool
decode(const uint8_t *data, size_t size, const struct sq_jpeg_want *want,
       struct sq_image *out) {
    struct sq_err err = { 0 };
    struct sq_rows *rows = NULL;
    bool ok = sq_jpeg_open(data, size, &limits, want, &rows, &err);
    if (ok) {
        /* As stored, which a resized file is too. */
        rows->colour = NULL;
        rows->orientation = SQ_ORIENT_UPRIGHT;
        ok = sq_rows_to_image(rows, &limits, out, &err);
    }
    assert(ok || (err.code != SQ_ERR_NONE && err.message[0]));
    sq_rows_destroy(rows);
    return ok;
}

/* The file's last bytes, which decoders ignore, choose the region. */
static struct sq_region
choose_region(const uint8_t *data, size_t size, int width, int height) {
    uint8_t dice[4] = { 0 };
    size_t used = size < sizeof(dice) ? size : sizeof(dice);
    memcpy(dice, data + size - used, used);
    struct sq_region region;
    region.x = dice[0] * width / 256;
    region.y = dice[1] * height / 256;
    region.width = 1 + dice[2] * (width - region.x - 1) / 255;
    region.height = 1 + dice[3] * (height - region.y - 1) / 255;
    return region;
}

static void
check_region(const uint8_t *data, size_t size, const struct sq_image *whole) {
    struct sq_region region =
        choose_region(data, size, whole->width, whole->height);
    const struct sq_jpeg_want want = { .region = &region };
    struct sq_image part = { 0 };
    bool ok = decode(data, size, &want, &part);
    assert(ok && part.width == region.width && part.height == region.height);
    for (int y = 0; y < part.height; y++) {
        const uint8_t *row = sq_image_row(whole, region.y + y)
                           + (size_t)region.x * SQ_PIXEL_BYTES;
        assert(memcmp(sq_image_row(&part, y), row, part.stride) == 0);
    }
    sq_image_finish(&part);
}

static void
check_half(const uint8_t *data, size_t size, const struct sq_image *whole) {
    const struct sq_jpeg_want want = {
        .min_width = (whole->width + 1) / 2,
        .min_height = (whole->height + 1) / 2,
    };
    struct sq_image half = { 0 };
    bool ok = decode(data, size, &want, &half);
    assert(ok && half.width >= want.min_width
           && half.height >= want.min_height);
    sq_image_finish(&half);
}

/* A file that our own decoder accepts must be accepted by libjpeg. */
static void
check_resize(const uint8_t *data, size_t size, int divisor, bool is_good) {
    static const struct sq_jpeg_want everything;
    struct sq_jpeg_resize how = {
        .limits = &limits,
        .opts = { .quality = 50, .full_chroma = size % 8 < 4 },
    };
    struct sq_err err = { 0 };
    struct sq_image back = { 0 };
    struct sq_buf out;
    struct sq_stored_shape shape;
    bool applies = false;
    sq_buf_init(&out, limits.max_bytes);
    if (sq_jpeg_shape(data, size, &shape, &err)) {
        how.width = (shape.stored.width + divisor - 1) / divisor;
        how.height = (shape.stored.height + divisor - 1) / divisor;
        bool ok = sq_jpeg_resize(data, size, &how, &out, &applies, &err);
        assert(ok || !is_good);
        assert(!applies == (out.len == 0));
        if (applies) {
            assert(is_good);
            ok = decode(out.data, out.len, &everything, &back);
            assert(ok && back.width == how.width && back.height == how.height);
        }
    }
    sq_image_finish(&back);
    sq_buf_finish(&out);
}

/*
 * One check per run, chosen by the input's length, so that more inputs are
 * tried.
 */
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct sq_jpeg_want everything;
    struct sq_image whole = { 0 };
    bool is_good = decode(data, size, &everything, &whole);
    if (size % 4 < 2) {
        check_resize(data, size, size % 4 ? 4 : 2, is_good);
    } else if (is_good && size % 4 == 2) {
        check_region(data, size, &whole);
    } else if (is_good) {
        check_half(data, size, &whole);
        check_resize(data, size, 1 + (int)(size / 4 % 7), is_good);
    }
    sq_image_finish(&whole);
    return 0;
}
