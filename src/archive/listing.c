/* Lists shots: collects and merges those of many folders. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "archive/archive_private.h"
#include "util/mem.h"
#include "util/minmax.h"

#define MAX_SHOTS ((size_t)8 << 20)

/* Write the index after this many newly read folders. */
#define SAVE_AFTER 256

/* The folder that some shots of a listing came from. */
struct sq_archive_source {
    int root;
    sq_place place;
    enum sq_archive_permission permission;
    uint32_t start; /* first of its shots while the listing is built */
    char *text;     /* stored file names; NULL: none */
};

/* A listing while it is built: its shots are not sorted yet. */
struct builder {
    const struct sq_archive_window *window;
    int root;                                     /* the root being walked */
    const enum sq_archive_permission *permission; /* of the added folder */
    struct sq_archive_listing *listing;
    size_t capacity;
    size_t source_capacity;
};

static bool
grow(struct builder *builder, size_t more, struct sq_err *err) {
    struct sq_archive_listing *listing = builder->listing;
    size_t need = listing->shots.count + more;
    if (need > MAX_SHOTS) {
        sq_fail(err, SQ_ERR_LIMIT, "there are more than %zu screenshots",
                MAX_SHOTS);
        return sq_fail_hint(err, "Ask for a shorter time.");
    }
    return (sq_mem_grow(&listing->owned, &builder->capacity, need,
                        sizeof(*listing->owned))
            && sq_mem_grow(&listing->sources, &builder->source_capacity,
                           listing->source_count + 1,
                           sizeof(*listing->sources)))
        || sq_fail_nomem(err);
}

/* Copies the shots of the requested monitor; returns whether one is literal. */
static bool
copy_shots(struct builder *builder, const struct sq_shot *shots, size_t count) {
    int monitor = builder->window->monitor;
    int flags = 0;
    for (size_t i = 0; i < count; i++) {
        if (monitor == SQ_ARCHIVE_ANY || shots[i].monitor == monitor) {
            builder->listing->owned[builder->listing->shots.count++] = shots[i];
            flags |= shots[i].flags;
        }
    }
    return flags & SQ_SHOT_LITERAL;
}

/* Adds the shots of a folder that lie in the window. */
static bool
add_day(void *context, sq_place place, const struct sq_day *day,
        struct sq_err *err) {
    struct builder *builder = context;
    struct sq_archive_listing *listing = builder->listing;
    const struct sq_archive_window *window = builder->window;
    int64_t first;
    int64_t last;
    sq_layout_seconds(place, &first, &last);
    size_t from = sq_day_search(day, sq_max_int64(first, window->from_utc));
    size_t to = sq_day_search(day, sq_min_int64(last, window->to_utc));
    if (from >= to) {
        return true;
    }
    if (!grow(builder, to - from, err)) {
        return false;
    }
    struct sq_archive_source source = { .root = builder->root,
                                        .place = place,
                                        .permission = *builder->permission,
                                        .start =
                                            (uint32_t)listing->shots.count };
    if (copy_shots(builder, day->shots + from, to - from)) {
        source.text = sq_mem_alloc(1, day->text_bytes);
        if (!source.text) {
            return sq_fail_nomem(err);
        }
        memcpy(source.text, sq_day_text(day), day->text_bytes);
    }
    if (listing->shots.count > source.start) {
        listing->sources[listing->source_count++] = source;
    }
    return true;
}

/* A shot that is sorted, and the number of its source. */
struct entry {
    struct sq_shot shot;
    uint32_t source;
};

/* Compares in the order of shot.h. */
static int
compare_shots(const struct sq_shot *a, const struct sq_shot *b) {
    int literal_a = a->flags & SQ_SHOT_LITERAL;
    int literal_b = b->flags & SQ_SHOT_LITERAL;
    return a->utc != b->utc         ? (a->utc < b->utc ? -1 : 1)
         : a->monitor != b->monitor ? a->monitor - b->monitor
         : literal_a != literal_b   ? literal_a - literal_b
                                    : (a->seq > b->seq) - (a->seq < b->seq);
}

/* Of equals, the earlier source comes first; then only the size differs. */
static int
compare(const void *left, const void *right) {
    const struct entry *a = left;
    const struct entry *b = right;
    int order = compare_shots(&a->shot, &b->shot);
    order = order ? order : (a->source > b->source) - (a->source < b->source);
    return order ? order : memcmp(&a->shot, &b->shot, sizeof(a->shot));
}

static bool
sort(struct sq_archive_listing *listing, struct sq_err *err) {
    size_t count = listing->shots.count;
    struct entry *entries = sq_mem_alloc(count, sizeof(*entries));
    if (!entries) {
        return sq_fail_nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        entries[i] =
            (struct entry){ listing->owned[i], listing->sources_of[i] };
    }
    qsort(entries, count, sizeof(*entries), compare);
    for (size_t i = 0; i < count; i++) {
        listing->owned[i] = entries[i].shot;
        listing->sources_of[i] = entries[i].source;
    }
    sq_mem_free(entries);
    return true;
}

