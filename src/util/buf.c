/* Grows byte buffers up to their maximum size. */
#include "util/buf.h"

#include <assert.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "util/mem.h"

/* Cache of one large memory block, exchanged atomically. */

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

static void
keep(struct spare *spare) {
    sq_mem_free(atomic_exchange(&kept, spare));
}

void
sq_block_cache_keep(size_t max_bytes) {
    atomic_store(&max_kept, max_bytes);
    keep(NULL);
}

void *
sq_block_cache_take(size_t *bytes) {
    struct spare *spare =
        *bytes < MIN_BYTES ? NULL : atomic_exchange(&kept, NULL);
    if (!spare) {
        return NULL;
    }
    if (spare->bytes < *bytes || spare->bytes / 2 > *bytes) {
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

#define FIRST_CAPACITY 1024

void
sq_buf_init(struct sq_buf *buf, size_t max_bytes) {
    *buf = (struct sq_buf){ .max = max_bytes };
}

void
sq_buf_finish(struct sq_buf *buf) {
    sq_block_cache_put(buf->data, buf->cap);
    *buf = (struct sq_buf){ .max = buf->max };
}

void
sq_buf_clear(struct sq_buf *buf) {
    buf->len = 0;
}

static size_t
next_capacity(const struct sq_buf *buf, size_t need) {
    size_t first = buf->max < FIRST_CAPACITY ? buf->max : FIRST_CAPACITY;
    size_t cap = buf->cap ? buf->cap : first;
    while (cap < need) {
        cap = cap > buf->max / 2 ? buf->max : cap * 2;
    }
    return cap;
}

void
sq_buf_drop(struct sq_buf *buf, size_t count) {
    if (count) {
        buf->len -= count;
        memmove(buf->data, buf->data + count, buf->len);
    }
}

bool
sq_buf_reserve(struct sq_buf *buf, size_t more, uint8_t **space,
               struct sq_err *err) {
    assert(buf->len <= buf->max);
    if (more > buf->max - buf->len) {
        return sq_fail(err, SQ_ERR_LIMIT, "more than %zu bytes", buf->max);
    }
    size_t need = buf->len + more;
    if (need > buf->cap || !buf->data) {
        size_t cap = next_capacity(buf, need);
        uint8_t *data = buf->data ? NULL : sq_block_cache_take(&cap);
        if (!data) {
            data = sq_mem_resize(buf->data, cap ? cap : 1);
        }
        if (!data) {
            return sq_fail_nomem(err);
        }
        buf->data = data;
        buf->cap = cap;
    }
    *space = buf->data + buf->len;
    return true;
}

void
sq_buf_commit(struct sq_buf *buf, size_t used) {
    assert(used <= buf->cap - buf->len);
    buf->len += used;
}

bool
sq_buf_append(struct sq_buf *buf, const void *bytes, size_t count,
              struct sq_err *err) {
    uint8_t *space;
    if (count <= buf->cap - buf->len && buf->data && buf->cap <= buf->max) {
        space = buf->data + buf->len; /* the usual case, without a call */
    } else if (!sq_buf_reserve(buf, count, &space, err)) {
        return false;
    }
    if (count) {
        memcpy(space, bytes, count);
    }
    buf->len += count;
    return true;
}

bool
sq_buf_printf(struct sq_buf *buf, struct sq_err *err, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(length >= 0);

    /* vsnprintf writes a NUL. It needs space but is not part of the content. */
    uint8_t *space;
    if (!sq_buf_reserve(buf, (size_t)length + 1, &space, err)) {
        return false;
    }
    va_start(args, format);
    vsnprintf((char *)space, (size_t)length + 1, format, args);
    va_end(args);
    buf->len += (size_t)length;
    return true;
}
