/* Reads the texts of pictures into the index, day by day. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "archive/library.h"
#include "archive/search/search.h"
#include "image/pipeline/codec.h"
#include "redact/rules.h"
#include "sys/folder.h"
#include "util/mem.h"
#include "util/minmax.h"
#include "util/time_text.h"

/* After this many new pages it pays to merge the index. */
#define OPTIMIZE_PAGES 100

/* Monitors from the last number on share what is known. */
#define MONITORS 8

/* The name of an activity, a newline, and its title; shorter in segments. */
#define ACTIVITY_BYTES 512

/* The picture before, of the same day and monitor. */
struct before {
    int64_t page; /* not above 0: none */
    struct sq_search_digest digest;
    int missed;               /* lines that could not be read */
    char app[ACTIVITY_BYTES]; /* what was done then */
    int64_t nameless_page;    /* of which page is a copy; 0: none */
};

/* The build of one root. */
struct build {
    const struct sq_search_build_request *request;
    struct sq_archive *archive;
    size_t root;
    int folder; /* the descriptor of the root's folder */
    struct sq_search_store *store;
    struct sq_archive_listing listing;
    struct sq_search_built *result;
    struct before before[MONITORS];
    bool lacks_activities; /* there is no source of them */
};

/* A shot of the listing, and what the index knows about it. */
struct shot {
    struct sq_archive_pick pick;
    char path[SQ_ARCHIVE_FILE_SIZE]; /* of the full picture; empty: none */
    struct sq_search_state state;    /* now; of a missing file zero */
    struct sq_search_known known;
    bool is_read;    /* in this state */
    bool is_changed; /* it was read in another state */
};

static struct sq_search_file
file_of(const struct shot *shot) {
    return (struct sq_search_file){ &shot->pick, sq_span_of(shot->path),
                                    shot->state, shot->known.digest,
                                    shot->known.missed };
}

/* The shots of one day: indexes of the listing. */
struct day {
    size_t first;
    size_t end;
    size_t new_count;
    size_t nameless_count; /* known ones without an activity */
    struct sq_segments segments;
    struct sq_segments titles;
};

static struct before *
before_of(struct build *build, const struct shot *shot) {
    return &build->before[sq_min_int(shot->pick.shot.monitor, MONITORS - 1)];
}

/* Writes what was done at a time; without the title of a hidden app. */
static void
write_activity(const struct build *build, const struct day *day,
               const struct sq_shot *shot, char out[ACTIVITY_BYTES]) {
    struct sq_span app =
        sq_library_app_of(build->request->past, &day->segments, shot);
    struct sq_span title = sq_segments_at(&day->titles, shot->utc);
    bool has_title =
        !sq_span_is(app, SQ_REDACTED_APP) && !sq_span_equal(app, title);
    out[0] = '\0';
    if (app.len > 0) {
        snprintf(out, ACTIVITY_BYTES, "%.*s\n%.*s", SQ_SPAN_ARGS(app),
                 has_title ? (int)title.len : 0, title.len ? title.ptr : "");
    }
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

/* Returns the name of an activity. */
static struct sq_span
name_of(struct sq_span app) {
    struct sq_span name = app;
    sq_span_take_until(&app, '\n', &name);
    return name;
}

/* Reads the text of an encoded picture. */
static bool
read_text(struct build *build, const struct sq_buf *bytes, struct sq_span app,
          struct sq_text *text, struct sq_size *size, struct sq_err *err) {
    SQ_FREED(sq_image_finish) struct sq_image image = { 0 };
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
          && (!redactor
              || sq_redact_words(redactor, *size, name_of(app), text, NULL,
                                 err));
    }
    return ok;
}

/* Returns whether the error is about this file only, not about the index. */
static bool
is_about_the_file(const struct sq_archive_file *file,
                  const struct sq_err *err) {
    return file->fault != SQ_ARCHIVE_FAULT_NONE || err->code == SQ_ERR_FORMAT
        || err->code == SQ_ERR_TRUNCATED || err->code == SQ_ERR_LIMIT;
}

/* Reads and stores the text of a picture. *was_read is false if it cannot. */
static bool
store_text(struct build *build, struct sq_search_page *page,
           const struct sq_archive_file *file, bool *was_read,
           struct sq_err *err) {
    struct sq_search_progress *progress = &build->result->progress;
    SQ_FREED(sq_text_finish) struct sq_text text = { 0 };
    struct sq_err local_err = { 0 };
    int64_t id = 0;
    bool ok = true;
    page->text = &text;
    *was_read = read_text(build, &file->bytes, page->app, &text, &page->size,
                          &local_err);
    if (*was_read) {
        page->file.missed = text.unreadable;
        ok = sq_search_store_add(build->store, page, &id, err);
        progress->read += ok;
        progress->lines_read += text.recognised;
        progress->lines_known += text.known;
        page->like = id;
    } else if (!is_about_the_file(file, &local_err)) {
        ok = sq_fail_with(err, &local_err);
    }
    return ok;
}

