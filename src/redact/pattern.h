/*
 * Extended regular expressions of POSIX on bytes, with \w \W \s \S \b \B \< \>
 * of GNU and without references to groups. Finds the leftmost match, of those
 * the longest, in time proportional to the text. Thread-safe.
 */
#ifndef SQ_REDACT_PATTERN_H
#define SQ_REDACT_PATTERN_H

#include "util/err.h"
#include "util/span.h"

struct sq_pattern;

/*
 * Compiles an expression. On failure *problem says what is wrong with it; NULL:
 * there is no memory. ignores_case: of the letters of ASCII.
 */
bool sq_pattern_create(const char *text, bool ignores_case,
                       struct sq_pattern **out, const char **problem);

/* Accepts NULL. */
void sq_pattern_destroy(struct sq_pattern *pattern);

/* Finds the first match from `from` on; *start and *end change in any case. */
bool sq_pattern_find(const struct sq_pattern *pattern, struct sq_span text,
                     size_t from, size_t *start, size_t *end);

#endif
