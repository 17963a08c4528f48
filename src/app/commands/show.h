/* Prints a JSON answer for people, as lines of names and values, and tables. */
#ifndef SQ_APP_COMMANDS_SHOW_H
#define SQ_APP_COMMANDS_SHOW_H

#include "json/value.h"
#include "util/buf.h"
#include "util/err.h"

/*
 * Appends a JSON object as text. Lists of objects become tables. Control
 * characters are escaped, so that no value can affect the terminal.
 */
bool sq_show(const struct sq_json *object, struct sq_buf *out,
             struct sq_err *err);

#endif
