/* The revisions that start with a handshake, each with its own fields. */

#include "support/mcp_host.h"
#include "support/mcp_talk.h"

#define RESULT "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":"
#define ERROR(code) "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":" #code

static struct t_talk talk;

T_CASE(revision_is_accepted_or_ours_is_offered) {
    static const char *const rows[][2] = {
        { "2024-11-05", "2024-11-05" }, { "2025-03-26", "2025-03-26" },
        { "2025-06-18", "2025-06-18" }, { "2025-11-25", "2025-11-25" },
        { "2024-10-07", "2025-11-25" }, { "1.0", "2025-11-25" },
        { "2026-07-28", "2025-11-25" }, { "", "2025-11-25" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char params[200];
        char want[200];
        enum sq_mcp_revision revision = SQ_MCP_LAST_LEGACY;
        t_talk_begin(&talk, &t_mcp_host);
        sq_mcp_revision_find(sq_span_of(rows[i][1]), &revision);
        t_talk_set_revision(&talk, revision);
        snprintf(params, sizeof(params),
                 "{\"protocolVersion\":\"%s\",\"capabilities\":{},"
                 "\"clientInfo\":{\"name\":\"x\",\"version\":\"1\"}}",
                 rows[i][0]);
        snprintf(want, sizeof(want), RESULT "{\"protocolVersion\":\"%s\",<any>",
                 rows[i][1]);
        t_talk_request(&talk, "initialize", params);
        T_EXPECT(&talk, want);
        t_talk_end(&talk);
    }
}

T_CASE(handshake_has_the_capabilities) {
    t_talk_begin(&talk, &t_mcp_host);
    t_talk_set_revision(&talk, SQ_MCP_2024_11_05);
    t_talk_request(&talk, "initialize", "{\"protocolVersion\":\"2024-11-05\"}");
    T_EXPECT(
        &talk, RESULT
        "{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{\"logging\":"
        "{},\"tools\":{},\"resources\":{\"subscribe\":true},\"prompts\":{}},"
        "\"serverInfo\":{\"name\":\"fake\",\"version\":\"1.2.3\"},"
        "\"instructions\":\"Be kind.\"}}");
    t_talk_request(&talk, "initialize", "{\"protocolVersion\":\"2024-11-05\"}");
    T_EXPECT(&talk, ERROR(-32600) ",<any>");
    t_talk_end(&talk);

    t_talk_begin(&talk, &t_mcp_host);
    t_talk_set_revision(&talk, SQ_MCP_2025_11_25);
    t_talk_request(&talk, "initialize", "{\"protocolVersion\":\"2025-11-25\"}");
    T_EXPECT(
        &talk, RESULT
        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"logging\":"
        "{},\"tools\":{},\"resources\":{\"subscribe\":true},\"prompts\":{},"
        "\"completions\":{}},\"serverInfo\":{\"name\":\"fake\",\"title\":"
        "\"Fake host\",\"version\":\"1.2.3\"},\"instructions\":"
        "\"Be kind.\"}}");
    t_talk_end(&talk);

    t_talk_begin(&talk, &t_mcp_host_bare);
    t_talk_set_revision(&talk, SQ_MCP_2025_11_25);
    t_talk_request(&talk, "initialize", "{\"protocolVersion\":\"2025-11-25\"}");
    T_EXPECT(&talk,
             RESULT "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                    "\"serverInfo\":{\"name\":\"bare\",\"version\":\"1\"}}}");
    t_talk_request(&talk, "tools/list", NULL);
    T_EXPECT(&talk, ERROR(-32601) ",<any>");
    t_talk_request(&talk, "completion/complete", "{}");
    T_EXPECT(&talk, ERROR(-32601) ",<any>");
    t_talk_end(&talk);
}

T_CASE(before_the_handshake_only_ping_is_answered) {
    static const char *const refused[] = {
        "tools/list",     "tools/call",   "resources/read",
        "resources/list", "prompts/list", "logging/setLevel",
    };
    t_talk_begin(&talk, &t_mcp_host);
    t_talk_set_revision(&talk, SQ_MCP_2025_11_25);
    t_talk_request(&talk, "ping", NULL);
    T_EXPECT(&talk, RESULT "{}}");
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        t_talk_request(&talk, refused[i], "{\"name\":\"echo\"}");
        T_EXPECT(&talk, ERROR(-32602) ",\"message\":\"Send initialize<any>");
    }
    t_talk_request(&talk, "no/such", NULL);
    T_EXPECT(&talk, ERROR(-32601) ",<any>no/such<any>");
    t_talk_request(&talk, "initialize", NULL);
    T_EXPECT(&talk, ERROR(-32602) ",<any>protocolVersion<any>");
    t_talk_request(&talk, "initialize", "{\"protocolVersion\":7}");
    T_EXPECT(&talk, ERROR(-32602) ",<any>");
    t_talk_end(&talk);
}

