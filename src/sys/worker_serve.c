/* The other side of sys/worker.c: a confined process that answers requests. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "sys/call.h"
#include "sys/sockets.h"
#include "sys/worker.h"

/* The other side sets deadlines. */
static const struct sq_deadline never = { .at_ns = INT64_MAX };

static bool
send_all(const void *bytes, size_t count) {
    return sq_socket_write(STDIN_FILENO, bytes, count, &never, NULL);
}

/* Returns false at the end of the stream and on errors. */
static bool
receive_all(void *into, size_t count) {
    return sq_socket_read(STDIN_FILENO, into, count, &never, NULL);
}

static bool
send_message(enum sq_worker_kind kind, uint32_t number, const void *bytes,
             size_t count) {
    const struct sq_worker_header header = {
        .magic = SQ_WORKER_MAGIC,
        .kind = (uint32_t)kind,
        .number = number,
        .bytes = (uint32_t)count,
    };
    return send_all(&header, sizeof(header)) && send_all(bytes, count);
}

static bool
send_problem(uint32_t number, const struct sq_err *err) {
    struct sq_worker_problem problem = {
        .code = (uint32_t)err->code,
        .cause = err->cause,
        .quotes = err->quotes,
    };
    snprintf(problem.message, sizeof(problem.message), "%s", err->message);
    snprintf(problem.hint, sizeof(problem.hint), "%s", err->hint);
    return send_message(SQ_WORKER_ERROR, number, &problem, sizeof(problem));
}

/*
 * Gives up all rights that the system lets a process give up. Old systems lack
 * landlock; the filter of system calls then still refuses to open files.
 */
static bool
confine(const struct sq_worker_job *job, struct sq_err *err) {
    const bool opens_files = job->folder != NULL;
    const struct sq_process_limits limits = { job->memory_bytes,
                                              job->cpu_seconds, opens_files };
    /* First, because it needs a descriptor, of which the limit allows none. */
    if (sq_call_leave_files(job->folder) < 0 && errno != ENOSYS
        && errno != EOPNOTSUPP) {
        return sq_errno_fail(err, "give up access to files");
    }
    if (sq_call_limit_process(&limits) < 0) {
        return sq_errno_fail(err, "limit the process");
    }
    /* Linux without filters of system calls is an error: nothing else protects.
     */
    if (sq_call_leave_system(opens_files) == 0 || errno == ENOSYS) {
        return true;
    }
    if (errno != EOPNOTSUPP) {
        return sq_errno_fail(err, "give up system calls");
    }
    sq_fail(err, SQ_ERR_UNSUPPORTED,
            "this system cannot confine a process: it has no seccomp");
    return sq_fail_hint(err,
                        "Use a kernel with seccomp (CONFIG_SECCOMP_FILTER). "
                        "Programs under qemu-user never have it.");
}

struct mapped {
    uint8_t *bytes; /* NULL: none */
    size_t size;
};

static void
forget(struct mapped *mapped) {
    sq_call_unmap(mapped->bytes, mapped->size);
    *mapped = (struct mapped){ 0 };
}

/* Maps the memory that came with a request; it replaces what was kept. */
static bool
map(const struct sq_worker_header *header, int memory, struct mapped *mapped,
    struct sq_err *err) {
    if (!header->memory) {
        return true;
    }
    forget(mapped);
    mapped->size = (size_t)header->memory;
    mapped->bytes =
        memory < 0 ? NULL : sq_call_map(memory, 0, mapped->size, false);
    return mapped->bytes || sq_errno_fail(err, "map the shared memory");
}

static bool
answer_one(const struct sq_worker_job *job, void *context,
           const struct sq_worker_header *header, struct sq_span request,
           int memory, struct mapped *mapped) {
    struct sq_err err = { 0 };
    struct sq_buf reply;
    sq_buf_init(&reply, job->max_reply);
    bool ok = map(header, memory, mapped, &err)
           && job->answer(context, request, mapped->bytes, mapped->size, &reply,
                          &err);
    if (!job->keeps_memory) {
        /* The other side makes it constant when it has the answer. */
        forget(mapped);
    }
    sq_close_fd(&memory);
    ok = ok ? send_message(SQ_WORKER_REPLY, header->number, reply.data,
                           reply.len)
            : send_problem(header->number, &err);
    sq_buf_finish(&reply);
    return ok;
}

bool
sq_worker_serve(const struct sq_worker_job *job, void *context,
                struct sq_err *err) {
    struct sq_worker_header header;
    struct mapped mapped = { 0 };
    char request[SQ_WORKER_MAX_REQUEST];
    int memory = -1;
    if (!job->open(context, err) || !confine(job, err)
        || !job->prepare(context, err)) {
        send_problem(0, err);
        return false;
    }
    bool ok = send_message(SQ_WORKER_READY, 0, NULL, 0);
    while (ok
           && sq_call_receive_fd(STDIN_FILENO, &header, sizeof(header), &memory)
                  == (ssize_t)sizeof(header)) {
        ok = header.magic == SQ_WORKER_MAGIC && header.bytes <= sizeof(request)
          && receive_all(request, header.bytes)
          && answer_one(job, context, &header,
                        (struct sq_span){ request, header.bytes }, memory,
                        &mapped);
    }
    forget(&mapped);
    return true;
}
