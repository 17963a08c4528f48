/* Finds the user's folders by the XDG Base Directory specification. */
#include "sys/user_dirs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/call.h"

/* Returns the absolute path in an environment variable, or NULL. */
static const char *
absolute_path(const char *variable) {
    const char *value = getenv(variable);
    return value && value[0] == '/' ? value : NULL;
}

static bool
write_path(const char *folder, const char *below, const char *name,
           char out[SQ_PATH_SIZE]) {
    char path[SQ_PATH_SIZE];
    int len = folder
                ? snprintf(path, sizeof(path), "%s%s/%s", folder, below, name)
                : -1;
    if (len < 0 || len >= SQ_PATH_SIZE) {
        return false;
    }
    memcpy(out, path, (size_t)len + 1);
    return true;
}

/* Uses the folder in the variable, otherwise the one below $HOME. */
static bool
find_path(const char *variable, const char *below_home, const char *name,
          char out[SQ_PATH_SIZE]) {
    const char *folder = absolute_path(variable);
    return folder ? write_path(folder, "", name, out)
                  : write_path(absolute_path("HOME"), below_home, name, out);
}

bool
sq_user_home_path(const char *name, char out[SQ_PATH_SIZE]) {
    return write_path(absolute_path("HOME"), "", name, out);
}

bool
sq_user_config_path(const char *name, char out[SQ_PATH_SIZE]) {
    return find_path("XDG_CONFIG_HOME", "/.config", name, out);
}

bool
sq_user_cache_path(const char *name, char out[SQ_PATH_SIZE]) {
    return find_path("XDG_CACHE_HOME", "/.cache", name, out);
}

bool
sq_user_data_path(const char *name, char out[SQ_PATH_SIZE]) {
    return find_path("XDG_DATA_HOME", "/.local/share", name, out);
}

bool
sq_user_state_path(const char *name, char out[SQ_PATH_SIZE]) {
    return find_path("XDG_STATE_HOME", "/.local/state", name, out);
}

bool
sq_user_runtime_path(const char *name, char out[SQ_PATH_SIZE]) {
    return write_path(absolute_path("XDG_RUNTIME_DIR"), "", name, out);
}

bool
sq_user_login_path(const char *name, char out[SQ_PATH_SIZE]) {
    char user[24];
    snprintf(user, sizeof(user), "/%lu", (unsigned long)sq_call_user());
    return !absolute_path("XDG_RUNTIME_DIR")
        && write_path("/run/user", user, name, out);
}
