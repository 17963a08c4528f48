/* What the scaler of image/pipeline needs of util, without a C library. */
#include <stdint.h>

#include "eye/phone/phone.h"
#include "util/err.h"
#include "util/mem.h"

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
