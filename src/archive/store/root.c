/* Manages one root folder of an archive. */
#include "archive/store/root.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "sys/call.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "sys/folder.h"
#include "util/mem.h"

#define MAX_TODO ((size_t)16 << 20)
#define FOLDER_FLAGS (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define NS_PER_S 1000000000

/*
 * File timestamps are coarse: a folder read this soon after a change may change
 * again without a different stamp.
 */
#define RACY_NS ((int64_t)2 * NS_PER_S)

/* At exit, fewer new folders than this are not worth writing the index. */
#define SAVE_AT_EXIT 16

/* Used by ManicTime; below those of screenpipe and aw-watcher-screenshot. */
static const char screenshots[] = SQ_SCREENSHOTS_FOLDER;
static const char *const known_subfolders[] = { "data", "cache" };

static const char *
last_piece(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

bool
sq_root_init(struct sq_root *root, const struct sq_archive_root *config,
             const struct sq_root_options *options, struct sq_err *err) {
    *root = (struct sq_root){
        .fd = -1,
        .index = { .fd = -1 },
        .covers = options->covers,
        .hiding = options->hiding,
        .number = options->number,
    };
    sq_day_cache_init(&root->cache, options->max_bytes);
    root->path = sq_mem_strdup(config->path);
    root->name =
        sq_mem_strdup(config->name ? config->name : last_piece(config->path));
    if (options->index_folder) {
        root->index_folder = sq_mem_strdup(options->index_folder);
    }
    if (!root->path || !root->name
        || (options->index_folder && !root->index_folder)) {
        sq_root_finish(root);
        return sq_fail_nomem(err);
    }
    if (!sq_lock_create(&root->lock, err)
        || !sq_day_reader_create(options->zone, &root->reader, err)) {
        sq_root_finish(root);
        return false;
    }
    root->config =
        (struct sq_archive_root){ root->path, root->name, config->permission };
    root->owner = (struct sq_index_owner){
        .zone = options->index_folder ? sq_index_zone(options->zone) : 0,
        .names = sq_name_table_version(),
    };
    return true;
}

static void
close_folder(struct sq_root *root) {
    if (root->fd >= 0) {
        sq_call_close(root->fd);
        root->fd = -1;
    }
}

void
sq_root_finish(struct sq_root *root) {
    if (!root->path && !root->name && !root->index_folder) {
        return;
    }
    sq_root_save(root, SAVE_AT_EXIT, NULL);
    close_folder(root);
    sq_index_close(&root->index);
    sq_day_cache_finish(&root->cache);
    sq_file_table_finish(&root->checked);
    sq_image_fingerprint_store_finish(&root->fingerprints);
    sq_day_reader_destroy(root->reader);
    sq_lock_destroy(root->lock);
    sq_mem_free(root->todo);
    sq_mem_free(root->visible);
    sq_mem_free(root->index_folder);
    sq_mem_free(root->name);
    sq_mem_free(root->path);
    *root = (struct sq_root){ .fd = -1, .index = { .fd = -1 } };
}

bool
sq_root_lock(struct sq_root *root, const struct sq_deadline *deadline,
             struct sq_err *err) {
    if (!sq_lock_acquire(root->lock, deadline, err)) {
        return false;
    }
    root->generation++;
    root->deadline = deadline;
    return true;
}

void
sq_root_unlock(struct sq_root *root) {
    sq_lock_unlock(root->lock);
}

/* Returns a hash of the folder's identity and its last change. */
static uint64_t
stamp_of(const struct stat *st) {
    uint64_t mixed = (uint64_t)sq_file_mtime_ns(st) * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (uint64_t)st->st_ino) * 0xc2b2ae3d27d4eb4f;
    return (mixed ^ (uint64_t)st->st_dev) * 0x165667b19e3779f9;
}

static bool
is_racy(const struct stat *st) {
    return sq_clock_wall_ns() - sq_file_mtime_ns(st) < RACY_NS;
}

static enum sq_archive_trouble
trouble_of(int number) {
    switch (number) {
    case ENOENT:
        return SQ_ARCHIVE_TROUBLE_MISSING;
    case ENOTDIR:
    case ELOOP:
    case ENAMETOOLONG:
        return SQ_ARCHIVE_TROUBLE_NO_FOLDER;
    case EACCES:
    case EPERM:
        return SQ_ARCHIVE_TROUBLE_FORBIDDEN;
    default:
        return SQ_ARCHIVE_TROUBLE_UNREADABLE;
    }
}

