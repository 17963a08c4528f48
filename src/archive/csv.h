/* Tables as RFC 4180 writes them: rows of fields, quoted where they must be. */
#ifndef SQ_ARCHIVE_CSV_H
#define SQ_ARCHIVE_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_CSV_MAX_FIELDS 64
#define SQ_CSV_MAX_ROW_BYTES ((size_t)64 << 10)

/* A table being read. The text must outlive it. */
struct sq_csv {
    struct sq_span rest;
    char separator;
    size_t line; /* of the row read last, from 1 */
    size_t next_line;
};

struct sq_csv_row {
    struct sq_span fields[SQ_CSV_MAX_FIELDS]; /* without their quotes */
    size_t count;
};

/*
 * Start reading. A byte-order mark is passed over; fields are separated by
 * whichever of comma, semicolon and tab comes first in the first line.
 */
void sq_csv_init(struct sq_csv *csv, struct sq_span text);

/*
 * The next row that is not empty; *has_row false behind the last. The fields
 * are in scratch, which is cleared first, and valid until it changes. Lines
 * may end in "\n", "\r\n" or "\r". SQ_ERR_FORMAT names the line where quotes
 * are wrong, SQ_ERR_LIMIT a row too long.
 */
bool sq_csv_next(struct sq_csv *csv, struct sq_buf *scratch,
                 struct sq_csv_row *row, bool *has_row, struct sq_err *err);

#endif
