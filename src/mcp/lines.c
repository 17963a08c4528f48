#include "mcp/lines.h"

#include <string.h>

#define CHUNK ((size_t)64 << 10)
#define KEPT_BYTES ((size_t)1 << 20) /* when there is nothing in them */

void
sq_mcp_lines_init(struct sq_mcp_lines *lines, size_t max_line) {
    *lines = (struct sq_mcp_lines){ .max_line = max_line };
    /* One chunk more, which may hold the end that shows it is too long. */
    sq_buf_init(&lines->bytes, max_line + CHUNK + 1);
}

void
sq_mcp_lines_finish(struct sq_mcp_lines *lines) {
    sq_buf_finish(&lines->bytes);
}

/* Forget what was handed out. */
static void
compact(struct sq_mcp_lines *lines) {
    struct sq_buf *bytes = &lines->bytes;
    size_t rest = bytes->len - lines->start;
    if (lines->start > 0) {
        memmove(bytes->data, bytes->data + lines->start, rest);
        sq_buf_clear(bytes);
        sq_buf_commit(bytes, rest);
        lines->scanned -= lines->start;
        lines->start = 0;
    }
    if (rest == 0 && bytes->cap > KEPT_BYTES) {
        sq_buf_finish(bytes);
    }
}

bool
sq_mcp_lines_reserve(struct sq_mcp_lines *lines, uint8_t **room, size_t *count,
                     struct sq_err *err) {
    compact(lines);
    *count = CHUNK;
    return sq_buf_reserve(&lines->bytes, CHUNK, room, err);
}

void
sq_mcp_lines_commit(struct sq_mcp_lines *lines, size_t count) {
    sq_buf_commit(&lines->bytes, count);
}

/* Look for the id in bytes that are thrown away. */
static void
skip(struct sq_mcp_lines *lines, size_t count) {
    const char *from = (const char *)lines->bytes.data + lines->start;
    if (!lines->is_skipping) {
        sq_mcp_salvage_init(&lines->salvage);
    }
    sq_mcp_salvage_feed(&lines->salvage, (struct sq_span){ from, count });
    lines->is_skipping = true;
    lines->start += count;
}

/* There is no newline: wait for one, or throw away what is there. */
static enum sq_mcp_line
await_more(struct sq_mcp_lines *lines) {
    struct sq_buf *bytes = &lines->bytes;
    size_t len = bytes->len - lines->start;
    lines->scanned = bytes->len;
    if (len > 0 && (lines->is_skipping || len > lines->max_line)) {
        skip(lines, len);
    }
    return SQ_MCP_LINE_NONE;
}

enum sq_mcp_line
sq_mcp_lines_next(struct sq_mcp_lines *lines, struct sq_span *line) {
    const struct sq_buf *bytes = &lines->bytes;
    const uint8_t *from = bytes->data + lines->scanned;
    size_t left = bytes->len - lines->scanned;
    const uint8_t *end = left ? memchr(from, '\n', left) : NULL;
    if (!end) {
        return await_more(lines);
    }
    const char *start = (const char *)bytes->data + lines->start;
    size_t len = (size_t)((const char *)end - start);
    bool is_whole = !lines->is_skipping && len <= lines->max_line;
    if (is_whole) {
        lines->start += len;
        *line = (struct sq_span){ start, len };
    } else {
        skip(lines, len);
        *line = sq_mcp_salvage_id(&lines->salvage);
    }
    lines->start++;
    lines->scanned = lines->start;
    lines->is_skipping = false;
    return is_whole ? SQ_MCP_LINE_WHOLE : SQ_MCP_LINE_TOO_LONG;
}
