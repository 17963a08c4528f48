/* Searches the indexes of all roots. */
#include "archive/search/search.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/search/search_private.h"
#include "archive/state.h"
#include "sys/call.h"
#include "sys/errno_text.h"

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

bool
sq_search_open_folder(struct sq_archive *archive, size_t root_number,
                      const struct sq_deadline *deadline, int *fd,
                      enum sq_archive_trouble *trouble, struct sq_err *err) {
    struct sq_root *root = &archive->roots[root_number];
    *fd = -1;
    if (!sq_root_lock(root, deadline, err)) {
        return false;
    }
    bool ok = sq_root_open(root, deadline, trouble, err);
    if (ok && *trouble == SQ_ARCHIVE_TROUBLE_NONE) {
        *fd = sq_call_dup(root->fd);
        ok = *fd >= 0 || sq_errno_fail(err, "open the folder of screenshots");
    }
    sq_root_unlock(root);
    return ok;
}

bool
sq_search_state_of(int folder, struct sq_span path,
                   struct sq_search_state *out) {
    struct stat st;
    char name[SQ_ARCHIVE_FILE_SIZE];
    if (path.len >= sizeof(name)) {
        return false;
    }
    memcpy(name, path.ptr, path.len);
    name[path.len] = '\0';
    if (sq_call_lstatat(folder, name, &st) < 0) {
        return false;
    }
    *out = (struct sq_search_state){ (int64_t)st.st_size,
                                     sq_archive_mtime_ns(&st) };
    return true;
}

void
sq_search_state_write(const struct sq_search_state *state,
                      char out[SQ_SEARCH_STATE_SIZE]) {
    snprintf(out, SQ_SEARCH_STATE_SIZE, "%" PRId64 " %" PRId64, state->size,
             state->mtime_ns);
}

bool
sq_search_has_changed(struct sq_archive *archive,
                      const struct sq_archive_pick *pick, const char *state,
                      const struct sq_deadline *deadline, bool *out,
                      struct sq_err *err) {
    char path[SQ_ARCHIVE_FILE_SIZE];
    char text[SQ_SEARCH_STATE_SIZE];
    struct sq_search_state now;
    enum sq_archive_trouble trouble;
    int folder;
    *out = false;
    if (!state[0] || !pick->full[0]
        || !sq_archive_path(pick, pick->full, path)) {
        return true;
    }
    if (!sq_search_open_folder(archive, (size_t)pick->root, deadline, &folder,
                               &trouble, err)) {
        return false;
    }
    if (folder >= 0 && sq_search_state_of(folder, sq_span_of(path), &now)) {
        sq_search_state_write(&now, text);
        *out = strcmp(text, state) != 0;
    }
    if (folder >= 0) {
        sq_call_close(folder);
    }
    return true;
}

bool
sq_search_is_permitted(struct sq_archive *archive, size_t root_number,
                       const struct sq_deadline *deadline, bool *out,
                       struct sq_err *err) {
    struct sq_root *root = &archive->roots[root_number];
    enum sq_archive_trouble trouble;
    if (!sq_root_lock(root, deadline, err)) {
        return false;
    }
    bool ok = sq_root_open(root, deadline, &trouble, err);
    *out = sq_search_may_read(trouble == SQ_ARCHIVE_TROUBLE_NONE
                                  ? root->permission
                                  : root->config.permission);
    sq_root_unlock(root);
    return ok;
}

/* The search of one root. */
struct search {
    struct sq_archive *archive;
    size_t root;
    int folder; /* its descriptor */
    struct sq_search_request request;
    int wanted_rules;              /* 0: any */
    struct sq_search_store *store; /* NULL: it has no index */
    struct sq_search_result *out;
};

/* Returns whether a file of the index may be a hit. */
static enum sq_search_use
use_of(void *context, const struct sq_archive_pick *pick, struct sq_span path,
       const struct sq_search_state *state) {
    const struct search *search = context;
    struct sq_root *root = &search->archive->roots[search->root];
    struct sq_archive_pick shown = *pick;
    struct sq_search_state now;
    if (!sq_root_lock(root, search->request.deadline, NULL)) {
        return SQ_SEARCH_HIDDEN;
    }
    bool may_show = sq_root_shows(root, &shown, search->request.deadline);
    sq_root_unlock(root);
    if (!may_show || !sq_search_may_read(shown.permission)) {
        return SQ_SEARCH_HIDDEN;
    }
    return sq_search_state_of(search->folder, path, &now)
                && now.size == state->size && now.mtime_ns == state->mtime_ns
             ? SQ_SEARCH_CURRENT
             : SQ_SEARCH_CHANGED;
}

/* Opens the index; it stays NULL if there is none. */
static bool
open_index(struct search *search, struct sq_err *err) {
    const struct sq_deadline *deadline = search->request.deadline;
    char path[SQ_PATH_SIZE];
    struct sq_err local_err = { 0 };
    if (sq_search_path(search->archive, search->root, deadline, path,
                       &local_err)
        && sq_search_store_open(path, false, deadline, &search->store,
                                &local_err)) {
        return true;
    }
    return local_err.code == SQ_ERR_NONE || local_err.code == SQ_ERR_NOT_FOUND
        || sq_fail_with(err, &local_err);
}

