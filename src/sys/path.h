/* Finds the running program, resolves paths and writes backups. */
#ifndef SQ_SYS_PATH_H
#define SQ_SYS_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"

#define SQ_PATH_SIZE 4096

/* Writes the absolute path of the running program. */
bool sq_path_program(char out[SQ_PATH_SIZE], struct sq_err *err);

/*
 * Resolves all symbolic links of a path and reports whether the file exists. A
 * path that does not exist is copied unchanged; a dangling link is an error.
 */
bool sq_path_resolve(const char *path, char out[SQ_PATH_SIZE], bool *exists,
                     struct sq_err *err);

/* Returns whether this is macOS, with its own places for files of programs. */
bool sq_path_is_macos(void);

#define SQ_PATH_BACKUP ".squint-backup-"

/*
 * Writes bytes to a new file beside path that only its owner may read. It is
 * named path.squint-backup-N with the first free N; *name receives the name.
 * The name appears only when the file is complete and on disk.
 */
bool sq_path_backup(const char *path, const void *bytes, size_t len,
                    char name[SQ_PATH_SIZE], struct sq_err *err);

/* Removes a backup that is not needed after all. Ignores errors. */
void sq_path_remove_backup(const char *name);

#endif
