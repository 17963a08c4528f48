/*
 * Remembers the periods of activity read from a file, as long as the file does
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

#define MAX_ENTRIES 8
#define MAX_PERIODS 20000 /* of one entry; more are not remembered */

/* A change so soon after the last one may have the same time of change. */
#define FRESH_NS INT64_C(2000000000)
#define NS_PER_S INT64_C(1000000000)

/* SQLite writes to files beside the database, too. */
static const char *const suffixes[] = { "", "-wal", "-journal" };
#define FILES (sizeof(suffixes) / sizeof(suffixes[0]))

struct file_state {
    bool exists;
    dev_t device;
    ino_t inode;
    off_t size;
    int64_t modified_ns;
    int64_t changed_ns;
};

struct entry {
    bool is_used;
    const struct sq_activity_ops *ops;
    enum sq_granularity granularity;
    char path[SQ_PATH_SIZE];
    struct file_state files[FILES];
    struct sq_window window; /* whole days */
    struct sq_segments segments;
    uint64_t used_at; /* by the cache's count of uses */
};

struct sq_period_cache {
    struct sq_lock *lock;
    uint64_t uses;
    struct entry entries[MAX_ENTRIES];
};

bool
sq_period_cache_create(struct sq_period_cache **out, struct sq_err *err) {
    struct sq_period_cache *cache = sq_mem_zalloc(1, sizeof(*cache));
    if (!cache) {
        return sq_fail_nomem(err);
    }
    if (!sq_lock_create(&cache->lock, err)) {
        sq_mem_free(cache);
        return false;
    }
    *out = cache;
    return true;
}

void
sq_period_cache_destroy(struct sq_period_cache *cache) {
    if (cache) {
        for (size_t i = 0; i < MAX_ENTRIES; i++) {
            sq_segments_finish(&cache->entries[i].segments);
        }
        sq_lock_destroy(cache->lock);
        sq_mem_free(cache);
    }
}

static int64_t
ns_of(struct timespec time) {
    return (int64_t)time.tv_sec * NS_PER_S + time.tv_nsec;
}

/*
 * Reads the state of a file and of those beside it. Returns false if the file
 * cannot be remembered, because it does not exist or has just changed.
 */
static bool
read_state(const char *path, struct file_state files[FILES]) {
    char name[SQ_PATH_SIZE + 16];
    int64_t fresh_ns = sq_clock_wall_ns() - FRESH_NS;
    for (size_t i = 0; i < FILES; i++) {
        struct stat st;
        files[i] = (struct file_state){ 0 };
        snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
        if (sq_call_fstatat(AT_FDCWD, name, &st) < 0) {
            continue;
        }
        files[i] = (struct file_state){
            .exists = true,
            .device = st.st_dev,
            .inode = st.st_ino,
            .size = st.st_size,
            .modified_ns = ns_of(st.st_mtim),
            .changed_ns = ns_of(st.st_ctim),
        };
        if (files[i].modified_ns > fresh_ns) {
            return false;
        }
    }
    return files[0].exists;
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

/* Returns the entry of this source that contains the window, or NULL. */
static struct entry *
find_entry(struct sq_period_cache *cache, const struct sq_activity_ops *ops,
           const struct sq_activity_source *source,
           const struct file_state *files, const struct sq_window *window) {
    for (size_t i = 0; i < MAX_ENTRIES; i++) {
        struct entry *entry = &cache->entries[i];
        if (entry->is_used && entry->ops == ops
            && entry->granularity == source->granularity
            && strcmp(entry->path, source->path) == 0
            && is_same_state(entry->files, files)
            && entry->window.from_utc <= window->from_utc
            && entry->window.to_utc >= window->to_utc) {
            return entry;
        }
    }
    return NULL;
}

/* Replaces the entry that was not used for the longest time; takes *all. */
static void
keep(struct sq_period_cache *cache, struct entry *filled,
     struct sq_segments *all) {
    struct entry *oldest = &cache->entries[0];
    for (size_t i = 1; i < MAX_ENTRIES; i++) {
        oldest = cache->entries[i].used_at < oldest->used_at
                   ? &cache->entries[i]
                   : oldest;
    }
    sq_segments_finish(&oldest->segments);
    filled->is_used = true;
    filled->used_at = ++cache->uses;
    *oldest = *filled;
    oldest->segments = *all;
    *all = (struct sq_segments){ 0 };
    sq_segments_trim(&oldest->segments);
}

bool
sq_period_cache_gather(const struct sq_activity_ops *ops,
                       const struct sq_activity_source *source,
                       const struct sq_window *window,
                       const struct sq_deadline *deadline,
                       struct sq_segments *out, struct sq_err *err) {
    struct sq_period_cache *cache = source->cache;
    struct entry read = { .ops = ops, .granularity = source->granularity };
    if (!ops->is_file || strlen(source->path) >= sizeof(read.path)
        || !read_state(source->path, read.files)) {
        return sq_activity_gather(ops, source, window, deadline, out, err);
    }
    const struct sq_segments_filter *filter = out->filter;
    out->filter = NULL; /* what is remembered has passed it */
    sq_lock_lock(cache->lock);
    struct entry *known = find_entry(cache, ops, source, read.files, window);
    bool is_known = known != NULL;
    bool ok = true;
    if (is_known) {
        known->used_at = ++cache->uses;
        ok = copy_window(&known->segments, window, out, err);
    }
    sq_lock_unlock(cache->lock);
    if (is_known) {
        return ok;
    }
    struct sq_segments all;
    sq_segments_init(&all);
    all.filter = filter; /* names are hidden before they are remembered */
    read.window.from_utc = sq_days_of_seconds(window->from_utc) * SQ_DAY_S;
    read.window.to_utc =
        sq_days_of_seconds(window->to_utc - 1) * SQ_DAY_S + SQ_DAY_S;
    snprintf(read.path, sizeof(read.path), "%s", source->path);
    ok = sq_activity_gather(ops, source, &read.window, deadline, &all, err)
      && copy_window(&all, window, out, err);
    all.filter = NULL;
    if (ok && all.count <= MAX_PERIODS) {
        sq_lock_lock(cache->lock);
        keep(cache, &read, &all);
        sq_lock_unlock(cache->lock);
    }
    sq_segments_finish(&all);
    return ok;
}
