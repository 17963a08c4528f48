/* Cache of one large memory block, exchanged atomically. */
#include "util/block_cache.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "util/mem.h"

/* Smaller blocks are already cached by the C library's heap. */
#define MIN_BYTES ((size_t)1 << 20)

/*
 * Header inside the cached block, so that one atomic exchange moves the block
 * with its size.
 */
struct spare {
    size_t bytes;
};

static _Atomic(struct spare *) kept;
static atomic_size_t max_kept;

/* Replaces the cached block. */
static void
keep(struct spare *spare) {
    sq_mem_free(atomic_exchange(&kept, spare));
}

void
sq_block_cache_keep(size_t max_bytes) {
    atomic_store(&max_kept, max_bytes);
    keep(NULL);
}

static bool
fits(const struct spare *spare, size_t bytes) {
    return spare->bytes >= bytes && spare->bytes / 2 <= bytes;
}

void *
sq_block_cache_take(size_t *bytes) {
    struct spare *spare =
        *bytes < MIN_BYTES ? NULL : atomic_exchange(&kept, NULL);
    if (!spare) {
        return NULL;
    }
    if (!fits(spare, *bytes)) {
        keep(spare);
        return NULL;
    }
    *bytes = spare->bytes;
    return spare;
}

void
sq_block_cache_put(void *block, size_t bytes) {
    if (!block || bytes < MIN_BYTES || bytes > atomic_load(&max_kept)) {
        sq_mem_free(block);
        return;
    }
    struct spare *spare = block;
    spare->bytes = bytes;
    keep(spare);
}
