/* Searches the indexes of all roots. */
#include "archive/search/search.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/library.h"
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
    bool ok = root->has_id || sq_root_open(root, &trouble, err);
    int len =
        snprintf(out, SQ_PATH_SIZE, "%s/text-%016llx.db", root->index_folder,
                 (unsigned long long)root->owner.root);
    ok = ok && root->has_id && len > 0 && len < SQ_PATH_SIZE;
    sq_root_unlock(root);
    return ok;
}

bool
sq_search_enter(struct sq_archive *archive, size_t root_number,
                const struct sq_deadline *deadline,
                struct sq_search_folder *out, struct sq_err *err) {
    struct sq_root *root = &archive->roots[root_number];
    *out = (struct sq_search_folder){ .fd = -1 };
    bool ok = sq_root_enter(root, deadline, &out->trouble, err);
    if (!ok) {
        return false;
    }
    bool is_open = out->trouble == SQ_ARCHIVE_TROUBLE_NONE;
    out->is_permitted = sq_search_may_read(is_open ? root->permission
                                                   : root->config.permission);
    if (is_open) {
        out->fd = sq_call_dup(root->fd);
        ok = out->fd >= 0
          || sq_errno_fail(err, "open the folder of screenshots");
    }
    sq_root_unlock(root);
    return ok;
}

void
sq_search_leave(const struct sq_search_folder *folder) {
    if (folder->fd >= 0) {
        sq_call_close(folder->fd);
    }
}

bool
sq_search_state_of(int folder, struct sq_span path,
                   struct sq_search_state *out) {
    struct stat st;
    char name[SQ_ARCHIVE_FILE_SIZE];
    int len = snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(path));
    if (len >= (int)sizeof(name) || sq_call_lstatat(folder, name, &st) < 0) {
        return false;
    }
    *out =
        (struct sq_search_state){ (int64_t)st.st_size, sq_file_mtime_ns(&st) };
    return true;
}

bool
sq_search_state_equal(const struct sq_search_state *a,
                      const struct sq_search_state *b) {
    return a->size == b->size && a->mtime_ns == b->mtime_ns;
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
    struct sq_search_folder folder;
    *out = false;
    if (!state[0] || !pick->full[0]
        || !sq_archive_path(pick, pick->full, path)) {
        return true;
    }
    if (!sq_search_enter(archive, (size_t)pick->root, deadline, &folder, err)) {
        return false;
    }
    if (folder.fd >= 0
        && sq_search_state_of(folder.fd, sq_span_of(path), &now)) {
        sq_search_state_write(&now, text);
        *out = strcmp(text, state) != 0;
    }
    sq_search_leave(&folder);
    return true;
}

/* The search of one root. */
struct search {
    struct sq_archive *archive;
    size_t root;
    struct sq_search_folder folder;
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
    bool may_show = sq_root_shows(root, &shown);
    sq_root_unlock(root);
    if (!may_show || !sq_search_may_read(shown.permission)) {
        return SQ_SEARCH_HIDDEN;
    }
    return sq_search_state_of(search->folder.fd, path, &now)
                && sq_search_state_equal(&now, state)
             ? SQ_SEARCH_CURRENT
             : SQ_SEARCH_CHANGED;
}

