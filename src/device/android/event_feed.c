/* Follows the phone's log of events. */
#include "device/android/event_feed.h"

#include <string.h>

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

static void
close_stream(struct sq_event_feed *feed) {
    sq_adb_abandon(&feed->stream);
    feed->tells_focus = false;
    feed->events++;
}

static void
give_up(struct sq_event_feed *feed, const char *why) {
    close_stream(feed);
    feed->failed = why;
}

void
sq_event_feed_finish(struct sq_event_feed *feed) {
    close_stream(feed);
}

void
sq_event_feed_open(struct sq_event_feed *feed, struct sq_adb_link *link,
                   const struct sq_deadline *deadline) {
    int64_t now = sq_clock_monotonic_ns();
    bool is_due = feed->opened_ns == 0 || now - feed->opened_ns > REOPEN_NS;
    if (feed->failed || feed->stream.is_open || !is_due
        || link->shell != SQ_ADB_SHELL_V2
        || !sq_adb_keeps_connections(link->adb)) {
        return;
    }
    feed->opened_ns = now;
    feed->events++;
    sq_adb_start(link, SQ_SPAN(COMMAND), &feed->stream, deadline, NULL);
}

bool
sq_event_feed_has_focus(struct sq_span text) {
    while (text.len > 0 && !sq_span_starts_with(text, FOCUS_TAG)) {
        text.ptr++;
        text.len--;
    }
    return text.len > 0;
}

/* Reads what has arrived; reads only what is there, so that it never waits. */
static void
drain(struct sq_event_feed *feed) {
    const struct sq_deadline limit = sq_deadline_in(READ_MS, NULL);
    char bytes[CHUNK_BYTES];
    int chunks = 0;
    while (feed->stream.is_open && !sq_socket_is_quiet(feed->stream.fd)) {
        size_t got = 0;
        if (!sq_socket_read_some(feed->stream.fd, bytes, sizeof(bytes), &got,
                                 &limit, NULL)
            || got == 0) {
            close_stream(feed);
        } else if (++chunks > MAX_CHUNKS) {
            give_up(feed, "the phone logs events without end");
        } else {
            feed->events++;
            feed->tells_focus =
                feed->tells_focus
                || sq_event_feed_has_focus((struct sq_span){ bytes, got });
        }
    }
}

bool
sq_event_feed_count(struct sq_event_feed *feed, uint64_t *events) {
    drain(feed);
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
