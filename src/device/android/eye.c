/* Starts the eye on the phone and takes screenshots with it. */
#include "device/android/eye.h"

#include <stdio.h>
#include <string.h>

#include "device/android/link.h"
#include "eye/programs.h"
#include "sys/clock.h"
#include "sys/folder.h"
#include "sys/sockets.h"
#include "util/bytes.h"
#include "util/minmax.h"

#define HELLO_MS 500
#define START_MS 5000 /* for all exchanges before it runs */
#define MAX_LOSSES 2
#define MAX_ABIS 1024
#define MAX_SHOWN 60
#define FOLDER "/data/local/tmp/"
#define PATH_SIZE 64
#define COMMAND_SIZE (PATH_SIZE + 16)

/* The service sync: takes the program in chunks. */
#define WORD_BYTES 8 /* four letters and a number */
#define CHUNK ((size_t)64 << 10)
#define MODE "33261" /* a regular file, rwxr-xr-x */
#define MAX_REASON 200
#define MODIFIED 1 /* seconds since 1970 */

/* Head and payload of the first message, which wait for screencap. */
#define UNTIMED_READS 2

/* A read from the stream, with what it needs; see begin_read. */
struct stream_read {
    struct sq_adb_source source;
    const struct sq_eye *eye;
    const struct sq_deadline *deadline;
    struct sq_adb_output *output;
    int reads;
    size_t bytes; /* after the first message, and how long they took */
    int64_t ns;
};

static bool
read_exactly(void *context, void *into, size_t len, struct sq_err *err) {
    struct stream_read *read = context;
    int fd = read->eye->stream.fd;
    int64_t start = sq_clock_monotonic_ns();
    /* adb's server sends the rest only after what it sent was received. */
    sq_socket_acknowledge_at_once(fd);
    bool ok = sq_socket_read(fd, into, len, read->deadline, err);
    if (ok && read->reads >= UNTIMED_READS) {
        read->bytes += len;
        read->ns += sq_clock_monotonic_ns() - start;
    }
    read->reads++;
    return ok;
}

static bool
admit(void *context, size_t capacity, struct sq_err *err) {
    const struct stream_read *read = context;
    return sq_adb_memory_admit(read->eye->link->adb->memory, read->output,
                               capacity, read->deadline, err);
}

/* Reads into the output, whose memory counts; NULL: small answers. */
static void
begin_read(struct stream_read *read, const struct sq_eye *eye,
           struct sq_adb_output *output, const struct sq_deadline *deadline) {
    *read = (struct stream_read){
        .source = { .read = read_exactly,
                    .context = read,
                    .admit = output ? admit : NULL },
        .eye = eye,
        .deadline = deadline,
        .output = output,
    };
}

void
sq_eye_finish(struct sq_eye *eye) {
    sq_adb_abandon(&eye->stream);
    sq_eye_talk_finish(&eye->talk);
    eye->is_asked = eye->has_late = false;
}

/* Runs a command whose output is short. The caller frees *output. */
static bool
run(struct sq_adb_link *link, const char *command, struct sq_adb_output *output,
    const struct sq_deadline *deadline, struct sq_err *err) {
    sq_adb_output_init(output, MAX_ABIS);
    return sq_adb_run(link, sq_span_of(command), output, deadline, err);
}

static bool
put_word(struct sq_buf *out, const char *id, size_t number,
         struct sq_err *err) {
    uint8_t word[WORD_BYTES];
    memcpy(word, id, 4);
    sq_store_le32(word + 4, (uint32_t)number);
    return sq_buf_append(out, word, sizeof(word), err);
}

static bool
put_file(struct sq_buf *out, const char *path, struct sq_span bytes,
         struct sq_err *err) {
    size_t name = strlen(path) + 1 + strlen(MODE);
    bool ok = put_word(out, "SEND", name, err)
           && sq_buf_printf(out, err, "%s," MODE, path);
    while (ok && bytes.len > 0) {
        size_t len = bytes.len < CHUNK ? bytes.len : CHUNK;
        ok = put_word(out, "DATA", len, err)
          && sq_buf_append(out, bytes.ptr, len, err);
        sq_span_skip(&bytes, len);
    }
    return ok && put_word(out, "DONE", MODIFIED, err);
}

