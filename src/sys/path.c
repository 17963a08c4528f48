/* Finds the running program, resolves paths and writes backups. */
#include "sys/path.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sys/call.h"
#include "sys/file.h"
#include "util/span.h"

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

#define MAX_BACKUPS 10000

static bool
resolve_existing(const char *path, char out[SQ_PATH_SIZE]) {
    char resolved[SQ_PATH_SIZE];
    if (!sq_call_realpath(path, resolved)) {
        return false;
    }
    snprintf(out, SQ_PATH_SIZE, "%s", resolved);
    return true;
}

/* Returns the path that the program was started with, or NULL. */
#if defined(__APPLE__)
static const char *
start_path(char buffer[SQ_PATH_SIZE]) {
    uint32_t size = SQ_PATH_SIZE;
    return _NSGetExecutablePath(buffer, &size) == 0 ? buffer : NULL;
}
#elif defined(__linux__)
static const char *
start_path(char buffer[SQ_PATH_SIZE]) {
    (void)buffer;
    /* The kernel's copy, made before main could change argv[0]. */
    return (const char *)(uintptr_t)getauxval(AT_EXECFN);
}
#else
static const char *
start_path(char buffer[SQ_PATH_SIZE]) {
    (void)buffer;
    return NULL;
}
#endif

bool
sq_path_program(char out[SQ_PATH_SIZE], struct sq_err *err) {
    char buffer[SQ_PATH_SIZE];
    /* Without /proc, use the path that the program was started with. */
    if (resolve_existing("/proc/self/exe", out)) {
        return true;
    }
    const char *name = start_path(buffer);
    if (name && resolve_existing(name, out)) {
        return true;
    }
    return sq_fail(err, SQ_ERR_NOT_FOUND,
                   "cannot find the path of this program");
}

bool
sq_path_resolve(const char *path, char out[SQ_PATH_SIZE], bool *exists,
                struct sq_err *err) {
    if (strlen(path) >= SQ_PATH_SIZE) {
        return sq_file_fail(path, true, ENAMETOOLONG, err);
    }
    if (resolve_existing(path, out)) {
        *exists = true;
        return true;
    }
    int number = errno;
    if (number != ENOENT) {
        return sq_file_fail(path, true, number, err);
    }
    char link[SQ_PATH_SIZE];
    if (sq_call_readlink(path, link, sizeof(link)) >= 0) {
        char name[SQ_FILE_NAME_SIZE];
        sq_file_name(path, true, name);
        return sq_fail(err, SQ_ERR_NOT_FOUND,
                       "%s is a link to a file that does not exist", name);
    }
    snprintf(out, SQ_PATH_SIZE, "%s", path);
    *exists = false;
    return true;
}

bool
sq_path_is_macos(void) {
#if defined(__APPLE__)
    return true;
#else
    return false;
#endif
}

const char *
sq_path_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int
sq_path_open_folder(const char *path, char folder[SQ_PATH_SIZE]) {
    size_t len = (size_t)(sq_path_base(path) - path);
    if (len >= SQ_PATH_SIZE) {
        errno = ENAMETOOLONG;
        return -1;
    }
    snprintf(folder, SQ_PATH_SIZE, "%.*s", len ? (int)len : 1,
             len ? path : ".");
    return sq_call_open_dir(folder);
}

/* Uses the first free number. Returns -1 and sets errno. */
static int
make_backup(int folder, const char *path, const struct sq_atomic_file *file,
            char name[SQ_PATH_SIZE]) {
    for (int n = 1; n <= MAX_BACKUPS; n++) {
        int len =
            snprintf(name, SQ_PATH_SIZE, "%s" SQ_PATH_BACKUP "%d", path, n);
        if (len >= SQ_PATH_SIZE) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int made = sq_atomic_file_make(folder, sq_path_base(name), file);
        if (made == 0 || errno != EEXIST) {
            return made;
        }
    }
    return -1;
}

bool
sq_path_backup(const char *path, const void *bytes, size_t len,
               char name[SQ_PATH_SIZE], struct sq_err *err) {
    const struct sq_atomic_file file = { .bytes = bytes,
                                         .len = len,
                                         .synced = true };
    char made[SQ_PATH_SIZE];
    int folder = sq_path_open_folder(path, made);
    if (folder < 0) {
        return sq_file_fail(path, true, errno, err);
    }
    sigset_t saved;
    sq_call_hold_signals(&saved);
    bool ok = make_backup(folder, path, &file, made) == 0
           || sq_file_fail(made, true, errno, err);
    sq_call_release_signals(&saved);
    sq_call_close(folder);
    if (ok) {
        snprintf(name, SQ_PATH_SIZE, "%s", made);
    }
    return ok;
}

