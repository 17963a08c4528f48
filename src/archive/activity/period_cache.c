/*
 * Remembers what was read from a source of activities, as long as its file does
 * not change: a tracker's table can have millions of rows without an index by
 * time.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "archive/activity/activity.h"
#include "sys/call.h"
#include "sys/clock.h"
#include "sys/lock.h"
#include "util/mem.h"
#include "util/time_text.h"

#define MAX_ENTRIES 64
#define MAX_PERIODS 20000 /* of one entry; more are not remembered */

#define NS_PER_S INT64_C(1000000000)

/* A change so soon after the last one may have the same time of change. */
#define FRESH_NS (2 * NS_PER_S)

/* Reading so large a file takes long, and trackers change it every second. */
#define LARGE_FILE (INT64_C(32) << 20)

/* SQLite writes to files beside the database, too. */
static const char *const suffixes[] = { "", "-wal", "-journal" };
#define FILES (SQ_COUNT(suffixes))

struct file_state {
    bool exists;
    dev_t device;
    ino_t inode;
    off_t size;
    int64_t modified_ns;
    int64_t changed_ns;
};

struct entry {
    void *periods; /* NULL: not used */
    enum sq_granularity granularity;
    struct sq_window window;
    uint64_t used_at; /* by the cache's count of uses */
};

struct sq_period_cache {
    struct sq_lock *lock; /* of sq_period_cache_gather */
    void (*free_periods)(void *periods);
    const struct sq_activity_ops *ops; /* NULL: nothing was read */
    char path[SQ_PATH_SIZE];
    bool is_file;
    struct file_state files[FILES]; /* before it was read */
    int64_t begun_utc;              /* then */
    int64_t read_ns;                /* when something was read last */
    uint64_t restarts;
    uint64_t uses;
    struct entry entries[MAX_ENTRIES];
};

bool
sq_period_cache_create(void (*free_periods)(void *periods),
                       struct sq_period_cache **out, struct sq_err *err) {
    struct sq_period_cache *cache = sq_mem_zalloc(1, sizeof(*cache));
    if (!cache) {
        return sq_fail_nomem(err);
    }
    cache->free_periods = free_periods;
    if (!sq_lock_create(&cache->lock, err)) {
        sq_mem_free(cache);
        return false;
    }
    *out = cache;
    return true;
}

static void
forget(struct sq_period_cache *cache) {
    for (size_t i = 0; i < MAX_ENTRIES; i++) {
        if (cache->entries[i].periods) {
            cache->free_periods(cache->entries[i].periods);
        }
        cache->entries[i] = (struct entry){ 0 };
    }
}

void
sq_period_cache_destroy(struct sq_period_cache *cache) {
    if (cache) {
        forget(cache);
        sq_lock_destroy(cache->lock);
        sq_mem_free(cache);
    }
}

static int64_t
ns_of(struct timespec time) {
    return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

/* Reads the state of a file and of those beside it. */
static void
read_state(const char *path, struct file_state files[FILES]) {
    char name[SQ_PATH_SIZE + 16];
    for (size_t i = 0; i < FILES; i++) {
        struct stat st;
        files[i] = (struct file_state){ 0 };
        snprintf(name, sizeof(name), "%.*s%s", SQ_PATH_SIZE, path, suffixes[i]);
        if (sq_call_fstatat(AT_FDCWD, name, &st) == 0) {
            files[i] = (struct file_state){
                .exists = true,
                .device = st.st_dev,
                .inode = st.st_ino,
                .size = st.st_size,
                .modified_ns = ns_of(st.st_mtim),
                .changed_ns = ns_of(st.st_ctim),
            };
        }
    }
}

static bool
is_same_state(const struct file_state *a, const struct file_state *b) {
    for (size_t i = 0; i < FILES; i++) {
        if (a[i].exists != b[i].exists || a[i].device != b[i].device
            || a[i].inode != b[i].inode || a[i].size != b[i].size
            || a[i].modified_ns != b[i].modified_ns
            || a[i].changed_ns != b[i].changed_ns) {
            return false;
        }
    }
    return true;
}

static bool
is_large(const struct sq_period_cache *cache) {
    return cache->files[0].size >= LARGE_FILE;
}

/* Returns whether the file has not just changed. */
static bool
is_settled(const struct sq_period_cache *cache) {
    int64_t fresh_ns = sq_clock_wall_ns() - FRESH_NS;
    for (size_t i = 0; i < FILES; i++) {
        if (cache->files[i].modified_ns > fresh_ns) {
            return false;
        }
    }
    return true;
}

bool
sq_period_cache_is_valid(const struct sq_period_cache *cache, int64_t to_utc) {
    struct file_state files[FILES];
    bool is_recent =
        sq_clock_monotonic_ns() - cache->read_ns < SQ_PERIODS_VALID_NS;
    if (!cache->ops || !cache->is_file) {
        return cache->ops && is_recent;
    }
    read_state(cache->path, files);
    return (files[0].exists && is_same_state(files, cache->files))
        || (is_recent && is_large(cache) && to_utc <= cache->begun_utc);
}

void
sq_period_cache_restart(struct sq_period_cache *cache,
                        const struct sq_activity_ops *ops,
                        const struct sq_activity_source *source) {
    forget(cache);
    cache->restarts++;
    cache->ops = ops;
    cache->is_file = ops->is_file && source->path;
    cache->read_ns = sq_clock_monotonic_ns();
    cache->begun_utc = sq_clock_wall_ns() / NS_PER_S;
    snprintf(cache->path, sizeof(cache->path), "%s",
             cache->is_file ? source->path : "");
    if (cache->is_file) {
        read_state(cache->path, cache->files);
    }
}

bool
sq_period_cache_is_empty(const struct sq_period_cache *cache) {
    for (size_t i = 0; i < MAX_ENTRIES; i++) {
        if (cache->entries[i].periods) {
            return false;
        }
    }
    return true;
}

void *
sq_period_cache_find(struct sq_period_cache *cache,
                     enum sq_granularity granularity,
                     const struct sq_window *window) {
    for (size_t i = 0; i < MAX_ENTRIES; i++) {
        struct entry *entry = &cache->entries[i];
        if (entry->periods && entry->granularity == granularity
            && entry->window.from_utc <= window->from_utc
            && entry->window.to_utc >= window->to_utc) {
            entry->used_at = ++cache->uses;
            return entry->periods;
        }
    }
    return NULL;
}

void
sq_period_cache_keep(struct sq_period_cache *cache,
                     enum sq_granularity granularity,
                     const struct sq_window *window, void *periods) {
    struct entry *oldest = &cache->entries[0];
    for (size_t i = 1; i < MAX_ENTRIES; i++) {
        oldest = cache->entries[i].used_at < oldest->used_at
                   ? &cache->entries[i]
                   : oldest;
    }
    if (oldest->periods) {
        cache->free_periods(oldest->periods);
    }
    cache->read_ns = sq_clock_monotonic_ns();
    *oldest = (struct entry){ periods, granularity, *window, ++cache->uses };
}

void
sq_period_cache_free_segments(void *periods) {
    sq_segments_finish(periods);
    sq_mem_free(periods);
}

/* Copies the periods that overlap a window. */
static bool
copy_window(const struct sq_segments *all, const struct sq_window *window,
            struct sq_segments *out, struct sq_err *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < all->count; i++) {
        const struct sq_segment *item = &all->items[i];
        ok = item->end_utc <= window->from_utc
          || item->start_utc >= window->to_utc
          || sq_segments_add(out, item->start_utc, item->end_utc,
                             sq_segments_label(all, item->label), err);
    }
    if (ok) {
        sq_segments_merge(out);
    } else {
        sq_segments_finish(out);
        sq_segments_init(out);
    }
    return ok;
}

