/* Returns the fingerprints of many shots: stored ones, or computed ones. */
#include <stdio.h>

#include "archive/archive_private.h"
#include "archive/store/fingerprint.h"
#include "sys/call.h"
#include "sys/folder.h"
#include "sys/lock.h"
#include "util/mem.h"
#include "util/minmax.h"

/* The job ends if a picture or a lock takes longer. */
#define STEP_MS 60000
#define BATCH_FILES 256 /* files per locking of the root */
#define SAVE_EVERY 256  /* a killed process loses at most these */

/* One shot whose fingerprint is requested. */
struct item_state {
    struct sq_file_state state;
    bool is_done;
    bool is_fresh; /* the file may still be being written: not stored */
};

struct work {
    struct sq_archive *archive;
    const struct sq_archive_fingerprints_request *request;
    struct item_state *items;
    struct sq_image_fingerprint *out;
    size_t done;
};

static void
pick_at(const struct work *work, size_t index, struct sq_archive_pick *out) {
    const struct sq_archive_fingerprints_request *request = work->request;
    sq_archive_listing_pick(request->listing,
                            request->indexes ? request->indexes[index] : index,
                            out);
}

/*
 * Returns the path of the file to read, below its root; false if not permitted.
 */
static bool
file_path(const struct sq_archive_pick *pick, char out[SQ_ARCHIVE_FILE_SIZE]) {
    return sq_permission_allows(pick->permission).max_side > 0
        && sq_archive_path(pick, pick->thumb[0] ? pick->thumb : pick->full,
                           out);
}

static bool
store_path(const struct sq_root *root, char out[SQ_PATH_SIZE]) {
    if (!root->index_folder) {
        return false;
    }
    int len =
        snprintf(out, SQ_PATH_SIZE, "%s/prints-%016llx.index",
                 root->index_folder, (unsigned long long)root->owner.root);
    return len > 0 && len < SQ_PATH_SIZE;
}

/* Writes the store under the root's lock. It is a cache: it may fail. */
static void
save(struct sq_root *root, uint32_t at_least) {
    char path[SQ_PATH_SIZE];
    int folder;
    if (root->fingerprints.unsaved == 0 || root->fingerprints.unsaved < at_least
        || !store_path(root, path)
        || !sq_folder_open(root->index_folder, &folder, NULL)) {
        return;
    }
    sq_folder_close(folder);
    sq_image_fingerprint_store_save(&root->fingerprints, path, root->owner.root,
                                    NULL);
}

/* Looks up one shot. Its root must be open and locked. */
static bool
find_stored(struct work *work, size_t index,
            const struct sq_archive_pick *pick) {
    struct sq_root *root = &work->archive->roots[pick->root];
    struct item_state *item = &work->items[index];
    char path[SQ_ARCHIVE_FILE_SIZE];
    struct stat st;
    if (!file_path(pick, path) || sq_call_lstatat(root->fd, path, &st) < 0) {
        return true; /* stays unknown while the file is missing */
    }
    item->state = sq_file_state_of(path, &st);
    item->is_fresh = sq_completeness_is_fresh(item->state.mtime_ns);
    return sq_image_fingerprint_store_find(&root->fingerprints, &item->state,
                                           &work->out[index]);
}

/* Looks up some shots of one root, from *index on. */
static bool
find_stored_batch(struct work *work, size_t *index, struct sq_err *err) {
    struct sq_archive_pick pick;
    enum sq_archive_trouble trouble;
    char path[SQ_PATH_SIZE];
    pick_at(work, *index, &pick);
    int root_number = pick.root;
    struct sq_root *root = &work->archive->roots[root_number];
    if (!sq_root_enter(root, work->request->deadline, &trouble, err)) {
        return false;
    }
    bool ok = !store_path(root, path)
           || sq_image_fingerprint_store_load(&root->fingerprints, path,
                                              root->owner.root, err);
    size_t end = sq_min_size(*index + BATCH_FILES, work->request->count);
    while (ok && *index < end && pick.root == root_number
           && sq_deadline_check(work->request->soft_deadline, NULL)) {
        struct item_state *item = &work->items[*index];
        item->is_done = trouble != SQ_ARCHIVE_TROUBLE_NONE
                     || find_stored(work, *index, &pick);
        work->done += item->is_done;
        if (++*index < work->request->count) {
            pick_at(work, *index, &pick);
        }
    }
    sq_root_unlock(root);
    return ok;
}

