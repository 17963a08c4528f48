/* Removes all but the newest files of a folder. */
#include "sys/prune.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>

#include "sys/call.h"
#include "sys/entries.h"

#define NS_PER_S INT64_C(1000000000)
#define MAX_ENTRIES 1000000 /* entries read per folder */

struct kept {
    char name[SQ_PRUNE_NAME_SIZE];
    int64_t time_ns; /* modification time */
};

/* The newest files so far. */
struct newest {
    struct kept files[SQ_PRUNE_KEEP];
    size_t count;
};

static int64_t
changed_ns(const struct stat *st) {
    return (int64_t)st->st_mtim.tv_sec * NS_PER_S + st->st_mtim.tv_nsec;
}

static struct kept *
oldest_of(struct newest *newest) {
    struct kept *oldest = &newest->files[0];
    for (size_t i = 1; i < newest->count; i++) {
        if (newest->files[i].time_ns < oldest->time_ns) {
            oldest = &newest->files[i];
        }
    }
    return oldest;
}

/* Adds a file. If the list is full, deletes the oldest file of all. */
static void
add(struct newest *newest, int folder, const struct kept *file) {
    if (newest->count < SQ_PRUNE_KEEP) {
        newest->files[newest->count++] = *file;
        return;
    }
    struct kept *oldest = oldest_of(newest);
    if (file->time_ns <= oldest->time_ns) {
        sq_call_unlinkat(folder, file->name);
        return;
    }
    sq_call_unlinkat(folder, oldest->name);
    *oldest = *file;
}

static void
add_entry(struct newest *newest, int folder, struct sq_span name,
          const char *latest) {
    struct stat st;
    struct kept file;
    if (name.len >= sizeof(file.name)
        || sq_call_lstatat(folder, name.ptr, &st) < 0 || !S_ISREG(st.st_mode)) {
        return;
    }
    snprintf(file.name, sizeof(file.name), "%s", name.ptr);
    file.time_ns = sq_span_is(name, latest) ? INT64_MAX : changed_ns(&st);
    add(newest, folder, &file);
}

void
sq_prune(int folder, bool (*is_ours)(struct sq_span name), const char *latest) {
    struct newest newest = { .count = 0 };
    struct sq_entries *entries = NULL;
    struct sq_entry entry;
    int listed =
        sq_call_openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (listed < 0) {
        return;
    }
    if (sq_entries_create(&entries, NULL)) {
        sq_entries_start(entries, listed);
        for (int i = 0; i < MAX_ENTRIES && sq_entries_next(entries, &entry);
             i++) {
            if (is_ours(entry.name)) {
                add_entry(&newest, folder, entry.name, latest);
            }
        }
        sq_entries_destroy(entries);
    }
    sq_call_close(listed);
}
