/* Passes bytes of others to confined processes, and answers there. */
#include "sys/foreign.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sys/call.h"
#include "sys/lock.h"
#include "util/limits.h"
#include "util/mem.h"
#include "util/minmax.h"

#define MAX_WORKERS 8
/* The pixels of the largest picture, with 16 bits for each channel, twice. */
#define MEMORY ((size_t)1 << 30)
#define MAX_REPLY (SQ_MAX_IMAGE_BYTES + SQ_WORKER_MAX_REQUEST)
/*
 * Processor time after which a worker ends, so that none that hangs stays after
 * its server was killed; and requests after which it is replaced before that.
 */
#define CPU_SECONDS 600
#define MAX_REQUESTS 2000
#define BLOCK ((size_t)64 << 10) /* a multiple of every size of pages */

/* The start of a request; the rest is for the reader. */
struct head {
    char reader[SQ_FOREIGN_NAME_SIZE];
    size_t count; /* bytes of input, at the start of the memory */
    size_t room;  /* where the room begins, which is the rest of it */
};

static struct {
    pthread_mutex_t mutex;
    struct sq_quota *turns; /* one for each worker */
    struct sq_worker *workers[MAX_WORKERS];
    bool is_busy[MAX_WORKERS];
    int requests[MAX_WORKERS];
    int count;
    int timeout_ms;
    char program[SQ_PATH_SIZE];
    const char *argv[3];
} pool = { .mutex = PTHREAD_MUTEX_INITIALIZER };

bool
sq_foreign_is_on(void) {
    return pool.count > 0;
}

void
sq_foreign_stop(void) {
    while (pool.count > 0) {
        sq_worker_destroy(pool.workers[--pool.count]);
    }
    sq_quota_destroy(pool.turns);
    pool.turns = NULL;
}

const char *
sq_foreign_program(void) {
    return pool.program;
}

struct sq_deadline
sq_foreign_deadline(void) {
    return sq_deadline_in(pool.timeout_ms, NULL);
}

bool
sq_foreign_start(const char *program, int timeout_ms, struct sq_err *err) {
    const struct sq_worker_plan plan = {
        .argv = pool.argv,
        .name = "decoder",
        .max_reply = MAX_REPLY,
    };
    int count = sq_min_int(sq_processor_count(), MAX_WORKERS);
    snprintf(pool.program, sizeof(pool.program), "%s", program);
    pool.timeout_ms = timeout_ms;
    pool.argv[0] = pool.program;
    pool.argv[1] = "decode-worker";
    bool ok = sq_quota_create((size_t)count, timeout_ms, &pool.turns, err);
    while (ok && pool.count < count) {
        ok = sq_worker_create(&plan, &pool.workers[pool.count], err);
        pool.count += ok;
    }
    if (!ok) {
        sq_foreign_stop();
    }
    return ok;
}

void
sq_foreign_finish(struct sq_foreign_answer *answer) {
    sq_close_fd(&answer->memory.fd);
    sq_buf_finish(&answer->reply);
}

/* Creates memory with the input and the room. */
static bool
share(const struct sq_foreign_question *question,
      struct sq_foreign_answer *answer, struct sq_err *err) {
    struct sq_worker_memory *memory = &answer->memory;
    const struct sq_span *input = &question->input;
    size_t written = 0;
    sq_buf_init(&answer->reply, question->max_reply);
    answer->room_at = (input->len + BLOCK) / BLOCK * BLOCK;
    memory->bytes = answer->room_at + question->room;
    memory->fd = sq_call_share_memory(memory->bytes);
    bool ok = memory->fd >= 0;
    while (ok && written < input->len) {
        ssize_t count = sq_call_write(memory->fd, input->ptr + written,
                                      input->len - written);
        ok = count > 0;
        written += ok ? (size_t)count : 0;
    }
    return ok || sq_errno_fail(err, "share memory with the decoder");
}

