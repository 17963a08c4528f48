/*
 * A worker: a process of its own that answers requests. It is started at the
 * first request, kept, and started again after it crashed, was killed or did
 * not answer in time. Large data is passed with a request, in memory that both
 * share while it is answered.
 */
#ifndef SQ_SYS_WORKER_H
#define SQ_SYS_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sys/deadline.h"
#include "sys/path.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * The messages between a worker and its owner. What a worker sends is
 * untrusted: the functions are pure and accept any bytes. Private to
 * sys/worker*.c.
 */

#define SQ_WORKER_MAGIC 0x71734b57u

enum sq_worker_kind {
    SQ_WORKER_READY, /* no bytes */
    SQ_WORKER_REQUEST,
    SQ_WORKER_REPLY,
    SQ_WORKER_ERROR, /* struct sq_worker_problem */
};

/* Both sides are the same program, so the order of bytes is the same. */
struct sq_worker_header {
    uint32_t magic;
    uint32_t kind;   /* enum sq_worker_kind */
    uint32_t number; /* of the request that a reply answers */
    uint32_t bytes;  /* that follow */
    uint64_t
        memory; /* bytes of the memory that comes with a request; 0: none */
};

struct sq_worker_problem {
    uint32_t code; /* enum sq_err_code */
    int32_t cause; /* of struct sq_err; may be any number */
    uint32_t quotes;
    char message[SQ_ERR_MESSAGE_SIZE];
    char hint[SQ_ERR_HINT_SIZE];
};

/* What the owner waits for. */
struct sq_worker_expected {
    enum sq_worker_kind kind; /* or SQ_WORKER_ERROR */
    uint32_t number;
    size_t max_bytes; /* of a reply */
};

/* Returns whether a message with this header is acceptable. */
bool sq_worker_header_is_valid(const struct sq_worker_header *header,
                               const struct sq_worker_expected *expected);

/* Sets the error that a worker reports, as valid UTF-8. Returns false. */
bool sq_worker_fail(const struct sq_worker_problem *problem,
                    struct sq_err *err);

#define SQ_WORKER_MAX_REQUEST 4096

struct sq_worker_plan {
    const char *const *argv; /* as in sq_process; must outlive the worker */
    const char *name;        /* for error messages */
    size_t max_reply;        /* bytes */
};

struct sq_worker;

/* Creates a worker without starting its process. Free with destroy. */
bool sq_worker_create(const struct sq_worker_plan *plan, struct sq_worker **out,
                      struct sq_err *err);

/* Ends the process. Accepts NULL. */
void sq_worker_destroy(struct sq_worker *worker);

/*
 * Starts the process unless it runs, and does not wait. Replaces one that has
 * ended since its last reply, or did not become ready for long. Must not be
 * called while a request is open.
 */
bool sq_worker_begin(struct sq_worker *worker, struct sq_err *err);

/*
 * Does the same and waits until it is ready; one that is too late is kept for
 * the next time. Fails with the error of the process if it cannot become ready.
 */
bool sq_worker_start(struct sq_worker *worker,
                     const struct sq_deadline *deadline, struct sq_err *err);

/* Memory that is passed with a request, by sq_call_share_memory. */
struct sq_worker_memory {
    int fd;
    size_t bytes;
};

/*
 * Sends a request to a started worker that has no open request. The caller
 * keeps the memory, which may be NULL.
 */
bool sq_worker_send(struct sq_worker *worker, struct sq_span request,
                    const struct sq_worker_memory *memory,
                    const struct sq_deadline *deadline, struct sq_err *err);

/* Returns the descriptor that becomes readable when a reply arrives. */
int sq_worker_fd(const struct sq_worker *worker);

/*
 * Receives the reply of the open request. If this fails, the process is ended:
 * SQ_ERR_TIMEOUT if it did not answer in time, SQ_ERR_IO if it ended. An error
 * that the worker itself reports does not end it.
 */
bool sq_worker_receive(struct sq_worker *worker,
                       const struct sq_deadline *deadline, struct sq_buf *reply,
                       struct sq_err *err);

/* Ends the process; the next start creates another one. */
void sq_worker_stop(struct sq_worker *worker);

/* Returns the id of the running process, or 0. */
int sq_worker_pid(const struct sq_worker *worker);

/*
 * Writes the path of squint for a process that is to be a worker of this one.
 * It is empty, which cannot be started, in programs that have not said that
 * they are squint: a test that starts itself as a worker would do so without
 * end.
 */
bool sq_worker_program(char out[SQ_PATH_SIZE], struct sq_err *err);

/* Says that main takes squint's arguments. Before other threads start. */
void sq_worker_is_squint(void);

/* What a worker process does. */
struct sq_worker_job {
    /*
     * Called first, with all rights: opens what is needed later. Then rights
     * are given up.
     */
    bool (*open)(void *context, struct sq_err *err);
    /* Called next: prepares to answer. */
    bool (*prepare)(void *context, struct sq_err *err);
    /* Appends the reply to a request; memory is NULL if there is none. */
    bool (*answer)(void *context, struct sq_span request, uint8_t *memory,
                   size_t memory_bytes, struct sq_buf *reply,
                   struct sq_err *err);
    const char *folder;  /* may be read, with what is in it; NULL: none */
    size_t memory_bytes; /* limits of the process */
    int cpu_seconds;
    size_t max_reply;
    bool keeps_memory; /* of a request, for requests without any */
};

/*
 * Answers requests until the other side closes. Standard input is the socket.
 * Fails if it cannot become ready; the other side then knows the error.
 */
bool sq_worker_serve(const struct sq_worker_job *job, void *context,
                     struct sq_err *err);

#endif
