#include "support/segments_text.h"

#include <stdlib.h>

#include "support/test.h"
#include "sys/foreign.h"

#define LONG_MS T_PATIENCE_MS

static int
second_of_day(int64_t utc) {
    return (int)(utc % 86400);
}

static char text[4096];

const char *
t_segments_text(const struct sq_segments *segments) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < segments->count && used < sizeof(text) - 300; i++) {
        const struct sq_segment *one = &segments->items[i];
        struct sq_span label = sq_segments_label(segments, one->label);
        int start = second_of_day(one->start_utc);
        int end = second_of_day(one->end_utc);
        used += (size_t)snprintf(text + used, sizeof(text) - used,
                                 "%s%02d:%02d:%02d-%02d:%02d:%02d %.*s",
                                 i ? "; " : "", start / 3600, start / 60 % 60,
                                 start % 60, end / 3600, end / 60 % 60,
                                 end % 60, SQ_SPAN_ARGS(label));
    }
    return text;
}

const char *
t_gather(const struct sq_activity_ops *ops,
         const struct sq_activity_source *source,
         const struct sq_window *window) {
    struct sq_err err = { 0 };
    T_FREED(sq_segments_finish) struct sq_segments segments = { 0 };
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    sq_segments_init(&segments);
    if (sq_activity_gather(ops, source, window, &deadline, &segments, &err)) {
        t_segments_text(&segments);
    } else {
        snprintf(text, sizeof(text), "%s: %s", sq_err_name(err.code),
                 err.message);
    }
    return text;
}

void
t_use_workers_if_asked(void) {
    if (getenv("SQUINT_TEST_WORKERS")) {
        T_OK(sq_foreign_start(t_made_path("../squint"), T_PATIENCE_MS, &t_err));
    }
}
