/* A server connected by two pipes, as its clients see it. */
#define _GNU_SOURCE /* pipe2 */

#include <errno.h>

#include "unit/mcp/stdio_child.h"

static const struct sq_mcp_options defaults;

T_FIXTURE(NULL, finish);

T_CASE(session_ends_with_its_input) {
    start_session(&defaults);
    send_line("{'jsonrpc':'2.0','id':1,'method':'ping'}\r");
    expect_line("{'jsonrpc':'2.0','id':1,'result':{}}", LONG_MS);
    send_line("");
    send_line("  \t\r");
    send_line("garbage");
    expect_line("{'jsonrpc':'2.0','error':{'code':-32700,<any>", LONG_MS);
    send_call(2, "echo", "{'a':1}");
    expect_line("{'jsonrpc':'2.0','id':2,'result':{<any>", LONG_MS);
    close_input();
    T_INT(await_end(END_MS), 0);
    T_STR(error_output(), "");
}

T_CASE(empty_input_ends_with_status_0) {
    begin(&defaults);
    close_input();
    T_INT(await_end(END_MS), 0);
    T_STR(error_output(), "");
}

/* Like requests piped from a file; the last line has no newline. */
T_CASE(quick_calls_are_answered_after_the_end_of_input) {
    const char *last = t_quoted("{'jsonrpc':'2.0','id':3,'method':'ping'}");
    slowness = 1000; /* they have one second, which a busy machine may need */
    start_session(&defaults);
    slowness = 1;
    send_call(1, "slow", "{'ms':100}");
    send_line("{'jsonrpc':'2.0','id':2,'method':'ping'}");
    write_bytes(last, strlen(last));
    close_input();
    expect_line("{<any>'id':2,<any>", LONG_MS);
    expect_line("{<any>'id':3,<any>", LONG_MS);
    expect_line("{<any>'id':1,<any>done<any>", LONG_MS);
    T_INT(await_end(END_MS), 0);
    T_STR(error_output(), "");
}

T_CASE(truncated_last_line_is_answered) {
    const char *cut = t_quoted("{'jsonrpc':'2.0','id':3,'method':'pi");
    start_session(&defaults);
    write_bytes(cut, strlen(cut));
    close_input();
    expect_line("{'jsonrpc':'2.0','id':3,'error':{'code':-32700,<any>",
                LONG_MS);
    T_INT(await_end(END_MS), 0);
}

#define CANCELLED(number)                                                      \
    "{'jsonrpc':'2.0','id':" #number                                           \
    ",'result':{<any>CANCELLED<any>suggestion<any>'isError':true}}"

/* They get one second, and then an answer in any case. */
T_BARE_CASE(running_calls_are_answered_as_cancelled) {
    static const char *const tools[] = { "hang", "hang", "stubborn" };
    static const struct sq_mcp_options soon = { .drain_ms = DRAIN_MS };
    for (int i = 0; i < 3; i++) {
        bool is_asked = i == 1; /* ended by a signal, not by the end of input */
        start_session(&soon);
        send_call(1, tools[i], "{}");
        send_line("{'jsonrpc':'2.0','id':2,'method':'prompts/get',"
                  "'params':{'name':'plain'}}");
        expect_line("{<any>'id':2,'result':<any>", LONG_MS);
        int64_t start = now_ms();
        if (is_asked) {
            kill(child, SIGTERM);
        } else {
            close_input();
        }
        expect_line(CANCELLED(1), LONG_MS);
        T(is_asked || now_ms() - start >= DRAIN_MS - 1);
        T_INT(await_end(END_MS), 0);
        T(now_ms() - start < END_MS + LONG_MS);
        T_STR(error_output(), "");
        finish();
    }
}

/* Requests other than tool calls get an error. */
T_CASE(other_running_requests_are_answered) {
    static const struct sq_mcp_options one = { .max_threads = 1,
                                               .drain_ms = 50 };
    start_session(&one);
    send_call(1, "hang", "{}");
    send_line("{'jsonrpc':'2.0','id':2,'method':'prompts/get',"
              "'params':{'name':'plain'}}");
    close_input();
    expect_line("{'jsonrpc':'2.0','id':2,'error':{'code':-32000,<any>"
                "'data':{'error':'CANCELLED',<any>",
                LONG_MS);
    expect_line(CANCELLED(1), LONG_MS);
    T_INT(await_end(END_MS), 0);
}

