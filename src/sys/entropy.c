/* Random bytes from the system. */
#include "sys/entropy.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

#include "sys/call.h"

int
sq_random_fill(void *into, size_t count) {
    uint8_t *at = into;
    while (count > 0) {
        ssize_t got = sq_call_getrandom(at, count);
        if (got < 0) {
            return -1;
        }
        at += got;
        count -= (size_t)got;
    }
    return 0;
}

int
sq_random_hex(char *out, size_t size) {
    unsigned char bytes[32];
    size_t count = size / 2;
    assert(size % 2 == 1 && count <= sizeof(bytes));
    if (sq_random_fill(bytes, count) < 0) {
        return -1;
    }
    sodium_bin2hex(out, size, bytes, count);
    return 0;
}

int
sq_random_temporary_name(char out[SQ_TEMPORARY_NAME_SIZE]) {
    memcpy(out, SQ_TEMPORARY_PREFIX, sizeof(SQ_TEMPORARY_PREFIX));
    return sq_random_hex(out + sizeof(SQ_TEMPORARY_PREFIX) - 1, 17);
}