/* Reads the thumbnail, or else the full picture. */
static bool
read_picture(struct sq_archive *archive, const struct sq_archive_pick *pick,
             const struct sq_deadline *deadline, struct sq_archive_file *file,
             struct sq_err *err) {
    bool ok = pick->thumb[0]
           && sq_archive_inspect(archive, pick, SQ_ARCHIVE_WANT_THUMB, deadline,
                                 file, err);
    bool try_full = !pick->thumb[0] || file->fault != SQ_ARCHIVE_FAULT_NONE;
    if (!ok && try_full && pick->full[0]) {
        ok = sq_archive_inspect(archive, pick, SQ_ARCHIVE_WANT_TO_SHRINK,
                                deadline, file, err);
    }
    return ok;
}

/*
 * Computes one fingerprint and stores it for that file state (unless NULL).
 * That of a picture that cannot be read is unknown.
 */
static bool
make_fingerprint(struct sq_archive *archive, const struct sq_archive_pick *pick,
                 const struct sq_file_state *state,
                 const struct sq_deadline *deadline,
                 struct sq_image_fingerprint *out, struct sq_err *err) {
    struct sq_root *root = &archive->roots[pick->root];
    struct sq_archive_file file = { 0 };
    struct sq_err local_err = { 0 };
    *out = (struct sq_image_fingerprint){ 0 };
    bool ok = read_picture(archive, pick, deadline, &file, &local_err)
           && sq_image_fingerprint_make(file.bytes.data, file.bytes.len,
                                        deadline, out, &local_err);
    sq_buf_finish(&file.bytes);
    if (!ok
        && (sq_is_fatal(local_err.code) || local_err.code == SQ_ERR_TIMEOUT
            || local_err.code == SQ_ERR_EXHAUSTED)) {
        return sq_fail_with(err, &local_err);
    }
    if (!state) {
        return true;
    }
    if (!sq_root_lock(root, deadline, err)) {
        return false;
    }
    ok = sq_image_fingerprint_store_put(&root->fingerprints, state, out, err);
    save(root, SAVE_EVERY);
    sq_root_unlock(root);
    return ok;
}

static bool
compute(struct work *work, size_t index, struct sq_err *err) {
    struct item_state *item = &work->items[index];
    struct sq_archive_pick pick;
    pick_at(work, index, &pick);
    if (!make_fingerprint(work->archive, &pick,
                          item->is_fresh ? NULL : &item->state,
                          work->request->deadline, &work->out[index], err)) {
        return false;
    }
    item->is_done = true;
    work->done++;
    if (work->request->report) {
        work->request->report(work->request->context, work->done,
                              work->request->count);
    }
    return true;
}

/*
 * Computes missing fingerprints: the first, then halves, quarters and so on, so
 * that at the time limit the known ones are evenly spread.
 */
static bool
compute_missing(struct work *work, struct sq_err *err) {
    size_t count = work->request->count;
    size_t step = 1;
    while (step < count) {
        step *= 2;
    }
    for (bool is_first = true; step > 0; step /= 2, is_first = false) {
        for (size_t i = is_first ? 0 : step; i < count;
             i += is_first ? step : 2 * step) {
            if (work->items[i].is_done) {
                continue;
            }
            if (!sq_deadline_check(work->request->deadline, err)) {
                return false;
            }
            if (!sq_deadline_check(work->request->soft_deadline, NULL)) {
                return true;
            }
            if (!compute(work, i, err)) {
                return false;
            }
        }
    }
    return true;
}

static void
save_all(struct sq_archive *archive, const struct sq_deadline *deadline) {
    for (size_t i = 0; i < archive->count; i++) {
        if (sq_root_lock(&archive->roots[i], deadline, NULL)) {
            save(&archive->roots[i], 1);
            sq_root_unlock(&archive->roots[i]);
        }
    }
}

struct sq_background {
    struct sq_archive *archive;
    struct sq_side_thread thread;
    struct sq_lock *lock;             /* guards the fields below */
    struct sq_background_item *items; /* of the running job; NULL: none */
    size_t count;
    size_t done; /* of the running job */
};

