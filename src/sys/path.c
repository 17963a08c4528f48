/* Finds the running program, resolves paths and writes backups. */
#include "sys/path.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

#include "sys/atomic_file.h"
#include "sys/call.h"
#include "sys/file.h"

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

static const char *
base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Opens the folder that contains path. Returns -1 and sets errno. */
static int
open_folder_of(const char *path) {
    char folder[SQ_PATH_SIZE];
    size_t len = (size_t)(base_of(path) - path);
    if (len >= sizeof(folder)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    snprintf(folder, sizeof(folder), "%.*s", len ? (int)len : 1,
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
        int made = sq_atomic_file_make(folder, base_of(name), file);
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
    int folder = open_folder_of(path);
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
