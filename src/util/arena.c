/* Arena allocator with blocks that grow in size. */
#include "util/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "util/mem.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISON
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ARENA_POISON
#endif

/* Lets AddressSanitizer detect access beyond the allocated memory. */
#ifdef ARENA_POISON
#include <sanitizer/asan_interface.h>
#define HIDE(memory, bytes) ASAN_POISON_MEMORY_REGION(memory, bytes)
#define SHOW(memory, bytes) ASAN_UNPOISON_MEMORY_REGION(memory, bytes)
#else
#define HIDE(memory, bytes) ((void)(memory), (void)(bytes))
#define SHOW(memory, bytes) ((void)(memory), (void)(bytes))
#endif

#define ALIGNMENT alignof(max_align_t)
#define FIRST_BLOCK ((size_t)4 << 10)
#define LARGEST_BLOCK ((size_t)256 << 10) /* unless one item needs more */

struct sq_arena_block {
    struct sq_arena_block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

void
sq_arena_init(struct sq_arena *arena, size_t max_bytes) {
    *arena = (struct sq_arena){ .max = max_bytes };
}

static void
free_blocks(struct sq_arena_block *block) {
    while (block) {
        struct sq_arena_block *next = block->next;
        sq_mem_free(block);
        block = next;
    }
}

void
sq_arena_finish(struct sq_arena *arena) {
    free_blocks(arena->first);
    sq_arena_init(arena, arena->max);
}

void
sq_arena_reset(struct sq_arena *arena) {
    struct sq_arena_block *first = arena->first;
    if (!first) {
        return;
    }
    free_blocks(first->next);
    HIDE(first->bytes, first->size);
    first->next = NULL;
    first->used = 0;
    arena->last = first;
    arena->held = first->size;
}

static size_t
next_block_size(const struct sq_arena *arena, size_t need) {
    size_t size = arena->last ? arena->last->size * 2 : FIRST_BLOCK;
    size_t left = arena->max - arena->held;
    size = size > LARGEST_BLOCK ? LARGEST_BLOCK : size;
    size = size > left ? left : size;
    return size > need ? size : need;
}

static bool
add_block(struct sq_arena *arena, size_t need, struct sq_err *err) {
    if (need > arena->max - arena->held) {
        return sq_fail(err, SQ_ERR_LIMIT, "more than %zu bytes of memory",
                       arena->max);
    }
    size_t size = next_block_size(arena, need);
    size_t bytes;
    struct sq_arena_block *block = NULL;
    if (!__builtin_add_overflow(sizeof(*block), size, &bytes)) {
        block = sq_mem_alloc(1, bytes);
    }
    if (!block) {
        return sq_fail_nomem(err);
    }
    *block = (struct sq_arena_block){ .size = size };
    HIDE(block->bytes, size);
    *(arena->last ? &arena->last->next : &arena->first) = block;
    arena->last = block;
    arena->held += size;
    return true;
}

void *
sq_arena_alloc(struct sq_arena *arena, size_t count, size_t size,
               struct sq_err *err) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > arena->max) {
        sq_fail(err, SQ_ERR_LIMIT, "more than %zu bytes of memory", arena->max);
        return NULL;
    }
    const struct sq_arena_block *last = arena->last;
    if (!last || bytes > last->size - last->used) {
        if (!add_block(arena, bytes, err)) {
            return NULL;
        }
    }
    struct sq_arena_block *block = arena->last;
    void *memory = block->bytes + block->used;
    size_t left = block->size - block->used;
    size_t padding = -bytes % ALIGNMENT;
    block->used += left - bytes < padding ? left : bytes + padding;
    SHOW(memory, bytes);
    return memory;
}

char *
sq_arena_strdup(struct sq_arena *arena, struct sq_span text,
                struct sq_err *err) {
    size_t bytes;
    if (__builtin_add_overflow(text.len, 1, &bytes)) {
        sq_fail(err, SQ_ERR_LIMIT, "more than %zu bytes of memory", arena->max);
        return NULL;
    }
    char *copy = sq_arena_alloc(arena, bytes, 1, err);
    if (copy) {
        if (text.len) {
            memcpy(copy, text.ptr, text.len);
        }
        copy[text.len] = '\0';
    }
    return copy;
}

bool
sq_arena_keep(struct sq_arena *arena, struct sq_span *text,
              struct sq_err *err) {
    const char *copy = sq_arena_strdup(arena, *text, err);
    if (!copy) {
        return false;
    }
    text->ptr = copy;
    return true;
}
