/* Parsing the bytes of the adb server, complete and broken. */
#include "device/android/link.h"

#include "unit/device/android/tape.h"

T_CASE(requests_start_with_their_length) {
    static char most[SQ_ADB_MAX_REQUEST + 1];
    T_BUF(out, sizeof(most) + 100);
    T_OK(sq_adb_put_request(&out, SQ_SPAN("host:version"), &t_err));
    T_BYTES(out.data, out.len, "000chost:version", 16);
    sq_buf_clear(&out);
    T_OK(sq_adb_put_request(&out, (struct sq_span){ most, SQ_ADB_MAX_REQUEST },
                            &t_err));
    T_BYTES(out.data, 4, "ffff", 4);
    sq_buf_clear(&out);
    T_FAILS(sq_adb_put_request(&out, (struct sq_span){ most, sizeof(most) },
                               &t_err),
            SQ_ERR_LIMIT);
    T_INT(out.len, 0);
}

static bool
put_version(struct sq_buf *out, struct sq_err *err) {
    return sq_adb_put_request(out, SQ_SPAN("host:version"), err);
}

static bool
put_stat(struct sq_buf *out, struct sq_err *err) {
    return sq_adb_put_sync(out, "STAT", SQ_SPAN("/abc"), err);
}

/* What does not fit leaves nothing. */
T_CASE(requests_are_whole) {
    bool (*const put[])(struct sq_buf * out,
                        struct sq_err * err) = { put_version, put_stat };
    static const size_t sizes[] = { 16, 12 };
    for (size_t i = 0; i < SQ_COUNT(put); i++) {
        for (size_t max = 1; max <= sizes[i] + 1; max++) {
            T_BUF(out, max);
            T_OK(sq_buf_append(&out, "?", 1, &t_err));
            bool ok = put[i](&out, &t_err);
            T_INT(ok, max == sizes[i] + 1);
            T_INT(out.len, ok ? max : 1);
        }
    }
}

T_CASE(errors_have_hints) {
    static const struct {
        const char *bytes;
        enum sq_err_code code;
        const char *says;
        bool hints;
    } cases[] = {
        { "OKAY", SQ_ERR_NONE, "", false },
        { "FAIL000edevice offline", SQ_ERR_DEVICE_OFFLINE, "device offline",
          true },
        { "FAIL0017device 'nope' not found", SQ_ERR_DEVICE_NOT_FOUND,
          "'nope' not found", true },
        { "FAIL0033device unauthorized.\nThis adb server's keys are not",
          SQ_ERR_DEVICE_OFFLINE, "unauthorized. This adb server's keys", true },
        { "FAIL0018device still authorizing", SQ_ERR_DEVICE_OFFLINE,
          "authorizing", true },
        { "FAIL0017device still connecting", SQ_ERR_DEVICE_OFFLINE,
          "connecting", true },
        { "FAIL001ano devices/emulators found", SQ_ERR_DEVICE_NOT_FOUND,
          "no devices", true },
        { "FAIL0014unknown host service", SQ_ERR_UNSUPPORTED,
          "unknown host service", true },
        { "FAIL0006closed", SQ_ERR_UNSUPPORTED, "closed", true },
        { "FAIL0000", SQ_ERR_IO, "without a reason", true },
        { "FAIL0003\033\001x", SQ_ERR_IO, "adb:   x", true },
        { "FAIL0005a\177\200b ", SQ_ERR_IO, "adb: a  b", true },
        { "FAILzzzz", SQ_ERR_FORMAT, "an invalid length", true },
        { "FAIL00z0", SQ_ERR_FORMAT, "an invalid length", true },
        { "FAIL0010short", SQ_ERR_TRUNCATED, "ended", false },
        { "FAIL00", SQ_ERR_TRUNCATED, "ended", false },
        { "FA", SQ_ERR_TRUNCATED, "ended", false },
        { "", SQ_ERR_TRUNCATED, "ended", false },
        { "HTTP/1.1 400", SQ_ERR_FORMAT, "neither OKAY nor FAIL", true },
        { "okay", SQ_ERR_FORMAT, "neither OKAY nor FAIL", true },
    };
    T_EACH(i, cases) {
        struct tape tape = { .bytes = cases[i].bytes,
                             .len = strlen(cases[i].bytes) };
        struct sq_err err = { 0 };
        bool ok = sq_adb_read_status(SOURCE(&tape), &err);
        T_INT(ok, cases[i].code == SQ_ERR_NONE);
        T_INT(err.code, cases[i].code);
        T_HAS(err.message, cases[i].says);
        T_INT(err.hint[0] != '\0', cases[i].hints);
    }
}