/* Enters a subfolder of the open folder, if it exists. Returns 0 or errno. */
static int
enter_subfolder(struct sq_root *root, const char *name) {
    int subfolder =
        sq_call_openat(root->fd, name, FOLDER_FLAGS | O_NOFOLLOW, 0);
    if (subfolder < 0) {
        return errno;
    }
    sq_call_close(root->fd);
    root->fd = subfolder;
    root->generation++; /* places now refer to other folders */
    return 0;
}

/*
 * Finds the date folders without reading the root: a root that changes every
 * minute must not be read again for every opened file.
 */
static int
find_date_folders(struct sq_root *root) {
    int number = enter_subfolder(root, screenshots);
    if (number == 0) {
        root->subfolder = screenshots;
    } else if (!sq_is_out_of_descriptors(number) && root->subfolder) {
        number = enter_subfolder(root, root->subfolder);
    }
    if (number == 0) {
        root->subfolders_checked = true;
        return 0;
    }
    if (sq_is_out_of_descriptors(number)) {
        return number;
    }
    root->subfolder = NULL;
    root->subfolders_checked = root->had_shots;
    return 0;
}

/* Reopens the root. Returns 0 or errno. */
static int
reopen(struct sq_root *root) {
    struct stat st;
    if (sq_call_fstatat(AT_FDCWD, root->path, &st) < 0) {
        int number = errno;
        close_folder(root);
        return number;
    }
    uint64_t now = stamp_of(&st);
    if (root->fd >= 0 && root->root_stamp == now) {
        return 0;
    }
    close_folder(root);
    root->fd = sq_call_openat(AT_FDCWD, root->path, FOLDER_FLAGS, 0);
    if (root->fd < 0) {
        return errno;
    }
    if (!root->has_id) {
        /* Of the real path, so that the id is the same in every process. */
        char resolved[SQ_PATH_SIZE];
        uint8_t hash[crypto_generichash_BYTES_MIN];
        const char *path =
            sq_call_realpath(root->path, resolved) ? resolved : root->path;
        crypto_generichash(hash, sizeof(hash), (const uint8_t *)path,
                           strlen(path), NULL, 0);
        memcpy(&root->owner.root, hash, sizeof(root->owner.root));
        root->id = (uint32_t)root->owner.root;
        root->has_id = true;
    }
    int number = find_date_folders(root);
    if (number != 0) {
        close_folder(root);
        return number;
    }
    root->root_stamp = is_racy(&st) ? 0 : now;
    return 0;
}

static bool
open_index(struct sq_root *root, struct sq_err *err) {
    if (root->index_tried || !root->index_folder) {
        return true;
    }
    int len = snprintf(root->index_path, sizeof(root->index_path),
                       "%s/archive-%016llx.index", root->index_folder,
                       (unsigned long long)root->owner.root);
    if (len >= (int)sizeof(root->index_path)) {
        root->index_path[0] = '\0';
    }
    root->index_tried =
        sq_index_open(root->index_path, &root->owner, &root->index, err);
    return root->index_tried;
}

/*
 * If the folder has neither shots nor date folders, searches known subfolders.
 */
static bool
search_subfolders(struct sq_root *root, struct sq_err *err) {
    const struct sq_day *day;
    if (root->subfolders_checked) {
        return true;
    }
    if (!sq_root_read_day(root, SQ_PLACE_ROOT, &day, err)) {
        return false;
    }
    root->subfolders_checked = true;
    root->had_shots = day && (day->shot_count || day->inner_count);
    size_t count = SQ_COUNT(known_subfolders);
    for (size_t i = 0; day && !root->had_shots && !root->subfolder && i < count;
         i++) {
        root->subfolder = enter_subfolder(root, known_subfolders[i]) == 0
                            ? known_subfolders[i]
                            : NULL;
    }
    return true;
}

bool
sq_root_open(struct sq_root *root, enum sq_archive_trouble *trouble,
             struct sq_err *err) {
    int number = reopen(root);
    if (sq_is_out_of_descriptors(number)) {
        errno = number;
        return sq_errno_fail(err, "open a folder of screenshots");
    }
    *trouble = number == 0 ? SQ_ARCHIVE_TROUBLE_NONE : trouble_of(number);
    if (*trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        return true;
    }
    if (!open_index(root, err) || !search_subfolders(root, err)) {
        return false;
    }
    number = sq_root_find_permission(root);
    *trouble = number != 0                         ? trouble_of(number)
             : root->permission == SQ_ARCHIVE_NONE ? SQ_ARCHIVE_TROUBLE_MISSING
                                                   : SQ_ARCHIVE_TROUBLE_NONE;
    return true;
}

bool
sq_root_enter(struct sq_root *root, const struct sq_deadline *deadline,
              enum sq_archive_trouble *trouble, struct sq_err *err) {
    if (!sq_root_lock(root, deadline, err)) {
        return false;
    }
    root->opened = 0;
    if (!sq_root_open(root, trouble, err)) {
        sq_root_unlock(root);
        return false;
    }
    return true;
}

