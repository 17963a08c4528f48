/* Reads and writes whole files. */
#ifndef SQ_SYS_FILE_H
#define SQ_SYS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"

#define SQ_FILE_NAME_SIZE 160

/*
 * Writes a path for display: control characters are escaped, a very long path
 * is reduced to its end, and "-" becomes the name of the stream.
 */
void sq_file_name(const char *path, bool for_writing,
                  char name[SQ_FILE_NAME_SIZE]);

/*
 * Sets the error for a failed read or write of a path; number is the errno
 * value. Returns false.
 */
bool sq_file_fail(const char *path, bool writing, int number,
                  struct sq_err *err);

/*
 * Reads a file, pipe or socket to its end; "-" is standard input. Fails with
 * SQ_ERR_LIMIT if there are more than max_bytes. *out must hold no memory
 * before; the caller finishes it. On failure it is unchanged.
 */
bool sq_file_read(const char *path, size_t max_bytes, struct sq_buf *out,
                  struct sq_err *err);

/*
 * Replaces the content of a file atomically: other processes see the old file
 * or the complete new one, and a failure leaves the old one. The temporary file
 * beside it is private; those left by killed processes are removed. A symbolic
 * link to a file is replaced, not followed. "-" is standard output. Standard
 * output, devices and pipes are written to directly.
 */
bool sq_file_write(const char *path, const void *bytes, size_t len,
                   struct sq_err *err);

/*
 * Like sq_file_write, but the new file is readable by its owner only, whatever
 * the mode of the old one.
 */
bool sq_file_write_private(const char *path, const void *bytes, size_t len,
                           struct sq_err *err);

#endif