T_CASE(texts_have_a_length_prefix) {
    struct tape whole = TAPE("0005hello, and more");
    struct tape none = TAPE("0000");
    struct tape cut = TAPE("0006hello");
    struct tape sign = TAPE("-001x");
    struct tape large = TAPE("FfFf");
    T_BUF(out, 100);
    T_OK(sq_adb_read_text(SOURCE(&whole), &out, &t_err));
    T_BYTES(out.data, out.len, "hello", 5);
    T_OK(sq_adb_read_text(SOURCE(&none), &out, &t_err));
    T_INT(out.len, 5);
    T_FAILS(sq_adb_read_text(SOURCE(&cut), &out, &t_err), SQ_ERR_TRUNCATED);
    T_FAILS(sq_adb_read_text(SOURCE(&sign), &out, &t_err), SQ_ERR_FORMAT);
    T_FAILS(sq_adb_read_text(SOURCE(&large), &out, &t_err), SQ_ERR_LIMIT);
    T_INT(out.len, 5);
}

T_CASE(rest_is_read_to_the_end) {
    static char bytes[300000];
    for (size_t i = 0; i < sizeof(bytes); i++) {
        bytes[i] = (char)t_random();
    }
    static const size_t steps[] = { 0, 1, 4096, 70000 };
    for (size_t i = 0; i < SQ_COUNT(steps); i++) {
        struct tape tape = { bytes, i == 1 ? 1000 : sizeof(bytes), 0,
                             steps[i] };
        T_BUF(out, sizeof(bytes) + 1);
        T_OK(sq_adb_read_rest(SOURCE(&tape), &out, &t_err));
        T_BYTES(out.data, out.len, bytes, tape.len);
    }
    struct tape tape = { bytes, sizeof(bytes), 0, 0 };
    T_BUF(small, sizeof(bytes) - 1);
    T_FAILS(sq_adb_read_rest(SOURCE(&tape), &small, &t_err), SQ_ERR_LIMIT);
}

static bool
fail_to_read(void *context, void *into, size_t room, size_t *got,
             struct sq_err *err) {
    return sq_fail(err, SQ_ERR_TRUNCATED, "the tape is torn");
}

T_CASE(broken_connection_is_no_end) {
    const struct sq_adb_source torn = { .read_some = fail_to_read };
    T_BUF(out, 100);
    T_FAILS(sq_adb_read_rest(&torn, &out, &t_err), SQ_ERR_TRUNCATED);
}

T_CASE(carriage_returns_of_a_terminal_are_removed) {
    static const struct {
        const char *shown;
        const char *output;
    } cases[] = {
        { "", "" },
        { "a\r\nb\r\n", "a\nb\n" },
        { "a\nb\r", "a\nb\r" },
        { "\r\r\n", "\r\n" },
        { "\r\n\r\n", "\n\n" },
        { "x\ry", "x\ry" },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        T_BUF(bytes, 100);
        /* Existing content is unchanged. */
        T_OK(sq_buf_printf(&bytes, &t_err, "\r\n%s", cases[i].shown));
        sq_adb_undo_terminal(&bytes, 2);
        T_BYTES(bytes.data, 2, "\r\n", 2);
        T_BYTES(bytes.data + 2, bytes.len - 2, cases[i].output,
                strlen(cases[i].output));
    }
}

T_CASE(files_are_requested_by_path) {
    static char most[SQ_ADB_MAX_PATH + 1];
    T_BUF(out, 2 * sizeof(most));
    T_OK(sq_adb_put_sync(&out, "STAT", SQ_SPAN("/a"), &t_err));
    T_OK(sq_adb_put_sync(&out, "RECV", SQ_SPAN("/bc"), &t_err));
    T_BYTES(out.data, out.len, "STAT\2\0\0\0/aRECV\3\0\0\0/bc", 21);
    memset(most, 'x', sizeof(most));
    T_FAILS(sq_adb_put_sync(&out, "STAT",
                            (struct sq_span){ most, sizeof(most) }, &t_err),
            SQ_ERR_LIMIT);
    T_INT(out.len, 21);
    T_OK(sq_adb_put_sync(&out, "STAT",
                         (struct sq_span){ most, SQ_ADB_MAX_PATH }, &t_err));
}

