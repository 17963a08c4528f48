/*
 * Defines a shot: one archived screenshot in 16 bytes, from which its file name
 * can be rebuilt. A full picture and its thumbnail are one shot.
 */
#ifndef SQ_ARCHIVE_SHOT_H
#define SQ_ARCHIVE_SHOT_H

#include <stddef.h>
#include <stdint.h>

enum sq_shot_flag {
    SQ_SHOT_FULL = 1 << 0,    /* the full picture exists */
    SQ_SHOT_THUMB = 1 << 1,   /* a stored thumbnail exists */
    SQ_SHOT_LITERAL = 1 << 2, /* the name is stored: seq is its offset */
};

/* The other bits of flags: the extension and the spelling of the name. */
#define SQ_SHOT_ENDING_SHIFT 3 /* two bits: enum sq_shot_ending */
#define SQ_SHOT_ENDING_MASK (3 << SQ_SHOT_ENDING_SHIFT)
#define SQ_SHOT_SPELLING_SHIFT 5 /* three bits: one of the strategy's own */

enum sq_shot_ending {
    SQ_SHOT_JPG,
    SQ_SHOT_JPEG,
    SQ_SHOT_PNG,
    SQ_SHOT_WEBP,
    SQ_SHOT_ENDINGS,
};

struct sq_shot {
    uint32_t utc;   /* seconds since 1970 */
    uint32_t seq;   /* distinguishes shots of the same second */
    uint16_t width; /* 0: not in the name */
    uint16_t height;
    uint8_t monitor;  /* 255: number too large for this field */
    int8_t quarters;  /* UTC offset of the shot, in quarters of an hour */
    uint8_t flags;    /* enum sq_shot_flag and the bits above */
    uint8_t strategy; /* row in the table of name strategies */
};

_Static_assert(sizeof(struct sq_shot) == 16, "a shot has 16 bytes");

/*
 * Shots sorted by (utc, monitor, literal last, seq). Several may have equal
 * time, monitor and even seq (in different folders); only the index in the
 * array identifies a shot.
 */
struct sq_shots {
    const struct sq_shot *items;
    size_t count;
};

/* Returns the local time of a shot, in seconds since 1970. */
static inline int64_t
sq_shot_local_s(const struct sq_shot *shot) {
    return (int64_t)shot->utc + (int64_t)shot->quarters * 900;
}

#endif
