/*
 * The messages between squint and the eye, its program on the phone. A message
 * is a head of 16 bytes and a payload; all numbers are little-endian. Used on
 * both sides, so it needs no C library and does no I/O.
 */
#ifndef SQ_EYE_WIRE_H
#define SQ_EYE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "eye/difference.h"
#include "eye/rest.h"
#include "eye/sha256.h"

#define SQ_EYE_VERSION 4
#define SQ_EYE_HEAD_BYTES 16
/* Limits of the payload, in bytes: to the phone, and from it. */
#define SQ_EYE_MAX_REQUEST 64
#define SQ_EYE_MAX_ANSWER ((size_t)64 << 10)

enum sq_eye_type {
    SQ_EYE_HELLO = 1, /* phone: sent once, at the start */
    SQ_EYE_CAPTURE,   /* host: take a screenshot */
    SQ_EYE_BEGIN,     /* phone: a frame follows, in parts */
    SQ_EYE_PART,      /* phone: coded pixels; see pixels.h */
    SQ_EYE_END,       /* phone: the capture has ended, with or without frame */
    SQ_EYE_CLOSE,     /* host: end the program */
    SQ_EYE_LOOK,      /* host: take a screenshot that stays on the phone */
    SQ_EYE_SEEN,      /* phone: answers that */
    SQ_EYE_COMPARE,   /* host: compare two frames that are on the phone */
    SQ_EYE_COMPARED,  /* phone: answers that */
    SQ_EYE_CROP,      /* host: send a part of a frame that is on the phone */
    SQ_EYE_WATCH,     /* host: look until the screen is at rest */
    SQ_EYE_WATCHED,   /* phone: sent after each of these looks */
    SQ_EYE_TYPES,
};

/* The table of the checksum, so that this code has no state of its own. */
struct sq_eye_crc {
    uint32_t table[4][256];
};
void sq_eye_crc_init(struct sq_eye_crc *crc);

/* Continues the CRC-32 `before`, which is 0 at first, with more bytes. */
uint32_t sq_eye_crc_add(const struct sq_eye_crc *crc, uint32_t before,
                        const uint8_t *bytes, size_t count);

struct sq_eye_head {
    enum sq_eye_type type;
    uint32_t sequence; /* of the request; its answers repeat it */
    uint32_t length;   /* bytes of the payload */
};

/* Writes the head of a message with this payload. */
void sq_eye_put_head(const struct sq_eye_crc *crc,
                     const struct sq_eye_head *head, const uint8_t *payload,
                     uint8_t out[SQ_EYE_HEAD_BYTES]);

/*
 * Reads a head. Returns false if it is not one, is of another version, or
 * announces more than max_length bytes.
 */
bool sq_eye_read_head(const uint8_t bytes[SQ_EYE_HEAD_BYTES],
                      uint32_t max_length, struct sq_eye_head *out);

/* Returns whether the checksum in these bytes of a head is right. */
bool sq_eye_check(const struct sq_eye_crc *crc,
                  const uint8_t bytes[SQ_EYE_HEAD_BYTES],
                  const uint8_t *payload, uint32_t length);

/*
 * The payloads. Each has a function that writes it, and one that reads it and
 * returns false if its length or a value is invalid. Payloads that are said to
 * be followed by something may be longer; the rest belongs to the caller.
 */
#define SQ_EYE_MESSAGE(name, bytes)                                            \
    void sq_eye_put_##name(const struct sq_eye_##name *message,                \
                           uint8_t out[bytes]);                                \
    bool sq_eye_read_##name(const uint8_t *payload, uint32_t length,           \
                            struct sq_eye_##name *out)

/* SQ_EYE_HELLO: the SHA-256 of the program that runs. */
#define SQ_EYE_HELLO_BYTES SQ_SHA256_BYTES

/* The kernels of image/pipeline/scale.h that need no C library. */
enum sq_eye_kernel {
    SQ_EYE_CATMULL_ROM,
    SQ_EYE_BOX,
    SQ_EYE_KERNELS,
};

/* A part of a frame, and the size that it gets. Never larger than the part. */
struct sq_eye_scaling {
    uint32_t width; /* of the frame, in pixels; others are not scaled */
    uint32_t height;
    struct sq_eye_area part;
    uint32_t out_width;
    uint32_t out_height;
    enum sq_eye_kernel kernel;
};
#define SQ_EYE_SCALING_BYTES 33

#define SQ_EYE_MAX_LIMIT (64u << 20)

struct sq_eye_capture {
    uint32_t base; /* number of the frame that the host still has; 0: none */
    uint32_t max_bytes; /* a larger frame is not sent */
    bool has_display;   /* screencap -d display */
    uint64_t display;
    /*
     * If the coded frame has more bytes than this, the scaled picture is sent
     * instead. At most SQ_EYE_MAX_LIMIT. 0: never; then the rest is zero, too.
     */
    uint32_t limit;
    uint32_t scaled_base; /* number of the scaled picture that the host has */
    struct sq_eye_scaling scaling;
};
#define SQ_EYE_CAPTURE_BYTES (25 + SQ_EYE_SCALING_BYTES)
SQ_EYE_MESSAGE(capture, SQ_EYE_CAPTURE_BYTES);

