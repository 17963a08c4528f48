/*
 * The stream to the host: standard input and output of the program on the
 * phone. The program ends if the stream does.
 */
#ifndef SQ_EYE_PHONE_STREAM_H
#define SQ_EYE_PHONE_STREAM_H

#include "eye/wire.h"

/* Exit status of the program. */
enum {
    EYE_STATUS_OK,
    EYE_STATUS_STREAM_ENDED,
    EYE_STATUS_BAD_REQUEST,
    EYE_STATUS_NO_MEMORY,
};

void eye_stream_init(void);

/* Returns where to write the payload of the next message. */
uint8_t *eye_payload(void);

/* Sends the first `count` bytes of the payload. */
void eye_send(enum sq_eye_type type, size_t count);

/*
 * Waits for a request. Its payload is written to `request`, and messages that
 * are sent from now on answer it. Ends the program after five minutes without
 * one, or if it is invalid.
 */
struct sq_eye_head eye_next_request(uint8_t request[SQ_EYE_MAX_REQUEST]);

#endif
