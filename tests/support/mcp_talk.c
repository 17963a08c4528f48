#include "support/mcp_talk.h"

#include "json/reader.h"
#include "support/mcp_host.h"
#include "support/mcp_rules.h"
#include "util/limits.h"

#define HOLE "<any>"

struct t_talk talk;

const char *
t_quoted(const char *text) {
    char *quoted = strdup(text);
    for (char *at = quoted; *at; at++) {
        *at = *at == '\'' ? '"' : *at;
    }
    const char *kept = t_text("%s", quoted);
    free(quoted);
    return kept;
}

static bool
matches(const char *pattern, struct sq_span text) {
    const char *hole = strstr(pattern, HOLE);
    size_t head = hole ? (size_t)(hole - pattern) : strlen(pattern);
    if (text.len < head || memcmp(text.ptr, pattern, head) != 0) {
        return false;
    }
    text.ptr += head;
    text.len -= head;
    if (!hole) {
        return text.len == 0;
    }
    pattern = hole + strlen(HOLE);
    for (;;) {
        if (matches(pattern, text)) {
            return true;
        }
        if (text.len == 0) {
            return false;
        }
        text.ptr++;
        text.len--;
    }
}

bool
t_matches(const char *pattern, struct sq_span text) {
    return matches(t_quoted(pattern), text);
}

static void
keep(void *context, struct sq_mcp_message *message) {
    struct sq_mcp_message **link = &talk.first;
    (void)context;
    if (!message) {
        talk.lost++;
        return;
    }
    while (*link) {
        link = &(*link)->next;
    }
    message->next = NULL;
    *link = message;
}

static size_t
room(void *context) {
    (void)context;
    return talk.capacity;
}

void
t_talk_begin(const struct sq_mcp_host *host) {
    const struct sq_mcp_options options = { .in_line = true };
    t_talk_end();
    talk = (struct t_talk){ .sink = { .send = keep, .capacity = room },
                            .capacity = SQ_MCP_MAX_LINE_OUT };
    T_OK(sq_mcp_server_create(host, &options, &talk.server, &t_err)
         && sq_mcp_connection_create(talk.server, &talk.sink, NULL,
                                     &talk.connection, &t_err));
}

void
t_talk_end(void) {
    struct sq_mcp_message *message;
    if (!talk.server) {
        return;
    }
    sq_mcp_connection_destroy(talk.connection);
    sq_mcp_server_destroy(talk.server);
    while ((message = t_talk_next())) {
        message->bytes.data[message->bytes.len - 1] = '\0';
        T_STR((const char *)message->bytes.data, "nothing");
        sq_mcp_message_destroy(message);
    }
    T_INT(talk.lost, 0);
    t_schema_free(talk.schema);
    t_schema_free(talk.official);
    talk = (struct t_talk){ 0 };
}

void
t_talk_set_revision(enum sq_mcp_revision revision) {
    t_schema_free(talk.schema);
    t_schema_free(talk.official);
    talk.schema = t_rules_load(revision);
    talk.official = t_official_load(revision);
}

void
t_talk_handshake(enum sq_mcp_revision revision) {
    t_talk_set_revision(revision);
    T_ANSWER("initialize",
             t_text("{'protocolVersion':'%s','capabilities':{},'clientInfo':"
                    "{'name':'tester','version':'0'}}",
                    sq_mcp_revision_name(revision)),
             "{'jsonrpc':'2.0','id':1,'result':<any>}");
    t_talk_send("{'jsonrpc':'2.0','method':'notifications/initialized'}");
    T_SILENT();
}

void
t_talk_open(enum sq_mcp_revision revision) {
    t_talk_begin(&t_mcp_host);
    t_talk_handshake(revision);
}

/* Note the method, which determines the schema of the result. */
static void
remember(struct sq_span text) {
    const struct sq_json *message = NULL;
    struct sq_span method = { 0 };
    T_ARENA(arena, (size_t)256 << 20);
    sq_json_parse(text, &arena, &message, &t_err);
    if (sq_json_get(message, "id")) {
        sq_json_string(sq_json_get(message, "method"), &method);
    }
    snprintf(talk.method, sizeof(talk.method), "%.*s",
             (int)(method.len < 60 ? method.len : 60),
             method.ptr ? method.ptr : "");
}

void
t_talk_send(const char *text) {
    struct sq_span sent = sq_span_of(t_quoted(text));
    remember(sent);
    sq_mcp_connection_receive(talk.connection, &talk.sink, sent);
}

