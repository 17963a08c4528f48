#include "fault/interpose.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

/* The internal names of glibc's functions. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *block);

static bool armed;
static bool fails_from_then;
static long fails_at;
static long asked;
static long live;

void
interpose_arm(long nth, bool from_then) {
    asked = 0;
    fails_at = nth;
    fails_from_then = from_then;
    armed = true;
}

long
interpose_disarm(void) {
    armed = false;
    return asked;
}

long
interpose_live_blocks(void) {
    return live;
}

static bool
refused(void) {
    if (!armed) {
        return false;
    }
    asked++;
    bool hit = asked == fails_at || (fails_from_then && asked > fails_at);
    if (hit) {
        errno = ENOMEM;
    }
    return hit;
}

static void *
counted(void *block) {
    live += block != NULL;
    return block;
}

void *
malloc(size_t size) {
    return refused() ? NULL : counted(__libc_malloc(size));
}

void *
calloc(size_t count, size_t size) {
    return refused() ? NULL : counted(__libc_calloc(count, size));
}

void *
realloc(void *block, size_t size) {
    if (refused()) {
        return NULL;
    }
    void *moved = __libc_realloc(block, size);
    if (!block) {
        counted(moved);
    } else if (!moved && size == 0) {
        live--; /* glibc frees the block then */
    }
    return moved;
}

void *
aligned_alloc(size_t alignment, size_t size) {
    return refused() ? NULL : counted(__libc_memalign(alignment, size));
}

void *
memalign(size_t alignment, size_t size) {
    return refused() ? NULL : counted(__libc_memalign(alignment, size));
}

int
posix_memalign(void **out, size_t alignment, size_t size) {
    void *block = refused() ? NULL : counted(__libc_memalign(alignment, size));
    if (!block) {
        return ENOMEM;
    }
    *out = block;
    return 0;
}

void
free(void *block) {
    live -= block != NULL;
    __libc_free(block);
}
