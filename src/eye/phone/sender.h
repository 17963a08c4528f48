/*
 * Sends a frame to the host: codes its words while they are read from
 * screencap, and sends them in parts or, if the coded frame may be too large,
 * keeps the parts back until that is known.
 */
#ifndef SQ_EYE_PHONE_SENDER_H
#define SQ_EYE_PHONE_SENDER_H

#include "eye/phone/frames.h"
#include "eye/pixels.h"
#include "eye/wire.h"

/* Start it with eye_sender_start. */
struct eye_sender {
    struct sq_eye_begin begin;
    const uint8_t *base; /* bytes of a frame that the host has; NULL: none */
    size_t base_words;
    struct sq_eye_coder coder;
    size_t part;     /* coded bytes that wait in the payload */
    size_t part_end; /* words up to the end of the last whole part */
    uint32_t limit;  /* bytes that are kept back at most; 0: none */
    bool is_over;    /* the coded frame is larger; it was not sent */
};

/*
 * Starts a frame that begins like `head`. It is coded as changes of `base` if
 * that is not NULL and has the same shape. With a limit, nothing is sent before
 * eye_sender_end.
 */
void eye_sender_start(struct eye_sender *sender,
                      const struct sq_eye_begin *begin, const uint8_t *head,
                      const struct eye_frame *base, uint32_t limit);

/* Codes the words of the frame that are known by now. */
void eye_sender_code(struct eye_sender *sender, const struct eye_frame *frame);

/*
 * Sends what was not sent yet; the last message is up to the caller. Returns
 * false, and has sent nothing, if the limit was exceeded.
 */
bool eye_sender_end(struct eye_sender *sender);

#endif
