/* Helpers to split the output of Android's programs into lines and words. */
#ifndef SQ_DEVICE_ANDROID_PARSE_LINE_H
#define SQ_DEVICE_ANDROID_PARSE_LINE_H

#include <stdbool.h>

#include "util/span.h"

/*
 * Finds a non-empty word that does not continue a word to its left. *after is
 * the text after it. Returns false and leaves *after unchanged if the word
 * does not occur.
 */
bool sq_line_find(struct sq_span line, const char *word, struct sq_span *after);

bool sq_line_has(struct sq_span line, const char *word);

/* Takes the next word separated by blanks. Returns false if none is left. */
bool sq_line_take_word(struct sq_span *rest, struct sq_span *word);

/* Takes the next non-blank line, trimmed. Returns false if none is left. */
bool sq_line_take(struct sq_span *rest, struct sq_span *line);

/*
 * Like sq_line_take, but only for lines of the default display. dumpsys puts a
 * heading before the lines of each display. *in_other_display must be false at
 * the start.
 */
bool sq_line_take_default(struct sq_span *rest, bool *in_other_display,
                          struct sq_span *line);

#endif
