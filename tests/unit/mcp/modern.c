/* The revision without a handshake: every request has its own metadata. */

#include "support/mcp_host.h"
#include "support/mcp_talk.h"

#define RESULT                                                                 \
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\","
#define META                                                                   \
    "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"fake\","    \
    "\"title\":\"Fake host\",\"version\":\"1.2.3\"}}}}"
#define ERROR(code) "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":" #code
#define NOTE(method)                                                           \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/" method "\",\"params\":"
#define SUBSCRIPTION(id)                                                       \
    "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":" #id "}"

static struct t_talk talk;

static void
begin(void) {
    t_talk_begin(&talk, &t_mcp_host);
    t_talk_set_revision(&talk, SQ_MCP_2026_07_28);
}

T_FIXTURE(begin, NULL);

T_CASE(discovery_has_the_capabilities) {
    t_talk_request_modern(&talk, "server/discover", NULL);
    T_EXPECT(&talk, RESULT
             "\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{"
             "\"tools\":{},\"resources\":{\"subscribe\":true},\"prompts\":{},"
             "\"completions\":{}},\"instructions\":\"Be kind.\",\"ttlMs\":"
             "3600000,\"cacheScope\":\"public\"," META);
    t_talk_end(&talk);
}

T_CASE(no_handshake_is_needed) {
    t_talk_request_modern(&talk, "tools/list", NULL);
    T_EXPECT(&talk,
             RESULT "\"tools\":[{\"name\":\"echo\",\"title\":\"Echo\",<any>"
                    "],\"ttlMs\":3600000,\"cacheScope\":\"public\"," META);
    t_talk_request_modern(&talk, "tools/call",
                          "\"name\":\"echo\",\"arguments\":{\"a\":[1]}");
    T_EXPECT(&talk,
             RESULT "\"content\":[{\"type\":\"text\",\"text\":\"{\\\"a\\\""
                    ":[1]}\"}],\"isError\":false," META);
    t_talk_request_modern(&talk, "tools/call", "\"name\":\"picture\"");
    T_EXPECT(&talk, RESULT "\"content\":[<any>\"resource_link\"<any>" META);
    t_talk_request_modern(&talk, "tools/call", "\"name\":\"data\"");
    T_EXPECT(&talk,
             RESULT "<any>\"structuredContent\":{\"count\":3}<any>" META);
    t_talk_request_modern(&talk, "tools/call", "\"name\":\"fail\"");
    T_EXPECT(&talk, RESULT "<any>NO_DEVICES<any>\"isError\":true," META);
    t_talk_request_modern(&talk, "tools/call", "\"name\":\"who\"");
    T_EXPECT(&talk, RESULT "<any>\"text\":\"tester\"<any>" META);
    t_talk_request_modern(&talk, "tools/call", "\"name\":\"none\"");
    T_EXPECT(&talk, ERROR(-32602) ",\"message\":\"Unknown tool: none\"}}");
    t_talk_request_modern(&talk, "prompts/list", NULL);
    T_EXPECT(&talk,
             RESULT "\"prompts\":[<any>],\"ttlMs\":3600000,\"cacheScope\":"
                    "\"public\"," META);
    t_talk_request_modern(
        &talk, "prompts/get",
        "\"name\":\"greet\",\"arguments\":{\"name\":\"Ada\"}");
    T_EXPECT(&talk,
             RESULT "\"description\":\"Say hello\",\"messages\":[<any>]," META);
    t_talk_request_modern(
        &talk, "completion/complete",
        "\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},"
        "\"argument\":{\"name\":\"name\",\"value\":\"A\"}");
    T_EXPECT(&talk, RESULT "\"completion\":{<any>}," META);
    t_talk_end(&talk);
}

T_CASE(resources_have_a_lifetime) {
    t_talk_request_modern(&talk, "resources/list", NULL);
    T_EXPECT(&talk,
             RESULT "\"resources\":[<any>],\"ttlMs\":3600000,<any>" META);
    t_talk_request_modern(&talk, "resources/templates/list", NULL);
    T_EXPECT(&talk, RESULT
             "\"resourceTemplates\":[<any>],\"ttlMs\":3600000,<any>" META);
    t_talk_request_modern(&talk, "resources/read", "\"uri\":\"fake://health\"");
    T_EXPECT(&talk, RESULT "\"contents\":[<any>],\"ttlMs\":0,\"cacheScope\":"
                           "\"private\"," META);
    t_talk_request_modern(&talk, "resources/read",
                          "\"uri\":\"fake://picture/1\"");
    T_EXPECT(&talk, RESULT "\"contents\":[<any>],\"ttlMs\":1000,\"cacheScope\":"
                           "\"private\"," META);
    t_talk_request_modern(&talk, "resources/read", "\"uri\":\"fake://none\"");
    T_EXPECT(&talk,
             ERROR(-32602) ",\"message\":\"Resource not found\",\"data\":"
                           "{\"uri\":\"fake://none\"}}}");
    t_talk_end(&talk);
}

