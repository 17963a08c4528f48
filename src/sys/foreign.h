/*
 * Reads bytes of others in confined processes, so that a flaw in a parser
 * reaches neither files nor secrets of a server. In programs that have not
 * called sq_foreign_start, everything is read in the process itself.
 */
#ifndef SQ_SYS_FOREIGN_H
#define SQ_SYS_FOREIGN_H

#include "sys/worker.h"

/*
 * From now on all threads of this process read in workers, which are started
 * when they are needed: `program decode-worker`. One that does not answer
 * within timeout_ms is ended.
 */
bool sq_foreign_start(const char *program, int timeout_ms, struct sq_err *err);

#define SQ_FOREIGN_TIMEOUT_MS 10000

/* Ends the workers. No thread may be reading. */
void sq_foreign_stop(void);

/* Returns whether workers read for this process. */
bool sq_foreign_is_on(void);

#define SQ_FOREIGN_NAME_SIZE 16

/* What a worker is asked. */
struct sq_foreign_question {
    const char *reader;     /* its name */
    struct sq_span request; /* for the reader */
    struct sq_span input;   /* bytes of others */
    size_t room;            /* for what does not belong in the reply */
    size_t max_reply;
    /*
     * Checks a reply, and keeps what is wanted of it: the process that answers
     * reads bytes of others, and can send anything. Sets err only if memory is
     * missing.
     */
    bool (*accept)(void *context, struct sq_span reply, struct sq_err *err);
    void *context;
};

/* Start with no descriptor: .memory.fd = -1. End with sq_foreign_finish. */
struct sq_foreign_answer {
    struct sq_buf reply;
    struct sq_worker_memory memory; /* constant from now on */
    size_t room_at;                 /* where the room begins in it */
};

/*
 * Has a worker answer. A worker that crashes, hangs or sends what is not valid
 * is ended, and the next question gets another one.
 */
bool sq_foreign_ask(const struct sq_foreign_question *question,
                    struct sq_foreign_answer *out, struct sq_err *err);
void sq_foreign_finish(struct sq_foreign_answer *answer);

/*
 * For a worker of its owner alone: the program to start, which stays valid, and
 * the time that an answer may take.
 */
const char *sq_foreign_program(void);
struct sq_deadline sq_foreign_deadline(void);

/* The worker. */

struct sq_foreign_room {
    uint8_t *bytes;
    size_t size;
};

struct sq_foreign_reader {
    const char *name;
    size_t request_size;
    bool (*answer)(const void *request, struct sq_span input,
                   struct sq_foreign_room room, struct sq_buf *reply,
                   struct sq_err *err);
};

/* Answers questions for readers (NULL at the end) until the stream is closed.
 */
bool sq_foreign_serve(const struct sq_foreign_reader *const *readers,
                      struct sq_err *err);

/*
 * Answers one request; see struct sq_worker_job. The context points to the
 * readers.
 */
bool sq_foreign_answer(void *context, struct sq_span request, uint8_t *memory,
                       size_t memory_bytes, struct sq_buf *reply,
                       struct sq_err *err);

/* The limits of a process that reads bytes of others. */
extern const struct sq_worker_job sq_foreign_job;

#endif