/* Asks a worker. Its memory cannot change any more when it has answered. */
static bool
ask(struct sq_worker *worker, const struct sq_foreign_question *question,
    const struct sq_deadline *deadline, struct sq_foreign_answer *out,
    struct sq_err *err) {
    char bytes[SQ_WORKER_MAX_REQUEST];
    const struct head head = { .count = question->input.len,
                               .room = out->room_at };
    const struct sq_span request = { bytes,
                                     sizeof(head) + question->request.len };
    memcpy(bytes, &head, sizeof(head));
    snprintf(bytes, SQ_FOREIGN_NAME_SIZE, "%s", question->reader);
    if (question->request.len > 0) {
        memcpy(bytes + sizeof(head), question->request.ptr,
               question->request.len);
    }
    bool ok = sq_worker_start(worker, deadline, err)
           && sq_worker_send(worker, request, &out->memory, deadline, err)
           && sq_worker_receive(worker, deadline, &out->reply, err);
    if (!ok) {
        return false;
    }
    struct sq_err local_err = { 0 };
    if (sq_call_freeze_memory(out->memory.fd) == 0
        && question->accept(question->context, sq_buf_span(&out->reply),
                            &local_err)) {
        return true;
    }
    sq_worker_stop(worker);
    return local_err.code != SQ_ERR_NONE
             ? sq_fail_with(err, &local_err)
             : sq_fail(err, SQ_ERR_FORMAT, "the decoder sent garbage");
}

bool
sq_foreign_ask(const struct sq_foreign_question *question,
               struct sq_foreign_answer *out, struct sq_err *err) {
    const struct sq_deadline deadline = sq_foreign_deadline();
    struct sq_quota_part turn = { 0 };
    if (!share(question, out, err)) {
        return false;
    }
    if (!sq_quota_take(pool.turns, &turn, 1, &deadline, err)) {
        return sq_fail_in(err, "wait for a decoder");
    }
    /* Who has a turn finds a worker that is not used. */
    int at = 0;
    pthread_mutex_lock(&pool.mutex);
    while (pool.is_busy[at]) {
        at++;
    }
    pool.is_busy[at] = true;
    pthread_mutex_unlock(&pool.mutex);
    if (++pool.requests[at] % MAX_REQUESTS == 0) {
        sq_worker_stop(pool.workers[at]);
    }
    bool ok = ask(pool.workers[at], question, &deadline, out, err);
    pthread_mutex_lock(&pool.mutex);
    pool.is_busy[at] = false;
    pthread_mutex_unlock(&pool.mutex);
    sq_quota_release(&turn);
    return ok;
}

/* The worker. */

static const struct sq_foreign_reader *
find(const struct sq_foreign_reader *const *readers, const char *name) {
    while (*readers && strcmp((*readers)->name, name) != 0) {
        readers++;
    }
    return *readers;
}

bool
sq_foreign_answer(void *context, struct sq_span request, uint8_t *memory,
                  size_t memory_bytes, struct sq_buf *reply,
                  struct sq_err *err) {
    struct head head = { .count = 0 };
    _Alignas(max_align_t) char rest[SQ_WORKER_MAX_REQUEST];
    const struct sq_foreign_reader *reader = NULL;
    if (request.len >= sizeof(head)) {
        memcpy(&head, request.ptr, sizeof(head));
        head.reader[sizeof(head.reader) - 1] = '\0';
        reader = find(*(const struct sq_foreign_reader *const **)context,
                      head.reader);
    }
    if (!reader || request.len - sizeof(head) != reader->request_size
        || head.count > head.room || head.room > memory_bytes) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the request is malformed");
    }
    memcpy(rest, request.ptr + sizeof(head), reader->request_size);
    const struct sq_span input = { (const char *)memory, head.count };
    const struct sq_foreign_room room = { memory + head.room,
                                          memory_bytes - head.room };
    bool ok = reader->answer(rest, input, room, reply, err);
    if (!ok && err->code == SQ_ERR_NOMEM) {
        /* Of this input, not of the process that asks. */
        sq_fail(err, SQ_ERR_LIMIT, "reading this takes more than %zu MB",
                sq_foreign_job.memory_bytes >> 20);
    }
    return ok;
}

static bool
prepare(void *context, struct sq_err *err) {
    (void)context, (void)err;
    return true;
}

const struct sq_worker_job sq_foreign_job = {
    .open = prepare,
    .prepare = prepare,
    .answer = sq_foreign_answer,
    .memory_bytes = MEMORY,
    .cpu_seconds = CPU_SECONDS,
    .max_reply = MAX_REPLY,
};

bool
sq_foreign_serve(const struct sq_foreign_reader *const *readers,
                 struct sq_err *err) {
    return sq_worker_serve(&sq_foreign_job, &readers, err);
}