/* The description of a tool in each revision. */
T_CASE(lists_have_the_fields_of_their_revision) {
    static const char *const tools[] = {
        [SQ_MCP_2024_11_05] =
            RESULT "{\"tools\":[{\"name\":\"echo\",\"description\":"
                   "\"Say it again\",\"inputSchema\":{\"type\":\"object\"}},"
                   "<any>]}}",
        [SQ_MCP_2025_03_26] =
            RESULT "{\"tools\":[{\"name\":\"echo\",\"description\":"
                   "\"Say it again\",\"inputSchema\":{\"type\":\"object\"},"
                   "\"annotations\":{\"title\":\"Echo\",\"readOnlyHint\":true,"
                   "\"openWorldHint\":false}},<any>]}}",
        [SQ_MCP_2025_06_18] = RESULT
        "{\"tools\":[{\"name\":\"echo\",\"title\":\"Echo\","
        "\"description\":\"Say it again\",\"inputSchema\":{"
        "\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":"
        "true,\"openWorldHint\":false}},<any>{\"name\":\"data\","
        "<any>\"outputSchema\":{\"type\":\"object\",<any>{\"name\":"
        "\"fail\",<any>\"annotations\":{\"readOnlyHint\":false,"
        "\"destructiveHint\":true,\"openWorldHint\":false}},<any>]}}",
        [SQ_MCP_2025_11_25] = RESULT "{\"tools\":[<any>]}}",
    };
    for (int i = 0; i <= SQ_MCP_LAST_LEGACY; i++) {
        t_talk_begin(&talk, &t_mcp_host);
        t_talk_handshake(&talk, (enum sq_mcp_revision)i);
        t_talk_request(&talk, "tools/list", NULL);
        T_EXPECT(&talk, tools[i]);
        t_talk_request(&talk, "resources/list", "{}");
        T_EXPECT(&talk, i < SQ_MCP_2025_06_18 ? RESULT
                            "{\"resources\":[{\"uri\":\"fake://health\","
                            "\"name\":\"health\",\"description\":"
                            "\"How it is\",\"mimeType\":"
                            "\"application/json\"},<any>]}}"
                                              : RESULT
                            "{\"resources\":[{<any>\"title\":\"Health\","
                            "<any>]}}");
        t_talk_request(&talk, "resources/templates/list", "{\"cursor\":null}");
        T_EXPECT(&talk, RESULT "{\"resourceTemplates\":[{\"uriTemplate\":"
                               "\"fake://picture/{ref}\",<any>}]}}");
        t_talk_request(&talk, "prompts/list", "null");
        T_EXPECT(&talk, RESULT "{\"prompts\":[{\"name\":\"greet\",<any>"
                               "\"arguments\":[{\"name\":\"name\","
                               "\"description\":\"Whom\",\"required\":true},"
                               "<any>]}}");
        t_talk_request(&talk, "tools/list", "{\"cursor\":\"\"}");
        T_EXPECT(&talk, ERROR(-32602) ",<any>cursor<any>");
        t_talk_end(&talk);
    }
}

T_CASE(content_has_the_fields_of_its_revision) {
    for (int i = 0; i <= SQ_MCP_LAST_LEGACY; i++) {
        t_talk_begin(&talk, &t_mcp_host);
        t_talk_handshake(&talk, (enum sq_mcp_revision)i);
        t_talk_request(&talk, "tools/call", "{\"name\":\"picture\"}");
        T_EXPECT(&talk, i < SQ_MCP_2025_06_18 ? RESULT
                            "{\"content\":[{\"type\":\"image\",\"data\":"
                            "\"iVBORwD/\",\"mimeType\":\"image/png\","
                            "\"annotations\":{\"audience\":[\"user\","
                            "\"assistant\"],\"priority\":0.9}},{\"type\":"
                            "\"text\",\"text\":\"{\\\"width\\\":1}\"},{"
                            "\"type\":\"text\",\"text\":\"Picture 1: "
                            "fake://picture/1\",\"annotations\":{\"audience\":"
                            "[\"user\"],\"priority\":0.3}}],\"isError\":"
                            "false}}"
                                              : RESULT
                            "{\"content\":[<any>,{\"type\":\"resource_link\","
                            "\"uri\":\"fake://picture/1\",\"name\":"
                            "\"Picture 1\",\"mimeType\":\"image/png\","
                            "\"size\":6,\"annotations\":{<any>}}],"
                            "\"isError\":false}}");
        t_talk_request(&talk, "tools/call", "{\"name\":\"data\"}");
        T_EXPECT(&talk, i < SQ_MCP_2025_06_18 ? RESULT
                            "{\"content\":[{\"type\":\"text\",\"text\":"
                            "\"{\\\"count\\\":3}\"}],\"isError\":false}}"
                                              : RESULT
                            "{\"content\":[{\"type\":\"text\",\"text\":"
                            "\"{\\\"count\\\":3}\"}],\"structuredContent\":{"
                            "\"count\":3},\"isError\":false}}");
        t_talk_end(&talk);
    }
}