T_CASE(file_has_a_size_or_does_not_exist) {
    struct tape there = TAPE("STAT\260\201\0\0\5\1\0\0\322\2\226\111");
    struct tape none = TAPE("STAT\0\0\0\0\0\0\0\0\0\0\0\0");
    struct tape other = TAPE("DENT\0\0\0\0\0\0\0\0\0\0\0\0");
    struct tape cut = TAPE("STAT\0\0\0\0\0\0\0\0\0\0\0");
    struct sq_adb_stat stat = { 0 };
    T_OK(sq_adb_read_stat(SOURCE(&there), &stat, &t_err));
    T_INT(stat.mode, 0100660);
    T_INT(stat.size, 261);
    T_INT(stat.modified_s, 1234567890);
    T_FAILS(sq_adb_read_stat(SOURCE(&other), &stat, &t_err), SQ_ERR_FORMAT);
    T_FAILS(sq_adb_read_stat(SOURCE(&cut), &stat, &t_err), SQ_ERR_TRUNCATED);
    T_INT(stat.size, 261);
    T_OK(sq_adb_read_stat(SOURCE(&none), &stat, &t_err));
    T_INT(stat.mode, 0);
}

T_CASE(files_are_received_in_pieces) {
    struct tape whole = TAPE("DATA\3\0\0\0abcDATA\0\0\0\0"
                             "DATA\2\0\0\0deDONE\0\0\0\0more");
    struct tape empty = TAPE("DONE\7\0\0\0");
    bool ended = true;
    T_BUF(out, 10);
    T_OK(sq_adb_read_file(SOURCE(&whole), 2, &out, &ended, &t_err));
    T_BYTES(out.data, out.len, "abc", 3);
    T(!ended);
    T_OK(sq_adb_read_file(SOURCE(&whole), SIZE_MAX, &out, &ended, &t_err));
    T_BYTES(out.data, out.len, "abcde", 5);
    T(ended);
    T_INT(whole.len - whole.at, 4);
    T_OK(sq_adb_read_file(SOURCE(&empty), SIZE_MAX, &out, &ended, &t_err));
    T_INT(out.len, 5);
}

#define PIECE "DATA\3\0\0\0abc"

T_CASE(truncated_file_is_an_error) {
    static const struct {
        struct tape tape;
        enum sq_err_code code;
        const char *says;
    } cases[] = {
        { TAPE(PIECE "FAIL\4\0\0\0oops"), SQ_ERR_IO, "oops" },
        { TAPE("FAIL\31\0\0\0No such file or directory"), SQ_ERR_NOT_FOUND,
          "No such file" },
        { TAPE("FAIL\377\0\0\0oops"), SQ_ERR_TRUNCATED, "ended" },
        { TAPE("FAIL\0\0\0\0"), SQ_ERR_IO, "did not send the file" },
        { TAPE(PIECE "STAT\0\0\0\0"), SQ_ERR_FORMAT, "invalid sync packet" },
        { TAPE("DATA\1\0\1\0"), SQ_ERR_FORMAT, "invalid sync packet" },
        { TAPE("DATA\377\377\377\377"), SQ_ERR_FORMAT, "invalid sync packet" },
        { TAPE(PIECE "DATA\0\0\1\0"), SQ_ERR_LIMIT, "" },
        { TAPE(PIECE PIECE PIECE PIECE), SQ_ERR_LIMIT, "" },
        { TAPE(PIECE "DONE\0\0\0"), SQ_ERR_TRUNCATED, "ended" },
        { TAPE(PIECE), SQ_ERR_TRUNCATED, "ended" },
        { TAPE("DATA\3\0\0\0ab"), SQ_ERR_TRUNCATED, "ended" },
    };
    T_EACH(i, cases) {
        struct tape tape = cases[i].tape;
        bool ended;
        T_BUF(out, 12);
        T_OK(sq_buf_append(&out, "??", 2, &t_err));
        T(!sq_adb_read_file(SOURCE(&tape), SIZE_MAX, &out, &ended, &t_err));
        T_INT(t_err.code, cases[i].code);
        T_HAS(t_err.message, cases[i].says);
        T_BYTES(out.data, out.len, "??", 2);
    }
}

T_ALLOC_CASE(out_of_memory_is_reported, 3) {
    struct tape talk = TAPE("0003abc");
    struct tape refusal = TAPE("FAIL0006closed");
    struct tape file = TAPE(PIECE "DONE\0\0\0\0");
    struct sq_buf text;
    struct sq_buf bytes;
    struct sq_err expected = { 0 };
    bool ended;
    sq_buf_init(&text, 1000);
    sq_buf_init(&bytes, 1000);
    bool ok = sq_adb_read_text(SOURCE(&talk), &text, err)
           && sq_adb_put_sync(&text, "STAT", SQ_SPAN("/a"), err)
           && sq_adb_read_file(SOURCE(&file), SIZE_MAX, &bytes, &ended, err);
    sq_buf_finish(&text);
    sq_buf_finish(&bytes);
    if (ok && !sq_adb_read_status(SOURCE(&refusal), &expected)
        && expected.code == SQ_ERR_NOMEM) {
        return sq_fail_nomem(err);
    }
    return ok;
}
