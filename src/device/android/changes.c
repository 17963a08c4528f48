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

static enum sq_drawn
ask_counter(struct sq_android *android, const struct sq_deadline *deadline) {
    struct sq_frame_counter *counter = &android->frame_counter;
    struct sq_frame_count count;
    if (android->ops.capture_ms < SLOW_CAPTURE_MS
        || sq_android_keeps_frames(android)
        || !android->link.adb->keeps_connections) {
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

#define REMEMBER_NS ((int64_t)20000 * 1000000)
#define MAX_CHANGED (SQ_IDLE_CELLS / 8)

void
sq_idle_forget(struct sq_idle *idle) {
    idle->until_ns = 0;
}

void
sq_idle_remember(struct sq_idle *idle, const struct sq_err *err,
                 const struct sq_app *app) {
    *idle = (struct sq_idle){
        .until_ns = sq_clock_monotonic_ns() + REMEMBER_NS,
        .dump_err = *err,
    };
    if (app) {
        idle->app = *app;
    }
}

bool
sq_idle_is_set(const struct sq_idle *idle) {
    return idle->until_ns != 0 && sq_clock_monotonic_ns() < idle->until_ns;
}

void
sq_idle_check_app(struct sq_idle *idle, const struct sq_app *app) {
    if (idle->app.package[0]
        && (strcmp(idle->app.package, app->package) != 0
            || strcmp(idle->app.activity, app->activity) != 0)) {
        sq_idle_forget(idle);
    }
}

static uint64_t
mix(uint64_t hash, const uint8_t *pixel) {
    uint64_t colour =
        (uint64_t)pixel[0] << 16 | (uint64_t)pixel[1] << 8 | pixel[2];
    hash = (hash ^ colour) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

static void
hash_row(const uint8_t *pixels, int width, uint64_t *cells) {
    int x = 0;
    for (int column = 0; column < SQ_IDLE_COLUMNS; column++) {
        int end = (int)((int64_t)width * (column + 1) / SQ_IDLE_COLUMNS);
        uint64_t hash = cells[column];
        for (; x < end; x++) {
            hash = mix(hash, pixels + (size_t)x * SQ_PIXEL_BYTES);
        }
        cells[column] = hash;
    }
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
        int across = (int)((int64_t)y * SQ_IDLE_ROWS / rows->height);
        ok = sq_rows_next(rows, &row, NULL);
        if (ok) {
            hash_row(row.pixels, rows->width, cells + across * SQ_IDLE_COLUMNS);
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
    if (!hash_cells(picture, cells)) {
        sq_idle_forget(idle);
        return;
    }
    if (!idle->has_picture) {
        memcpy(idle->cells, cells, sizeof(cells));
        idle->has_picture = true;
        return;
    }
    for (int i = 0; i < SQ_IDLE_CELLS; i++) {
        changed += cells[i] != idle->cells[i];
    }
    if (changed > MAX_CHANGED) {
        sq_idle_forget(idle);
    }
}

bool
sq_idle_fail(const struct sq_idle *idle, struct sq_err *err) {
    if (err) {
        *err = idle->dump_err;
    }
    return sq_fail_hint(
        err, "Take a screenshot, or stop the animation or video first. "
             "Elements are read again after any action, in another app, when "
             "the picture has changed, or after 20 seconds.");
}
