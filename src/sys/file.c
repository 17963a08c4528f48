/* Reads whole files, and replaces them atomically. */
#include "sys/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/call.h"
#include "util/utf8.h"

#define READ_STEP 65536

static const struct reason {
    int number;
    enum sq_err_code code;
    const char *hint;
} reasons[] = {
    { ENOENT, SQ_ERR_NOT_FOUND,
      "Check the spelling; a relative path starts at the current folder." },
    { ENOTDIR, SQ_ERR_NOT_FOUND,
      "A part of the path is a file where a folder is needed." },
    { ENAMETOOLONG, SQ_ERR_ARGUMENT, "Choose a shorter name." },
    { EACCES, SQ_ERR_IO,
      "Check the permissions of the file and of the folders above it." },
    { EPERM, SQ_ERR_IO,
      "The system does not allow this, whatever the permissions are." },
    { EROFS, SQ_ERR_IO, "This disk is read-only; write somewhere else." },
    { ENOSPC, SQ_ERR_IO, "Free some space or write somewhere else." },
    { EDQUOT, SQ_ERR_IO, "Your disk quota is used up; free some space." },
    { EFBIG, SQ_ERR_IO, "Raise the file size limit (ulimit -f)." },
    { EMFILE, SQ_ERR_EXHAUSTED, SQ_DESCRIPTORS_HINT },
    { ENFILE, SQ_ERR_EXHAUSTED, "The whole system has too many files open." },
    { EPIPE, SQ_ERR_IO, "The program that reads this output has ended." },
    { ENOMEM, SQ_ERR_NOMEM, "" },
};

/* Takes the next character as sq_plain_take shows it; false at the end. */
static bool
take_character(struct sq_span *rest, char escape[SQ_PLAIN_ESCAPE_SIZE],
               struct sq_span *piece) {
    uint32_t code;
    size_t len = sq_utf8_decode(*rest, &code);
    struct sq_span first = { rest->ptr, len ? len : 1 };
    if (rest->len == 0) {
        return false;
    }
    *rest = (struct sq_span){ rest->ptr + first.len, rest->len - first.len };
    return sq_plain_take(&first, false, escape, piece);
}

/* Returns the longest end of a text that fits into the room when escaped. */
static struct sq_span
end_that_fits(struct sq_span text, size_t capacity) {
    char escape[SQ_PLAIN_ESCAPE_SIZE];
    struct sq_span piece;
    struct sq_span rest = text;
    size_t width = 0;
    while (take_character(&rest, escape, &piece)) {
        width += piece.len;
    }
    while (width > capacity && take_character(&text, escape, &piece)) {
        width -= piece.len;
    }
    return text;
}

void
sq_file_name(const char *path, bool for_writing, char name[SQ_FILE_NAME_SIZE]) {
    if (strcmp(path, "-") == 0) {
        path = for_writing ? "standard output" : "standard input";
    } else if (path[0] == '\0') {
        path = "\"\"";
    }
    char escape[SQ_PLAIN_ESCAPE_SIZE];
    struct sq_span piece;
    struct sq_span rest =
        end_that_fits(sq_span_of(path), SQ_FILE_NAME_SIZE - sizeof("..."));
    size_t used = rest.ptr > path ? strlen("...") : 0;
    memcpy(name, "...", used);
    while (take_character(&rest, escape, &piece)) {
        memcpy(name + used, piece.ptr, piece.len);
        used += piece.len;
    }
    name[used] = '\0';
}

bool
sq_file_fail(const char *path, bool writing, int number, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    char why[SQ_ERRNO_TEXT_SIZE];
    sq_file_name(path, writing, name);
    sq_errno_text(number, why);
    size_t i = 0;
    while (i < SQ_COUNT(reasons) && reasons[i].number != number) {
        i++;
    }
    const struct reason *reason = i < SQ_COUNT(reasons) ? &reasons[i] : NULL;
    sq_fail(err, reason ? reason->code : SQ_ERR_IO, "cannot %s %s: %s",
            writing ? "write" : "read", name, why);
    return reason && sq_fail_hint(err, "%s", reason->hint);
}

static bool
fail_too_long(const char *path, size_t max_bytes, struct sq_err *err) {
    static const char *const units[] = { "bytes", "KiB", "MiB", "GiB" };
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(path, false, name);
    size_t unit = 0;
    while (unit < 3 && max_bytes >= 1024 && max_bytes % 1024 == 0) {
        max_bytes /= 1024;
        unit++;
    }
    return sq_fail(err, SQ_ERR_LIMIT, "%s is larger than %zu %s, the maximum",
                   name, max_bytes, units[unit]);
}

/*
 * Refuses folders and devices, and reserves space for a file of known length:
 * one byte more, so that its end is found without growing.
 */
