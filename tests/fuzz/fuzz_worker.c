/*
 * Messages of a worker are refused, or have the expected kind, number and size;
 * an error that it reports is one, with valid text.
 */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "sys/worker.h"
#include "util/span.h"
#include "util/utf8.h"

#define MAX_BYTES 1000

static void
check_problem(const uint8_t *data, size_t size) {
    struct sq_worker_problem problem;
    struct sq_err err = { 0 };
    for (size_t i = 0; i < sizeof(problem); i++) {
        ((uint8_t *)&problem)[i] = size ? data[i % size] : 0xff;
    }
    memcpy(&problem.code, data, size < 4 ? size : 4);
    assert(!sq_worker_fail(&problem, &err));
    assert(err.code > SQ_ERR_NONE && err.code < SQ_ERR_CODES);
    const struct sq_span texts[] = { sq_span_of(err.message),
                                     sq_span_of(err.hint) };
    for (int i = 0; i < 2; i++) {
        assert(sq_utf8_valid_len(texts[i]) == texts[i].len);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_worker_header header;
    const struct sq_worker_expected expected = {
        .kind = SQ_WORKER_REPLY,
        .number = 7,
        .max_bytes = MAX_BYTES,
    };
    if (size < sizeof(header)) {
        return 0;
    }
    memcpy(&header, data, sizeof(header));
    if (sq_worker_header_is_valid(&header, &expected)) {
        assert(header.number == 7);
        assert(header.kind == SQ_WORKER_REPLY
                   ? header.bytes <= MAX_BYTES
                   : header.kind == SQ_WORKER_ERROR
                         && header.bytes == sizeof(struct sq_worker_problem));
    }
    check_problem(data + sizeof(header), size - sizeof(header));
    return 0;
}
