/* Many small things that die together: the memory of one call. */
#ifndef SQ_UTIL_ARENA_H
#define SQ_UTIL_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"
#include "util/span.h"

struct sq_arena_block;

/* A value, private to the functions here. Used by one thread at a time. */
struct sq_arena {
    struct sq_arena_block *first;
    struct sq_arena_block *last; /* the one being filled */
    size_t held;                 /* bytes of all blocks */
    size_t max;                  /* held never passes this */
};

/* Start empty; allocates nothing. max_bytes is what the blocks may hold. */
void sq_arena_init(struct sq_arena *arena, size_t max_bytes);

/* Free everything handed out; safe on a zeroed value and twice. */
void sq_arena_finish(struct sq_arena *arena);

/* Take back everything handed out, but keep the first block for next time. */
void sq_arena_reset(struct sq_arena *arena);

/*
 * Uninitialised memory for count items of size bytes, aligned for any type,
 * owned by the arena. NULL on failure: SQ_ERR_NOMEM or SQ_ERR_LIMIT.
 */
void *sq_arena_alloc(struct sq_arena *arena, size_t count, size_t size,
                     struct sq_err *err);

/*
 * A NUL-terminated copy, owned by the arena; NULL on failure. A NUL inside the
 * text is copied too: the C string ends there.
 */
char *sq_arena_strdup(struct sq_arena *arena, struct sq_span text,
                      struct sq_err *err);

/* Have the text point to such a copy; untouched on failure. */
bool sq_arena_keep(struct sq_arena *arena, struct sq_span *text,
                   struct sq_err *err);

#endif