static bool
read_push_answer(int fd, const struct sq_deadline *deadline,
                 struct sq_err *err) {
    uint8_t word[WORD_BYTES];
    char reason[MAX_REASON];
    if (!sq_socket_read(fd, word, sizeof(word), deadline, err)) {
        return false;
    }
    if (memcmp(word, "OKAY", 4) == 0) {
        return true;
    }
    size_t len = sq_load_le32(word + 4);
    if (memcmp(word, "FAIL", 4) != 0) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the device sent an invalid answer to a file");
    }
    len = len < sizeof(reason) ? len : sizeof(reason);
    return sq_socket_read(fd, reason, len, deadline, err)
        && sq_fail_quoting(err, SQ_ERR_IO,
                           "the device did not take the file: %.*s", (int)len,
                           reason);
}

/* Copies the program to the phone, starts it and checks what runs there. */
static bool
start_program(struct sq_eye *eye, const struct sq_eye_program *program,
              const struct sq_deadline *deadline, struct sq_err *err) {
    char name[SQ_RANDOM_NAME_SIZE];
    char path[PATH_SIZE];
    char service[COMMAND_SIZE];
    int fd = -1;
    if (!sq_random_name(name, err)) {
        return false;
    }
    snprintf(path, sizeof(path), FOLDER "squint-eye-%.16s", name);
    snprintf(service, sizeof(service), "exec:%s", path);
    SQ_BUF(message, program->bytes.len * 2 + CHUNK);
    bool ok = put_file(&message, path, program->bytes, err)
           && sq_adb_open(eye->link, "sync:", &fd, deadline, err)
           && sq_socket_write(fd, message.data, message.len, deadline, err)
           && read_push_answer(fd, deadline, err);
    sq_socket_close(fd);
    if (!ok) {
        return false;
    }
    ok = sq_adb_open(eye->link, service, &fd, deadline, err);
    if (ok) {
        const struct sq_deadline limit = sq_deadline_within(deadline, HELLO_MS);
        uint8_t digest[SQ_SHA256_BYTES];
        struct sq_sha256 sha;
        struct stream_read read;
        sq_sha256_init(&sha);
        sq_sha256_add(&sha, (const uint8_t *)program->bytes.ptr,
                      program->bytes.len);
        sq_sha256_end(&sha, digest);
        eye->stream = (struct sq_adb_connection){ .is_open = true, .fd = fd };
        begin_read(&read, eye, NULL, &limit);
        sq_eye_talk_init(&eye->talk);
        ok = sq_eye_read_hello(&eye->talk, &read.source, digest, err);
    }
    if (!ok) {
        sq_eye_finish(eye);
        /* Removes the file, which the program would have removed at its start.
         */
        SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
        snprintf(service, sizeof(service), "rm -f %s", path);
        run(eye->link, service, &output, deadline, NULL);
    }
    return ok;
}

/* Remembers that it does not work here. Fails with SQ_ERR_UNSUPPORTED. */
static bool
give_up(struct sq_eye *eye, const struct sq_err *why, struct sq_err *err) {
    eye->has_failed = true;
    snprintf(eye->why, sizeof(eye->why), "%.199s", why->message);
    return sq_fail_quoting(err, SQ_ERR_UNSUPPORTED,
                           "the eye does not work on this phone: %s", eye->why);
}

/*
 * Ends a conversation that failed. One that only came too late may be tried
 * again; others count, and the second one is the last.
 */
