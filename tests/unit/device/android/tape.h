/* Bytes of the adb server in memory, returned as the client reads. */
#ifndef SQ_TESTS_UNIT_DEVICE_ANDROID_TAPE_H
#define SQ_TESTS_UNIT_DEVICE_ANDROID_TAPE_H

#include "device/android/link.h"
#include "support/test.h"

struct tape {
    const char *bytes;
    size_t len;
    size_t at;
    size_t step; /* bytes per read_some; 0: as many as fit */
};

static inline bool
tape_some(void *context, void *into, size_t room, size_t *got,
          struct sq_err *err) {
    struct tape *tape = context;
    size_t left = tape->len - tape->at;
    size_t now = left < room ? left : room;
    now = tape->step && now > tape->step ? tape->step : now;
    memcpy(into, tape->bytes + tape->at, now);
    tape->at += now;
    *got = now;
    return true;
}

static inline bool
tape_exactly(void *context, void *into, size_t len, struct sq_err *err) {
    struct tape *tape = context;
    if (len > tape->len - tape->at) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "the tape has ended");
    }
    memcpy(into, tape->bytes + tape->at, len);
    tape->at += len;
    return true;
}

#define SOURCE(tape)                                                           \
    &(struct sq_adb_source) {                                                  \
        .read = tape_exactly, .read_some = tape_some, .context = (tape)        \
    }
#define TAPE(literal)                                                          \
    { .bytes = (literal), .len = sizeof(literal) - 1 }

#endif
