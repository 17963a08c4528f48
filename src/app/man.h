/* The man page, written from the tables. */
#ifndef SQ_APP_MAN_H
#define SQ_APP_MAN_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"

/* Append squint.1, in roff. */
bool sq_man_page(struct sq_buf *out, struct sq_err *err);

#endif
