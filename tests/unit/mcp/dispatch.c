/*
 * Every request gets one answer with its id unchanged; other messages get none.
 */
#include "mcp/methods.h"

#include "support/mcp_host.h"
#include "support/mcp_talk.h"

struct row {
    const char *say;
    const char *hear; /* NULL: nothing */
};

static void
run_rows(const struct row *rows, size_t count) {
    t_talk_open(SQ_MCP_2025_11_25);
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

#define RUN_ROWS(rows) run_rows(rows, SQ_COUNT(rows))
#define PING(id) "{'jsonrpc':'2.0','id':" id ",'method':'ping'}"
#define PONG(id) "{'jsonrpc':'2.0','id':" id ",'result':{}}"
#define NO_ID(code) "{'jsonrpc':'2.0','error':{'code':" #code ",<any>"
#define WITH_ID(id, code)                                                      \
    "{'jsonrpc':'2.0','id':" id ",'error':{'code':" #code ",<any>"

T_FIXTURE(NULL, t_talk_end);

T_CASE(ids_are_returned_unchanged) {
    static const char *const ids[] = {
        "0",
        "-1",
        "9007199254740993",
        "9223372036854775807",
        "-9223372036854775808",
        "18446744073709551615",
        "''",
        "'a'",
        "'1'",
        "'\xc3\xa9\xf0\x9f\x98\x80'",
        "'\\u0000\\n\\'\\\\'",
        "'\\u202e'",
    };
    /* The last one is written as the character itself. */
    for (size_t i = 0; i < SQ_COUNT(ids); i++) {
        const char *say = t_text(PING("%s"), ids[i]);
        const char *hear = t_text(
            PONG("%s"), strstr(ids[i], "202e") ? "'\xe2\x80\xae'" : ids[i]);
        const struct row row = { say, hear };
        run_rows(&row, 1);
    }
}

T_CASE(other_ids_are_invalid) {
    static const struct row rows[] = {
        { PING("null"), NO_ID(-32600) },
        { PING("1.5"), NO_ID(-32600) },
        { PING("18446744073709551616"), NO_ID(-32600) },
        { PING("1180591620717411303424"), NO_ID(-32600) },
        { PING("1e400"), NO_ID(-32600) },
        { PING("true"), NO_ID(-32600) },
        { PING("{}"), NO_ID(-32600) },
        { PING("[1]"), NO_ID(-32600) },
    };
    RUN_ROWS(rows);
}

T_CASE(unreadable_text_is_a_parse_error) {
    static const struct row rows[] = {
        { "garbage", NO_ID(-32700) },
        { "{", NO_ID(-32700) },
        { PING("'\xff'"), NO_ID(-32700) },
        { "{'jsonrpc':'2.0','id':1,'id':2,'method':'ping'}", NO_ID(-32700) },
        { "", NO_ID(-32700) },
        /* Later messages are answered. */
        { PING("1"), PONG("1") },
    };
    RUN_ROWS(rows);
}

/* The error is in another member, so the answer can carry the id. */
T_CASE(message_that_cannot_be_read_is_answered_with_its_id) {
    static const struct row rows[] = {
        { "{'jsonrpc':'2.0','id':1,'method':'ping'", WITH_ID("1", -32700) },
        { PING("1") "x", WITH_ID("1", -32700) },
        { "\xef\xbb\xbf" PING("1"), WITH_ID("1", -32700) },
        { "{'method':'ping','params':{'a':'\xff'},'jsonrpc':'2.0','id':"
          "'\xc3\xa9'}",
          WITH_ID("'\xc3\xa9'", -32700) },
        { "{'jsonrpc':'2.0','id':9007199254740993,'method':'ping',"
          "'params':{'a':1,'a':2}}",
          WITH_ID("9007199254740993", -32700) },
        { "{'jsonrpc':'2.0','id':'a\\u0000','method':'\x01'}",
          WITH_ID("'a\\u0000'", -32700) },
        { "{'id':5,'method':'ping','method':'ping'}", WITH_ID("5", -32700) },
        /* Not with an id that cannot be returned, and never with a guess. */
        { "{'jsonrpc':'2.0','id':'\xff','method':'ping'}", NO_ID(-32700) },
        { "{'jsonrpc':'2.0','id':1.5,'method':'\xff'}", NO_ID(-32700) },
        { "{'jsonrpc':'2.0','id':null,'method':'\xff'}", NO_ID(-32700) },
        { "{'jsonrpc':'2.0','id':01,'method':'ping'}", NO_ID(-32700) },
        { "{'jsonrpc':'2.0','params':{'id':1,'id':2},'method':'ping'}",
          NO_ID(-32700) },
        { "{'jsonrpc':'2.0','id':1,'result':{'a':1,'a':2}}", NO_ID(-32700) },
    };
    RUN_ROWS(rows);
}

/* A JavaScript client that cuts a text inside an emoji. */
T_CASE(lone_surrogate_is_accepted) {
    static const struct row rows[] = {
        { "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{"
          "'name':'echo','arguments':{'text':'hi \\ud83d'}}}",
          "{'jsonrpc':'2.0','id':1,'result':{<any>hi \xef\xbf\xbd<any>" },
        { PING("'\\ud83d'"), PONG("'\xef\xbf\xbd'") },
    };
    RUN_ROWS(rows);
}

T_CASE(other_messages_are_invalid_requests) {
    static const struct row rows[] = {
        { "7", NO_ID(-32600) },
        { "null", NO_ID(-32600) },
        { "'ping'", NO_ID(-32600) },
        { "{}", NO_ID(-32600) },
        { "{'jsonrpc':'2.0'}", NO_ID(-32600) },
        { "{'method':7}", NO_ID(-32600) },
        { "[]", NO_ID(-32600) },
        { "[" PING("1") "," PING("2") "]", NO_ID(-32600) },
        { "{'id':1}", WITH_ID("1", -32600) },
        { "{'jsonrpc':'2.0','id':1}", WITH_ID("1", -32600) },
        { "{'id':1,'method':'ping'}", WITH_ID("1", -32600) },
        { "{'jsonrpc':'1.0','id':1,'method':'ping'}", WITH_ID("1", -32600) },
        { "{'jsonrpc':2.0,'id':1,'method':'ping'}", WITH_ID("1", -32600) },
        { "{'jsonrpc':'2.0','id':'x','method':7}", WITH_ID("'x'", -32600) },
        { "{'jsonrpc':'2.0','id':1,'method':null}", WITH_ID("1", -32600) },
    };
    RUN_ROWS(rows);
}

T_CASE(requests_with_wrong_params_are_answered) {
    static const struct row rows[] = {
        { "{'jsonrpc':'2.0','id':1,'method':'ping','params':[]}",
          WITH_ID("1", -32602) },
        { "{'jsonrpc':'2.0','id':1,'method':'ping','params':''}",
          WITH_ID("1", -32602) },
        { "{'jsonrpc':'2.0','id':1,'method':'ping','params':7}",
          WITH_ID("1", -32602) },
        { "{'jsonrpc':'2.0','id':1,'method':'ping','params':null}", PONG("1") },
        { "{'jsonrpc':'2.0','id':1,'method':'ping','params':{'_meta':[]}}",
          WITH_ID("1", -32602) },
        { "{'jsonrpc':'2.0','id':1,'method':'no\\nsuch'}",
          WITH_ID("1", -32601) },
        { "{'jsonrpc':'2.0','id':1,'method':'notifications/initialized'}",
          WITH_ID("1", -32601) },
        { "{'jsonrpc':'2.0','id':1,'method':''}", WITH_ID("1", -32601) },
        { "{'extra':1,'jsonrpc':'2.0','id':1,'method':'ping'}", PONG("1") },
    };
    RUN_ROWS(rows);
}

T_CASE(notifications_and_answers_are_never_answered) {
    static const struct row rows[] = {
        { "{'jsonrpc':'2.0','method':'ping'}", NULL },
        { "{'jsonrpc':'2.0','method':'no/such'}", NULL },
        { "{'jsonrpc':'2.0','method':'tools/call','params':7}", NULL },
        { "{'method':'x'}", NULL },
        { "{'jsonrpc':'2.0','method':'notifications/cancelled'}", NULL },
        { "{'jsonrpc':'2.0','method':'notifications/cancelled',"
          "'params':{'requestId':{}}}",
          NULL },
        { "{'jsonrpc':'2.0','method':'notifications/cancelled',"
          "'params':{'requestId':99}}",
          NULL },
        { "{'jsonrpc':'2.0','id':5,'result':{}}", NULL },
        { "{'jsonrpc':'2.0','id':5,'error':{'code':1}}", NULL },
        { "{'jsonrpc':'2.0','error':{'code':1}}", NULL },
    };
    RUN_ROWS(rows);
}

static char *
nested(int depth) {
    size_t len = 100 + 2 * (size_t)depth;
    char *text = calloc(1, len);
    int at = snprintf(text, len,
                      "{'jsonrpc':'2.0','id':1,'method':'ping','params':{'a':");
    memset(text + at, '[', (size_t)depth);
    memset(text + at + depth, ']', (size_t)depth);
    memcpy(text + at + 2 * depth, "}}", 3);
    return text;
}

T_CASE(depth_and_length_are_limited) {
    t_talk_open(SQ_MCP_2025_11_25);
    char *deep = nested(SQ_MAX_JSON_DEPTH - 2);
    t_talk_send(deep);
    T_EXPECT(PONG("1"));
    free(deep);
    deep = nested(1000000);
    t_talk_send(deep);
    T_EXPECT(WITH_ID("1", -32600));
    free(deep);
    /* As many values as fit into a line, and more than we keep in memory. */
    size_t len = SQ_MAX_JSON_BYTES;
    char *many = malloc(len);
    memset(many, '0', len);
    many[0] = '[';
    for (size_t i = 2; i < len; i += 2) {
        many[i] = ',';
    }
    many[len - 1] = ']';
    sq_mcp_connection_receive(talk.connection, &talk.sink,
                              (struct sq_span){ many, len });
    T_EXPECT(NO_ID(-32600));
    free(many);
    sq_mcp_connection_refuse_long(talk.connection, &talk.sink,
                                  (struct sq_span){ 0 });
    T_EXPECT(NO_ID(-32600));
    sq_mcp_connection_refuse_long(talk.connection, &talk.sink, SQ_SPAN("7"));
    T_EXPECT(WITH_ID("7", -32600));
    sq_mcp_connection_refuse_long(talk.connection, &talk.sink, SQ_SPAN("7.5"));
    T_EXPECT(NO_ID(-32600));
}

/* The longest id is returned in a line that clients accept. */
T_CASE(longest_id_is_returned) {
    size_t len = SQ_MAX_JSON_BYTES - 100;
    char *text = malloc(len + 100);
    int at = snprintf(text, 100, "%s",
                      t_quoted("{'jsonrpc':'2.0','method':'x','id':'"));
    memset(text + at, 'i', len);
    memcpy(text + at + len, "\"}", 2);
    t_talk_begin(&t_mcp_host);
    sq_mcp_connection_receive(talk.connection, &talk.sink,
                              (struct sq_span){ text, (size_t)at + len + 2 });
    struct sq_mcp_message *message = t_talk_next();
    T(message->bytes.len > len && message->bytes.len <= SQ_MCP_MAX_LINE_OUT);
    T(strncmp((char *)message->bytes.data,
              t_quoted("{'jsonrpc':'2.0','id':'iii"), 26)
      == 0);
    sq_mcp_message_destroy(message);
    free(text);
}
