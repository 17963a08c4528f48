/*
 * Parses any bytes as answers and streams of the adb server. They are refused
 * with an error, or the result is a part of them, in order.
 */
#include <assert.h>
#include <string.h>

#include "device/android/link.h"
#include "fuzz/fuzz.h"

#define MOST 4096

/* The bytes, in pieces whose lengths they determine themselves. */
struct tape {
    const uint8_t *bytes;
    size_t len;
    size_t at;
};

static bool
read_some(void *context, void *into, size_t room, size_t *got,
          struct sq_err *err) {
    struct tape *tape = context;
    size_t left = tape->len - tape->at;
    (void)err;
    size_t piece = left ? tape->bytes[tape->at] % 16 + 1u : 0;
    piece = piece < left ? piece : left;
    piece = piece < room ? piece : room;
    if (piece) {
        memcpy(into, tape->bytes + tape->at, piece);
    }
    tape->at += piece;
    *got = piece;
    return true;
}

static bool
read_exactly(void *context, void *into, size_t len, struct sq_err *err) {
    struct tape *tape = context;
    if (len > tape->len - tape->at) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "the bytes have ended");
    }
    if (len) {
        memcpy(into, tape->bytes + tape->at, len);
    }
    tape->at += len;
    return true;
}

static void
check_refused(const struct sq_err *err) {
    assert(err->code != SQ_ERR_NONE && err->message[0]);
}

static void
check_status(struct tape tape) {
    const struct sq_adb_source source = { .read = read_exactly,
                                          .read_some = read_some,
                                          .context = &tape };
    struct sq_err err = { 0 };
    if (!sq_adb_read_status(&source, &err)) {
        check_refused(&err);
        for (const char *c = err.message; *c; c++) {
            assert((unsigned char)*c >= ' ' && (unsigned char)*c < 0x7f);
        }
    }
}

static void
check_text(struct tape tape) {
    const struct sq_adb_source source = { .read = read_exactly,
                                          .read_some = read_some,
                                          .context = &tape };
    struct sq_err err = { 0 };
    struct sq_buf out;
    sq_buf_init(&out, MOST);
    if (sq_adb_read_text(&source, &out, &err)) {
        assert(out.len + 4 == tape.at
               && memcmp(out.data, tape.bytes + 4, out.len) == 0);
    } else {
        check_refused(&err);
        assert(out.len == 0);
    }
    sq_buf_finish(&out);
}

/* Waits for as many bytes as the first of them says, and expects no more. */
static void
look(void *context, struct sq_incoming *incoming) {
    size_t total = incoming->bytes[0];
    struct sq_err err = { 0 };
    (void)context;
    assert(incoming->count > 0);
    if (total < incoming->count || !incoming->expect(incoming, total, &err)) {
        return;
    }
    const uint8_t *start = incoming->bytes;
    for (size_t count = 0; count <= total; count++) {
        if (!incoming->await(incoming, count, &err)) {
            check_refused(&err);
            return;
        }
        assert(incoming->bytes == start && incoming->count >= count
               && incoming->count <= total);
    }
}

static bool
read_shell(struct tape tape, const struct sq_capture_observer *observer,
           struct sq_adb_output *output) {
    const struct sq_adb_source source = { .read = read_exactly,
                                          .read_some = read_some,
                                          .context = &tape };
    struct sq_err err = { 0 };
    sq_adb_output_init(output, MOST);
    output->observer = observer;
    bool ok = sq_adb_read_shell(&source, output, &err);
    if (ok) {
        assert(output->out.len + output->errors.len + 6 <= tape.at);
        assert(output->status == tape.bytes[tape.at - 1]);
    } else {
        check_refused(&err);
    }
    assert(output->out.cap <= MOST && output->errors.cap <= MOST);
    return ok;
}

