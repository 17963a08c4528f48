/* Creates and removes private temporary folders. */
#include "sys/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sys/call.h"
#include "sys/entries.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "sys/owner_lock.h"

#define PREFIX "squint-"
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define MAX_ENTRIES 1000000 /* entries read per sweep */

static const char *
temporary_folder(void) {
    const char *parent = getenv("TMPDIR");
    return parent && parent[0] == '/' ? parent : "/tmp";
}

static bool
is_ours(struct sq_span name) {
    return sq_span_take_prefix(&name, PREFIX)
        && name.len == SQ_RANDOM_NAME_SIZE - 1
        && strspn(name.ptr, "0123456789abcdef") == name.len;
}

/* Removes a folder, which holds at most the file, if its owner has ended. */
static void
remove_if_abandoned(int parent, const char *name, const char *file_name) {
    int folder = sq_call_openat(parent, name, FOLDER_FLAGS | O_NOFOLLOW, 0);
    if (folder < 0) {
        return;
    }
    if (sq_owner_lock_is_abandoned(folder)) {
        sq_call_unlinkat(folder, file_name);
        sq_call_rmdirat(parent, name);
    }
    sq_call_close(folder);
}

/* Ignores every error: a folder that remains is tried again next time. */
static void
remove_abandoned(const char *file_name) {
    struct sq_entries *entries = NULL;
    struct sq_entry entry;
    int parent = sq_call_openat(AT_FDCWD, temporary_folder(), FOLDER_FLAGS, 0);
    if (parent < 0) {
        return;
    }
    if (sq_entries_create(&entries, NULL)) {
        sq_entries_start(entries, parent);
        for (int i = 0; i < MAX_ENTRIES && sq_entries_next(entries, &entry);
             i++) {
            if (is_ours(entry.name)) {
                remove_if_abandoned(parent, entry.name.ptr, file_name);
            }
        }
        sq_entries_destroy(entries);
    }
    sq_call_close(parent);
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
    if (lock_fd >= 0 && sq_owner_lock_acquire(lock_fd)) {
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
                       temporary_folder(), name);
    int all = snprintf(temp.file, sizeof(temp.file), "%s/" PREFIX "%s/%s",
                       temporary_folder(), name, file_name);
    if (len < 0 || all < 0 || (size_t)all >= sizeof(temp.file)) {
        return sq_file_fail(temporary_folder(), true, ENAMETOOLONG, err);
    }
    remove_abandoned(file_name);
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
        sq_call_unlinkat(AT_FDCWD, temp->file);
        sq_call_rmdirat(AT_FDCWD, temp->folder);
        sq_call_close(temp->lock_fd);
        temp->folder[0] = '\0';
    }
}
