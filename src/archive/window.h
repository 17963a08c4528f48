/* Which stretch of time somebody asks for, and how their words were read. */
#ifndef SQ_ARCHIVE_WINDOW_H
#define SQ_ARCHIVE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/zone.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_WINDOW_MAX_YEARS 10

struct sq_window {
    int64_t from_utc;
    int64_t to_utc; /* exclusive; after from */
};

#define SQ_WINDOW_NOTE_SIZE 320

/*
 * Read two texts as sq_time_parse does. Without an offset they are times of
 * the zone. A date alone is the start of that day; as the end it includes the
 * day. A time that came twice counts from the first and up to the last. note
 * says in a sentence what the window is and why. SQ_ERR_ARGUMENT for what is
 * no time, ends before it starts, is empty, longer than SQ_WINDOW_MAX_YEARS or
 * outside 1970 to 2100.
 */
bool sq_window_read(struct sq_span start, struct sq_span end,
                    const struct sq_zone *zone, struct sq_window *out,
                    char note[SQ_WINDOW_NOTE_SIZE], struct sq_err *err);

/* One moment, read the same way; date-only is the start of that day. */
bool sq_moment_read(struct sq_span text, const struct sq_zone *zone,
                    int64_t *utc, struct sq_err *err);

#endif
