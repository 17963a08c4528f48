/*
 * The metadata of a JPEG file is read or ignored. A profile is joined from
 * complete pieces only: a file that is truncated before the picture has the
 * same profile or none.
 */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "image/colour/icc.h"
#include "image/jpeg/private.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_err err = { 0 };
    struct sq_jpeg_tags whole = { 0 };
    struct sq_jpeg_tags part = { 0 };
    bool ok = sq_jpeg_tags_init(&whole, data, size, &err);
    assert(ok && whole.orientation < SQ_ORIENTATIONS);
    assert(whole.icc.len <= SQ_MAX_ICC_BYTES && whole.icc.len <= size);
    size_t half = size ? data[size - 1] * size / 256 : 0;
    ok = sq_jpeg_tags_init(&part, data, half, &err);
    assert(ok);
    if (part.icc.len && part.icc.len == whole.icc.len) {
        assert(memcmp(part.icc.data, whole.icc.data, part.icc.len) == 0);
    }
    sq_jpeg_tags_finish(&part);
    sq_jpeg_tags_finish(&whole);
    return 0;
}