struct sq_eye_begin {
    uint32_t most_bytes; /* no frame has more */
    uint32_t distance;   /* words from a pixel to the one above it */
    bool has_base;       /* the parts refer to the base of the request */
    bool is_scaled;      /* it is a scaled picture, as a raw frame; then: */
    uint64_t hash;       /* of the frame that it shows */
    uint32_t width;      /* of that frame */
    uint32_t height;
    bool is_black; /* as in struct sq_eye_seen */
};
#define SQ_EYE_BEGIN_BYTES 27
SQ_EYE_MESSAGE(begin, SQ_EYE_BEGIN_BYTES);

/* Followed by the bytes after the last whole word, then by messages. */
struct sq_eye_end {
    int32_t status; /* exit status of screencap, or one of those below */
    uint32_t frame; /* number of the frame, as a later base; 0: none */
    uint32_t bytes; /* of the frame */
};
#define SQ_EYE_KILLED (-1)    /* a signal ended screencap */
#define SQ_EYE_TOO_LARGE (-2) /* the frame has more bytes than allowed */
#define SQ_EYE_GONE (-3)      /* there is no such frame, or not of this size */
#define SQ_EYE_END_BYTES 12
SQ_EYE_MESSAGE(end, SQ_EYE_END_BYTES);

/* SQ_EYE_LOOK. */
struct sq_eye_look {
    uint32_t max_bytes; /* a larger frame is not kept */
    bool has_display;   /* screencap -d display */
    uint64_t display;
    uint64_t keep; /* hash of a frame that must not make room; 0: none */
};
#define SQ_EYE_LOOK_BYTES 21
SQ_EYE_MESSAGE(look, SQ_EYE_LOOK_BYTES);

/* SQ_EYE_SEEN; followed by messages of screencap. */
struct sq_eye_seen {
    int32_t status;  /* as in struct sq_eye_end */
    uint64_t hash;   /* of the frame; 0: none that can be compared */
    uint32_t width;  /* in pixels; 0 without a hash */
    uint32_t height; /* the same */
    bool is_black;   /* no colour is above SQ_EYE_BLACK_CEILING */
};
#define SQ_EYE_BLACK_CEILING 8
#define SQ_EYE_SEEN_BYTES 21
SQ_EYE_MESSAGE(seen, SQ_EYE_SEEN_BYTES);

/* SQ_EYE_COMPARE. */
struct sq_eye_compare {
    uint64_t before; /* hashes of the frames */
    uint64_t after;
    struct sq_eye_area area; /* all zero: the whole picture */
};
#define SQ_EYE_COMPARE_BYTES 32
SQ_EYE_MESSAGE(compare, SQ_EYE_COMPARE_BYTES);

enum sq_eye_outcome {
    SQ_EYE_SAME,
    SQ_EYE_DIFFERENT,
    SQ_EYE_UNKNOWN, /* a frame is gone, or they cannot be compared */
    SQ_EYE_OUTCOMES,
};

/* SQ_EYE_COMPARED. */
struct sq_eye_compared {
    enum sq_eye_outcome outcome;
    struct sq_eye_areas where; /* what differs; none if nothing does */
};
#define SQ_EYE_COMPARED_BYTES (2 + 16 * SQ_EYE_MAX_AREAS)
SQ_EYE_MESSAGE(compared, SQ_EYE_COMPARED_BYTES);

/* SQ_EYE_CROP; answered like SQ_EYE_CAPTURE, always with a scaled picture. */
struct sq_eye_crop {
    uint64_t hash;      /* of the frame */
    uint32_t max_bytes; /* a larger picture is not sent */
    struct sq_eye_scaling scaling;
};
#define SQ_EYE_CROP_BYTES (12 + SQ_EYE_SCALING_BYTES)
SQ_EYE_MESSAGE(crop, SQ_EYE_CROP_BYTES);

/* SQ_EYE_WATCH; see eye/rest.h. */
struct sq_eye_watch {
    struct sq_eye_look look;
    uint64_t before;   /* hash of the frame before the action; 0: none */
    uint32_t quiet_ms; /* how long the screen has been equal to it */
    struct sq_rest_rule rule;
};
#define SQ_EYE_WATCH_BYTES (SQ_EYE_LOOK_BYTES + 29)
SQ_EYE_MESSAGE(watch, SQ_EYE_WATCH_BYTES);

/*
 * SQ_EYE_WATCHED; followed by messages of screencap. The last one is the first
 * with another state than SQ_REST_GOES_ON, or without a hash.
 */
struct sq_eye_watched {
    enum sq_rest_state state;
    struct sq_eye_seen seen;
};
#define SQ_EYE_WATCHED_BYTES (1 + SQ_EYE_SEEN_BYTES)
SQ_EYE_MESSAGE(watched, SQ_EYE_WATCHED_BYTES);

#endif
