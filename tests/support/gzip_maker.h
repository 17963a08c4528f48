/* Makes gzip streams with libdeflate, for tests of our decompression. */
#ifndef SQ_TEST_GZIP_MAKER_H
#define SQ_TEST_GZIP_MAKER_H

#include <stddef.h>
#include <stdint.h>

/* Compresses at level 1. The caller frees the result with free(). */
uint8_t *t_gzip(const void *bytes, size_t count, size_t *len);

#endif
