/* Reads the texts of pictures into the index, day by day. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "archive/archive_private.h"
#include "archive/search/search.h"
#include "image/pipeline/codec.h"
#include "sys/call.h"
#include "sys/folder.h"
#include "util/mem.h"

#define DAY_S 86400

/* A typed word changes few cells slightly, so one different cell counts. */
#define SAME_BITS 0
#define SAME_CELL_DELTA 1

/* After this many new pages it pays to merge the index. */
#define OPTIMIZE_PAGES 100

/* The build of one root. */
struct build {
    const struct sq_search_build_request *request;
    struct sq_archive *archive;
    size_t root;
    struct sq_search_store *store;
    struct sq_archive_listing listing;
    struct sq_search_built *result;
    int64_t last_page; /* the page of the picture before; 0: none */
    struct sq_image_fingerprint last_print; /* of that page */
};

/* The shots of one day: indexes of the listing. */
struct day {
    size_t first;
    size_t end;
    struct sq_segments segments;
    struct sq_image_fingerprint *prints; /* from first on */
};

static bool
is_alike(const struct sq_image_fingerprint *a,
         const struct sq_image_fingerprint *b) {
    return a->known && b->known
        && sq_hash_distance(a->hash, b->hash) <= SAME_BITS
        && sq_image_fingerprint_cell_delta(a, b) < SAME_CELL_DELTA;
}

static struct sq_span
activity_at(const struct sq_segments *segments, int64_t utc) {
    for (size_t i = 0; i < segments->count; i++) {
        const struct sq_segment *segment = &segments->items[i];
        if (utc >= segment->start_utc && utc < segment->end_utc) {
            return sq_segments_label(segments, segment->label);
        }
    }
    return (struct sq_span){ 0 };
}

static bool
report(struct build *build, struct sq_err *err) {
    build->result->progress.done++;
    if (build->request->report) {
        build->request->report(build->request->context,
                               &build->result->progress);
    }
    return sq_deadline_check(build->request->deadline, err);
}

/* Reads the text of an encoded picture. */
static bool
read_text(struct build *build, const struct sq_buf *bytes, struct sq_span app,
          struct sq_text *text, struct sq_size *size, struct sq_err *err) {
    struct sq_image image = { 0 };
    const struct sq_redactor *redactor = build->request->redactor;
    bool ok = sq_image_decode(bytes->data, bytes->len, &sq_limits_default,
                              &image, err);
    if (ok) {
        const struct sq_read_plan plan = {
            .area = { 0, 0, image.width, image.height },
        };
        *size = (struct sq_size){ image.width, image.height };
        ok = sq_reader_read(build->request->reader, &image, &plan,
                            build->request->deadline, text, err)
          && (!redactor || sq_redact_words(redactor, *size, app, text, err));
    }
    sq_image_finish(&image);
    return ok;
}

/* Returns whether the error is about this file only, not about the index. */
static bool
is_about_the_file(const struct sq_archive_file *file,
                  const struct sq_err *err) {
    return file->fault != SQ_ARCHIVE_FAULT_NONE || err->code == SQ_ERR_FORMAT
        || err->code == SQ_ERR_TRUNCATED || err->code == SQ_ERR_LIMIT;
}

static bool
store_text(struct build *build, struct sq_search_page *page,
           const struct sq_image_fingerprint *print, struct sq_err *err) {
    struct sq_search_progress *progress = &build->result->progress;
    if (!sq_search_store_add(build->store, page, &build->last_page, err)) {
        return false;
    }
    build->last_print = *print;
    progress->read++;
    progress->lines_read += page->text->recognised;
    progress->lines_known += page->text->known;
    return true;
}

static bool
add_read(struct build *build, const struct sq_archive_pick *pick,
         const char *path, const struct day *day,
         const struct sq_image_fingerprint *print, struct sq_err *err) {
    struct sq_archive_file file = { 0 };
    struct sq_text text = { 0 };
    struct sq_err local_err = { 0 };
    struct sq_search_page page = {
        .pick = pick,
        .path = sq_span_of(path),
        .text = &text,
        .app = activity_at(&day->segments, pick->shot.utc),
        .print = print,
    };
    bool was_read =
        sq_archive_inspect(build->archive, pick, SQ_ARCHIVE_WANT_FULL,
                           build->request->deadline, &file, &local_err)
        && read_text(build, &file.bytes, page.app, &text, &page.size,
                     &local_err);
    bool ok = was_read ? store_text(build, &page, print, err)
                       : is_about_the_file(&file, &local_err)
                             || sq_fail_with(err, &local_err);
    build->result->unreadable += ok && !was_read;
    sq_text_finish(&text);
    sq_buf_finish(&file.bytes);
    return ok;
}

