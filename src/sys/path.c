#include "sys/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

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

/* The path the program was started by, or NULL. */
#if defined(__APPLE__)
static const char *
started_by(char room[SQ_PATH_SIZE]) {
    uint32_t size = SQ_PATH_SIZE;
    return _NSGetExecutablePath(room, &size) == 0 ? room : NULL;
}
#elif defined(__linux__)
static const char *
started_by(char room[SQ_PATH_SIZE]) {
    (void)room;
    /* The kernel's own copy of argv[0], made before main could change it. */
    return (const char *)(uintptr_t)getauxval(AT_EXECFN);
}
#else
static const char *
started_by(char room[SQ_PATH_SIZE]) {
    (void)room;
    return NULL;
}
#endif

bool
sq_path_program(char out[SQ_PATH_SIZE], struct sq_err *err) {
    char room[SQ_PATH_SIZE];
    /* Without /proc, what the program was started by has to do. */
    if (resolve_existing("/proc/self/exe", out)) {
        return true;
    }
    const char *name = started_by(room);
    if (name && resolve_existing(name, out)) {
        return true;
    }
    return sq_fail(err, SQ_ERR_NOT_FOUND,
                   "cannot find out where this program lies");
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

/* Write all bytes to a file just made, and close it. */
static bool
fill(const char *name, int fd, const uint8_t *bytes, size_t len,
     struct sq_err *err) {
    bool ok = true;
    while (ok && len > 0) {
        ssize_t put = sq_call_write(fd, bytes, len);
        ok = put > 0 || sq_file_fail(name, true, put < 0 ? errno : EIO, err);
        bytes += ok ? put : 0;
        len -= ok ? (size_t)put : 0;
    }
    if (ok && sq_call_fsync(fd) < 0) {
        ok = sq_file_fail(name, true, errno, err);
    }
    bool closed = sq_call_close(fd) == 0;
    return ok && (closed || sq_file_fail(name, true, errno, err));
}

static int
create_backup(const char *path, char name[SQ_PATH_SIZE]) {
    int fd = -1;
    for (int n = 1; fd < 0 && n <= MAX_BACKUPS; n++) {
        int len =
            snprintf(name, SQ_PATH_SIZE, "%s" SQ_PATH_BACKUP "%d", path, n);
        if (len >= SQ_PATH_SIZE) {
            errno = ENAMETOOLONG;
            return -1;
        }
        fd = sq_call_openat(
            AT_FDCWD, name,
            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0 && errno != EEXIST) {
            return -1;
        }
    }
    return fd;
}

bool
sq_path_backup(const char *path, const void *bytes, size_t len,
               char name[SQ_PATH_SIZE], struct sq_err *err) {
    char made[SQ_PATH_SIZE];
    int fd = create_backup(path, made);
    if (fd < 0) {
        return sq_file_fail(made, true, errno, err);
    }
    if (!fill(made, fd, bytes, len, err)) {
        sq_call_unlinkat(AT_FDCWD, made);
        return false;
    }
    snprintf(name, SQ_PATH_SIZE, "%s", made);
    return true;
}

void
sq_path_forget_backup(const char *name) {
    sq_call_unlinkat(AT_FDCWD, name);
}
