/* Creates and frees outgoing messages. */
#include "mcp/server.h"

#include <assert.h>

#include "util/mem.h"

/* The names of the protocol revisions. */

static const char *const names[SQ_MCP_REVISIONS] = {
    [SQ_MCP_2024_11_05] = "2024-11-05", [SQ_MCP_2025_03_26] = "2025-03-26",
    [SQ_MCP_2025_06_18] = "2025-06-18", [SQ_MCP_2025_11_25] = "2025-11-25",
    [SQ_MCP_2026_07_28] = "2026-07-28",
};

const char *
sq_mcp_revision_name(enum sq_mcp_revision revision) {
    return names[revision];
}

bool
sq_mcp_revision_find(struct sq_span name, enum sq_mcp_revision *out) {
    for (int i = 0; i < SQ_MCP_REVISIONS; i++) {
        if (sq_span_is(name, names[i])) {
            *out = (enum sq_mcp_revision)i;
            return true;
        }
    }
    return false;
}

void
sq_mcp_message_destroy(struct sq_mcp_message *message) {
    if (message) {
        sq_buf_finish(&message->bytes);
        sq_mem_free(message);
    }
}

struct sq_mcp_message *
sq_mcp_message_create(size_t max_bytes, struct sq_err *err) {
    struct sq_mcp_message *message = sq_mem_alloc(1, sizeof(*message));
    if (!message) {
        sq_fail_nomem(err);
        return NULL;
    }
    *message = (struct sq_mcp_message){ .kind = SQ_MCP_ANSWER };
    sq_buf_init(&message->bytes, max_bytes);
    return message;
}

void
sq_mcp_put_version(struct sq_json_writer *w) {
    sq_json_put_raw_members(w, SQ_SPAN("\"jsonrpc\":\"2.0\""));
}

struct sq_mcp_message *
sq_mcp_message_begin(struct sq_json_writer *w, size_t max_bytes,
                     struct sq_err *err) {
    struct sq_mcp_message *message = sq_mcp_message_create(max_bytes, err);
    if (!message) {
        return NULL;
    }
    sq_json_open(w, &message->bytes);
    sq_mcp_put_version(w);
    return message;
}

bool
sq_mcp_message_end(struct sq_mcp_message *message, struct sq_json_writer *w,
                   struct sq_err *err) {
    bool ok =
        sq_json_close(w, err) && sq_buf_append(&message->bytes, "\n", 1, err);
    if (!ok) {
        sq_mcp_message_destroy(message);
        return false;
    }
    /* Fails if a caller passed raw JSON of several lines. */
    assert(memchr(message->bytes.data, '\n', message->bytes.len)
           == message->bytes.data + message->bytes.len - 1);
    return true;
}
