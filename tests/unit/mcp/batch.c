/* Several messages in one line, as in revision 2025-03-26. */
#include "mcp/request.h"

#include "support/mcp_host.h"
#include "support/mcp_talk.h"

#define PING(id) "{'jsonrpc':'2.0','id':" id ",'method':'ping'}"
#define PONG(id) "{'jsonrpc':'2.0','id':" id ",'result':{}}"
#define CALL(id, tool)                                                         \
    "{'jsonrpc':'2.0','id':" id                                                \
    ",'method':'tools/call','params':{'name':'" tool "'}}"
#define NOTE "{'jsonrpc':'2.0','method':'notifications/initialized'}"
#define ERROR(code) "{'jsonrpc':'2.0','error':{'code':" #code ",<any>"
#define ERROR_OF(id, code)                                                     \
    "{'jsonrpc':'2.0','id':" id ",'error':{'code':" #code ",<any>"

struct row {
    const char *say;
    const char *hear; /* NULL: nothing */
};

static void
run_rows(enum sq_mcp_revision revision, const struct row *rows, size_t count) {
    t_talk_open(revision);
    for (size_t i = 0; i < count; i++) {
        t_talk_send(rows[i].say);
        if (rows[i].hear && !T_EXPECT(rows[i].hear)) {
            printf("# after %s\n", rows[i].say);
        }
        if (!T_SILENT()) {
            printf("# after %s\n", rows[i].say);
            sq_mcp_message_destroy(t_talk_next());
        }
    }
}

#define RUN_ROWS(revision, rows) run_rows((revision), (rows), SQ_COUNT(rows))

T_FIXTURE(NULL, t_talk_end);

T_CASE(batch_gets_one_array_of_answers) {
    static const struct row rows[] = {
        { "[" PING("1") "]", "[" PONG("1") "]" },
        { "[" PING("1") "," PING("'a'") "]",
          "[" PONG("1") "," PONG("'a'") "]" },
        { " [ " NOTE ",\t" PING("1") " , " NOTE " ] ", "[" PONG("1") "]" },
        { "[" CALL("7", "data") "," PING("8") "," CALL("9", "fail") "]",
          "[{'jsonrpc':'2.0','id':7,'result':{<any>count<any>},{'jsonrpc':"
          "'2.0','id':8,'result':{}},{'jsonrpc':'2.0','id':9,'result':{<any>no "
          "device<any>'isError':true}}]" },
        { "[" CALL("1", "no such") "," PING("2") "]",
          "[" ERROR_OF("1", -32602) "," PONG("2") "]" },
        /* Nothing in it needs an answer. */
        { "[" NOTE "]", NULL },
        { "[" NOTE "," NOTE "]", NULL },
        { "[{'jsonrpc':'2.0','id':1,'result':{}}]", NULL },
        /* Each invalid message gets an error at its position. */
        { "[1]", "[" ERROR(-32600) "]" },
        { "[1,{}," PING("2") "]",
          "[" ERROR(-32600) "," ERROR(-32600) "," PONG("2") "]" },
        { "[[" PING("1") "]]", "[" ERROR(-32600) "another'}}]" },
        { "[{'jsonrpc':'1.0','id':3,'method':'ping'}]",
          "[" ERROR_OF("3", -32600) "]" },
        { "[" PING("null") "]", "[" ERROR(-32600) "]" },
        { "[]", ERROR(-32600) "empty<any>" },
        { "[" PING("1") "", ERROR(-32700) },
        /* The handshake is not allowed in a batch. */
        { "[{'jsonrpc':'2.0','id':1,'method':'initialize',"
          "'params':{'protocolVersion':'2025-03-26'}}]",
          "[" ERROR_OF("1", -32600) "]" },
        /* Nor is a batch in a revision without batches. */
        { "[{'jsonrpc':'2.0','id':1,'method':'tools/list','params':{'_meta':{"
          "'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
          "'io.modelcontextprotocol/clientCapabilities':{}}}}]",
          "[" ERROR_OF("1", -32600) "batches'}}]" },
        { PING("1"), PONG("1") },
    };
    RUN_ROWS(SQ_MCP_2025_03_26, rows);
}

T_CASE(other_revisions_refuse_batches) {
    static const struct row rows[] = {
        { "[" PING("1") "]", ERROR(-32600) "batches<any>" },
        { "[]", ERROR(-32600) },
        { "[" NOTE "]", ERROR(-32600) },
        { PING("1"), PONG("1") },
    };
    RUN_ROWS(SQ_MCP_2024_11_05, rows);
    RUN_ROWS(SQ_MCP_2025_06_18, rows);
    RUN_ROWS(SQ_MCP_2025_11_25, rows);
    /* Nor before the revision is negotiated. */
    t_talk_begin(&t_mcp_host);
    t_talk_send("[" PING("1") "]");
    T_EXPECT(ERROR(-32600) "initialize<any>");
    t_talk_send("[{'jsonrpc':'2.0','id':1,'method':'initialize'"
                ",'params':{'protocolVersion':'2025-03-26'}}]");
    T_EXPECT(ERROR(-32600));
}