void
t_talk_request(const char *method, const char *params) {
    t_talk_send(t_text("{'jsonrpc':'2.0','id':1,'method':'%s'%s%s}", method,
                       params ? ",'params':" : "", params ? params : ""));
}

void
t_talk_request_modern(const char *method, const char *members) {
    t_talk_request(
        method,
        t_text("{'_meta':{'io.modelcontextprotocol/protocolVersion':"
               "'2026-07-28','io.modelcontextprotocol/clientCapabilities':{},"
               "'io.modelcontextprotocol/clientInfo':{'name':'tester',"
               "'version':'0'}}%s%s}",
               members ? "," : "", members ? members : ""));
}

struct sq_mcp_message *
t_talk_next(void) {
    struct sq_mcp_message *message = talk.first;
    if (message) {
        talk.first = message->next;
    }
    return message;
}

/* The first of two names that the schema defines. */
static const char *
either(const struct t_schema *schema, const char *one, const char *other) {
    return t_schema_defines(schema, one) ? one : other;
}

static const char *
result_definition(const char *method) {
    static const char *const rows[][2] = {
        { "initialize", "InitializeResult" },
        { "server/discover", "DiscoverResult" },
        { "tools/list", "ListToolsResult" },
        { "tools/call", "CallToolResult" },
        { "resources/list", "ListResourcesResult" },
        { "resources/templates/list", "ListResourceTemplatesResult" },
        { "resources/read", "ReadResourceResult" },
        { "subscriptions/listen", "SubscriptionsListenResult" },
        { "prompts/list", "ListPromptsResult" },
        { "prompts/get", "GetPromptResult" },
        { "completion/complete", "CompleteResult" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(method, rows[i][0]) == 0) {
            return rows[i][1];
        }
    }
    return "EmptyResult";
}

/* The schema of the revision with batches has no errors without an id. */
static bool
has_errors_without_id(const struct sq_json *messages) {
    const struct sq_json *item = sq_json_first(messages);
    while (item && sq_json_get(item, "id")) {
        item = sq_json_next(item);
    }
    return item != NULL;
}

static const char *
check_message(const struct t_schema *schema, const struct sq_json *message) {
    const struct sq_json *result = sq_json_get(message, "result");
    if (sq_json_is(message, SQ_JSON_ARRAY)) {
        return has_errors_without_id(message)
                 ? NULL
                 : t_schema_check(schema, "JSONRPCBatchResponse", message);
    }
    if (sq_json_get(message, "method")) {
        return t_schema_check(schema, "ServerNotification", message);
    }
    if (!result) {
        /* Schemas before 2025-11-25 have no errors without an id. */
        bool may_lack_id = t_schema_defines(schema, "JSONRPCErrorResponse");
        return !sq_json_get(message, "id") && !may_lack_id
                 ? NULL
                 : t_schema_check(
                     schema,
                     either(schema, "JSONRPCErrorResponse", "JSONRPCError"),
                     message);
    }
    const char *wrong = t_schema_check(
        schema, either(schema, "JSONRPCResultResponse", "JSONRPCResponse"),
        message);
    return wrong
             ? wrong
             : t_schema_check(schema, result_definition(talk.method), result);
}

static void
check_against_schemas(struct sq_span text) {
    const struct sq_json *message = NULL;
    T_ARENA(arena, (size_t)256 << 20);
    if (T_OK(sq_json_parse(text, &arena, &message, &t_err))) {
        T_STR(talk.schema ? check_message(talk.schema, message) : NULL, NULL);
        T_STR(talk.official ? check_message(talk.official, message) : NULL,
              NULL);
    }
}

bool
t_talk_expect_message(const char *pattern, const char *file, int line) {
    struct sq_mcp_message *message = t_talk_next();
    if (!message) {
        return t_check_str("silence", pattern, "the next message", file, line);
    }
    /* Without its newline. */
    struct sq_span text = { (const char *)message->bytes.data,
                            message->bytes.len - 1 };
    T(message->bytes.data[text.len] == '\n');
    bool ok = t_matches(pattern, text);
    if (text.len <= SQ_MAX_JSON_BYTES) {
        check_against_schemas(text);
    }
    if (!ok) {
        message->bytes.data[text.len] = '\0';
        t_check_str((const char *)message->bytes.data, pattern,
                    "the next message", file, line);
    }
    sq_mcp_message_destroy(message);
    return ok;
}
