/* The revisions that start with a handshake, each with its own fields. */

#include "support/mcp_host.h"
#include "support/mcp_talk.h"

#define RESULT "{'jsonrpc':'2.0','id':1,'result':"
#define ERROR(code) "{'jsonrpc':'2.0','id':1,'error':{'code':" #code

T_FIXTURE(NULL, t_talk_end);

T_CASE(revision_is_accepted_or_ours_is_offered) {
    static const char *const rows[][2] = {
        { "2024-11-05", "2024-11-05" }, { "2025-03-26", "2025-03-26" },
        { "2025-06-18", "2025-06-18" }, { "2025-11-25", "2025-11-25" },
        { "2024-10-07", "2025-11-25" }, { "1.0", "2025-11-25" },
        { "2026-07-28", "2025-11-25" }, { "", "2025-11-25" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        enum sq_mcp_revision revision = SQ_MCP_LAST_LEGACY;
        t_talk_begin(&t_mcp_host);
        sq_mcp_revision_find(sq_span_of(rows[i][1]), &revision);
        t_talk_set_revision(revision);
        const char *params = t_text("{'protocolVersion':'%s','capabilities':{},"
                                    "'clientInfo':{'name':'x','version':'1'}}",
                                    rows[i][0]);
        T_ANSWER("initialize", params,
                 t_text(RESULT "{'protocolVersion':'%s',<any>", rows[i][1]));
    }
}

T_CASE(handshake_has_the_capabilities) {
    t_talk_begin(&t_mcp_host);
    t_talk_set_revision(SQ_MCP_2024_11_05);
    T_ANSWER("initialize", "{'protocolVersion':'2024-11-05'}",
             RESULT
             "{'protocolVersion':'2024-11-05','capabilities':{'logging':"
             "{},'tools':{},'resources':{'subscribe':true},'prompts':{}},"
             "'serverInfo':{'name':'fake','version':'1.2.3'},"
             "'instructions':'Be kind.'}}");
    T_ANSWER("initialize", "{'protocolVersion':'2024-11-05'}",
             ERROR(-32600) ",<any>");

    t_talk_begin(&t_mcp_host);
    t_talk_set_revision(SQ_MCP_2025_11_25);
    T_ANSWER("initialize", "{'protocolVersion':'2025-11-25'}",
             RESULT "{'protocolVersion':'2025-11-25','capabilities':{'logging':"
                    "{},'tools':{},'resources':{'subscribe':true},'prompts':{},"
                    "'completions':{}},'serverInfo':{'name':'fake','title':"
                    "'Fake host','version':'1.2.3'},'instructions':"
                    "'Be kind.'}}");

    t_talk_begin(&t_mcp_host_bare);
    t_talk_set_revision(SQ_MCP_2025_11_25);
    T_ANSWER("initialize", "{'protocolVersion':'2025-11-25'}",
             RESULT "{'protocolVersion':'2025-11-25','capabilities':{},"
                    "'serverInfo':{'name':'bare','version':'1'}}}");
    T_ANSWER("tools/list", NULL, ERROR(-32601) ",<any>");
    T_ANSWER("completion/complete", "{}", ERROR(-32601) ",<any>");
}

T_CASE(before_the_handshake_only_ping_is_answered) {
    static const char *const refused[] = {
        "tools/list",     "tools/call",   "resources/read",
        "resources/list", "prompts/list", "logging/setLevel",
    };
    t_talk_begin(&t_mcp_host);
    t_talk_set_revision(SQ_MCP_2025_11_25);
    T_ANSWER("ping", NULL, RESULT "{}}");
    for (size_t i = 0; i < SQ_COUNT(refused); i++) {
        T_ANSWER(refused[i], "{'name':'echo'}",
                 ERROR(-32602) ",'message':'Send initialize<any>");
    }
    T_ANSWER("no/such", NULL, ERROR(-32601) ",<any>no/such<any>");
    T_ANSWER("initialize", NULL, ERROR(-32602) ",<any>protocolVersion<any>");
    T_ANSWER("initialize", "{'protocolVersion':7}", ERROR(-32602) ",<any>");
}

/* The description of a tool in each revision. */
T_CASE(lists_have_the_fields_of_their_revision) {
    static const char *const tools[] = {
        [SQ_MCP_2024_11_05] =
            RESULT "{'tools':[{'name':'echo','description':'Say it again',"
                   "'inputSchema':{'type':'object'}},<any>]}}",
        [SQ_MCP_2025_03_26] =
            RESULT "{'tools':[{'name':'echo','description':"
                   "'Say it again','inputSchema':{'type':'object'},"
                   "'annotations':{'title':'Echo','readOnlyHint':true,"
                   "'openWorldHint':false}},<any>]}}",
        [SQ_MCP_2025_06_18] =
            RESULT "{'tools':[{'name':'echo','title':'Echo','description':'Say "
                   "it again','inputSchema':{'type':'object'},'annotations':{"
                   "'readOnlyHint':true,'openWorldHint':false}},<any>{'name':"
                   "'data',<any>'outputSchema':{'type':'object',<any>{'name':"
                   "'fail',<any>'annotations':{'readOnlyHint':false,"
                   "'destructiveHint':true,'openWorldHint':false}},<any>]}}",
        [SQ_MCP_2025_11_25] = RESULT "{'tools':[<any>]}}",
    };
    for (int i = 0; i <= SQ_MCP_LAST_LEGACY; i++) {
        t_talk_open((enum sq_mcp_revision)i);
        T_ANSWER("tools/list", NULL, tools[i]);
        T_ANSWER("resources/list", "{}",
                 i < SQ_MCP_2025_06_18
                     ? RESULT "{'resources':[{'uri':'fake://health','name':"
                              "'health','description':'How it is','mimeType':"
                              "'application/json'},<any>]}}"
                     : RESULT "{'resources':[{<any>'title':'Health',<any>]}}");
        T_ANSWER("resources/templates/list", "{'cursor':null}",
                 RESULT "{'resourceTemplates':[{'uriTemplate':"
                        "'fake://picture/{ref}',<any>}]}}");
        T_ANSWER("prompts/list", "null",
                 RESULT "{'prompts':[{'name':'greet',<any>'arguments':[{'name':"
                        "'name','description':'Whom','required':true},"
                        "<any>]}}");
        T_ANSWER("tools/list", "{'cursor':''}",
                 ERROR(-32602) ",<any>cursor<any>");
    }
}

T_CASE(content_has_the_fields_of_its_revision) {
    for (int i = 0; i <= SQ_MCP_LAST_LEGACY; i++) {
        t_talk_open((enum sq_mcp_revision)i);
        T_ANSWER("tools/call", "{'name':'picture'}",
                 i < SQ_MCP_2025_06_18
                     ? RESULT "{'content':[{'type':'image','data':'iVBORwD/',"
                              "'mimeType':'image/png','annotations':{"
                              "'audience':['user','assistant'],'priority':"
                              "0.9}},{'type':'text','text':'{\\'width\\':1}'},{"
                              "'type':'text','text':'Picture 1: "
                              "fake://picture/1','annotations':{'audience':["
                              "'user'],'priority':0.3}}],'isError':false}}"
                     : RESULT "{'content':[<any>,{'type':'resource_link','uri':"
                              "'fake://picture/1','name':'Picture 1',"
                              "'mimeType':'image/png','size':6,'annotations':{"
                              "<any>}}],'isError':false}}");
        T_ANSWER("tools/call", "{'name':'data'}",
                 i < SQ_MCP_2025_06_18
                     ? RESULT "{'content':[{'type':'text','text':"
                              "'{\\'count\\':3}'}],'isError':false}}"
                     : RESULT "{'content':[{'type':'text','text':"
                              "'{\\'count\\':3}'}],'structuredContent':{"
                              "'count':3},'isError':false}}");
    }
}

T_CASE(failing_tool_has_a_hint) {
    t_talk_open(SQ_MCP_2025_06_18);
    T_ANSWER("tools/call", "{'name':'fail','arguments':{}}",
             RESULT "{'content':[{'type':'text','text':'{\\'error\\':"
                    "\\'NO_DEVICES\\',\\'message\\':\\'no device\\\\nat all\\',"
                    "\\'suggestion\\':\\'Plug one in.\\',\\'details\\':{"
                    "\\'tried\\':[\\'a\\']}}'}],'isError':true}}");
    T_ANSWER("tools/call", "{'name':'slow','arguments':{'ms':-1}}",
             RESULT "{'content':[<any>INPUT_VALIDATION_FAILED<any>"
                    "'isError':true}}");
    T_ANSWER("tools/call", "{'name':'__proto__'}",
             ERROR(-32602) ",'message':'Unknown tool: __proto__'}}");
    T_ANSWER("tools/call", "{'name':7}", ERROR(-32602) ",<any>");
    T_ANSWER("tools/call", "{'name':'echo','arguments':[]}",
             ERROR(-32602) ",<any>");
    T_ANSWER("tools/call", "{'name':'echo','arguments':{'n':1e400}}",
             RESULT "{'content':[{'type':'text','text':'{"
                    "\\'n\\':1e400}'}],'isError':false}}");
    T_ANSWER("tools/call", "{'name':'who'}",
             RESULT "<any>'text':'tester'<any>");
}

T_CASE(reply_that_is_too_long_becomes_an_error) {
    t_talk_open(SQ_MCP_2025_11_25);
    T_ANSWER("tools/call", "{'name':'huge'}",
             RESULT "{'content':[<any>LIMIT_EXCEEDED<any>'isError':true}}");
    /* A temporarily full outbox does not cause this: the call waits. */
    talk.capacity = 10;
    T_ANSWER("tools/list", NULL, RESULT "{'tools':<any>");
    T_ANSWER("tools/call", "{'name':'data'}", RESULT "<any>count<any>");
}

T_CASE(resources_are_read_or_not_found) {
    t_talk_open(SQ_MCP_2025_03_26);
    T_ANSWER("resources/read", "{'uri':'fake://health'}",
             RESULT "{'contents':[{'uri':'fake://health','mimeType':"
                    "'application/json','text':'{\\'ok\\':true}'}]}}");
    T_ANSWER("resources/read", "{'uri':'fake://picture/9'}",
             RESULT "{'contents':[{'uri':'fake://picture/9','mimeType':"
                    "'image/png','blob':'iVBORw=='}]}}");
    T_ANSWER("resources/read", "{'uri':'fake://nothing'}",
             ERROR(-32002) ",'message':'Resource not found','data':"
                           "{'uri':'fake://nothing'}}}");
    T_ANSWER("resources/read", "{'uri':'fake://broken'}",
             ERROR(-32603) ",'message':'the disk is on fire'}}");
    T_ANSWER("resources/read", "{}", ERROR(-32602) ",<any>uri<any>");
}

T_CASE(subscribers_are_notified_of_changes) {
    t_talk_open(SQ_MCP_2025_06_18);
    T_ANSWER("tools/call", "{'name':'touch'}", RESULT "<any>touched<any>");
    int watches = t_mcp_watches();
    T(!t_mcp_is_watched());
    T_ANSWER("resources/subscribe", "{'uri':'fake://health'}", RESULT "{}}");
    T_INT(t_mcp_watches(), watches + 1);
    T(t_mcp_is_watched());
    T_ANSWER("tools/call", "{'name':'touch'}",
             "{'jsonrpc':'2.0','method':'notifications/resources/updated',"
             "'params':{'uri':'fake://health'}}");
    T_EXPECT(RESULT "<any>touched<any>");
    T_ANSWER("resources/unsubscribe", "{'uri':'fake://health'}", RESULT "{}}");
    T(!t_mcp_is_watched());
    T_ANSWER("tools/call", "{'name':'touch'}", RESULT "<any>touched<any>");
    T_ANSWER("resources/subscribe", "{'uri':'fake://picture/1'}",
             ERROR(-32002) ",<any>");
    T_ANSWER("resources/subscribe", "{}", ERROR(-32602) ",<any>");
    T_INT(t_mcp_watches(), watches + 1);
}

T_CASE(progress_and_log_are_sent_only_on_request) {
    static const char with_token[] =
        "{'name':'steps','_meta':{'progressToken':'t\\u00e9'}}";
    t_talk_open(SQ_MCP_2025_11_25);
    T_ANSWER("tools/call", "{'name':'steps'}", RESULT "<any>done<any>");
    T_ANSWER("tools/call", with_token,
             "{'jsonrpc':'2.0','method':'notifications/progress',"
             "'params':{'progressToken':'t\xc3\xa9','progress':1,"
             "'total':3,'message':'one'}}");
    T_EXPECT("{'jsonrpc':'2.0','method':'notifications/progress','params':{"
             "'progressToken':'t\xc3\xa9','progress':3,'total':3}}");
    T_EXPECT(RESULT "<any>done<any>");
    T_ANSWER("logging/setLevel", "{'level':'loud'}", ERROR(-32602) ",<any>");
    T_ANSWER("logging/setLevel", "{'level':'warning'}", RESULT "{}}");
    T_ANSWER("tools/call", "{'name':'steps'}", RESULT "<any>done<any>");
    T_ANSWER("logging/setLevel", "{'level':'debug'}", RESULT "{}}");
    T_ANSWER("tools/call", "{'name':'steps'}",
             "{'jsonrpc':'2.0','method':'notifications/message','params':{"
             "'level':'info','logger':'fake','data':'begun'}}");
    T_EXPECT(RESULT "<any>done<any>");

    /* The first revision has progress without a message. */
    t_talk_open(SQ_MCP_2024_11_05);
    T_ANSWER("tools/call", with_token, "{<any>'progress':1,'total':3}}");
    T_EXPECT("{<any>'progress':3,'total':3}}");
    T_EXPECT(RESULT "<any>done<any>");
}

T_CASE(prompts_are_filled_in) {
    t_talk_open(SQ_MCP_2025_11_25);
    T_ANSWER("prompts/get", "{'name':'greet','arguments':{'name':'Ada'}}",
             RESULT "{'description':'Say hello','messages':[{'role':'user',"
                    "'content':{'type':'text','text':'Greet Ada'}},{'role':"
                    "'assistant','content':{'type':'text','text':'Hello!'}}"
                    "]}}");
    T_ANSWER("prompts/get", "{'name':'greet'}",
             ERROR(-32602) ",'message':'argument \\'name\\' of prompt "
                           "greet is missing (Whom)'}}");
    T_ANSWER("prompts/get",
             "{'name':'greet','arguments':{'name':'Ada','tone':7}}",
             ERROR(-32602) ",'message':'argument \\'tone\\' of prompt "
                           "greet must be a string'}}");
    T_ANSWER("prompts/get", "{'name':'greet','arguments':{'name':'unknown'}}",
             ERROR(-32602) ",'message':'greet a person'}}");
    T_ANSWER("prompts/get", "{'name':'none'}",
             ERROR(-32602) ",'message':'Unknown prompt: none'}}");
}

T_CASE(arguments_are_completed) {
    t_talk_open(SQ_MCP_2025_06_18);
    T_ANSWER("completion/complete",
             "{'ref':{'type':'ref/prompt','name':'greet'},"
             "'argument':{'name':'name','value':'A'}}",
             RESULT "{'completion':{'values':['A','greet'],"
                    "'total':7,'hasMore':true}}}");
    T_ANSWER("completion/complete",
             "{'ref':{'type':'ref/resource','uri':'fake://x'},'argument':"
             "{'name':'ref','value':''},'context':{'arguments':{}}}",
             RESULT "{'completion':{'values':['','fake://x'],"
                    "'total':2,'hasMore':false}}}");
    T_ANSWER("completion/complete",
             "{'ref':{'type':'ref/prompt','name':'none'},"
             "'argument':{'name':'name','value':'A'}}",
             ERROR(-32602) ",<any>");
    T_ANSWER("completion/complete", "{'ref':{'type':'ref/other'}}",
             ERROR(-32602) ",<any>");
    T_ANSWER("completion/complete", "{'ref':{}}",
             ERROR(-32602) ",'message':'params.ref.type must be a string'}}");
    T_ANSWER("completion/complete",
             "{'ref':{'type':'ref/prompt','name':'greet'}}",
             ERROR(-32602) ",'message':'params.argument.name must be "
                           "a string'}}");
    T_ANSWER("completion/complete",
             "{'ref':{'type':'ref/resource','uri':'fake://x'},"
             "'argument':{'name':'broken','value':''}}",
             ERROR(-32603) ",'message':'too slow'}}");
}
