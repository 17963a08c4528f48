/* Implements archives: their roots, and references to shots. */
#include "archive/archive.h"

#include <assert.h>
#include <fcntl.h>
#include <sodium.h>
#include <string.h>

#include "archive/archive_private.h"
#include "sys/call.h"
#include "sys/folder.h"
#include "util/mem.h"
#include "util/span.h"
#include "util/time_text.h"

#define CACHE_BYTES ((size_t)64 << 20) /* for cached shots of all roots */

/*
 * Returns whether a configured folder is a root of its own: it may be shown,
 * and none before it lists the same screenshots.
 */
static bool
is_root(const struct sq_covers *covers, const struct sq_cover_ids *ids,
        size_t number) {
    const struct sq_cover *cover = &covers->items[number];
    enum sq_archive_permission permission = cover->permission;
    for (size_t i = 0; i < number; i++) {
        const struct sq_cover *other = &covers->items[i];
        if (other->root >= 0 && strcmp(other->path, cover->path) == 0) {
            return false;
        }
    }
    /* A folder that cannot be examined may exist later. */
    sq_covers_limit(covers, ids, AT_FDCWD, cover->path, &permission);
    return permission != SQ_ARCHIVE_NONE
        && !sq_covers_is_foreign(covers, ids, ids->listed[number], -1);
}

static bool
init_roots(struct sq_archive *archive, const struct sq_archive_options *options,
           struct sq_err *err) {
    struct sq_covers *covers = &archive->covers;
    struct sq_cover_ids ids = { 0 };
    struct sq_root_options each = {
        .covers = covers,
        .hiding = &archive->hiding,
        .zone = options->zone,
        .max_bytes =
            CACHE_BYTES / (options->root_count ? options->root_count : 1),
        .index_folder = options->index_folder,
    };
    for (size_t i = 0; i < options->root_count; i++) {
        const struct sq_archive_root *folder = &options->roots[i];
        char *path = sq_mem_strdup(folder->path);
        if (!path) {
            return sq_fail_nomem(err);
        }
        covers->items[covers->count++] =
            (struct sq_cover){ path, folder->permission, -1 };
    }
    if (covers->count > 1) {
        sq_covers_find(covers, &ids);
    }
    for (size_t i = 0; i < covers->count; i++) {
        if (!is_root(covers, &ids, i)) {
            continue;
        }
        each.number = (int)archive->count;
        if (!sq_root_init(&archive->roots[archive->count], &options->roots[i],
                          &each, err)) {
            return false;
        }
        covers->items[i].root = each.number;
        archive->count++;
    }
    return true;
}

bool
sq_archive_create(const struct sq_archive_options *options,
                  struct sq_archive **out, struct sq_err *err) {
    if (options->root_count > SQ_ARCHIVE_MAX_ROOTS) {
        sq_fail(
            err, SQ_ERR_LIMIT,
            "%zu archive folders are configured, but at most %d are supported",
            options->root_count, SQ_ARCHIVE_MAX_ROOTS);
        return sq_fail_hint(
            err, "Configure a folder that contains several of them.");
    }
    if (sodium_init() < 0) {
        return sq_fail(err, SQ_ERR_IO,
                       "the system's random number generator is not available");
    }
    struct sq_archive *archive = sq_mem_zalloc(1, sizeof(*archive));
    if (!archive) {
        return sq_fail_nomem(err);
    }
    if (!sq_user_key_init(&archive->keys, options->key_folder, err)
        || !init_roots(archive, options, err)
        || !sq_background_create(archive, &archive->background, err)) {
        sq_archive_destroy(archive);
        return false;
    }
    *out = archive;
    return true;
}

void
sq_archive_destroy(struct sq_archive *archive) {
    if (!archive) {
        return;
    }
    sq_background_destroy(archive->background);
    for (size_t i = 0; i < archive->count; i++) {
        sq_root_finish(&archive->roots[i]);
    }
    for (size_t i = 0; i < archive->covers.count; i++) {
        sq_mem_free(archive->covers.items[i].path);
    }
    sq_user_key_finish(&archive->keys);
    sq_mem_free(archive);
}

size_t
sq_archive_root_count(const struct sq_archive *archive) {
    return archive->count;
}

const struct sq_archive_root *
sq_archive_root_at(const struct sq_archive *archive, size_t root) {
    assert(root < archive->count);
    return &archive->roots[root].config;
}

size_t
sq_archive_entry_count(const struct sq_archive *archive) {
    return archive->covers.count;
}

