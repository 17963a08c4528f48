/* Temporary files and folders, and files that are replaced as a whole. */
#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sys/call.h"
#include "sys/clock.h"
#include "sys/entropy.h"
#include "sys/folder.h"
#include "sys/path.h"

/* Locks that show whether the owner of a temporary file is alive. */

#define NS_PER_S INT64_C(1000000000)
#define OLD_S 3600 /* far longer than writing a file takes */

/*
 * Locks a file or folder that this process has just created. Returns false if
 * another process removed it as left over before the lock was held; the caller
 * then creates another one. Closing the last descriptor releases the lock.
 */
static bool
owner_lock_acquire(int fd) {
    struct stat st;
    if (sq_call_lock_file(fd, true) < 0 && errno == EWOULDBLOCK) {
        return false;
    }
    return sq_call_fstat(fd, &st) < 0 || st.st_nlink > 0;
}

bool
sq_owner_lock_is_abandoned(int fd) {
    struct stat st;
    if (sq_call_fstat(fd, &st) < 0 || st.st_uid != sq_call_user()) {
        return false;
    }
    int64_t age_s = sq_clock_wall_ns() / NS_PER_S - (int64_t)st.st_mtime;
    return sq_call_lock_file(fd, false) == 0
        || (errno != EWOULDBLOCK && age_s > OLD_S);
}

#define NEW_FLAGS (O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
#define OLD_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define MODE 0600
#define DIGITS 16
#define MAX_TRIES 8 /* tries, if other processes remove the file */

/*
 * Returns whether a name is one of ours: ".squint-" and 16 digits, optionally
 * followed by "-" and the name of an empty file to remove with it. *noted is
 * that name or empty.
 */
static bool
is_ours(struct sq_span name, struct sq_span *target_name) {
    struct sq_span rest = name;
    if (!sq_span_take_prefix(&rest, SQ_TEMPORARY_PREFIX) || rest.len < DIGITS) {
        return false;
    }
    for (size_t i = 0; i < DIGITS; i++) {
        if (!strchr("0123456789abcdef", rest.ptr[i])) {
            return false;
        }
    }
    rest.ptr += DIGITS;
    rest.len -= DIGITS;
    *target_name = rest;
    return rest.len == 0 || sq_span_take_prefix(target_name, "-");
}

/* Returns whether the name still refers to the open file. */
static bool
has_name(int folder, const char *name, int fd) {
    struct stat named;
    struct stat opened;
    return sq_call_lstatat(folder, name, &named) == 0
        && sq_call_fstat(fd, &opened) == 0 && named.st_ino == opened.st_ino
        && named.st_dev == opened.st_dev && S_ISREG(opened.st_mode);
}

/*
 * Removes a hidden file whose creating process has ended, and the reserved name
 * that it notes, if that is still an empty file. A file that cannot be removed
 * is tried again next time.
 */
static void
sweep_file(void *context, int folder, struct sq_span name) {
    struct sq_span target_name;
    struct stat st;
    (void)context;
    if (!is_ours(name, &target_name)) {
        return;
    }
    SQ_FD fd = sq_call_openat(folder, name.ptr, OLD_FLAGS, 0);
    if (fd >= 0 && has_name(folder, name.ptr, fd)
        && sq_owner_lock_is_abandoned(fd)) {
        if (target_name.len > 0
            && sq_call_lstatat(folder, target_name.ptr, &st) == 0
            && S_ISREG(st.st_mode) && st.st_size == 0
            && st.st_uid == sq_call_user()) {
            sq_call_unlinkat(folder, target_name.ptr);
        }
        sq_call_unlinkat(folder, name.ptr);
    }
}

/* Tries once. errno is EAGAIN if another process removed the file. */
static int
create_once(int folder, struct sq_temporary_file *out) {
    struct sq_temporary_file file;
    if (sq_random_temporary_name(file.name) < 0) {
        return -1;
    }
    file.fd = sq_call_openat(folder, file.name, NEW_FLAGS, MODE);
    if (file.fd < 0) {
        return -1;
    }
    if (!owner_lock_acquire(file.fd)) {
        sq_temporary_file_remove(folder, &file);
        errno = EAGAIN;
        return -1;
    }
    *out = file;
    return 0;
}

int
sq_temporary_file_create(int folder, struct sq_temporary_file *out) {
    sq_folder_visit(folder, sweep_file, NULL);
    int made = create_once(folder, out);
    for (int i = 1; made < 0 && errno == EAGAIN && i < MAX_TRIES; i++) {
        made = create_once(folder, out);
    }
    return made;
}

/*
 * Renames the file so that, if this process is killed, a later sweep also
 * removes an empty file of the given name. Returns -1 and sets errno on
 * failure.
 */
