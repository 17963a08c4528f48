/* Calls in threads: concurrent, cancelled, out of memory. */
#include <pthread.h>
#include <unistd.h>

#include "mcp/request.h"
#include "support/mcp_host.h"
#include "support/mcp_talk.h"
#include "support/scratch.h"
#include "sys/clock.h"

#define LONG_MS T_PATIENCE_MS

/* The sent messages, by any thread. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct sq_mcp_message *heard;
static int lost;

static void
keep(void *context, struct sq_mcp_message *message) {
    pthread_mutex_lock(&mutex);
    struct sq_mcp_message **link = &heard;
    while (*link) {
        link = &(*link)->next;
    }
    *link = message;
    if (message) {
        message->next = NULL;
    }
    lost += !message;
    pthread_mutex_unlock(&mutex);
}

static size_t
room(void *context) {
    return SQ_MCP_MAX_LINE_OUT;
}

static const struct sq_mcp_sink sink = { .send = keep,
                                         .capacity = room,
                                         .context = NULL };
static struct sq_mcp_server *server;
static struct sq_mcp_connection *connection;

static struct sq_mcp_message *
take(void) {
    pthread_mutex_lock(&mutex);
    struct sq_mcp_message *message = heard;
    if (message) {
        heard = message->next;
    }
    pthread_mutex_unlock(&mutex);
    return message;
}

static int64_t
now_ms(void) {
    return sq_clock_monotonic_ns() / 1000000;
}

static void
send_line(const char *text) {
    sq_mcp_connection_receive(connection, &sink, sq_span_of(t_quoted(text)));
}

/* The next message arrives within `within_ms` and matches. */
static bool
expect(const char *pattern, int within_ms) {
    int64_t until = now_ms() + within_ms;
    struct sq_mcp_message *message;
    while (!(message = take()) && now_ms() < until) {
        usleep(500);
    }
    if (!T(message != NULL)) {
        printf("# nothing instead of %s\n", pattern);
        return false;
    }
    bool ok = t_matches(pattern, (struct sq_span){ (char *)message->bytes.data,
                                                   message->bytes.len - 1 });
    if (!T(ok)) {
        printf("# %.*s instead of %s\n", (int)message->bytes.len,
               (char *)message->bytes.data, pattern);
    }
    sq_mcp_message_destroy(message);
    return ok;
}

static void
await_busy(int count, int within_ms) {
    int64_t until = now_ms() + within_ms;
    while (sq_mcp_connection_busy(connection) > count && now_ms() < until) {
        usleep(500);
    }
    T_INT(sq_mcp_connection_busy(connection), count);
}

static void
await_idle(int within_ms) {
    await_busy(0, within_ms);
}

static void
begin(const struct sq_mcp_options *options) {
    t_mcp_hold_stubborn();
    T_OK(sq_mcp_server_create(&t_mcp_host, options, &server, &t_err)
         && sq_mcp_connection_create(server, &sink, NULL, &connection, &t_err));
    send_line("{'jsonrpc':'2.0','id':0,'method':'initialize','params':{"
              "'protocolVersion':'2025-11-25'}}");
    expect("{<any>'id':0,<any>", LONG_MS);
}

/* Running calls are answered as cancelled; there is nothing else. */
static void
end(void) {
    struct sq_mcp_message *message;
    T(!take());
    int busy = sq_mcp_connection_busy(connection);
    sq_mcp_connection_close(connection);
    T(sq_mcp_server_stop(server, LONG_MS));
    sq_mcp_connection_destroy(connection);
    sq_mcp_server_destroy(server);
    for (; (message = take()); busy--) {
        T(t_matches("{<any>'id':<any>CANCELLED<any>'isError':true}}",
                    (struct sq_span){ (char *)message->bytes.data,
                                      message->bytes.len - 1 }));
        sq_mcp_message_destroy(message);
    }
    T_INT(busy, 0);
    T_INT(lost, 0);
    T_INT(t_mcp_tickets(), 0);
}

static void
call(int id, const char *tool) {
    send_line(t_text(
        "{'jsonrpc':'2.0','id':%d,'method':'tools/call','params':{'name':"
        "'%s','_meta':{'progressToken':%d}}}",
        id, tool, id));
}