void
sq_path_remove_backup(const char *name) {
    sq_call_unlinkat(AT_FDCWD, name);
}

/* Finds programs, and checks whether files and folders can be used. */

bool
sq_probe_is_no_file(const char *path) {
    struct stat st;
    return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0
        || (sq_call_fstatat(AT_FDCWD, path, &st) == 0 && !S_ISREG(st.st_mode));
}

enum sq_probe_state
sq_probe_file(const char *path) {
    struct stat st;
    if (sq_call_fstatat(AT_FDCWD, path, &st) != 0) {
        return errno == ENOENT || errno == ENOTDIR ? SQ_PROBE_MISSING
                                                   : SQ_PROBE_UNREADABLE;
    }
    bool is_file = S_ISREG(st.st_mode) || S_ISFIFO(st.st_mode);
    return is_file && sq_call_access(path, R_OK) == 0 ? SQ_PROBE_READABLE
                                                      : SQ_PROBE_UNREADABLE;
}

bool
sq_probe_is_program(const char *path) {
    struct stat st;
    return sq_call_fstatat(AT_FDCWD, path, &st) == 0 && S_ISREG(st.st_mode)
        && sq_call_access(path, X_OK) == 0;
}

bool
sq_probe_program(const char *name, char out[SQ_PATH_SIZE]) {
    const char *path = getenv("PATH");
    struct sq_span rest = sq_span_of(path ? path : "");
    struct sq_span folder;
    bool is_last = false;
    while (!is_last) {
        char file[SQ_PATH_SIZE];
        if (!sq_span_take_until(&rest, ':', &folder)) {
            folder = rest;
            is_last = true;
        }
        int len =
            snprintf(file, sizeof(file), "%.*s/%s", SQ_SPAN_ARGS(folder), name);
        /* An empty entry means the working folder, which is not trusted. */
        if (folder.len && (size_t)len < sizeof(file)
            && sq_probe_is_program(file)) {
            memcpy(out, file, (size_t)len + 1);
            return true;
        }
    }
    return false;
}

/* Removes the last component of a path; false if there is no parent. */
static bool
to_parent(char *path) {
    if (strcmp(path, ".") == 0 || strcmp(path, "/") == 0) {
        return false;
    }
    char *slash = strrchr(path, '/');
    if (!slash) {
        snprintf(path, 2, ".");
    } else {
        slash[slash == path] = '\0';
    }
    return true;
}

/* Returns whether no component is a link; links in "/" are allowed. */
static bool
has_no_link(const char *path) {
    char folder[SQ_PATH_SIZE];
    struct stat st;
    snprintf(folder, sizeof(folder), "%s", path);
    do {
        if (strrchr(folder, '/') != folder
            && sq_call_lstatat(AT_FDCWD, folder, &st) == 0
            && S_ISLNK(st.st_mode)) {
            return false;
        }
    } while (to_parent(folder));
    return true;
}

bool
sq_probe_folder(const char *path) {
    char folder[SQ_PATH_SIZE];
    struct stat st;
    if (!path[0] || strlen(path) >= sizeof(folder)) {
        return false;
    }
    snprintf(folder, sizeof(folder), "%s", path);
    while (sq_call_fstatat(AT_FDCWD, folder, &st) != 0) {
        if (errno != ENOENT || !to_parent(folder)) {
            return false;
        }
    }
    return S_ISDIR(st.st_mode) && sq_call_access(folder, W_OK | X_OK) == 0
        && has_no_link(folder);
}

/* Reads the names of environment variables. */

extern char **environ;

bool
sq_environment_name_at(size_t index, struct sq_span *out) {
    size_t i = 0;
    while (i < index && environ && environ[i]) {
        i++;
    }
    if (!environ || !environ[i]) {
        return false;
    }
    struct sq_span rest = sq_span_of(environ[i]);
    if (!sq_span_take_until(&rest, '=', out)) {
        *out = rest;
    }
    return true;
}

/* Finds the user's folders by the XDG Base Directory specification. */

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
