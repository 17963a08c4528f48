/* The jobs of bench-jobs, by name. */
#ifndef BENCH_JOBS_H
#define BENCH_JOBS_H

#include "request.h"
#include "util/buf.h"

/* A frame in memory, kept between commands so that loading is never timed. */
struct bench_input {
    char *path; /* NULL while empty */
    struct sq_buf bytes;
};

/* Free what it holds; safe on a zeroed value. */
void bench_input_finish(struct bench_input *input);

/*
 * Run the job of a request and append its answer, one JSON object. The input is
 * read from the request's file unless that file is loaded already.
 */
bool bench_job_run(const struct bench_request *request,
                   struct bench_input *input, struct sq_buf *answer,
                   struct sq_err *err);

#endif
