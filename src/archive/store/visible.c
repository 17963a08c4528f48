/*
 * Reads the folders of a root without what must not be shown. Listings, counts,
 * references and the health report all read folders here.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "archive/store/root.h"
#include "sys/call.h"
#include "util/mem.h"
#include "util/time_text.h"

#define FIRST_YEAR 1969
#define MAX_YEARS 256

int
sq_root_find_permission(struct sq_root *root) {
    root->permission = root->config.permission;
    if (root->covers->count < 2) {
        return 0;
    }
    int number = sq_covers_find(root->covers, &root->ids);
    return number != 0 ? number
                       : sq_covers_limit(root->covers, &root->ids, root->fd,
                                         ".", &root->permission);
}

/* What may be shown of a folder. */
struct sight {
    enum sq_archive_permission permission;
    bool is_foreign; /* another root lists its shots */
};

/* Finds what may be shown of a folder inside the root. Returns 0 or errno. */
static int
look(const struct sq_root *root, sq_place place, struct sight *out) {
    char path[SQ_LAYOUT_PATH_SIZE];
    struct stat st;
    *out = (struct sight){ root->permission, false };
    if (root->covers->count < 2) {
        return 0;
    }
    size_t len = sq_layout_path(place, path);
    if (len == 0 && sq_call_fstat(root->fd, &st) < 0) {
        return errno;
    }
    for (size_t i = 1; i <= len; i++) {
        char end = path[i];
        if (end && end != '/') {
            continue;
        }
        path[i] = '\0';
        int result = sq_call_lstatat(root->fd, path, &st);
        path[i] = end;
        if (result < 0) {
            return errno;
        }
        sq_covers_limit_one(root->covers, &root->ids, sq_folder_id_of(&st),
                            &out->permission);
    }
    out->is_foreign = sq_covers_is_foreign(root->covers, &root->ids,
                                           sq_folder_id_of(&st), root->number);
    return 0;
}

/*
 * Returns a copy of the contents of a folder without the hidden shots. Unknown
 * names are not counted in it: they may be those of hidden shots.
 */
static bool
copy_visible(struct sq_root *root, const struct sq_day *day, const bool *hidden,
             const struct sq_day **out, struct sq_err *err) {
    struct sq_day *copy = sq_mem_resize(root->visible, sq_day_bytes(day));
    if (!copy) {
        return sq_fail_nomem(err);
    }
    root->visible = copy;
    *copy = (struct sq_day){ .inner_count = day->inner_count,
                             .text_bytes = day->text_bytes };
    for (uint32_t i = 0; i < day->shot_count; i++) {
        if (!hidden[i]) {
            copy->shots[copy->shot_count++] = day->shots[i];
        }
    }
    /* Subfolders and names follow the shots. */
    memcpy(copy->shots + copy->shot_count, sq_day_inner(day),
           day->inner_count * sizeof(sq_place) + day->text_bytes);
    *out = copy;
    return true;
}

/* Returns in *out what may be shown of a folder's contents; NULL: nothing. */
static bool
filter(struct sq_root *root, const struct sight *sight,
       const struct sq_day *day, const struct sq_day **out,
       struct sq_err *err) {
    const struct sq_root_hiding *hiding = root->hiding;
    *out = day;
    if (!day || (!sight->is_foreign && !hiding->hide)) {
        return true;
    }
    bool *hidden = sq_mem_alloc((size_t)day->shot_count + 1, sizeof(*hidden));
    if (!hidden) {
        return sq_fail_nomem(err);
    }
    memset(hidden, true, day->shot_count);
    bool ok = (sight->is_foreign
               || hiding->hide(hiding->context, day->shots, day->shot_count,
                               hidden, root->deadline, err))
           && copy_visible(root, day, hidden, out, err);
    sq_mem_free(hidden);
    return ok;
}

/* Returns whether nothing in a folder or below it may be shown. */
static bool
is_hidden(const struct sight *sight, sq_place place) {
    return sight->permission == SQ_ARCHIVE_NONE
        || (sight->is_foreign && place == SQ_PLACE_ROOT);
}

bool
sq_root_day(struct sq_root *root, sq_place place, const struct sq_day **out,
            struct sq_err *err) {
    const struct sq_day *day = NULL;
    struct sight sight;
    *out = NULL;
    int number = look(root, place, &sight);
    if (number != 0) {
        root->unreadable += number != ENOENT && number != ENOTDIR;
        return number != ENOMEM || sq_fail_nomem(err);
    }
    root->day_permission = sight.permission;
    root->is_day_foreign = sight.is_foreign;
    root->has_foreign |= sight.is_foreign;
    return is_hidden(&sight, place)
             ? sq_deadline_check(root->deadline, err)
             : sq_root_read_day(root, place, &day, err)
                   && filter(root, &sight, day, out, err);
}

bool
sq_root_filter(struct sq_root *root, sq_place place, const struct sq_day *day,
               const struct sq_day **out, struct sq_err *err) {
    struct sight sight;
    *out = NULL;
    return look(root, place, &sight) != 0 || is_hidden(&sight, place)
        || filter(root, &sight, day, out, err);
}

bool
sq_root_shows(struct sq_root *root, struct sq_archive_pick *pick) {
    const struct sq_root_hiding *hiding = root->hiding;
    struct sight sight;
    bool is_excluded = look(root, pick->place, &sight) != 0 || sight.is_foreign;
    if (!is_excluded && hiding->hide
        && !hiding->hide(hiding->context, &pick->shot, 1, &is_excluded,
                         root->deadline, NULL)) {
        is_excluded = true;
    }
    pick->permission = is_excluded ? SQ_ARCHIVE_NONE : sight.permission;
    return pick->permission != SQ_ARCHIVE_NONE;
}

bool
sq_root_hides(const struct sq_root *root) {
    for (size_t i = 0; i < root->covers->count; i++) {
        if (root->covers->items[i].permission == SQ_ARCHIVE_NONE) {
            return true;
        }
    }
    return root->hiding->hide != NULL;
}

/* The folders of a root with shots that may be shown. */
struct folders {
    const struct sq_root *root;
    uint32_t days;
    bool years[MAX_YEARS]; /* from FIRST_YEAR on */
};

static bool
count_folder(void *context, sq_place place, const struct sq_day *day,
             struct sq_err *err) {
    struct folders *folders = context;
    char path[SQ_LAYOUT_PATH_SIZE];
    int32_t first;
    int32_t last;
    (void)err;
    /* Another configured folder is no secret. */
    bool is_shown = day->shot_count > 0 || folders->root->is_day_foreign;
    if (!is_shown || sq_layout_path(place, path) == 0) {
        return true;
    }
    sq_layout_days(place, &first, &last);
    if (strchr(path, '-')) {
        folders->days++;
    } else {
        int year = sq_date_from_days(first).year - FIRST_YEAR;
        folders->years[year & (MAX_YEARS - 1)] = true;
    }
    return true;
}

bool
sq_root_count_folders(struct sq_root *root, uint32_t *out, struct sq_err *err) {
    const int32_t always[2] = { INT32_MIN, INT32_MAX };
    struct folders folders = { .root = root };
    const struct sq_root_visitor visitor = { count_folder, &folders };
    struct sq_archive_count ignored = { 0 };
    if (!sq_root_walk(root, always, &visitor, &ignored, err)) {
        return false;
    }
    *out = folders.days;
    for (size_t i = 0; i < MAX_YEARS; i++) {
        *out += folders.years[i];
    }
    return true;
}

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
