/* Keeps the frames of the program on the phone. */
#include "eye/phone/phone.h"

#include <string.h>

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

struct eye_frame *
eye_frames_numbered(struct eye_frames *frames, uint32_t number) {
    for (int i = 0; i < EYE_KEPT_FRAMES; i++) {
        struct eye_frame *frame = &frames->kept[i];
        if (number != 0 && frame->number == number) {
            frame->used = ++frames->uses;
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
            frame->used = ++frames->uses;
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
    place->shown = 0;
    place->used = ++frames->uses;
    frames->next = old;
    frames->next.len = 0;
    frames->next.number = 0;
}

/* Returns whether the frame is one of the last that were shown. */
static bool
is_shown(const struct eye_frames *frames, const struct eye_frame *frame) {
    int later = 0;
    for (int i = 0; i < EYE_KEPT_FRAMES; i++) {
        later += frames->kept[i].shown > frame->shown;
    }
    return frame->shown != 0 && later < EYE_SHOWN_FRAMES;
}

/*
 * Returns a free place or, if there are enough frames, that of the least used
 * one that may make room.
 */
static struct eye_frame *
find_place(struct eye_frames *frames, const struct eye_frame *sent,
           const struct eye_frame *needed) {
    struct eye_frame *place = NULL;
    int others = 0;
    for (int i = 0; i < EYE_KEPT_FRAMES; i++) {
        others +=
            frames->kept[i].number != 0 && !is_shown(frames, &frames->kept[i]);
    }
    for (int i = 0; i < EYE_KEPT_FRAMES; i++) {
        struct eye_frame *frame = &frames->kept[i];
        bool is_free = frame->number == 0;
        if (frame != sent && frame != needed && !is_shown(frames, frame)
            && !(is_free && others >= EYE_OTHER_FRAMES)
            && (!place || frame->used < place->used)) {
            place = frame;
        }
    }
    return place; /* there are more frames than those that must stay */
}

struct eye_frame *
eye_frames_keep(struct eye_frames *frames, uint64_t needed) {
    struct eye_frame *place = eye_frames_hashed(frames, frames->next.hash);
    if (!place) {
        place = find_place(frames, eye_frames_numbered(frames, frames->sent),
                           eye_frames_hashed(frames, needed));
        replace(frames, place);
    }
    return place;
}

void
eye_frames_keep_shown(struct eye_frames *frames) {
    struct eye_frame *frame = eye_frames_keep(frames, 0);
    frame->shown = ++frames->uses;
}

void
eye_frames_keep_sent(struct eye_frames *frames) {
    struct eye_frame *last = eye_frames_numbered(frames, frames->sent);
    bool is_free = last && !is_shown(frames, last);
    replace(frames, is_free ? last : find_place(frames, NULL, NULL));
    frames->sent = frames->numbers;
}