/* Adds a file that was opened; one equal to that before it is not read. */
static bool
add_opened(struct build *build, const struct shot *shot, struct sq_span app,
           const struct sq_archive_file *file, bool *was_read,
           struct sq_err *err) {
    struct before *before = before_of(build, shot);
    bool is_same_app = sq_span_is(app, before->app);
    struct sq_search_page page = {
        .file = file_of(shot),
        .app = app,
        .like = is_same_app ? before->page : 0,
    };
    page.file.digest = sq_search_digest_of(&file->bytes);
    *was_read = true;
    if (page.like > 0
        && sq_search_digest_equal(&before->digest, &page.file.digest)) {
        build->result->progress.alike++;
        page.file.missed = before->missed;
        return sq_search_store_add_file(build->store, &page.file, page.like,
                                        err);
    }
    before->page = 0;
    if (!store_text(build, &page, file, was_read, err)) {
        return false;
    }
    if (*was_read) {
        before->page = page.like;
        before->digest = page.file.digest;
        before->missed = page.file.missed;
    }
    return true;
}

/* Adds one shot that the index does not have in this state. */
static bool
add_shot(struct build *build, const struct shot *shot, struct sq_span app,
         struct sq_err *err) {
    struct sq_archive_file file = { 0 };
    struct sq_err local_err = { 0 };
    bool was_read = false;
    build->result->progress.changed += shot->is_changed;
    bool is_open =
        sq_archive_inspect(build->archive, &shot->pick, SQ_ARCHIVE_WANT_FULL,
                           build->request->deadline, &file, &local_err);
    bool ok = is_open ? add_opened(build, shot, app, &file, &was_read, err)
                      : is_about_the_file(&file, &local_err)
                            || sq_fail_with(err, &local_err);
    if (ok && !was_read) {
        const struct sq_search_file unreadable = file_of(shot);
        before_of(build, shot)->page = 0;
        build->result->unreadable++;
        ok = sq_search_store_add_file(build->store, &unreadable,
                                      SQ_SEARCH_UNREADABLE, err);
    }
    sq_buf_finish(&file.bytes);
    return ok;
}

/* Returns a shot of the listing and what the index knows about it. */
static bool
look_up(struct build *build, size_t index, struct shot *out,
        struct sq_err *err) {
    struct sq_search_known *known = &out->known;
    *out = (struct shot){ 0 };
    sq_archive_listing_pick(&build->listing, index, &out->pick);
    if (!out->pick.full[0] || !sq_search_may_read(out->pick.permission)
        || !sq_archive_path(&out->pick, out->pick.full, out->path)) {
        out->path[0] = '\0';
        return true;
    }
    if (!sq_search_store_look_up(build->store, sq_span_of(out->path), known,
                                 err)) {
        return false;
    }
    sq_search_state_of(build->folder, sq_span_of(out->path), &out->state);
    bool is_same =
        known->is_known && sq_search_state_equal(&known->state, &out->state);
    out->is_read = is_same && known->page != SQ_SEARCH_UNREADABLE;
    out->is_changed = known->is_known && !is_same;
    return true;
}

/* Returns whether the index has the text of a shot, without its activity. */
static bool
is_nameless(const struct shot *shot) {
    return shot->is_read && shot->known.page > 0 && !shot->known.has_app;
}

/* Counts the shots of a day that have to be read, and the nameless ones. */
static bool
count_new(struct build *build, struct day *day, struct sq_err *err) {
    bool ok = true;
    for (size_t i = day->first; ok && i < day->end; i++) {
        struct shot shot;
        ok = look_up(build, i, &shot, err);
        day->new_count += ok && shot.path[0] && !shot.is_read;
        day->nameless_count += ok && is_nameless(&shot);
    }
    return ok;
}

static bool
find_activity(struct build *build, struct day *day, struct sq_err *err) {
    struct sq_err problem = { 0 };
    const struct sq_shot *shots = build->listing.shots.items;
    /* A local time may occur again some hours later: see sq_name_windows. */
    const struct sq_window window = {
        shots[day->first].utc, (int64_t)shots[day->end - 1].utc + 3 * SQ_HOUR_S
    };
    if (!sq_library_activity(build->request->past, &window,
                             build->request->deadline, &day->segments, &problem,
                             err)) {
        return false;
    }
    build->lacks_activities = problem.code != SQ_ERR_NONE;
    return build->lacks_activities
        || sq_library_titles(build->request->past, &window,
                             build->request->deadline, &day->titles, err);
}

