/* The frames that the program on the phone has in memory. */
#ifndef SQ_EYE_PHONE_FRAMES_H
#define SQ_EYE_PHONE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Frames of which the host was sent only a scaled picture. */
#define EYE_SHOWN_FRAMES 2

/* The one that the host has, the one before an action, and the latest. */
#define EYE_OTHER_FRAMES 3
#define EYE_KEPT_FRAMES (EYE_SHOWN_FRAMES + EYE_OTHER_FRAMES)

struct eye_frame {
    uint8_t *bytes;
    size_t capacity;
    size_t len;
    uint32_t number; /* 0: none */
    uint64_t hash;
    uint32_t used;  /* when it was last asked for; higher is later */
    uint32_t shown; /* when a scaled picture of it was sent; 0: never */
};

/* Start with zeroes. */
struct eye_frames {
    struct eye_frame next; /* being captured */
    struct eye_frame kept[EYE_KEPT_FRAMES];
    uint32_t numbers; /* frames so far */
    uint32_t uses;    /* so far */
    uint32_t sent;    /* number of the frame that the host may have; 0: none */
};

/* Makes room for `bytes` bytes. Returns false if there is no memory. */
bool eye_frame_reserve(struct eye_frame *frame, size_t bytes);

/* Return a kept frame, or NULL. Numbers and hashes that are 0 are not found. */
struct eye_frame *eye_frames_numbered(struct eye_frames *frames,
                                      uint32_t number);
struct eye_frame *eye_frames_hashed(struct eye_frames *frames, uint64_t hash);

/*
 * Keeps `next`, unless there is one like it, in place of the frame that was not
 * used for the longest time, but not of the one that was sent, nor of one with
 * the hash `keep`, nor of the EYE_SHOWN_FRAMES that were shown last.
 */
void eye_frames_keep(struct eye_frames *frames, uint64_t keep);

/* Does the same with `next` after a scaled picture of it was sent. */
void eye_frames_keep_shown(struct eye_frames *frames);

/* Keeps `next`, which was sent, in place of the one that was sent before. */
void eye_frames_keep_sent(struct eye_frames *frames);

#endif
