/* Reads SurfaceFlinger's count of frames. */
#include "device/android/frame_counter.h"

#include "device/android/state.h"

#define ENABLE_COMMAND "dumpsys SurfaceFlinger --timestats -enable"
#define READ_MS 1000
/* Where captures are faster, they are taken instead. */
#define SLOW_CAPTURE_MS 60

/* Takes the number of a line "name = number". */
static bool
take_number(struct sq_span line, const char *name, uint64_t *out) {
    line = sq_span_trim(line);
    if (!sq_span_take_prefix(&line, name)) {
        return false;
    }
    line = sq_span_trim(line);
    return sq_span_take_prefix(&line, "=")
        && sq_span_to_uint64(sq_span_trim(line), out);
}

bool
sq_frame_count_parse(struct sq_span text, struct sq_frame_count *out) {
    struct sq_frame_count count = { 0 };
    struct sq_span line;
    while (!count.is_known && sq_span_take_line(&text, &line)) {
        take_number(line, "statsStart", &count.since);
        count.is_known = take_number(line, "totalFrames", &count.frames);
    }
    if (count.is_known) {
        *out = count;
    }
    return count.is_known;
}

static bool
is_same(const struct sq_frame_count *a, const struct sq_frame_count *b) {
    return a->is_known && b->is_known && a->since == b->since
        && a->frames == b->frames;
}

/*
 * Compares two captures with the counts before the earlier and after the later
 * one: between those, a different screen must have been counted.
 */
static void
check(struct sq_frame_counter *counter, const struct sq_frame_count *now) {
    if (counter->captured.is_known && counter->captured.since != now->since) {
        /* Another program has cleared it: nothing can be compared. */
        counter->is_confirmed = false;
        counter->checked = (struct sq_frame_count){ 0 };
        return;
    }
    if (counter->latest == 0) {
        return;
    }
    if (counter->checked.is_known && counter->checked_hash != counter->latest) {
        if (is_same(&counter->checked, now)) {
            counter->failed = "the screen changed and no frame was counted";
        }
        counter->is_confirmed = true;
    }
    if (counter->captured.is_known) {
        counter->checked = counter->captured;
        counter->checked_hash = counter->latest;
    }
}

enum sq_drawn
sq_frame_counter_read(struct sq_frame_counter *counter,
                      const struct sq_frame_count *count) {
    check(counter, count);
    counter->next = *count;
    if (!counter->is_confirmed || counter->failed
        || !counter->captured.is_known) {
        return SQ_DRAWN_UNKNOWN;
    }
    return is_same(count, &counter->captured) ? SQ_DRAWN_PROBABLY_NOTHING
                                              : SQ_DRAWN_SOMETHING;
}

void
sq_frame_counter_begin(struct sq_frame_counter *counter) {
    counter->captured = counter->next;
    counter->next = (struct sq_frame_count){ 0 };
}

void
sq_frame_counter_saw(struct sq_frame_counter *counter, uint64_t hash) {
    counter->latest = hash ? hash : counter->latest;
}

static bool
query(struct sq_android *android, struct sq_frame_count *out,
      const struct sq_deadline *deadline) {
    struct sq_frame_counter *counter = &android->frame_counter;
    const struct sq_deadline limit = sq_deadline_within(deadline, READ_MS);
    struct sq_adb_output output;
    bool ok = sq_android_run(android,
                             counter->is_enabled ? SQ_FRAME_COUNT_COMMAND
                                                 : ENABLE_COMMAND
                                 ";" SQ_FRAME_COUNT_COMMAND,
                             &output, &limit, NULL)
           && sq_frame_count_parse(sq_buf_span(&output.out), out);
    sq_adb_output_finish(&output);
    counter->is_enabled = true;
    return ok;
}

/* Returns what the frame counter tells. */
static enum sq_drawn
ask_counter(struct sq_android *android, const struct sq_deadline *deadline) {
    struct sq_frame_counter *counter = &android->frame_counter;
    struct sq_frame_count count;
    if (android->ops.capture_ms < SLOW_CAPTURE_MS
        || sq_android_keeps_frames(android)
        || !sq_adb_keeps_connections(android->link.adb)) {
        return SQ_DRAWN_UNKNOWN;
    }
    sq_frame_counter_saw(counter, android->base.seen);
    if (counter->failed) {
        return SQ_DRAWN_UNKNOWN;
    }
    if (!query(android, &count, deadline)) {
        counter->failed = "SurfaceFlinger does not report it";
        return SQ_DRAWN_UNKNOWN;
    }
    return sq_frame_counter_read(counter, &count);
}

enum sq_drawn
sq_android_drawn(struct sq_device *device, const struct sq_deadline *deadline) {
    struct sq_android *android = sq_android_of(device);
    enum sq_drawn drawn = sq_emulator_drawn(&android->emulator);
    return drawn ? drawn : ask_counter(android, deadline);
}
