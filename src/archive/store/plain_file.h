/* Checks that a path is a regular file. */
#ifndef SQ_ARCHIVE_STORE_PLAIN_FILE_H
#define SQ_ARCHIVE_STORE_PLAIN_FILE_H

#include <stdbool.h>

#include "util/err.h"

/*
 * Returns true if the path is a regular file. A pipe could block us, and "-" is
 * our standard input. Fails with SQ_ERR_NOT_FOUND or SQ_ERR_FORMAT.
 */
bool sq_plain_file_check(const char *path, struct sq_err *err);

#endif
