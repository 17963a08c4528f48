#include "support/mcp_host.h"

#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "json/writer.h"
#include "mcp/server.h"

#define LONG_MS 60000
#define MAX_TEXT ((size_t)16 << 20)

static _Atomic(struct sq_mcp_server *) server;

static char tickets[1 << 16];
static atomic_int tickets_given;
static atomic_int tickets_back;

static bool
admit(void *context, const struct sq_mcp_call_target *target,
      struct sq_mcp_admission *out, struct sq_err *err) {
    (void)context;
    const char *tool = target->tool ? target->tool->name : "";
    if (strcmp(tool, "shut") == 0) {
        sq_fail(err, SQ_ERR_LIMIT, "no more today");
        return sq_fail_hint(err, "Come back tomorrow.");
    }
    out->is_quick = strcmp(tool, "quick") == 0;
    if (out->is_quick) {
        return true;
    }
    int number = atomic_fetch_add(&tickets_given, 1) + 1;
    out->ticket = &tickets[number % (int)sizeof(tickets)];
    out->needs_device = strcmp(tool, "hang") == 0 || target->query
                     || sq_span_is(target->uri, "fake://health");
    return true;
}

static void
release_ticket(void *context, void *ticket) {
    (void)context;
    (void)ticket;
    atomic_fetch_add(&tickets_back, 1);
}

int
t_mcp_tickets(void) {
    return atomic_load(&tickets_given) - atomic_load(&tickets_back);
}

static void
attach(void *context, struct sq_mcp_server *now) {
    (void)context;
    atomic_store(&server, now);
}

static atomic_int watches;

static void
watched(void *context, const char *uri) {
    (void)context;
    if (strcmp(uri, "fake://health") == 0) {
        atomic_fetch_add(&watches, 1);
    }
}

int
t_mcp_watches(void) {
    return atomic_load(&watches);
}

bool
t_mcp_is_watched(void) {
    return sq_mcp_server_is_watched(atomic_load(&server), "fake://health");
}

static bool
add_text(struct sq_mcp_tool_result *out, struct sq_span text,
         struct sq_err *err) {
    struct sq_block *block;
    return sq_result_add(&out->content, SQ_BLOCK_TEXT, MAX_TEXT, &block, err)
        && sq_buf_append(&block->data, text.ptr, text.len, err);
}

static bool
run_echo(const struct sq_json *arguments, struct sq_mcp_call *call,
         struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)call;
    struct sq_block *block;
    struct sq_json_writer w;
    if (!sq_result_add(&out->content, SQ_BLOCK_TEXT, MAX_TEXT, &block, err)) {
        return false;
    }
    sq_json_writer_init(&w, &block->data);
    sq_json_put_value(&w, arguments);
    return sq_json_writer_done(&w, err);
}

static bool
run_picture(const struct sq_json *arguments, struct sq_mcp_call *call,
            struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    struct sq_block *image;
    struct sq_block *link;
    bool ok = sq_result_add(&out->content, SQ_BLOCK_IMAGE, 16, &image, err)
           && sq_buf_append(&image->data, "\x89PNG\0\xff", 6, err)
           && add_text(out, SQ_SPAN("{\"width\":1}"), err)
           && sq_result_add(&out->content, SQ_BLOCK_LINK, 0, &link, err);
    if (ok) {
        image = &out->content.blocks[0]; /* adding others may move it */
        image->mime_type = "image/png";
        image->priority = 0.9;
        link->mime_type = "image/png";
        link->audience = SQ_FOR_USER;
        link->priority = 0.3;
        link->size = 6;
        memcpy(link->uri, "fake://picture/1", 17);
        memcpy(link->name, "Picture 1", 10);
    }
    return ok;
}

static bool
run_data(const struct sq_json *arguments, struct sq_mcp_call *call,
         struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    out->is_structured = true;
    return add_text(out, SQ_SPAN("{\"count\":3}"), err);
}

static bool
run_fail(const struct sq_json *arguments, struct sq_mcp_call *call,
         struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    sq_buf_init(&out->content.details, 100);
    if (!sq_buf_append(&out->content.details, "{\"tried\":[\"a\"]}", 15, err)) {
        return false;
    }
    sq_fail(err, SQ_ERR_NO_DEVICES, "no device\nat all");
    return sq_fail_hint(err, "Plug one in.");
}

static bool
run_hang(const struct sq_json *arguments, struct sq_mcp_call *call,
         struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)arguments;
    bool ok = sq_wait_ms(LONG_MS, &call->deadline, err)
           && add_text(out, SQ_SPAN("awake"), err);
    sq_mcp_call_progress(call, 1, 1, "late");
    return ok;
}

