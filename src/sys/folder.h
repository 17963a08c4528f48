/*
 * Creates, reads and removes files strictly inside one folder. Names are
 * resolved one component at a time from an open folder, so that no "..",
 * symbolic link or race can lead out of it.
 */
#ifndef SQ_SYS_FOLDER_H
#define SQ_SYS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/path.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_FOLDER_NAME_SIZE 256 /* of a name inside it, with its NUL */

/*
 * Opens a folder and creates it and its parents if needed; on failure none of
 * them is left. The caller closes *out with sq_folder_close.
 */
bool sq_folder_open(const char *path, int *out, struct sq_err *err);

/* The folders at the end of a path that were created. */
struct sq_made_folders {
    char path[SQ_PATH_SIZE];
    size_t outermost; /* length of the path of the outermost one; 0: none */
};

/* Like sq_folder_open, and returns in *made what was created. */
bool sq_folder_open_new(const char *path, int *out,
                        struct sq_made_folders *made, struct sq_err *err);

/* Removes the created folders that are empty. Ignores errors. */
void sq_folder_remove_made(const struct sq_made_folders *made);

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
 * when it is complete; on failure neither the file nor a new folder is left.
 * Fails with SQ_ERR_EXISTS if the name is taken.
 */
bool sq_folder_write(int folder, struct sq_span name, const void *bytes,
                     size_t len, struct sq_err *err);

/*
 * Like sq_folder_write. *outermost: the length of the name of the outermost
 * folder that was created, or 0.
 */
bool sq_folder_write_new(int folder, struct sq_span name, const void *bytes,
                         size_t len, size_t *outermost, struct sq_err *err);

/*
 * Like sq_folder_write for a file directly in the folder whose name the user
 * chose: it may begin with a dot. It must have no slash.
 */
bool sq_folder_write_file(int folder, const char *base, const void *bytes,
                          size_t len, struct sq_err *err);

/* Removes a file that sq_folder_write_file created. Ignores errors. */
void sq_folder_remove_file(int folder, const char *base);

/*
 * Reads a regular file of at most max_bytes. *out must hold no memory before;
 * the caller finishes it. On failure it is unchanged.
 */
bool sq_folder_read(int folder, struct sq_span name, size_t max_bytes,
                    struct sq_buf *out, struct sq_err *err);

/* Removes a file that sq_folder_write created. Ignores errors. */
void sq_folder_remove(int folder, struct sq_span name);

/*
 * The same for sq_folder_write_new: also removes the folders that it created,
 * if they are empty.
 */
void sq_folder_remove_new(int folder, struct sq_span name, size_t outermost);

/* Removes a folder if it is empty. Ignores errors. */
void sq_folder_remove_empty(const char *path);

#define SQ_RANDOM_NAME_SIZE 33

/* Writes 128 random bits as 32 hexadecimal digits. */
bool sq_random_name(char out[SQ_RANDOM_NAME_SIZE], struct sq_err *err);

#endif
