/* Lists shots: collects and merges those of many folders. */
#include <assert.h>
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

/* A plain value that becomes a listing. */
struct builder {
    const struct sq_archive_window *window;
    int root;                                     /* the root being walked */
    const enum sq_archive_permission *permission; /* of the added folder */
    struct sq_shot *shots;
    size_t count;
    size_t capacity;
    struct sq_archive_source *sources;
    size_t source_count;
    size_t source_capacity;
};

static void
finish(struct builder *builder) {
    for (size_t i = 0; i < builder->source_count; i++) {
        sq_mem_free(builder->sources[i].text);
    }
    sq_mem_free(builder->sources);
    sq_mem_free(builder->shots);
    *builder = (struct builder){ 0 };
}

static bool
grow(struct builder *builder, size_t more, struct sq_err *err) {
    size_t need = builder->count + more;
    if (need > MAX_SHOTS) {
        sq_fail(err, SQ_ERR_LIMIT, "there are more than %zu screenshots",
                MAX_SHOTS);
        return sq_fail_hint(err, "Ask for a shorter time.");
    }
    return (sq_mem_grow(&builder->shots, &builder->capacity, need,
                        sizeof(*builder->shots))
            && sq_mem_grow(&builder->sources, &builder->source_capacity,
                           builder->source_count + 1,
                           sizeof(*builder->sources)))
        || sq_fail_nomem(err);
}

/* Copies the shots of the requested monitor; returns whether one is literal. */
static bool
copy_shots(struct builder *builder, const struct sq_shot *shots, size_t count) {
    int monitor = builder->window->monitor;
    int flags = 0;
    for (size_t i = 0; i < count; i++) {
        if (monitor == SQ_ARCHIVE_ANY || shots[i].monitor == monitor) {
            builder->shots[builder->count++] = shots[i];
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
                                        .start = (uint32_t)builder->count };
    if (copy_shots(builder, day->shots + from, to - from)) {
        source.text = sq_mem_alloc(1, day->text_bytes);
        if (!source.text) {
            return sq_fail_nomem(err);
        }
        memcpy(source.text, sq_day_text(day), day->text_bytes);
    }
    if (builder->count > source.start) {
        builder->sources[builder->source_count++] = source;
    }
    return true;
}

/* The shots of one source that are not yet merged. */
struct run {
    const struct sq_shot *at;
    const struct sq_shot *end;
    uint32_t source;
};

static int
compare(const struct sq_shot *a, const struct sq_shot *b) {
    int literal_a = a->flags & SQ_SHOT_LITERAL;
    int literal_b = b->flags & SQ_SHOT_LITERAL;
    return a->utc != b->utc         ? (a->utc < b->utc ? -1 : 1)
         : a->monitor != b->monitor ? a->monitor - b->monitor
         : literal_a != literal_b   ? literal_a - literal_b
         : a->seq != b->seq         ? (a->seq < b->seq ? -1 : 1)
                                    : 0;
}

static bool
comes_first(const struct run *a, const struct run *b) {
    int order = compare(a->at, b->at);
    return order ? order < 0 : a->source < b->source;
}

/* Moves the run at index `at` down to its position in the heap. */
static void
sift_down(struct run *heap, size_t count, size_t at) {
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++) {
            if (child < count && comes_first(&heap[child], &heap[least])) {
                least = child;
            }
        }
        if (least == at) {
            return;
        }
        struct run run = heap[at];
        heap[at] = heap[least];
        heap[least] = run;
        at = least;
    }
}

static void
merge(struct run *heap, size_t count, struct sq_shot *shots,
      uint32_t *sources_of) {
    size_t put = 0;
    for (size_t i = count / 2; i-- > 0;) {
        sift_down(heap, count, i);
    }
    while (count > 0) {
        sources_of[put] = heap[0].source;
        shots[put++] = *heap[0].at++;
        if (heap[0].at == heap[0].end) {
            heap[0] = heap[--count];
        }
        sift_down(heap, count, 0);
    }
}

