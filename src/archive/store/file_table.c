/* Reads files, and keeps what is known about them, in sets of a few slots. */
#include "archive/store/root.h"

#include <errno.h>
#include <string.h>

#include "sys/call.h"
#include "util/mem.h"

#define WAYS 8 /* slots per set (set-associative) */
#define FIRST_CAPACITY 512

uint64_t
sq_file_key(const char *path) {
    uint64_t hash = 14695981039346656037U;
    for (; *path; path++) {
        hash = (hash ^ (uint8_t)*path) * 1099511628211U;
    }
    return hash;
}

int64_t
sq_file_mtime_ns(const struct stat *st) {
    return (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
}

int
sq_file_read_at(int fd, void *into, size_t count, uint64_t offset,
                size_t *got) {
    *got = 0;
    while (*got < count) {
        ssize_t step = sq_call_pread(fd, (uint8_t *)into + *got, count - *got,
                                     (off_t)(offset + *got));
        if (step < 0) {
            return errno;
        }
        if (step == 0) {
            break;
        }
        *got += (size_t)step;
    }
    return 0;
}

struct sq_file_state
sq_file_state_of(const char *path, const struct stat *st) {
    return (struct sq_file_state){
        .key = sq_file_key(path),
        .inode = (uint64_t)st->st_ino,
        .size = (uint64_t)st->st_size,
        .mtime_ns = sq_file_mtime_ns(st),
    };
}

struct sq_file_slot *
sq_file_table_at(const struct sq_file_table *table, size_t index) {
    return (struct sq_file_slot *)(void *)(table->slots
                                           + index * table->slot_bytes);
}

/* Returns the index of the first slot for that key. */
static size_t
set_of(const struct sq_file_table *table, uint64_t key) {
    return (size_t)((key ^ key >> 32) % (table->capacity / WAYS)) * WAYS;
}

struct sq_file_slot *
sq_file_table_find(const struct sq_file_table *table,
                   const struct sq_file_state *state) {
    for (size_t i = 0; table->capacity > 0 && i < WAYS; i++) {
        struct sq_file_slot *slot =
            sq_file_table_at(table, set_of(table, state->key) + i);
        if (slot->order > 0
            && memcmp(&slot->state, state, sizeof(*state)) == 0) {
            return slot;
        }
    }
    return NULL;
}

/* Returns the slot of that file, a free one, or the oldest of its set. */
static struct sq_file_slot *
choose_slot(struct sq_file_table *table, uint64_t key) {
    size_t set = set_of(table, key);
    struct sq_file_slot *oldest = sq_file_table_at(table, set);
    for (size_t i = 0; i < WAYS; i++) {
        struct sq_file_slot *slot = sq_file_table_at(table, set + i);
        if (slot->order > 0 && slot->state.key == key) {
            return slot;
        }
        oldest = slot->order < oldest->order ? slot : oldest;
    }
    table->count += oldest->order == 0;
    return oldest;
}

/* Doubles the slots, up to the limit, when a third of them is used. */
static bool
grow(struct sq_file_table *table, size_t max) {
    if (table->count * 3 < table->capacity || table->capacity == max) {
        return true;
    }
    struct sq_file_table larger = *table;
    larger.capacity = table->capacity ? table->capacity * 2 : FIRST_CAPACITY;
    larger.count = 0;
    larger.slots = sq_mem_zalloc(larger.capacity, larger.slot_bytes);
    if (!larger.slots) {
        return false;
    }
    for (size_t i = 0; i < table->capacity; i++) {
        const struct sq_file_slot *slot = sq_file_table_at(table, i);
        if (slot->order > 0) {
            memcpy(choose_slot(&larger, slot->state.key), slot,
                   larger.slot_bytes);
        }
    }
    sq_mem_free(table->slots);
    *table = larger;
    return true;
}

struct sq_file_slot *
sq_file_table_put(struct sq_file_table *table, size_t slot_bytes, size_t max,
                  const struct sq_file_state *state) {
    table->slot_bytes = slot_bytes;
    if (!grow(table, max)) {
        return NULL;
    }
    struct sq_file_slot *slot = choose_slot(table, state->key);
    *slot = (struct sq_file_slot){ *state, ++table->puts };
    return slot;
}

void
sq_file_table_finish(struct sq_file_table *table) {
    sq_mem_free(table->slots);
    *table = (struct sq_file_table){ 0 };
}
