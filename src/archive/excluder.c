/* Hides the shots that the configuration excludes. */
#include "archive/library.h"

#include <stdlib.h>

#include "archive/names/name.h"
#include "redact/rules.h"
#include "sys/clock.h"
#include "sys/lock.h"
#include "util/mem.h"
#include "util/minmax.h"
#include "util/time_text.h"

#define NS_PER_S INT64_C(1000000000)
#define US_PER_S INT64_C(1000000)

/*
 * Activities are read for this much time with one query, but first for the days
 * around the shots: often no others are asked for before the record changes.
 */
#define BLOCK_S (INT64_C(128) * SQ_DAY_S)

#define TIMEOUT_MS 4000
#define LOCK_TIMEOUT_MS 300
#define MERGE_AT ((size_t)1 << 16)
#define MAX_INTERVALS ((size_t)1 << 20)

/* In microseconds since 1970. */
struct interval {
    int64_t start;
    int64_t end; /* excluded */
};

/* Sorted and disjoint after merge(). */
struct intervals {
    struct interval *items;
    size_t count;
    size_t capacity;
};

enum kind {
    APPS,
    TITLES,
    KINDS,
};

/* What was done in a window: when it is known, and when it is excluded. */
struct period {
    struct sq_window window;
    struct intervals known[KINDS];
    struct intervals excluded;
};

struct sq_excluder {
    const struct sq_activity_settings *settings;
    const struct sq_zone *zone;
    struct sq_excluded_time *times;
    size_t time_count;
    struct sq_redact_rules *rules[KINDS]; /* NULL: none */
    struct sq_lock *lock;                 /* guards what follows */
    struct sq_period_cache *periods;
    const struct sq_activity_ops *ops; /* of the source; NULL: none */
    struct sq_activity_source source;
    char path[SQ_PATH_SIZE]; /* of the source */
    bool has_failed;   /* activities could not be read, so shots were hidden */
    int64_t failed_ns; /* when that was last tried */
    bool has_undated;  /* an excluded activity has a time that is not known */
};

static bool
read_times(struct sq_excluder *excluder, const struct sq_strings *texts,
           struct sq_err *err) {
    excluder->times = sq_mem_alloc(texts->count + 1, sizeof(*excluder->times));
    if (!excluder->times) {
        return sq_fail_nomem(err);
    }
    bool ok = true;
    for (size_t i = 0; ok && i < texts->count; i++) {
        ok = sq_excluded_time_read(sq_span_of(texts->items[i]),
                                   &excluder->times[i], err);
    }
    excluder->time_count = texts->count;
    return ok;
}

static bool
compile(struct sq_excluder *excluder, const struct sq_config *config,
        struct sq_err *err) {
    const struct sq_redact_match apps = {
        .apps = config->archive.exclude_apps,
        .option = "archive.excludeApps",
    };
    const struct sq_redact_match titles = {
        .patterns = config->archive.exclude_titles,
        .option = "archive.excludeTitles",
    };
    return read_times(excluder, &config->archive.exclude, err)
        && (apps.apps.count == 0
            || sq_redact_match_create(&apps, &excluder->rules[APPS], err))
        && (titles.patterns.count == 0
            || sq_redact_match_create(&titles, &excluder->rules[TITLES], err));
}

static void
free_period(void *context) {
    struct period *period = context;
    for (int i = 0; i < KINDS; i++) {
        sq_mem_free(period->known[i].items);
    }
    sq_mem_free(period->excluded.items);
    sq_mem_free(period);
}

bool
sq_excluder_create(const struct sq_config *config,
                   const struct sq_activity_settings *settings,
                   const struct sq_zone *zone, struct sq_excluder **out,
                   struct sq_err *err) {
    *out = NULL;
    if (config->archive.exclude.count == 0
        && config->archive.exclude_apps.count == 0
        && config->archive.exclude_titles.count == 0) {
        return true;
    }
    struct sq_excluder *excluder = sq_mem_zalloc(1, sizeof(*excluder));
    if (!excluder) {
        return sq_fail_nomem(err);
    }
    excluder->settings = settings;
    excluder->zone = zone;
    if (!sq_lock_create(&excluder->lock, err)
        || !sq_period_cache_create(free_period, &excluder->periods, err)
        || !compile(excluder, config, err)) {
        sq_excluder_destroy(excluder);
        return false;
    }
    *out = excluder;
    return true;
}

