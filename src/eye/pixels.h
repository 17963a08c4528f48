/*
 * Lossless coding of screencap's raw frames for the way from the phone. A frame
 * is a sequence of four-byte words, its header included. A word that equals the
 * word before it, the one above it, or the one at the same place of the
 * previous frame is counted; others are coded as in QOI. The decoder accepts
 * any bytes: invalid ones are detected, and it writes only inside the frame.
 * Needs no C library except memcpy.
 */
#ifndef SQ_EYE_PIXELS_H
#define SQ_EYE_PIXELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SQ_EYE_WORD 4
#define SQ_EYE_INDEX 64

#define SQ_EYE_FRAME_HEAD 12 /* bytes that decide the shape of a frame */

/* The shape of a raw frame, from its first bytes. */
struct sq_eye_shape {
    uint32_t most_bytes; /* with the longer of the two headers; 0: no frame */
    uint32_t distance;   /* words between two that are above each other */
};
struct sq_eye_shape sq_eye_shape_of(const uint8_t head[SQ_EYE_FRAME_HEAD]);

/* Position and memory of an encoder or a decoder. Start with zeroes. */
struct sq_eye_coder {
    size_t at;       /* words coded so far */
    size_t distance; /* words to the one above; set by the caller, at least 1 */
    uint32_t index[SQ_EYE_INDEX]; /* recent words, by their hash */
    bool has_changes; /* of a decoder: not every word was that of the base */
};

/* The most bytes that one step of the encoder writes. */
#define SQ_EYE_MAX_STEP 8

/* What to code. */
struct sq_eye_words {
    const uint8_t *frame;
    size_t end;          /* words of the frame that are known */
    const uint8_t *base; /* the previous frame */
    size_t base_words;   /* words of it; 0: there is none */
};

/*
 * Codes words from coder->at up to words->end, as many as fit into `capacity`
 * bytes, which are at least SQ_EYE_MAX_STEP. Returns the number of bytes
 * written.
 */
size_t sq_eye_encode(struct sq_eye_coder *coder,
                     const struct sq_eye_words *words, uint8_t *out,
                     size_t capacity);

/*
 * Decodes bytes that sq_eye_encode wrote in one call, into the frame's words
 * from coder->at on, but not beyond `end`. The first base_words words of the
 * frame must hold those of the previous one. Returns false if the bytes are
 * invalid.
 */
bool sq_eye_decode(struct sq_eye_coder *coder, const uint8_t *bytes,
                   size_t count, uint8_t *frame, size_t end, size_t base_words);

#endif