static bool
run_slow(const struct sq_json *arguments, struct sq_mcp_call *call,
         struct sq_mcp_tool_result *out, struct sq_err *err) {
    int64_t ms = 0;
    sq_json_int(sq_json_get(arguments, "ms"), &ms);
    if (ms < 0 || ms > LONG_MS) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "ms is out of range");
    }
    return sq_wait_ms((int)ms, &call->deadline, err)
        && add_text(out, SQ_SPAN("done"), err);
}

static bool
run_steps(const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)arguments;
    sq_mcp_call_log(call, SQ_MCP_LOG_INFO, "begun");
    sq_mcp_call_progress(call, 1, 3, "one");
    sq_mcp_call_progress(call, 1, 3, "one again");
    sq_mcp_call_progress(call, 3, 3, NULL);
    sq_mcp_call_progress(call, 3, 3, "no further");
    return add_text(out, SQ_SPAN("done"), err);
}

static bool
run_huge(const struct sq_json *arguments, struct sq_mcp_call *call,
         struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    size_t count = (size_t)12 << 20;
    struct sq_block *block;
    uint8_t *room;
    bool ok = sq_result_add(&out->content, SQ_BLOCK_TEXT, MAX_TEXT, &block, err)
           && sq_buf_reserve(&block->data, count, &room, err);
    if (ok) {
        memset(room, 'x', count);
        sq_buf_commit(&block->data, count);
    }
    return ok;
}

static atomic_int stubborn_begun;
static atomic_bool stubborn_may_end;

void
t_mcp_await_stubborn(void) {
    for (int i = 0; i < LONG_MS && !atomic_load(&stubborn_begun); i++) {
        usleep(1000);
    }
}

void
t_mcp_hold_stubborn(void) {
    atomic_store(&stubborn_begun, 0);
    atomic_store(&stubborn_may_end, false);
}

void
t_mcp_end_stubborn(void) {
    atomic_store(&stubborn_may_end, true);
}

static bool
run_stubborn(const struct sq_json *arguments, struct sq_mcp_call *call,
             struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    atomic_fetch_add(&stubborn_begun, 1);
    for (int i = 0; i < LONG_MS && !atomic_load(&stubborn_may_end); i++) {
        usleep(1000);
    }
    return add_text(out, SQ_SPAN("at last"), err);
}

static bool
run_touch(const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)arguments;
    (void)call;
    sq_mcp_server_resource_updated(atomic_load(&server), "fake://health");
    return add_text(out, SQ_SPAN("touched"), err);
}

static bool
run_who(const struct sq_json *arguments, struct sq_mcp_call *call,
        struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)arguments;
    return add_text(out, call->client, err);
}

/* Returns its ticket: the number of the call in the order of arrival. */
static bool
run_ticket(const struct sq_json *arguments, struct sq_mcp_call *call,
           struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)arguments;
    struct sq_block *block;
    return sq_result_add(&out->content, SQ_BLOCK_TEXT, MAX_TEXT, &block, err)
        && sq_buf_printf(&block->data, err, "ticket %td",
                         (char *)call->ticket - tickets);
}

#define ANY_OBJECT SQ_SPAN_INIT("{\"type\":\"object\"}")
#define COUNT_SCHEMA                                                           \
    SQ_SPAN_INIT("{\"type\":\"object\",\"properties\":{\"count\":{\"type\":"   \
                 "\"integer\"}},\"required\":[\"count\"]}")

#define TOOL(tool_name, tool_title, text, output, effects)                     \
    {                                                                          \
        .name = tool_name, .title = tool_title, .description = text,           \
        .input_schema = ANY_OBJECT, .output_schema = output, .hints = effects  \
    }
#define NO_SCHEMA                                                              \
    { 0 }

static const struct sq_mcp_tool tools[] = {
    TOOL("echo", "Echo", "Say it again", NO_SCHEMA, SQ_MCP_READ_ONLY),
    TOOL("picture", "Picture", "Look", NO_SCHEMA, SQ_MCP_READ_ONLY),
    TOOL("data", "Data", "Count", COUNT_SCHEMA, SQ_MCP_READ_ONLY),
    TOOL("fail", NULL, NULL, NO_SCHEMA, SQ_MCP_DESTRUCTIVE),
    TOOL("hang", NULL, NULL, NO_SCHEMA, SQ_MCP_IDEMPOTENT),
    TOOL("slow", NULL, NULL, NO_SCHEMA, SQ_MCP_OPEN_WORLD),
    TOOL("steps", NULL, NULL, NO_SCHEMA, 0),
    TOOL("huge", NULL, NULL, NO_SCHEMA, 0),
    TOOL("stubborn", NULL, NULL, NO_SCHEMA, 0),
    TOOL("touch", NULL, NULL, NO_SCHEMA, 0),
    TOOL("who", NULL, NULL, NO_SCHEMA, 0),
    TOOL("ticket", NULL, NULL, NO_SCHEMA, 0),
    TOOL("shut", NULL, NULL, NO_SCHEMA, 0),
    TOOL("quick", NULL, NULL, NO_SCHEMA, 0),
};

