/* Files that are nothing but files. */
#ifndef SQ_ARCHIVE_PLAIN_FILE_H
#define SQ_ARCHIVE_PLAIN_FILE_H

#include <stdbool.h>

#include "util/err.h"

/*
 * Whether a path leads to a regular file: a pipe would keep us waiting, "-" is
 * our own standard input. SQ_ERR_NOT_FOUND or SQ_ERR_FORMAT says what it is.
 */
bool sq_plain_file_check(const char *path, struct sq_err *err);

#endif
