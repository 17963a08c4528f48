/* Random bytes from the system. */
#include "sys/entropy.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

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
sq_random_temporary_name(char out[SQ_TEMPORARY_NAME_SIZE]) {
    uint64_t number;
    if (sq_random_fill(&number, sizeof(number)) < 0) {
        return -1;
    }
    snprintf(out, SQ_TEMPORARY_NAME_SIZE, SQ_TEMPORARY_PREFIX "%016" PRIx64,
             number);
    return 0;
}