static void
cancel(int id) {
    send_line(t_text("{'jsonrpc':'2.0','method':'notifications/cancelled',"
                     "'params':{'requestId':%d,'reason':'x'}}",
                     id));
}

T_FIXTURE(NULL, end);

T_CASE(hanging_calls_delay_no_other_call) {
    static const struct sq_mcp_options options = { .max_threads = 4 };
    begin(&options);
    for (int i = 1; i <= 3; i++) {
        call(i, "hang");
    }
    call(4, "data");
    expect("{<any>'id':4,<any>count<any>", LONG_MS);
    send_line("{'jsonrpc':'2.0','id':5,'method':'ping'}");
    expect("{<any>'id':5,'result':{}}", 0);
    T_INT(sq_mcp_connection_busy(connection), 3);
}

#define TOO_MANY(number, words)                                                \
    "{<any>'id':" #number ",'result':{<any>LIMIT_EXCEEDED<any>" words          \
    "<any>suggestion<any>'isError':true}}"

/*
 * A client has the maximum number of calls; one more is refused immediately.
 * Calls that need no device are served as usual.
 */
T_CASE(hundreds_of_hanging_calls_delay_no_other_call) {
    static const struct sq_mcp_options options = { 0 };
    begin(&options);
    for (int i = 1; i <= SQ_MCP_MAX_CALLS; i++) {
        call(i, "hang");
    }
    T_INT(sq_mcp_connection_busy(connection), SQ_MCP_MAX_CALLS);
    call(1001, "hang");
    expect(TOO_MANY(1001, "256 calls that need a device are running"), 0);
    for (int i = 0; i < 2 * SQ_MCP_MAX_CALLS; i++) {
        call(1002, "data");
        expect("{<any>'id':1002,<any>count<any>", LONG_MS);
    }
    send_line("{'jsonrpc':'2.0','id':1003,'method':'prompts/get',"
              "'params':{'name':'plain'}}");
    expect("{<any>'id':1003,'result':<any>", LONG_MS);
    send_line("{'jsonrpc':'2.0','id':1004,'method':'resources/read',"
              "'params':{'uri':'fake://picture/1'}}");
    expect("{<any>'id':1004,'result':<any>", LONG_MS);
    /* For other methods, which have no result with isError. */
    send_line("{'jsonrpc':'2.0','id':1005,'method':'resources/read',"
              "'params':{'uri':'fake://health'}}");
    expect("{<any>'id':1005,'error':{'code':-32000,'message':'256 calls"
           "<any>'data':{'error':'LIMIT_EXCEEDED','suggestion':<any>",
           0);
}

/* The other way round; and a system limit is reported as such. */
T_CASE(device_calls_are_counted_separately) {
    static const struct sq_mcp_options options = {
        .device_calls = { 3, "there is no more wire", "Buy some." },
    };
    begin(&options);
    for (int i = 1; i <= 3; i++) {
        call(i, "hang");
    }
    call(4, "hang");
    expect("{<any>'id':4,<any>LIMIT_EXCEEDED<any>3 calls that need a device"
           " are running: there is no more wire<any>Buy "
           "some.<any>'isError':true}}",
           0);
    for (int i = 0; i < SQ_MCP_MAX_CALLS; i++) {
        call(1000 + i, "stubborn");
    }
    call(5, "data");
    expect(TOO_MANY(5, "256 calls are running"), 0);
    cancel(2);
    await_busy(SQ_MCP_MAX_CALLS + 2, LONG_MS);
    call(6, "hang");
    T_INT(sq_mcp_connection_busy(connection), SQ_MCP_MAX_CALLS + 3);
    t_mcp_end_stubborn();
    for (int i = 0; i < SQ_MCP_MAX_CALLS; i++) {
        expect("{<any>at last<any>", LONG_MS);
    }
}

