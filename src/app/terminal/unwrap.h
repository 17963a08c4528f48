/* Joins the lines of a help text, so that a narrow terminal breaks it once. */
#ifndef SQ_APP_TERMINAL_UNWRAP_H
#define SQ_APP_TERMINAL_UNWRAP_H

#include <stdbool.h>

#include "util/buf.h"

/*
 * Appends the text with each line joined to the one before it that was broken
 * because its first word did not fit into 80 columns: lines of a paragraph, and
 * descriptions beside an option.
 */
bool sq_text_unwrap(struct sq_span text, struct sq_buf *out,
                    struct sq_err *err);

#endif
