/*
 * A PNG file is refused with an error or decodes; if libpng decodes it as well,
 * the pixels are equal. Tried unchanged and with corrected checksums.
 */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "image/png/png.h"
#include "support/png_reference.h"
#include "util/mem.h"

static const struct sq_limits limits = { 4000, 1000000, (size_t)16 << 20 };

/* All rows, and whether their promises are true. */
static bool
collect(struct sq_rows *rows, struct sq_image *image, struct sq_err *err) {
    for (int y = 0; y < rows->height; y++) {
        struct sq_row row;
        if (!sq_rows_next(rows, &row, err)) {
            return false;
        }
        uint8_t *to = sq_image_row(image, y);
        memcpy(to, row.pixels, image->stride);
        assert(
            !row.same
            || (y > 0 && memcmp(to, to - image->stride, image->stride) == 0));
    }
    return true;
}

static bool
decode(const uint8_t *data, size_t size, struct sq_image *image) {
    struct sq_err err = { 0 };
    struct sq_rows *rows = NULL;
    bool ok = sq_png_open(data, size, &limits, &rows, &err)
           && sq_image_init(image, rows->width, rows->height, &limits, &err)
           && collect(rows, image, &err);
    assert(ok || (err.code != SQ_ERR_NONE && err.message[0]));
    sq_rows_destroy(rows);
    return ok;
}

static void
check(const uint8_t *data, size_t size) {
    struct sq_image ours = { 0 };
    struct sq_image theirs = { 0 };
    if (decode(data, size, &ours) && t_png_decode(data, size, &theirs)) {
        assert(t_png_differences(&ours, &theirs) == 0);
    }
    sq_image_finish(&theirs);
    sq_image_finish(&ours);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check(data, size);
    uint8_t *fixed = sq_mem_alloc(size ? size : 1, 1);
    if (fixed && size) {
        memcpy(fixed, data, size);
        t_png_fix_checksums(fixed, size);
        if (memcmp(fixed, data, size) != 0) {
            check(fixed, size);
        }
    }
    sq_mem_free(fixed);
    return 0;
}
