/* One command of the line protocol: "op<tab>key=value<tab>key=value". */
#ifndef BENCH_REQUEST_H
#define BENCH_REQUEST_H

#include <stdbool.h>

#include "util/err.h"

#define REQUEST_MAX_PAIRS 16

/* Points into the line it was parsed from. */
struct bench_request {
    const char *op;
    struct {
        const char *key;
        const char *value;
    } pairs[REQUEST_MAX_PAIRS];
    int count;
};

/* Splits a line, which is modified and must outlive the request. */
bool bench_request_parse(char *line, struct bench_request *out,
                         struct sq_err *err);

/* The value of key, or NULL. */
const char *bench_request_text(const struct bench_request *request,
                               const char *key);

/* The value of a required key. */
bool bench_request_need(const struct bench_request *request, const char *key,
                        const char **out, struct sq_err *err);

/* The value of key as a number from 0 up, or fallback if it is absent. */
bool bench_request_number(const struct bench_request *request, const char *key,
                          int fallback, int *out, struct sq_err *err);

#endif
