/* Parses CSV as in RFC 4180. */
#ifndef SQ_ARCHIVE_ACTIVITY_CSV_H
#define SQ_ARCHIVE_ACTIVITY_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_CSV_MAX_FIELDS 64
#define SQ_CSV_MAX_ROW_BYTES ((size_t)64 << 10)

/* A parser and its current row. The text must outlive it. */
struct sq_csv {
    struct sq_span rest;
    char separator;
    size_t line; /* of the row, from 1 */
    size_t next_line;
    struct sq_span fields[SQ_CSV_MAX_FIELDS]; /* without their quotes */
    size_t count;
    struct sq_buf texts; /* of the fields */
};

/*
 * Initialises a parser. Skips a byte-order mark. The separator is the first
 * comma, semicolon or tab in the first line.
 */
void sq_csv_init(struct sq_csv *csv, struct sq_span text);
void sq_csv_finish(struct sq_csv *csv);

/*
 * Reads the next row that is not empty; *has_row is false at the end. Lines may
 * end in "\n", "\r\n" or "\r". Fails with SQ_ERR_FORMAT, naming the line, for
 * invalid quotes, and with SQ_ERR_LIMIT for a row that is too long.
 */
bool sq_csv_next(struct sq_csv *csv, bool *has_row, struct sq_err *err);

#endif