static bool
end_talk(struct sq_eye *eye, const struct sq_err *why, struct sq_err *err) {
    bool is_loss = why->code == SQ_ERR_FORMAT || why->code == SQ_ERR_TRUNCATED
                || why->code == SQ_ERR_IO;
    sq_eye_finish(eye);
    if (!is_loss) {
        return sq_fail_with(err, why);
    }
    eye->losses++;
    if (eye->losses >= MAX_LOSSES) {
        return give_up(eye, why, err);
    }
    return sq_fail_quoting(err, SQ_ERR_UNSUPPORTED, "%s", why->message);
}

static bool
read_answer(struct sq_eye *eye, enum sq_eye_type type, void *out,
            const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct stream_read read;
    begin_read(&read, eye, NULL, deadline);
    return sq_eye_read_answer(&eye->talk, &read.source, type, out, &local_err)
        || end_talk(eye, &local_err, err);
}

/* Reads the answer that sq_eye_ask did not wait for, if there is one. */
static void
take_late(struct sq_eye *eye, const struct sq_deadline *deadline) {
    if (eye->is_asked) {
        eye->is_asked = false;
        eye->has_late =
            read_answer(eye, SQ_EYE_SEEN, &eye->late, deadline, NULL);
    }
}

bool
sq_eye_start(struct sq_eye *eye, const struct sq_deadline *deadline,
             struct sq_err *err) {
    const struct sq_deadline limit = sq_deadline_within(deadline, START_MS);
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    struct sq_err local_err = { 0 };
    take_late(eye, deadline);
    if (eye->has_failed) {
        return sq_fail(err, SQ_ERR_UNSUPPORTED, "%s", eye->why);
    }
    /* A program that was idle for too long has ended by itself. */
    if (eye->stream.is_open && !sq_socket_is_quiet(eye->stream.fd)) {
        sq_eye_finish(eye);
    }
    if (eye->stream.is_open) {
        return true;
    }
    if (run(eye->link, "getprop ro.product.cpu.abilist", &output, &limit,
            &local_err)) {
        struct sq_span abis = sq_span_trim(sq_buf_span(&output.out));
        const struct sq_eye_program *program = sq_eye_program_for(abis);
        if (!program) {
            abis.len = sq_min_size(abis.len, MAX_SHOWN);
            sq_fail_quoting(&local_err, SQ_ERR_UNSUPPORTED,
                            "this build of squint has no program for the "
                            "processor \"%.*s\"",
                            SQ_SPAN_ARGS(abis));
        } else if (start_program(eye, program, &limit, &local_err)) {
            return true;
        }
    }
    return sq_is_fatal(local_err.code) || !sq_deadline_check(deadline, NULL)
             ? sq_fail_with(err, &local_err)
             : give_up(eye, &local_err, err);
}

/* Sends a request, whose payload is there, to a program that runs. */
static bool
send(struct sq_eye *eye, enum sq_eye_type type, uint32_t length,
     uint8_t request[SQ_EYE_REQUEST_BYTES], const struct sq_deadline *deadline,
     struct sq_err *err) {
    struct sq_err local_err = { 0 };
    sq_eye_put_request(&eye->talk, type, length, request);
    return sq_socket_write(eye->stream.fd, request, SQ_EYE_HEAD_BYTES + length,
                           deadline, &local_err)
        || end_talk(eye, &local_err, err);
}

bool
sq_eye_capture(struct sq_eye *eye, struct sq_eye_capture *capture,
               struct sq_adb_output *output, const struct sq_deadline *deadline,
               struct sq_err *err) {
    struct sq_err local_err = { 0 };
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    if (!sq_eye_start(eye, deadline, err)) {
        return false;
    }
    struct stream_read read;
    begin_read(&read, eye, output, deadline);
    capture->max_bytes = (uint32_t)sq_min_size(output->out.max, UINT32_MAX);
    sq_eye_make_request(&eye->talk, capture, request);
    bool ok = sq_socket_write(eye->stream.fd, request, sizeof(request),
                              deadline, &local_err)
           && sq_eye_read_frame(&eye->talk, &read.source, capture, output,
                                &eye->begin, &local_err);
    if (ok) {
        sq_eye_pace_add(&eye->pace, read.bytes, read.ns, capture->limit > 0);
    }
    return ok || end_talk(eye, &local_err, err);
}

