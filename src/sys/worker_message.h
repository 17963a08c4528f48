/*
 * The messages between a worker and its owner. What a worker sends is
 * untrusted: the functions are pure and accept any bytes. Private to
 * sys/worker*.c.
 */
#ifndef SQ_SYS_WORKER_MESSAGE_H
#define SQ_SYS_WORKER_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/err.h"

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
};

struct sq_worker_problem {
    uint32_t code; /* enum sq_err_code */
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

#endif
