/* The hash of a frame: the same in parts, another after any change. */
#include "eye/frame_hash.h"

#include "support/test.h"

#define BYTES 150

static uint8_t frame[BYTES];

static uint64_t
hash_of(size_t count) {
    struct sq_frame_hash hash = { 0 };
    return sq_frame_hash_end(&hash, frame, count);
}

static void
fill(void) {
    for (size_t i = 0; i < BYTES; i++) {
        frame[i] = (uint8_t)(i * 31 + 5);
    }
}

T_CASE(parts_give_the_same_hash) {
    fill();
    for (size_t count = 0; count <= BYTES; count++) {
        for (size_t part = 0; part <= count; part++) {
            struct sq_frame_hash hash = { 0 };
            sq_frame_hash_add(&hash, frame, part / 2);
            sq_frame_hash_add(&hash, frame, part);
            T(sq_frame_hash_end(&hash, frame, count) == hash_of(count));
        }
    }
}

T_CASE(every_byte_and_the_length_count) {
    fill();
    uint64_t whole = hash_of(BYTES);
    T(whole != 0);
    for (size_t i = 0; i < BYTES; i++) {
        T(hash_of(i) != whole);
        frame[i] ^= 1;
        T(hash_of(BYTES) != whole);
        frame[i] ^= 1;
    }
    T(hash_of(BYTES) == whole);
}

/* The phone and this machine must agree, whatever their byte order. */
T_CASE(value_is_fixed) {
    fill();
    T(hash_of(BYTES) == UINT64_C(0xdc2b01e8ae4dda2a));
}