/* Both the text and the parsed form of a message are counted. */
T_CASE(memory_of_all_messages_is_limited) {
    static char text[2 << 20];
    static const struct sq_mcp_options options = { 0 };
    int taken = 0;
    begin(&options);
    for (int id = 1; id <= 100; id++) {
        int at = snprintf(text, sizeof(text),
                          "{'jsonrpc':'2.0','id':%d,'method':'tools/call',"
                          "'params':{'name':'hang','arguments':{'a':[",
                          id);
        while (at < 200000) {
            at += snprintf(text + at, sizeof(text) - (size_t)at, "1,");
        }
        snprintf(text + at, sizeof(text) - (size_t)at, "1]}}}");
        send_line(text);
        taken = sq_mcp_connection_busy(connection);
        if (taken < id) {
            break;
        }
    }
    /* A value of two bytes takes more than fifty when parsed. */
    T(taken > 5 && taken < 20);
    expect("{<any>LIMIT_EXCEEDED<any>the messages of all running calls<any>",
           0);
}

T_CASE(cancelled_call_is_silent_and_frees_its_thread) {
    static const struct sq_mcp_options options = { .max_threads = 1 };
    begin(&options);
    call(1, "hang");
    usleep(20000);
    call(2, "data"); /* waits for the only thread */
    call(3, "data");
    T(!take());
    cancel(2);
    cancel(1);
    expect("{<any>'id':3,<any>count<any>", LONG_MS);
    await_idle(LONG_MS);
    /* Too late, unknown, repeated: these are ignored. */
    cancel(3);
    cancel(1);
    cancel(77);
}

T_CASE(id_is_in_use_while_its_call_runs) {
    static const struct sq_mcp_options options = { .max_threads = 2 };
    begin(&options);
    call(1, "hang");
    call(1, "data");
    expect("{<any>'id':1,'error':{'code':-32600,<any>", 0);
    cancel(1);
    await_idle(LONG_MS);
    call(1, "data");
    expect("{<any>'id':1,<any>count<any>", LONG_MS);
}

T_CASE(number_of_concurrent_calls_is_limited) {
    static const struct sq_mcp_options options = { .max_threads = 2 };
    int refused = 0;
    begin(&options);
    for (int i = 1; i <= 400; i++) {
        call(i, "hang");
    }
    struct sq_mcp_message *message;
    while ((message = take())) {
        refused += t_matches("{<any>LIMIT_EXCEEDED<any>'isError':true<any>",
                             (struct sq_span){ (char *)message->bytes.data,
                                               message->bytes.len - 1 });
        sq_mcp_message_destroy(message);
    }
    T_INT(refused + sq_mcp_connection_busy(connection), 400);
    T(refused > 100);
}

T_BARE_CASE(call_ends_at_its_deadline) {
    static const struct sq_mcp_options options = { .call_timeout_ms = 30 };
    sq_clock_slow_down(1000); /* the call starts before that time is over */
    begin(&options);
    call(1, "hang");
    expect("{<any>'progressToken':1,<any>late<any>", LONG_MS);
    expect("{<any>'id':1,<any>TIMEOUT<any>'isError':true<any>", LONG_MS);
    end();
    sq_clock_slow_down(1);
}

T_CASE(call_that_cannot_be_stopped_is_reported) {
    static const struct sq_mcp_options options = { .max_threads = 1 };
    begin(&options);
    call(1, "stubborn");
    t_mcp_await_stubborn();
    sq_mcp_connection_close(connection);
    /* The client does not wait for it. */
    expect("{<any>'id':1,<any>CANCELLED<any>suggestion<any>", 0);
    T(!sq_mcp_server_stop(server, 50));
    t_mcp_end_stubborn();
    T(sq_mcp_server_stop(server, LONG_MS));
}

static int
number_after(const struct sq_mcp_message *message, const char *key) {
    const char *at = (const char *)message->bytes.data;
    const char *end = at + message->bytes.len;
    size_t len = strlen(key);
    int number = 0;
    while (at + len < end && memcmp(at, key, len) != 0) {
        at++;
    }
    if (!T(at + len < end)) {
        return -1;
    }
    for (at += len; *at >= '0' && *at <= '9'; at++) {
        number = number * 10 + *at - '0';
    }
    return number;
}

