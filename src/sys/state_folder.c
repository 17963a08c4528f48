/* Opens the private folder of the user, and reads and replaces its files. */
#include "sys/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "sys/call.h"
#include "sys/file.h"
#include "sys/path.h"

#define RETRY_MS 10

static bool
check_private(const char *path, int fd, struct sq_err *err) {
    struct stat st;
    if (sq_call_fstat(fd, &st) < 0) {
        return sq_file_fail(path, false, errno, err);
    }
    if (st.st_uid != sq_call_user() || (st.st_mode & 077) != 0) {
        sq_fail(err, SQ_ERR_IO, "the folder %s is not private", path);
        return sq_fail_hint(err, "Remove it, or run chmod 700 on it.");
    }
    return true;
}

static bool
open_at(const char *path, struct sq_state_folder *out, struct sq_err *err) {
    int fd;
    if (!sq_folder_open(path, &fd, err)) {
        return false;
    }
    if (!check_private(path, fd, err)) {
        sq_folder_close(fd);
        return false;
    }
    out->fd = fd;
    snprintf(out->path, sizeof(out->path), "%s", path);
    return true;
}

bool
sq_state_folder_open(struct sq_state_folder *out, struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    return (sq_user_path(SQ_USER_RUNTIME, "squint", path)
            && open_at(path, out, NULL))
        || sq_state_folder_open_kept("squint/run", out, err);
}

bool
sq_state_folder_open_kept(const char *name, struct sq_state_folder *out,
                          struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    return sq_user_path(SQ_USER_STATE, name, path)
             ? open_at(path, out, err)
             : sq_fail(err, SQ_ERR_NOT_FOUND,
                       "neither XDG_STATE_HOME nor %s names a folder",
                       sq_user_variable(SQ_USER_STATE));
}

void
sq_state_folder_close(struct sq_state_folder *folder) {
    sq_folder_close(folder->fd);
}

bool
sq_state_folder_open_list(const struct sq_state_folder *folder, int *out,
                          struct sq_err *err) {
    int fd =
        sq_call_openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd < 0) {
        return sq_file_fail(folder->path, false, errno, err);
    }
    *out = fd;
    return true;
}

bool
sq_state_folder_read(const struct sq_state_folder *folder, const char *name,
                     size_t max_bytes, struct sq_buf *out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    SQ_FREED(sq_buf_finish) struct sq_buf bytes = { 0 };
    if (!sq_folder_read(folder->fd, sq_span_of(name), max_bytes, &bytes,
                        &local_err)) {
        return local_err.code == SQ_ERR_NOT_FOUND
            || sq_fail_with(err, &local_err);
    }
    return bytes.len == 0 || sq_buf_append(out, bytes.data, bytes.len, err);
}

size_t
sq_state_folder_size(const struct sq_state_folder *folder, const char *name) {
    struct stat st;
    bool ok = sq_call_lstatat(folder->fd, name, &st) == 0 && S_ISREG(st.st_mode)
           && st.st_size > 0;
    return ok ? (size_t)st.st_size : 0;
}

bool
sq_state_folder_write(const struct sq_state_folder *folder, const char *name,
                      struct sq_span bytes, struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    int len = snprintf(path, sizeof(path), "%s/%s", folder->path, name);
    return len < SQ_PATH_SIZE
             ? sq_file_write_private(path, bytes.ptr, bytes.len, err)
             : sq_fail(err, SQ_ERR_ARGUMENT, "the path of %s is too long",
                       name);
}

bool
sq_state_folder_put(const struct sq_state_folder *folder, const char *name,
                    const void *bytes, size_t len) {
    SQ_FD fd = sq_call_openat(
        folder->fd, name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    return fd >= 0 && sq_call_write(fd, bytes, len) == (ssize_t)len;
}

bool
sq_state_folder_remove(const struct sq_state_folder *folder, const char *name,
                       struct sq_err *err) {
    return sq_call_unlinkat(folder->fd, name) == 0 || errno == ENOENT
        || sq_file_fail(name, true, errno, err);
}

bool
sq_state_folder_lock(const struct sq_state_folder *folder, const char *name,
                     const struct sq_deadline *deadline, int *out,
                     struct sq_err *err) {
    SQ_FD fd = sq_call_openat(folder->fd, name,
                              O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) {
        return sq_file_fail(name, true, errno, err);
    }
    while (sq_call_lock_file(fd, true) < 0) {
        if (errno != EWOULDBLOCK) {
            return sq_file_fail("the lock", true, errno, err);
        }
        if (!sq_wait_ms(RETRY_MS, deadline, err)) {
            return false;
        }
    }
    *out = fd;
    fd = -1;
    return true;
}

void
sq_state_folder_unlock(int lock) {
    sq_call_close(lock);
}
