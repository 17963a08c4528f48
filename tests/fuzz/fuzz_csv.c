/*
 * Any bytes are rows, or refused with a line number. Rows stay within their
 * limits, line numbers only increase, and no more is read than there is.
 */
#include <assert.h>

#include "archive/activity/csv.h"
#include "fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_err err = { 0 };
    struct sq_csv csv;
    bool has_row = true;
    size_t line = 0;
    size_t bytes = 0;
    sq_csv_init(&csv, (struct sq_span){ (const char *)data, size });
    while (sq_csv_next(&csv, &has_row, &err) && has_row) {
        assert(csv.count >= 1 && csv.count <= SQ_CSV_MAX_FIELDS);
        assert(csv.line > line);
        line = csv.line;
        for (size_t i = 0; i < csv.count; i++) {
            bytes += csv.fields[i].len;
        }
        assert(bytes <= size);
    }
    assert(err.code == SQ_ERR_NONE || err.message[0]);
    assert(err.code != SQ_ERR_NONE || csv.rest.len == 0);
    sq_csv_finish(&csv);
    return 0;
}
