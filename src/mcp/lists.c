/* The methods that list tools, resources, templates and prompts. */
#include "mcp/methods.h"

/* The lists never change while the program runs. */
#define HOUR_MS 3600000

static void
put_title(struct sq_json_writer *w, const struct sq_mcp_request *request,
          const char *title) {
    if (request->revision >= SQ_MCP_2025_06_18) {
        sq_mcp_put_text(w, "title", title);
    }
}

static void
put_hint(struct sq_json_writer *w, const char *name, bool holds) {
    sq_json_put_bool(sq_json_at(w, name), holds);
}

static void
put_hints(struct sq_json_writer *w, const struct sq_mcp_tool *tool,
          enum sq_mcp_revision revision) {
    bool acts = !(tool->hints & SQ_MCP_READ_ONLY);
    sq_json_begin_object_of(w, "annotations");
    if (revision < SQ_MCP_2025_06_18) {
        sq_mcp_put_text(w, "title", tool->title);
    }
    put_hint(w, "readOnlyHint", !acts);
    if (acts) {
        put_hint(w, "destructiveHint", tool->hints & SQ_MCP_DESTRUCTIVE);
    }
    if (acts && tool->hints & SQ_MCP_IDEMPOTENT) {
        put_hint(w, "idempotentHint", true); /* defaults to false */
    }
    put_hint(w, "openWorldHint", tool->hints & SQ_MCP_OPEN_WORLD);
    sq_json_end_object(w);
}

/* Writes which page shows the results of the tool. */
static void
put_page(struct sq_json_writer *w, const char *page) {
    sq_json_begin_object_of(w, "_meta");
    sq_json_begin_object_of(w, "ui");
    sq_mcp_put_text(w, "resourceUri", page);
    sq_json_end_object(w);
    sq_json_end_object(w);
}

static bool
shows_pages(const struct sq_mcp_request *request) {
    return sq_mcp_request_capabilities(request) & SQ_MCP_UI;
}

static void
put_tool(struct sq_json_writer *w, const struct sq_mcp_request *request,
         const struct sq_mcp_tool *tool) {
    sq_json_begin_object(w);
    sq_mcp_put_text(w, "name", tool->name);
    put_title(w, request, tool->title);
    sq_mcp_put_text(w, "description", tool->description);
    sq_json_put_raw(sq_json_at(w, "inputSchema"),
                    request->connection->user.is_stateless
                            && tool->stateless_schema.len
                        ? tool->stateless_schema
                        : tool->input_schema);
    if (tool->output_schema.len && request->revision >= SQ_MCP_2025_06_18) {
        sq_json_put_raw(sq_json_at(w, "outputSchema"), tool->output_schema);
    }
    if (request->revision >= SQ_MCP_2025_03_26) {
        put_hints(w, tool, request->revision);
    }
    if (tool->may_be_task && request->revision == SQ_MCP_2025_11_25
        && sq_mcp_request_capabilities(request) & SQ_MCP_OLD_TASKS) {
        sq_json_put_raw(sq_json_at(w, "execution"),
                        SQ_SPAN("{\"taskSupport\":\"optional\"}"));
    }
    if (tool->page && shows_pages(request)) {
        put_page(w, tool->page);
    }
    sq_json_end_object(w);
}

void
sq_mcp_put_tools(struct sq_json_writer *w, const struct sq_mcp_request *request,
                 const void *context) {
    (void)context;
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    sq_json_begin_array_of(w, "tools");
    for (size_t i = 0; i < host->tool_count; i++) {
        if (!host->tools[i].is_hidden) {
            put_tool(w, request, &host->tools[i]);
        }
    }
    sq_json_end_array(w);
    sq_mcp_put_cache(w, request, HOUR_MS,
                     shows_pages(request) ? "private" : "public");
}

static void
put_resources(struct sq_json_writer *w, const struct sq_mcp_request *request,
              bool is_templates) {
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    const struct sq_mcp_resource *at =
        is_templates ? host->templates : host->resources;
    size_t count = is_templates ? host->template_count : host->resource_count;
    sq_json_begin_array_of(w, is_templates ? "resourceTemplates" : "resources");
    for (; count > 0; count--, at++) {
        sq_json_begin_object(w);
        sq_mcp_put_text(w, is_templates ? "uriTemplate" : "uri", at->uri);
        sq_mcp_put_text(w, "name", at->name);
        put_title(w, request, at->title);
        sq_mcp_put_text(w, "description", at->description);
        sq_mcp_put_text(w, "mimeType", at->mime_type);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    sq_mcp_put_cache(w, request, HOUR_MS, "public");
}

void
sq_mcp_put_resources(struct sq_json_writer *w,
                     const struct sq_mcp_request *request,
                     const void *context) {
    (void)context;
    put_resources(w, request, false);
}

void
sq_mcp_put_templates(struct sq_json_writer *w,
                     const struct sq_mcp_request *request,
                     const void *context) {
    (void)context;
    put_resources(w, request, true);
}

static void
put_prompt(struct sq_json_writer *w, const struct sq_mcp_request *request,
           const struct sq_mcp_prompt *prompt) {
    sq_json_begin_object(w);
    sq_mcp_put_text(w, "name", prompt->name);
    put_title(w, request, prompt->title);
    sq_mcp_put_text(w, "description", prompt->description);
    sq_json_begin_array_of(w, "arguments");
    for (size_t i = 0; i < prompt->argument_count; i++) {
        sq_json_begin_object(w);
        sq_mcp_put_text(w, "name", prompt->arguments[i].name);
        sq_mcp_put_text(w, "description", prompt->arguments[i].description);
        put_hint(w, "required", prompt->arguments[i].required);
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
    sq_json_end_object(w);
}

void
sq_mcp_put_prompts(struct sq_json_writer *w,
                   const struct sq_mcp_request *request, const void *context) {
    (void)context;
    const struct sq_mcp_host *host = sq_mcp_request_host(request);
    sq_json_begin_array_of(w, "prompts");
    for (size_t i = 0; i < host->prompt_count; i++) {
        put_prompt(w, request, &host->prompts[i]);
    }
    sq_json_end_array(w);
    sq_mcp_put_cache(w, request, HOUR_MS, "public");
}

/* We never return a cursor, so any cursor from a client is invalid. */
void
sq_mcp_run_list(struct sq_mcp_request *request) {
    const struct sq_json *cursor = sq_json_get(request->params, "cursor");
    if (cursor && !sq_json_is(cursor, SQ_JSON_NULL)) {
        sq_mcp_refuse(request, SQ_MCP_INVALID_PARAMS,
                      "params.cursor is unknown: lists are not split into "
                      "pages");
        return;
    }
    sq_mcp_reply_result(request, request->method->list, NULL);
}
