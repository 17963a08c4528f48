/* Keeps the frames of the program on the phone. */
#include "eye/phone/frames.h"

#include <string.h>

#include "eye/phone/system.h"

bool
eye_frame_reserve(struct eye_frame *frame, size_t bytes) {
    if (bytes <= frame->capacity) {
        return true;
    }
    uint8_t *larger = eye_map(bytes);
    if (!larger) {
        return false;
    }
    memcpy(larger, frame->bytes, frame->len);
    eye_unmap(frame->bytes, frame->capacity);
    frame->bytes = larger;
    frame->capacity = bytes;
    return true;
}

static void
note_use(struct eye_frames *frames, struct eye_frame *frame) {
    frame->used = ++frames->uses;
}

struct eye_frame *
eye_frames_numbered(struct eye_frames *frames, uint32_t number) {
    for (int i = 0; i < EYE_KEPT_FRAMES; i++) {
        struct eye_frame *frame = &frames->kept[i];
        if (number != 0 && frame->number == number) {
            note_use(frames, frame);
            return frame;
        }
    }
    return NULL;
}

struct eye_frame *
eye_frames_hashed(struct eye_frames *frames, uint64_t hash) {
    for (int i = 0; i < EYE_KEPT_FRAMES; i++) {
        struct eye_frame *frame = &frames->kept[i];
        if (hash != 0 && frame->number != 0 && frame->hash == hash) {
            note_use(frames, frame);
            return frame;
        }
    }
    return NULL;
}

static void
replace(struct eye_frames *frames, struct eye_frame *place) {
    struct eye_frame old = *place;
    *place = frames->next;
    place->number = ++frames->numbers;
    note_use(frames, place);
    frames->next = old;
    frames->next.len = 0;
    frames->next.number = 0;
}

/* Returns the place of the least used frame other than these two. */
static struct eye_frame *
place_except(struct eye_frames *frames, const struct eye_frame *a,
             const struct eye_frame *b) {
    struct eye_frame *place = NULL;
    for (int i = 0; i < EYE_KEPT_FRAMES; i++) {
        struct eye_frame *frame = &frames->kept[i];
        if (frame != a && frame != b && (!place || frame->used < place->used)) {
            place = frame;
        }
    }
    return place; /* there are more than two */
}

void
eye_frames_keep(struct eye_frames *frames, uint64_t keep) {
    replace(frames,
            place_except(frames, eye_frames_numbered(frames, frames->sent),
                         eye_frames_hashed(frames, keep)));
}

void
eye_frames_keep_sent(struct eye_frames *frames) {
    struct eye_frame *last = eye_frames_numbered(frames, frames->sent);
    replace(frames, last ? last : place_except(frames, NULL, NULL));
    frames->sent = frames->numbers;
}
