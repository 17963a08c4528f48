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

/* What was asked for; one of the texts may be empty. */
struct sq_window_ask {
    struct sq_span start;
    struct sq_span end;
    const struct sq_zone *zone;
    int64_t now_utc;
};

/*
 * Read the texts as sq_time_parse or sq_time_word_read do. Without an offset
 * they are times of the zone. A date alone is the start of that day; as the end
 * it includes the day. A time of day alone is one of today; as the end, of the
 * day of the start. A time that came twice counts from the first and up to the
 * last. Without an end it is the rest of the day, or up to now where the start
 * is a distance (-7d); without a start, the day up to the end. note says what
 * is not in the texts, nor in the window; "" if that is nothing.
 * SQ_ERR_ARGUMENT for what is no time, ends before it starts, is empty, longer
 * than SQ_WINDOW_MAX_YEARS or outside 1970 to 2100.
 */
bool sq_window_read(const struct sq_window_ask *ask, struct sq_window *out,
                    char note[SQ_WINDOW_NOTE_SIZE], struct sq_err *err);

#endif