static const struct sq_shot *
end_of(const struct builder *builder, size_t source) {
    return builder->shots
         + (source + 1 < builder->source_count
                ? builder->sources[source + 1].start
                : builder->count);
}

/* Returns whether each source begins after the one before it ends. */
static bool
is_sorted(const struct builder *builder) {
    for (size_t i = 1; i < builder->source_count; i++) {
        const struct sq_shot *first =
            builder->shots + builder->sources[i].start;
        if (compare(first - 1, first) > 0) {
            return false;
        }
    }
    return true;
}

static bool
sort(struct builder *builder, uint32_t *sources_of, struct sq_err *err) {
    struct run *heap = sq_mem_alloc(builder->source_count, sizeof(*heap));
    struct sq_shot *shots = sq_mem_alloc(builder->count, sizeof(*shots));
    bool ok = heap && shots;
    if (ok) {
        for (size_t i = 0; i < builder->source_count; i++) {
            heap[i] = (struct run){ builder->shots + builder->sources[i].start,
                                    end_of(builder, i), (uint32_t)i };
        }
        merge(heap, builder->source_count, shots, sources_of);
        sq_mem_free(builder->shots);
        builder->shots = shots;
    } else {
        sq_mem_free(shots);
    }
    sq_mem_free(heap);
    return ok || sq_fail_nomem(err);
}

/* Sorts all shots and moves them into the listing, which must be empty. */
static bool
make_listing(struct builder *builder, struct sq_archive_listing *out,
             struct sq_err *err) {
    if (builder->count == 0) {
        return true;
    }
    uint32_t *sources_of = sq_mem_alloc(builder->count, sizeof(*sources_of));
    if (!sources_of) {
        return sq_fail_nomem(err);
    }
    if (is_sorted(builder)) {
        for (size_t i = 0; i < builder->source_count; i++) {
            size_t end = (size_t)(end_of(builder, i) - builder->shots);
            for (size_t k = builder->sources[i].start; k < end; k++) {
                sources_of[k] = (uint32_t)i;
            }
        }
    } else if (!sort(builder, sources_of, err)) {
        sq_mem_free(sources_of);
        return false;
    }
    out->shots = (struct sq_shots){ builder->shots, builder->count };
    out->owned = builder->shots;
    out->sources_of = sources_of;
    out->sources = builder->sources;
    out->source_count = builder->source_count;
    *builder = (struct builder){ 0 };
    return true;
}

static int32_t
day_of(int64_t utc) {
    int64_t day = sq_days_of_seconds(utc);
    return (int32_t)(day < INT32_MIN   ? INT32_MIN
                     : day > INT32_MAX ? INT32_MAX
                                       : day);
}

static bool
list_root(struct sq_root *root, struct builder *builder,
          const struct sq_deadline *deadline, struct sq_archive_count *count,
          struct sq_err *err) {
    const int32_t days[2] = { day_of(builder->window->from_utc),
                              day_of(builder->window->to_utc - 1) };
    const struct sq_root_visitor visitor = { add_day, builder };
    size_t before = builder->count;
    bool ok = true;
    if (!sq_root_enter(root, deadline, &count->trouble, err)) {
        return false;
    }
    builder->permission = &root->day_permission;
    if (count->trouble == SQ_ARCHIVE_TROUBLE_NONE) {
        ok = sq_root_walk(root, days, &visitor, deadline, count, err);
        /* The index is only a cache: a failed write is ignored. */
        sq_root_save(root, SAVE_AFTER, NULL);
    }
    count->opened = root->opened;
    count->shots = (uint32_t)(builder->count - before);
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
    struct builder builder = { .window = window };
    bool ok = check_window(archive, window, err);
    for (size_t i = 0; ok && i < archive->count; i++) {
        if (sq_archive_window_includes(window, i)) {
            builder.root = (int)i;
            ok = list_root(&archive->roots[i], &builder, deadline,
                           &listing.roots[i], err);
        }
    }
    ok = ok && make_listing(&builder, &listing, err);
    finish(&builder);
    if (ok) {
        *out = listing;
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
