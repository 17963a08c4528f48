/*
 * Creates, reads and removes files strictly inside one folder. Names are
 * resolved one component at a time from an open folder, so that no "..",
 * symbolic link or race can lead out of it.
 */
#ifndef SQ_SYS_FOLDER_H
#define SQ_SYS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_FOLDER_NAME_SIZE 256 /* of a name inside it, with its NUL */

/*
 * Opens a folder and creates it and its parents if needed. The caller closes
 * *out with sq_folder_close.
 */
bool sq_folder_open(const char *path, int *out, struct sq_err *err);

/*
 * Like sq_folder_open, but creates folders only if `make` is set, and fails
 * with SQ_ERR_IO if any component is a symbolic link. Links directly in "/" are
 * allowed, since only root can create them (on macOS /tmp and /var are such
 * links).
 */
bool sq_folder_open_real(const char *path, bool make, int *out,
                         struct sq_err *err);

void sq_folder_close(int folder);

/*
 * Makes git ignore the folder: writes a ".gitignore" into it unless it has one.
 * Ignores every error.
 */
void sq_folder_hide_from_git(int folder);

/*
 * Returns whether a name may be used inside a folder: it must be relative,
 * without ".", "..", empty components or control characters. Fails with
 * SQ_ERR_ARGUMENT and says what is wrong.
 */
bool sq_folder_check_name(struct sq_span name, struct sq_err *err);

/*
 * Creates a new file and the folders in its name. The file gets its name only
 * when it is complete; on failure no file is left. Fails with SQ_ERR_EXISTS if
 * the name is taken.
 */
bool sq_folder_write(int folder, struct sq_span name, const void *bytes,
                     size_t len, struct sq_err *err);

/*
 * Reads a regular file of at most max_bytes. *out must hold no memory before;
 * the caller finishes it. On failure it is unchanged.
 */
bool sq_folder_read(int folder, struct sq_span name, size_t max_bytes,
                    struct sq_buf *out, struct sq_err *err);

/* Removes a file that sq_folder_write created. Ignores errors. */
void sq_folder_remove(int folder, struct sq_span name);

/* Removes a folder if it is empty. Ignores errors. */
void sq_folder_remove_empty(const char *path);

#define SQ_RANDOM_NAME_SIZE 33

/* Writes 128 random bits as 32 hexadecimal digits. */
bool sq_random_name(char out[SQ_RANDOM_NAME_SIZE], struct sq_err *err);

#endif
