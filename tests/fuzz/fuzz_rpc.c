/*
 * Any bytes as the messages of a session, one per line, after a handshake or,
 * where the first line is empty, without: what comes back is one JSON text per
 * message, and every id that can be read is answered exactly once.
 */
#define _GNU_SOURCE /* memmem */
#include <assert.h>
#include <string.h>

#include "fuzz.h"
#include "json/reader.h"
#include "mcp/request.h"
#include "mcp/salvage.h"
#include "mcp/server.h"
#include "support/mcp_host.h"

#define MAX_MEMORY ((size_t)256 << 20)
#define ACKNOWLEDGED "notifications/subscriptions/acknowledged"

/* What one message brought. */
struct tally {
    const struct sq_json *id;
    int answers;
    int acknowledged;
};

static void
look_at(void *context, struct sq_mcp_message *message) {
    struct tally *tally = context;
    struct sq_arena arena;
    struct sq_err err = { 0 };
    const struct sq_json *root = NULL;
    assert(message && message->bytes.len <= SQ_MCP_MAX_LINE_OUT);
    struct sq_span line = { (const char *)message->bytes.data,
                            message->bytes.len - 1 };
    sq_arena_init(&arena, MAX_MEMORY);
    bool ok = sq_json_parse(line, &arena, &root, &err);
    assert(ok && !sq_span_contains(line, '\n'));
    const struct sq_json *id = sq_json_get(root, "id");
    struct sq_span method = { 0 };
    if (!sq_json_string(sq_json_get(root, "method"), &method)) {
        tally->answers++;
        assert(!id == !tally->id && (!id || sq_mcp_same_id(id, tally->id)));
    } else if (sq_span_is(method, ACKNOWLEDGED)) {
        tally->acknowledged++;
    }
    sq_arena_finish(&arena);
    sq_mcp_message_destroy(message);
}

static size_t
room(void *context) {
    (void)context;
    return SQ_MCP_MAX_LINE_OUT;
}

static bool
is_readable(const struct sq_json *id) {
    int64_t integer;
    uint64_t positive;
    struct sq_span digits;
    return sq_json_is(id, SQ_JSON_STRING) || sq_json_int(id, &integer)
        || (sq_json_number(id, &digits)
            && sq_span_to_uint64(digits, &positive));
}

/* Tools that take their time have no place here. */
static bool
is_slow(struct sq_span line) {
    static const char *const names[] = { "hang", "slow", "stubborn", "huge",
                                         "\\u" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (memmem(line.ptr, line.len, names[i], strlen(names[i]))) {
            return true;
        }
    }
    return false;
}

/* The id of a message that cannot be read otherwise; NULL: none. */
static const struct sq_json *
salvaged_id(struct sq_span line, struct sq_arena *arena) {
    static struct sq_mcp_salvage salvage;
    const struct sq_json *id = NULL;
    sq_mcp_salvage_init(&salvage);
    sq_mcp_salvage_feed(&salvage, line);
    sq_json_parse(sq_mcp_salvage_id(&salvage), arena, &id, NULL);
    return id;
}

static void
say(struct sq_mcp_connection *connection, struct sq_span line) {
    struct sq_arena arena;
    struct sq_err err = { 0 };
    const struct sq_json *message = NULL;
    struct sq_span method = { 0 };
    sq_arena_init(&arena, MAX_MEMORY);
    const struct sq_json *id = sq_json_parse(line, &arena, &message, &err)
                                 ? sq_json_get(message, "id")
                                 : salvaged_id(line, &arena);
    struct tally tally = { .id = is_readable(id) ? id : NULL };
    const struct sq_mcp_sink sink = { .send = look_at,
                                      .room = room,
                                      .context = &tally };
    sq_mcp_connection_receive(connection, &sink, line);

    sq_json_string(sq_json_get(message, "method"), &method);
    bool is_notification = !id && method.ptr;
    bool is_answer =
        !sq_json_get(message, "method")
        && (sq_json_get(message, "result") || sq_json_get(message, "error"));
    int want = is_notification || is_answer ? 0 : 1;
    assert(tally.answers + tally.acknowledged == want);
    /* Its sink ends with this function. */
    sq_mcp_request_cancel(connection, id);
    sq_arena_finish(&arena);
}

static void
converse(struct sq_span text, bool with_handshake) {
    static const struct sq_mcp_options options = { .in_line = true };
    struct sq_err err = { 0 };
    struct sq_mcp_server *server = NULL;
    struct sq_mcp_connection *connection = NULL;
    struct tally none = { 0 };
    const struct sq_mcp_sink sink = { .send = look_at,
                                      .room = room,
                                      .context = &none };
    bool ok = sq_mcp_server_create(&t_mcp_host, &options, &server, &err)
           && sq_mcp_connection_create(server, &sink, &connection, &err);
    assert(ok);
    if (with_handshake) {
        say(connection,
            SQ_SPAN("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
                    "\"params\":{\"protocolVersion\":\"2025-11-25\"}}"));
    }
    struct sq_span line;
    while (sq_span_take_line(&text, &line)) {
        if (!is_slow(line)) {
            say(connection, line);
        }
    }
    sq_mcp_connection_destroy(connection);
    sq_mcp_server_destroy(server);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span text = { (const char *)data, size };
    converse(text, !sq_span_starts_with(text, "\n"));
    return 0;
}
