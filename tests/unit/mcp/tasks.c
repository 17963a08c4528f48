#include "mcp/methods.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "support/mcp_talk.h"
#include "support/scratch.h"
#include "sys/clock.h"

#define LIMIT 64 /* tasks */

/* The last message that was sent, by any thread. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static struct sq_mcp_message *last;

static void
keep(void *context, struct sq_mcp_message *message) {
    pthread_mutex_lock(&mutex);
    T(last == NULL);
    last = message;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&mutex);
}

static size_t
capacity(void *context) {
    return SQ_MCP_MAX_LINE_OUT;
}

static const struct sq_mcp_sink sink = { .send = keep, .capacity = capacity };
static struct sq_mcp_server *server;
static struct sq_mcp_connection *connection;
static struct sq_mcp_connection *other;
static atomic_int ended;

/* Becomes a task, and ends with "done", an error, or when it is cancelled. */
static bool
work(void *context, const struct sq_mcp_tool *tool,
     const struct sq_json *arguments, struct sq_mcp_call *call,
     struct sq_mcp_tool_result *out, struct sq_err *err) {
    struct sq_span how = sq_json_text_of(arguments, "how");
    struct sq_block *block;
    bool ok = sq_mcp_call_become_task(call, err);
    /* Neither is sent: the call has been answered. */
    sq_mcp_call_progress(call, 1, 2, "half");
    sq_mcp_call_log(call, SQ_MCP_LOG_ERROR, "half");
    if (ok && sq_span_is(how, "wait")) {
        ok = sq_wait_ms(T_PATIENCE_MS, &call->deadline, err);
    }
    if (ok && sq_span_is(how, "fail")) {
        ok = sq_fail(err, SQ_ERR_IO, "broken");
    }
    ok = ok && sq_result_add(&out->content, SQ_BLOCK_TEXT, 100, &block, err)
      && sq_buf_append(&block->data, "done", 4, err);
    atomic_fetch_add(&ended, 1);
    return ok;
}

static const struct sq_mcp_tool tools[] = {
    { .name = "work",
      .input_schema = SQ_SPAN_INIT("{\"type\":\"object\"}"),
      .may_be_task = true },
    { .name = "short", .input_schema = SQ_SPAN_INIT("{\"type\":\"object\"}") },
};

static const struct sq_mcp_host host = {
    .name = "test",
    .version = "1",
    .tools = tools,
    .tool_count = 2,
    .call_tool = work,
    .has_tasks = true,
};

static struct sq_mcp_message *
take(void) {
    pthread_mutex_lock(&mutex);
    while (!last) {
        pthread_cond_wait(&arrived, &mutex);
    }
    struct sq_mcp_message *message = last;
    last = NULL;
    pthread_mutex_unlock(&mutex);
    /* A string, so that it can be searched. */
    T(sq_buf_append(&message->bytes, "", 1, NULL));
    message->bytes.len--;
    return message;
}

/* Sends a request and returns the answer. */
static struct sq_mcp_message *
ask_as(struct sq_mcp_connection *client, const char *method,
       const char *params) {
    static int id;
    const char *text =
        t_text("{'jsonrpc':'2.0','id':%d,'method':'%s','params':{%s}}", ++id,
               method, params);
    sq_mcp_connection_receive(client, &sink, sq_span_of(t_quoted(text)));
    return take();
}

static bool
answers(const char *method, const char *params, const char *pattern) {
    struct sq_mcp_message *answer = ask_as(connection, method, params);
    struct sq_span text = sq_buf_span(&answer->bytes);
    bool matches = t_matches(pattern, text);
    if (!T(matches)) {
        printf("# %s: %.*s", method, SQ_SPAN_ARGS(text));
    }
    sq_mcp_message_destroy(answer);
    return matches;
}

#define INITIALIZE                                                             \
    "'protocolVersion':'2025-11-25','capabilities':{'tasks':{}},"              \
    "'clientInfo':{'name':'test','version':'1'}"
#define META(extensions)                                                       \
    "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"         \
    "'io.modelcontextprotocol/clientCapabilities':{" extensions "}}"
#define CAN META("'extensions':{'io.modelcontextprotocol/tasks':{}}")
#define CANNOT META("")

static void
connect_client(struct sq_mcp_connection **out, bool is_legacy) {
    T_OK(sq_mcp_connection_create(server, &sink, NULL, out, &t_err));
    if (is_legacy) {
        sq_mcp_message_destroy(ask_as(*out, "initialize", INITIALIZE));
    }
}

static void
begin(bool is_legacy) {
    static const struct sq_mcp_options options = { .max_threads = 80 };
    atomic_store(&ended, 0);
    T_OK(sq_mcp_server_create(&host, &options, &server, &t_err));
    connect_client(&connection, is_legacy);
}

static void
end(void) {
    sq_mcp_connection_close(connection);
    T(sq_mcp_server_stop(server, T_PATIENCE_MS));
    sq_mcp_connection_destroy(connection);
    sq_mcp_server_destroy(server);
}

#define ID_SIZE 33