/* Gets the status of a folder without opening it; -1 and errno on failure. */
static int
stat_place(const struct sq_root *root, sq_place place, struct stat *st) {
    char path[SQ_LAYOUT_PATH_SIZE];
    return sq_layout_path(place, path) == 0
             ? sq_call_fstat(root->fd, st)
             : sq_call_lstatat(root->fd, path, st);
}

int
sq_root_open_place(const struct sq_root *root, sq_place place) {
    char path[SQ_LAYOUT_PATH_SIZE];
    return sq_layout_path(place, path) == 0
             ? sq_call_openat(root->fd, ".", FOLDER_FLAGS, 0)
             : sq_open_folder_beneath(root->fd, path);
}

static bool
cache_day(struct sq_root *root, const struct sq_day_cache_slot *slot,
          const struct sq_day **out, struct sq_err *err) {
    if (!sq_day_cache_put(&root->cache, slot, err)) {
        return false;
    }
    *out = slot->day;
    return true;
}

/* Returns the cached or indexed contents if still valid; else *out is NULL. */
static bool
find_cached(struct sq_root *root, sq_place place, const struct sq_day **out,
            struct sq_err *err) {
    struct stat st;
    struct sq_day_cache_slot *slot = sq_day_cache_find(&root->cache, place);
    *out = slot && slot->generation == root->generation ? slot->day : NULL;
    if (*out || (!slot && root->index.count == 0) || (slot && slot->racy)
        || stat_place(root, place, &st) < 0) {
        return true;
    }
    uint64_t stamp = stamp_of(&st);
    if (slot && slot->stamp == stamp) {
        slot->generation = root->generation;
        *out = slot->day;
        return true;
    }
    const struct sq_index_slot *indexed =
        sq_index_find(&root->index, place, stamp);
    struct sq_day_cache_slot fresh = { .place = place,
                                       .stamp = stamp,
                                       .generation = root->generation };
    return !indexed || !sq_index_read(&root->index, indexed, &fresh.day)
        || cache_day(root, &fresh, out, err);
}

/* Returns whether an error ends the call, not only the reading of a folder. */
static bool
ends_call(const struct sq_err *err) {
    return err->code == SQ_ERR_NOMEM || err->code == SQ_ERR_TIMEOUT
        || err->code == SQ_ERR_CANCELLED || err->code == SQ_ERR_EXHAUSTED;
}

static bool
read_folder(struct sq_root *root, int folder, sq_place place,
            const struct sq_day **out, struct sq_err *err) {
    struct stat st;
    struct sq_err local_err = { 0 };
    struct sq_day_cache_slot slot = { .place = place,
                                      .generation = root->generation };
    /* Take the stamp before reading: a change during it is detected later. */
    if (sq_call_fstat(folder, &st) < 0) {
        root->unreadable++;
        return true;
    }
    slot.stamp = stamp_of(&st);
    slot.racy = is_racy(&st);
    if (sq_day_read(root->reader, folder, place, root->deadline, &slot.day,
                    &local_err)) {
        root->unsaved += !slot.racy;
        return cache_day(root, &slot, out, err);
    }
    if (ends_call(&local_err)) {
        return sq_fail_with(err, &local_err);
    }
    root->unreadable++;
    return true;
}

bool
sq_root_read_day(struct sq_root *root, sq_place place,
                 const struct sq_day **out, struct sq_err *err) {
    if (!sq_deadline_check(root->deadline, err)
        || !find_cached(root, place, out, err)) {
        return false;
    }
    if (*out) {
        return true;
    }
    int folder = sq_root_open_place(root, place);
    if (folder < 0) {
        int number = errno;
        if (sq_is_out_of_descriptors(number)) {
            return sq_errno_fail(err, "open a folder of screenshots");
        }
        sq_day_cache_drop(&root->cache, place);
        root->unreadable += number != ENOENT && number != ENOTDIR;
        return number != ENOMEM || sq_fail_nomem(err);
    }
    root->opened++;
    bool ok = read_folder(root, folder, place, out, err);
    sq_call_close(folder);
    return ok;
}

static bool
overlaps(sq_place place, const int32_t days[2]) {
    int32_t first;
    int32_t last;
    sq_layout_days(place, &first, &last);
    /* File names are in local time, up to a day away from UTC. */
    return (int64_t)first - 1 <= days[1] && (int64_t)last + 1 >= days[0];
}