T_CASE(time_to_finish_can_be_set) {
    static const struct sq_mcp_options long_time = { .drain_ms = LONG_MS };
    start_session(&long_time);
    send_call(1, "slow", "{'ms':2500}");
    close_input();
    expect_line("{<any>'id':1,<any>done<any>", LONG_MS);
    T_INT(await_end(END_MS), 0);
}

T_BARE_CASE(interrupt_ends_an_idle_server) {
    static const int numbers[] = { SIGTERM, SIGINT, SIGHUP };
    for (int i = 0; i < 3; i++) {
        start_session(&defaults);
        kill(child, numbers[i]);
        T_INT(await_end(END_MS), 0);
        finish();
    }
}

T_CASE(listeners_are_notified_of_the_end) {
    begin(&defaults);
    send_line("{'jsonrpc':'2.0','id':7,'method':'subscriptions/listen',"
              "'params':{'_meta':{'io.modelcontextprotocol/protocolVersion':"
              "'2026-07-28','io.modelcontextprotocol/clientCapabilities':{}},"
              "'notifications':{}}}");
    expect_line("{<any>acknowledged<any>", LONG_MS);
    kill(child, SIGTERM);
    expect_line("{'jsonrpc':'2.0','id':7,'result':{<any>", LONG_MS);
    expect_line("{<any>notifications/cancelled<any>", LONG_MS);
    T_INT(await_end(END_MS), 0);
}

T_CASE(ping_is_answered_while_calls_hang_and_cancel_frees_them) {
    static const struct sq_mcp_options one = { .max_threads = 1 };
    start_session(&one);
    send_call(1, "hang", "{}");
    for (int i = 0; i < 20; i++) {
        int64_t start = now_ms();
        send_line("{'jsonrpc':'2.0','id':2,'method':'ping'}");
        expect_line("{<any>'id':2,'result':{}}", LONG_MS);
        T(now_ms() - start < END_MS);
    }
    /* The only thread is busy, so this waits until the first one is done. */
    send_call(3, "data", "{}");
    T(next_line(50).len == 0);
    int64_t start = now_ms();
    send_line("{'jsonrpc':'2.0','method':'notifications/cancelled',"
              "'params':{'requestId':1}}");
    expect_line("{<any>'id':3,<any>count<any>", LONG_MS);
    T(now_ms() - start < END_MS);
    close_input();
    T_INT(await_end(END_MS), 0);
}

T_CASE(too_long_line_is_refused_once) {
    static char chunk[1 << 16];
    memset(chunk, 'x', sizeof(chunk));
    start_session(&defaults);
    for (int i = 0; i < 200; i++) { /* 13 MB */
        write_bytes(chunk, sizeof(chunk));
    }
    send_line("");
    expect_line("{'jsonrpc':'2.0','error':{'code':-32600,<any>long<any>",
                LONG_MS);
    send_line("{'jsonrpc':'2.0','id':1,'method':'ping'}");
    expect_line("{<any>'id':1,'result':{}}", LONG_MS);
    close_input();
    T_INT(await_end(END_MS), 0);
}

/* Everything is written before anything is read: neither side may block. */
T_CASE(slow_client_gets_every_answer) {
    enum { COUNT = 4000 };
    static unsigned char seen[COUNT];
    int results = 0;
    int answers = 0;
    memset(seen, 0, sizeof(seen));
    start_session(&defaults);
    for (int i = 0; i < COUNT; i++) {
        send_line(t_text("{'jsonrpc':'2.0','id':%d,'method':'tools/list'}", i));
    }
    for (int i = 0; i < COUNT; i++) {
        struct sq_span line = next_line(LONG_MS);
        struct sq_span rest = line;
        int64_t id = -1;
        if (sq_span_take_prefix(&rest, t_quoted("{'jsonrpc':'2.0','id':"))
            && sq_span_take_int64(&rest, &id) && id >= 0 && id < COUNT) {
            answers += !seen[id];
            seen[id] = 1;
            results +=
                sq_span_starts_with(rest, t_quoted(",'result':{'tools':"));
        }
    }
    T_INT(answers, COUNT);
    T_INT(results, COUNT);
    close_input();
    T_INT(await_end(END_MS), 0);
}

/* A ping whose answer has this length, including the newline. */
#define PING_BYTES 100000

static const char *
long_ping(int number) {
    static char text[PING_BYTES + 1];
    int at = snprintf(text, 100,
                      "{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":\"%06d ",
                      number);
    memset(text + at, 'i', sizeof(text) - (size_t)at);
    memcpy(text + PING_BYTES - 3, "\"}\n", 4);
    return text;
}