/* Adds one shot that the index does not have. */
static bool
add_shot(struct build *build, const struct sq_archive_pick *pick,
         const char *path, const struct day *day, size_t index,
         struct sq_err *err) {
    const struct sq_image_fingerprint *print = &day->prints[index - day->first];
    if (build->last_page && is_alike(&build->last_print, print)) {
        build->result->progress.alike++;
        return sq_search_store_add_alike(build->store, sq_span_of(path),
                                         build->last_page, pick->shot.utc, err);
    }
    build->last_page = 0;
    return add_read(build, pick, path, day, print, err);
}

/* Returns what the index knows of a shot, and the path of its full picture. */
static bool
look_up(struct build *build, size_t index, struct sq_archive_pick *pick,
        char path[SQ_ARCHIVE_FILE_SIZE], struct sq_search_known *known,
        struct sq_err *err) {
    sq_archive_listing_pick(&build->listing, index, pick);
    *known = (struct sq_search_known){ 0 };
    if (!pick->full[0] || !sq_archive_path(pick, pick->full, path)) {
        path[0] = '\0';
        return true;
    }
    return sq_search_store_look_up(build->store, sq_span_of(path), known, err);
}

/* Counts the shots of a day that have to be read. */
static bool
count_new(struct build *build, const struct day *day, size_t *count,
          struct sq_err *err) {
    bool ok = true;
    *count = 0;
    for (size_t i = day->first; ok && i < day->end; i++) {
        struct sq_archive_pick pick;
        char path[SQ_ARCHIVE_FILE_SIZE];
        struct sq_search_known known;
        ok = look_up(build, i, &pick, path, &known, err);
        *count += ok && path[0] && !known.is_known;
    }
    return ok;
}

static bool
find_prints(struct build *build, struct day *day, struct sq_err *err) {
    size_t count = day->end - day->first;
    uint32_t *indexes = sq_mem_alloc(count + 1, sizeof(*indexes));
    struct sq_archive_compared compared;
    day->prints = sq_mem_zalloc(count + 1, sizeof(*day->prints));
    bool ok = indexes && day->prints;
    if (!ok) {
        sq_fail_nomem(err);
    }
    for (size_t i = 0; ok && i < count; i++) {
        indexes[i] = (uint32_t)(day->first + i);
    }
    const struct sq_archive_fingerprints_request request = {
        .listing = &build->listing,
        .indexes = indexes,
        .count = count,
        .deadline = build->request->deadline,
        .soft_deadline = build->request->deadline,
    };
    ok = ok
      && sq_archive_fingerprints(build->archive, &request, day->prints,
                                 &compared, err);
    sq_mem_free(indexes);
    return ok;
}

static bool
find_activity(struct build *build, struct day *day, struct sq_err *err) {
    struct sq_err ignored = { 0 };
    const struct sq_shot *shots = build->listing.shots.items;
    const struct sq_window window = { shots[day->first].utc,
                                      (int64_t)shots[day->end - 1].utc + 1 };
    return sq_library_activity(build->request->past, &window,
                               build->request->deadline, &day->segments,
                               &ignored, err);
}

static bool
add_day(struct build *build, struct day *day, struct sq_err *err) {
    bool ok = true;
    build->last_page = 0;
    for (size_t i = day->first; ok && i < day->end; i++) {
        struct sq_archive_pick pick;
        char path[SQ_ARCHIVE_FILE_SIZE];
        struct sq_search_known known;
        ok = look_up(build, i, &pick, path, &known, err);
        if (ok && known.is_known) {
            build->result->known++;
            build->last_page = known.page;
            build->last_print = known.print;
        } else if (ok && !path[0]) {
            build->result->small++;
        } else if (ok) {
            ok =
                add_shot(build, &pick, path, day, i, err) && report(build, err);
        }
    }
    return ok;
}

static bool
build_day(struct build *build, struct day *day, struct sq_err *err) {
    size_t count;
    if (!count_new(build, day, &count, err)) {
        return false;
    }
    bool ok = count == 0
           || (find_prints(build, day, err) && find_activity(build, day, err));
    ok = ok && add_day(build, day, err);
    sq_segments_finish(&day->segments);
    sq_mem_free(day->prints);
    return ok;
}

static int64_t
day_of(const struct build *build, size_t index) {
    return build->listing.shots.items[index].utc / DAY_S;
}

