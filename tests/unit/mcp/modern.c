/* The revision without a handshake: every request has its own metadata. */

#include "support/mcp_host.h"
#include "support/mcp_talk.h"

#define RESULT "{'jsonrpc':'2.0','id':1,'result':{'resultType':'complete',"
#define META                                                                   \
    "'_meta':{'io.modelcontextprotocol/serverInfo':{'name':'fake',"            \
    "'title':'Fake host','version':'1.2.3'}}}}"
#define ERROR(code) "{'jsonrpc':'2.0','id':1,'error':{'code':" #code
#define NOTE(method)                                                           \
    "{'jsonrpc':'2.0','method':'notifications/" method "','params':"
#define SUBSCRIPTION(id)                                                       \
    "'_meta':{'io.modelcontextprotocol/subscriptionId':" #id "}"

static void
begin(void) {
    t_talk_begin(&t_mcp_host);
    t_talk_set_revision(SQ_MCP_2026_07_28);
}

T_FIXTURE(begin, t_talk_end);

T_CASE(discovery_has_the_capabilities) {
    T_ANSWER_MODERN("server/discover", NULL,
                    RESULT
                    "'supportedVersions':['2026-07-28'],'capabilities':{"
                    "'tools':{},'resources':{'subscribe':true},'prompts':{},"
                    "'completions':{}},'instructions':'Be kind.','ttlMs':"
                    "3600000,'cacheScope':'public'," META);
}

T_CASE(no_handshake_is_needed) {
    T_ANSWER_MODERN("tools/list", NULL,
                    RESULT "'tools':[{'name':'echo','title':'Echo',<any>"
                           "],'ttlMs':3600000,'cacheScope':'public'," META);
    T_ANSWER_MODERN("tools/call", "'name':'echo','arguments':{'a':[1]}",
                    RESULT "'content':[{'type':'text','text':'{\\'a\\'"
                           ":[1]}'}],'isError':false," META);
    T_ANSWER_MODERN("tools/call", "'name':'picture'",
                    RESULT "'content':[<any>'resource_link'<any>" META);
    T_ANSWER_MODERN("tools/call", "'name':'data'",
                    RESULT "<any>'structuredContent':{'count':3}<any>" META);
    T_ANSWER_MODERN("tools/call", "'name':'fail'",
                    RESULT "<any>NO_DEVICES<any>'isError':true," META);
    T_ANSWER_MODERN("tools/call", "'name':'who'",
                    RESULT "<any>'text':'tester'<any>" META);
    T_ANSWER_MODERN("tools/call", "'name':'none'",
                    ERROR(-32602) ",'message':'Unknown tool: none'}}");
    T_ANSWER_MODERN("prompts/list", NULL,
                    RESULT "'prompts':[<any>],'ttlMs':3600000,'cacheScope':"
                           "'public'," META);
    T_ANSWER_MODERN("prompts/get", "'name':'greet','arguments':{'name':'Ada'}",
                    RESULT
                    "'description':'Say hello','messages':[<any>]," META);
    T_ANSWER_MODERN("completion/complete",
                    "'ref':{'type':'ref/prompt','name':'greet'},"
                    "'argument':{'name':'name','value':'A'}",
                    RESULT "'completion':{<any>}," META);
}

T_CASE(resources_have_a_lifetime) {
    T_ANSWER_MODERN("resources/list", NULL,
                    RESULT "'resources':[<any>],'ttlMs':3600000,<any>" META);
    T_ANSWER_MODERN("resources/templates/list", NULL,
                    RESULT
                    "'resourceTemplates':[<any>],'ttlMs':3600000,<any>" META);
    T_ANSWER_MODERN("resources/read", "'uri':'fake://health'",
                    RESULT "'contents':[<any>],'ttlMs':0,'cacheScope':"
                           "'private'," META);
    T_ANSWER_MODERN("resources/read", "'uri':'fake://picture/1'",
                    RESULT "'contents':[<any>],'ttlMs':1000,'cacheScope':"
                           "'private'," META);
    T_ANSWER_MODERN("resources/read", "'uri':'fake://none'",
                    ERROR(-32602) ",'message':'Resource not found','data':"
                                  "{'uri':'fake://none'}}}");
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
    for (size_t i = 0; i < SQ_COUNT(removed); i++) {
        t_talk_request_modern(removed[i], "'protocolVersion':'2025-11-25'");
        const char *want = t_text(
            ERROR(-32601) ",'message':'Method not found: %s'}}", removed[i]);
        T_EXPECT(want);
    }
}

