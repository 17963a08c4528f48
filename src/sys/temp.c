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
usual_place(void) {
    const char *place = getenv("TMPDIR");
    return place && place[0] == '/' ? place : "/tmp";
}

static bool
is_ours(struct sq_span name) {
    return sq_span_take_prefix(&name, PREFIX)
        && name.len == SQ_RANDOM_NAME_SIZE - 1
        && strspn(name.ptr, "0123456789abcdef") == name.len;
}

/* Removes a folder, which holds at most the file, if its owner has ended. */
static void
sweep_folder(int place, const char *name, const char *file_name) {
    int folder = sq_call_openat(place, name, FOLDER_FLAGS | O_NOFOLLOW, 0);
    if (folder < 0) {
        return;
    }
    if (sq_claim_is_abandoned(folder)) {
        sq_call_unlinkat(folder, file_name);
        sq_call_rmdirat(place, name);
    }
    sq_call_close(folder);
}

/* Ignores every error: a folder that remains is tried again next time. */
static void
sweep(const char *file_name) {
    struct sq_entries *entries = NULL;
    struct sq_entry entry;
    int place = sq_call_openat(AT_FDCWD, usual_place(), FOLDER_FLAGS, 0);
    if (place < 0) {
        return;
    }
    if (sq_entries_create(&entries, NULL)) {
        sq_entries_start(entries, place);
        for (int i = 0; i < MAX_ENTRIES && sq_entries_next(entries, &entry);
             i++) {
            if (is_ours(entry.name)) {
                sweep_folder(place, entry.name.ptr, file_name);
            }
        }
        sq_entries_destroy(entries);
    }
    sq_call_close(place);
}

/*
 * Creates and locks the folder. Returns -1 and sets errno; there is no folder
 * then.
 */
static int
make_claimed(const char *folder) {
    if (sq_call_mkdirat(AT_FDCWD, folder) < 0) {
        return -1;
    }
    int claim = sq_call_openat(AT_FDCWD, folder, FOLDER_FLAGS | O_NOFOLLOW, 0);
    int number = errno;
    if (claim >= 0 && sq_claim_take(claim)) {
        return claim;
    }
    if (claim >= 0) {
        sq_call_close(claim);
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
                       usual_place(), name);
    int all = snprintf(temp.file, sizeof(temp.file), "%s/" PREFIX "%s/%s",
                       usual_place(), name, file_name);
    if (len < 0 || all < 0 || (size_t)all >= sizeof(temp.file)) {
        return sq_file_fail(usual_place(), true, ENAMETOOLONG, err);
    }
    sweep(file_name);
    temp.claim = make_claimed(temp.folder);
    if (temp.claim < 0) {
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
        sq_call_close(temp->claim);
        temp->folder[0] = '\0';
    }
}