struct sq_archive_entry
sq_archive_entry_at(const struct sq_archive *archive, size_t index) {
    const struct sq_covers *covers = &archive->covers;
    const struct sq_cover *cover = &covers->items[index];
    struct sq_cover_ids ids = { 0 };
    struct sq_archive_entry entry = { cover->path, cover->permission,
                                      cover->permission, cover->root };
    sq_covers_find(covers, &ids);
    sq_covers_limit(covers, &ids, AT_FDCWD, cover->path, &entry.in_force);
    return entry;
}

int
sq_archive_root_named(const struct sq_archive *archive, struct sq_span name) {
    for (size_t i = 0; i < archive->count; i++) {
        if (sq_span_is(name, archive->roots[i].name)
            || sq_span_is(name, archive->roots[i].path)) {
            return (int)i;
        }
    }
    return SQ_ARCHIVE_ANY;
}

void
sq_archive_set_hide(struct sq_archive *archive, sq_archive_hide *hide,
                    void *context) {
    archive->hiding = (struct sq_root_hiding){ hide, context };
}

static uint64_t
stem_of(const struct sq_ref_key *key, const struct sq_archive_pick *pick) {
    const char *name = pick->full[0] ? pick->full : pick->thumb;
    return sq_ref_stem(key, sq_name_stem(sq_span_of(name)));
}

bool
sq_archive_ref(struct sq_archive *archive, const struct sq_archive_pick *pick,
               char out[SQ_REF_SIZE], struct sq_err *err) {
    assert(pick->root >= 0 && (size_t)pick->root < archive->count);
    const struct sq_ref_key *key;
    if (!sq_user_key_choose(&archive->keys, &key, err)) {
        return false;
    }
    const struct sq_ref ref = {
        .root = archive->roots[pick->root].id,
        .utc = pick->shot.utc,
        .monitor = pick->shot.monitor,
        .stem = stem_of(key, pick),
    };
    sq_ref_write(key, &ref, out);
    return true;
}

/* Finds the root of a reference; a root must be opened to know its id. */
static bool
find_root(struct sq_archive *archive, uint32_t id,
          const struct sq_deadline *deadline, int *out, struct sq_err *err) {
    for (size_t i = 0; i < archive->count; i++) {
        struct sq_root *root = &archive->roots[i];
        enum sq_archive_trouble trouble;
        if (!sq_root_lock(root, deadline, err)) {
            return false;
        }
        bool ok = root->has_id || sq_root_open(root, &trouble, err);
        bool found = ok && root->has_id && root->id == id;
        sq_root_unlock(root);
        if (!ok) {
            return false;
        }
        if (found) {
            *out = (int)i;
            return true;
        }
    }
    return true;
}

static bool
find_shot(const struct sq_ref_key *key,
          const struct sq_archive_listing *listing, uint64_t stem,
          struct sq_archive_pick *out) {
    for (size_t i = 0; i < listing->shots.count; i++) {
        struct sq_archive_pick pick;
        sq_archive_listing_pick(listing, i, &pick);
        if (stem_of(key, &pick) == stem) {
            *out = pick;
            return true;
        }
    }
    return false;
}

static bool
fail_unknown(struct sq_err *err) {
    sq_fail(err, SQ_ERR_UNKNOWN_SCREENSHOT,
            "no such ${screenshotRef|past screenshot}");
    return sq_fail_hint(err, "Use $list_screenshots to find valid ones.");
}

/* Says that the user's key was not loaded, so the reference may be valid. */
static bool
fail_unchecked(const struct sq_err *other_err, struct sq_err *err) {
    sq_fail_quoting(err, SQ_ERR_UNKNOWN_SCREENSHOT,
                    "this $screenshotRef cannot be checked: %.200s",
                    other_err->message);
    return sq_fail_hint(
        err,
        "Try again, or use $list_screenshots to find ones that are valid now.");
}

static bool
fail_gone(struct sq_err *err) {
    sq_fail(err, SQ_ERR_NOT_FOUND,
            "the screenshot of this $screenshotRef no longer exists");
    return sq_fail_hint(
        err, "It may have been deleted at the end of its retention time. Use "
             "$list_screenshots to see which ones remain.");
}

static bool
is_empty(const struct sq_root *root, const struct sq_archive_pick *pick) {
    char path[SQ_ARCHIVE_FILE_SIZE];
    struct stat st;
    int fd = sq_archive_path(pick, pick->full, path)
               ? sq_open_beneath(root->fd, path)
               : -1;
    if (fd < 0) {
        return false; /* reading it reports the reason */
    }
    bool empty =
        sq_call_fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 0;
    sq_call_close(fd);
    return empty;
}

