/* Hashes frames, on the phone and here. */
#include "eye/frame_hash.h"

#include "util/bytes.h"

#define WORD sizeof(uint64_t)
#define GROUP (SQ_FRAME_HASH_LANES * WORD)

static uint64_t
mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

void
sq_frame_hash_add(struct sq_frame_hash *hash, const uint8_t *frame,
                  size_t received) {
    uint64_t a = hash->lanes[0];
    uint64_t b = hash->lanes[1];
    uint64_t c = hash->lanes[2];
    uint64_t d = hash->lanes[3];
    size_t at = hash->at;
    for (; at + GROUP <= received; at += GROUP) {
        a = mix(a, sq_load_le64(frame + at));
        b = mix(b, sq_load_le64(frame + at + WORD));
        c = mix(c, sq_load_le64(frame + at + 2 * WORD));
        d = mix(d, sq_load_le64(frame + at + 3 * WORD));
    }
    *hash = (struct sq_frame_hash){ { a, b, c, d }, at };
}

uint64_t
sq_frame_hash_end(struct sq_frame_hash *hash, const uint8_t *frame,
                  size_t count) {
    sq_frame_hash_add(hash, frame, count);
    uint64_t whole = count;
    for (int i = 0; i < SQ_FRAME_HASH_LANES; i++) {
        whole = mix(whole, hash->lanes[i]);
    }
    for (; hash->at < count; hash->at++) {
        whole = mix(whole, frame[hash->at]);
    }
    return whole ? whole : 1;
}
