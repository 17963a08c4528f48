#include "support/gzip_maker.h"

#include <libdeflate.h>

#include "support/test.h"

uint8_t *
t_gzip(const void *bytes, size_t count, size_t *len) {
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(1);
    size_t bound = libdeflate_gzip_compress_bound(compressor, count);
    uint8_t *made = malloc(bound);
    *len = libdeflate_gzip_compress(compressor, bytes, count, made, bound);
    T(*len > 0);
    libdeflate_free_compressor(compressor);
    return made;
}
