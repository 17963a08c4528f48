/* Creates files atomically with the best method the system supports. */
#include "sys/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>

#include "sys/call.h"
#include "sys/temporary_file.h"

#define NEW_FLAGS (O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
#define MODE 0600

static int
fail(int number) {
    errno = number;
    return -1;
}

static int
fill(int fd, const struct sq_atomic_file *file) {
    const uint8_t *at = file->bytes;
    size_t left = file->len;
    while (left > 0) {
        ssize_t put = sq_call_write(fd, at, left);
        if (put <= 0) {
            return put < 0 ? -1 : fail(EIO);
        }
        at += put;
        left -= (size_t)put;
    }
    return file->synced ? sq_call_fsync(fd) : 0;
}

/*
 * Some file systems report lost bytes only on close. Closing the file itself
 * would delete a nameless one and unlock a temporary one, so this closes a
 * duplicate descriptor first.
 */
static int
close_duplicate(int fd) {
    int duplicate = sq_call_dup(fd);
    return duplicate < 0 ? -1 : sq_call_close(duplicate);
}

static int
create_nameless(int folder, const char *name,
                const struct sq_atomic_file *file) {
    int fd = sq_call_open_nameless(folder, MODE);
    if (fd < 0) {
        return -1;
    }
    int result = fill(fd, file) < 0 || close_duplicate(fd) < 0
                   ? -1
                   : sq_call_link_nameless(fd, folder, name);
    int number = errno;
    sq_call_close(fd);
    errno = number;
    return result;
}

/*
 * Fallback for file systems without link and exclusive rename, such as the
 * shared folders of some virtual machines. An empty file of ours reserves the
 * name until it is replaced. The temporary name records it, in case this
 * process is killed in between.
 */
static int
rename_over_placeholder(int folder, struct sq_temporary_file *temporary,
                        const char *name) {
    if (sq_temporary_file_set_target(folder, temporary, name) < 0) {
        return -1;
    }
    int fd = sq_call_openat(folder, name, NEW_FLAGS, MODE);
    if (fd < 0) {
        return -1;
    }
    sq_call_close(fd);
    if (sq_call_renameat(folder, temporary->name, name) == 0) {
        return 0;
    }
    int number = errno;
    sq_call_unlinkat(folder, name);
    return fail(number);
}

static int
set_name(int folder, struct sq_temporary_file *temporary, const char *name) {
    if (sq_call_rename_new(folder, temporary->name, name) == 0) {
        return 0;
    }
    if (errno != EEXIST && sq_call_linkat(folder, temporary->name, name) == 0) {
        return 0;
    }
    return errno == EEXIST ? -1
                           : rename_over_placeholder(folder, temporary, name);
}

static int
create_temporary(int folder, const char *name,
                 const struct sq_atomic_file *file) {
    struct sq_temporary_file temporary;
    if (sq_temporary_file_create(folder, &temporary) < 0) {
        return -1;
    }
    int result =
        fill(temporary.fd, file) < 0 || close_duplicate(temporary.fd) < 0
            ? -1
            : set_name(folder, &temporary, name);
    int number = errno;
    sq_temporary_file_remove(folder, &temporary);
    errno = number;
    return result;
}

int
sq_atomic_file_make(int folder, const char *name,
                    const struct sq_atomic_file *file) {
    struct stat st;
    /* The later naming decides; this check only avoids a useless write. */
    if (sq_call_lstatat(folder, name, &st) == 0) {
        return fail(EEXIST);
    }
    if (errno != ENOENT) {
        return -1;
    }
    int result = create_nameless(folder, name, file);
    return result < 0 && errno != EEXIST ? create_temporary(folder, name, file)
                                         : result;
}