#define VERSION "'io.modelcontextprotocol/protocolVersion':"
#define CAPABILITIES "'io.modelcontextprotocol/clientCapabilities':"

T_CASE(requests_need_their_metadata) {
    static const char *const malformed[] = {
        "{'_meta':{" VERSION "'2026-07-28'}}",
        "{'_meta':{" CAPABILITIES "{}}}",
        "{'_meta':{" VERSION "'2026-07-28'," CAPABILITIES "[]}}",
        "{'_meta':{" VERSION "20260728," CAPABILITIES "{}}}",
        "{'_meta':{" VERSION "'2026-07-28'," CAPABILITIES
        "{},'io.modelcontextprotocol/logLevel':'loud'}}",
        "{'_meta':{" VERSION "'2026-07-28'," CAPABILITIES
        "{},'io.modelcontextprotocol/logLevel':3}}",
        "{'_meta':7}",
        "{'_meta':{}}",
        "{}",
    };
    for (size_t i = 0; i < SQ_COUNT(malformed); i++) {
        T_ANSWER("tools/list", malformed[i], ERROR(-32602) ",<any>");
        T_ANSWER("server/discover", malformed[i], ERROR(-32602) ",<any>");
    }
    T_ANSWER("server/discover", NULL, ERROR(-32602) ",<any>");
    T_ANSWER("tools/list",
             "{'_meta':{" VERSION "'2026-07-28'," CAPABILITIES
             "{},'io.modelcontextprotocol/logLevel':'info'}}",
             RESULT "<any>");
}

T_CASE(other_versions_are_refused_with_the_supported_ones) {
    static const char *const others[] = { "1900-01-01", "2025-11-25",
                                          "2027-01-01", "" };
    for (size_t i = 0; i < SQ_COUNT(others); i++) {
        const char *params =
            t_text("{'_meta':{" VERSION "'%s'," CAPABILITIES "{}}}", others[i]);
        const char *want =
            t_text(ERROR(-32022) ",'message':'Unsupported protocol version',"
                                 "'data':{'supported':['2026-07-28'],"
                                 "'requested':'%s'}}}",
                   others[i]);
        T_ANSWER("tools/list", params, want);
        T_ANSWER("initialize", params, want);
    }
}

/* One process serves both, message by message. */
T_CASE(both_protocols_work_on_one_connection) {
    T_ANSWER_MODERN("server/discover", NULL, RESULT "<any>");
    t_talk_handshake(SQ_MCP_2025_03_26);
    T_ANSWER("tools/call", "{'name':'data'}",
             "{'jsonrpc':'2.0','id':1,'result':{'content':<any>");
    T_ANSWER("server/discover", "{}", ERROR(-32601) ",<any>");
    t_talk_set_revision(SQ_MCP_2026_07_28);
    T_ANSWER_MODERN("tools/call", "'name':'data'", RESULT "<any>");
    T_ANSWER_MODERN("ping", NULL, ERROR(-32601) ",<any>");
}