/* Adds the hits of the index to those of other roots. */
static bool
add_hits(struct search *search, struct sq_err *err) {
    struct sq_search_result *out = search->out;
    struct sq_search_hit *hits = out->hits + out->count;
    struct sq_search_found found;
    bool has_apps = false;
    if (!sq_search_store_find(search->store, &search->request, hits, &found,
                              err)) {
        return false;
    }
    for (size_t i = 0; i < found.count; i++) {
        hits[i].pick.root = (int)search->root;
        hits[i].pick.permission = SQ_ARCHIVE_FULL; /* use_of() checked it */
    }
    out->searched++;
    out->count += found.count;
    out->has_more = out->has_more || found.has_more;
    out->changed += found.outdated;
    out->is_partial = out->is_partial || found.is_partial;
    bool ok = search->request.apps.count == 0
           || sq_search_store_has_apps(search->store, &has_apps, err);
    out->has_apps = out->has_apps || has_apps;
    return ok;
}

static bool
search_index(struct search *search, struct sq_err *err) {
    int rules = 0;
    if (!search->store) {
        search->out->unindexed++;
        return true;
    }
    if (!sq_search_store_rules(search->store, &rules, err)) {
        return false;
    }
    bool is_outdated = search->wanted_rules && rules != search->wanted_rules;
    search->out->outdated += is_outdated;
    return is_outdated || add_hits(search, err);
}

static bool
count_unread(const struct search *search, struct sq_err *err) {
    const struct sq_search_request *request = &search->request;
    const struct sq_search_scope scope = {
        .archive = search->archive,
        .window = { request->from_utc, request->to_utc, SQ_ARCHIVE_ANY,
                    (int)search->root },
        .folder = search->folder,
        .store = search->store,
        .deadline = request->deadline,
    };
    return sq_search_count_unread(&scope, &search->out->unread, err);
}

static bool
search_root(struct search *search, struct sq_err *err) {
    struct sq_search_result *out = search->out;
    enum sq_archive_trouble trouble;
    if (!sq_search_open_folder(search->archive, search->root,
                               search->request.deadline, &search->folder,
                               &trouble, err)) {
        return false;
    }
    if (trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        out->troubled++;
        out->troubled_root = (int)search->root;
        out->trouble = trouble;
        return true;
    }
    search->request.use = use_of;
    search->request.context = search;
    bool ok = open_index(search, err) && search_index(search, err)
           && count_unread(search, err);
    sq_search_store_close(search->store);
    sq_call_close(search->folder);
    return ok;
}

/* Better ranks come first, then the newest. */
static int
compare_rank(const void *a, const void *b) {
    const struct sq_search_hit *left = a;
    const struct sq_search_hit *right = b;
    if (left->rank != right->rank) {
        return left->rank < right->rank ? -1 : 1;
    }
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
        struct search search = {
            .archive = archive,
            .root = i,
            .request = *request,
            .wanted_rules = redactor ? sq_redact_rules_id(redactor->rules) : 0,
            .out = out,
        };
        bool is_permitted = false;
        ok = sq_search_is_permitted(archive, i, request->deadline,
                                    &is_permitted, err);
        out->forbidden += ok && !is_permitted;
        ok = ok && (!is_permitted || search_root(&search, err));
    }
    /* A hit can be a later picture of its page, if the window begins there. */
    if (ok && (out->searched > 1 || request->from_utc > 0)) {
        qsort(out->hits, out->count, sizeof(*out->hits), compare_rank);
    }
    if (ok && out->count > request->max) {
        out->count = request->max;
        out->has_more = true;
    }
    return ok;
}

bool
sq_search_cover(struct sq_archive *archive, size_t root,
                const struct sq_deadline *deadline,
                struct sq_search_coverage *out, struct sq_err *err) {
    struct sq_search_result result = { 0 };
    struct search search = {
        .archive = archive,
        .root = root,
        .request = { .to_utc = UINT32_MAX, .deadline = deadline },
        .out = &result,
    };
    *out = (struct sq_search_coverage){ 0 };
    if (!sq_search_is_permitted(archive, root, deadline, &out->is_permitted,
                                err)) {
        return false;
    }
    if (!out->is_permitted) {
        return true;
    }
    if (!sq_search_open_folder(archive, root, deadline, &search.folder,
                               &out->trouble, err)) {
        return false;
    }
    if (out->trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        return true;
    }
    bool ok = open_index(&search, err) && count_unread(&search, err);
    out->has_index = search.store != NULL;
    out->unread = result.unread;
    sq_search_store_close(search.store);
    sq_call_close(search.folder);
    return ok;
}

const char *
sq_search_trouble_text(enum sq_archive_trouble trouble) {
    return trouble == SQ_ARCHIVE_TROUBLE_MISSING   ? "does not exist"
         : trouble == SQ_ARCHIVE_TROUBLE_NO_FOLDER ? "is not a folder"
         : trouble == SQ_ARCHIVE_TROUBLE_FORBIDDEN ? "may not be read"
                                                   : "cannot be read";
}

bool
sq_search_fail_troubled(const struct sq_library *past, int root,
                        enum sq_archive_trouble trouble, struct sq_err *err) {
    const struct sq_archive_health health = { .trouble = trouble };
    if (!past->is_configured && trouble == SQ_ARCHIVE_TROUBLE_MISSING) {
        sq_fail(err, SQ_ERR_NOT_FOUND,
                "no folder of screenshots is configured");
        return sq_fail_hint(
            err, "%s",
            sq_library_remedy(past, SQ_CAUSE_NOT_CONFIGURED, SQ_ARCHIVE_ANY));
    }
    sq_fail(err, SQ_ERR_NOT_FOUND, "the folder of screenshots \"%s\" %s",
            sq_archive_root_at(past->archive, (size_t)root)->name,
            sq_search_trouble_text(trouble));
    return sq_fail_hint(err, "%s",
                        sq_library_remedy(past, sq_state_cause(&health), root));
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
