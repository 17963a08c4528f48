/* Reports which archived screenshots exist. */
#include "tools/archive/available.h"

#include <stdio.h>
#include <string.h>

#include "archive/names/time_word.h"
#include "sys/clock.h"
#include "tools/reply.h"
#include "util/time_text.h"

#define NS_PER_S 1000000000
#define MAX_MONTHS 24  /* listed singly; earlier ones are summed up */
#define MAX_MONITORS 8 /* named in a sentence */

static void
start(const struct sq_call *call, struct sq_available *out) {
    *out = (struct sq_available){ .is_known = true };
    out->today =
        sq_time_local_day(call->past->zone, sq_clock_wall_ns() / NS_PER_S);
}

/* Finds the monitors with shots in the window. */
static bool
find_monitors(struct sq_call *call, struct sq_archive_window window,
              struct sq_available *out, struct sq_err *err) {
    struct sq_archive_listing listing = { 0 };
    window.monitor = SQ_ARCHIVE_ANY;
    bool ok = sq_archive_list(call->past->archive, &window, &call->deadline,
                              &listing, err);
    for (size_t i = 0; ok && i < listing.shots.count; i++) {
        uint8_t monitor = listing.shots.items[i].monitor;
        out->monitors[monitor / 32] |= 1U << monitor % 32;
    }
    sq_archive_listing_finish(&listing);
    return ok;
}

bool
sq_available_find(struct sq_call *call, const struct sq_archive_window *window,
                  struct sq_available *out, struct sq_err *err) {
    start(call, out);
    return sq_archive_range(call->past->archive, window->root, &call->deadline,
                            &out->range, err)
        && (window->monitor == SQ_ARCHIVE_ANY
            || find_monitors(call, *window, out, err));
}

bool
sq_available_count(struct sq_call *call, int root, int monitor,
                   struct sq_available *out, struct sq_err *err) {
    struct sq_archive_months *months =
        sq_arena_alloc(call->arena, 1, sizeof(*months), err);
    start(call, out);
    out->months = months;
    if (!months
        || !sq_archive_range(call->past->archive, root, &call->deadline,
                             &out->range, err)
        || !sq_archive_count_months(call->past->archive, root, monitor,
                                    &call->deadline, months, err)) {
        return false;
    }
    if (months->shots == 0) {
        memcpy(out->monitors, months->monitors, sizeof(out->monitors));
    }
    return true;
}

bool
sq_available_elsewhere(const struct sq_available *available) {
    uint32_t any = 0;
    for (size_t i = 0; i < 8; i++) {
        any |= available->monitors[i];
    }
    return any != 0;
}

static bool
has_monitor(const struct sq_available *available, int monitor) {
    return available->monitors[monitor / 32] & 1U << monitor % 32;
}

void
sq_available_name_monitors(const struct sq_available *available,
                           char out[SQ_AVAILABLE_TEXT_SIZE]) {
    int left = 0;
    size_t used = (size_t)snprintf(
        out, SQ_AVAILABLE_TEXT_SIZE,
        "There are no screenshots of this monitor, but of monitor");
    for (int i = 0; i <= UINT8_MAX; i++) {
        left += has_monitor(available, i);
    }
    const int all = left;
    for (int i = 0; i <= UINT8_MAX && all - left < MAX_MONITORS; i++) {
        if (has_monitor(available, i)) {
            const char *before = left == all ? " " : left > 1 ? ", " : " and ";
            used += (size_t)snprintf(out + used, SQ_AVAILABLE_TEXT_SIZE - used,
                                     "%s%d", before, i);
            left--;
        }
    }
    snprintf(out + used, SQ_AVAILABLE_TEXT_SIZE - used,
             left > 0 ? " and others." : ".");
}

static void
put_day(const char *key, int64_t day, struct sq_json_writer *w) {
    char text[SQ_TIME_TEXT_SIZE];
    sq_date_format(sq_date_from_days(day), text);
    sq_put_text(w, key, text);
}

static void
put_monitors(const struct sq_available *available, struct sq_json_writer *w) {
    sq_json_put_key(w, "monitors");
    sq_json_begin_array(w);
    for (int i = 0; i <= UINT8_MAX; i++) {
        if (has_monitor(available, i)) {
            sq_json_put_int(w, i);
        }
    }
    sq_json_end_array(w);
}

/* Writes the latest months with shots, and the sum of those before. */
static void
put_months(const struct sq_archive_months *months, struct sq_json_writer *w) {
    size_t first = SQ_ARCHIVE_MONTHS;
    uint64_t listed = 0;
    for (int left = MAX_MONTHS; first > 0 && left > 0;) {
        first--;
        left -= months->counts[first] > 0;
        listed += months->counts[first];
    }
    sq_json_put_key(w, "months");
    sq_json_begin_object(w);
    for (size_t i = first; i < SQ_ARCHIVE_MONTHS; i++) {
        char key[16];
        if (months->counts[i] > 0) {
            snprintf(key, sizeof(key), "%04d-%02d",
                     SQ_ARCHIVE_FIRST_YEAR + (int)i / 12, (int)i % 12 + 1);
            sq_put_int(w, key, months->counts[i]);
        }
    }
    sq_json_end_object(w);
    if (months->shots > listed) {
        sq_put_int(w, "before", (int64_t)(months->shots - listed));
    }
}

void
sq_available_put(const struct sq_available *available,
                 struct sq_json_writer *w) {
    if (!available->is_known) {
        return;
    }
    sq_json_put_key(w, "available");
    sq_json_begin_object(w);
    put_day("today", available->today, w);
    if (available->range.oldest_day != SQ_ARCHIVE_NO_DAY) {
        put_day("oldest", available->range.oldest_day, w);
        put_day("newest", available->range.newest_day, w);
    }
    if (sq_available_elsewhere(available)) {
        put_monitors(available, w);
    }
    if (available->months) {
        put_months(available->months, w);
    }
    sq_json_end_object(w);
}
