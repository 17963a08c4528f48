/*
 * Runs the eye itself, with a screencap that prints what the test wants.
 * SQUINT_TEST_EYE is another build of it; SQUINT_TEST_EMULATOR runs that.
 */
#ifndef SQ_TEST_RUNNING_EYE_H
#define SQ_TEST_RUNNING_EYE_H

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/android/eye.h"
#include "eye/frame_hash.h"
#include "eye/programs.h"
#include "support/pages.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/sockets.h"
#include "util/bytes.h"

#define MAX_FRAME ((size_t)40 << 20)

static const char script[] =
    "#!/bin/sh\n"
    "here=${0%/*}\n"
    "echo \"$@\" >\"$here/arguments\"\n"
    "if [ -f \"$here/hang\" ]; then exec /bin/sleep 1000; fi\n"
    "/bin/cat \"$here/errors\" >&2\n"
    "/bin/cat \"$here/frame\"\n"
    "if [ -f \"$here/fail\" ]; then exit 3; fi\n";

static struct sq_eye_talk talk;
static struct sq_adb_output output;
static struct sq_deadline deadline;
static int stream;
static pid_t child;
static size_t received; /* bytes from the phone */

static bool
read_stream(void *context, void *into, size_t len, struct sq_err *err) {
    received += len;
    return sq_socket_read(stream, into, len, &deadline, err);
}

static const struct sq_adb_source source = { .read = read_stream };

/* The program to test, which the caller frees. False: there is none. */
static bool
read_program(struct sq_buf *out) {
    const char *other = getenv("SQUINT_TEST_EYE");
    const struct sq_eye_program *own = NULL;
    sq_buf_init(out, (size_t)1 << 20);
    if (other && other[0]) {
        return sq_file_read(other, out->max, out, NULL);
    }
#if defined(__aarch64__)
    own = sq_eye_program_for(SQ_SPAN("arm64-v8a"));
#elif defined(__x86_64__)
    own = sq_eye_program_for(SQ_SPAN("x86_64"));
#endif
    return own && sq_buf_append(out, own->bytes.ptr, own->bytes.len, NULL);
}

static void
start_child(const char *program) {
    const char *emulator = getenv("SQUINT_TEST_EMULATOR");
    char path[400];
    const char *argv[] = { "/usr/bin/env", path, emulator, program, NULL };
    int ends[2];
    if (!emulator || !emulator[0]) {
        argv[2] = program;
        argv[3] = NULL;
    }
    snprintf(path, sizeof(path), "PATH=/nowhere:%s", t_scratch());
    T_INT(sq_call_socket_pair(ends), 0);
    const struct sq_spawn spawn = { .argv = argv,
                                    .streams = { ends[1], ends[1], ends[1] },
                                    .report = ends[1] };
    child = sq_call_spawn(&spawn);
    stream = ends[0];
    close(ends[1]);
}

/* Starts the program. Returns false if this build has none. */
static bool
begin(void) {
    T_FREED(sq_buf_finish) struct sq_buf program = { 0 };
    struct sq_sha256 sha;
    uint8_t digest[SQ_SHA256_BYTES];
    bool known = read_program(&program);
    if (known) {
        t_scratch_start();
        deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
        t_put(t_scratch_path("screencap"), script, sizeof(script) - 1);
        t_put(t_scratch_path("program"), program.data, program.len);
        t_put(t_scratch_path("errors"), "", 0);
        chmod(t_scratch_path("screencap"), S_IRWXU);
        chmod(t_scratch_path("program"), S_IRWXU);
        sq_eye_talk_init(&talk);
        sq_adb_output_init(&output, MAX_FRAME);
        sq_sha256_init(&sha);
        sq_sha256_add(&sha, program.data, program.len);
        sq_sha256_end(&sha, digest);
        start_child(t_scratch_path("program"));
        T_OK(sq_eye_read_hello(&talk, &source, digest, &t_err));
        T(access(t_scratch_path("program"), F_OK) < 0);
    }
    return known;
}

/* Closes the stream. Returns the exit status. */
static int
end(void) {
    sq_socket_close(stream);
    int ended = 0;
    while (!ended && sq_wait_ms(1, &deadline, NULL)) {
        ended = sq_call_has_ended(child);
    }
    T(ended);
    int status = sq_call_end_child(child);
    sq_eye_talk_finish(&talk);
    sq_adb_output_finish(&output);
    t_scratch_end();
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Sends a request of which the payload is there. */
static inline void
send_request(enum sq_eye_type type, uint32_t length, uint8_t *request) {
    sq_eye_put_request(&talk, type, length, request);
    T(sq_socket_write(stream, request, SQ_EYE_HEAD_BYTES + length, &deadline,
                      NULL));
}

/* Sends a request. */
static void
request_capture(const struct sq_eye_capture *capture) {
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    sq_eye_make_request(&talk, capture, request);
    T_OK(sq_socket_write(stream, request, sizeof(request), &deadline, &t_err));
}

static inline struct sq_eye_capture
ask(size_t max_bytes) {
    const struct sq_eye_capture capture = { .max_bytes = (uint32_t)max_bytes,
                                            .has_display = true,
                                            .display = 18446744073709551615u };
    request_capture(&capture);
    return capture;
}

/* Captures what screencap prints, which must arrive exactly. */
static inline void
check_frame(const uint8_t *frame, size_t len) {
    struct sq_eye_begin begun;
    t_put(t_scratch_path("frame"), frame, len);
    const struct sq_eye_capture capture = ask(MAX_FRAME);
    sq_adb_output_clear(&output);
    T_OK(sq_eye_read_frame(&talk, &source, &capture, &output, &begun, &t_err));
    T_INT(output.status, 0);
    T_BYTES(output.out.data, output.out.len, frame, len);
}

static void
put_header(uint8_t *frame, int width, int height, uint32_t format) {
    sq_store_le32(frame, (uint32_t)width);
    sq_store_le32(frame + 4, (uint32_t)height);
    sq_store_le32(frame + 8, format);
    sq_store_le32(frame + 12, 1);
}

/* Looks at what screencap prints. */
static inline struct sq_eye_seen
look(const void *frame, size_t len, uint64_t keep) {
    const struct sq_eye_look values = { .max_bytes = MAX_FRAME, .keep = keep };
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    struct sq_eye_seen seen = { 0 };
    t_put(t_scratch_path("frame"), frame, len);
    sq_eye_put_look(&values, request + SQ_EYE_HEAD_BYTES);
    send_request(SQ_EYE_LOOK, SQ_EYE_LOOK_BYTES, request);

    sq_adb_output_clear(&output);
    T_OK(sq_eye_read_answer(&talk, &source, SQ_EYE_SEEN, &seen, &t_err));
    return seen;
}

static inline struct sq_eye_compared
compare(uint64_t before, uint64_t after, struct sq_eye_area area) {
    const struct sq_eye_compare values = { before, after, area };
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    struct sq_eye_compared compared = { 0 };
    sq_eye_put_compare(&values, request + SQ_EYE_HEAD_BYTES);
    send_request(SQ_EYE_COMPARE, SQ_EYE_COMPARE_BYTES, request);

    T_OK(
        sq_eye_read_answer(&talk, &source, SQ_EYE_COMPARED, &compared, &t_err));
    return compared;
}

#define SIDE 100
#define SIDE_BYTES (16 + 4 * SIDE * SIDE)

static inline uint64_t
hash_of(const uint8_t *frame, size_t len) {
    struct sq_frame_hash hash = { 0 };
    return sq_frame_hash_end(&hash, frame, len);
}

#endif
