/*
 * A WebP file decodes to the size it claims, upright and in sRGB, or is refused
 * with a reason.
 */
#include <assert.h>
#include <webp/decode.h>

#include "fuzz/fuzz.h"
#include "image/colour/colour.h"
#include "image/webp/webp.h"

static const struct sq_limits limits = { 4000, 2000000, (size_t)16 << 20 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_err err = { 0 };
    struct sq_rows *rows = NULL;
    struct sq_rows *normal = NULL;
    struct sq_image image = { 0 };
    int width = 0;
    int height = 0;
    bool opened = sq_webp_open(data, size, &limits, &rows, &err);
    if (opened) {
        bool ok = WebPGetInfo(data, size, &width, &height);
        assert(ok && rows->width == width && rows->height == height);
    }
    if (opened && sq_rows_normalise(rows, &limits, &normal, &err)
        && sq_rows_to_image(normal, &limits, &image, &err)) {
        assert((image.width == width && image.height == height)
               || (image.width == height && image.height == width));
    } else {
        assert(err.code != SQ_ERR_NONE && err.message[0]);
    }
    sq_image_finish(&image);
    sq_rows_destroy(normal);
    return 0;
}