static void
check_shell(struct tape tape) {
    const struct sq_capture_observer observer = { look, NULL };
    struct sq_adb_output alone;
    struct sq_adb_output seen;
    bool ok = read_shell(tape, NULL, &alone);
    assert(read_shell(tape, &observer, &seen) == ok);
    assert(
        !ok
        || (alone.status == seen.status && alone.out.len == seen.out.len
            && (alone.out.len == 0
                || memcmp(alone.out.data, seen.out.data, alone.out.len) == 0)));
    sq_adb_output_finish(&alone);
    sq_adb_output_finish(&seen);
}

static void
check_rest(struct tape tape) {
    const struct sq_adb_source source = { .read = read_exactly,
                                          .read_some = read_some,
                                          .context = &tape };
    struct sq_err err = { 0 };
    struct sq_buf out;
    sq_buf_init(&out, MOST);
    if (sq_adb_read_rest(&source, &out, &err)) {
        assert(out.len == tape.len
               && (out.len == 0 || memcmp(out.data, tape.bytes, out.len) == 0));
    } else {
        check_refused(&err);
        assert(tape.len >= MOST);
    }
    sq_buf_finish(&out);
}

static void
check_stat(struct tape tape) {
    const struct sq_adb_source source = { .read = read_exactly,
                                          .read_some = read_some,
                                          .context = &tape };
    struct sq_err err = { 0 };
    struct sq_adb_stat stat;
    if (sq_adb_read_stat(&source, &stat, &err)) {
        assert(tape.at == 16 && memcmp(tape.bytes, "STAT", 4) == 0);
    } else {
        check_refused(&err);
    }
}

static void
check_file(struct tape tape) {
    const struct sq_adb_source source = { .read = read_exactly,
                                          .read_some = read_some,
                                          .context = &tape };
    struct sq_err err = { 0 };
    struct sq_buf out;
    bool ended;
    sq_buf_init(&out, MOST);
    if (sq_adb_read_file(&source, SIZE_MAX, &out, &ended, &err)) {
        assert(out.len + 8 <= tape.at
               && memcmp(tape.bytes + tape.at - 8, "DONE", 4) == 0);
    } else {
        check_refused(&err);
        assert(out.len == 0);
    }
    assert(out.cap <= MOST);
    sq_buf_finish(&out);
}

/* Removes only a carriage return before a line feed. */
static void
check_terminal(struct tape tape) {
    struct sq_buf bytes;
    sq_buf_init(&bytes, tape.len);
    if (sq_buf_append(&bytes, tape.bytes, tape.len, NULL)) {
        sq_adb_undo_terminal(&bytes, 0);
        size_t at = 0;
        for (size_t i = 0; i < tape.len; i++) {
            bool kept = at < bytes.len && bytes.data[at] == tape.bytes[i]
                     && !(tape.bytes[i] == '\r' && i + 1 < tape.len
                          && tape.bytes[i + 1] == '\n');
            assert(kept || tape.bytes[i] == '\r');
            at += kept;
        }
        assert(at == bytes.len);
    }
    sq_buf_finish(&bytes);
}

/* Removes only the mark, a number and a line feed at the end. */
static void
check_end(struct tape tape) {
    struct sq_adb_output output;
    struct sq_err err = { 0 };
    sq_adb_output_init(&output, tape.len);
    if (!sq_buf_append(&output.out, tape.bytes, tape.len, NULL)) {
        return;
    }
    if (sq_adb_cut_end(&output, 0, &err)) {
        size_t gone = tape.len - output.out.len;
        assert(gone >= sizeof(SQ_MARK "0\n") - 1
               && gone <= sizeof(SQ_MARK "000\n") - 1);
        assert(memcmp(tape.bytes + output.out.len, SQ_MARK, sizeof(SQ_MARK) - 1)
               == 0);
        assert(output.status >= 0 && output.status <= 999);
    } else {
        check_refused(&err);
        assert(output.out.len == tape.len);
    }
    sq_adb_output_finish(&output);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const struct tape tape = { data, size, 0 };
    check_status(tape);
    check_text(tape);
    check_shell(tape);
    check_rest(tape);
    check_stat(tape);
    check_file(tape);
    check_terminal(tape);
    check_end(tape);
    return 0;
}