T_CASE(failing_tool_has_a_hint) {
    t_talk_begin(&talk, &t_mcp_host);
    t_talk_handshake(&talk, SQ_MCP_2025_06_18);
    t_talk_request(&talk, "tools/call", "{\"name\":\"fail\",\"arguments\":{}}");
    T_EXPECT(&talk, RESULT
             "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"error\\\":"
             "\\\"NO_DEVICES\\\",\\\"message\\\":\\\"no device\\\\nat "
             "all\\\",\\\"suggestion\\\":\\\"Plug one in.\\\","
             "\\\"details\\\":{\\\"tried\\\":[\\\"a\\\"]}}\"}],"
             "\"isError\":true}}");
    t_talk_request(&talk, "tools/call",
                   "{\"name\":\"slow\",\"arguments\":{\"ms\":-1}}");
    T_EXPECT(&talk, RESULT "{\"content\":[<any>INPUT_VALIDATION_FAILED<any>"
                           "\"isError\":true}}");
    t_talk_request(&talk, "tools/call", "{\"name\":\"__proto__\"}");
    T_EXPECT(&talk, ERROR(-32602) ",\"message\":\"Unknown tool: __proto__\"}}");
    t_talk_request(&talk, "tools/call", "{\"name\":7}");
    T_EXPECT(&talk, ERROR(-32602) ",<any>");
    t_talk_request(&talk, "tools/call", "{\"name\":\"echo\",\"arguments\":[]}");
    T_EXPECT(&talk, ERROR(-32602) ",<any>");
    t_talk_request(&talk, "tools/call",
                   "{\"name\":\"echo\",\"arguments\":{\"n\":1e400}}");
    T_EXPECT(&talk, RESULT "{\"content\":[{\"type\":\"text\",\"text\":\"{"
                           "\\\"n\\\":1e400}\"}],\"isError\":false}}");
    t_talk_request(&talk, "tools/call", "{\"name\":\"who\"}");
    T_EXPECT(&talk, RESULT "<any>\"text\":\"tester\"<any>");
    t_talk_end(&talk);
}

T_CASE(reply_that_is_too_long_becomes_an_error) {
    t_talk_begin(&talk, &t_mcp_host);
    t_talk_handshake(&talk, SQ_MCP_2025_11_25);
    t_talk_request(&talk, "tools/call", "{\"name\":\"huge\"}");
    T_EXPECT(&talk, RESULT "{\"content\":[<any>LIMIT_EXCEEDED<any>"
                           "\"isError\":true}}");
    /* A temporarily full outbox does not cause this: the call waits. */
    talk.capacity = 10;
    t_talk_request(&talk, "tools/list", NULL);
    T_EXPECT(&talk, RESULT "{\"tools\":<any>");
    t_talk_request(&talk, "tools/call", "{\"name\":\"data\"}");
    T_EXPECT(&talk, RESULT "<any>count<any>");
    t_talk_end(&talk);
}

