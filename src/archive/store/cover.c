/* Decides which entry of the configuration holds for a folder. */
#include "archive/store/root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "sys/call.h"

#define MAX_DEPTH 256

struct sq_folder_id
sq_folder_id_of(const struct stat *st) {
    return (struct sq_folder_id){ (uint64_t)st->st_dev, (uint64_t)st->st_ino };
}

static bool
is_same(struct sq_folder_id a, struct sq_folder_id b) {
    return a.inode != 0 && a.inode == b.inode && a.device == b.device;
}

/* Returns whether no files can be reached by a path that fails like this. */
static bool
is_absent(int number) {
    return number == ENOENT || number == ENOTDIR || number == EACCES
        || number == ELOOP || number == ENAMETOOLONG;
}

static int
find_id(const char *path, bool follows, struct sq_folder_id *out) {
    struct stat st;
    int result = follows ? sq_call_fstatat(AT_FDCWD, path, &st)
                         : sq_call_lstatat(AT_FDCWD, path, &st);
    *out = (struct sq_folder_id){ 0 };
    if (result < 0) {
        return is_absent(errno) ? 0 : errno;
    }
    if (S_ISDIR(st.st_mode)) {
        *out = sq_folder_id_of(&st);
    }
    return 0;
}

int
sq_covers_find(const struct sq_covers *covers, struct sq_cover_ids *out) {
    int number = 0;
    for (size_t i = 0; number == 0 && i < covers->count; i++) {
        const struct sq_cover *cover = &covers->items[i];
        char inner[SQ_PATH_SIZE];
        number = find_id(cover->path, true, &out->folders[i]);
        out->listed[i] = (struct sq_folder_id){ 0 };
        int len = snprintf(inner, sizeof(inner), "%s/" SQ_SCREENSHOTS_FOLDER,
                           cover->path);
        if (number == 0 && out->folders[i].inode != 0
            && len < (int)sizeof(inner)) {
            number = find_id(inner, false, &out->listed[i]);
        }
        if (out->listed[i].inode == 0) {
            out->listed[i] = out->folders[i];
        }
    }
    return number;
}

void
sq_covers_limit_one(const struct sq_covers *covers,
                    const struct sq_cover_ids *ids, struct sq_folder_id id,
                    enum sq_archive_permission *permission) {
    for (size_t i = 0; i < covers->count; i++) {
        if (is_same(ids->folders[i], id)
            && covers->items[i].permission < *permission) {
            *permission = covers->items[i].permission;
        }
    }
}

int
sq_covers_limit(const struct sq_covers *covers, const struct sq_cover_ids *ids,
                int folder, const char *path,
                enum sq_archive_permission *permission) {
    char up[SQ_PATH_SIZE + 3 * MAX_DEPTH];
    struct sq_folder_id last = { 0 };
    size_t len = strlen(path);
    if (len >= SQ_PATH_SIZE) {
        return ENAMETOOLONG;
    }
    memcpy(up, path, len + 1);
    for (; len + 4 < sizeof(up); len += 3) {
        struct stat st;
        if (sq_call_fstatat(folder, up, &st) < 0) {
            return errno;
        }
        struct sq_folder_id id = sq_folder_id_of(&st);
        if (is_same(id, last)) {
            return 0; /* the parent of / is / */
        }
        sq_covers_limit_one(covers, ids, id, permission);
        last = id;
        memcpy(up + len, "/..", 4);
    }
    return ELOOP;
}

bool
sq_covers_is_foreign(const struct sq_covers *covers,
                     const struct sq_cover_ids *ids, struct sq_folder_id id,
                     int root) {
    int first = -1;
    bool is_own = false;
    for (size_t i = 0; i < covers->count; i++) {
        if (covers->items[i].root >= 0 && is_same(ids->listed[i], id)) {
            first = first < 0 ? covers->items[i].root : first;
            is_own = is_own || covers->items[i].root == root;
        }
    }
    return first >= 0 && (!is_own || first < root);
}