/*
 * Looks up a window, as of the source's present state. Returns whether the
 * result can be remembered; *is_known: *out has what was remembered.
 */
static bool
look_up(const struct sq_activity_ops *ops,
        const struct sq_activity_source *source, const struct sq_window *window,
        bool *is_known, struct sq_segments *out) {
    struct sq_period_cache *cache = source->cache;
    if (cache->ops != ops || strcmp(cache->path, source->path) != 0
        || !sq_period_cache_is_valid(cache, window->to_utc)) {
        sq_period_cache_restart(cache, ops, source);
    }
    *is_known = false;
    if (!cache->files[0].exists || !(is_settled(cache) || is_large(cache))) {
        return false;
    }
    const struct sq_segments *known =
        sq_period_cache_find(cache, source->granularity, window);
    struct sq_err ignored;
    *is_known = known && copy_window(known, window, out, &ignored);
    return true;
}

/* Reads whole days, of which *out receives the window, and remembers them. */
static bool
read_days(const struct sq_activity_ops *ops,
          const struct sq_activity_source *source,
          const struct sq_window *window, const struct sq_deadline *deadline,
          struct sq_segments *out, struct sq_err *err) {
    struct sq_period_cache *cache = source->cache;
    const struct sq_window days = {
        sq_days_of_seconds(window->from_utc) * SQ_DAY_S,
        sq_days_of_seconds(window->to_utc - 1) * SQ_DAY_S + SQ_DAY_S,
    };
    struct sq_segments *all = sq_mem_alloc(1, sizeof(*all));
    if (!all) {
        return sq_fail_nomem(err);
    }
    sq_segments_init(all);
    sq_lock_lock(cache->lock);
    uint64_t restarts = cache->restarts;
    sq_lock_unlock(cache->lock);
    all->filter = out->filter; /* names are hidden before they are remembered */
    out->filter = NULL;
    bool ok = sq_activity_gather(ops, source, &days, deadline, all, err)
           && copy_window(all, window, out, err);
    all->filter = NULL;
    sq_lock_lock(cache->lock);
    if (ok && all->count <= MAX_PERIODS && cache->restarts == restarts) {
        sq_segments_trim(all);
        sq_period_cache_keep(cache, source->granularity, &days, all);
        all = NULL;
    }
    sq_lock_unlock(cache->lock);
    if (all) {
        sq_period_cache_free_segments(all);
    }
    return ok;
}

bool
sq_period_cache_gather(const struct sq_activity_ops *ops,
                       const struct sq_activity_source *source,
                       const struct sq_window *window,
                       const struct sq_deadline *deadline,
                       struct sq_segments *out, struct sq_err *err) {
    struct sq_period_cache *cache = source->cache;
    if (!ops->is_file || strlen(source->path) >= sizeof(cache->path)) {
        return sq_activity_gather(ops, source, window, deadline, out, err);
    }
    const struct sq_segments_filter *filter = out->filter;
    out->filter = NULL; /* what is remembered has passed it */
    bool is_known;
    sq_lock_lock(cache->lock);
    bool can_keep = look_up(ops, source, window, &is_known, out);
    sq_lock_unlock(cache->lock);
    out->filter = filter;
    return is_known
        || (can_keep
                ? read_days(ops, source, window, deadline, out, err)
                : sq_activity_gather(ops, source, window, deadline, out, err));
}
