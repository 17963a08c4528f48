#include "request.h"

#include <limits.h>
#include <string.h>

bool
bench_request_parse(char *line, struct bench_request *out, struct sq_err *err) {
    struct bench_request request = { .op = line };
    char *tab = strchr(line, '\t');
    while (tab) {
        *tab = '\0';
        char *key = tab + 1;
        tab = strchr(key, '\t');
        char *equals = strchr(key, '=');
        if (!equals || (tab && equals > tab)) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "a word without \"=\"");
        }
        if (request.count == REQUEST_MAX_PAIRS) {
            return sq_fail(err, SQ_ERR_LIMIT, "too many words");
        }
        *equals = '\0';
        request.pairs[request.count].key = key;
        request.pairs[request.count].value = equals + 1;
        request.count++;
    }
    *out = request;
    return true;
}

const char *
bench_request_text(const struct bench_request *request, const char *key) {
    for (int i = 0; i < request->count; i++) {
        if (strcmp(request->pairs[i].key, key) == 0) {
            return request->pairs[i].value;
        }
    }
    return NULL;
}

bool
bench_request_need(const struct bench_request *request, const char *key,
                   const char **out, struct sq_err *err) {
    const char *value = bench_request_text(request, key);
    if (!value) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "%s needs %s", request->op, key);
    }
    *out = value;
    return true;
}

bool
bench_request_number(const struct bench_request *request, const char *key,
                     int fallback, int *out, struct sq_err *err) {
    const char *text = bench_request_text(request, key);
    if (!text) {
        *out = fallback;
        return true;
    }
    int number = 0;
    for (const char *p = text; *p || p == text; p++) {
        if (*p < '0' || *p > '9' || number > INT_MAX / 10 - 1) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "%s is no number: \"%s\"", key,
                           text);
        }
        number = number * 10 + (*p - '0');
    }
    *out = number;
    return true;
}