/* Calls are admitted in the order of arrival, whichever thread is first. */
T_CASE(calls_are_admitted_in_order) {
    static const struct sq_mcp_options options = { .max_threads = 8 };
    int first = -1;
    begin(&options);
    for (int id = 1; id <= 100; id++) {
        call(id, "ticket");
    }
    int64_t until = now_ms() + LONG_MS;
    for (int answers = 0; answers < 100 && now_ms() < until;) {
        struct sq_mcp_message *message = take();
        if (!message) {
            usleep(500);
            continue;
        }
        int id = number_after(message, "\"id\":");
        int ticket = number_after(message, "ticket ");
        first = answers++ ? first : ticket - id;
        T_INT(ticket - id, first);
        sq_mcp_message_destroy(message);
    }
    await_idle(LONG_MS);
}

T_CASE(tickets_are_always_released) {
    begin(&(const struct sq_mcp_options){ .max_threads = 1 });
    call(1, "hang");
    call(2, "ticket"); /* waits for the only thread */
    call(2, "ticket"); /* refused: its id is taken */
    expect("{<any>'id':2,'error':<any>", 0);
    call(3, "shut");
    expect(TOO_MANY(3, "no more today"), 0);
    call(5, "quick"); /* needs no thread and no ticket */
    expect("{<any>'id':5,'result':<any>", 0);
    call(4, "no such tool");
    T_INT(t_mcp_tickets(), 2);
    cancel(2);
    cancel(1);
    expect("{<any>'id':4,'error':<any>", LONG_MS);
    await_idle(LONG_MS);
}

static void
begin_with_batches(const struct sq_mcp_options *options) {
    t_mcp_hold_stubborn();
    T_OK(sq_mcp_server_create(&t_mcp_host, options, &server, &t_err)
         && sq_mcp_connection_create(server, &sink, NULL, &connection, &t_err));
    send_line("{'jsonrpc':'2.0','id':0,'method':'initialize','params':{"
              "'protocolVersion':'2025-03-26'}}");
    expect("{<any>'id':0,<any>", LONG_MS);
}

#define PART(number, tool)                                                     \
    "{'jsonrpc':'2.0','id':" #number                                           \
    ",'method':'tools/call','params':{'name':'" tool "'}}"
#define CANCEL(number)                                                         \
    "{'jsonrpc':'2.0','method':'notifications/cancelled',"                     \
    "'params':{'requestId':" #number "}}"

static size_t
call_bytes(void) {
    sq_lock_lock(connection->lock);
    size_t bytes = connection->call_bytes;
    sq_lock_unlock(connection->lock);
    return bytes;
}

/* One array, when the last call is done or cancelled. */
T_CASE(batch_is_answered_when_all_calls_are_done) {
    static const struct sq_mcp_options options = { 0 };
    begin_with_batches(&options);
    send_line("[" PART(1, "hang") "," PART(2, "data") "," PART(
        3, "hang") "," PART(4, "who") "]");
    await_busy(2, LONG_MS);
    T(!take());
    cancel(1);
    await_busy(1, LONG_MS);
    T(!take());
    /* Other messages are answered meanwhile. */
    send_line("[" PART(5, "data") "]");
    expect("[{<any>'id':5,<any>count<any>}]", LONG_MS);
    cancel(3);
    struct sq_mcp_message *message;
    while (!(message = take())) {
        usleep(500);
    }
    struct sq_span line = { (char *)message->bytes.data,
                            message->bytes.len - 1 };
    T(t_matches("[<any>'id':2,<any>]", line));
    T(t_matches("[<any>'id':4,<any>]", line));
    T(!t_matches("[<any>'id':1,<any>]", line));
    T(!t_matches("[<any>'id':3,<any>]", line));
    sq_mcp_message_destroy(message);
    await_idle(LONG_MS);
    /* The last call ends before its batch does. */
    int64_t until = now_ms() + LONG_MS;
    while (call_bytes() > 0 && now_ms() < until) {
        usleep(500);
    }
    T_INT(call_bytes(), 0);
}

