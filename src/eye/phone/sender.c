/* Codes frames and sends them in parts. */
#include "eye/phone/phone.h"

#include <string.h>

#include "util/bytes.h"

#define FULL_PART (SQ_EYE_MAX_ANSWER / 2)
/* Words in one part: the host can start before the frame is complete. */
#define PART_WORDS ((size_t)256 << 10)
#define LENGTH_BYTES 4

/* Parts that are kept back, each after its length. */
static struct eye_frame held;

static void
send_begin(const struct eye_sender *sender) {
    sq_eye_put_begin(&sender->begin, eye_payload());
    eye_send(SQ_EYE_BEGIN, SQ_EYE_BEGIN_BYTES);
}

void
eye_sender_start(struct eye_sender *sender, const struct sq_eye_begin *begin,
                 const uint8_t *head, const struct eye_frame *base,
                 uint32_t limit) {
    memset(sender, 0, sizeof(*sender));
    sender->begin = *begin;
    sender->limit = limit;
    sender->coder.distance = begin->distance;
    sender->begin.has_base =
        base && memcmp(base->bytes, head, SQ_EYE_FRAME_HEAD) == 0;
    if (sender->begin.has_base) {
        sender->base = base->bytes;
        sender->base_words = base->len / SQ_EYE_WORD;
    }
    held.len = 0;
    if (limit == 0) {
        send_begin(sender);
    } else if (!eye_frame_reserve(&held, limit)) {
        eye_exit(EYE_STATUS_NO_MEMORY);
    }
}

static void
end_part(struct eye_sender *sender) {
    if (sender->part > 0 && sender->limit == 0) {
        eye_send(SQ_EYE_PART, sender->part);
    } else if (sender->part + LENGTH_BYTES > sender->limit - held.len) {
        sender->is_over = sender->part > 0;
    } else if (sender->part > 0) {
        sq_store_le32(held.bytes + held.len, (uint32_t)sender->part);
        memcpy(held.bytes + held.len + LENGTH_BYTES, eye_payload(),
               sender->part);
        held.len += LENGTH_BYTES + sender->part;
    }
    sender->part = 0;
    sender->part_end = sender->coder.at;
}

void
eye_sender_code(struct eye_sender *sender, const struct eye_frame *frame) {
    const struct sq_eye_words words = {
        frame->bytes,
        frame->len / SQ_EYE_WORD,
        sender->base,
        sender->base_words,
    };
    while (!sender->is_over && sender->coder.at < words.end) {
        sender->part +=
            sq_eye_encode(&sender->coder, &words, eye_payload() + sender->part,
                          SQ_EYE_MAX_ANSWER - sender->part);
        if (sender->part >= FULL_PART
            || sender->coder.at - sender->part_end >= PART_WORDS) {
            end_part(sender);
        }
    }
}

bool
eye_sender_end(struct eye_sender *sender) {
    if (!sender->is_over) {
        end_part(sender);
    }
    if (!sender->is_over && sender->limit > 0) {
        send_begin(sender);
        for (size_t at = 0; at < held.len;) {
            size_t count = sq_load_le32(held.bytes + at);
            memcpy(eye_payload(), held.bytes + at + LENGTH_BYTES, count);
            eye_send(SQ_EYE_PART, count);
            at += LENGTH_BYTES + count;
        }
    }
    return !sender->is_over;
}