static bool
build_days(struct build *build, struct sq_err *err) {
    bool ok = true;
    for (size_t end = build->listing.shots.count; ok && end > 0;) {
        size_t first = end - 1;
        while (first > 0
               && day_of(build, first - 1) == day_of(build, end - 1)) {
            first--;
        }
        struct day day = { .first = first, .end = end };
        ok = build_day(build, &day, err);
        end = first;
    }
    return ok;
}

/* Counts the pictures to read, so that the progress has an end. */
static bool
count_all(struct build *build, struct sq_err *err) {
    const struct day all = { .end = build->listing.shots.count };
    size_t count;
    if (!count_new(build, &all, &count, err)) {
        return false;
    }
    build->result->progress.all += count;
    return true;
}

static bool
exists(void *context, struct sq_span path) {
    const struct sq_root *root = context;
    struct stat st;
    char name[SQ_ARCHIVE_FILE_SIZE];
    if (path.len >= sizeof(name)) {
        return false;
    }
    memcpy(name, path.ptr, path.len);
    name[path.len] = '\0';
    return sq_call_lstatat(root->fd, name, &st) == 0;
}

/* Removes the texts of deleted pictures, unless the folder is not there. */
static bool
prune(struct build *build, struct sq_err *err) {
    struct sq_root *root = &build->archive->roots[build->root];
    const struct sq_archive_window *window = &build->request->window;
    int64_t removed = 0;
    enum sq_archive_trouble trouble;
    if (window->from_utc > 0 || window->to_utc < UINT32_MAX) {
        return true;
    }
    if (!sq_root_lock(root, build->request->deadline, err)) {
        return false;
    }
    bool ok = sq_root_open(root, build->request->deadline, &trouble, err)
           && (trouble != SQ_ARCHIVE_TROUBLE_NONE
               || sq_search_store_prune(build->store, exists, root, &removed,
                                        err));
    sq_root_unlock(root);
    build->result->removed += removed;
    return ok;
}

/* Opens the index; removes one that was made with other rules. */
static bool
open_store(struct build *build, const char *path, struct sq_err *err) {
    const struct sq_redactor *redactor = build->request->redactor;
    const struct sq_deadline *deadline = build->request->deadline;
    int wanted = redactor ? sq_redact_rules_id(redactor->rules) : 0;
    int rules;
    if (!sq_search_store_open(path, true, deadline, &build->store, err)
        || !sq_search_store_rules(build->store, &rules, err)) {
        return false;
    }
    if (rules == wanted) {
        return true;
    }
    sq_search_store_close(build->store);
    build->store = NULL;
    return sq_search_store_delete(path, err)
        && sq_search_store_open(path, true, deadline, &build->store, err)
        && sq_search_store_set_rules(build->store, wanted, err);
}

static bool
build_root(const struct sq_search_build_request *request, size_t root,
           struct sq_search_built *result, struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    int folder = -1;
    struct build build = {
        .request = request,
        .archive = request->past->archive,
        .root = root,
        .result = result,
    };
    size_t read_before = result->progress.read;
    struct sq_archive_window window = request->window;
    window.root = (int)root;
    if (!sq_search_path(build.archive, root, request->deadline, path, err)) {
        return err->code == SQ_ERR_NONE;
    }
    bool ok =
        sq_folder_open(build.archive->roots[root].index_folder, &folder, err);
    if (ok) {
        sq_folder_close(folder);
    }
    ok = ok
      && sq_archive_list(build.archive, &window, request->deadline,
                         &build.listing, err)
      && open_store(&build, path, err) && count_all(&build, err)
      && build_days(&build, err) && prune(&build, err)
      && (result->progress.read - read_before < OPTIMIZE_PAGES
          || sq_search_store_optimize(build.store, err));
    sq_search_store_close(build.store);
    sq_archive_listing_finish(&build.listing);
    return ok;
}

bool
sq_search_build(const struct sq_search_build_request *request,
                struct sq_search_built *out, struct sq_err *err) {
    struct sq_archive *archive = request->past->archive;
    struct sq_err local_err = { 0 };
    bool ok = true;
    *out = (struct sq_search_built){ 0 };
    for (size_t i = 0; ok && i < sq_archive_root_count(archive); i++) {
        bool is_full =
            sq_permission_allows(sq_archive_root_at(archive, i)->permission)
                .max_side
            == SQ_ARCHIVE_ANY_SIDE;
        if (!sq_archive_window_includes(&request->window, i)) {
            continue;
        }
        out->forbidden += !is_full;
        ok = !is_full || build_root(request, i, out, &local_err);
    }
    out->is_cancelled = !ok
                     && (local_err.code == SQ_ERR_CANCELLED
                         || local_err.code == SQ_ERR_TIMEOUT);
    return ok || out->is_cancelled || sq_fail_with(err, &local_err);
}