/* Starts a task; copies its id. */
static void
start(const char *params, char id[ID_SIZE]) {
    struct sq_mcp_message *answer = ask_as(connection, "tools/call", params);
    const char *found = strstr((const char *)answer->bytes.data, "taskId");
    if (T(found != NULL)) {
        memcpy(id, found + 9, ID_SIZE - 1);
        id[ID_SIZE - 1] = '\0';
    }
    sq_mcp_message_destroy(answer);
}

static const char *
of_task(const char *id, const char *more) {
    static char params[400];
    snprintf(params, sizeof(params), "'taskId':'%s'%s", id, more);
    return params;
}

/* Asks until the task has that state. */
static void
await_status(const char *id, const char *more, const char *status) {
    bool found = false;
    int64_t until = sq_clock_monotonic_ns() / 1000000 + T_PATIENCE_MS;
    while (!found && sq_clock_monotonic_ns() / 1000000 < until) {
        struct sq_mcp_message *answer =
            ask_as(connection, "tasks/get", of_task(id, more));
        found = strstr((const char *)answer->bytes.data,
                       t_text("\"status\":\"%s\"", status))
             != NULL;
        sq_mcp_message_destroy(answer);
    }
    T(found);
}

#define WORK(how) "'name':'work','arguments':{'how':'" how "'}"
#define AS_TASK ",'task':{'ttl':1000}"

T_CASE(modern_call_becomes_a_task) {
    char id[ID_SIZE] = "";
    begin(false);
    answers("tools/call", WORK("end") "," CANNOT,
            "{<any>'resultType':'complete',<any>done<any>");
    start(WORK("end") ",'task':{}," CAN, id);
    await_status(id, "," CAN, "completed");
    answers("tasks/get", of_task(id, "," CAN),
            "{<any>'result':{<any>'text':'done'<any>");
    start(WORK("fail") "," CAN, id);
    await_status(id, "," CAN, "completed");
    start(WORK("wait") "," CAN, id);
    answers("tasks/get", of_task(id, "," CANNOT), "{<any>'code':-32021,<any>");
    answers("tasks/cancel", of_task(id, "," CAN), "{<any>'result':<any>");
    await_status(id, "," CAN, "cancelled");
    answers("tasks/get", of_task("0", "," CAN), "{<any>'code':-32602,<any>");
    answers("tasks/update", of_task(id, "," CAN), "{<any>'code':-32602,<any>");
    answers("tasks/list", CAN, "{<any>'code':-32601,<any>");
    answers("tasks/result", of_task(id, "," CAN), "{<any>'code':-32601,<any>");
    end();
}

T_CASE(legacy_client_asks_for_a_task) {
    char id[ID_SIZE] = "";
    begin(true);
    answers("tools/call", WORK("end"), "{<any>'text':'done'<any>");
    start(WORK("end") AS_TASK, id);
    answers("tasks/result", of_task(id, ""),
            "{<any>'text':'done'<any>related-task':{'taskId':<any>");
    await_status(id, "", "completed");
    answers("tasks/cancel", of_task(id, ""), "{<any>'code':-32602,<any>");
    start(WORK("fail") AS_TASK, id);
    answers("tasks/result", of_task(id, ""), "{<any>'isError':true<any>");
    await_status(id, "", "failed");
    start(WORK("wait") AS_TASK, id);
    answers("tasks/cancel", of_task(id, ""), "{<any>'status':'cancelled'<any>");
    answers("tasks/result", of_task(id, ""), "{<any>'code':-32000,<any>");
    answers("tools/call", "'name':'short'" AS_TASK,
            "{<any>'code':-32601,<any>");
    answers("tools/list", "",
            "{<any>'execution':{'taskSupport':'optional'}<any>");
    end();
}

T_CASE(tasks_belong_to_their_client) {
    char id[ID_SIZE] = "";
    begin(true);
    connect_client(&other, true);
    start(WORK("wait") AS_TASK, id);
    answers("tasks/list", "", "{<any>'tasks':[{'taskId':<any>");
    struct sq_mcp_connection *own = connection;
    connection = other;
    answers("tasks/list", "", "{<any>'tasks':[]<any>");
    answers("tasks/get", of_task(id, ""), "{<any>'code':-32602,<any>");
    answers("tasks/get", of_task(id, "," CAN), "{<any>'code':-32602,<any>");
    T_INT(atomic_load(&ended), 0);
    /* The tasks of a client end with it. */
    sq_mcp_connection_destroy(own);
    while (atomic_load(&ended) == 0) {
        usleep(500);
    }
    end();
}

T_CASE(number_of_tasks_is_limited) {
    char id[ID_SIZE] = "";
    begin(true);
    /* Those that have ended make space. */
    for (int i = 0; i < LIMIT + 3; i++) {
        start(WORK("end") AS_TASK, id);
        await_status(id, "", "completed");
    }
    for (int i = 0; i < LIMIT; i++) {
        start(WORK("wait") AS_TASK, id);
    }
    answers("tools/call", WORK("end") AS_TASK, "{<any>too many tasks<any>");
    answers("tools/call", WORK("end"), "{<any>'text':'done'<any>");
    end();
    T_INT(atomic_load(&ended), 2 * LIMIT + 4);
}
