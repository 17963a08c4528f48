/*
 * Decompresses a gzip stream with ISA-L, in a confined process if there is one.
 * The header is read here: if it arrives in pieces, ISA-L's result for it
 * depends on memory that it did not write.
 */
#include "device/android/state.h"
#include "device/android/link.h"

#include <assert.h>
#include <string.h>

#include <isa-l.h>

#include "sys/call.h"
#include "sys/foreign.h"
#include "sys/lock.h"
#include "util/mem.h"
#include "util/minmax.h"

#define HEADER_BYTES 10
/* The memory that a worker shares: the input, and after it a part of output. */
#define OUTPUT_AT ((size_t)128 << 10)
#define OUTPUT_BYTES ((size_t)256 << 10)

/* A step of the decompression. */
struct request {
    bool is_first;
    size_t at;    /* where the input begins that is new */
    size_t count; /* of it; 0: goes on with what is left */
    size_t room;  /* for output */
};

struct step {
    size_t made; /* bytes of output */
    size_t left; /* of input */
    int is_bad;  /* the input is corrupt; no bool: others can send anything */
    int is_done;
};

struct sq_gunzip {
    enum sq_gunzip_state state;
    bool has_work;
    size_t header; /* bytes of it that were read */
    struct request next;
    struct sq_worker *worker; /* NULL: isal does the work in this process */
    struct sq_worker_memory memory;
    uint8_t *shared; /* the memory */
    const char *argv[4];
    struct inflate_state isal;
    uint8_t input[SQ_GUNZIP_INPUT_BYTES + SQ_GUNZIP_EXTRA_BYTES];
};

static_assert(sizeof(((struct sq_gunzip *)0)->input) <= OUTPUT_AT,
              "the input comes before the output");

/* Has a worker of this stream alone: a slow phone delays no other reader. */
static bool
start_worker(struct sq_gunzip *gunzip, struct sq_err *err) {
    const struct sq_worker_plan plan = {
        .argv = gunzip->argv,
        .name = "decompressor",
        .max_reply = sizeof(struct step),
    };
    struct sq_worker_memory *memory = &gunzip->memory;
    const struct sq_deadline deadline = sq_foreign_deadline();
    gunzip->argv[0] = sq_foreign_program();
    gunzip->argv[1] = "decode-worker";
    gunzip->argv[2] = "gunzip";
    memory->bytes = OUTPUT_AT + OUTPUT_BYTES;
    memory->fd = sq_call_share_memory(memory->bytes);
    gunzip->shared = memory->fd < 0
                       ? NULL
                       : sq_call_map(memory->fd, 0, memory->bytes, false);
    return (gunzip->shared
            || sq_errno_fail(err, "share memory with the decompressor"))
        && sq_worker_create(&plan, &gunzip->worker, err)
        && sq_worker_start(gunzip->worker, &deadline, err);
}

bool
sq_gunzip_create(struct sq_gunzip **out, struct sq_err *err) {
    struct sq_gunzip *gunzip = sq_mem_alloc_aligned(sizeof(*gunzip));
    if (!gunzip) {
        return sq_fail_nomem(err);
    }
    memset(gunzip, 0, sizeof(*gunzip));
    gunzip->memory.fd = -1;
    if (sq_foreign_is_on() && !start_worker(gunzip, err)) {
        sq_gunzip_destroy(gunzip);
        return false;
    }
    sq_gunzip_reset(gunzip);
    *out = gunzip;
    return true;
}

void
sq_gunzip_destroy(struct sq_gunzip *gunzip) {
    if (gunzip) {
        sq_worker_destroy(gunzip->worker);
        sq_call_unmap(gunzip->shared, gunzip->memory.bytes);
        sq_close_fd(&gunzip->memory.fd);
        sq_mem_free(gunzip);
    }
}

void
sq_gunzip_reset(struct sq_gunzip *gunzip) {
    gunzip->state = SQ_GUNZIP_READING;
    gunzip->has_work = false;
    gunzip->header = 0;
    gunzip->next = (struct request){ .is_first = true };
}

enum sq_gunzip_state
sq_gunzip_state(const struct sq_gunzip *gunzip) {
    return gunzip->state;
}

uint8_t *
sq_gunzip_space(struct sq_gunzip *gunzip) {
    assert(!gunzip->has_work);
    return gunzip->shared ? gunzip->shared : gunzip->input;
}

/*
 * The header's flags must be 0, as written by every gzip that compresses a
 * pipe: a name, a comment and other optional fields are refused.
 */
void
sq_gunzip_add(struct sq_gunzip *gunzip, size_t count) {
    static const uint8_t start[] = { 0x1f, 0x8b, 8 /* deflate */, 0 };
    const uint8_t *input = sq_gunzip_space(gunzip);
    size_t used = 0;
    assert(count <= SQ_GUNZIP_INPUT_BYTES);
    if (count > 0 && gunzip->state == SQ_GUNZIP_COMPLETE) {
        gunzip->state = SQ_GUNZIP_INVALID; /* bytes after the end */
    }
    if (gunzip->state != SQ_GUNZIP_READING) {
        return;
    }
    for (; used < count && gunzip->header < HEADER_BYTES; gunzip->header++) {
        uint8_t byte = input[used++];
        if (gunzip->header < sizeof(start) && byte != start[gunzip->header]) {
            gunzip->state = SQ_GUNZIP_INVALID;
        }
    }
    gunzip->next.at = used;
    gunzip->next.count = count - used;
    gunzip->has_work = gunzip->state == SQ_GUNZIP_READING && count > used;
}

