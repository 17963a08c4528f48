/*
 * The other tests check all messages with our own rules of the protocol and
 * with the official schemas: both must detect errors.
 */

#include "support/mcp_rules.h"
#include "support/test.h"

struct row {
    enum sq_mcp_revision revision;
    const char *definition;
    const char *json;
    const char *wrong; /* part of the reported error; NULL: none */
};

static const struct row rows[] = {
    { SQ_MCP_2025_11_25, "CallToolResult", "{\"content\":[]}", NULL },
    { SQ_MCP_2025_11_25, "CallToolResult", "{}", "lacks content" },
    { SQ_MCP_2025_11_25, "CallToolResult", "{\"content\":{}}", "array" },
    { SQ_MCP_2025_11_25, "CallToolResult", "{\"content\":[],\"isError\":1}",
      "boolean" },
    { SQ_MCP_2025_11_25, "CallToolResult", "{\"content\":[{\"type\":\"txt\"}]}",
      "content[0]" },
    { SQ_MCP_2025_11_25, "CallToolResult",
      "{\"content\":[{\"type\":\"text\",\"text\":\"\",\"annotations\":{"
      "\"priority\":2}}]}",
      "content[0]" },
    { SQ_MCP_2025_03_26, "CallToolResult",
      "{\"content\":[],\"structuredContent\":{}}", "unknown member" },
    { SQ_MCP_2025_06_18, "CallToolResult",
      "{\"content\":[],\"structuredContent\":{\"any\":1}}", NULL },
    { SQ_MCP_2024_11_05, "Tool",
      "{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\",\"$x\":1}}", NULL },
    { SQ_MCP_2024_11_05, "Tool",
      "{\"name\":\"x\",\"inputSchema\":{\"type\":\"array\"}}", "constant" },
    { SQ_MCP_2024_11_05, "Tool",
      "{\"name\":\"x\",\"title\":\"X\",\"inputSchema\":{\"type\":\"object\"}}",
      "unknown member title" },
    { SQ_MCP_2026_07_28, "DiscoverResult",
      "{\"resultType\":\"complete\",\"supportedVersions\":[],\"capabilities\":"
      "{},\"ttlMs\":0,\"cacheScope\":\"public\"}",
      NULL },
    { SQ_MCP_2026_07_28, "DiscoverResult",
      "{\"resultType\":\"complete\",\"supportedVersions\":[],\"capabilities\":"
      "{},\"ttlMs\":-1,\"cacheScope\":\"public\"}",
      "range" },
    { SQ_MCP_2026_07_28, "DiscoverResult",
      "{\"resultType\":\"complete\",\"supportedVersions\":[1],"
      "\"capabilities\":{},\"ttlMs\":0,\"cacheScope\":\"public\"}",
      "supportedVersions[0]" },
    { SQ_MCP_2026_07_28, "DiscoverResult",
      "{\"resultType\":\"complete\",\"supportedVersions\":[],\"capabilities\":"
      "{},\"ttlMs\":0,\"cacheScope\":\"all\"}",
      "choices" },
    { SQ_MCP_2026_07_28, "UnsupportedProtocolVersionError",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32022,\"message\":"
      "\"\",\"data\":{\"supported\":[],\"requested\":\"\"}}}",
      NULL },
    { SQ_MCP_2026_07_28, "UnsupportedProtocolVersionError",
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32021,\"message\":"
      "\"\",\"data\":{\"supported\":[],\"requested\":\"\"}}}",
      "constant" },
    { SQ_MCP_2025_11_25, "RequestId", "1.5", "type" },
    { SQ_MCP_2025_11_25, "RequestId", "\"1\"", NULL },
    { SQ_MCP_2025_11_25, "NoSuchThing", "1", "not defined" },
};

static void
check_row(const struct row *row, const struct t_schema *schema) {
    const struct sq_json *value = NULL;
    T_ARENA(arena, (size_t)1 << 20);
    T_OK(sq_json_parse(sq_span_of(row->json), &arena, &value, &t_err));
    const char *verdict = t_schema_check(schema, row->definition, value);
    if (!row->wrong) {
        T_STR(verdict, NULL);
    } else if (!T(verdict && strstr(verdict, row->wrong))) {
        printf("# %s: %s\n", row->json, verdict ? verdict : "fine");
    }
}

/* False if there was nothing to compare with. */
static bool
check_rows(struct t_schema *(*load)(enum sq_mcp_revision),
           enum sq_mcp_revision revision) {
    struct t_schema *schema = load(revision);
    for (size_t i = 0; schema && i < SQ_COUNT(rows); i++) {
        if (rows[i].revision == revision) {
            check_row(&rows[i], schema);
        }
    }
    bool is_here = schema != NULL;
    t_schema_free(schema);
    return is_here;
}

T_CASE(our_rules_detect_errors) {
    for (int i = 0; i < SQ_MCP_REVISIONS; i++) {
        T(check_rows(t_rules_load, (enum sq_mcp_revision)i));
    }
}

T_CASE(official_schemas_detect_errors) {
    int count = 0;
    for (int i = 0; i < SQ_MCP_REVISIONS; i++) {
        if (check_rows(t_official_load, (enum sq_mcp_revision)i)) {
            count++;
        } else {
            printf("# no official schema of %s is here\n",
                   sq_mcp_revision_name((enum sq_mcp_revision)i));
        }
    }
    if (count == 0) {
        t_skip("the official schemas are not here: npm could not be reached, "
               "or scripts/mcp-schemas was not run");
    }
}

T_CASE(message_is_one_line_and_limited) {
    struct sq_json_writer w;
    struct sq_mcp_message *message = sq_mcp_message_begin(&w, 100, &t_err);
    sq_json_put_key(&w, "x");
    sq_json_put_string(&w, SQ_SPAN("a\nb"));
    T_OK(sq_mcp_message_end(message, &w, &t_err));
    static const char want[] = "{\"jsonrpc\":\"2.0\",\"x\":\"a\\nb\"}\n";
    T_BYTES(message->bytes.data, message->bytes.len, want, sizeof(want) - 1);
    sq_mcp_message_destroy(message);
    sq_mcp_message_destroy(NULL);
    /* Every limit below its length is too low. */
    for (size_t max = 0; max < sizeof(want); max++) {
        message = sq_mcp_message_begin(&w, max, &t_err);
        sq_json_put_key(&w, "x");
        sq_json_put_string(&w, SQ_SPAN("a\nb"));
        bool fits = sq_mcp_message_end(message, &w, &t_err);
        T_INT(fits, max == sizeof(want) - 1);
        if (fits) {
            sq_mcp_message_destroy(message);
        }
    }
    T_INT(t_err.code, SQ_ERR_LIMIT);
}