static bool
prepare_to_read(const char *path, int fd, struct sq_buf *bytes,
                struct sq_err *err) {
    struct stat st;
    if (sq_call_fstat(fd, &st) < 0) {
        return sq_file_fail(path, false, errno, err);
    }
    if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode)
        && !S_ISSOCK(st.st_mode)) {
        char name[SQ_FILE_NAME_SIZE];
        sq_file_name(path, false, name);
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is a %s, not a file", name,
                S_ISDIR(st.st_mode) ? "folder" : "device");
        return sq_fail_hint(
            err, strcmp(path, "-") == 0
                     ? "Pass a picture to it by a pipe or by < FILE."
                     : "Give the name of a file, or - for standard input.");
    }
    uint8_t *space;
    if (S_ISREG(st.st_mode) && (uintmax_t)st.st_size >= bytes->max) {
        return fail_too_long(path, bytes->max - 1, err);
    }
    return sq_buf_reserve(bytes, (size_t)st.st_size + 1, &space, err);
}

/* Like sq_call_read, but waits on a non-blocking descriptor. */
static ssize_t
read_some(int fd, void *into, size_t count) {
    ssize_t got = sq_call_read(fd, into, count);
    while (got < 0 && errno == EAGAIN && sq_call_wait(fd, POLLIN) >= 0) {
        got = sq_call_read(fd, into, count);
    }
    return got;
}

static bool
read_to_end(const char *path, int fd, struct sq_buf *bytes,
            struct sq_err *err) {
    for (;;) {
        if (bytes->len == bytes->max) {
            return fail_too_long(path, bytes->max - 1, err);
        }
        size_t free_bytes = bytes->cap - bytes->len;
        size_t left = bytes->max - bytes->len;
        size_t step = free_bytes ? free_bytes : READ_STEP;
        step = step < left ? step : left;
        uint8_t *space;
        if (!sq_buf_reserve(bytes, step, &space, err)) {
            return false;
        }
        ssize_t got = read_some(fd, space, step);
        if (got < 0) {
            return sq_file_fail(path, false, errno, err);
        }
        if (got == 0) {
            return true;
        }
        sq_buf_commit(bytes, (size_t)got);
    }
}

bool
sq_file_read(const char *path, size_t max_bytes, struct sq_buf *out,
             struct sq_err *err) {
    assert(max_bytes < SIZE_MAX);
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = STDIN_FILENO;
    if (!is_stdin) {
        fd = sq_call_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
    }
    if (fd < 0) {
        return sq_file_fail(path, false, errno, err);
    }
    /* One byte more than allowed, to tell "just fits" from "too long". */
    struct sq_buf bytes;
    sq_buf_init(&bytes, max_bytes + 1);
    bool ok = prepare_to_read(path, fd, &bytes, err)
           && read_to_end(path, fd, &bytes, err);
    if (!is_stdin) {
        sq_call_close(fd);
    }
    if (!ok) {
        sq_buf_finish(&bytes);
        return false;
    }
    bytes.max = max_bytes;
    *out = bytes;
    return true;
}

static bool
write_all(const char *path, int fd, const uint8_t *bytes, size_t len,
          struct sq_err *err) {
    while (len > 0) {
        ssize_t put = sq_call_write(fd, bytes, len);
        if (put < 0 && errno == EAGAIN && sq_call_wait(fd, POLLOUT) >= 0) {
            continue;
        }
        if (put <= 0) {
            return sq_file_fail(path, true, put < 0 ? errno : EIO, err);
        }
        bytes += put;
        len -= (size_t)put;
    }
    return true;
}

static bool
close_written(const char *path, int fd, bool ok, struct sq_err *err) {
    bool closed = sq_call_close(fd) == 0;
    return ok && (closed || sq_file_fail(path, true, errno, err));
}

/* A path split at its last slash, and the state of the file there. */
struct target {
    const char *path;
    const char *base;
    int dir;
    bool is_private;
    bool exists;
    struct stat st;
};

/* Fails if fd is not the file that was checked before opening. */
static bool
check_unchanged(const struct target *target, int fd, struct sq_err *err) {
    struct stat now;
    if (sq_call_fstat(fd, &now) < 0) {
        return sq_file_fail(target->path, true, errno, err);
    }
    if (now.st_dev == target->st.st_dev && now.st_ino == target->st.st_ino) {
        return true;
    }
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(target->path, true, name);
    return sq_fail(err, SQ_ERR_IO, "%s was replaced while it was opened", name);
}

static bool
write_into(const struct target *target, const void *bytes, size_t len,
           struct sq_err *err) {
    int fd = sq_call_openat(target->dir, target->base,
                            O_WRONLY | O_CLOEXEC | O_NOCTTY, 0);
    if (fd < 0) {
        return sq_file_fail(target->path, true, errno, err);
    }
    bool ok = check_unchanged(target, fd, err)
           && write_all(target->path, fd, bytes, len, err);
    return close_written(target->path, fd, ok, err);
}

/*
 * Sets the mode of the old target, or of a new file less the umask. The owner
 * may always read, so that a sweep can open the file if this process is killed
 * before it is renamed.
 */
static bool
set_mode(const struct target *target, int fd, struct sq_err *err) {
    mode_t mode = target->exists ? target->st.st_mode & 0777 : 0666;
    mode = (mode & ~sq_call_umask()) | S_IRUSR;
    mode = target->is_private ? S_IRUSR | S_IWUSR : mode;
    /* Some file systems have no modes and refuse to set them. */
    return sq_call_fchmod(fd, mode) == 0 || errno == EPERM || errno == ENOTSUP
        || errno == ENOSYS || sq_file_fail(target->path, true, errno, err);
}