static bool
push(struct sq_root *root, sq_place place, struct sq_err *err) {
    if (root->todo_count == MAX_TODO
        || !sq_mem_grow(&root->todo, &root->todo_capacity, root->todo_count + 1,
                        sizeof(*root->todo))) {
        return sq_fail_nomem(err);
    }
    root->todo[root->todo_count++] = place;
    return true;
}

static bool
push_overlapping(struct sq_root *root, const struct sq_day *day,
                 const int32_t days[2], struct sq_err *err) {
    const sq_place *subfolder = sq_day_inner(day);
    bool ok = true;
    for (uint32_t i = 0; ok && i < day->inner_count; i++) {
        ok = !overlaps(subfolder[i], days) || push(root, subfolder[i], err);
    }
    return ok;
}

bool
sq_root_walk(struct sq_root *root, const int32_t days[2],
             const struct sq_root_visitor *visitor,
             struct sq_archive_count *count, struct sq_err *err) {
    root->unreadable = 0;
    root->todo_count = 0;
    bool ok = push(root, SQ_PLACE_ROOT, err);
    for (size_t i = 0; ok && i < root->todo_count; i++) {
        const struct sq_day *day;
        sq_place place = root->todo[i];
        ok = sq_root_day(root, place, &day, err);
        count->folders++;
        if (ok && day) {
            count->unparsed += day->unparsed;
            size_t end;
            size_t start = sq_day_own(day, place, &end);
            count->misfiled += day->shot_count - (uint32_t)(end - start);
            ok = push_overlapping(root, day, days, err)
              && visitor->visit(visitor->context, place, day, err);
        }
    }
    count->unreadable = root->unreadable;
    return ok;
}

/*
 * Takes the first or last shot of a folder if it is beyond the one found so
 * far. Returns whether the folder has shots.
 */
static bool
update_edge(sq_place place, const struct sq_day *day, bool newest,
            struct sq_shot *out, bool *found) {
    size_t to;
    size_t from = sq_day_own(day, place, &to);
    if (from >= to) {
        return false;
    }
    const struct sq_shot *edge = &day->shots[newest ? to - 1 : from];
    if (!*found || (newest ? edge->utc > out->utc : edge->utc < out->utc)) {
        *out = *edge;
        *found = true;
    }
    return true;
}

/* Pushes the subfolders, so that the outermost date is visited first. */
static bool
push_all(struct sq_root *root, const struct sq_day *day, bool newest,
         struct sq_err *err) {
    const sq_place *subfolder = sq_day_inner(day);
    bool ok = true;
    for (uint32_t i = 0; ok && i < day->inner_count; i++) {
        ok = push(root, subfolder[newest ? i : day->inner_count - 1 - i], err);
    }
    return ok;
}

bool
sq_root_edge(struct sq_root *root, bool newest, struct sq_shot *out,
             bool *found, struct sq_err *err) {
    struct sq_shot edge = { 0 };
    bool any = false;
    bool done = false;
    root->todo_count = 0;
    bool ok = push(root, SQ_PLACE_ROOT, err);
    while (ok && !done && root->todo_count > 0) {
        const struct sq_day *day;
        sq_place place = root->todo[--root->todo_count];
        ok = sq_root_day(root, place, &day, err);
        if (ok && day) {
            bool has_shots = update_edge(place, day, newest, &edge, &any);
            done = has_shots && place != SQ_PLACE_ROOT;
            ok = push_all(root, day, newest, err);
        }
    }
    if (ok) {
        *out = any ? edge : *out;
        *found = any;
    }
    return ok;
}

bool
sq_root_save(struct sq_root *root, uint32_t at_least, struct sq_err *err) {
    int folder;
    if (!root->index_path[0] || root->unsaved < at_least
        || root->unsaved == 0) {
        return true;
    }
    if (!sq_folder_open(root->index_folder, &folder, err)) {
        return false;
    }
    sq_folder_close(folder);
    if (!sq_index_write(root->index_path, &root->owner, &root->cache,
                        &root->index, err)) {
        return false;
    }
    root->unsaved = 0;
    sq_index_close(&root->index);
    root->index_tried = false;
    return true;
}

bool
sq_root_visit(struct sq_root *root, const struct sq_root_visitor *visitor,
              const struct sq_deadline *deadline,
              struct sq_archive_count *count, struct sq_err *err) {
    const int32_t always[2] = { INT32_MIN, INT32_MAX };
    if (!sq_root_enter(root, deadline, &count->trouble, err)) {
        return false;
    }
    bool ok = count->trouble != SQ_ARCHIVE_TROUBLE_NONE
           || sq_root_walk(root, always, visitor, count, err);
    /* The index is only a cache: a failed write is ignored. */
    sq_root_save(root, 1, NULL);
    sq_root_unlock(root);
    return ok;
}