bool
sq_gunzip_has_work(const struct sq_gunzip *gunzip) {
    return gunzip->has_work;
}

/* Decompresses a part with ISA-L. */
static struct step
inflate(struct inflate_state *isal, const struct request *request,
        uint8_t *input, uint8_t *space) {
    if (request->is_first) {
        isal_inflate_init(isal);
        isal->crc_flag = ISAL_GZIP_NO_HDR_VER;
    }
    if (request->count > 0) {
        isal->next_in = input + request->at;
        isal->avail_in = (uint32_t)request->count;
    }
    isal->next_out = space;
    isal->avail_out = (uint32_t)request->room;
    int result = isal_inflate(isal);
    return (struct step){
        .made = request->room - isal->avail_out,
        .left = isal->avail_in,
        .is_bad = result < 0,
        .is_done = isal->block_state == ISAL_BLOCK_FINISH,
    };
}

/* Has the worker do a step, and copies the output, which it may still change.
 */
static bool
ask(struct sq_gunzip *gunzip, uint8_t *space, struct step *out,
    struct sq_err *err) {
    struct request *next = &gunzip->next;
    const struct sq_deadline deadline = sq_foreign_deadline();
    const struct sq_span bytes = { (const char *)next, sizeof(*next) };
    SQ_BUF(reply, sizeof(*out));
    bool ok = sq_worker_start(gunzip->worker, &deadline, err)
           && sq_worker_send(gunzip->worker, bytes,
                             next->is_first ? &gunzip->memory : NULL, &deadline,
                             err)
           && sq_worker_receive(gunzip->worker, &deadline, &reply, err);
    if (ok && reply.len == sizeof(*out)) {
        memcpy(out, reply.data, sizeof(*out));
    }
    if (ok
        && (reply.len != sizeof(*out) || out->made > next->room
            || out->left > SQ_GUNZIP_INPUT_BYTES)) {
        sq_worker_stop(gunzip->worker);
        ok = sq_fail(err, SQ_ERR_FORMAT, "the decompressor sent garbage");
    }
    if (ok) {
        memcpy(space, gunzip->shared + OUTPUT_AT, out->made);
    }
    return ok;
}

bool
sq_gunzip_run(struct sq_gunzip *gunzip, struct sq_buf *out, size_t max_bytes,
              struct sq_err *err) {
    uint8_t *space;
    struct step step = { 0 };
    if (!gunzip->has_work) {
        return true;
    }
    max_bytes = sq_min_size(max_bytes, out->max - out->len);
    max_bytes = sq_min_size(max_bytes, OUTPUT_BYTES);
    max_bytes = max_bytes > 0 ? max_bytes : 1;
    gunzip->next.room = max_bytes;
    if (!sq_buf_reserve(out, max_bytes, &space, err)) {
        return false;
    }
    if (!gunzip->worker) {
        step = inflate(&gunzip->isal, &gunzip->next, gunzip->input, space);
    } else if (!ask(gunzip, space, &step, err)) {
        gunzip->state = SQ_GUNZIP_INVALID;
        gunzip->has_work = false;
        return false;
    }
    sq_buf_commit(out, step.made);
    if (step.is_bad || (step.is_done && step.left > 0)) {
        gunzip->state = SQ_GUNZIP_INVALID;
    } else if (step.is_done) {
        gunzip->state = SQ_GUNZIP_COMPLETE;
    }
    /* With space left in the output, all input has been used. */
    gunzip->has_work =
        gunzip->state == SQ_GUNZIP_READING && step.made == gunzip->next.room;
    gunzip->next = (struct request){ .is_first = false };
    return true;
}

/* The worker. */

bool
sq_gunzip_answer(void *context, struct sq_span bytes, uint8_t *memory,
                 size_t memory_bytes, struct sq_buf *reply,
                 struct sq_err *err) {
    struct request request;
    if (bytes.len != sizeof(request)
        || memory_bytes != OUTPUT_AT + OUTPUT_BYTES) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the request is malformed");
    }
    memcpy(&request, bytes.ptr, sizeof(request));
    if (request.at > SQ_GUNZIP_INPUT_BYTES
        || request.count > SQ_GUNZIP_INPUT_BYTES - request.at
        || request.room > OUTPUT_BYTES) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the request is malformed");
    }
    const struct step step =
        inflate(context, &request, memory, memory + OUTPUT_AT);
    return sq_buf_append(reply, &step, sizeof(step), err);
}

bool
sq_gunzip_serve(struct sq_err *err) {
    struct inflate_state *isal = sq_mem_alloc_aligned(sizeof(*isal));
    struct sq_worker_job job = sq_foreign_job;
    if (!isal) {
        return sq_fail_nomem(err);
    }
    isal_inflate_init(isal);
    job.answer = sq_gunzip_answer;
    job.keeps_memory = true;
    bool ok = sq_worker_serve(&job, isal, err);
    sq_mem_free(isal);
    return ok;
}