/* A batch of `count` pings with ids from 0; the caller frees it. */
static char *
pings(int count) {
    size_t size = 100 * (size_t)count + 10;
    char *text = malloc(size);
    size_t at = (size_t)snprintf(text, size, "[");
    for (int i = 0; i < count; i++) {
        at += (size_t)snprintf(text + at, size - at,
                               "%s{'jsonrpc':'2.0','id':%d,'method':'ping'}",
                               i ? "," : "", i);
    }
    snprintf(text + at, size - at, "]");
    return text;
}

static int
count_of(const struct sq_mcp_message *message, const char *part) {
    const char *word = t_quoted(part);
    const char *at = (const char *)message->bytes.data;
    const char *end = at + message->bytes.len;
    size_t len = strlen(word);
    int count = 0;
    for (; at + len <= end; at++) {
        count += memcmp(at, word, len) == 0;
    }
    return count;
}

/* Nothing of it is executed, and every request in it gets an error. */
T_CASE(too_large_batch_is_refused) {
    static const int counts[] = { SQ_MCP_MAX_BATCH, SQ_MCP_MAX_BATCH + 1,
                                  50000 };
    t_talk_open(SQ_MCP_2025_03_26);
    for (int i = 0; i < 3; i++) {
        char *text = pings(counts[i]);
        t_talk_send(text);
        free(text);
        struct sq_mcp_message *message = t_talk_next();
        T_INT(count_of(message, "'result':{}"), i == 0 ? counts[i] : 0);
        T_INT(count_of(message, "'error':{'code':-32600,'message':'the "
                                "batch has "),
              i == 0 ? 0 : counts[i]);
        T_INT(count_of(message, "'id':"), counts[i]);
        T_INT(count_of(message, "\n"), 1);
        sq_mcp_message_destroy(message);
        T_SILENT();
    }
    /* A batch whose error replies would not fit into a line. */
    char *text = pings(150000);
    t_talk_send(text);
    free(text);
    T_EXPECT(ERROR(-32600) "the batch has 150000 messages<any>");
}

/* A call of echo with `count` backslashes; the answer has twice as many. */
static size_t
put_echo(char *out, size_t size, int id, size_t count) {
    size_t at = (size_t)snprintf(out, size,
                                 "{'jsonrpc':'2.0','id':%d,'method':"
                                 "'tools/call','params':{'name':'echo',"
                                 "'arguments':{'a':'",
                                 id);
    memset(out + at, '\\', count);
    return at + count
         + (size_t)snprintf(out + at + count, size - at - count, "'}}}");
}

T_CASE(too_long_answers_of_a_batch_become_errors) {
    size_t size = (size_t)8 << 20;
    char *text = malloc(size);
    size_t at = (size_t)snprintf(text, size, "[");
    for (int id = 1; id <= 2; id++) {
        at += put_echo(text + at, size - at, id, 3000000);
        at += (size_t)snprintf(text + at, size - at, ",");
    }
    snprintf(text + at, size - at, PING("3") "]");
    t_talk_open(SQ_MCP_2025_03_26);
    t_talk_send(text);
    struct sq_mcp_message *message = t_talk_next();
    T(message->bytes.len < SQ_MCP_MAX_LINE_OUT);
    T_INT(count_of(message, "'id':"), 3);
    T_INT(count_of(message, "LIMIT_EXCEEDED"), 1);
    T_INT(count_of(message, "Send this call outside a batch"), 1);
    T_INT(count_of(message, "'isError':false"), 1);
    T_INT(count_of(message, PONG("3")), 1);
    sq_mcp_message_destroy(message);
    T_SILENT();
    T_INT(atomic_load(&talk.connection->batch_bytes), 0);
    T_INT(talk.connection->call_bytes, 0);
    free(text);
}

/* Ids of any length are returned, so answers may have to be sent separately. */
T_CASE(answers_too_long_for_one_line_are_sent_separately) {
    size_t size = (size_t)8 << 20;
    char *text = malloc(size);
    size_t at = (size_t)snprintf(text, size, "[");
    at += put_echo(text + at, size - at, 1, 4000000);
    at += (size_t)snprintf(text + at, size - at,
                           ",{'jsonrpc':'2.0','method':'ping','id':'");
    memset(text + at, 'i', 3500000);
    at += 3500000;
    snprintf(text + at, size - at, "'}]");
    t_talk_open(SQ_MCP_2025_03_26);
    t_talk_send(text);
    for (int i = 0; i < 2; i++) {
        struct sq_mcp_message *message = t_talk_next();
        T(message && message->bytes.data[0] == '{');
        T(message && message->bytes.len < SQ_MCP_MAX_LINE_OUT);
        sq_mcp_message_destroy(message);
    }
    free(text);
}
