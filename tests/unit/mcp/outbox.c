#include "mcp/stdio.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

static struct sq_mcp_outbox *outbox;
static struct sq_mcp_sink sink;
static int ends[2];

static void
begin(void) {
    T_INT(pipe(ends), 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    T_OK(sq_mcp_outbox_create(ends[1], &outbox, &t_err));
    sink = sq_mcp_outbox_sink(outbox);
}

static void
end(void) {
    sq_mcp_outbox_destroy(outbox);
    close(ends[0]);
    close(ends[1]);
}

/* A JSON message that contains a string of `padding` bytes. */
static struct sq_mcp_message *
message_of(int number, size_t padding) {
    struct sq_json_writer w;
    struct sq_mcp_message *message =
        sq_mcp_message_begin(&w, SQ_MCP_MAX_LINE_OUT, &t_err);
    sq_json_put_key(&w, "n");
    sq_json_put_int(&w, number);
    sq_json_put_key(&w, "p");
    static char filler[1 << 20];
    memset(filler, 'x', sizeof(filler));
    sq_json_put_string(&w, (struct sq_span){ filler, padding });
    T_OK(sq_mcp_message_end(message, &w, &t_err));
    return message;
}

static void
send_one(int number, size_t padding) {
    sink.send(sink.context, message_of(number, padding));
}

/* Reads everything available, and counts lines; they must be in order. */
static int
read_lines(int from) {
    static char got[1 << 20];
    static size_t have;
    if (from == 0) {
        have = 0;
    }
    ssize_t count;
    while ((count = read(ends[0], got + have, sizeof(got) - have)) > 0) {
        have += (size_t)count;
        char *newline;
        while ((newline = memchr(got, '\n', have))) {
            char want[60];
            int size = snprintf(want, sizeof(want),
                                "{\"jsonrpc\":\"2.0\",\"n\":%d,", from++);
            T(memcmp(got, want, (size_t)size) == 0);
            size_t used = (size_t)(newline + 1 - got);
            memmove(got, got + used, have - used);
            have -= used;
        }
    }
    return from;
}

T_FIXTURE(begin, end);

T_CASE(messages_are_sent_in_order_in_any_pieces) {
    int seen = 0;
    for (int i = 0; i < 300; i++) {
        send_one(i, (size_t)t_random_between(0, 3000));
    }
    enum sq_mcp_flush state = SQ_MCP_FLUSH_SOME;
    for (int i = 0; state == SQ_MCP_FLUSH_SOME && i < 100000; i++) {
        if (i % 3 == 0) {
            sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){
                                            .nth = 1, .how = SQ_FAULT_SHORT });
        }
        state = sq_mcp_outbox_flush(outbox, &t_err);
        seen = read_lines(seen);
    }
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    T_INT(state, SQ_MCP_FLUSH_ALL);
    T_INT(read_lines(seen), 300);
}

static bool
is_readable(void) {
    struct pollfd wanted = { .fd = sq_mcp_outbox_fd(outbox), .events = POLLIN };
    return poll(&wanted, 1, 0) == 1;
}

T_CASE(senders_write_while_the_writer_sleeps) {
    T(!sq_mcp_outbox_sleep(outbox));
    send_one(0, 0);
    send_one(1, 0);
    T_INT(read_lines(0), 2);
    T(!is_readable());
    T(!sq_mcp_outbox_sleep(outbox));
}

/* As many as fit into the pipe are written, the rest by the writer. */
T_CASE(sleeping_writer_is_woken_when_needed) {
    int sent = 0;
    T(!sq_mcp_outbox_sleep(outbox));
    while (!is_readable() && sent < 1000) {
        send_one(sent++, 3000);
    }
    T(sent > 1 && sent < 1000);
    sq_mcp_outbox_wake(outbox, true);
    T(!is_readable());
    T_INT(sq_mcp_outbox_flush(outbox, &t_err), SQ_MCP_FLUSH_SOME);
    int seen = read_lines(0);
    T_INT(sq_mcp_outbox_flush(outbox, &t_err), SQ_MCP_FLUSH_ALL);
    T_INT(read_lines(seen), sent);
}