/*
 * Clears the full picture of a shot if its file is empty and the shot also has
 * a thumbnail. Fails only if we are out of memory, time or descriptors.
 */
static bool
drop_empty(struct sq_archive *archive, const struct sq_deadline *deadline,
           struct sq_archive_pick *pick, struct sq_err *err) {
    struct sq_root *root = &archive->roots[pick->root];
    enum sq_archive_trouble trouble;
    if (!pick->full[0] || !pick->thumb[0]) {
        return true;
    }
    if (!sq_root_enter(root, deadline, &trouble, err)) {
        return false;
    }
    if (trouble == SQ_ARCHIVE_TROUBLE_NONE && is_empty(root, pick)) {
        pick->shot.flags = (uint8_t)(pick->shot.flags & ~SQ_SHOT_FULL);
        pick->full[0] = '\0';
        pick->lost_full = true;
    }
    sq_root_unlock(root);
    return true;
}

bool
sq_archive_resolve(struct sq_archive *archive, struct sq_span ref_text,
                   const struct sq_deadline *deadline,
                   struct sq_archive_pick *out, struct sq_err *err) {
    struct sq_ref ref;
    SQ_FREED(sq_archive_listing_finish)
    struct sq_archive_listing listing = { 0 };
    int root = SQ_ARCHIVE_ANY;
    const struct sq_ref_key *key;
    struct sq_err local_err = { 0 };
    if (!sq_user_key_read(&archive->keys, ref_text, &ref, &key, &local_err)) {
        return local_err.code == SQ_ERR_NONE ? fail_unknown(err)
                                             : fail_unchecked(&local_err, err);
    }
    if (!find_root(archive, ref.root, deadline, &root, err)) {
        return false;
    }
    if (root == SQ_ARCHIVE_ANY) {
        return fail_unknown(err);
    }
    const struct sq_archive_window window = {
        .from_utc = ref.utc,
        .to_utc = (int64_t)ref.utc + 1,
        .monitor = ref.monitor,
        .root = root,
    };
    if (!sq_archive_gather(archive, &window, deadline, &listing, err)) {
        return false;
    }
    bool found = find_shot(key, &listing, ref.stem, out);
    return found ? drop_empty(archive, deadline, out, err) : fail_gone(err);
}

bool
sq_archive_derive_key(struct sq_archive *archive, const char *label,
                      uint8_t out[32], struct sq_err *err) {
    const struct sq_ref_key *key;
    if (!sq_user_key_choose(&archive->keys, &key, err)) {
        return false;
    }
    crypto_generichash(out, 32, (const uint8_t *)label, strlen(label),
                       key->bytes, sizeof(key->bytes));
    return true;
}

static const struct {
    const char *name;
    struct sq_allowance allowance;
} permissions[SQ_ARCHIVE_PERMISSIONS] = {
    [SQ_ARCHIVE_NONE] = { "none", { false, 0 } },
    [SQ_ARCHIVE_METADATA] = { "metadata", { false, 0 } },
    [SQ_ARCHIVE_LABELS] = { "labels", { true, 0 } },
    [SQ_ARCHIVE_THUMBNAIL] = { "thumbnail", { true, SQ_ARCHIVE_THUMB_SIDE } },
    [SQ_ARCHIVE_FULL] = { "full", { true, SQ_ARCHIVE_ANY_SIDE } },
};

struct sq_allowance
sq_permission_allows(enum sq_archive_permission permission) {
    return permissions[permission].allowance;
}

const char *
sq_permission_name(enum sq_archive_permission permission) {
    return permissions[permission].name;
}

bool
sq_permission_take(char *path, enum sq_archive_permission *out,
                   struct sq_err *err) {
    char *equals = strrchr(path, '=');
    if (!equals || strchr(equals, '/')) {
        *out = SQ_ARCHIVE_FULL;
        return true;
    }
    for (int i = 0; i < SQ_ARCHIVE_PERMISSIONS; i++) {
        if (sq_span_is_word(sq_span_of(equals + 1), permissions[i].name)) {
            *equals = '\0';
            *out = (enum sq_archive_permission)i;
            return true;
        }
    }
    sq_fail(err, SQ_ERR_ARGUMENT,
            "\"%.40s\" after the archive folder %.200s is not a permission",
            equals + 1, path);
    return sq_fail_hint(err, "Use none, metadata, labels, thumbnail or full. "
                             "A folder with = in its name needs a / at its "
                             "end, as in a=b/.");
}
