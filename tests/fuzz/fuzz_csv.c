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
    struct sq_csv_row row;
    struct sq_buf scratch;
    bool has_row = true;
    size_t line = 0;
    size_t bytes = 0;
    sq_buf_init(&scratch, SQ_CSV_MAX_ROW_BYTES * 2);
    sq_csv_init(&csv, (struct sq_span){ (const char *)data, size });
    while (sq_csv_next(&csv, &scratch, &row, &has_row, &err) && has_row) {
        assert(row.count >= 1 && row.count <= SQ_CSV_MAX_FIELDS);
        assert(csv.line > line);
        line = csv.line;
        for (size_t i = 0; i < row.count; i++) {
            bytes += row.fields[i].len;
        }
        assert(bytes <= size);
    }
    assert(err.code == SQ_ERR_NONE || err.message[0]);
    assert(err.code != SQ_ERR_NONE || csv.rest.len == 0);
    sq_buf_finish(&scratch);
    return 0;
}