/* A batch that is cancelled completely gets no answer. */
T_CASE(batch_can_cancel_its_own_calls) {
    static const struct sq_mcp_options options = { 0 };
    begin_with_batches(&options);
    send_line("[" PART(1, "hang") "," PART(2, "hang") "," CANCEL(1) "," CANCEL(
        2) "]");
    await_idle(LONG_MS);
    T(!take());
    send_line("[" PART(3, "hang") "," CANCEL(3) "," PART(4, "data") "]");
    expect("[{'jsonrpc':'2.0','id':4,<any>count<any>}]", LONG_MS);
    await_idle(LONG_MS);
}

/* Each call above a limit gets its own error. */
T_CASE(limits_apply_inside_a_batch) {
    static const struct sq_mcp_options options = {
        .device_calls = { .max = 1, .reason = "x", .hint = "y" },
    };
    begin_with_batches(&options);
    send_line("[" PART(1, "hang") "," PART(2, "hang") "," PART(
        1, "data") "," CANCEL(1) "]");
    expect("[<any>'id':2,'result':<any>LIMIT_EXCEEDED<any>"
           "'id':1,'error':{'code':-32600,<any>]",
           LONG_MS);
    await_idle(LONG_MS);
}

T_CASE(running_batch_is_answered_at_the_end) {
    static const struct sq_mcp_options options = { 0 };
    begin_with_batches(&options);
    send_line(
        "[" PART(1, "hang") "," PART(2, "data") "," PART(3, "stubborn") "]");
    await_busy(2, LONG_MS);
    sq_mcp_connection_close(connection);
    expect("[<any>'id':2,<any>count<any>CANCELLED<any>CANCELLED<any>]", 0);
    t_mcp_end_stubborn();
    T(sq_mcp_server_stop(server, LONG_MS));
}

/* Without threads: the same calls with every allocation failing once. */
struct torture {
    const char *const *says;
    int count;
};

static bool
run_conversation(void *context, struct sq_err *err) {
    const struct torture *torture = context;
    static const struct sq_mcp_options options = { .in_line = true };
    server = NULL;
    connection = NULL;
    lost = 0;
    bool ok = sq_mcp_server_create(&t_mcp_host, &options, &server, err)
           && sq_mcp_connection_create(server, &sink, NULL, &connection, err);
    for (int i = 0; ok && i < torture->count; i++) {
        bool answered = false;
        bool failed = false;
        struct sq_mcp_message *message;
        send_line(torture->says[i]);
        while ((message = take())) {
            struct sq_span line = { (char *)message->bytes.data,
                                    message->bytes.len - 1 };
            answered = answered || !t_matches("{<any>'method':<any>", line);
            failed = failed || t_matches("<any>'error':<any>", line)
                  || t_matches("<any>OUT_OF_MEMORY<any>", line);
            sq_mcp_message_destroy(message);
        }
        T(answered || lost > 0);
        if (failed || lost > 0) {
            ok = sq_fail_nomem(err);
        }
    }
    sq_mcp_connection_destroy(connection);
    sq_mcp_server_destroy(server);
    while (heard) {
        sq_mcp_message_destroy(take());
    }
    lost = 0;
    return ok;
}

T_BARE_CASE(every_allocation_can_fail) {
    static const char *const says[] = {
        "{'jsonrpc':'2.0','id':1,'method':'initialize','params':{"
        "'protocolVersion':'2025-03-26'}}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/list'}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{"
        "'name':'picture'}}",
        "{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{"
        "'name':'fail'}}",
        "{'jsonrpc':'2.0','id':1,'method':'resources/read',"
        "'params':{'uri':'fake://picture/1'}}",
        "{'jsonrpc':'2.0','id':1,'method':'prompts/get','params':{"
        "'name':'greet','arguments':{'name':'Ada'}}}",
        "[{'jsonrpc':'2.0','id':1,'method':'tools/call','params':{'name':"
        "'data'}},{'jsonrpc':'2.0','id':2,'method':'ping'}]",
        "{'jsonrpc':'2.0','id':1,'method':'server/discover',"
        "'params':{'_meta':{'io.modelcontextprotocol/protocolVersion':"
        "'2026-07-28','io.modelcontextprotocol/clientCapabilities':{}}}}",
    };
    struct torture torture = { says, SQ_COUNT(says) };
    int files = t_count_open_files();
    T(t_alloc_torture(run_conversation, &torture) > 20);
    T_INT(t_count_open_files(), files);
}
