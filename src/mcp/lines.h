/* Splits a stream of bytes into lines of limited length. */
#ifndef SQ_MCP_LINES_H
#define SQ_MCP_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mcp/salvage.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* All fields are private to lines.c. */
struct sq_mcp_lines {
    struct sq_buf bytes;
    size_t start;   /* of the bytes not yet returned */
    size_t scanned; /* no newline between start and here */
    size_t max_line;
    bool is_at_end;                /* no more bytes will come */
    bool is_skipping;              /* inside a line that is too long */
    struct sq_mcp_salvage salvage; /* finds the id of such a line */
};

void sq_mcp_lines_init(struct sq_mcp_lines *lines, size_t max_line);
void sq_mcp_lines_finish(struct sq_mcp_lines *lines);

/*
 * Returns a buffer for the next bytes and its size. Invalidates lines returned
 * before.
 */
bool sq_mcp_lines_reserve(struct sq_mcp_lines *lines, uint8_t **space,
                          size_t *count, struct sq_err *err);

/* Marks count bytes of that buffer as filled. */
void sq_mcp_lines_commit(struct sq_mcp_lines *lines, size_t count);

/* Marks the end of the input; the last line needs no newline. */
void sq_mcp_lines_end(struct sq_mcp_lines *lines);

enum sq_mcp_line {
    SQ_MCP_LINE_NONE, /* no complete line yet */
    SQ_MCP_LINE_WHOLE,
    SQ_MCP_LINE_TOO_LONG, /* returned once per line; its bytes are dropped */
};

/*
 * Returns the next line without its newline. For a line that is too long, *line
 * is its id as sq_mcp_salvage_id returns it. Valid until the next call of this
 * function or of sq_mcp_lines_reserve.
 */
enum sq_mcp_line sq_mcp_lines_next(struct sq_mcp_lines *lines,
                                   struct sq_span *line);

#endif
