/* Compressed output of commands: decompressed while it arrives, and limited. */

#include "device/android/link.h"
#include "support/gzip_maker.h"
#include "unit/device/android/tape.h"
#include "util/minmax.h"

#define MAX_BYTES ((size_t)1 << 20)
#define CONTENT ((size_t)700000)
#define PACKET ((size_t)3000)

static struct sq_gunzip *gunzip;
static uint8_t *content;
static char *answer; /* packets with the compressed content */
static size_t answer_len;

static void
add_packet(int id, const void *bytes, size_t len) {
    char *at = answer + answer_len;
    at[0] = (char)id;
    for (int i = 0; i < 4; i++) {
        at[1 + i] = (char)(len >> 8 * i);
    }
    memcpy(at + 5, bytes, len);
    answer_len += 5 + len;
}

/* Makes an answer of compressed bytes, with a message among its packets. */
static void
make_answer(const uint8_t *bytes, size_t count) {
    size_t len;
    uint8_t *stream = t_gzip(bytes, count, &len);
    answer = malloc(2 * len + 100);
    answer_len = 0;
    for (size_t at = 0; at < len; at += PACKET) {
        add_packet(1, stream + at, sq_min_size(PACKET, len - at));
        if (at == 0) {
            add_packet(2, "oops", 4);
        }
    }
    add_packet(3, "\7", 1);
    free(stream);
}

static void
begin(void) {
    uint32_t random = 1;
    T_OK(sq_gunzip_create(&gunzip, &t_err));
    content = malloc(CONTENT);
    for (size_t i = 0; i < CONTENT; i++) {
        random = random * 1664525 + 1013904223;
        content[i] =
            i % 500 < 20 ? (uint8_t)(random >> 24) : (uint8_t)(i / 999);
    }
    make_answer(content, CONTENT);
}

static void
end(void) {
    sq_gunzip_destroy(gunzip);
    free(content);
    free(answer);
}

/* Waits for all of the expected content, in parts. */
static void
look(void *context, struct sq_incoming *incoming) {
    size_t *seen = context;
    T_OK(incoming->expect(incoming, CONTENT, &t_err));
    const uint8_t *start = incoming->bytes;
    for (size_t count = 0; count < CONTENT; count += 7777) {
        T_OK(incoming->await(incoming, count, &t_err));
        T(incoming->count >= count && incoming->bytes == start);
    }
    T_OK(incoming->await(incoming, CONTENT, &t_err));
    T_BYTES(incoming->bytes, incoming->count, content, CONTENT);
    *seen = incoming->count;
}

T_FIXTURE(begin, end);

T_CASE(output_is_decompressed_while_it_arrives) {
    static const size_t steps[] = { 0, 13, 4000 };
    for (size_t i = 0; i < 2 * SQ_COUNT(steps); i++) {
        size_t seen = 0;
        const struct sq_capture_observer observer = { look, &seen };
        struct tape tape = { .bytes = answer,
                             .len = answer_len,
                             .step = steps[i / 2] };
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        sq_adb_output_init(&output, MAX_BYTES);
        sq_gunzip_reset(gunzip);
        output.gunzip = gunzip;
        output.observer = i % 2 ? &observer : NULL;
        T_OK(sq_adb_read_shell(SOURCE(&tape), &output, &t_err));
        T_INT(sq_gunzip_state(gunzip), SQ_GUNZIP_COMPLETE);
        T_BYTES(output.out.data, output.out.len, content, CONTENT);
        T_BYTES(output.errors.data, output.errors.len, "oops", 4);
        T_INT(output.status, 7);
        T_INT(seen, i % 2 ? CONTENT : 0);
        T_INT(tape.at, tape.len);
    }
}

T_CASE(incomplete_output_is_never_accepted) {
    for (size_t len = 0; len < answer_len; len += 1 + len / 40) {
        struct tape tape = { .bytes = answer, .len = len };
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        sq_adb_output_init(&output, MAX_BYTES);
        sq_gunzip_reset(gunzip);
        output.gunzip = gunzip;
        T_FAILS(sq_adb_read_shell(SOURCE(&tape), &output, &t_err),
                SQ_ERR_TRUNCATED);
    }
}

/* The reader is told by the state, and gets the messages and the status. */
T_CASE(output_that_is_not_compressed_is_no_failure) {
    struct tape tape = TAPE("\1\14\0\0\0hello world\n"
                            "\2\12\0\0\0not found\n"
                            "\1\2\0\0\0ab"
                            "\3\1\0\0\0\177");
    T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    sq_adb_output_init(&output, MAX_BYTES);
    output.gunzip = gunzip;
    T_OK(sq_adb_read_shell(SOURCE(&tape), &output, &t_err));
    T_INT(sq_gunzip_state(gunzip), SQ_GUNZIP_INVALID);
    T_INT(output.out.len, 0);
    T_INT(output.status, 127);
    T_BYTES(output.errors.data, output.errors.len, "not found\n", 10);
}

/* What was asked for before more is added to the output. */
struct admission {
    struct tape tape;
    const struct sq_adb_output *output;
    size_t most;
    size_t allowed;
};

static bool
admit(void *context, size_t capacity, struct sq_err *err) {
    struct admission *admission = context;
    size_t total = admission->output->out.len + capacity;
    admission->most = sq_max_size(admission->most, total);
    return total <= admission->allowed
        || sq_fail(err, SQ_ERR_LIMIT, "too much");
}

/* A small answer cannot take memory that was not granted. */
T_CASE(memory_is_granted_before_it_is_used) {
    static const size_t limits[] = { 0, 1, 4095, 4096, 300000, SIZE_MAX };
    free(answer);
    memset(content, 0, CONTENT);
    make_answer(content, CONTENT);
    T(answer_len < 10000);
    for (size_t i = 0; i < SQ_COUNT(limits); i++) {
        T_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        struct admission admission = {
            .tape = { .bytes = answer, .len = answer_len },
            .output = &output,
            .allowed = limits[i],
        };
        const struct sq_adb_source source = { .read = tape_exactly,
                                              .read_some = tape_some,
                                              .context = &admission,
                                              .admit = admit };
        sq_adb_output_init(&output, MAX_BYTES);
        sq_gunzip_reset(gunzip);
        output.gunzip = gunzip;
        bool ok = sq_adb_read_shell(&source, &output, &t_err);
        T_INT(ok, limits[i] == SIZE_MAX);
        T(ok || t_err.code == SQ_ERR_LIMIT);
        T(output.out.len <= limits[i]);
        T(admission.most > 0);
    }
}
