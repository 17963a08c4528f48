/* Paths as text, what is there, and where a user's files are. */
#ifndef SQ_SYS_PATH_H
#define SQ_SYS_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_PATH_SIZE 4096

/* Returns what follows the last slash of a path. */
const char *sq_path_base(const char *path);

/*
 * Opens the folder that contains the path. Returns -1 and sets errno. *folder
 * is its name.
 */
int sq_path_open_folder(const char *path, char folder[SQ_PATH_SIZE]);

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

/*
 * Checks whether programs can be run, files read and folders written to,
 * without doing so.
 */

/*
 * Finds the file that a shell would run for this name, in the folders of PATH.
 * Returns false and leaves *out unchanged if there is none.
 */
bool sq_probe_program(const char *name, char out[SQ_PATH_SIZE]);

/*
 * Returns whether the path is something else than a file: standard output ("-"
 * or /dev/stdout), or an existing device, pipe or folder.
 */
bool sq_probe_is_no_file(const char *path);

enum sq_probe_state {
    SQ_PROBE_MISSING,
    SQ_PROBE_UNREADABLE, /* no permission, or not a file */
    SQ_PROBE_READABLE,
};

/* Returns whether sq_file_read could read this file. Does not open it. */
enum sq_probe_state sq_probe_file(const char *path);

/* Returns whether the path is an executable file. */
bool sq_probe_is_program(const char *path);

/*
 * Returns whether files can be created in this folder: it, or its nearest
 * existing parent, is writable, and sq_folder_open_real finds no link in the
 * path.
 */
bool sq_probe_folder(const char *path);

/* Returns the name of a variable by index; false after the last. */
bool sq_environment_name_at(size_t index, struct sq_span *out);

/*
 * The user's folders by the XDG Base Directory specification. A variable that
 * is unset, empty or not an absolute path is ignored.
 *
 * Each function writes the path of `name` in one folder. `name` is relative and
 * nothing is created. Returns false, and leaves *out unchanged, if the
 * environment does not define the folder or the path is too long.
 */

/* $HOME */
bool sq_user_home_path(const char *name, char out[SQ_PATH_SIZE]);

/* Settings: $XDG_CONFIG_HOME or ~/.config */
bool sq_user_config_path(const char *name, char out[SQ_PATH_SIZE]);

/* Files that can be computed again: $XDG_CACHE_HOME or ~/.cache */
bool sq_user_cache_path(const char *name, char out[SQ_PATH_SIZE]);

/* Files that the user keeps: $XDG_DATA_HOME or ~/.local/share */
bool sq_user_data_path(const char *name, char out[SQ_PATH_SIZE]);

/* Files kept between runs, but not moved: $XDG_STATE_HOME or ~/.local/state */
bool sq_user_state_path(const char *name, char out[SQ_PATH_SIZE]);

/* Files of this login: $XDG_RUNTIME_DIR, which has no default. */
bool sq_user_runtime_path(const char *name, char out[SQ_PATH_SIZE]);

/* The same by its usual place, /run/user/UID, if the variable is not set. */
bool sq_user_login_path(const char *name, char out[SQ_PATH_SIZE]);

#endif
