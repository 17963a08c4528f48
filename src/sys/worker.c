/* Starts a worker process, and exchanges messages with it. */
#include "sys/worker.h"

#include <errno.h>
#include <fcntl.h>

#include "sys/call.h"
#include "sys/clock.h"
#include "sys/sockets.h"
#include "util/mem.h"
#include "util/span.h"
#include "util/utf8.h"

/* A process that is not ready after this time is replaced. */
#define READY_NS ((int64_t)10000000000)

static bool is_squint;

void
sq_worker_is_squint(void) {
    is_squint = true;
}

bool
sq_worker_program(char out[SQ_PATH_SIZE], struct sq_err *err) {
    out[0] = '\0';
    return !is_squint || sq_path_program(out, err);
}

/* Checks the messages of a worker. */

bool
sq_worker_header_is_valid(const struct sq_worker_header *header,
                          const struct sq_worker_expected *expected) {
    if (header->magic != SQ_WORKER_MAGIC
        || header->number != expected->number) {
        return false;
    }
    if (header->kind == SQ_WORKER_ERROR) {
        return header->bytes == sizeof(struct sq_worker_problem);
    }
    return header->kind == (uint32_t)expected->kind
        && header->bytes <= expected->max_bytes;
}

/* Returns the valid UTF-8 at the start of a text that may have no end. */
static struct sq_span
valid_part(const char *text, size_t size) {
    struct sq_span part = { text, strnlen(text, size - 1) };
    part.len = sq_utf8_valid_len(part);
    return part;
}

bool
sq_worker_fail(const struct sq_worker_problem *problem, struct sq_err *err) {
    struct sq_span message =
        valid_part(problem->message, sizeof(problem->message));
    struct sq_span hint = valid_part(problem->hint, sizeof(problem->hint));
    bool is_known = problem->code > SQ_ERR_NONE && problem->code < SQ_ERR_CODES;
    sq_fail(err, is_known ? (enum sq_err_code)problem->code : SQ_ERR_IO, "%.*s",
            (int)message.len, message.ptr);
    sq_fail_cause(err, problem->cause);
    if (err) {
        err->quotes = problem->quotes != 0;
    }
    return hint.len > 0 && sq_fail_hint(err, "%.*s", (int)hint.len, hint.ptr);
}

struct sq_worker {
    struct sq_worker_plan plan;
    pid_t child; /* 0: not running */
    int socket;  /* -1: not running */
    int report;  /* tells whether its program could be run; -1: known */
    bool is_ready;
    int64_t begun_ns; /* when it was started */
    uint32_t number;  /* of the last request */
};

bool
sq_worker_create(const struct sq_worker_plan *plan, struct sq_worker **out,
                 struct sq_err *err) {
    struct sq_worker *worker = sq_mem_zalloc(1, sizeof(*worker));
    if (!worker) {
        return sq_fail_nomem(err);
    }
    worker->plan = *plan;
    worker->socket = -1;
    worker->report = -1;
    *out = worker;
    return true;
}

void
sq_worker_stop(struct sq_worker *worker) {
    if (worker->child) {
        sq_call_end_child(worker->child);
        worker->child = 0;
    }
    sq_close_fd(&worker->socket);
    sq_close_fd(&worker->report);
}

void
sq_worker_destroy(struct sq_worker *worker) {
    if (!worker) {
        return;
    }
    sq_worker_stop(worker);
    sq_mem_free(worker);
}

int
sq_worker_fd(const struct sq_worker *worker) {
    return worker->socket;
}

int
sq_worker_pid(const struct sq_worker *worker) {
    return (int)worker->child;
}

static bool
explain(const struct sq_worker *worker, struct sq_err *err) {
    if (!err || err->code == SQ_ERR_TIMEOUT || err->code == SQ_ERR_CANCELLED) {
        return sq_fail_in(err, "%s", worker->plan.name);
    }
    sq_fail(err, SQ_ERR_IO, "the %s process ended unexpectedly",
            worker->plan.name);
    return sq_fail_hint(err, "Try again: it is started again.");
}

static bool
receive_all(struct sq_worker *worker, void *into, size_t count,
            const struct sq_deadline *deadline, struct sq_err *err) {
    return sq_socket_read(worker->socket, into, count, deadline, err)
        || explain(worker, err);
}

/* Receives one message of that kind. *is_told: the worker itself failed. */
static bool
receive(struct sq_worker *worker, enum sq_worker_kind kind,
        const struct sq_deadline *deadline, struct sq_buf *into, bool *is_told,
        struct sq_err *err) {
    const struct sq_worker_expected expected = {
        .kind = kind,
        .number = worker->number,
        .max_bytes = into ? worker->plan.max_reply : 0,
    };
    struct sq_worker_header header;
    struct sq_worker_problem problem;
    uint8_t *space = NULL;
    if (!receive_all(worker, &header, sizeof(header), deadline, err)) {
        return false;
    }
    if (!sq_worker_header_is_valid(&header, &expected)) {
        return sq_fail(err, SQ_ERR_FORMAT, "the %s process sent garbage",
                       worker->plan.name);
    }
    if (header.kind == SQ_WORKER_ERROR) {
        *is_told =
            receive_all(worker, &problem, sizeof(problem), deadline, err);
        return *is_told && sq_worker_fail(&problem, err);
    }
    if (!header.bytes) {
        return true;
    }
    if (!sq_buf_reserve(into, header.bytes, &space, err)
        || !receive_all(worker, space, header.bytes, deadline, err)) {
        return false;
    }
    sq_buf_commit(into, header.bytes);
    return true;
}

