/*
 * New files inside one folder, and nowhere else: names are looked up piece by
 * piece from an open folder, so that no "..", no symbolic link and no race can
 * lead out of it.
 */
#ifndef SQ_SYS_FOLDER_H
#define SQ_SYS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_FOLDER_NAME_SIZE 256 /* of a name inside it, with its NUL */

/* Open a folder, made with those above it; *out is for sq_folder_close. */
bool sq_folder_open(const char *path, int *out, struct sq_err *err);

/*
 * The same, but never through a symbolic link, and made only if `make`: a link
 * anywhere in the path is SQ_ERR_IO. Except those in "/" itself, which only the
 * system's owner can make (on macOS /tmp and /var are such links).
 */
bool sq_folder_open_real(const char *path, bool make, int *out,
                         struct sq_err *err);

void sq_folder_close(int folder);

/*
 * Have git ignore all that is in a folder: write a ".gitignore" into it unless
 * there is one. Ignores every error.
 */
void sq_folder_hide_from_git(int folder);

/*
 * Whether a name is one inside a folder: relative, without "." and "..",
 * empty pieces, control characters. SQ_ERR_ARGUMENT says what is wrong.
 */
bool sq_folder_check_name(struct sq_span name, struct sq_err *err);

/*
 * Write a file that is not there yet; folders in its name are made. It has its
 * name only once it is whole; on failure no file is left.
 */
bool sq_folder_write(int folder, struct sq_span name, const void *bytes,
                     size_t len, struct sq_err *err);

/*
 * Read a regular file of at most max_bytes. *out must hold no memory before;
 * afterwards it is the caller's to finish. On failure it is untouched.
 */
bool sq_folder_read(int folder, struct sq_span name, size_t max_bytes,
                    struct sq_buf *out, struct sq_err *err);

/* Remove a file that sq_folder_write made, as well as can be. */
void sq_folder_remove(int folder, struct sq_span name);

#define SQ_RANDOM_NAME_SIZE 33

/* 128 random bits as 32 hexadecimal digits. */
bool sq_random_name(char out[SQ_RANDOM_NAME_SIZE], struct sq_err *err);

#endif