T_CASE(resources_are_read_or_not_found) {
    t_talk_begin(&talk, &t_mcp_host);
    t_talk_handshake(&talk, SQ_MCP_2025_03_26);
    t_talk_request(&talk, "resources/read", "{\"uri\":\"fake://health\"}");
    T_EXPECT(&talk, RESULT "{\"contents\":[{\"uri\":\"fake://health\","
                           "\"mimeType\":\"application/json\",\"text\":"
                           "\"{\\\"ok\\\":true}\"}]}}");
    t_talk_request(&talk, "resources/read", "{\"uri\":\"fake://picture/9\"}");
    T_EXPECT(&talk, RESULT "{\"contents\":[{\"uri\":\"fake://picture/9\","
                           "\"mimeType\":\"image/png\",\"blob\":\"iVBORw==\"}]"
                           "}}");
    t_talk_request(&talk, "resources/read", "{\"uri\":\"fake://nothing\"}");
    T_EXPECT(&talk,
             ERROR(-32002) ",\"message\":\"Resource not found\",\"data\":"
                           "{\"uri\":\"fake://nothing\"}}}");
    t_talk_request(&talk, "resources/read", "{\"uri\":\"fake://broken\"}");
    T_EXPECT(&talk, ERROR(-32603) ",\"message\":\"the disk is on fire\"}}");
    t_talk_request(&talk, "resources/read", "{}");
    T_EXPECT(&talk, ERROR(-32602) ",<any>uri<any>");
    t_talk_end(&talk);
}

T_CASE(subscribers_are_notified_of_changes) {
    t_talk_begin(&talk, &t_mcp_host);
    t_talk_handshake(&talk, SQ_MCP_2025_06_18);
    t_talk_request(&talk, "tools/call", "{\"name\":\"touch\"}");
    T_EXPECT(&talk, RESULT "<any>touched<any>");
    int watches = t_mcp_watches();
    T(!t_mcp_is_watched());
    t_talk_request(&talk, "resources/subscribe", "{\"uri\":\"fake://health\"}");
    T_EXPECT(&talk, RESULT "{}}");
    T_INT(t_mcp_watches(), watches + 1);
    T(t_mcp_is_watched());
    t_talk_request(&talk, "tools/call", "{\"name\":\"touch\"}");
    T_EXPECT(&talk, "{\"jsonrpc\":\"2.0\",\"method\":"
                    "\"notifications/resources/updated\",\"params\":{\"uri\":"
                    "\"fake://health\"}}");
    T_EXPECT(&talk, RESULT "<any>touched<any>");
    t_talk_request(&talk, "resources/unsubscribe",
                   "{\"uri\":\"fake://health\"}");
    T_EXPECT(&talk, RESULT "{}}");
    T(!t_mcp_is_watched());
    t_talk_request(&talk, "tools/call", "{\"name\":\"touch\"}");
    T_EXPECT(&talk, RESULT "<any>touched<any>");
    t_talk_request(&talk, "resources/subscribe",
                   "{\"uri\":\"fake://picture/1\"}");
    T_EXPECT(&talk, ERROR(-32002) ",<any>");
    t_talk_request(&talk, "resources/subscribe", "{}");
    T_EXPECT(&talk, ERROR(-32602) ",<any>");
    T_INT(t_mcp_watches(), watches + 1);
    t_talk_end(&talk);
}

T_CASE(progress_and_log_are_sent_only_on_request) {
    static const char with_token[] =
        "{\"name\":\"steps\",\"_meta\":{\"progressToken\":\"t\\u00e9\"}}";
    t_talk_begin(&talk, &t_mcp_host);
    t_talk_handshake(&talk, SQ_MCP_2025_11_25);
    t_talk_request(&talk, "tools/call", "{\"name\":\"steps\"}");
    T_EXPECT(&talk, RESULT "<any>done<any>");
    t_talk_request(&talk, "tools/call", with_token);
    T_EXPECT(&talk,
             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
             "\"params\":{\"progressToken\":\"t\xc3\xa9\",\"progress\":1,"
             "\"total\":3,\"message\":\"one\"}}");
    T_EXPECT(&talk,
             "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
             "\"params\":{\"progressToken\":\"t\xc3\xa9\",\"progress\":3,"
             "\"total\":3}}");
    T_EXPECT(&talk, RESULT "<any>done<any>");
    t_talk_request(&talk, "logging/setLevel", "{\"level\":\"loud\"}");
    T_EXPECT(&talk, ERROR(-32602) ",<any>");
    t_talk_request(&talk, "logging/setLevel", "{\"level\":\"warning\"}");
    T_EXPECT(&talk, RESULT "{}}");
    t_talk_request(&talk, "tools/call", "{\"name\":\"steps\"}");
    T_EXPECT(&talk, RESULT "<any>done<any>");
    t_talk_request(&talk, "logging/setLevel", "{\"level\":\"debug\"}");
    T_EXPECT(&talk, RESULT "{}}");
    t_talk_request(&talk, "tools/call", "{\"name\":\"steps\"}");
    T_EXPECT(&talk, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\","
                    "\"params\":{\"level\":\"info\",\"logger\":\"fake\","
                    "\"data\":\"begun\"}}");
    T_EXPECT(&talk, RESULT "<any>done<any>");
    t_talk_end(&talk);

    /* The first revision has progress without a message. */
    t_talk_begin(&talk, &t_mcp_host);
    t_talk_handshake(&talk, SQ_MCP_2024_11_05);
    t_talk_request(&talk, "tools/call", with_token);
    T_EXPECT(&talk, "{<any>\"progress\":1,\"total\":3}}");
    T_EXPECT(&talk, "{<any>\"progress\":3,\"total\":3}}");
    T_EXPECT(&talk, RESULT "<any>done<any>");
    t_talk_end(&talk);
}

