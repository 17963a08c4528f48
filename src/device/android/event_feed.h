/*
 * Follows the phone's log of events, which tells that another app, window,
 * rotation or size is shown, so that the display state need not be queried
 * before every tap. One stream per device. It has no thread: what has arrived
 * is read when it is asked for. What it says is checked whenever the display
 * state is queried anyway; at the first contradiction it is not used any more.
 */
#ifndef SQ_DEVICE_ANDROID_EVENT_FEED_H
#define SQ_DEVICE_ANDROID_EVENT_FEED_H

#include <stdbool.h>
#include <stdint.h>

#include "device/android/link.h"

/* Prints events that have happened, and ends. */
#define SQ_EVENT_FEED_PROBE "logcat -b events -d -t 500 -s input_focus"

/* Returns whether the text has an event that only Android 11 and later log. */
bool sq_event_feed_has_focus(struct sq_span text);

/* All zero: not opened yet. */
struct sq_event_feed {
    struct sq_adb_connection stream;
    int64_t opened_ns;
    uint64_t events;    /* grows with what is received */
    bool tells_focus;   /* see sq_event_feed_has_focus */
    bool is_confirmed;  /* a change of the display state came with an event */
    const char *failed; /* why it is not used, constant; NULL: it may be */
};

/* Opens the stream unless it is open or has failed. Does not wait for it. */
void sq_event_feed_open(struct sq_event_feed *feed, struct sq_adb_link *link,
                        const struct sq_deadline *deadline);

/*
 * Sets *events to a number that changes with every event, also with those that
 * were lost. Returns false if there may be none to tell. Never waits.
 */
bool sq_event_feed_count(struct sq_event_feed *feed, uint64_t *events);

/*
 * The display state has changed since the feed had that count. There must have
 * been an event since; waits for it for a moment.
 */
void sq_event_feed_check(struct sq_event_feed *feed, uint64_t events,
                         const struct sq_deadline *deadline);

/* Safe on a zeroed value. */
void sq_event_feed_finish(struct sq_event_feed *feed);

#endif