/* Notes the source of each shot, and sorts them if folders overlap. */
static bool
complete(struct sq_archive_listing *listing, struct sq_err *err) {
    size_t count = listing->shots.count;
    bool is_sorted = true;
    uint32_t source = 0;
    listing->sources_of = sq_mem_alloc(count + 1, sizeof(uint32_t));
    if (!listing->sources_of) {
        return sq_fail_nomem(err);
    }
    for (size_t i = 0; i < count; i++) {
        const struct sq_shot *shot = &listing->owned[i];
        if (source + 1 < listing->source_count
            && listing->sources[source + 1].start == i) {
            source++;
            is_sorted = is_sorted && compare_shots(shot - 1, shot) <= 0;
        }
        listing->sources_of[i] = source;
    }
    listing->shots.items = listing->owned;
    return is_sorted || sort(listing, err);
}

static int32_t
day_of(int64_t utc) {
    return (int32_t)sq_max_int64(
        INT32_MIN, sq_min_int64(sq_days_of_seconds(utc), INT32_MAX));
}

static bool
list_root(struct sq_root *root, struct builder *builder,
          const struct sq_deadline *deadline, struct sq_archive_count *count,
          struct sq_err *err) {
    const int32_t days[2] = { day_of(builder->window->from_utc),
                              day_of(builder->window->to_utc - 1) };
    const struct sq_root_visitor visitor = { add_day, builder };
    size_t before = builder->listing->shots.count;
    bool ok = true;
    if (!sq_root_enter(root, deadline, &count->trouble, err)) {
        return false;
    }
    builder->permission = &root->day_permission;
    if (count->trouble == SQ_ARCHIVE_TROUBLE_NONE) {
        ok = sq_root_walk(root, days, &visitor, count, err);
        /* The index is only a cache: a failed write is ignored. */
        sq_root_save(root, SAVE_AFTER, NULL);
    }
    count->opened = root->opened;
    count->shots = (uint32_t)(builder->listing->shots.count - before);
    sq_root_unlock(root);
    return ok;
}

static bool
check_window(const struct sq_archive *archive,
             const struct sq_archive_window *window, struct sq_err *err) {
    if (window->from_utc >= window->to_utc) {
        sq_fail(err, SQ_ERR_ARGUMENT,
                "the end of the time is not after its start");
        return sq_fail_hint(err, "Give an end after the start.");
    }
    if (window->root != SQ_ARCHIVE_ANY
        && (window->root < 0 || (size_t)window->root >= archive->count)) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "there is no archive folder %d",
                       window->root);
    }
    return true;
}

bool
sq_archive_gather(struct sq_archive *archive,
                  const struct sq_archive_window *window,
                  const struct sq_deadline *deadline,
                  struct sq_archive_listing *out, struct sq_err *err) {
    struct sq_archive_listing listing = { 0 };
    struct builder builder = { .window = window, .listing = &listing };
    bool ok = check_window(archive, window, err);
    for (size_t i = 0; ok && i < archive->count; i++) {
        if (sq_archive_window_includes(window, i)) {
            builder.root = (int)i;
            ok = list_root(&archive->roots[i], &builder, deadline,
                           &listing.roots[i], err);
        }
    }
    ok = ok && complete(&listing, err);
    if (ok) {
        *out = listing;
    } else {
        sq_archive_listing_finish(&listing);
    }
    return ok;
}

bool
sq_archive_list(struct sq_archive *archive,
                const struct sq_archive_window *window,
                const struct sq_deadline *deadline,
                struct sq_archive_listing *out, struct sq_err *err) {
    struct sq_archive_listing listing;
    if (!sq_archive_gather(archive, window, deadline, &listing, err)) {
        return false;
    }
    if (listing.shots.count == 0
        && !sq_archive_explain(archive, window, deadline, &listing.reason,
                               err)) {
        sq_archive_listing_finish(&listing);
        return false;
    }
    *out = listing;
    return true;
}

void
sq_archive_listing_finish(struct sq_archive_listing *listing) {
    for (size_t i = 0; i < listing->source_count; i++) {
        sq_mem_free(listing->sources[i].text);
    }
    sq_mem_free(listing->sources);
    sq_mem_free(listing->sources_of);
    sq_mem_free(listing->owned);
    *listing = (struct sq_archive_listing){ 0 };
}

enum sq_archive_permission
sq_archive_listing_permission(const struct sq_archive_listing *listing,
                              size_t index) {
    return listing->sources[listing->sources_of[index]].permission;
}

void
sq_archive_listing_pick(const struct sq_archive_listing *listing, size_t index,
                        struct sq_archive_pick *out) {
    assert(index < listing->shots.count);
    const struct sq_archive_source *source =
        &listing->sources[listing->sources_of[index]];
    out->shot = listing->shots.items[index];
    out->root = source->root;
    out->place = source->place;
    out->permission = source->permission;
    out->lost_full = false;
    sq_day_names(&out->shot, source->text, out->full, out->thumb);
}