T_CASE(prompts_are_filled_in) {
    t_talk_begin(&talk, &t_mcp_host);
    t_talk_handshake(&talk, SQ_MCP_2025_11_25);
    t_talk_request(&talk, "prompts/get",
                   "{\"name\":\"greet\",\"arguments\":{\"name\":\"Ada\"}}");
    T_EXPECT(
        &talk, RESULT
        "{\"description\":\"Say hello\",\"messages\":[{\"role\":\"user\","
        "\"content\":{\"type\":\"text\",\"text\":\"Greet Ada\"}},{\"role\":"
        "\"assistant\",\"content\":{\"type\":\"text\",\"text\":\"Hello!\"}}"
        "]}}");
    t_talk_request(&talk, "prompts/get", "{\"name\":\"greet\"}");
    T_EXPECT(&talk,
             ERROR(-32602) ",\"message\":\"argument \\\"name\\\" of prompt "
                           "greet is missing (Whom)\"}}");
    t_talk_request(&talk, "prompts/get",
                   "{\"name\":\"greet\",\"arguments\":{\"name\":\"Ada\","
                   "\"tone\":7}}");
    T_EXPECT(&talk,
             ERROR(-32602) ",\"message\":\"argument \\\"tone\\\" of prompt "
                           "greet must be a string\"}}");
    t_talk_request(&talk, "prompts/get",
                   "{\"name\":\"greet\",\"arguments\":{\"name\":\"unknown\"}}");
    T_EXPECT(&talk, ERROR(-32602) ",\"message\":\"greet a person\"}}");
    t_talk_request(&talk, "prompts/get", "{\"name\":\"none\"}");
    T_EXPECT(&talk, ERROR(-32602) ",\"message\":\"Unknown prompt: none\"}}");
    t_talk_end(&talk);
}

T_CASE(arguments_are_completed) {
    t_talk_begin(&talk, &t_mcp_host);
    t_talk_handshake(&talk, SQ_MCP_2025_06_18);
    t_talk_request(&talk, "completion/complete",
                   "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"},"
                   "\"argument\":{\"name\":\"name\",\"value\":\"A\"}}");
    T_EXPECT(&talk, RESULT "{\"completion\":{\"values\":[\"A\",\"greet\"],"
                           "\"total\":7,\"hasMore\":true}}}");
    t_talk_request(
        &talk, "completion/complete",
        "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"fake://x\"},"
        "\"argument\":{\"name\":\"ref\",\"value\":\"\"},\"context\":{"
        "\"arguments\":{}}}");
    T_EXPECT(&talk, RESULT "{\"completion\":{\"values\":[\"\",\"fake://x\"],"
                           "\"total\":2,\"hasMore\":false}}}");
    t_talk_request(&talk, "completion/complete",
                   "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"none\"},"
                   "\"argument\":{\"name\":\"name\",\"value\":\"A\"}}");
    T_EXPECT(&talk, ERROR(-32602) ",<any>");
    t_talk_request(&talk, "completion/complete",
                   "{\"ref\":{\"type\":\"ref/other\"}}");
    T_EXPECT(&talk, ERROR(-32602) ",<any>");
    t_talk_request(&talk, "completion/complete", "{\"ref\":{}}");
    T_EXPECT(&talk, ERROR(-32602) ",\"message\":\"params.ref.type must be a "
                                  "string\"}}");
    t_talk_request(&talk, "completion/complete",
                   "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"greet\"}}");
    T_EXPECT(&talk, ERROR(-32602) ",\"message\":\"params.argument.name must be "
                                  "a string\"}}");
    t_talk_request(&talk, "completion/complete",
                   "{\"ref\":{\"type\":\"ref/resource\",\"uri\":\"fake://x\"},"
                   "\"argument\":{\"name\":\"broken\",\"value\":\"\"}}");
    T_EXPECT(&talk, ERROR(-32603) ",\"message\":\"too slow\"}}");
    t_talk_end(&talk);
}
