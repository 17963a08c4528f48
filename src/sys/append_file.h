/* A new file that only grows, such as a journal. */
#ifndef SQ_SYS_APPEND_FILE_H
#define SQ_SYS_APPEND_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"

/*
 * Creates a file that only its owner may read. Fails with SQ_ERR_EXISTS if
 * the name is taken. Close *out with sq_append_file_close.
 */
bool sq_append_file_create(const char *path, int *out, struct sq_err *err);

/*
 * Appends all bytes. After a failure a part of them may be in the file. If the
 * process is killed, what was appended before stays.
 */
bool sq_append_file_write(int file, const char *path, const void *bytes,
                          size_t len, struct sq_err *err);

void sq_append_file_close(int file);

/* Closes and removes a file that could not be written. */
void sq_append_file_discard(int file, const char *path);

/* Returns whether the path is a folder. */
bool sq_path_is_folder(const char *path);

#endif
