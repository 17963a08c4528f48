/* Resolves paths, writes backups, and checks what files can be used for. */
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

#define MAX_BACKUPS 1000

bool
sq_path_resolve_existing(const char *path, char out[SQ_PATH_SIZE]) {
    return sq_call_realpath(path, out) != NULL;
}

bool
sq_path_resolve(const char *path, char out[SQ_PATH_SIZE], bool *exists,
                struct sq_err *err) {
    if (strlen(path) >= SQ_PATH_SIZE) {
        return sq_file_fail(path, true, ENAMETOOLONG, err);
    }
    if (sq_path_resolve_existing(path, out)) {
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
    SQ_FD folder = sq_path_open_folder(path, made);
    if (folder < 0) {
        return sq_file_fail(path, true, errno, err);
    }
    sigset_t saved;
    sq_call_hold_signals(&saved);
    bool ok = make_backup(folder, path, &file, made) == 0
           || sq_file_fail(made, true, errno, err);
    sq_call_release_signals(&saved);
    if (ok) {
        snprintf(name, SQ_PATH_SIZE, "%s", made);
    }
    return ok;
}

void
sq_path_remove_backup(const char *name) {
    sq_call_unlinkat(AT_FDCWD, name);
}

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

/* Removes the last component of a path; false if there is no parent. */
static bool
to_parent(char *path) {
    size_t root = sq_path_root_length(path);
    size_t len = (size_t)(sq_path_base(path) - path);
    if (strcmp(path, ".") == 0 || (root > 0 && strlen(path) <= root)) {
        return false;
    }
    if (len == 0) {
        snprintf(path, 2, ".");
    } else {
        path[len > root ? len - 1 : root] = '\0';
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
        size_t root = sq_path_root_length(folder);
        if ((root == 0 || (size_t)(sq_path_base(folder) - folder) > root)
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