static bool (*const runs[])(const struct sq_json *, struct sq_mcp_call *,
                            struct sq_mcp_tool_result *, struct sq_err *) = {
    run_echo, run_picture, run_data,   run_fail,     run_hang,
    run_slow, run_steps,   run_huge,   run_stubborn, run_touch,
    run_who,  run_ticket,  run_ticket, run_who,
};

static bool
call_tool(void *context, const struct sq_mcp_tool *tool,
          const struct sq_json *arguments, struct sq_mcp_call *call,
          struct sq_mcp_tool_result *out, struct sq_err *err) {
    (void)context;
    return runs[tool - tools](arguments, call, out, err);
}

static bool
read_resource(void *context, struct sq_span uri, struct sq_mcp_call *call,
              struct sq_mcp_content *out, struct sq_err *err) {
    (void)context;
    (void)call;
    bool is_health = sq_span_is(uri, "fake://health");
    if (sq_span_is(uri, "fake://broken")) {
        return sq_fail(err, SQ_ERR_IO, "the disk is on fire");
    }
    if (!is_health && !sq_span_starts_with(uri, "fake://picture/")) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "Resource not found");
    }
    struct sq_mcp_content content = {
        .mime_type = is_health ? "application/json" : "image/png",
        .is_text = is_health,
        .fresh_ms = is_health ? 0 : 1000,
    };
    sq_buf_init(&content.data, 100);
    bool ok = is_health ? sq_buf_append(&content.data, "{\"ok\":true}", 11, err)
                        : sq_buf_append(&content.data, "\x89PNG", 4, err);
    if (ok) {
        *out = content;
    }
    return ok;
}

static bool
get_prompt(void *context, const struct sq_mcp_prompt *prompt,
           const struct sq_json *arguments, struct sq_mcp_call *call,
           struct sq_mcp_prompt_result *out, struct sq_err *err) {
    (void)context;
    (void)prompt;
    (void)call;
    struct sq_block *question;
    struct sq_block *answer;
    struct sq_span name = { 0 };
    sq_json_string(sq_json_get(arguments, "name"), &name);
    if (sq_span_is(name, "unknown")) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "greet a person");
    }
    out->is_from_assistant[1] = true;
    return sq_result_add(&out->messages, SQ_BLOCK_TEXT, MAX_TEXT, &question,
                         err)
        && sq_buf_printf(&question->data, err, "Greet %.*s", SQ_SPAN_ARGS(name))
        && sq_result_add(&out->messages, SQ_BLOCK_TEXT, MAX_TEXT, &answer, err)
        && sq_buf_append(&answer->data, "Hello!", 6, err);
}

static bool
complete(void *context, const struct sq_mcp_completion_query *query,
         struct sq_mcp_call *call, struct sq_mcp_completion *out,
         struct sq_err *err) {
    (void)context;
    (void)call;
    if (sq_span_is(query->argument, "broken")) {
        return sq_fail(err, SQ_ERR_TIMEOUT, "too slow");
    }
    out->values[0] = query->value;
    out->values[1] = query->name;
    out->count = 2;
    out->total = query->resolved ? 2 : 7;
    return true;
}

static const struct sq_mcp_resource resources[] = {
    { "fake://health", "health", "Health", "How it is", "application/json" },
    { "fake://guide", "guide", NULL, NULL, NULL },
};

static const struct sq_mcp_resource templates[] = {
    { "fake://picture/{ref}", "picture", "Picture", "One", "image/png" },
};

static const struct sq_mcp_prompt_argument greet_arguments[] = {
    { "name", "Whom", true },
    { "tone", NULL, false },
};

static const struct sq_mcp_prompt prompts[] = {
    { "greet", "Greet", "Say hello", greet_arguments, 2 },
    { "plain", NULL, NULL, NULL, 0 },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const struct sq_mcp_host t_mcp_host = {
    .name = "fake",
    .has_log = true,
    .title = "Fake host",
    .version = "1.2.3",
    .instructions = "Be kind.",
    .tools = tools,
    .tool_count = COUNT(tools),
    .resources = resources,
    .resource_count = COUNT(resources),
    .templates = templates,
    .template_count = COUNT(templates),
    .prompts = prompts,
    .prompt_count = COUNT(prompts),
    .call_tool = call_tool,
    .read_resource = read_resource,
    .get_prompt = get_prompt,
    .complete = complete,
    .admit = admit,
    .release_ticket = release_ticket,
    .watched = watched,
    .attach = attach,
};

const struct sq_mcp_host t_mcp_host_bare = { .name = "bare", .version = "1" };