T_CASE(busy_writer_is_not_woken) {
    send_one(0, 0);
    T(!is_readable());
    T_INT(read_lines(0), 0);
    T(sq_mcp_outbox_sleep(outbox));
    sq_mcp_outbox_wake(outbox, false);
    T_INT(sq_mcp_outbox_flush(outbox, &t_err), SQ_MCP_FLUSH_ALL);
    T(!sq_mcp_outbox_sleep(outbox));
    T_INT(read_lines(0), 1);
}

/* If a system call fails, the writer is notified that there is work. */
T_CASE(writer_is_woken_when_the_pipe_fails) {
    T(!sq_mcp_outbox_sleep(outbox));
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){
                                    .nth = 1, .from_then = true, .how = EIO });
    send_one(0, 0);
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    T(is_readable());
    sq_mcp_outbox_wake(outbox, true);
    T(sq_mcp_outbox_fd(outbox) < 0);
    T(sq_mcp_outbox_sleep(outbox));
    send_one(1, 0);
    T_INT(read_lines(0), 2);
}

/* If a sender's own attempt to write fails, the writer is woken. */
T_CASE(errors_are_left_to_the_writer) {
    T(!sq_mcp_outbox_sleep(outbox));
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ .nth = 1, .how = EIO });
    send_one(0, 0);
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    T(is_readable());
    sq_mcp_outbox_wake(outbox, true);
    T(sq_mcp_outbox_sleep(outbox));
    sink.send(sink.context, NULL);
    T(is_readable());
    sq_mcp_outbox_wake(outbox, true);
    T_INT(sq_mcp_outbox_flush(outbox, &t_err), SQ_MCP_FLUSH_FAILED);
    T_INT(t_err.code, SQ_ERR_NOMEM);
}

/* A message of a few bytes takes some hundreds, which are counted. */
T_CASE(waiting_messages_are_counted_as_memory) {
    T_INT(sink.capacity(sink.context), SQ_MCP_OUTBOX_LIMIT);
    T_INT(sq_mcp_outbox_count(outbox), 0);
    for (int i = 0; i < 1000; i++) {
        send_one(i, 0);
    }
    size_t held = SQ_MCP_OUTBOX_LIMIT - sink.capacity(sink.context);
    struct sq_mcp_message *one = message_of(0, 0);
    T(held >= 1000 * (sizeof(*one) + one->bytes.cap));
    T(held < 1000 * (sizeof(*one) + one->bytes.cap + 100));
    sq_mcp_message_destroy(one);
    T_INT(sq_mcp_outbox_count(outbox), 1000);
}

/* Reads everything, as long as there is more. */
static void
read_until(size_t count) {
    static char got[1 << 16];
    while (sq_mcp_outbox_count(outbox) > count) {
        T(sq_mcp_outbox_flush(outbox, &t_err) != SQ_MCP_FLUSH_FAILED);
        while (read(ends[0], got, sizeof(got)) > 0) {
        }
    }
}

T_CASE(stays_full_until_half_is_sent) {
    int sent = 0;
    while (!sq_mcp_outbox_is_full(outbox) && sent < 1000) {
        send_one(sent++, 1000000);
    }
    T(sent > 10 && sent <= 33);
    T_INT(sink.capacity(sink.context), 0);
    /* Nothing is refused: the senders stop by themselves. */
    send_one(sent++, 1000000);
    uint64_t before = sq_mcp_outbox_written(outbox);
    read_until((size_t)sent - 3);
    T(sq_mcp_outbox_written(outbox) >= before + 2000000);
    T(sink.capacity(sink.context) > 0);
    T(sq_mcp_outbox_is_full(outbox));
    read_until(2);
    T(!sq_mcp_outbox_is_full(outbox));
    read_until(0);
    T_INT(sink.capacity(sink.context), SQ_MCP_OUTBOX_LIMIT);
}

/* A thread of a call that waits for space, and what ended that. */
struct waiter {
    struct sq_cancel *cancel;
    atomic_bool is_back;
};