T_CASE(removed_methods_are_not_found) {
    static const char *const removed[] = {
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
        "no/such",
    };
    for (size_t i = 0; i < sizeof(removed) / sizeof(removed[0]); i++) {
        char want[200];
        t_talk_request_modern(&talk, removed[i],
                              "\"protocolVersion\":\"2025-11-25\"");
        snprintf(want, sizeof(want),
                 ERROR(-32601) ",\"message\":\"Method not found: %s\"}}",
                 removed[i]);
        T_EXPECT(&talk, want);
    }
    t_talk_end(&talk);
}

#define VERSION "\"io.modelcontextprotocol/protocolVersion\":"
#define CAPABILITIES "\"io.modelcontextprotocol/clientCapabilities\":"

T_CASE(requests_need_their_metadata) {
    static const char *const malformed[] = {
        "{\"_meta\":{" VERSION "\"2026-07-28\"}}",
        "{\"_meta\":{" CAPABILITIES "{}}}",
        "{\"_meta\":{" VERSION "\"2026-07-28\"," CAPABILITIES "[]}}",
        "{\"_meta\":{" VERSION "20260728," CAPABILITIES "{}}}",
        "{\"_meta\":{" VERSION "\"2026-07-28\"," CAPABILITIES
        "{},\"io.modelcontextprotocol/logLevel\":\"loud\"}}",
        "{\"_meta\":{" VERSION "\"2026-07-28\"," CAPABILITIES
        "{},\"io.modelcontextprotocol/logLevel\":3}}",
        "{\"_meta\":7}",
        "{\"_meta\":{}}",
        "{}",
    };
    for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
        t_talk_request(&talk, "tools/list", malformed[i]);
        T_EXPECT(&talk, ERROR(-32602) ",<any>");
        t_talk_request(&talk, "server/discover", malformed[i]);
        T_EXPECT(&talk, ERROR(-32602) ",<any>");
    }
    t_talk_request(&talk, "server/discover", NULL);
    T_EXPECT(&talk, ERROR(-32602) ",<any>");
    t_talk_request(&talk, "tools/list",
                   "{\"_meta\":{" VERSION "\"2026-07-28\"," CAPABILITIES
                   "{},\"io.modelcontextprotocol/logLevel\":\"info\"}}");
    T_EXPECT(&talk, RESULT "<any>");
    t_talk_end(&talk);
}

T_CASE(other_versions_are_refused_with_the_supported_ones) {
    static const char *const others[] = { "1900-01-01", "2025-11-25",
                                          "2027-01-01", "" };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        char params[200];
        char want[200];
        snprintf(params, sizeof(params),
                 "{\"_meta\":{" VERSION "\"%s\"," CAPABILITIES "{}}}",
                 others[i]);
        snprintf(want, sizeof(want),
                 ERROR(-32022) ",\"message\":\"Unsupported protocol version\","
                               "\"data\":{\"supported\":[\"2026-07-28\"],"
                               "\"requested\":\"%s\"}}}",
                 others[i]);
        t_talk_request(&talk, "tools/list", params);
        T_EXPECT(&talk, want);
        t_talk_request(&talk, "initialize", params);
        T_EXPECT(&talk, want);
    }
    t_talk_end(&talk);
}

/* One process serves both, message by message. */
T_CASE(both_protocols_work_on_one_connection) {
    t_talk_request_modern(&talk, "server/discover", NULL);
    T_EXPECT(&talk, RESULT "<any>");
    t_talk_handshake(&talk, SQ_MCP_2025_03_26);
    t_talk_request(&talk, "tools/call", "{\"name\":\"data\"}");
    T_EXPECT(&talk,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":<any>");
    t_talk_request(&talk, "server/discover", "{}");
    T_EXPECT(&talk, ERROR(-32601) ",<any>");
    t_talk_set_revision(&talk, SQ_MCP_2026_07_28);
    t_talk_request_modern(&talk, "tools/call", "\"name\":\"data\"");
    T_EXPECT(&talk, RESULT "<any>");
    t_talk_request_modern(&talk, "ping", NULL);
    T_EXPECT(&talk, ERROR(-32601) ",<any>");
    t_talk_end(&talk);
}

