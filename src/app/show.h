/* An answer as people read it: lines of names and values, and tables. */
#ifndef SQ_APP_SHOW_H
#define SQ_APP_SHOW_H

#include "json/value.h"
#include "util/buf.h"
#include "util/err.h"

/*
 * Append a JSON object as text. Lists of objects become tables. Nothing in a
 * value can change the terminal: what is invisible there is spelt out.
 */
bool sq_show(const struct sq_json *object, struct sq_buf *out,
             struct sq_err *err);

#endif
