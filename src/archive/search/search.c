/* Searches the indexes of all roots. */
#include "archive/search/search.h"

#include <stdio.h>
#include <stdlib.h>

#include <fcntl.h>

#include "archive/archive_private.h"
#include "sys/call.h"

bool
sq_search_path(struct sq_archive *archive, size_t root_number,
               const struct sq_deadline *deadline, char out[SQ_PATH_SIZE],
               struct sq_err *err) {
    struct sq_root *root = &archive->roots[root_number];
    enum sq_archive_trouble trouble;
    if (!root->index_folder || !sq_root_lock(root, deadline, err)) {
        return false;
    }
    bool ok = root->has_id || sq_root_open(root, deadline, &trouble, err);
    int len =
        snprintf(out, SQ_PATH_SIZE, "%s/text-%016llx.db", root->index_folder,
                 (unsigned long long)root->owner.root);
    ok = ok && root->has_id && len > 0 && len < SQ_PATH_SIZE;
    sq_root_unlock(root);
    return ok;
}

static bool
is_full(const struct sq_archive *archive, size_t root) {
    enum sq_archive_permission permission =
        archive->roots[root].config.permission;
    return sq_permission_allows(permission).max_side == SQ_ARCHIVE_ANY_SIDE;
}

/* Searches one root; its hits are added to those of the others. */
static bool
search_root(struct sq_archive *archive, size_t root,
            const struct sq_search_request *request, int wanted_rules,
            struct sq_search_result *out, struct sq_err *err) {
    const struct sq_deadline *deadline = request->deadline;
    char path[SQ_PATH_SIZE];
    struct sq_err local_err = { 0 };
    struct sq_search_store *store = NULL;
    struct sq_search_hit *hits = out->hits + out->count;
    size_t count = 0;
    bool has_more = false;
    bool ok = sq_search_path(archive, root, deadline, path, &local_err)
           && sq_search_store_open(path, false, deadline, &store, &local_err);
    if (!ok) {
        bool is_missing =
            local_err.code == SQ_ERR_NONE || local_err.code == SQ_ERR_NOT_FOUND;
        out->unindexed += is_missing;
        return is_missing || sq_fail_with(err, &local_err);
    }
    int rules = 0;
    ok = sq_search_store_rules(store, &rules, err);
    bool is_outdated = ok && wanted_rules && rules != wanted_rules;
    ok = ok
      && (is_outdated
          || sq_search_store_find(store, request, hits, &count, &has_more,
                                  err));
    sq_search_store_close(store);
    out->outdated += is_outdated;
    for (size_t i = 0; i < count; i++) {
        hits[i].pick.root = (int)root;
    }
    out->searched += !is_outdated;
    out->count += count;
    out->has_more = out->has_more || has_more;
    return ok;
}

static int
compare_newest(const void *a, const void *b) {
    const struct sq_search_hit *left = a;
    const struct sq_search_hit *right = b;
    return (left->pick.shot.utc < right->pick.shot.utc)
         - (left->pick.shot.utc > right->pick.shot.utc);
}

bool
sq_search_find(struct sq_archive *archive, const struct sq_redactor *redactor,
               const struct sq_search_request *request, struct sq_arena *arena,
               struct sq_search_result *out, struct sq_err *err) {
    size_t roots = sq_archive_root_count(archive);
    *out = (struct sq_search_result){ 0 };
    out->hits = sq_arena_alloc(arena, roots * request->max + 1,
                               sizeof(*out->hits), err);
    bool ok = out->hits != NULL;
    for (size_t i = 0; ok && i < roots; i++) {
        if (!is_full(archive, i)) {
            out->forbidden++;
            continue;
        }
        ok = search_root(archive, i, request,
                         redactor ? sq_redact_rules_id(redactor->rules) : 0,
                         out, err);
    }
    if (ok && out->searched > 1) {
        qsort(out->hits, out->count, sizeof(*out->hits), compare_newest);
    }
    if (ok && out->count > request->max) {
        out->count = request->max;
        out->has_more = true;
    }
    return ok;
}

bool
sq_search_delete(struct sq_archive *archive, const struct sq_deadline *deadline,
                 unsigned *removed, struct sq_err *err) {
    bool ok = true;
    *removed = 0;
    for (size_t i = 0; ok && i < sq_archive_root_count(archive); i++) {
        char path[SQ_PATH_SIZE];
        struct stat st;
        if (!sq_search_path(archive, i, deadline, path, NULL)) {
            continue;
        }
        *removed += sq_call_fstatat(AT_FDCWD, path, &st) == 0;
        ok = sq_search_store_delete(path, err);
    }
    return ok;
}
