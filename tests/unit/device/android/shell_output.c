/* Output of commands: complete, broken, and observed while it arrives. */
#include "device/android/link.h"

#include "unit/device/android/tape.h"
#include "util/mem.h"

#define MAX_SAID 20000

T_CASE(streams_of_a_shell_are_separate) {
    struct tape tape = TAPE("\1\3\0\0\0abc"
                            "\2\4\0\0\0oops"
                            "\1\0\0\0\0"
                            "\1\2\0\0\0de"
                            "\3\1\0\0\0\7");
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    sq_adb_output_init(&output, 1000);
    T_OK(sq_adb_read_shell(SOURCE(&tape), &output, &t_err));
    T_BYTES(output.out.data, output.out.len, "abcde", 5);
    T_BYTES(output.errors.data, output.errors.len, "oops", 4);
    T_INT(output.status, 7);
    T_INT(tape.at, tape.len);
}

T_CASE(incomplete_output_is_never_accepted) {
    static const char whole[] = "\2\4\0\0\0oops"
                                "\1\3\0\0\0abc"
                                "\3\1\0\0\0\0";
    for (size_t len = 0; len + 1 < sizeof(whole) - 1; len++) {
        struct tape tape = { .bytes = whole, .len = len };
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        sq_adb_output_init(&output, 1000);
        T_FAILS(sq_adb_read_shell(SOURCE(&tape), &output, &t_err),
                SQ_ERR_TRUNCATED);
    }
}

T_CASE(invalid_packets_are_refused) {
    static const struct {
        struct tape tape;
        enum sq_err_code code;
    } cases[] = {
        { TAPE("\0\1\0\0\0x"), SQ_ERR_FORMAT },
        { TAPE("\4\0\0\0\0"), SQ_ERR_FORMAT },
        { TAPE("\377\0\0\0\0"), SQ_ERR_FORMAT },
        { TAPE("\3\0\0\0\0"), SQ_ERR_FORMAT },
        { TAPE("\3\2\0\0\0\0\0"), SQ_ERR_FORMAT },
        { TAPE("\1\1\0\0\0xjunk!"), SQ_ERR_FORMAT },
        /*
         * The announced length does not determine how much memory is allocated.
         */
        { TAPE("\1\377\377\377\377"), SQ_ERR_LIMIT },
        { TAPE("\1\0\0\20\0"), SQ_ERR_LIMIT },
        /* Errors above their limit are read as well. */
        { TAPE("\2\370\3\0\0"), SQ_ERR_TRUNCATED },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        struct tape tape = cases[i].tape;
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        sq_adb_output_init(&output, 1000);
        T_FAILS(sq_adb_read_shell(SOURCE(&tape), &output, &t_err),
                cases[i].code);
        T(output.out.cap <= 1000 && output.errors.cap <= 1000);
    }
}

/* A packet of `count` bytes of standard error, and the rest of an answer. */
static char *
make_noise(uint32_t count, size_t *len) {
    static const char end[] = "\1\2\0\0\0ok\3\1\0\0\0\7";
    char *bytes = malloc(5 + (size_t)count + sizeof(end));
    memset(bytes, 'e', 5 + (size_t)count);
    bytes[0] = 2;
    for (int i = 0; i < 4; i++) {
        bytes[1 + i] = (char)(count >> 8 * i);
    }
    memcpy(bytes + 5 + count, end, sizeof(end) - 1);
    *len = 5 + (size_t)count + sizeof(end) - 1;
    return bytes;
}

/* Its first part, and the complete rest of the answer. */
T_CASE(standard_error_is_kept_up_to_its_limit) {
    static const struct {
        uint32_t count;
        size_t max;
        bool ok;
    } rows[] = {
        { 900, 1000, true },
        { 1000, 1000, true },
        { 5000, 1000, true },
        { 2 << 20, (size_t)64 << 20, true },
        { (16 << 20) + 995, 1000, true },
        { (16 << 20) + 996, 1000, false },
        { 18 << 20, (size_t)64 << 20, false },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        struct tape tape = { .step = 100000 };
        char *bytes = make_noise(rows[i].count, &tape.len);
        tape.bytes = bytes;
        sq_adb_output_init(&output, rows[i].max);
        bool ok = sq_adb_read_shell(SOURCE(&tape), &output, &t_err);
        T(ok == rows[i].ok);
        T(output.errors.len <= output.errors.max);
        T(output.errors.len >= (rows[i].count < output.errors.max - 5
                                    ? rows[i].count
                                    : output.errors.max - 5));
        if (ok) {
            T_BYTES(output.out.data, output.out.len, "ok", 2);
            T_INT(output.status, 7);
        } else {
            T_INT(t_err.code, SQ_ERR_LIMIT);
        }
        free(bytes);
    }
}

