/* Splits the input into lines and drops lines that are too long. */
#include "mcp/lines.h"

#include <string.h>

#define CHUNK ((size_t)64 << 10)
#define KEPT_BYTES ((size_t)1 << 20) /* buffer kept while it is empty */

void
sq_mcp_lines_init(struct sq_mcp_lines *lines, size_t max_line) {
    *lines = (struct sq_mcp_lines){ .max_line = max_line };
    /* One chunk more than a line, to detect a line that is too long. */
    sq_buf_init(&lines->bytes, max_line + CHUNK + 1);
}

void
sq_mcp_lines_finish(struct sq_mcp_lines *lines) {
    sq_buf_finish(&lines->bytes);
}

/* Drops the lines that were returned. */
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
sq_mcp_lines_reserve(struct sq_mcp_lines *lines, uint8_t **space, size_t *count,
                     struct sq_err *err) {
    compact(lines);
    *count = CHUNK;
    return sq_buf_reserve(&lines->bytes, CHUNK, space, err);
}

void
sq_mcp_lines_commit(struct sq_mcp_lines *lines, size_t count) {
    sq_buf_commit(&lines->bytes, count);
}

/* Searches bytes for the id before they are dropped. */
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

void
sq_mcp_lines_end(struct sq_mcp_lines *lines) {
    lines->is_at_end = true;
}

/*
 * Handles the lack of a newline: waits for one, or drops the bytes of a line
 * that is too long.
 */
static enum sq_mcp_line
keep_incomplete_line(struct sq_mcp_lines *lines) {
    size_t len = lines->bytes.len - lines->start;
    lines->scanned = lines->bytes.len;
    if (len > 0 && (lines->is_skipping || len > lines->max_line)) {
        skip(lines, len);
    }
    return SQ_MCP_LINE_NONE;
}

/* Ends the line of len bytes. */
static enum sq_mcp_line
end_line(struct sq_mcp_lines *lines, size_t len, struct sq_span *line) {
    bool is_whole = !lines->is_skipping && len <= lines->max_line;
    if (is_whole) {
        const char *start = (const char *)lines->bytes.data + lines->start;
        *line = (struct sq_span){ start, len };
        lines->start += len;
    } else {
        skip(lines, len);
        *line = sq_mcp_salvage_id(&lines->salvage);
    }
    lines->is_skipping = false;
    return is_whole ? SQ_MCP_LINE_WHOLE : SQ_MCP_LINE_TOO_LONG;
}

enum sq_mcp_line
sq_mcp_lines_next(struct sq_mcp_lines *lines, struct sq_span *line) {
    const struct sq_buf *bytes = &lines->bytes;
    size_t rest = bytes->len - lines->scanned;
    const uint8_t *newline =
        rest ? memchr(bytes->data + lines->scanned, '\n', rest) : NULL;
    size_t end = newline ? (size_t)(newline - bytes->data) : bytes->len;
    size_t len = end - lines->start;
    bool is_last =
        !newline && lines->is_at_end && (len > 0 || lines->is_skipping);
    if (!newline && !is_last) {
        return keep_incomplete_line(lines);
    }
    enum sq_mcp_line found = end_line(lines, len, line);
    lines->start += newline != NULL;
    lines->scanned = lines->start;
    return found;
}
