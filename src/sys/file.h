/* Whole files, in and out. */
#ifndef SQ_SYS_FILE_H
#define SQ_SYS_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"

#define SQ_FILE_NAME_SIZE 160

/*
 * A path as it may be shown to a person: control characters escaped, only the
 * end of a very long one, "-" as the name of the stream it stands for.
 */
void sq_file_name(const char *path, bool for_writing,
                  char name[SQ_FILE_NAME_SIZE]);

/*
 * Say that the system refused to read or write a path: number is the errno.
 * Returns false.
 */
bool sq_file_fail(const char *path, bool writing, int number,
                  struct sq_err *err);

/*
 * Read a file, pipe or socket to its end; "-" is standard input. More than
 * max_bytes are SQ_ERR_LIMIT. *out must hold no memory before; afterwards it
 * is the caller's to finish. On failure it is untouched.
 */
bool sq_file_read(const char *path, size_t max_bytes, struct sq_buf *out,
                  struct sq_err *err);

/*
 * Make these bytes the content of a file, all of them or none: whoever looks
 * sees the old file or the whole new one, and a failure leaves the old one. The
 * temporary file beside it is private; one that a killed process left there is
 * removed. A symbolic link to a file is replaced, not followed. "-" is standard
 * output; it, a device or a pipe is written to directly.
 */
bool sq_file_write(const char *path, const void *bytes, size_t len,
                   struct sq_err *err);

/*
 * The same for a path in a folder of ours: only the owner may read and write
 * the file, whatever the old one allowed, and "-" is a name like any other.
 */
bool sq_file_write_private(const char *path, const void *bytes, size_t len,
                           struct sq_err *err);

#endif