void
sq_excluder_destroy(struct sq_excluder *excluder) {
    if (!excluder) {
        return;
    }
    sq_period_cache_destroy(excluder->periods);
    for (int i = 0; i < KINDS; i++) {
        sq_redact_rules_destroy(excluder->rules[i]);
    }
    sq_lock_destroy(excluder->lock);
    sq_mem_free(excluder->times);
    sq_mem_free(excluder);
}

bool
sq_excluder_needs_activities(const struct sq_excluder *excluder) {
    return excluder->rules[APPS] || excluder->rules[TITLES];
}

bool
sq_excluder_has_undated(struct sq_excluder *excluder,
                        const struct sq_deadline *deadline) {
    /* An unknown start includes 1970, an unknown end includes now. */
    const struct sq_shot shots[] = {
        { .utc = 0 }, { .utc = (uint32_t)(sq_clock_wall_ns() / NS_PER_S) }
    };
    bool ignored[2];
    sq_excluder_hide(excluder, shots, 2, ignored, deadline, NULL);
    sq_lock_lock(excluder->lock);
    bool has_undated = excluder->has_undated;
    sq_lock_unlock(excluder->lock);
    return has_undated;
}

bool
sq_excluder_is_certain(const struct sq_excluder *excluder) {
    sq_lock_lock(excluder->lock);
    bool is_certain = !excluder->has_failed;
    sq_lock_unlock(excluder->lock);
    return is_certain;
}

static int
compare(const void *a, const void *b) {
    const struct interval *one = a;
    const struct interval *two = b;
    return (one->start > two->start) - (one->start < two->start);
}

static void
merge(struct intervals *all) {
    size_t kept = 0;
    if (all->count > 0) {
        qsort(all->items, all->count, sizeof(*all->items), compare);
    }
    for (size_t i = 0; i < all->count; i++) {
        struct interval *last = kept ? &all->items[kept - 1] : NULL;
        if (last && all->items[i].start <= last->end) {
            last->end = sq_max_int64(last->end, all->items[i].end);
        } else {
            all->items[kept++] = all->items[i];
        }
    }
    all->count = kept;
}

static bool
add(struct intervals *all, int64_t start, int64_t end, struct sq_err *err) {
    if (all->count == all->capacity && all->count >= MERGE_AT) {
        merge(all);
    }
    if (all->count == MAX_INTERVALS
        || !sq_mem_grow(&all->items, &all->capacity, all->count + 1,
                        sizeof(*all->items))) {
        return sq_fail_nomem(err);
    }
    all->items[all->count++] = (struct interval){ start, end };
    return true;
}

/* Returns the first interval that ends after a time; NULL: none. */
static const struct interval *
find_after(const struct intervals *all, int64_t time) {
    size_t low = 0;
    size_t high = all->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all->items[middle].end <= time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < all->count ? &all->items[low] : NULL;
}

/* The activities of a period that are being read. */
struct reading {
    struct sq_excluder *excluder;
    const struct sq_redact_rules *rules;
    enum kind kind;
    struct period *period;
};

bool
sq_excluder_excludes(const struct sq_excluder *excluder, struct sq_span name,
                     bool *out, struct sq_err *err) {
    bool ok = true;
    *out = false;
    for (int i = 0; ok && !*out && i < KINDS; i++) {
        ok = !excluder->rules[i]
          || sq_redact_matches(excluder->rules[i], name, out, err);
    }
    return ok;
}

/*
 * Keeps when an activity was, and forgets its name. One without a name may be
 * excluded, even while another has one.
 */