T_CASE(end_mark_is_removed_from_output_of_an_old_shell) {
    static const struct {
        const char *output;
        const char *out; /* NULL: incomplete */
        int status;
    } cases[] = {
        { "--squint--0\n", "", 0 },
        { "text\n--squint--0\n", "text\n", 0 },
        { "no line feed--squint--1\n", "no line feed", 1 },
        { "--squint--\n--squint--255\n", "--squint--\n", 255 },
        { "127\n--squint--127\n", "127\n", 127 },
        { "", NULL, 0 },
        { "text\n", NULL, 0 },
        { "--squint--0", NULL, 0 },
        { "--squint--\n", NULL, 0 },
        { "-squint--0\n", NULL, 0 },
        { "--squint--1234\n", NULL, 0 },
        { "--squint--0\nmore\n", NULL, 0 },
    };
    for (size_t i = 0; i < SQ_COUNT(cases); i++) {
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        sq_adb_output_init(&output, 1000);
        T_OK(sq_buf_printf(&output.out, &t_err, "%s", cases[i].output));
        if (T_INT(sq_adb_cut_end(&output, 0, &t_err), cases[i].out != NULL)
            && cases[i].out) {
            T_BYTES(output.out.data, output.out.len, cases[i].out,
                    strlen(cases[i].out));
            T_INT(output.status, cases[i].status);
        } else {
            T_INT(t_err.code, SQ_ERR_TRUNCATED);
        }
    }
}

/* The mark of another exchange is not accepted. */
T_CASE(mark_before_the_command_is_not_its_end) {
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    sq_adb_output_init(&output, 1000);
    T_OK(sq_buf_printf(&output.out, &t_err, "--squint--0\n"));
    T_FAILS(sq_adb_cut_end(&output, output.out.len, &t_err), SQ_ERR_TRUNCATED);
}

/* An observer that records what it sees. */
struct note {
    size_t first;  /* bytes that were there at the start */
    size_t expect; /* the total that it expects; 0: none */
    size_t want;   /* bytes it waits for, one by one */
    size_t got;
    bool moved;
    struct sq_err err;
};

static void
look(void *context, struct sq_incoming *incoming) {
    struct note *note = context;
    note->first = incoming->count;
    bool ok =
        !note->expect || incoming->expect(incoming, note->expect, &note->err);
    const uint8_t *start = incoming->bytes;
    while (ok && note->got < note->want) {
        ok = incoming->await(incoming, note->got + 1, &note->err);
        note->got += ok;
        note->moved = note->moved || incoming->bytes != start;
    }
}

/* Reads a tape with an observer; the caller finishes *output. */
static bool
read_seen_by(struct note *note, struct tape *tape, struct sq_adb_output *output,
             struct sq_err *err) {
    const struct sq_capture_observer observer = { look, note };
    sq_adb_output_init(output, MAX_SAID);
    output->observer = &observer;
    bool ok = sq_adb_read_shell(SOURCE(tape), output, err);
    output->observer = NULL;
    return ok;
}

#define WORDS "\1\3\0\0\0abc\2\1\0\0\0e\1\4\0\0\0defg\3\1\0\0\0\5"
#define WORDS_LEN (sizeof(WORDS) - 1)

