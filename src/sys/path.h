/* Paths as text, what is there, and where a user's files are. */
#ifndef SQ_SYS_PATH_H
#define SQ_SYS_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_PATH_SIZE 4096

/* What separates the parts of a path. */
#ifdef _WIN32
#define SQ_PATH_SLASHES "/\\"
#else
#define SQ_PATH_SLASHES "/"
#endif

/* Returns the length of "/", "C:\\" or the like at its start; 0: it is
 * relative. */
size_t sq_path_root_length(const char *path);

/* Returns the folder for temporary files. */
const char *sq_path_temporary(void);

/* Returns what follows the last slash of a path. */
const char *sq_path_base(const char *path);

/*
 * Opens the folder that contains the path. Returns -1 and sets errno. *folder
 * is its name.
 */
int sq_path_open_folder(const char *path, char folder[SQ_PATH_SIZE]);

/* Writes the absolute path of the running program. */
bool sq_path_program(char out[SQ_PATH_SIZE], struct sq_err *err);

/* Resolves the links of a path. Returns false and sets errno. */
bool sq_path_resolve_existing(const char *path, char out[SQ_PATH_SIZE]);

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

/* Finds a program in one folder. *out is unchanged if there is none. */
bool sq_probe_program_in(struct sq_span folder, const char *name,
                         char out[SQ_PATH_SIZE]);

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

/*
 * Reads a text of the current user's part of the registry of Windows. Returns
 * false if it is not there, and on other systems.
 */
bool sq_registry_text(const char *key, const char *name,
                      char out[SQ_PATH_SIZE]);

/* Returns the name of a variable by index; false after the last. */
bool sq_environment_name_at(size_t index, struct sq_span *out);

/* The user's folders, by the XDG Base Directory specification. */
enum sq_user_folder {
    SQ_USER_HOME,
    SQ_USER_CONFIG,  /* settings: $XDG_CONFIG_HOME or ~/.config */
    SQ_USER_CACHE,   /* can be computed again: $XDG_CACHE_HOME or ~/.cache */
    SQ_USER_DATA,    /* the user keeps it: $XDG_DATA_HOME or ~/.local/share */
    SQ_USER_STATE,   /* kept between runs: $XDG_STATE_HOME or ~/.local/state */
    SQ_USER_RUNTIME, /* of this login: $XDG_RUNTIME_DIR, no default */
    SQ_USER_LOGIN,   /* /run/user/UID, if that variable is not set */
};

/*
 * Writes the path of `name`, which is relative, in one of them. Creates
 * nothing. Ignores a variable that is unset, empty or not an absolute path.
 * Returns false, and leaves *out unchanged, if the environment does not define
 * the folder or the path is too long.
 */
bool sq_user_path(enum sq_user_folder folder, const char *name,
                  char out[SQ_PATH_SIZE]);

/* Returns the variable on which a folder with a default depends, as HOME. */
const char *sq_user_variable(enum sq_user_folder folder);

#endif
