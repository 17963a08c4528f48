/* Ignores full pictures of 0 bytes if the shot has a thumbnail. */
#include <stdio.h>

#include "archive/archive_private.h"
#include "sys/call.h"
#include "sys/open_beneath.h"

static bool
is_empty(const struct sq_root *root, const struct sq_archive_pick *pick) {
    char path[SQ_LAYOUT_PATH_SIZE + SQ_NAME_SIZE];
    char folder[SQ_LAYOUT_PATH_SIZE];
    struct stat st;
    bool is_inner = sq_layout_path(pick->place, folder) > 0;
    snprintf(path, sizeof(path), "%s%s%s", folder, is_inner ? "/" : "",
             pick->full);
    int fd = sq_open_beneath(root->fd, path);
    if (fd < 0) {
        return false; /* reading it reports the reason */
    }
    bool empty =
        sq_call_fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0;
    sq_call_close(fd);
    return empty;
}

bool
sq_archive_drop_empty(struct sq_archive *archive,
                      const struct sq_deadline *deadline,
                      struct sq_archive_pick *pick, struct sq_err *err) {
    struct sq_root *root = &archive->roots[pick->root];
    enum sq_archive_trouble trouble;
    if (!pick->full[0] || !pick->thumb[0]) {
        return true;
    }
    if (!sq_root_lock(root, deadline, err)) {
        return false;
    }
    bool ok = sq_root_open(root, deadline, &trouble, err);
    if (ok && trouble == SQ_ARCHIVE_TROUBLE_NONE && is_empty(root, pick)) {
        pick->shot.flags = (uint8_t)(pick->shot.flags & ~SQ_SHOT_FULL);
        pick->full[0] = '\0';
        pick->lost_full = true;
    }
    sq_root_unlock(root);
    return ok;
}
