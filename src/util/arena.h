/* Arena allocator: small allocations that are all freed together. */
#ifndef SQ_UTIL_ARENA_H
#define SQ_UTIL_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"
#include "util/span.h"

struct sq_arena_block;

/* Private to the functions here. Used by one thread at a time. */
struct sq_arena {
    struct sq_arena_block *first;
    struct sq_arena_block *last; /* new allocations come from here */
    size_t held;                 /* total size of all blocks in bytes */
    size_t max;                  /* upper limit for held */
};

/*
 * Starts empty and allocates nothing. max_bytes limits the size of all blocks.
 */
void sq_arena_init(struct sq_arena *arena, size_t max_bytes);

/*
 * Frees all memory of the arena. Safe on a zeroed value and when called twice.
 */
void sq_arena_finish(struct sq_arena *arena);

/* Declares an empty arena that is freed at the end of its scope. */
#define SQ_ARENA(name, max_bytes)                                              \
    SQ_FREED(sq_arena_finish) struct sq_arena name;                            \
    sq_arena_init(&(name), max_bytes)

/* Invalidates all allocations, but keeps the first block for reuse. */
void sq_arena_reset(struct sq_arena *arena);

/*
 * Returns uninitialised memory for count items of size bytes, aligned for any
 * type and owned by the arena. Returns NULL on failure: SQ_ERR_NOMEM, or
 * SQ_ERR_LIMIT if the arena would exceed its maximum.
 */
void *sq_arena_alloc(struct sq_arena *arena, size_t count, size_t size,
                     struct sq_err *err);

/*
 * Returns a NUL-terminated copy owned by the arena, or NULL on failure. A NUL
 * inside the text is copied too and ends the C string early.
 */
char *sq_arena_strdup(struct sq_arena *arena, struct sq_span text,
                      struct sq_err *err);

/*
 * Makes *text point to a copy owned by the arena. On failure *text is
 * unchanged.
 */
bool sq_arena_keep(struct sq_arena *arena, struct sq_span *text,
                   struct sq_err *err);

#endif