bool
sq_background_create(struct sq_archive *archive, struct sq_background **out,
                     struct sq_err *err) {
    struct sq_background *background = sq_mem_zalloc(1, sizeof(*background));
    if (!background) {
        return sq_fail_nomem(err);
    }
    background->archive = archive;
    if (!sq_side_thread_create(&background->thread, err)
        || !sq_lock_create(&background->lock, err)) {
        sq_background_destroy(background);
        return false;
    }
    *out = background;
    return true;
}

void
sq_background_destroy(struct sq_background *background) {
    if (!background) {
        return;
    }
    sq_side_thread_end(&background->thread);
    sq_lock_destroy(background->lock);
    sq_mem_free(background->items);
    sq_mem_free(background);
}

/* Ends the running job. */
static void
end_job(struct sq_background *background) {
    sq_lock_lock(background->lock);
    sq_mem_free(background->items);
    background->items = NULL;
    background->count = 0;
    background->done = 0;
    sq_lock_unlock(background->lock);
}

static void
run(void *context) {
    struct sq_background *background = context;
    bool ok = true;
    sq_call_lower_priority();
    for (size_t i = 0; ok && i < background->count; i++) {
        const struct sq_background_item *item = &background->items[i];
        const struct sq_deadline deadline =
            sq_deadline_in(STEP_MS, background->thread.cancel);
        struct sq_image_fingerprint fingerprint;
        ok = make_fingerprint(background->archive, &item->pick, &item->state,
                              &deadline, &fingerprint, NULL);
        sq_lock_lock(background->lock);
        background->done++;
        sq_lock_unlock(background->lock);
    }
    const struct sq_deadline save_deadline = sq_deadline_in(STEP_MS, NULL);
    save_all(background->archive, &save_deadline);
    end_job(background);
}

void
sq_background_start(struct sq_background *background,
                    struct sq_background_item *items, size_t count) {
    sq_lock_lock(background->lock);
    bool is_free = !background->items;
    if (is_free) {
        background->items = items;
        background->count = count;
    }
    sq_lock_unlock(background->lock);
    if (!is_free) {
        sq_mem_free(items);
    } else if (!sq_pool_submit(background->thread.pool, run, background,
                               NULL)) {
        end_job(background);
    }
}

struct sq_archive_computing
sq_archive_computing(struct sq_archive *archive) {
    struct sq_background *background = archive->background;
    sq_lock_lock(background->lock);
    const struct sq_archive_computing progress = {
        .is_running = background->items != NULL,
        .done = background->done,
        .all = background->count,
    };
    sq_lock_unlock(background->lock);
    return progress;
}

/*
 * Starts computing those that were looked up but not computed, in order, in the
 * background; returns whether that succeeded, or an earlier job still runs.
 */
static bool
continue_in_background(const struct work *work) {
    size_t all = work->request->count;
    size_t count = 0;
    struct sq_background_item *items = sq_mem_alloc(
        sq_min_size(all - work->done, SQ_BACKGROUND_MAX), sizeof(*items));
    for (size_t i = 0; items && i < all && count < SQ_BACKGROUND_MAX; i++) {
        const struct item_state *item = &work->items[i];
        if (!item->is_done && item->state.key && !item->is_fresh) {
            pick_at(work, i, &items[count].pick);
            items[count++].state = item->state;
        }
    }
    if (count == 0) {
        sq_mem_free(items);
        return false;
    }
    sq_background_start(work->archive->background, items, count);
    return sq_archive_computing(work->archive).is_running;
}

bool
sq_archive_fingerprints(struct sq_archive *archive,
                        const struct sq_archive_fingerprints_request *request,
                        struct sq_image_fingerprint *out,
                        struct sq_archive_compared *compared,
                        struct sq_err *err) {
    struct work work = { .archive = archive, .request = request, .out = out };
    for (size_t i = 0; i < request->count; i++) {
        out[i] = (struct sq_image_fingerprint){ 0 };
    }
    work.items = sq_mem_zalloc(request->count + 1, sizeof(*work.items));
    if (!work.items) {
        return sq_fail_nomem(err);
    }
    bool ok = true;
    for (size_t i = 0; ok && i < request->count
                       && sq_deadline_check(request->soft_deadline, NULL);) {
        ok = find_stored_batch(&work, &i, err);
    }
    ok = ok && compute_missing(&work, err);
    save_all(archive, request->deadline);
    if (ok) {
        *compared = (struct sq_archive_compared){
            request->count, work.done,
            work.done < request->count && continue_in_background(&work)
        };
    }
    sq_mem_free(work.items);
    return ok;
}