/* Handles a shot whose text the index has: adds the activity if it lacks. */
static bool
visit_known(struct build *build, const struct shot *shot, struct sq_span app,
            struct sq_err *err) {
    const struct sq_search_file file = file_of(shot);
    struct before *before = before_of(build, shot);
    bool is_same = shot->known.page == before->nameless_page
                && sq_span_is(app, before->app);
    bool ok = true;
    build->result->known++;
    before->digest = shot->known.digest;
    before->missed = shot->known.missed;
    if (!is_nameless(shot) || app.len == 0) {
        before->page = shot->known.page;
        before->nameless_page = 0;
        return true;
    }
    if (is_same) {
        ok = sq_search_store_add_file(build->store, &file, before->page, err);
    } else {
        ok = sq_search_store_add_app(build->store, &file, shot->known.page, app,
                                     &before->page, err);
    }
    before->nameless_page = shot->known.page;
    build->result->named += ok;
    return ok && sq_deadline_check(build->request->deadline, err);
}

/* Adds a shot of the day, unless the index has it. */
static bool
visit(struct build *build, struct day *day, size_t index, struct sq_err *err) {
    struct shot shot;
    if (!look_up(build, index, &shot, err)) {
        return false;
    }
    char text[ACTIVITY_BYTES];
    write_activity(build, day, &shot.pick.shot, text);
    const struct sq_span app = sq_span_of(text);
    struct before *before = before_of(build, &shot);
    bool ok = true;
    if (shot.is_read) {
        ok = visit_known(build, &shot, app, err);
    } else if (!shot.path[0]) {
        build->result->small += !shot.pick.full[0];
        return true;
    } else {
        before->nameless_page = 0;
        ok = add_shot(build, &shot, app, err) && report(build, err);
    }
    memcpy(before->app, text, sizeof(text));
    return ok;
}

static bool
build_day(struct build *build, struct day *day, struct sq_err *err) {
    if (!count_new(build, day, err)) {
        return false;
    }
    bool may_name = day->nameless_count > 0 && !build->lacks_activities;
    bool ok =
        (day->new_count == 0 && !may_name) || find_activity(build, day, err);
    memset(build->before, 0, sizeof(build->before));
    for (size_t i = day->first; ok && i < day->end; i++) {
        ok = visit(build, day, i, err);
    }
    sq_segments_finish(&day->segments);
    sq_segments_finish(&day->titles);
    return ok;
}

static int64_t
day_of(const struct build *build, size_t index) {
    return build->listing.shots.items[index].utc / SQ_SEARCH_DAY_S;
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
    struct day all = { .end = build->listing.shots.count };
    if (!count_new(build, &all, err)) {
        return false;
    }
    build->result->progress.all += all.new_count;
    return true;
}

static int
compare_keys(const void *a, const void *b) {
    const uint64_t *left = a;
    const uint64_t *right = b;
    return (*left > *right) - (*left < *right);
}

/* The pictures whose text may be in the index. */
struct kept {
    const struct build *build;
    uint64_t *keys; /* of the paths of the listing, sorted */
    size_t count;
    bool is_whole; /* the listing has all of them */
};

static bool
exists(void *context, struct sq_span path) {
    const struct kept *kept = context;
    struct sq_search_state state;
    char text[SQ_ARCHIVE_FILE_SIZE];
    if (!sq_search_state_of(kept->build->folder, path, &state)) {
        return false;
    }
    snprintf(text, sizeof(text), "%.*s", SQ_SPAN_ARGS(path));
    uint64_t key = sq_file_key(text);
    return !kept->is_whole
        || bsearch(&key, kept->keys, kept->count, sizeof(key), compare_keys);
}

/* Collects the pictures that may be read. */
static bool
find_kept(const struct build *build, struct kept *out, struct sq_err *err) {
    const struct sq_archive_listing *listing = &build->listing;
    const struct sq_excluder *excluder = build->request->past->excluder;
    out->build = build;
    out->keys = sq_mem_alloc(listing->shots.count + 1, sizeof(*out->keys));
    if (!out->keys) {
        return sq_fail_nomem(err);
    }
    for (size_t i = 0; i < listing->shots.count; i++) {
        struct sq_archive_pick pick;
        char path[SQ_ARCHIVE_FILE_SIZE];
        sq_archive_listing_pick(listing, i, &pick);
        if (pick.full[0] && sq_search_may_read(pick.permission)
            && sq_archive_path(&pick, pick.full, path)) {
            out->keys[out->count++] = sq_file_key(path);
        }
    }
    qsort(out->keys, out->count, sizeof(*out->keys), compare_keys);
    out->is_whole = listing->roots[build->root].unreadable == 0
                 && (!excluder || sq_excluder_is_certain(excluder));
    return true;
}

