/* Reads requests from the host and sends answers. */
#include "eye/phone/phone.h"

#define IDLE_MS (300 * 1000)

static struct {
    struct sq_eye_crc crc;
    uint32_t sequence;
    uint8_t answer[SQ_EYE_HEAD_BYTES + SQ_EYE_MAX_ANSWER];
} stream;

void
eye_stream_init(void) {
    sq_eye_crc_init(&stream.crc);
}

uint8_t *
eye_payload(void) {
    return stream.answer + SQ_EYE_HEAD_BYTES;
}

void
eye_send(enum sq_eye_type type, size_t count) {
    const struct sq_eye_head head = { type, stream.sequence, (uint32_t)count };
    size_t at = 0;
    sq_eye_put_head(&stream.crc, &head, eye_payload(), stream.answer);
    while (at < SQ_EYE_HEAD_BYTES + count) {
        long sent = eye_write(EYE_OUTPUT, stream.answer + at,
                              SQ_EYE_HEAD_BYTES + count - at);
        if (sent <= 0) {
            eye_exit(EYE_STATUS_STREAM_ENDED);
        }
        at += (size_t)sent;
    }
}

static void
receive(uint8_t *into, size_t count) {
    size_t at = 0;
    while (at < count) {
        struct eye_poll poll = { EYE_INPUT, EYE_POLL_IN, 0 };
        long got = eye_poll(&poll, 1, IDLE_MS) > 0
                     ? eye_read(EYE_INPUT, into + at, count - at)
                     : 0;
        if (got <= 0) {
            eye_exit(EYE_STATUS_STREAM_ENDED);
        }
        at += (size_t)got;
    }
}

struct sq_eye_head
eye_next_request(uint8_t request[SQ_EYE_MAX_REQUEST]) {
    uint8_t bytes[SQ_EYE_HEAD_BYTES];
    struct sq_eye_head head;
    receive(bytes, sizeof(bytes));
    if (!sq_eye_read_head(bytes, SQ_EYE_MAX_REQUEST, &head)) {
        eye_exit(EYE_STATUS_BAD_REQUEST);
    }
    receive(request, head.length);
    if (!sq_eye_check(&stream.crc, bytes, request, head.length)) {
        eye_exit(EYE_STATUS_BAD_REQUEST);
    }
    stream.sequence = head.sequence;
    return head;
}
