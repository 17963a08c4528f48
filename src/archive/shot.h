/*
 * One past screenshot as the archive keeps it: 16 bytes, sorted by time, from
 * which its file's name can be rebuilt. A full picture and its thumbnail are
 * one shot.
 */
#ifndef SQ_ARCHIVE_SHOT_H
#define SQ_ARCHIVE_SHOT_H

#include <stddef.h>
#include <stdint.h>

enum sq_shot_flag {
    SQ_SHOT_FULL = 1 << 0,    /* the whole picture is there */
    SQ_SHOT_THUMB = 1 << 1,   /* a stored thumbnail is there */
    SQ_SHOT_LITERAL = 1 << 2, /* the name is kept aside: seq is its place */
};

/* The other bits of the flags: what the name ends in, and how it is spelt. */
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
    uint32_t seq;   /* what tells shots of one second apart */
    uint16_t width; /* 0: the name does not say */
    uint16_t height;
    uint8_t monitor;  /* 255: a number too large for here */
    int8_t quarters;  /* of an hour east of UTC, where it was taken */
    uint8_t flags;    /* enum sq_shot_flag and the bits above */
    uint8_t strategy; /* the row of the name strategies' table */
};

_Static_assert(sizeof(struct sq_shot) == 16, "a shot has 16 bytes");

/*
 * Shots in the order (utc, monitor, literal last, seq). Several may have the
 * same time, monitor and even seq (in different folders): a place in the array
 * is what names one.
 */
struct sq_shots {
    const struct sq_shot *items;
    size_t count;
};

#endif
