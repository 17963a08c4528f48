/* Parses CSV files. */
#include "archive/activity/csv.h"

void
sq_csv_init(struct sq_csv *csv, struct sq_span text) {
    *csv = (struct sq_csv){ .rest = text, .separator = ',', .next_line = 1 };
    sq_buf_init(&csv->texts, SQ_CSV_MAX_ROW_BYTES * 2);
    sq_span_take_prefix(&csv->rest, "\xef\xbb\xbf");
    bool in_quotes = false;
    for (size_t i = 0; i < csv->rest.len; i++) {
        char byte = csv->rest.ptr[i];
        in_quotes = in_quotes != (byte == '"');
        if (!in_quotes && (byte == '\n' || byte == '\r')) {
            break;
        }
        if (!in_quotes && (byte == ',' || byte == ';' || byte == '\t')) {
            csv->separator = byte;
            break;
        }
    }
}

void
sq_csv_finish(struct sq_csv *csv) {
    sq_buf_finish(&csv->texts);
}

static char
peek(const struct sq_csv *csv) {
    return csv->rest.ptr[0];
}

static void
skip(struct sq_csv *csv) {
    sq_span_skip(&csv->rest, 1);
}

static bool
at_line_end(const struct sq_csv *csv) {
    return !csv->rest.len || peek(csv) == '\n' || peek(csv) == '\r';
}

/* Skips "\n", "\r\n" or "\r". */
static void
skip_line_end(struct sq_csv *csv) {
    if (csv->rest.len && peek(csv) == '\r') {
        skip(csv);
        if (csv->rest.len && peek(csv) == '\n') {
            skip(csv);
        }
    } else if (csv->rest.len) {
        skip(csv);
    }
    csv->next_line++;
}

static bool
fail_quotes(const struct sq_csv *csv, struct sq_err *err) {
    sq_fail(err, SQ_ERR_FORMAT,
            "line %zu: a quoted field is not closed, or text follows its "
            "closing quote",
            csv->line);
    return sq_fail_hint(err, "Write \"\" for a quote inside a quoted field.");
}

/* Reads a quoted field after its opening quote. */
static bool
take_quoted(struct sq_csv *csv, struct sq_err *err) {
    while (csv->rest.len) {
        char byte = peek(csv);
        bool is_quote = byte == '"';
        skip(csv);
        if (is_quote && (!csv->rest.len || peek(csv) != '"')) {
            return at_line_end(csv) || peek(csv) == csv->separator
                || fail_quotes(csv, err);
        }
        if (is_quote) {
            skip(csv);
        }
        bool is_pair = byte == '\r' && csv->rest.len && peek(csv) == '\n';
        csv->next_line += (byte == '\n' || byte == '\r') && !is_pair;
        if (!sq_buf_append_byte(&csv->texts, byte, err)) {
            return false;
        }
    }
    return fail_quotes(csv, err);
}

static bool
take_field(struct sq_csv *csv, struct sq_err *err) {
    if (csv->rest.len && peek(csv) == '"') {
        skip(csv);
        return take_quoted(csv, err);
    }
    size_t len = 0;
    while (len < csv->rest.len && csv->rest.ptr[len] != csv->separator
           && csv->rest.ptr[len] != '\n' && csv->rest.ptr[len] != '\r') {
        len++;
    }
    bool ok = sq_buf_append(&csv->texts, csv->rest.ptr, len, err);
    sq_span_skip(&csv->rest, len);
    return ok;
}

static bool
take_row(struct sq_csv *csv, struct sq_err *err) {
    size_t ends[SQ_CSV_MAX_FIELDS];
    bool is_last = false;
    csv->count = 0;
    while (!is_last) {
        if (csv->count == SQ_CSV_MAX_FIELDS) {
            return sq_fail(err, SQ_ERR_LIMIT, "line %zu: more than %d fields",
                           csv->line, SQ_CSV_MAX_FIELDS);
        }
        if (!take_field(csv, err)) {
            return sq_fail_in(err, "the CSV file");
        }
        ends[csv->count++] = csv->texts.len;
        if (csv->texts.len > SQ_CSV_MAX_ROW_BYTES) {
            return sq_fail(err, SQ_ERR_LIMIT, "line %zu is too long",
                           csv->line);
        }
        is_last = at_line_end(csv);
        if (!is_last) {
            skip(csv);
        }
    }
    skip_line_end(csv);
    /* Sets the fields once all are read, because the buffer may have moved. */
    const char *texts = csv->texts.data ? (const char *)csv->texts.data : "";
    for (size_t i = 0; i < csv->count; i++) {
        size_t start = i ? ends[i - 1] : 0;
        csv->fields[i] = (struct sq_span){ texts + start, ends[i] - start };
    }
    return true;
}

bool
sq_csv_next(struct sq_csv *csv, bool *has_row, struct sq_err *err) {
    while (csv->rest.len && at_line_end(csv)) {
        skip_line_end(csv);
    }
    *has_row = csv->rest.len > 0;
    if (!*has_row) {
        return true;
    }
    sq_buf_clear(&csv->texts);
    csv->line = csv->next_line;
    return take_row(csv, err);
}
