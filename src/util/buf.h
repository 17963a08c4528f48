/* A growing byte buffer that cannot be made without naming its ceiling. */
#ifndef SQ_UTIL_BUF_H
#define SQ_UTIL_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

/* Read data and len freely; change them only through the functions here. */
struct sq_buf {
    uint8_t *data;
    size_t len;
    size_t cap;
    size_t max; /* appending beyond this is SQ_ERR_LIMIT */
};

/* Start empty; allocates nothing. */
void sq_buf_init(struct sq_buf *buf, size_t max_bytes);

/* Free the bytes; safe on a zeroed value and twice. */
void sq_buf_finish(struct sq_buf *buf);

/* Forget the content, keep the memory. */
void sq_buf_clear(struct sq_buf *buf);

/* Make room for `more` bytes behind len; *room is where they go. */
bool sq_buf_reserve(struct sq_buf *buf, size_t more, uint8_t **room,
                    struct sq_err *err);

/* Count `used` bytes of a reserved room as content. */
void sq_buf_commit(struct sq_buf *buf, size_t used);

/* Append bytes; on failure the buffer is as it was. */
bool sq_buf_append(struct sq_buf *buf, const void *bytes, size_t count,
                   struct sq_err *err);

/* Append formatted text, without a terminating NUL. */
bool sq_buf_printf(struct sq_buf *buf, struct sq_err *err, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));

#endif
