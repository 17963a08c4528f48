/*
 * SurfaceFlinger's count of frames, which tells cheaply that nothing was drawn.
 * Another count says nothing: a frame may look like the one before it. What it
 * says is checked with captures: it is used only after a different capture came
 * with another count, and not any more after one that came with the same.
 */
#ifndef SQ_DEVICE_ANDROID_FRAME_COUNTER_H
#define SQ_DEVICE_ANDROID_FRAME_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"
#include "sys/deadline.h"
#include "util/span.h"

/* Other programs may clear the count; `since` then changes. */
struct sq_frame_count {
    bool is_known;
    uint64_t since;
    uint64_t frames;
};

#define SQ_FRAME_COUNT_COMMAND                                                 \
    "dumpsys SurfaceFlinger --timestats -dump -maxlayers 0"

/* Parses its output. */
bool sq_frame_count_parse(struct sq_span text, struct sq_frame_count *out);

/* All zero: not used yet. */
struct sq_frame_counter {
    bool is_enabled;
    bool is_confirmed;
    const char *failed;             /* why it is not used, constant; or NULL */
    struct sq_frame_count next;     /* read since the latest capture began */
    struct sq_frame_count captured; /* read before the latest capture */
    struct sq_frame_count checked;  /* read before an earlier one */
    uint64_t checked_hash;          /* of that capture */
    uint64_t latest;                /* hash of the latest capture; 0: none */
};

/* A count was read. Returns what it tells about the time since a capture. */
enum sq_drawn sq_frame_counter_read(struct sq_frame_counter *counter,
                                    const struct sq_frame_count *count);

/* A capture begins. */
void sq_frame_counter_begin(struct sq_frame_counter *counter);

/* The latest capture has this hash; 0: not known. */
void sq_frame_counter_saw(struct sq_frame_counter *counter, uint64_t hash);

#endif