static int
temporary_file_set_target(int folder, struct sq_temporary_file *file,
                          const char *name) {
    char target_name[sizeof(file->name)];
    int len =
        snprintf(target_name, sizeof(target_name), "%s-%s", file->name, name);
    if ((size_t)len >= sizeof(target_name)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    if (sq_call_renameat(folder, file->name, target_name) < 0) {
        return -1;
    }
    memcpy(file->name, target_name, sizeof(target_name));
    return 0;
}

void
sq_temporary_file_remove(int folder, struct sq_temporary_file *file) {
    sq_call_unlinkat(folder, file->name);
    sq_call_close(file->fd);
}

/* Creates files atomically with the best method the system supports. */

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
    SQ_FD fd = sq_call_open_nameless(folder, MODE);
    return fd < 0 || fill(fd, file) < 0 || close_duplicate(fd) < 0
             ? -1
             : sq_call_link_nameless(fd, folder, name);
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
    if (temporary_file_set_target(folder, temporary, name) < 0) {
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

/* Creates and removes private temporary folders. */

#define PREFIX "squint-"
#define MAX_DEPTH 32 /* of folders in a temporary one */
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

static void remove_tree(int parent, const char *name, int depth);

static void
remove_entry(void *context, int folder, struct sq_span name) {
    const int *depth = context;
    if (sq_call_unlinkat(folder, name.ptr) < 0 && *depth < MAX_DEPTH) {
        remove_tree(folder, name.ptr, *depth + 1);
    }
}

/* Removes a folder and what is in it. Follows no symbolic link. */
static void
remove_tree(int parent, const char *name, int depth) {
    int folder = sq_call_openat(parent, name, FOLDER_FLAGS | O_NOFOLLOW, 0);
    if (folder >= 0) {
        sq_folder_visit(folder, remove_entry, &depth);
        sq_call_close(folder);
        sq_call_rmdirat(parent, name);
    }
}

/* Ignores every error: a folder that remains is tried again next time. */
static void
remove_abandoned(void *context, int parent, struct sq_span name) {
    struct sq_span rest = name;
    (void)context;
    if (!sq_span_take_prefix(&rest, PREFIX)
        || rest.len != SQ_RANDOM_NAME_SIZE - 1
        || strspn(rest.ptr, "0123456789abcdef") != rest.len) {
        return;
    }
    SQ_FD folder =
        sq_call_openat(parent, name.ptr, FOLDER_FLAGS | O_NOFOLLOW, 0);
    if (folder >= 0 && sq_owner_lock_is_abandoned(folder)) {
        remove_tree(parent, name.ptr, 0);
    }
}

/*
 * Creates and locks the folder. Returns -1 and sets errno; there is no folder
 * then.
 */
static int
create_locked(const char *folder) {
    if (sq_call_mkdirat(AT_FDCWD, folder) < 0) {
        return -1;
    }
    int lock_fd =
        sq_call_openat(AT_FDCWD, folder, FOLDER_FLAGS | O_NOFOLLOW, 0);
    int number = errno;
    if (lock_fd >= 0 && owner_lock_acquire(lock_fd)) {
        return lock_fd;
    }
    if (lock_fd >= 0) {
        sq_call_close(lock_fd);
        number = EAGAIN; /* removed by another process at this moment */
    }
    sq_call_rmdirat(AT_FDCWD, folder);
    errno = number;
    return -1;
}

bool
sq_temp_make(struct sq_temp *out, const char *file_name, struct sq_err *err) {
    struct sq_temp temp;
    char name[SQ_RANDOM_NAME_SIZE];
    if (!sq_random_name(name, err)) {
        return false;
    }
    int len = snprintf(temp.folder, sizeof(temp.folder), "%s/" PREFIX "%s",
                       sq_path_temporary(), name);
    int all = snprintf(temp.file, sizeof(temp.file), "%s/" PREFIX "%s/%s",
                       sq_path_temporary(), name, file_name);
    if (len < 0 || all < 0 || (size_t)all >= sizeof(temp.file)) {
        return sq_file_fail(sq_path_temporary(), true, ENAMETOOLONG, err);
    }
    int parent = sq_call_openat(AT_FDCWD, sq_path_temporary(), FOLDER_FLAGS, 0);
    if (parent >= 0) {
        sq_folder_visit(parent, remove_abandoned, NULL);
        sq_call_close(parent);
    }
    temp.lock_fd = create_locked(temp.folder);
    if (temp.lock_fd < 0) {
        return sq_file_fail(temp.folder, true, errno, err);
    }
    *out = temp;
    return true;
}

void
sq_temp_remove(struct sq_temp *temp) {
    if (temp->folder[0]) {
        remove_tree(AT_FDCWD, temp->folder, 0);
        sq_call_close(temp->lock_fd);
        temp->folder[0] = '\0';
    }
}
