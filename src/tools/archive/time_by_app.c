/* Sums up the recorded activities of a window: the time of each app. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/archive/shot_query.h"
#include "tools/reply.h"
#include "util/minmax.h"
#include "tool/people.h"

#define MAX_ROWS 6
#define NAME_BYTES 24
#define TIME_SIZE 32
#define MAX_STEP_S 600 /* between shots */

struct row {
    uint32_t label;
    int64_t seconds;
};

static int
compare_rows(const void *a, const void *b) {
    const struct row *x = a;
    const struct row *y = b;
    return x->seconds != y->seconds
             ? (x->seconds < y->seconds ? 1 : -1)
             : (x->label > y->label) - (x->label < y->label);
}

/* Writes "3h12m", "45m" or "20s". */
static void
write_time(int64_t seconds, char out[TIME_SIZE]) {
    int64_t minutes = (seconds + 30) / 60;
    if (seconds < 60) {
        snprintf(out, TIME_SIZE, "%" PRId64 "s", seconds);
    } else if (minutes < 60) {
        snprintf(out, TIME_SIZE, "%" PRId64 "m", minutes);
    } else {
        snprintf(out, TIME_SIZE, "%" PRId64 "h%" PRId64 "m", minutes / 60,
                 minutes % 60);
    }
}

static bool
may_show(const struct sq_shot_query *query, size_t shot) {
    return sq_permission_allows(
               sq_archive_listing_permission(&query->listing, shot))
        .labels;
}

/* Returns whether shots or activities of the window may be hidden. */
static bool
is_limited(const struct sq_call *call, const struct sq_shot_query *query) {
    bool is = call->past->excluder != NULL;
    for (size_t i = 0; !is && i < query->listing.shots.count; i++) {
        is = !may_show(query, i);
    }
    return is;
}

static void
add_up(const struct sq_shot_query *query, struct row *rows) {
    const struct sq_segments *segments = &query->segments;
    const struct sq_window *window = &query->window;
    for (size_t i = 0; i < segments->count; i++) {
        const struct sq_segment *segment = &segments->items[i];
        int64_t from = sq_max_int64(segment->start_utc, window->from_utc);
        int64_t to = sq_min_int64(segment->end_utc, window->to_utc);
        if (from < to && segment->label < segments->label_count) {
            rows[segment->label].seconds += to - from;
        }
    }
}

/*
 * Adds up only the time from one shot to the next, if a list shows both with
 * the same period of activity: nothing is revealed of what is hidden.
 */
static void
add_up_shown(const struct sq_shot_query *query, struct row *rows) {
    const struct sq_shots *shots = &query->listing.shots;
    const struct sq_segments *segments = &query->segments;
    for (size_t i = 1; i < shots->count; i++) {
        int64_t from = shots->items[i - 1].utc;
        int64_t to = shots->items[i].utc;
        const struct sq_segment *segment = sq_segments_find(segments, from);
        if (segment && segment == sq_segments_find(segments, to)
            && to - from <= MAX_STEP_S && may_show(query, i - 1)
            && may_show(query, i) && segment->label < segments->label_count) {
            rows[segment->label].seconds += to - from;
        }
    }
}

static void
put_rows(const struct sq_shot_query *query, struct row *rows, size_t count,
         struct sq_json_writer *w) {
    char time[TIME_SIZE];
    char text[TIME_SIZE + NAME_BYTES * 4];
    int64_t others = 0;
    size_t other_rows = 0;
    sq_json_begin_array_of(w, "time");
    for (size_t i = 0; i < count && rows[i].seconds > 0; i++) {
        if (i >= MAX_ROWS) {
            others += rows[i].seconds;
            other_rows++;
            continue;
        }
        struct sq_span name =
            sq_segments_label(&query->segments, rows[i].label);
        write_time(rows[i].seconds, time);
        int len =
            snprintf(text, sizeof(text), "%s %.*s", time,
                     (int)sq_min_size(name.len, NAME_BYTES * 3), name.ptr);
        sq_json_put_untrusted_start(w, (struct sq_span){ text, (size_t)len },
                                    strlen(time) + 1 + NAME_BYTES);
    }
    if (other_rows > 0) {
        write_time(others, time);
        snprintf(text, sizeof(text), "%s %zu other%s", time, other_rows,
                 sq_plural((int64_t)other_rows));
        sq_json_put_clean(w, sq_span_of(text));
    }
    sq_json_end_array(w);
}

bool
sq_time_by_app_put(struct sq_call *call, struct sq_shot_query *query,
                   struct sq_json_writer *w, struct sq_err *err) {
    struct sq_err problem = { 0 };
    if (query->listing.shots.count == 0) {
        return true; /* the diagnostics say why */
    }
    if (!sq_library_activity(call->past, &query->window, &call->deadline,
                             &query->segments, &problem, err)) {
        return false;
    }
    size_t count = query->segments.label_count;
    struct row *rows =
        sq_arena_alloc(call->arena, count + 1, sizeof(*rows), err);
    if (!rows) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct row){ .label = (uint32_t)i };
    }
    bool is_partial = is_limited(call, query);
    (is_partial ? add_up_shown : add_up)(query, rows);
    qsort(rows, count, sizeof(*rows), compare_rows);
    if (count > 0 && rows[0].seconds > 0) {
        put_rows(query, rows, count, w);
        if (is_partial) {
            sq_put_text(w, "timeNote",
                        "only the time between screenshots that may be shown");
        }
    } else {
        sq_put_text(w, "timeNote",
                    problem.message[0]
                        ? problem.message
                        : "no activity is recorded at that time, or it must "
                          "not be shown");
    }
    return true;
}
