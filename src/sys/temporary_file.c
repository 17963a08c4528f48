/* Creates hidden temporary files and removes abandoned ones. */
#include "sys/temporary_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "sys/call.h"
#include "sys/entries.h"
#include "sys/entropy.h"
#include "sys/owner_lock.h"

#define NEW_FLAGS (O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC)
#define OLD_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define MODE 0600
#define DIGITS 16
#define MAX_TRIES 8         /* tries, if other processes remove the file */
#define MAX_ENTRIES 1000000 /* entries read per sweep */

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

/* Removes a reserved name that is still an empty file. */
static void
remove_empty(int folder, const char *name) {
    struct stat st;
    if (sq_call_lstatat(folder, name, &st) == 0 && S_ISREG(st.st_mode)
        && st.st_size == 0 && st.st_uid == sq_call_user()) {
        sq_call_unlinkat(folder, name);
    }
}

static void
sweep_file(int folder, const char *name, const char *target_name) {
    int fd = sq_call_openat(folder, name, OLD_FLAGS, 0);
    if (fd < 0) {
        return;
    }
    if (has_name(folder, name, fd) && sq_owner_lock_is_abandoned(fd)) {
        if (target_name[0]) {
            remove_empty(folder, target_name);
        }
        sq_call_unlinkat(folder, name);
    }
    sq_call_close(fd);
}

static void
sweep_entries(struct sq_entries *entries, int folder) {
    struct sq_entry entry;
    struct sq_span target_name;
    sq_entries_start(entries, folder);
    for (int i = 0; i < MAX_ENTRIES && sq_entries_next(entries, &entry); i++) {
        if (is_ours(entry.name, &target_name)) {
            sweep_file(folder, entry.name.ptr, target_name.ptr);
        }
    }
}

void
sq_temporary_file_sweep(int folder) {
    struct sq_entries *entries = NULL;
    int listed =
        sq_call_openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (listed < 0) {
        return;
    }
    if (sq_entries_create(&entries, NULL)) {
        sweep_entries(entries, listed);
        sq_entries_destroy(entries);
    }
    sq_call_close(listed);
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
    if (!sq_owner_lock_acquire(file.fd)) {
        sq_temporary_file_remove(folder, &file);
        errno = EAGAIN;
        return -1;
    }
    *out = file;
    return 0;
}

int
sq_temporary_file_create(int folder, struct sq_temporary_file *out) {
    sq_temporary_file_sweep(folder);
    int made = create_once(folder, out);
    for (int i = 1; made < 0 && errno == EAGAIN && i < MAX_TRIES; i++) {
        made = create_once(folder, out);
    }
    return made;
}

int
sq_temporary_file_set_target(int folder, struct sq_temporary_file *file,
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
sq_temporary_file_close(struct sq_temporary_file *file) {
    sq_call_close(file->fd);
}

void
sq_temporary_file_remove(int folder, struct sq_temporary_file *file) {
    sq_call_unlinkat(folder, file->name);
    sq_call_close(file->fd);
}