T_CASE(listeners_get_the_notifications_they_requested) {
    int watches = t_mcp_watches();
    T_ANSWER_MODERN("subscriptions/listen",
                    "'notifications':{'toolsListChanged':true,"
                    "'resourceSubscriptions':['fake://health',"
                    "'fake://none','fake://health']}",
                    NOTE("subscriptions/acknowledged") "{" SUBSCRIPTION(
                        1) ",'notifications':{'resourceSubscriptions':["
                           "'fake://health']}}}");
    t_talk_send("{'jsonrpc':'2.0','id':'two','method':"
                "'subscriptions/listen','params':{'_meta':{" VERSION
                "'2026-07-28'," CAPABILITIES "{}},'notifications':{}}}");
    T_EXPECT(NOTE("subscriptions/acknowledged") "{" SUBSCRIPTION(
        "two") ",'notifications':{}}}");
    t_talk_send("{'jsonrpc':'2.0','id':3,'method':'tools/call',"
                "'params':{'name':'touch','_meta':{" VERSION
                "'2026-07-28'," CAPABILITIES "{}}}}");
    T_EXPECT(NOTE("resources/updated") "{" SUBSCRIPTION(1) ",'uri':"
                                                           "'fake://health'}}");
    T_EXPECT("{'jsonrpc':'2.0','id':3,<any>touched<any>");
    T_INT(t_mcp_watches(), watches + 1);
    T(t_mcp_is_watched());
    /* Its id is in use while it listens. */
    T_ANSWER_MODERN("tools/call", "'name':'data'", ERROR(-32600) ",<any>");
    t_talk_send("{'jsonrpc':'2.0','method':'notifications/cancelled','params':{"
                "'requestId':1}}");
    T_SILENT();
    T(!t_mcp_is_watched());
    T_ANSWER_MODERN("tools/call", "'name':'touch'", RESULT "<any>touched<any>");
    /* At the end, the remaining listeners are notified. */
    snprintf(talk.method, sizeof(talk.method), "subscriptions/listen");
    sq_mcp_connection_close(talk.connection);
    T_EXPECT("{'jsonrpc':'2.0','id':'two','result':{"
             "'resultType':'complete','_meta':{"
             "'io.modelcontextprotocol/subscriptionId':'two',<any>}}}");
    T_EXPECT(NOTE("cancelled") "{" SUBSCRIPTION(
        "two") ",'requestId':'two','reason':'the server is stopping'}}");
}

T_CASE(listeners_are_limited_and_checked) {
    static const char *const malformed[] = {
        NULL,
        "'notifications':7",
        "'notifications':{'resourceSubscriptions':'fake://health'}",
        "'notifications':{'resourceSubscriptions':[1]}",
    };
    for (size_t i = 0; i < SQ_COUNT(malformed); i++) {
        T_ANSWER_MODERN("subscriptions/listen", malformed[i],
                        ERROR(-32602) ",<any>");
    }
    /* If the acknowledgement cannot be sent, there is no subscription. */
    talk.capacity = 1024;
    T_ANSWER_MODERN("subscriptions/listen", "'notifications':{}",
                    ERROR(-32603) ",<any>");
    talk.capacity = SQ_MCP_MAX_LINE_OUT;
    int open = 0;
    for (int i = 0; i < 100; i++) {
        t_talk_send(t_text("{'jsonrpc':'2.0','id':%d,'method':"
                           "'subscriptions/listen','params':{'_meta':{" VERSION
                           "'2026-07-28'," CAPABILITIES
                           "{}},'notifications':{}}}",
                           i));
        struct sq_mcp_message *message = t_talk_next();
        open += t_matches("<any>acknowledged<any>",
                          (struct sq_span){ (char *)message->bytes.data,
                                            message->bytes.len });
        sq_mcp_message_destroy(message);
        T_SILENT();
    }
    T_INT(open, 32);
    sq_mcp_connection_close(talk.connection);
    for (int i = 0; i < 2 * open; i++) {
        sq_mcp_message_destroy(t_talk_next());
    }
}

T_CASE(progress_needs_a_token_and_logs_are_not_sent) {
    T_ANSWER("tools/call",
             "{'name':'steps','_meta':{" VERSION "'2026-07-28'," CAPABILITIES
             "{},'progressToken':9007199254740993,"
             "'io.modelcontextprotocol/logLevel':'debug'}}",
             NOTE("progress") "{'progressToken':9007199254740993,"
                              "'progress':1,'total':3,'message':'one'}}");
    T_EXPECT(NOTE("progress") "{'progressToken':9007199254740993,"
                              "'progress':3,'total':3}}");
    T_EXPECT(RESULT "<any>done<any>");
}
