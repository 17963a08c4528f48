/* A growing byte buffer with a maximum size. */
#ifndef SQ_UTIL_BUF_H
#define SQ_UTIL_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"
#include "util/span.h"

/* data and len may be read directly. Only the functions here change them. */
struct sq_buf {
    uint8_t *data;
    size_t len;
    size_t cap;
    size_t max; /* growing beyond this fails with SQ_ERR_LIMIT */
};

/* Starts empty; allocates nothing. */
void sq_buf_init(struct sq_buf *buf, size_t max_bytes);

void sq_buf_finish(struct sq_buf *buf);

/* Declares an empty buffer that is freed at the end of its scope. */
#define SQ_BUF(name, max_bytes)                                                \
    SQ_FREED(sq_buf_finish) struct sq_buf name;                                \
    sq_buf_init(&(name), max_bytes)

/* Returns the content as text. It is valid until the buffer changes. */
static inline struct sq_span
sq_buf_span(const struct sq_buf *buf) {
    return (struct sq_span){ (const char *)buf->data, buf->len };
}

/* Sets the length to 0 and keeps the memory. */
void sq_buf_clear(struct sq_buf *buf);

/* Removes the first bytes. */
void sq_buf_drop(struct sq_buf *buf, size_t count);

/*
 * Ensures space for `more` bytes after the content. Sets *room to that space.
 */
bool sq_buf_reserve(struct sq_buf *buf, size_t more, uint8_t **space,
                    struct sq_err *err);

/* Adds `used` bytes of the reserved space to the content. */
void sq_buf_commit(struct sq_buf *buf, size_t used);

/* Appends bytes. On failure the buffer is unchanged. */
bool sq_buf_append(struct sq_buf *buf, const void *bytes, size_t count,
                   struct sq_err *err);

/* Appends one byte. On failure the buffer is unchanged. */
static inline bool
sq_buf_append_byte(struct sq_buf *buf, char byte, struct sq_err *err) {
    if (buf->len >= buf->cap || buf->len >= buf->max) {
        return sq_buf_append(buf, &byte, 1, err);
    }
    buf->data[buf->len++] = (uint8_t)byte;
    return true;
}

/* Appends formatted text, without a terminating NUL. */
bool sq_buf_printf(struct sq_buf *buf, struct sq_err *err, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));

/*
 * A cache of one large memory block. It keeps the last block that was given up
 * and hands it to the next caller that needs one. A screen frame takes 10 MB:
 * allocating and clearing its 2,500 pages for every picture costs nearly as
 * much as drawing it.
 */

/*
 * Sets the largest block size to keep. 0, the initial value, disables the cache
 * and frees the block in it. All functions here are thread-safe.
 */
void sq_block_cache_keep(size_t max_bytes);

/*
 * Returns the cached block if it has at least *bytes and at most twice as many,
 * and sets *bytes to its real size. Returns NULL if there is no such block. The
 * caller owns the block and releases it with sq_mem_free or
 * sq_block_cache_put.
 */
void *sq_block_cache_take(size_t *bytes);

/* Caches or frees a block of the given size from sq_mem. Accepts NULL. */
void sq_block_cache_put(void *block, size_t bytes);

#endif
