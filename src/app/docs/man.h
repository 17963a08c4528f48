/* Writes the man page from the tables. */
#ifndef SQ_APP_DOCS_MAN_H
#define SQ_APP_DOCS_MAN_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"

/* Appends squint.1 in roff format. */
bool sq_man_page(struct sq_buf *out, struct sq_err *err);

#endif
