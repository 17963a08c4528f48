/* Parses periods of days: last month, this week, 2026-01. */
#ifndef SQ_ARCHIVE_NAMES_TIME_PERIOD_H
#define SQ_ARCHIVE_NAMES_TIME_PERIOD_H

#include "archive/names/time_word.h"

/* The first and the last day, as dates. */
struct sq_time_period {
    char first[SQ_TIME_TEXT_SIZE];
    char last[SQ_TIME_TEXT_SIZE];
};

/*
 * Parses "last" or "this" and week, month or year, a month such as 2026-01, or
 * a year; case is ignored. A week begins on Monday. Returns false for anything
 * else.
 */
bool sq_time_period_read(struct sq_span text, const struct sq_time_base *base,
                         struct sq_time_period *out);

#endif
