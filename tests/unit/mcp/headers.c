#include "mcp/methods.h"

#include "support/mcp_host.h"
#include "support/mcp_talk.h"

#define VERSION "2026-07-28"
#define META                                                                   \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'" VERSION             \
    "','io.modelcontextprotocol/clientCapabilities':{}}"
#define SCHEMA                                                                 \
    "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\","    \
    "\"x-mcp-header\":\"Region\"},\"count\":{\"type\":\"integer\","            \
    "\"x-mcp-header\":\"Count\"},\"inner\":{\"type\":\"object\","              \
    "\"properties\":{\"on\":{\"type\":\"boolean\",\"x-mcp-header\":\"On\"}}}}" \
    "}"

static const struct sq_mcp_tool tool = {
    .name = "where",
    .input_schema = SQ_SPAN_INIT(SCHEMA),
    .has_headers = true,
};

static bool
call_tool(void *context, const struct sq_mcp_tool *called,
          const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_mcp_tool_result *out, struct sq_err *err) {
    struct sq_block *block;
    return sq_result_add(&out->content, SQ_BLOCK_TEXT, 100, &block, err)
        && sq_buf_append(&block->data, "here", 4, err);
}

static const struct sq_mcp_host host = {
    .name = "test",
    .version = "1",
    .tools = &tool,
    .tool_count = 1,
    .call_tool = call_tool,
};

/* "name: value" lines of the request. */
static const char *lines;

static bool
find_header(void *context, const char *name, struct sq_span *out) {
    size_t length = strlen(name);
    for (const char *at = lines; *at; at = strchr(at, '\n') + 1) {
        if (strncmp(at, name, length) == 0 && at[length] == ':') {
            const char *value = at + length + 2;
            *out =
                (struct sq_span){ value, (size_t)(strchr(at, '\n') - value) };
            return true;
        }
    }
    return false;
}

/* Sends a call with these headers, and expects that it is served or not. */
static void
check(const char *headers, const char *arguments, bool is_served) {
    t_talk_begin(&host);
    talk.sink.header = find_header;
    lines = headers;
    const char *text =
        t_text("{'jsonrpc':'2.0','id':1,'method':'tools/call',"
               "'params':{'name':'where','arguments':%s," META "}}",
               arguments);
    t_talk_send(text);
    if (!T_EXPECT(is_served ? "{<any>'text':'here'<any>"
                            : "{<any>'code':-32020,<any>")) {
        printf("# %s\n", headers);
    }
}

#define BASE                                                                   \
    "mcp-protocol-version: " VERSION "\nmcp-method: tools/call\n"              \
    "mcp-name: where\n"

T_FIXTURE(NULL, t_talk_end);

T_CASE(headers_must_repeat_the_request) {
    check(BASE, "{}", true);
    check("mcp-method: tools/call\nmcp-name: where\n", "{}", false);
    check("mcp-protocol-version: 2025-11-25\nmcp-method: tools/call\n"
          "mcp-name: where\n",
          "{}", false);
    check("mcp-protocol-version: " VERSION "\nmcp-name: where\n", "{}", false);
    check("mcp-protocol-version: " VERSION
          "\nmcp-method: Tools/Call\nmcp-name: where\n",
          "{}", false);
    check("mcp-protocol-version: " VERSION "\nmcp-method: tools/call\n", "{}",
          false);
    check("mcp-protocol-version: " VERSION
          "\nmcp-method: tools/call\nmcp-name: there\n",
          "{}", false);
    check("mcp-protocol-version: " VERSION
          "\nmcp-method: tools/call\nmcp-name: =?base64?d2hlcmU=?=\n",
          "{}", true);
    check("mcp-protocol-version: " VERSION
          "\nmcp-method: tools/call\nmcp-name: =?base64?!!!!?=\n",
          "{}", false);
}

T_CASE(arguments_are_compared) {
    static const struct {
        const char *headers;
        const char *arguments;
        bool is_served;
    } rows[] = {
        { BASE "mcp-param-region: eu\n", "{'region':'eu'}", true },
        { BASE "mcp-param-region: us\n", "{'region':'eu'}", false },
        { BASE "mcp-param-region: EU\n", "{'region':'eu'}", false },
        { BASE, "{'region':'eu'}", false },
        { BASE "mcp-param-region: eu\n", "{}", false },
        { BASE "mcp-param-region: eu\n", "{'region':null}", false },
        { BASE, "{'region':null}", true },
        { BASE "mcp-param-region: =?base64?w7w=?=\n", "{'region':'\xc3\xbc'}",
          true },
        { BASE "mcp-param-count: 42\n", "{'count':42}", true },
        { BASE "mcp-param-count: 43\n", "{'count':42}", false },
        { BASE "mcp-param-count: x\n", "{'count':42}", false },
        { BASE "mcp-param-on: true\n", "{'inner':{'on':true}}", true },
        { BASE "mcp-param-on: false\n", "{'inner':{'on':true}}", false },
        { BASE "mcp-param-other: 1\n", "{}", true },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        check(rows[i].headers, rows[i].arguments, rows[i].is_served);
    }
}