static bool
note_activity(void *context, const struct sq_extent *when,
              struct sq_span *label, struct sq_err *err) {
    struct reading *reading = context;
    struct sq_span name = sq_span_trim(*label);
    bool is_excluded = name.len == 0;
    *label = (struct sq_span){ 0 };
    if (!is_excluded
        && !sq_redact_matches(reading->rules, name, &is_excluded, err)) {
        return false;
    }
    if (is_excluded) {
        reading->excluder->has_undated |=
            when->from_us == INT64_MIN || when->to_us == INT64_MAX;
        return add(&reading->period->excluded, when->from_us, when->to_us, err);
    }
    return when->surely_to_us <= when->surely_from_us
        || add(&reading->period->known[reading->kind], when->surely_from_us,
               when->surely_to_us, err);
}

static bool
read_kind(struct reading *reading, const struct sq_deadline *deadline,
          struct sq_err *err) {
    const struct sq_excluder *excluder = reading->excluder;
    const struct sq_deadline locks =
        sq_deadline_within(deadline, LOCK_TIMEOUT_MS);
    const struct sq_segments_filter filter = { note_activity, reading, NULL };
    struct sq_activity_source source = excluder->source;
    SQ_FREED(sq_segments_finish) struct sq_segments none = { 0 };
    source.lock_deadline = &locks;
    source.granularity = reading->kind == TITLES ? SQ_ONLY_TITLE : SQ_ONLY_APP;
    sq_segments_init(&none);
    none.filter = &filter;
    bool ok = sq_activity_gather(
        excluder->ops, &source, &reading->period->window, deadline, &none, err);
    merge(&reading->period->known[reading->kind]);
    return ok;
}

/* Reads what was done in a period, and remembers it. */
static bool
read_period(struct sq_excluder *excluder, const struct sq_window *window,
            const struct sq_deadline *deadline, const struct period **out,
            struct sq_err *err) {
    struct period *period = sq_mem_zalloc(1, sizeof(*period));
    if (!period) {
        return sq_fail_nomem(err);
    }
    period->window = *window;
    bool ok = true;
    for (int i = 0; ok && i < KINDS; i++) {
        struct reading reading = { excluder, excluder->rules[i], (enum kind)i,
                                   period };
        ok = !reading.rules || read_kind(&reading, deadline, err);
    }
    if (!ok) {
        free_period(period);
        return false;
    }
    merge(&period->excluded);
    sq_period_cache_keep(excluder->periods, SQ_ONLY_APP, window, period);
    *out = period;
    return true;
}

/* Returns what to read for the activities of a shot. */
static struct sq_window
window_around(const struct sq_excluder *excluder, int64_t utc) {
    int64_t day = utc / SQ_DAY_S * SQ_DAY_S;
    int64_t block = utc / BLOCK_S * BLOCK_S;
    /* A shot at its end may have been taken a minute later. */
    return sq_period_cache_is_empty(excluder->periods)
             ? (struct sq_window){ day - 3 * SQ_DAY_S, day + 4 * SQ_DAY_S + 60 }
             : (struct sq_window){ block, block + BLOCK_S + 60 };
}

static bool
is_within(const struct sq_window *inner, const struct sq_window *outer) {
    return inner->from_utc >= outer->from_utc && inner->to_utc <= outer->to_utc;
}

static bool
has_just_failed(const struct sq_excluder *excluder) {
    return excluder->has_failed
        && sq_clock_monotonic_ns() - excluder->failed_ns < SQ_PERIODS_VALID_NS;
}

/*
 * Finds the activities of a window, which is in *period or not; *period is
 * valid while the lock is held. If they cannot be read, they are not known, and
 * are tried again after SQ_PERIODS_VALID_NS.
 */
static bool
find_period(struct sq_excluder *excluder, const struct sq_window *window,
            const struct sq_deadline *deadline, const struct period **period,
            struct sq_err *err) {
    static const struct period unknown;
    if (*period && is_within(window, &(*period)->window)) {
        return true;
    }
    *period = excluder->ops
                ? sq_period_cache_find(excluder->periods, SQ_ONLY_APP, window)
                : NULL;
    if (*period) {
        return true;
    }
    const struct sq_deadline limited = sq_deadline_within(deadline, TIMEOUT_MS);
    const struct sq_window wanted = window_around(excluder, window->from_utc);
    struct sq_err local_err = { 0 };
    bool is_failing = has_just_failed(excluder);
    if (!is_failing && excluder->ops
        && read_period(excluder, &wanted, &limited, period, &local_err)) {
        return true;
    }
    *period = &unknown;
    excluder->failed_ns =
        is_failing ? excluder->failed_ns : sq_clock_monotonic_ns();
    excluder->has_failed = true;
    return (local_err.code != SQ_ERR_NOMEM
            && local_err.code != SQ_ERR_CANCELLED)
        || sq_fail_with(err, &local_err);
}

