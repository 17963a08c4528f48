/* What the parsers of Android's texts share: looking inside a line. */
#ifndef SQ_DEVICE_ANDROID_PARSE_LINE_H
#define SQ_DEVICE_ANDROID_PARSE_LINE_H

#include <stdbool.h>

#include "util/span.h"

/*
 * Look for a word, not empty, that does not continue one to its left; *behind
 * is what follows it. False, and *behind untouched, if it is not there.
 */
bool sq_line_find(struct sq_span line, const char *word,
                  struct sq_span *behind);

bool sq_line_has(struct sq_span line, const char *word);

/* Take the next word between blanks; false when none is left. */
bool sq_line_take_word(struct sq_span *rest, struct sq_span *word);

/* Take the next line of a text that is not blank, without blanks around it. */
bool sq_line_take(struct sq_span *rest, struct sq_span *line);

/*
 * The same, but only lines about the default display: dumpsys puts each
 * display's under a line of its own. Begin with *elsewhere false.
 */
bool sq_line_take_default(struct sq_span *rest, bool *elsewhere,
                          struct sq_span *line);

#endif