/* Fails unless it runs: it has no frames otherwise. */
static bool
check_running(struct sq_eye *eye, const struct sq_deadline *deadline,
              struct sq_err *err) {
    take_late(eye, deadline);
    return (eye->stream.is_open && sq_socket_is_quiet(eye->stream.fd))
        || sq_fail(err, SQ_ERR_UNSUPPORTED, "the eye has ended");
}

bool
sq_eye_crop(struct sq_eye *eye, const struct sq_eye_crop *crop,
            struct sq_adb_output *output, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct sq_err local_err = { 0 };
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    struct stream_read read;
    sq_eye_put_crop(crop, request + SQ_EYE_HEAD_BYTES);
    if (!check_running(eye, deadline, err)
        || !send(eye, SQ_EYE_CROP, SQ_EYE_CROP_BYTES, request, deadline, err)) {
        return false;
    }
    begin_read(&read, eye, output, deadline);
    if (!sq_eye_read_crop_answer(&eye->talk, &read.source, crop, output,
                                 &local_err)) {
        return end_talk(eye, &local_err, err);
    }
    sq_eye_pace_add(&eye->pace, read.bytes, read.ns, true);
    return output->status == 0
        || sq_fail(err, SQ_ERR_UNSUPPORTED,
                   "the frame is no longer on the phone");
}

bool
sq_eye_look(struct sq_eye *eye, const struct sq_eye_look *look,
            struct sq_eye_seen *out, const struct sq_deadline *deadline,
            struct sq_err *err) {
    if (!sq_eye_ask(eye, look, deadline, err)) {
        return false;
    }
    eye->is_asked = false;
    return read_answer(eye, SQ_EYE_SEEN, out, deadline, err);
}

bool
sq_eye_watch(struct sq_eye *eye, const struct sq_eye_watch *watch,
             const struct sq_deadline *deadline, struct sq_err *err) {
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    sq_eye_put_watch(watch, request + SQ_EYE_HEAD_BYTES);
    return sq_eye_start(eye, deadline, err)
        && send(eye, SQ_EYE_WATCH, SQ_EYE_WATCH_BYTES, request, deadline, err);
}

bool
sq_eye_next_look(struct sq_eye *eye, struct sq_eye_watched *out,
                 const struct sq_deadline *deadline, struct sq_err *err) {
    return read_answer(eye, SQ_EYE_WATCHED, out, deadline, err);
}

bool
sq_eye_ask(struct sq_eye *eye, const struct sq_eye_look *look,
           const struct sq_deadline *deadline, struct sq_err *err) {
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    if (!sq_eye_start(eye, deadline, err)) {
        return false;
    }
    sq_eye_put_look(look, request + SQ_EYE_HEAD_BYTES);
    eye->has_late = false;
    eye->is_asked =
        send(eye, SQ_EYE_LOOK, SQ_EYE_LOOK_BYTES, request, deadline, err);
    return eye->is_asked;
}

bool
sq_eye_collect(struct sq_eye *eye, struct sq_eye_seen *out,
               const struct sq_deadline *deadline) {
    take_late(eye, deadline);
    bool has_late = eye->has_late;
    eye->has_late = false;
    *out = eye->late;
    return has_late;
}

bool
sq_eye_compare(struct sq_eye *eye, const struct sq_eye_compare *compare,
               struct sq_eye_compared *out, const struct sq_deadline *deadline,
               struct sq_err *err) {
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    sq_eye_put_compare(compare, request + SQ_EYE_HEAD_BYTES);
    return check_running(eye, deadline, err)
        && send(eye, SQ_EYE_COMPARE, SQ_EYE_COMPARE_BYTES, request, deadline,
                err)
        && read_answer(eye, SQ_EYE_COMPARED, out, deadline, err);
}
