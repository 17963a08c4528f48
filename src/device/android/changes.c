/* Signals that tell whether the screen has changed. */
#include <string.h>

#include "device/android/state.h"
#include "image/pipeline/picture.h"
#include "sys/clock.h"
#include "sys/sockets.h"

#define NS_PER_MS 1000000
/* Logged when a window gets the focus, since Android 11. */
#define FOCUS_TAG "input_focus"
/*
 * The phone ends the stream after ten minutes, so that none stays there if
 * squint is killed, or does not use the phone for long. -T prints the latest
 * events first: those that happened before the stream was open.
 */
#define COMMAND                                                                \
    "timeout 600 logcat -b events -T 500 -s " FOCUS_TAG                        \
    " wm_set_resumed_activity wm_resume_activity configuration_changed"        \
    " screen_toggled wm_set_keyguard_shown notification_panel_revealed"        \
    " am_crash am_anr"
/* A stream that ends is not opened again before. */
#define REOPEN_NS ((int64_t)5000 * NS_PER_MS)
#define CHUNK_BYTES 4096
/* More between two questions: the phone logs without end. */
#define MAX_CHUNKS 64
/* An event may be this much later than the display state that it is about. */
#define LATE_MS 300
#define LATE_STEP_MS 5
#define READ_MS 1000

void
sq_event_feed_finish(struct sq_event_feed *feed) {
    sq_adb_abandon(&feed->stream);
    feed->tells_focus = false;
    feed->events++;
}

static void
give_up(struct sq_event_feed *feed, const char *why) {
    sq_event_feed_finish(feed);
    feed->failed = why;
}

void
sq_event_feed_open(struct sq_event_feed *feed, struct sq_adb_link *link,
                   const struct sq_deadline *deadline) {
    int64_t now = sq_clock_monotonic_ns();
    bool is_due = feed->opened_ns == 0 || now - feed->opened_ns > REOPEN_NS;
    if (feed->failed || feed->stream.is_open || !is_due
        || link->shell != SQ_ADB_SHELL_V2 || !link->adb->keeps_connections) {
        return;
    }
    feed->opened_ns = now;
    feed->events++;
    sq_adb_start(link, SQ_SPAN(COMMAND), &feed->stream, deadline, NULL);
}

bool
sq_event_feed_has_focus(struct sq_span text) {
    while (text.len > 0 && !sq_span_starts_with(text, FOCUS_TAG)) {
        sq_span_skip(&text, 1);
    }
    return text.len > 0;
}

bool
sq_event_feed_count(struct sq_event_feed *feed, uint64_t *events) {
    /* Reads what has arrived; reads only what is there, so that it never waits.
     */
    const struct sq_deadline limit = sq_deadline_in(READ_MS, NULL);
    char bytes[CHUNK_BYTES];
    int chunks = 0;
    while (feed->stream.is_open && !sq_socket_is_quiet(feed->stream.fd)) {
        size_t got = 0;
        if (!sq_socket_read_some(feed->stream.fd, bytes, sizeof(bytes), &got,
                                 &limit, NULL)
            || got == 0) {
            sq_event_feed_finish(feed);
        } else if (++chunks > MAX_CHUNKS) {
            give_up(feed, "the phone logs events without end");
        } else {
            feed->events++;
            feed->tells_focus =
                feed->tells_focus
                || sq_event_feed_has_focus((struct sq_span){ bytes, got });
        }
    }
    *events = feed->events;
    return feed->stream.is_open && feed->tells_focus;
}

void
sq_event_feed_check(struct sq_event_feed *feed, uint64_t events,
                    const struct sq_deadline *deadline) {
    const struct sq_deadline limit = sq_deadline_within(deadline, LATE_MS);
    uint64_t now;
    bool is_open = sq_event_feed_count(feed, &now);
    while (is_open && now == events && sq_wait_ms(LATE_STEP_MS, &limit, NULL)) {
        is_open = sq_event_feed_count(feed, &now);
    }
    if (!is_open) {
        return;
    }
    if (now == events) {
        give_up(feed, "the screen changed and the phone logged no event");
    } else {
        feed->is_confirmed = true;
    }
}

