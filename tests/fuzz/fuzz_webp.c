/* A WebP file decodes to the size it claims, or is refused with a reason. */
#include <assert.h>

#include "fuzz.h"
#include "image/rows.h"
#include "image/webp.h"

static const struct sq_limits limits = { 4000, 2000000, (size_t)16 << 20 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_err err = { 0 };
    struct sq_rows *rows = NULL;
    struct sq_image image = { 0 };
    int width = 0;
    int height = 0;
    if (sq_webp_open(data, size, &limits, &rows, &err)
        && sq_rows_to_image(rows, &limits, &image, &err)) {
        bool ok = sq_webp_size(data, size, &width, &height, &err);
        assert(ok && image.width == width && image.height == height);
    } else {
        assert(err.code != SQ_ERR_NONE && err.message[0]);
    }
    sq_image_finish(&image);
    sq_rows_destroy(rows);
    return 0;
}
