/*
 * The user's folders by the XDG Base Directory specification. A variable that
 * is unset, empty or not an absolute path is ignored.
 *
 * Each function writes the path of `name` in one folder. `name` is relative and
 * nothing is created. Returns false, and leaves *out unchanged, if the
 * environment does not define the folder or the path is too long.
 */
#ifndef SQ_SYS_USER_DIRS_H
#define SQ_SYS_USER_DIRS_H

#include <stdbool.h>

#include "sys/path.h"

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
