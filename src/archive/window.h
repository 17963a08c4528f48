/* Parses the time window of a request. */
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

/* The texts of the request; one of them may be empty. */
struct sq_window_request {
    struct sq_span start;
    struct sq_span end;
    const struct sq_zone *zone;
    int64_t now_utc;
};

/*
 * Parses the texts: those of sq_time_parse, relative times such as yesterday or
 * -7d, and a start without an end such as "last month". Times without an
 * offset are in the zone. A date alone is the start of that day; as the end it
 * includes the day. A time of day alone is today; as the end, it is on the day
 * of the start. A local time that occurs twice means the first one as the start
 * and the second one as the end. Without an end the window ends with the day,
 * or now if the start is relative (-7d). Without a start it begins with the day
 * of the end. note describes assumptions that are visible neither in the texts
 * nor in the window; "" if there are none. Fails with SQ_ERR_ARGUMENT for an
 * invalid time, or a window that is reversed, empty, longer than
 * SQ_WINDOW_MAX_YEARS or outside 1970 to 2100.
 */
bool sq_window_read(const struct sq_window_request *request,
                    struct sq_window *out, char note[SQ_WINDOW_NOTE_SIZE],
                    struct sq_err *err);

/*
 * Parses request->start as one moment, which needs a time of day. A local time
 * that occurs twice means the first one. Fails like sq_window_read.
 */
bool sq_window_read_moment(const struct sq_window_request *request,
                           int64_t *out_utc, char note[SQ_WINDOW_NOTE_SIZE],
                           struct sq_err *err);

/*
 * Takes a weekday by its name or its first three letters, in any case. *out is
 * 0 for Sunday.
 */
bool sq_weekday_take(struct sq_span *rest, int *out);

/* Returns the local day (since 1970) in the zone at that time. */
int64_t sq_time_local_day(const struct sq_zone *zone, int64_t utc);

#endif
