/* Handshake, discovery, ping and log level. */
#include "mcp/methods.h"

#define HOUR_MS 3600000

static const char *const level_names[SQ_MCP_LOG_LEVELS] = {
    [SQ_MCP_LOG_DEBUG] = "debug",   [SQ_MCP_LOG_INFO] = "info",
    [SQ_MCP_LOG_NOTICE] = "notice", [SQ_MCP_LOG_WARNING] = "warning",
    [SQ_MCP_LOG_ERROR] = "error",   [SQ_MCP_LOG_CRITICAL] = "critical",
    [SQ_MCP_LOG_ALERT] = "alert",   [SQ_MCP_LOG_EMERGENCY] = "emergency",
};

bool
sq_mcp_log_level_find(struct sq_span name, enum sq_mcp_log_level *out) {
    for (int i = 0; i < SQ_MCP_LOG_LEVELS; i++) {
        if (sq_span_is(name, level_names[i])) {
            *out = (enum sq_mcp_log_level)i;
            return true;
        }
    }
    return false;
}

const char *
sq_mcp_log_level_name(enum sq_mcp_log_level level) {
    return level_names[level];
}

void
sq_mcp_put_modern_versions(struct sq_json_writer *w, const char *key) {
    sq_json_begin_array_of(w, key);
    for (int i = SQ_MCP_FIRST_MODERN; i < SQ_MCP_REVISIONS; i++) {
        const char *name = sq_mcp_revision_name((enum sq_mcp_revision)i);
        sq_json_put_string(w, sq_span_of(name));
    }
    sq_json_end_array(w);
}

static void
put_capabilities(struct sq_json_writer *w,
                 const struct sq_mcp_request *request) {
    static const struct {
        const char *name;
        enum sq_mcp_feature feature;
        enum sq_mcp_revision first;
        enum sq_mcp_revision last;
        unsigned list; /* enum sq_mcp_list */
    } capabilities[] = {
        /* Modern clients read the log from standard error. */
        { "logging", SQ_MCP_LOG, SQ_MCP_2024_11_05, SQ_MCP_LAST_LEGACY, 0 },
        { "tools", SQ_MCP_TOOLS, SQ_MCP_2024_11_05, SQ_MCP_REVISIONS,
          SQ_MCP_TOOL_LIST },
        { "resources", SQ_MCP_RESOURCES, SQ_MCP_2024_11_05, SQ_MCP_REVISIONS,
          SQ_MCP_RESOURCE_LIST },
        { "prompts", SQ_MCP_PROMPTS, SQ_MCP_2024_11_05, SQ_MCP_REVISIONS,
          SQ_MCP_PROMPT_LIST },
        { "completions", SQ_MCP_COMPLETIONS, SQ_MCP_2025_03_26,
          SQ_MCP_REVISIONS, 0 },
    };
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    sq_json_begin_object_of(w, "capabilities");
    for (size_t i = 0; i < SQ_COUNT(capabilities); i++) {
        if (sq_mcp_host_has(host, capabilities[i].feature)
            && request->revision >= capabilities[i].first
            && request->revision <= capabilities[i].last) {
            sq_json_begin_object_of(w, capabilities[i].name);
            if (capabilities[i].feature == SQ_MCP_RESOURCES) {
                sq_json_put_bool(sq_json_at(w, "subscribe"), true);
            }
            if (host->changing_lists & capabilities[i].list) {
                sq_json_put_bool(sq_json_at(w, "listChanged"), true);
            }
            sq_json_end_object(w);
        }
    }
    if (host->has_tasks && sq_mcp_is_modern(request->revision)) {
        sq_mcp_put_tasks_extension(w);
    }
    if (host->has_tasks && request->revision == SQ_MCP_2025_11_25) {
        sq_json_put_raw(sq_json_at(w, "tasks"),
                        SQ_SPAN("{\"list\":{},\"cancel\":{},\"requests\":{"
                                "\"tools\":{\"call\":{}}}}"));
    }
    sq_json_end_object(w);
}

static void
put_initialize(struct sq_json_writer *w, const struct sq_mcp_request *request,
               const void *context) {
    (void)context;
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    sq_mcp_put_text(w, "protocolVersion",
                    sq_mcp_revision_name(request->revision));
    put_capabilities(w, request);
    sq_json_begin_object_of(w, "serverInfo");
    sq_mcp_put_text(w, "name", host->name);
    if (request->revision >= SQ_MCP_2025_06_18) {
        sq_mcp_put_text(w, "title", host->title);
    }
    sq_mcp_put_text(w, "version", host->version);
    sq_json_end_object(w);
    sq_mcp_put_text(w, "instructions", host->instructions);
}

void
sq_mcp_run_initialize(struct sq_mcp_request *request) {
    struct sq_mcp_connection *connection = request->connection;
    struct sq_span wanted;
    if (connection->has_session) {
        sq_mcp_refuse(request, SQ_MCP_INVALID_REQUEST,
                      "initialize was already answered on this connection");
        return;
    }
    if (!sq_json_string(sq_json_get(request->params, "protocolVersion"),
                        &wanted)) {
        sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                      "params.protocolVersion must be a string");
        return;
    }
    enum sq_mcp_revision revision = SQ_MCP_LAST_LEGACY;
    sq_mcp_revision_find(wanted, &revision);
    if (sq_mcp_is_modern(revision)) {
        revision = SQ_MCP_LAST_LEGACY;
    }
    request->revision = revision;
    struct sq_err err = { 0 };
    if (!sq_mcp_try_result(request, put_initialize, NULL, &err)) {
        sq_mcp_refuse(request, SQ_MCP_INTERNAL_ERROR, err.message);
        return;
    }
    sq_lock_lock(connection->lock);
    connection->is_ready = true;
    sq_lock_unlock(connection->lock);
    connection->has_session = true;
    connection->revision = revision;
    connection->capabilities =
        sq_mcp_read_capabilities(sq_json_get(request->params, "capabilities"));
    const struct sq_json *info = sq_json_get(request->params, "clientInfo");
    struct sq_span name = sq_json_text_of(info, "name");
    if (name.len < sizeof(connection->client)) {
        memcpy(connection->client, name.ptr ? name.ptr : "", name.len);
        connection->client[name.len] = '\0';
    }
}

static void
put_discover(struct sq_json_writer *w, const struct sq_mcp_request *request,
             const void *context) {
    (void)context;
    sq_mcp_put_modern_versions(w, "supportedVersions");
    put_capabilities(w, request);
    sq_mcp_put_text(w, "instructions",
                    sq_mcp_request_host(request)->instructions);
    sq_mcp_put_cache(w, request, HOUR_MS, "public");
}

void
sq_mcp_run_discover(struct sq_mcp_request *request) {
    sq_mcp_reply_result(request, put_discover, NULL);
}

void
sq_mcp_run_ping(struct sq_mcp_request *request) {
    sq_mcp_reply_result(request, sq_mcp_put_nothing, NULL);
}

void
sq_mcp_run_set_level(struct sq_mcp_request *request) {
    struct sq_span name = { 0 };
    enum sq_mcp_log_level level;
    if (!sq_json_string(sq_json_get(request->params, "level"), &name)
        || !sq_mcp_log_level_find(name, &level)) {
        sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                      "params.level must be one of debug, info, notice, "
                      "warning, error, critical, alert, emergency");
        return;
    }
    atomic_store(&request->connection->log_level, (int)level);
    sq_mcp_reply_result(request, sq_mcp_put_nothing, NULL);
}
