/*
 * Any bytes as the messages of a session, one per line, after a handshake (of a
 * revision with batches if there is a space before the first) or, if the first
 * line is empty, without: the output is one JSON text per message, and every id
 * that can be read is answered exactly once.
 */
#define _GNU_SOURCE /* memmem */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "json/reader.h"
#include "mcp/request.h"
#include "mcp/server.h"
#include "mcp/stdio.h"
#include "support/mcp_host.h"

#define MAX_MEMORY ((size_t)256 << 20)
#define ACKNOWLEDGED "notifications/subscriptions/acknowledged"

/* The answers to one message. */
struct tally {
    const struct sq_json *id;
    const struct sq_json *batch; /* if there is exactly one; else NULL */
    int answers;
    int acknowledged;
};

static void
count_answer(const struct sq_json *answer, struct tally *tally) {
    const struct sq_json *id = sq_json_get(answer, "id");
    tally->answers++;
    if (!tally->batch) {
        assert(!id == !tally->id && (!id || sq_mcp_same_id(id, tally->id)));
        return;
    }
    const struct sq_json *item = sq_json_first(tally->batch);
    while (id && item && !sq_mcp_same_id(id, sq_json_get(item, "id"))) {
        item = sq_json_next(item);
    }
    assert(!id || item);
}

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
    struct sq_span method = { 0 };
    if (sq_json_is(root, SQ_JSON_ARRAY)) {
        assert(tally->batch && sq_json_count(root) > 0);
        for (const struct sq_json *item = sq_json_first(root); item;
             item = sq_json_next(item)) {
            count_answer(item, tally);
        }
    } else if (!sq_json_string(sq_json_get(root, "method"), &method)) {
        count_answer(root, tally);
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

/* The number of answers that a message must get. */
static int
answers_to(const struct sq_json *message) {
    struct sq_span method = { 0 };
    sq_json_string(sq_json_get(message, "method"), &method);
    bool is_notification = !sq_json_get(message, "id") && method.ptr;
    bool is_answer =
        !sq_json_get(message, "method")
        && (sq_json_get(message, "result") || sq_json_get(message, "error"));
    return is_notification || is_answer ? 0 : 1;
}

/* The same for all messages of a batch. */
static int
answers_to_all(const struct sq_json *batch) {
    bool is_large = sq_json_count(batch) > SQ_MCP_MAX_BATCH;
    int want = sq_json_count(batch) == 0;
    for (const struct sq_json *item = sq_json_first(batch); item;
         item = sq_json_next(item)) {
        bool has_id = sq_mcp_is_id(sq_json_get(item, "id"));
        want += is_large && !has_id ? 0 : answers_to(item);
    }
    return want > 0 || !is_large ? want : 1;
}

/* Slow tools are not called here. */
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

/* The id of a message that is not valid JSON; NULL: none. */
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
    sq_arena_init(&arena, MAX_MEMORY);
    const struct sq_json *id = sq_json_parse(line, &arena, &message, &err)
                                 ? sq_json_get(message, "id")
                                 : salvaged_id(line, &arena);
    bool is_batch =
        sq_json_is(message, SQ_JSON_ARRAY) && sq_mcp_has_batches(connection);
    struct tally tally = { .id = sq_mcp_is_id(id) ? id : NULL,
                           .batch = is_batch ? message : NULL };
    const struct sq_mcp_sink sink = { .send = look_at,
                                      .capacity = room,
                                      .context = &tally };
    int want = is_batch ? answers_to_all(message) : answers_to(message);
    sq_mcp_connection_receive(connection, &sink, line);
    assert(tally.answers + tally.acknowledged == want);
    /* Its sink is valid until this function returns. */
    sq_mcp_request_cancel(connection, id);
    sq_arena_finish(&arena);
}

static void
converse(struct sq_span text, const char *handshake) {
    static const struct sq_mcp_options options = { .in_line = true };
    struct sq_err err = { 0 };
    struct sq_mcp_server *server = NULL;
    struct sq_mcp_connection *connection = NULL;
    struct tally none = { 0 };
    const struct sq_mcp_sink sink = { .send = look_at,
                                      .capacity = room,
                                      .context = &none };
    bool ok = sq_mcp_server_create(&t_mcp_host, &options, &server, &err)
           && sq_mcp_connection_create(server, &sink, NULL, &connection, &err);
    assert(ok);
    if (handshake) {
        say(connection, sq_span_of(handshake));
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

#define HANDSHAKE(revision)                                                    \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"     \
    "\"protocolVersion\":\"" revision "\"}}"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span text = { (const char *)data, size };
    const char *handshake = HANDSHAKE("2025-11-25");
    if (sq_span_starts_with(text, "\n")) {
        handshake = NULL;
    } else if (sq_span_starts_with(text, " ")) {
        handshake = HANDSHAKE("2025-03-26");
    }
    converse(text, handshake);
    return 0;
}