static void *
wait_for_space(void *context) {
    struct waiter *waiter = context;
    sink.await_space(sink.context, waiter->cancel);
    atomic_store(&waiter->is_back, true);
    return NULL;
}

T_BARE_CASE(calls_wait_for_space_until_read_cancelled_or_closed) {
    enum { READ, CANCELLED, CLOSED, WAYS };
    for (int way = 0; way < WAYS; way++) {
        struct waiter waiter = { 0 };
        pthread_t thread;
        begin();
        T_OK(sq_cancel_create(&waiter.cancel, &t_err));
        sink.await_space(sink.context, waiter.cancel);
        sink.await_space(sink.context, NULL);
        while (sink.capacity(sink.context) > 0) {
            send_one(0, 1000000);
        }
        T_INT(pthread_create(&thread, NULL, wait_for_space, &waiter), 0);
        usleep(50000);
        T(!atomic_load(&waiter.is_back));
        if (way == READ) {
            read_until(20);
        } else if (way == CANCELLED) {
            sq_cancel_set(waiter.cancel);
        } else {
            sq_mcp_outbox_close(outbox);
        }
        pthread_join(thread, NULL);
        T(atomic_load(&waiter.is_back));
        T(way == READ || sink.capacity(sink.context) == 0);
        sq_cancel_destroy(waiter.cancel);
        end();
    }
}

T_BARE_CASE(closed_pipe_and_broken_pipe_differ) {
    signal(SIGPIPE, SIG_IGN);
    begin();
    send_one(0, 0);
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ .nth = 1, .how = EIO });
    T_INT(sq_mcp_outbox_flush(outbox, &t_err), SQ_MCP_FLUSH_FAILED);
    T_INT(t_err.code, SQ_ERR_IO);
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    close(ends[0]);
    T_INT(sq_mcp_outbox_flush(outbox, &t_err), SQ_MCP_FLUSH_CLOSED);
    ends[0] = dup(ends[1]);
    end();
}

T_CASE(answer_lost_without_memory_ends_the_connection) {
    sink.send(sink.context, NULL);
    T_INT(sq_mcp_outbox_flush(outbox, &t_err), SQ_MCP_FLUSH_FAILED);
    T_INT(t_err.code, SQ_ERR_NOMEM);
}

static void *
send_many(void *context) {
    for (int i = 0; i < 1000; i++) {
        struct sq_json_writer w;
        struct sq_mcp_message *message = sq_mcp_message_begin(&w, 100, NULL);
        if (sq_mcp_message_end(message, &w, NULL)) {
            sink.send(sink.context, message);
        }
    }
    return NULL;
}

T_CASE(many_threads_can_send) {
    pthread_t threads[4];
    size_t bytes = 0;
    for (int i = 0; i < 4; i++) {
        T_INT(pthread_create(&threads[i], NULL, send_many, NULL), 0);
    }
    size_t want = 4 * 1000 * strlen("{\"jsonrpc\":\"2.0\"}\n");
    while (bytes < want) {
        static char got[70000];
        struct pollfd come[] = {
            { .fd = sq_mcp_outbox_fd(outbox), .events = POLLIN },
            { .fd = ends[0], .events = POLLIN },
        };
        if (!sq_mcp_outbox_sleep(outbox)) {
            poll(come, 2, 1000);
        }
        sq_mcp_outbox_wake(outbox, come[0].revents);
        sq_mcp_outbox_flush(outbox, &t_err);
        ssize_t count = read(ends[0], got, sizeof(got));
        bytes += count > 0 ? (size_t)count : 0;
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    T_INT(bytes, want);
}

static bool
build_outbox(void *context, struct sq_err *err) {
    struct sq_mcp_outbox *made;
    bool ok = sq_mcp_outbox_create(-1, &made, err);
    if (ok) {
        sq_mcp_outbox_destroy(made);
    }
    return ok;
}

T_BARE_CASE(every_allocation_can_fail) {
    int before = t_count_open_files();
    T_INT(t_alloc_torture(build_outbox, NULL), 3);
    T_INT(t_count_open_files(), before);
}
