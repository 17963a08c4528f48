/* Appends to files. */
#include "sys/append_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "sys/call.h"
#include "sys/file.h"

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
    const char *next = bytes;
    while (len > 0) {
        ssize_t written = sq_call_write(file, next, len);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return sq_file_fail(path, true, errno, err);
        }
        next += written;
        len -= (size_t)written;
    }
    return true;
}

void
sq_append_file_close(int file) {
    sq_call_close(file);
}

void
sq_append_file_discard(int file, const char *path) {
    sq_call_close(file);
    (void)sq_call_unlinkat(AT_FDCWD, path);
}

bool
sq_path_is_folder(const char *path) {
    struct stat info;
    return sq_call_fstatat(AT_FDCWD, path, &info) == 0 && S_ISDIR(info.st_mode);
}