#define ENABLE_COMMAND "dumpsys SurfaceFlinger --timestats -enable"
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
enum sq_drawn
sq_frame_counter_read(struct sq_frame_counter *counter,
                      const struct sq_frame_count *count) {
    const struct sq_frame_count *captured = &counter->captured;
    if (captured->is_known && captured->since != count->since) {
        /* Another program has cleared it: nothing can be compared. */
        counter->is_confirmed = false;
        counter->checked = (struct sq_frame_count){ 0 };
    } else if (counter->latest != 0) {
        if (counter->checked.is_known
            && counter->checked_hash != counter->latest) {
            if (is_same(&counter->checked, count)) {
                counter->failed = "the screen changed and no frame was counted";
            }
            counter->is_confirmed = true;
        }
        if (captured->is_known) {
            counter->checked = *captured;
            counter->checked_hash = counter->latest;
        }
    }
    counter->next = *count;
    if (!counter->is_confirmed || counter->failed || !captured->is_known) {
        return SQ_DRAWN_UNKNOWN;
    }
    return is_same(count, captured) ? SQ_DRAWN_PROBABLY_NOTHING
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
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    bool ok = sq_android_run(android,
                             counter->is_enabled ? SQ_FRAME_COUNT_COMMAND
                                                 : ENABLE_COMMAND
                                 ";" SQ_FRAME_COUNT_COMMAND,
                             &output, &limit, NULL)
           && sq_frame_count_parse(sq_buf_span(&output.out), out);
    counter->is_enabled = true;
    return ok;
}

/* Returns what is known since its last capture began. */
static enum sq_drawn
drawn_by_emulator(struct sq_emulator *emulator) {
    uint64_t drawn;
    if (!emulator->knows_capture || !sq_emulator_count_drawn(emulator, &drawn)
        || !emulator->knows_capture) {
        return SQ_DRAWN_UNKNOWN;
    }
    return drawn == emulator->drawn_at_capture ? SQ_DRAWN_NOTHING
                                               : SQ_DRAWN_SOMETHING;
}

enum sq_drawn
sq_android_drawn(struct sq_device *device, const struct sq_deadline *deadline) {
    struct sq_android *android = sq_android_of(device);
    struct sq_frame_counter *counter = &android->frame_counter;
    struct sq_frame_count count;
    enum sq_drawn drawn = drawn_by_emulator(&android->emulator);
    if (drawn || android->ops.capture_ms < SLOW_CAPTURE_MS
        || sq_android_keeps_frames(android)
        || !android->link.adb->keeps_connections) {
        return drawn;
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

#define MAX_CHANGED (SQ_IDLE_CELLS / 8)

void
sq_idle_forget(struct sq_idle *idle) {
    idle->until_ns = 0;
}

bool
sq_idle_is_set(const struct sq_idle *idle) {
    return idle->until_ns != 0 && sq_clock_monotonic_ns() < idle->until_ns;
}

static bool
hash_cells(const struct sq_buf *picture, uint64_t cells[SQ_IDLE_CELLS]) {
    struct sq_rows *rows;
    struct sq_row row;
    if (!sq_picture_open(picture->data, picture->len, &sq_limits_capture, &rows,
                         NULL)) {
        return false;
    }
    memset(cells, 0, SQ_IDLE_CELLS * sizeof(cells[0]));
    bool ok = true;
    for (int y = 0; ok && y < rows->height; y++) {
        int64_t across = (int64_t)y * SQ_IDLE_ROWS / rows->height;
        ok = sq_rows_next(rows, &row, NULL);
        for (int x = 0; ok && x < rows->width; x++) {
            const uint8_t *pixel = row.pixels + (size_t)x * SQ_PIXEL_BYTES;
            uint64_t *cell =
                &cells[across * SQ_IDLE_COLUMNS
                       + (int64_t)x * SQ_IDLE_COLUMNS / rows->width];
            uint64_t colour =
                (uint64_t)pixel[0] << 16 | (uint64_t)pixel[1] << 8 | pixel[2];
            *cell = (*cell ^ colour) * 0x9e3779b97f4a7c15u;
            *cell ^= *cell >> 32;
        }
    }
    sq_rows_destroy(rows);
    return ok;
}

void
sq_idle_check_picture(struct sq_idle *idle, const struct sq_buf *picture) {
    uint64_t cells[SQ_IDLE_CELLS];
    int changed = 0;
    if (!sq_idle_is_set(idle)) {
        return;
    }
    bool is_known = hash_cells(picture, cells);
    if (is_known && !idle->has_picture) {
        memcpy(idle->cells, cells, sizeof(cells));
        idle->has_picture = true;
    }
    for (int i = 0; is_known && i < SQ_IDLE_CELLS; i++) {
        changed += cells[i] != idle->cells[i];
    }
    if (!is_known || changed > MAX_CHANGED) {
        sq_idle_forget(idle);
    }
}