/*
 * Writes without waiting, as much as the server reads; returns whether all was.
 */
static bool
write_some(const char *text, size_t len, size_t *at) {
    while (*at < len) {
        ssize_t wrote = write(to_child, text + *at, len - *at);
        if (wrote < 0) {
            T_INT(errno, EAGAIN);
            return false;
        }
        *at += (size_t)wrote;
    }
    return true;
}

/*
 * Sends one ping after the other until the server stops reading: then *at bytes
 * of the last one have been sent. Returns the number of pings, including that
 * one. A server that is only slow may be taken for one that has stopped, but
 * not before it has read about as much as its limit.
 */
static int
send_until_stopped(size_t *at) {
    int count = 0;
    bool is_taken = true;
    for (; is_taken && count < 3000; count++) {
        const char *text = long_ping(count);
        int64_t until = now_ms() + (count < 200 ? LONG_MS : 1000);
        *at = 0;
        while (!(is_taken = write_some(text, PING_BYTES, at))
               && now_ms() < until) {
            usleep(1000);
        }
    }
    T(!is_taken);
    return count;
}

/* The memory of unread answers is about the documented limit. */
T_CASE(input_stops_while_the_client_does_not_read) {
    size_t at;
    start_session(&defaults);
    int count = send_until_stopped(&at);
    T(count > 200 && count < 500); /* 32 MiB, and what is in the pipes */
    /* It is alive, and everything arrives once it is read. */
    for (int i = 0; i < count - 1; i++) {
        struct sq_span line = next_line(LONG_MS);
        T(t_matches(t_text("{'jsonrpc':'2.0','id':'%06d <any>", i), line));
    }
    write_bytes(long_ping(count - 1) + at, PING_BYTES - at);
    T(next_line(LONG_MS).len > 0);
    close_input();
    T_INT(await_end(END_MS), 0);
    T_STR(error_output(), "");
}

static int
number_after(const char *text, const char *words) {
    const char *at = strstr(text, words);
    struct sq_span rest = sq_span_of(at ? at + strlen(words) : "0");
    int64_t number = -1;
    T(sq_span_take_int64(&rest, &number));
    return (int)number;
}

/* Whatever ends it: in time, and with a message about what is lost. */
T_BARE_CASE(client_that_does_not_read_does_not_delay_the_end) {
    enum { TERM, CLOSE_INPUT, WAYS };
    for (int way = 0; way < WAYS; way++) {
        size_t at;
        start_session(&defaults);
        send_call(1, "hang", "{}");
        int count = send_until_stopped(&at);
        if (way == TERM) {
            kill(child, SIGTERM);
        } else {
            close_input();
        }
        T_INT(await_exit(), 0);
        const char *text = error_output();
        int answers = number_after(text, "did not read: ");
        int messages = number_after(text, "not handled: ");
        /* All pings and the call, except for what fits into a pipe. */
        T(answers + messages >= count && answers + messages <= count + 1);
        /* At the end of the input, its last line is a message, too. */
        T(messages >= (way == CLOSE_INPUT));
        finish();
    }
}

/* A call whose answer does not fit waits with it: nothing is lost. */
T_CASE(calls_wait_until_their_answers_fit) {
    size_t at;
    int answers = 0;
    start_session(&defaults);
    send_call(1, "slow", "{'ms':200}");
    int count = send_until_stopped(&at);
    /* All pings except the last one, and the call. */
    for (int i = 0; i < count; i++) {
        struct sq_span line = next_line(LONG_MS);
        answers += t_matches("{'jsonrpc':'2.0','id':1,<any>done<any>", line);
        T(line.len > 0);
    }
    T_INT(answers, 1);
    write_bytes(long_ping(count - 1) + at, PING_BYTES - at);
    T(next_line(LONG_MS).len > 0);
    close_input();
    T_INT(await_end(END_MS), 0);
}

T_CASE(closed_output_ends_the_server) {
    signal(SIGPIPE, SIG_IGN);
    start_session(&defaults);
    send_call(1, "hang", "{}");
    send_line("{'jsonrpc':'2.0','id':2,'method':'ping'}");
    expect_line("{<any>'id':2,'result':{}}", LONG_MS);
    close(from_child);
    T_INT(await_exit(), 0);
    from_child = dup(to_child);
    T_STR(error_output(), "answers that the client did not read: 1\n");
}
