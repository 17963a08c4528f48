/* Compares the pictures of a listing by their fingerprints. */
#include "tools/archive/shot_query.h"
#include "util/mem.h"

/*
 * Time limit of comparing pictures; at most half of the call's remaining time.
 */
#define COMPARE_MS 10000

/* Reports the progress of comparing as a part of the whole call. */
static void
report_progress(void *context, size_t done, size_t all) {
    struct sq_call *call = context;
    if (call->progress) {
        call->progress(call, (double)done, (double)(all + SQ_SHOT_QUERY_MAX),
                       "comparing pictures");
    }
}

bool
sq_compare_sample(struct sq_call *call, const struct sq_shots *all,
                  struct sq_compare_sample *out, struct sq_err *err) {
    size_t count = all->count < SQ_COMPARE_MAX ? all->count : SQ_COMPARE_MAX;
    struct sq_shot *items =
        sq_arena_alloc(call->arena, count + 1, sizeof(*items), err);
    uint32_t *indexes =
        sq_arena_alloc(call->arena, count + 1, sizeof(*indexes), err);
    if (!items || !indexes) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        indexes[i] = (uint32_t)(i * all->count / count);
        items[i] = all->items[indexes[i]];
    }
    *out = (struct sq_compare_sample){ { items, count }, indexes };
    return true;
}

/* Keeps the shots of the first monitor: a switch would look like a change. */
static bool
first_monitor(struct sq_call *call, const struct sq_compare_sample *sample,
              struct sq_compare_sample *out, struct sq_err *err) {
    const struct sq_shots *all = &sample->shots;
    struct sq_shot *items =
        sq_arena_alloc(call->arena, all->count + 1, sizeof(*items), err);
    uint32_t *at =
        sq_arena_alloc(call->arena, all->count + 1, sizeof(*at), err);
    if (!items || !at) {
        return false;
    }
    uint8_t first = UINT8_MAX;
    for (size_t i = 0; i < all->count; i++) {
        first = all->items[i].monitor < first ? all->items[i].monitor : first;
    }
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].monitor == first) {
            at[count] = sample->indexes[i];
            items[count++] = all->items[i];
        }
    }
    *out = (struct sq_compare_sample){ { items, count }, at };
    return true;
}

bool
sq_compare_all(struct sq_call *call, struct sq_shot_query *query,
               const struct sq_compare_sample *sample,
               struct sq_image_fingerprint **out, struct sq_err *err) {
    size_t count = sample->shots.count;
    int half_ms = sq_deadline_left_ms(&call->deadline) / 2;
    const struct sq_deadline soft_deadline = sq_deadline_within(
        &call->deadline, half_ms < COMPARE_MS ? half_ms : COMPARE_MS);
    const struct sq_archive_fingerprints_request request = {
        .listing = &query->listing,
        .indexes = sample->indexes,
        .count = count,
        .deadline = &call->deadline,
        .soft_deadline = &soft_deadline,
        .report = report_progress,
        .context = call,
    };
    if (count == 0) {
        return true;
    }
    struct sq_image_fingerprint *fingerprints =
        sq_mem_zalloc(count, sizeof(*fingerprints));
    if (!fingerprints) {
        return sq_fail_nomem(err);
    }
    if (!sq_archive_fingerprints(call->past->archive, &request, fingerprints,
                                 &query->compared, err)) {
        sq_mem_free(fingerprints);
        return false;
    }
    *out = fingerprints;
    return true;
}

bool
sq_compare_scenes(struct sq_call *call, struct sq_shot_query *query,
                  struct sq_err *err) {
    struct sq_compare_sample sample;
    struct sq_image_fingerprint *fingerprints = NULL;
    sq_segments_init(&query->segments);
    if (!sq_compare_sample(call, &query->listing.shots, &sample, err)
        || !first_monitor(call, &sample, &sample, err)
        || !sq_compare_all(call, query, &sample, &fingerprints, err)) {
        return false;
    }
    bool ok =
        sq_scenes_find(&sample.shots, fingerprints, &query->segments, err);
    sq_segments_merge(&query->segments);
    sq_mem_free(fingerprints);
    return ok;
}