static bool
spawn(struct sq_worker *worker, struct sq_err *err) {
    int sockets[2] = { -1, -1 };
    int none = sq_call_openat(AT_FDCWD, "/dev/null", O_WRONLY | O_CLOEXEC, 0);
    bool ok = (none >= 0 && sq_call_socket_pair(sockets) == 0)
           || sq_errno_fail(err, "create the streams of %s", worker->plan.name);
    struct sq_spawn child = {
        .argv = worker->plan.argv,
        .streams = { sockets[1], none, none },
    };
    pid_t pid =
        ok ? sq_start_child(&child, worker->plan.name, &worker->report, err)
           : -1;
    sq_close_fd(&none);
    sq_close_fd(&sockets[1]);
    if (pid < 0) {
        sq_close_fd(&sockets[0]);
        return false;
    }
    worker->child = pid;
    worker->socket = sockets[0];
    worker->is_ready = false;
    worker->begun_ns = sq_clock_monotonic_ns();
    worker->number = 0;
    return true;
}

/* Returns whether an idle worker has ended or has sent unrequested bytes. */
static bool
has_ended(const struct sq_worker *worker) {
    struct pollfd fd = { .fd = worker->socket, .events = POLLIN };
    return sq_call_poll(&fd, 1, 0) != 0;
}

/* Returns whether a worker does not become ready. */
static bool
is_hung(const struct sq_worker *worker) {
    return sq_clock_monotonic_ns() - worker->begun_ns > READY_NS;
}

bool
sq_worker_begin(struct sq_worker *worker, struct sq_err *err) {
    if (worker->child
        && !(worker->is_ready ? has_ended(worker) : is_hung(worker))) {
        return true;
    }
    sq_worker_stop(worker);
    return spawn(worker, err);
}

static bool
await_ready(struct sq_worker *worker, const struct sq_deadline *deadline,
            struct sq_err *err) {
    bool is_told = false;
    struct sq_err local_err = { 0 };
    if (!sq_wait_fd(worker->socket, POLLIN, deadline, &local_err)
        && (local_err.code == SQ_ERR_TIMEOUT
            || local_err.code == SQ_ERR_CANCELLED)) {
        sq_fail_with(err, &local_err);
        return explain(worker, err); /* it may be ready the next time */
    }
    worker->is_ready =
        receive(worker, SQ_WORKER_READY, deadline, NULL, &is_told, err);
    if (!worker->is_ready) {
        errno = worker->report < 0 ? 0 : sq_read_report(worker->report);
        if (errno) {
            sq_errno_fail(err, "run %s", worker->plan.argv[0]);
        }
        sq_worker_stop(worker);
    }
    sq_close_fd(&worker->report);
    return worker->is_ready;
}

bool
sq_worker_start(struct sq_worker *worker, const struct sq_deadline *deadline,
                struct sq_err *err) {
    if (worker->child && worker->is_ready && !has_ended(worker)) {
        return true;
    }
    return sq_deadline_check(deadline, err) && sq_worker_begin(worker, err)
        && await_ready(worker, deadline, err);
}

static bool
send_header(struct sq_worker *worker, const struct sq_worker_header *header,
            const struct sq_worker_memory *memory,
            const struct sq_deadline *deadline, struct sq_err *err) {
    if (!memory) {
        return sq_socket_write(worker->socket, header, sizeof(*header),
                               deadline, err);
    }
    /* No request is open, so a header fits. */
    return sq_call_send_fd(worker->socket, header, sizeof(*header), memory->fd)
            == (ssize_t)sizeof(*header)
        || sq_errno_fail(err, "send memory to the %s", worker->plan.name);
}

bool
sq_worker_send(struct sq_worker *worker, struct sq_span request,
               const struct sq_worker_memory *memory,
               const struct sq_deadline *deadline, struct sq_err *err) {
    const struct sq_worker_header header = {
        .magic = SQ_WORKER_MAGIC,
        .kind = SQ_WORKER_REQUEST,
        .number = ++worker->number,
        .bytes = (uint32_t)request.len,
        .memory = memory ? memory->bytes : 0,
    };
    bool ok = send_header(worker, &header, memory, deadline, err)
           && sq_socket_write(worker->socket, request.ptr, request.len,
                              deadline, err);
    if (!ok) {
        explain(worker, err);
        sq_worker_stop(worker);
    }
    return ok;
}

bool
sq_worker_receive(struct sq_worker *worker, const struct sq_deadline *deadline,
                  struct sq_buf *reply, struct sq_err *err) {
    bool is_told = false;
    bool ok = receive(worker, SQ_WORKER_REPLY, deadline, reply, &is_told, err);
    if (!ok && !is_told) {
        sq_worker_stop(worker);
    }
    return ok;
}