/* Chooses the source again if what was read of it is no longer valid. */
static void
check_source(struct sq_excluder *excluder, const struct sq_shot *shots,
             size_t count, const struct sq_deadline *deadline) {
    const struct sq_deadline limited = sq_deadline_within(deadline, TIMEOUT_MS);
    const struct sq_deadline locks =
        sq_deadline_within(&limited, LOCK_TIMEOUT_MS);
    struct sq_err ignored = { 0 };
    int64_t to_utc = 0;
    for (size_t i = 0; i < count; i++) {
        to_utc = sq_max_int64(to_utc, (int64_t)shots[i].utc + 60);
    }
    if (excluder->ops && sq_period_cache_is_valid(excluder->periods, to_utc)) {
        return;
    }
    excluder->ops = NULL;
    excluder->has_undated = false;
    if (has_just_failed(excluder)) {
        return;
    }
    excluder->source = (struct sq_activity_source){ .zone = excluder->zone,
                                                    .lock_deadline = &locks };
    sq_activity_choose(excluder->settings, &limited, &excluder->ops,
                       &excluder->source, excluder->path, &ignored);
    excluder->source.lock_deadline = NULL;
    if (excluder->ops == &sq_activity_visual) {
        excluder->ops = NULL;
    }
    if (excluder->ops) {
        sq_period_cache_restart(excluder->periods, excluder->ops,
                                &excluder->source);
    }
}

static bool
hides_time(const struct sq_excluder *excluder, const struct sq_shot *shot) {
    int64_t local_s = sq_shot_local_s(shot);
    for (size_t i = 0; i < excluder->time_count; i++) {
        if (sq_excluded_time_has(&excluder->times[i], local_s)) {
            return true;
        }
    }
    return false;
}

/* Returns whether an activity of any part of the window is excluded or not
 * known. */
static bool
hides_activity(const struct sq_excluder *excluder, const struct period *period,
               const struct sq_window *window) {
    int64_t from = window->from_utc * US_PER_S;
    int64_t to = window->to_utc * US_PER_S;
    const struct interval *found;
    for (int i = 0; i < KINDS; i++) {
        found = find_after(&period->known[i], from);
        if (excluder->rules[i]
            && (!found || found->start > from || found->end < to)) {
            return true;
        }
    }
    found = find_after(&period->excluded, from);
    return found && found->start < to;
}

/* Hides the shots whose activity is excluded or not known. */
static bool
hide_activities(struct sq_excluder *excluder, const struct sq_shot *shots,
                size_t count, bool *hidden, const struct sq_deadline *deadline,
                struct sq_err *err) {
    const struct period *period = NULL;
    if (!sq_lock_acquire(excluder->lock, deadline, err)) {
        return false;
    }
    check_source(excluder, shots, count, deadline);
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        struct sq_window windows[2];
        size_t left = sq_name_windows(&shots[i], excluder->zone, windows);
        while (!hidden[i] && left-- > 0) {
            ok = find_period(excluder, &windows[left], deadline, &period, err);
            hidden[i] = !ok || hides_activity(excluder, period, &windows[left]);
        }
    }
    sq_lock_unlock(excluder->lock);
    return ok;
}

bool
sq_excluder_hide(void *context, const struct sq_shot *shots, size_t count,
                 bool *hidden, const struct sq_deadline *deadline,
                 struct sq_err *err) {
    struct sq_excluder *excluder = context;
    for (size_t i = 0; i < count; i++) {
        hidden[i] = hides_time(excluder, &shots[i]);
    }
    return !sq_excluder_needs_activities(excluder)
        || hide_activities(excluder, shots, count, hidden, deadline, err);
}