T_CASE(listeners_get_the_notifications_they_requested) {
    int watches = t_mcp_watches();
    t_talk_request_modern(&talk, "subscriptions/listen",
                          "\"notifications\":{\"toolsListChanged\":true,"
                          "\"resourceSubscriptions\":[\"fake://health\","
                          "\"fake://none\",\"fake://health\"]}");
    T_EXPECT(&talk, NOTE("subscriptions/acknowledged") "{" SUBSCRIPTION(
                        1) ","
                           "\"notifications\":{\"resourceSubscriptions\":["
                           "\"fake://health\"]}}}");
    t_talk_send(&talk,
                "{\"jsonrpc\":\"2.0\",\"id\":\"two\",\"method\":"
                "\"subscriptions/listen\",\"params\":{\"_meta\":{" VERSION
                "\"2026-07-28\"," CAPABILITIES "{}},\"notifications\":{}}}");
    T_EXPECT(&talk, NOTE("subscriptions/acknowledged") "{" SUBSCRIPTION(
                        "two") ",\"notifications\":{}}}");
    t_talk_send(&talk,
                "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\","
                "\"params\":{\"name\":\"touch\",\"_meta\":{" VERSION
                "\"2026-07-28\"," CAPABILITIES "{}}}}");
    T_EXPECT(&talk, NOTE("resources/updated") "{" SUBSCRIPTION(
                        1) ",\"uri\":"
                           "\"fake://health\"}}");
    T_EXPECT(&talk, "{\"jsonrpc\":\"2.0\",\"id\":3,<any>touched<any>");
    T_INT(t_mcp_watches(), watches + 1);
    T(t_mcp_is_watched());
    /* Its id is in use while it listens. */
    t_talk_request_modern(&talk, "tools/call", "\"name\":\"data\"");
    T_EXPECT(&talk, ERROR(-32600) ",<any>");
    t_talk_send(&talk, "{\"jsonrpc\":\"2.0\",\"method\":"
                       "\"notifications/cancelled\",\"params\":{\"requestId\":"
                       "1}}");
    T_SILENT(&talk);
    T(!t_mcp_is_watched());
    t_talk_request_modern(&talk, "tools/call", "\"name\":\"touch\"");
    T_EXPECT(&talk, RESULT "<any>touched<any>");
    /* At the end, the remaining listeners are notified. */
    snprintf(talk.method, sizeof(talk.method), "subscriptions/listen");
    sq_mcp_connection_close(talk.connection);
    T_EXPECT(&talk,
             "{\"jsonrpc\":\"2.0\",\"id\":\"two\",\"result\":{"
             "\"resultType\":\"complete\",\"_meta\":{"
             "\"io.modelcontextprotocol/subscriptionId\":\"two\",<any>}}}");
    T_EXPECT(&talk,
             NOTE("cancelled") "{" SUBSCRIPTION(
                 "two") ",\"requestId\":"
                        "\"two\",\"reason\":\"the server is stopping\"}}");
    t_talk_end(&talk);
}

T_CASE(listeners_are_limited_and_checked) {
    static const char *const malformed[] = {
        NULL,
        "\"notifications\":7",
        "\"notifications\":{\"resourceSubscriptions\":\"fake://health\"}",
        "\"notifications\":{\"resourceSubscriptions\":[1]}",
    };
    for (size_t i = 0; i < sizeof(malformed) / sizeof(malformed[0]); i++) {
        t_talk_request_modern(&talk, "subscriptions/listen", malformed[i]);
        T_EXPECT(&talk, ERROR(-32602) ",<any>");
    }
    /* If the acknowledgement cannot be sent, there is no subscription. */
    talk.capacity = 1024;
    t_talk_request_modern(&talk, "subscriptions/listen",
                          "\"notifications\":{}");
    T_EXPECT(&talk, ERROR(-32603) ",<any>");
    talk.capacity = SQ_MCP_MAX_LINE_OUT;
    int open = 0;
    for (int i = 0; i < 100; i++) {
        char text[300];
        snprintf(text, sizeof(text),
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":"
                 "\"subscriptions/listen\",\"params\":{\"_meta\":{" VERSION
                 "\"2026-07-28\"," CAPABILITIES "{}},\"notifications\":{}}}",
                 i);
        t_talk_send(&talk, text);
        struct sq_mcp_message *message = t_talk_next(&talk);
        open += t_matches("<any>acknowledged<any>",
                          (struct sq_span){ (char *)message->bytes.data,
                                            message->bytes.len });
        sq_mcp_message_destroy(message);
        T_SILENT(&talk);
    }
    T_INT(open, 32);
    sq_mcp_connection_close(talk.connection);
    for (int i = 0; i < 2 * open; i++) {
        sq_mcp_message_destroy(t_talk_next(&talk));
    }
    t_talk_end(&talk);
}

T_CASE(progress_needs_a_token_and_logs_are_not_sent) {
    t_talk_request(&talk, "tools/call",
                   "{\"name\":\"steps\",\"_meta\":{" VERSION
                   "\"2026-07-28\"," CAPABILITIES
                   "{},\"progressToken\":9007199254740993,"
                   "\"io.modelcontextprotocol/logLevel\":\"debug\"}}");
    T_EXPECT(
        &talk,
        NOTE("progress") "{\"progressToken\":9007199254740993,"
                         "\"progress\":1,\"total\":3,\"message\":\"one\"}}");
    T_EXPECT(&talk, NOTE("progress") "{\"progressToken\":9007199254740993,"
                                     "\"progress\":3,\"total\":3}}");
    T_EXPECT(&talk, RESULT "<any>done<any>");
    t_talk_end(&talk);
}