/* Opens the index of a root; *out stays NULL if there is none. */
static bool
open_index(struct sq_archive *archive, size_t root,
           const struct sq_deadline *deadline, struct sq_search_store **out,
           struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    struct sq_err local_err = { 0 };
    return (sq_search_path(archive, root, deadline, path, &local_err)
            && sq_search_store_open(path, false, deadline, out, &local_err))
        || local_err.code == SQ_ERR_NONE || local_err.code == SQ_ERR_NOT_FOUND
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

/* In windows with more shots, only names are compared, day by day. */
#define EXACT_SHOTS 2000

/* A slow disk must not delay the hits for longer. */
#define MAX_COUNT_MS 2000

struct count {
    const struct search *search;
    struct sq_archive_window window;
    struct sq_deadline deadline;
    struct sq_archive_listing listing;
    struct sq_search_unread *out;
};

/* The shots of one day: indexes of the listing. */
struct day {
    int64_t number;
    size_t first;
    size_t end;
};

static bool
may_read(const struct count *count, size_t index) {
    return sq_search_may_read(
        sq_archive_listing_permission(&count->listing, index));
}

/* Counts one shot, if its file exists. */
static bool
check_shot(struct count *count, size_t index, struct sq_err *err) {
    const struct search *search = count->search;
    struct sq_archive_pick pick;
    struct sq_search_known known;
    struct sq_search_state state;
    char path[SQ_ARCHIVE_FILE_SIZE];
    sq_archive_listing_pick(&count->listing, index, &pick);
    if (!pick.full[0] || !may_read(count, index)) {
        return true;
    }
    if (!sq_archive_path(&pick, pick.full, path)
        || !sq_search_state_of(search->folder.fd, sq_span_of(path), &state)) {
        count->out->pictures--; /* it was deleted */
        return true;
    }
    if (!sq_search_store_look_up(search->store, sq_span_of(path), &known,
                                 err)) {
        return false;
    }
    bool is_same =
        known.is_known && sq_search_state_equal(&known.state, &state);
    count->out->unread += !is_same;
    count->out->unreadable += is_same && known.page == SQ_SEARCH_UNREADABLE;
    count->out->incomplete += is_same && known.missed > 0;
    return sq_deadline_check(&count->deadline, err);
}

static bool
is_whole(const struct sq_archive_window *window, int64_t day) {
    return window->from_utc <= day * SQ_SEARCH_DAY_S
        && window->to_utc >= (day + 1) * SQ_SEARCH_DAY_S;
}

static bool
count_day(struct count *count, const struct day *day, struct sq_err *err) {
    const struct search *search = count->search;
    /*
     * Adds up the shots of a day that have a full picture; counts the others.
     */
    struct sq_search_day sum = { 0 };
    for (size_t i = day->first; i < day->end; i++) {
        const struct sq_shot *shot = &count->listing.shots.items[i];
        if (shot->flags & SQ_SHOT_FULL && may_read(count, i)) {
            sum.count++;
            sum.digest += sq_search_digest(shot);
        }
        count->out->small += !(shot->flags & SQ_SHOT_FULL);
    }
    struct sq_search_day read = { 0 };
    count->out->pictures += (size_t)sum.count;
    if (search->store
        && !sq_search_store_day(search->store, day->number, &read, err)) {
        return false;
    }
    if (!read.is_known) {
        count->out->unread += (size_t)sum.count;
        return true;
    }
    bool is_same = sum.count == read.count && sum.digest == read.digest;
    if (is_same && is_whole(&count->window, day->number)
        && count->listing.shots.count > EXACT_SHOTS) {
        return true;
    }
    bool ok = true;
    for (size_t i = day->first; ok && i < day->end; i++) {
        ok = check_shot(count, i, err);
    }
    return ok;
}

static bool
count_days(struct count *count, struct sq_err *err) {
    const struct sq_shots *shots = &count->listing.shots;
    bool ok = true;
    for (size_t first = 0; ok && first < shots->count;) {
        struct day day = { shots->items[first].utc / SQ_SEARCH_DAY_S, first,
                           first };
        while (day.end < shots->count
               && shots->items[day.end].utc / SQ_SEARCH_DAY_S == day.number) {
            day.end++;
        }
        ok = count_day(count, &day, err);
        first = day.end;
    }
    return ok;
}

/*
 * Adds the pictures that the index does not have. Files are compared with what
 * was read if the window has few; otherwise only on days of which the index
 * does not have every name.
 */
static bool
count_unread(const struct search *search, struct sq_err *err) {
    const struct sq_search_request *request = &search->request;
    struct sq_search_unread *out = &search->out->unread;
    struct sq_err local_err = { 0 };
    struct count count = {
        .search = search,
        .window = { request->from_utc, request->to_utc, SQ_ARCHIVE_ANY,
                    (int)search->root },
        .deadline = sq_deadline_within(request->deadline, MAX_COUNT_MS),
        .out = out,
    };
    bool ok = sq_archive_gather(search->archive, &count.window, &count.deadline,
                                &count.listing, &local_err)
           && count_days(&count, &local_err);
    sq_archive_listing_finish(&count.listing);
    if (!ok && local_err.code == SQ_ERR_TIMEOUT) {
        out->is_partial = true;
        return sq_deadline_check(request->deadline, err);
    }
    return ok || sq_fail_with(err, &local_err);
}

static bool
search_root(struct search *search, struct sq_err *err) {
    struct sq_search_result *out = search->out;
    if (!sq_search_enter(search->archive, search->root,
                         search->request.deadline, &search->folder, err)) {
        return false;
    }
    bool ok = true;
    if (!search->folder.is_permitted) {
        out->forbidden++;
    } else if (search->folder.trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        out->troubled++;
        out->troubled_root = (int)search->root;
        out->trouble = search->folder.trouble;
    } else {
        search->request.use = use_of;
        search->request.context = search;
        ok = open_index(search->archive, search->root, search->request.deadline,
                        &search->store, err)
          && search_index(search, err) && count_unread(search, err);
        sq_search_store_close(search->store);
    }
    sq_search_leave(&search->folder);
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
        ok = search_root(&search, err);
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
    if (!sq_search_enter(archive, root, deadline, &search.folder, err)) {
        return false;
    }
    *out = (struct sq_search_coverage){
        .is_permitted = search.folder.is_permitted,
        .trouble = search.folder.trouble,
    };
    bool ok = true;
    if (out->is_permitted && out->trouble == SQ_ARCHIVE_TROUBLE_NONE) {
        ok = open_index(archive, root, deadline, &search.store, err)
          && count_unread(&search, err);
        out->has_index = search.store != NULL;
        out->unread = result.unread;
        sq_search_store_close(search.store);
    }
    sq_search_leave(&search.folder);
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

static bool
is_there(void *context, struct sq_span path) {
    const struct sq_search_folder *folder = context;
    struct sq_search_state state;
    return sq_search_state_of(folder->fd, path, &state);
}

bool
sq_search_forget_removed(struct sq_archive *archive, size_t root,
                         const struct sq_deadline *deadline, int64_t *removed,
                         struct sq_err *err) {
    struct sq_search_store *store = NULL;
    struct sq_search_folder folder;
    *removed = 0;
    if (!open_index(archive, root, deadline, &store, err)) {
        return false;
    }
    if (!store) {
        return true;
    }
    bool ok = sq_search_enter(archive, root, deadline, &folder, err);
    if (ok && folder.fd >= 0) {
        ok = sq_search_store_prune(store, is_there, &folder, removed, err);
    }
    sq_search_leave(&folder);
    sq_search_store_close(store);
    return ok;
}
