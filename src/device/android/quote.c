/* Quotes text for the device's shell. */
#include "device/android/quote.h"

/* A single quote inside quotes: close, add an escaped quote, reopen. */
#define QUOTE "'\\''"

bool
sq_shell_quote(struct sq_buf *out, struct sq_span text, struct sq_err *err) {
    const size_t start = out->len;
    struct sq_span rest = text;
    struct sq_span piece;
    if (sq_span_contains(text, '\0')) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the text contains NUL");
    }
    bool ok = sq_buf_append(out, "'", 1, err);
    while (ok && sq_span_take_until(&rest, '\'', &piece)) {
        ok = sq_buf_append(out, piece.ptr, piece.len, err)
          && sq_buf_append(out, QUOTE, sizeof(QUOTE) - 1, err);
    }
    ok = ok && sq_buf_append(out, rest.ptr, rest.len, err)
      && sq_buf_append(out, "'", 1, err);
    if (!ok) {
        sq_buf_clear(out);
        sq_buf_commit(out, start);
    }
    return ok;
}
