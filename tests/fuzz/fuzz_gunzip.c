/*
 * Decompresses any bytes as a gzip stream. The pieces in which they arrive and
 * the steps make no difference, no limit is exceeded, and a complete stream has
 * the content that libdeflate finds in it.
 */
#include <assert.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#include "device/android/link.h"
#include "fuzz/fuzz.h"
#include "util/minmax.h"

/* More than twice what a stream may refer back to; more would take long. */
#define MAX_BYTES ((size_t)72 << 10)

static struct sq_gunzip *gunzip;

static void
destroy_gunzip(void) {
    sq_gunzip_destroy(gunzip);
}

/* Returns false if the content exceeds the limit. */
static bool
run(const uint8_t *data, size_t size, size_t piece, size_t step,
    struct sq_buf *out) {
    struct sq_err err = { 0 };
    bool ok = true;
    sq_gunzip_reset(gunzip);
    sq_buf_init(out, MAX_BYTES);
    for (size_t at = 0; ok && at < size; at += piece) {
        size_t count = sq_min_size(piece, size - at);
        memcpy(sq_gunzip_space(gunzip), data + at, count);
        sq_gunzip_add(gunzip, count);
        while (ok && sq_gunzip_has_work(gunzip)) {
            size_t before = out->len;
            ok = sq_gunzip_run(gunzip, out, step, &err);
            assert(out->len - before <= step);
        }
    }
    assert(ok || err.code == SQ_ERR_LIMIT);
    assert(out->cap <= MAX_BYTES);
    return ok;
}

static void
check_content(const uint8_t *data, size_t size, const struct sq_buf *out) {
    static uint8_t space[MAX_BYTES];
    struct libdeflate_decompressor *other = libdeflate_alloc_decompressor();
    size_t used;
    size_t len;
    assert(libdeflate_gzip_decompress_ex(other, data, size, space, MAX_BYTES,
                                         &used, &len)
           == LIBDEFLATE_SUCCESS);
    assert(used == size && len == out->len
           && (len == 0 || memcmp(space, out->data, len) == 0));
    libdeflate_free_decompressor(other);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_buf whole;
    struct sq_buf parts;
    if (size == 0 || size > SQ_GUNZIP_INPUT_BYTES
        || (!gunzip
            && (!sq_gunzip_create(&gunzip, NULL)
                || atexit(destroy_gunzip) != 0))) {
        return 0;
    }
    size_t piece = data[size - 1] % 32 + 1u;
    bool ok = run(data, size, size, MAX_BYTES, &whole);
    enum sq_gunzip_state state = sq_gunzip_state(gunzip);
    bool same = run(data, size, piece, 7 * piece, &parts) == ok;
    assert(same && (!ok || state == sq_gunzip_state(gunzip)));
    if (ok && state == SQ_GUNZIP_COMPLETE) {
        check_content(data, size, &whole);
        assert(parts.len == whole.len
               && (whole.len == 0
                   || memcmp(parts.data, whole.data, whole.len) == 0));
    }
    sq_buf_finish(&whole);
    sq_buf_finish(&parts);
    return 0;
}