/*
 * Removes the texts of deleted and excluded pictures, if the window is all of
 * the time, and the earlier texts of changed ones and of those that got their
 * activity.
 */
static bool
prune(struct build *build, size_t changed, struct sq_err *err) {
    const struct sq_archive_window *window = &build->request->window;
    bool is_all = window->from_utc <= 0 && window->to_utc >= UINT32_MAX;
    struct kept kept = { 0 };
    int64_t removed = 0;
    if (!is_all && changed == 0) {
        return true;
    }
    bool ok = (!is_all || find_kept(build, &kept, err))
           && sq_search_store_prune(build->store, is_all ? exists : NULL, &kept,
                                    &removed, err);
    build->result->removed += removed;
    sq_mem_free(kept.keys);
    return ok;
}

/* Makes a new index in place of one that cannot be used. */
static bool
replace_store(struct build *build, const char *path, int rules,
              struct sq_err *err) {
    sq_search_store_close(build->store);
    build->store = NULL;
    return sq_search_store_delete(path, err)
        && sq_search_store_open(path, true, build->request->deadline,
                                &build->store, err)
        && sq_search_store_set_rules(build->store, rules, err);
}

/* Opens the index; replaces a damaged one and one made with other rules. */
static bool
open_store(struct build *build, const char *path, struct sq_err *err) {
    const struct sq_redactor *redactor = build->request->redactor;
    struct sq_err local_err = { 0 };
    int wanted = redactor ? sq_redact_rules_id(redactor->rules) : 0;
    int rules = 0;
    bool ok = sq_search_store_open(path, true, build->request->deadline,
                                   &build->store, &local_err)
           && (!build->request->repairs
               || sq_search_store_check(build->store, &local_err))
           && sq_search_store_rules(build->store, &rules, &local_err);
    bool is_damaged =
        !ok && build->request->repairs && local_err.code == SQ_ERR_FORMAT;
    if (!ok && !is_damaged) {
        return sq_fail_with(err, &local_err);
    }
    build->result->rebuilt += is_damaged;
    return (ok && rules == wanted) || replace_store(build, path, wanted, err);
}

static bool
build_folder(struct build *build, struct sq_err *err) {
    const struct sq_deadline *deadline = build->request->deadline;
    const struct sq_search_progress *progress = &build->result->progress;
    size_t read = progress->read;
    size_t changed = progress->changed + build->result->named;
    char path[SQ_PATH_SIZE];
    struct sq_archive_window window = build->request->window;
    window.root = (int)build->root;
    if (!sq_search_path(build->archive, build->root, deadline, path, err)) {
        return err->code == SQ_ERR_NONE;
    }
    int index_folder;
    if (!sq_folder_open(build->archive->roots[build->root].index_folder,
                        &index_folder, err)) {
        return false;
    }
    sq_folder_close(index_folder);
    bool ok =
        sq_archive_list(build->archive, &window, deadline, &build->listing, err)
        && open_store(build, path, err) && count_all(build, err)
        && build_days(build, err)
        && prune(build, progress->changed + build->result->named - changed, err)
        && (progress->read - read < OPTIMIZE_PAGES
            || sq_search_store_optimize(build->store, err));
    sq_search_store_close(build->store);
    sq_archive_listing_finish(&build->listing);
    return ok;
}

static bool
build_root(const struct sq_search_build_request *request, size_t root,
           struct sq_search_built *result, struct sq_err *err) {
    struct sq_search_folder folder;
    struct build build = {
        .request = request,
        .archive = request->past->archive,
        .root = root,
        .result = result,
    };
    if (!sq_search_enter(build.archive, root, request->deadline, &folder,
                         err)) {
        return false;
    }
    bool ok = true;
    if (!folder.is_permitted) {
        result->forbidden++;
    } else if (folder.trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        result->troubled++;
        result->troubled_root = (int)root;
        result->trouble = folder.trouble;
    } else {
        result->folders++;
        build.folder = folder.fd;
        ok = build_folder(&build, err);
    }
    sq_search_leave(&folder);
    return ok;
}

bool
sq_search_build(const struct sq_search_build_request *request,
                struct sq_search_built *out, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool ok = true;
    *out = (struct sq_search_built){ 0 };
    for (size_t i = 0; ok && i < sq_archive_root_count(request->past->archive);
         i++) {
        ok = !sq_archive_window_includes(&request->window, i)
          || build_root(request, i, out, &local_err);
    }
    out->is_cancelled = !ok
                     && (local_err.code == SQ_ERR_CANCELLED
                         || local_err.code == SQ_ERR_TIMEOUT);
    return ok || out->is_cancelled || sq_fail_with(err, &local_err);
}
