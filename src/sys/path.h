/* Where our own program lies, and where a path leads. */
#ifndef SQ_SYS_PATH_H
#define SQ_SYS_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"

#define SQ_PATH_SIZE 4096

/* The absolute path of the running program. */
bool sq_path_program(char out[SQ_PATH_SIZE], struct sq_err *err);

/*
 * The file a path leads to, without symbolic links, and whether it exists. One
 * that does not is given back as it is; a link that leads nowhere is an error.
 */
bool sq_path_resolve(const char *path, char out[SQ_PATH_SIZE], bool *exists,
                     struct sq_err *err);

/* Whether programs keep their files where macOS wants them. */
bool sq_path_is_macos(void);

#define SQ_PATH_BACKUP ".squint-backup-"

/*
 * Write bytes to a new file beside path, named path.squint-backup-N with the
 * first N that is free, readable by its owner only. It has that name only once
 * it is whole and on the disk. *name is which one.
 */
bool sq_path_backup(const char *path, const void *bytes, size_t len,
                    char name[SQ_PATH_SIZE], struct sq_err *err);

/* Remove a backup that turned out not to be needed, as well as can be. */
void sq_path_forget_backup(const char *name);

#endif
