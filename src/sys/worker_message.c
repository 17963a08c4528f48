/* Checks the messages of a worker. */
#include "sys/worker_message.h"

#include <string.h>

#include "util/span.h"
#include "util/utf8.h"

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
    return hint.len > 0 && sq_fail_hint(err, "%.*s", (int)hint.len, hint.ptr);
}
