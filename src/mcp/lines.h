/* Cuts a stream of bytes into lines, none of them too long. */
#ifndef SQ_MCP_LINES_H
#define SQ_MCP_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mcp/salvage.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* A value, private to the functions here. */
struct sq_mcp_lines {
    struct sq_buf bytes;
    size_t start;   /* of what has not been handed out */
    size_t scanned; /* up to here there is no newline behind start */
    size_t max_line;
    bool is_at_end;                /* no more bytes will come */
    bool is_skipping;              /* the rest of a line that is too long */
    struct sq_mcp_salvage salvage; /* of such a line */
};

void sq_mcp_lines_init(struct sq_mcp_lines *lines, size_t max_line);
void sq_mcp_lines_finish(struct sq_mcp_lines *lines);

/* Room for the next bytes; lines handed out before are gone. */
bool sq_mcp_lines_reserve(struct sq_mcp_lines *lines, uint8_t **room,
                          size_t *count, struct sq_err *err);

/* So many of them are there now. */
void sq_mcp_lines_commit(struct sq_mcp_lines *lines, size_t count);

/* No more will come: the last line needs no newline. */
void sq_mcp_lines_end(struct sq_mcp_lines *lines);

enum sq_mcp_line {
    SQ_MCP_LINE_NONE, /* not yet */
    SQ_MCP_LINE_WHOLE,
    SQ_MCP_LINE_TOO_LONG, /* once for each; its bytes are thrown away */
};

/*
 * The next line, without its end; of one that is too long, its id as
 * sq_mcp_salvage_id gives it. Valid until the next call of this or reserve.
 */
enum sq_mcp_line sq_mcp_lines_next(struct sq_mcp_lines *lines,
                                   struct sq_span *line);

#endif
