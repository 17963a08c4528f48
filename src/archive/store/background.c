/* Computes fingerprints in a background thread. */
#include "archive/archive_private.h"

#include "archive/store/fingerprint.h"
#include "sys/call.h"
#include "sys/lock.h"
#include "sys/pool.h"
#include "util/mem.h"

/* The job ends if a picture or a lock takes longer. */
#define STEP_MS 60000

struct sq_background {
    struct sq_archive *archive;
    struct sq_side_thread thread;
    struct sq_lock *lock; /* guards the fields below */
    bool is_busy;
    struct sq_background_item *items;
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

struct sq_archive_computing
sq_background_progress(struct sq_background *background) {
    sq_lock_lock(background->lock);
    const struct sq_archive_computing progress = {
        .is_running = background->is_busy,
        .done = background->done,
        .all = background->count,
    };
    sq_lock_unlock(background->lock);
    return progress;
}

bool
sq_background_is_busy(struct sq_background *background) {
    return sq_background_progress(background).is_running;
}

static void
end_job(struct sq_background *background) {
    sq_lock_lock(background->lock);
    sq_mem_free(background->items);
    background->items = NULL;
    background->count = 0;
    background->done = 0;
    background->is_busy = false;
    sq_lock_unlock(background->lock);
}

static void
count_one(struct sq_background *background) {
    sq_lock_lock(background->lock);
    background->done++;
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
        ok = sq_archive_make_fingerprint(background->archive, &item->pick,
                                         &item->state, &deadline, &fingerprint,
                                         NULL);
        count_one(background);
    }
    const struct sq_deadline save_deadline = sq_deadline_in(STEP_MS, NULL);
    sq_archive_save_fingerprints(background->archive, &save_deadline);
    end_job(background);
}

void
sq_background_start(struct sq_background *background,
                    struct sq_background_item *items, size_t count) {
    sq_lock_lock(background->lock);
    bool is_free = !background->is_busy;
    if (is_free) {
        background->is_busy = true;
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
