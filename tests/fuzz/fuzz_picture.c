/*
 * For any file, a small picture is made or an error returned; also of any
 * region, and both agree on the size of the whole.
 */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/picture.h"

#define SIDE 40

static const struct sq_limits limits = { 600, 40000, (size_t)1 << 20 };

static bool
make(const uint8_t *data, size_t size, const struct sq_region *region,
     struct sq_picture_info *info) {
    const struct sq_picture_opts opts = { .max_dimension = SIDE,
                                          .format = SQ_FORMAT_PNG,
                                          .region = region };
    struct sq_err err = { 0 };
    struct sq_buf out;
    sq_buf_init(&out, limits.max_bytes);
    bool ok = sq_picture_make(data, size, &opts, &limits, &out, info, &err);
    assert(ok ? out.len > 0 : err.code != SQ_ERR_NONE && err.message[0]);
    sq_buf_finish(&out);
    return ok;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_picture_info whole = { 0 };
    struct sq_picture_info part = { 0 };
    struct sq_size told = { 0 };
    if (sq_head_size(data, size, &told)) {
        assert(told.width > 0 && told.height > 0);
    }
    if (!make(data, size, NULL, &whole)) {
        return 0;
    }
    assert(whole.image.width <= SIDE && whole.image.height <= SIDE);
    if (sq_codec_size(data, size, &told, NULL)) {
        assert(told.width == whole.source.width
               && told.height == whole.source.height);
    }
    const struct sq_region corner = { whole.source.width / 2,
                                      whole.source.height / 2, 1, 1 };
    bool ok = make(data, size, &corner, &part);
    assert(ok && part.source.width == told.width
           && part.source.height == told.height);
    return 0;
}