T_CASE(observer_sees_output_while_it_arrives) {
    for (size_t step = 1; step < 9; step++) {
        struct tape tape = { .bytes = WORDS, .len = WORDS_LEN, .step = step };
        struct note note = { .want = 7 };
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        T_OK(read_seen_by(&note, &tape, &output, &t_err));
        T(note.first >= 1 && note.first <= 3);
        T_INT(note.got, 7);
        T_BYTES(output.out.data, output.out.len, "abcdefg", 7);
        T_BYTES(output.errors.data, output.errors.len, "e", 1);
        T_INT(output.status, 5);
    }
}

T_CASE(observer_that_stops_early_loses_no_output) {
    for (size_t want = 0; want <= 7; want++) {
        struct tape tape = { .bytes = WORDS, .len = WORDS_LEN, .step = 2 };
        struct note note = { .want = want };
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        T_OK(read_seen_by(&note, &tape, &output, &t_err));
        T_BYTES(output.out.data, output.out.len, "abcdefg", 7);
    }
}

T_CASE(observer_waiting_for_too_much_gets_an_error) {
    struct tape tape = TAPE(WORDS);
    struct note note = { .want = 8 };
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    T_OK(read_seen_by(&note, &tape, &output, &t_err));
    T_INT(note.err.code, SQ_ERR_TRUNCATED);
    T_INT(note.got, 7);
    T_INT(output.status, 5);
}

T_CASE(observer_is_not_called_without_output) {
    struct tape tape = TAPE("\2\1\0\0\0e\3\1\0\0\0\1");
    struct note note = { .first = 77 };
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    T_OK(read_seen_by(&note, &tape, &output, &t_err));
    T_INT(note.first, 77);
    T_INT(output.status, 1);
}

/* The stream breaks while it is observed: both get the error. */
T_CASE(break_is_reported_to_observer_and_caller) {
    for (size_t len = 6; len < WORDS_LEN; len++) {
        struct tape tape = { .bytes = WORDS, .len = len, .step = 3 };
        struct note note = { .want = 7 };
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        T_FAILS(read_seen_by(&note, &tape, &output, &t_err), SQ_ERR_TRUNCATED);
        T(note.got == 7 || note.err.code == SQ_ERR_TRUNCATED);
        T_INT(note.got, output.out.len);
    }
}

/* Expected bytes are not moved, however much more arrives. */
T_CASE(expected_bytes_are_not_moved) {
    enum { PACKET = 300, PACKETS = 40, TOTAL = 6000 };
    static char bytes[PACKETS * (PACKET + 5) + 6];
    size_t len = 0;
    for (int i = 0; i < PACKETS; i++) {
        memcpy(bytes + len, "\1\54\1\0\0", 5);
        memset(bytes + len + 5, 'a' + i % 26, PACKET);
        len += PACKET + 5;
    }
    memcpy(bytes + len, "\3\1\0\0\0\0", 6);
    static const size_t steps[] = { 0, 1, 7, 1000 };
    for (size_t i = 0; i < SQ_COUNT(steps); i++) {
        struct tape tape = { .bytes = bytes,
                             .len = sizeof(bytes),
                             .step = steps[i] };
        struct note note = { .expect = TOTAL, .want = TOTAL };
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        T_OK(read_seen_by(&note, &tape, &output, &t_err));
        T_INT(note.got, TOTAL);
        T(!note.moved);
        T_INT(output.out.len, PACKETS * PACKET);
        T_INT(output.out.data[PACKETS * PACKET - 1], 'a' + (PACKETS - 1) % 26);
    }
}

T_CASE(expecting_more_than_the_limit_is_refused) {
    struct tape tape = TAPE(WORDS);
    struct note note = { .expect = 2 * MAX_SAID, .want = 7 };
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    T_OK(read_seen_by(&note, &tape, &output, &t_err));
    T_INT(note.err.code, SQ_ERR_LIMIT);
    T_BYTES(output.out.data, output.out.len, "abcdefg", 7);
}

T_ALLOC_CASE(out_of_memory_is_reported, 2) {
    struct tape tape = TAPE(WORDS);
    struct note note = { .expect = 7, .want = 7 };
    struct sq_adb_output output;
    bool ok = read_seen_by(&note, &tape, &output, err);
    sq_adb_output_finish(&output);
    if (ok && note.err.code == SQ_ERR_NOMEM) {
        return sq_fail_nomem(err);
    }
    return ok;
}