static bool
write_temp(const struct target *target, int fd, const void *bytes, size_t len,
           struct sq_err *err) {
    if (!write_all(target->path, fd, bytes, len, err)) {
        return false;
    }
    /*
     * Some file systems report lost bytes only on close. This closes a
     * duplicate, because fd itself holds the lock on the temporary file.
     */
    int duplicate = sq_call_fsync(fd) < 0 ? -1 : sq_call_dup(fd);
    return (duplicate >= 0 ? close_written(target->path, duplicate, true, err)
                           : sq_file_fail(target->path, true, errno, err))
        && set_mode(target, fd, err);
}

static bool
replace(const struct target *target, const void *bytes, size_t len,
        struct sq_err *err) {
    struct sq_temporary_file temp;
    if (sq_temporary_file_create(target->dir, &temp) < 0) {
        return sq_file_fail(target->path, true, errno, err);
    }
    bool ok = write_temp(target, temp.fd, bytes, len, err)
           && (sq_call_renameat(target->dir, temp.name, target->base) == 0
               || sq_file_fail(target->path, true, errno, err));
    if (ok) {
        sq_call_close(temp.fd);
    } else {
        sq_temporary_file_remove(target->dir, &temp);
    }
    return ok;
}

static bool
fail_is_folder(const char *path, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(path, true, name);
    sq_fail(err, SQ_ERR_ARGUMENT, "%s is a folder, not a file", name);
    return sq_fail_hint(err, "Give the path of a file inside it.");
}

static bool
write_target(struct target *target, const void *bytes, size_t len,
             struct sq_err *err) {
    target->exists =
        sq_call_fstatat(target->dir, target->base, &target->st) == 0;
    if (!target->exists && errno != ENOENT) {
        return sq_file_fail(target->path, true, errno, err);
    }
    if (target->exists && S_ISDIR(target->st.st_mode)) {
        return fail_is_folder(target->path, err);
    }
    if (target->exists && !S_ISREG(target->st.st_mode)) {
        return write_into(target, bytes, len, err);
    }
    sigset_t saved;
    sq_call_hold_signals(&saved);
    bool ok = replace(target, bytes, len, err);
    sq_call_release_signals(&saved);
    return ok;
}

static bool
write_file(const char *path, bool is_private, const void *bytes, size_t len,
           struct sq_err *err) {
    /*
     * /dev/stdout is a link to the real output. If that is a file, replacing it
     * would detach it from the process that redirected the output.
     */
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        return write_all("-", STDOUT_FILENO, bytes, len, err);
    }
    char folder[SQ_PATH_SIZE];
    struct target target = { .path = path,
                             .base = sq_path_base(path),
                             .is_private = is_private };
    if (target.base[0] == '\0') {
        return path[0] ? fail_is_folder(path, err)
                       : sq_file_fail(path, true, ENOENT, err);
    }
    SQ_FD dir = sq_path_open_folder(path, folder);
    target.dir = dir;
    if (dir < 0) {
        int number = errno;
        sq_file_fail(path, true, number, err);
        if (number == ENOENT) {
            char name[SQ_FILE_NAME_SIZE];
            sq_file_name(folder, true, name);
            sq_fail_hint(err, "The folder %s does not exist; create it first.",
                         name);
        }
        return false;
    }
    return write_target(&target, bytes, len, err);
}

bool
sq_file_write(const char *path, const void *bytes, size_t len,
              struct sq_err *err) {
    return write_file(path, false, bytes, len, err);
}

bool
sq_file_write_private(const char *path, const void *bytes, size_t len,
                      struct sq_err *err) {
    return write_file(path, true, bytes, len, err);
}

/* Appends to files. */

#define NEW_FLAGS                                                              \
    (O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)

bool
sq_append_file_create(const char *path, int *out, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    int file = sq_call_openat(AT_FDCWD, path, NEW_FLAGS, 0600);
    if (file >= 0) {
        *out = file;
        return true;
    }
    if (errno == EEXIST) {
        sq_file_name(path, true, name);
        sq_fail(err, SQ_ERR_EXISTS, "%s exists already", name);
        return sq_fail_hint(err, "Choose another name, or name a folder: each "
                                 "start then makes a new file in it.");
    }
    return sq_file_fail(path, true, errno, err);
}

bool
sq_append_file_write(int file, const char *path, const void *bytes, size_t len,
                     struct sq_err *err) {
    return write_all(path, file, bytes, len, err);
}

void
sq_append_file_close(int file) {
    sq_call_close(file);
}

void
sq_file_remove(const char *path) {
    (void)sq_call_unlinkat(AT_FDCWD, path);
}

bool
sq_path_is_folder(const char *path) {
    struct stat info;
    return sq_call_fstatat(AT_FDCWD, path, &info) == 0 && S_ISDIR(info.st_mode);
}
