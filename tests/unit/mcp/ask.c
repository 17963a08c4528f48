#include "mcp/methods.h"

#include "support/mcp_talk.h"

#define ARENA_BYTES ((size_t)1 << 20)

#define FORM                                                                   \
    "{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\","          \
    "\"properties\":{\"name\":{\"type\":\"string\"}}}}"

/* Asks for a name, and greets. */
static bool
greet(void *context, const struct sq_mcp_tool *tool,
      const struct sq_json *arguments, struct sq_mcp_call *call,
      struct sq_mcp_tool_result *out, struct sq_err *err) {
    const struct sq_mcp_question question = { "who", "elicitation/create",
                                              SQ_SPAN_INIT(FORM) };
    const struct sq_json *answer;
    struct sq_block *block;
    if (!sq_mcp_call_ask(call, &question, 1, &answer, err)
        || !sq_result_add(&out->content, SQ_BLOCK_TEXT, 200, &block, err)) {
        return false;
    }
    struct sq_span name =
        sq_json_text_of(sq_json_get(answer, "content"), "name");
    return sq_buf_printf(&block->data, err, "hello %.*s", SQ_SPAN_ARGS(name));
}

static const struct sq_mcp_tool tool = {
    .name = "greet",
    .input_schema = SQ_SPAN_INIT("{\"type\":\"object\"}"),
};

static const struct sq_mcp_host host = {
    .name = "test",
    .version = "1",
    .tools = &tool,
    .tool_count = 1,
    .call_tool = greet,
};

static void
call(const char *capabilities, const char *more) {
    char text[800];
    snprintf(text, sizeof(text),
             "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':"
             "'greet',%s'_meta':{'io.modelcontextprotocol/protocolVersion':"
             "'2026-07-28','io.modelcontextprotocol/clientCapabilities':%s}}}",
             more, capabilities);
    t_talk_send(text);
}

#define ANSWER(text) "'inputResponses':{'who':" text "},"

T_FIXTURE(NULL, t_talk_end);

T_CASE(modern_client_repeats_the_call) {
    static const char can[] = "{'elicitation':{}}";
    t_talk_begin(&host);
    call(can, "");
    T_EXPECT("{<any>'resultType':'input_required',<any>'inputRequests':{'who':{"
             "'method':'elicitation/create','params':{'message':<any>");
    call(can, ANSWER("{'action':'accept','content':{'name':'Ada'}}"));
    T_EXPECT("{<any>'text':'hello Ada'<any>");
    /* Answers to other questions do not count. */
    call(can, "'inputResponses':{'other':{'action':'accept'}},");
    T_EXPECT("{<any>'resultType':'input_required',<any>");
    call(can, "'inputResponses':3,");
    T_EXPECT("{<any>'code':-32602,<any>");
    call(can, "'requestState':'forged',");
    T_EXPECT("{<any>'code':-32602,<any>");
}

T_CASE(client_without_forms_gets_an_error) {
    t_talk_begin(&host);
    call("{}", "");
    T_EXPECT("{<any>'code':-32021,<any>'requiredCapabilities':{"
             "'elicitation':{}}<any>");
    call("{'elicitation':{'url':{}}}", "");
    T_EXPECT("{<any>'code':-32021,<any>");
    t_talk_begin(&host);
    t_talk_handshake(SQ_MCP_2025_11_25);
    T_ANSWER("tools/call", "{'name':'greet'}", "{<any>'isError':true<any>");
}

T_CASE(capabilities_are_read) {
    static const struct {
        const char *text;
        unsigned expected;
    } rows[] = {
        { "{}", 0 },
        { "{'elicitation':{}}", SQ_MCP_ELICITATION },
        { "{'elicitation':{'form':{}}}", SQ_MCP_ELICITATION },
        { "{'elicitation':{'url':{}}}", 0 },
        { "{'elicitation':true}", 0 },
        { "{'sampling':{},'roots':{'listChanged':true}}",
          SQ_MCP_SAMPLING | SQ_MCP_ROOTS },
        { "{'extensions':{'io.modelcontextprotocol/tasks':{}}}", SQ_MCP_TASKS },
        { "{'tasks':{}}", SQ_MCP_OLD_TASKS },
        { "{'extensions':{'io.modelcontextprotocol/ui':{}}}", 0 },
        { "{'extensions':{'io.modelcontextprotocol/ui':{'mimeTypes':"
          "['text/html',1,'text/html;profile=mcp-app']}}}",
          SQ_MCP_UI },
        { "[]", 0 },
    };
    T_EACH(i, rows) {
        const struct sq_json *value = NULL;
        T_ARENA(arena, ARENA_BYTES);
        T_OK(sq_json_parse(sq_span_of(t_quoted(rows[i].text)), &arena, &value,
                           &t_err));
        T_INT((long)sq_mcp_read_capabilities(value), (long)rows[i].expected);
    }
    T_INT((long)sq_mcp_read_capabilities(NULL), 0);
}
