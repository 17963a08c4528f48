/*
 * The eye itself, with a screencap that prints what the test wants. Frames of
 * all formats and all pages arrive exactly, and it ends when its stream does.
 * SQUINT_TEST_EYE is another build of it; SQUINT_TEST_EMULATOR runs that.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/android/eye_answer.h"
#include "eye/frame_hash.h"
#include "eye/programs.h"
#include "support/pages.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/call.h"
#include "sys/call_worker.h"
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

static bool
read_stream(void *context, void *into, size_t len, struct sq_err *err) {
    (void)context;
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
    struct sq_buf program;
    struct sq_err err = { 0 };
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
        T_OK(sq_eye_read_hello(&talk, &source, digest, &err), &err);
        T(access(t_scratch_path("program"), F_OK) < 0);
    }
    sq_buf_finish(&program);
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

static void
ask(size_t max_bytes) {
    static const struct sq_eye_display display = { true,
                                                   18446744073709551615u };
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    struct sq_err err = { 0 };
    sq_eye_make_request(&talk, &display, max_bytes, request);
    T_OK(sq_socket_write(stream, request, sizeof(request), &deadline, &err),
         &err);
}

/* Captures what screencap prints, which must arrive exactly. */
static void
check_frame(const uint8_t *frame, size_t len) {
    struct sq_err err = { 0 };
    t_put(t_scratch_path("frame"), frame, len);
    ask(MAX_FRAME);
    sq_adb_output_clear(&output);
    T_OK(sq_eye_read_frame(&talk, &source, &output, &err), &err);
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

static void
all_pages_arrive(void) {
    if (!begin()) {
        return;
    }
    for (size_t i = 0; t_page_names[i]; i++) {
        struct sq_image page;
        t_page_draw(t_page_names[i], &page);
        size_t len = 16 + (size_t)page.height * page.stride;
        uint8_t *frame = malloc(len);
        put_header(frame, page.width, page.height, 1);
        memcpy(frame + 16, page.pixels, len - 16);
        check_frame(frame, len);
        memset(frame + len / 3, 9, 5000); /* then a change, and none */
        check_frame(frame, len);
        check_frame(frame, len);
        free(frame);
        sq_image_finish(&page);
    }
    T(t_holds(t_scratch_path("arguments"), "-d 18446744073709551615\n", 24));
    T_INT(end(), 1);
}

/* All formats, both headers, and sizes that are no multiple of a word. */
static void
all_formats_arrive(void) {
    static const struct {
        uint32_t format;
        size_t pixel_bytes;
    } formats[] = { { 1, 4 }, { 3, 3 }, { 4, 2 }, { 22, 8 }, { 43, 4 } };
    if (!begin()) {
        return;
    }
    uint8_t frame[16 + 37 * 21 * 8];
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        for (int header = 12; header <= 16; header += 4) {
            size_t len = (size_t)header + 37 * 21 * formats[i].pixel_bytes;
            for (size_t at = 0; at < len; at++) {
                frame[at] = (uint8_t)(at % 100 < 60 ? 3 : at * at * 7);
            }
            put_header(frame, 37, 21, formats[i].format);
            check_frame(frame, len);
            frame[len - 1] ^= 255;
            check_frame(frame, len);
        }
    }
    T_INT(end(), 1);
}

/* Looks at what screencap prints. */
static struct sq_eye_seen
look(const void *frame, size_t len, uint64_t keep) {
    struct sq_err err = { 0 };
    const struct sq_eye_look values = { .max_bytes = MAX_FRAME, .keep = keep };
    uint8_t request[SQ_EYE_LOOK_REQUEST_BYTES];
    struct sq_eye_seen seen = { 0 };
    t_put(t_scratch_path("frame"), frame, len);
    sq_eye_make_look(&talk, &values, request);
    T(sq_socket_write(stream, request, sizeof(request), &deadline, NULL));
    sq_adb_output_clear(&output);
    T_OK(sq_eye_read_look_answer(&talk, &source, &seen, &output.errors, &err),
         &err);
    return seen;
}

static struct sq_eye_compared
compare(uint64_t before, uint64_t after, struct sq_eye_area area) {
    struct sq_err err = { 0 };
    const struct sq_eye_compare values = { before, after, area };
    uint8_t request[SQ_EYE_COMPARE_REQUEST_BYTES];
    struct sq_eye_compared compared = { 0 };
    sq_eye_make_compare(&talk, &values, request);
    T(sq_socket_write(stream, request, sizeof(request), &deadline, NULL));
    T_OK(sq_eye_read_compare_answer(&talk, &source, &compared, &err), &err);
    return compared;
}

#define SIDE 100
#define SIDE_BYTES (16 + 4 * SIDE * SIDE)

static uint64_t
hash_of(const uint8_t *frame, size_t len) {
    struct sq_frame_hash hash = { 0 };
    return sq_frame_hash_end(&hash, frame, len);
}

static void
looks_need_no_pixels(void) {
    static const struct sq_eye_area whole;
    uint8_t frame[SIDE_BYTES];
    if (!begin()) {
        return;
    }
    memset(frame, 50, sizeof(frame));
    put_header(frame, SIDE, SIDE, 1);
    check_frame(frame, sizeof(frame)); /* the one that the host has */
    uint64_t first = hash_of(frame, sizeof(frame));
    struct sq_eye_seen seen = look(frame, sizeof(frame), 0);
    T(seen.status == 0 && seen.hash == first && seen.width == SIDE
      && seen.height == SIDE && !seen.is_black);
    frame[16 + 4 * (30 * SIDE + 20)] = 1;
    uint64_t second = hash_of(frame, sizeof(frame));
    T(look(frame, sizeof(frame), first).hash == second);
    struct sq_eye_compared compared = compare(first, second, whole);
    T(compared.outcome == SQ_EYE_DIFFERENT && compared.where.x == 20
      && compared.where.y == 30 && compared.where.width == 1
      && compared.where.height == 1);
    T_INT(compare(second, second, whole).outcome, SQ_EYE_SAME);
    T_INT(compare(first, second, (struct sq_eye_area){ 0, 0, 20, 99 }).outcome,
          SQ_EYE_SAME);
    T_INT(compare(first, second, (struct sq_eye_area){ 1, 0, 100, 99 }).outcome,
          SQ_EYE_UNKNOWN);
    T_INT(compare(first, 77, whole).outcome, SQ_EYE_UNKNOWN);
    check_frame(frame, sizeof(frame)); /* its base is still there */
    T_INT(end(), 1);
}

/* The frame that was sent and the one that is needed are never replaced. */
static void
needed_frames_are_kept(void) {
    static const struct sq_eye_area whole;
    uint8_t frame[SIDE_BYTES];
    if (!begin()) {
        return;
    }
    memset(frame, 50, sizeof(frame));
    put_header(frame, SIDE, SIDE, 1);
    check_frame(frame, sizeof(frame));
    uint64_t sent = hash_of(frame, sizeof(frame));
    frame[SIDE_BYTES - 2] = 51;
    uint64_t needed = look(frame, sizeof(frame), 0).hash;
    uint64_t last = needed;
    for (uint8_t i = 0; i < 5; i++) {
        frame[SIDE_BYTES - 2] = (uint8_t)(60 + i);
        uint64_t next = look(frame, sizeof(frame), needed).hash;
        T_INT(compare(sent, next, whole).outcome, SQ_EYE_DIFFERENT);
        T_INT(compare(needed, next, whole).outcome, SQ_EYE_DIFFERENT);
        T_INT(compare(last, next, whole).outcome,
              i == 0 ? SQ_EYE_DIFFERENT : SQ_EYE_UNKNOWN);
        last = next;
    }
    T_INT(end(), 1);
}

static void
looks_tell_what_needs_pixels(void) {
    uint8_t frame[SIDE_BYTES] = { 0 };
    if (!begin()) {
        return;
    }
    put_header(frame, SIDE, SIDE, 1);
    T(look(frame, sizeof(frame), 0).is_black);
    frame[SIDE_BYTES - 2] = 9;
    T(!look(frame, sizeof(frame), 0).is_black);
    put_header(frame, SIDE, SIDE, 43); /* ten bits per colour */
    struct sq_eye_seen seen = look(frame, sizeof(frame), 0);
    T(seen.status == 0 && seen.hash == 0);
    T(look(frame, sizeof(frame) / 2, 0).hash == 0); /* incomplete */
    t_put(t_scratch_path("errors"), "two displays", 12);
    t_put(t_scratch_path("fail"), "", 0);
    seen = look("Capturing failed.\n", 18, 0);
    T(seen.status == 3 && seen.hash == 0);
    T_INT(output.errors.len, 30);
    T_INT(end(), 1);
}

static void
failures_are_reported(void) {
    struct sq_err err = { 0 };
    uint8_t frame[16 + 4 * 100 * 100] = { 0 };
    if (!begin()) {
        return;
    }
    t_put(t_scratch_path("frame"), "Capturing failed.\n", 18);
    t_put(t_scratch_path("errors"), "no display", 10);
    t_put(t_scratch_path("fail"), "", 0);
    ask(MAX_FRAME);
    T_OK(sq_eye_read_frame(&talk, &source, &output, &err), &err);
    T_INT(output.status, 3);
    T_INT(output.out.len, 0);
    T_INT(output.errors.len, 28);
    unlink(t_scratch_path("fail"));
    put_header(frame, 100, 100, 1);
    t_put(t_scratch_path("frame"), frame, sizeof(frame));
    ask(sizeof(frame) - 1); /* too large */
    sq_adb_output_clear(&output);
    T(!sq_eye_read_frame(&talk, &source, &output, &err));
    T_INT(err.code, SQ_ERR_LIMIT);
    check_frame(frame, sizeof(frame)); /* it goes on */
    T_INT(end(), 1);
}

static void
it_ends_while_screencap_hangs(void) {
    if (!begin()) {
        return;
    }
    t_put(t_scratch_path("hang"), "", 0);
    ask(MAX_FRAME);
    struct stat st;
    while (stat(t_scratch_path("arguments"), &st) != 0 || st.st_size == 0) {
        T(sq_wait_ms(1, &deadline, NULL));
    }
    T_INT(end(), 1);
}

static void
damaged_request_ends_it(void) {
    if (!begin()) {
        return;
    }
    uint8_t request[SQ_EYE_REQUEST_BYTES];
    const struct sq_eye_display none = { 0 };
    sq_eye_make_request(&talk, &none, MAX_FRAME, request);
    request[SQ_EYE_HEAD_BYTES] ^= 1;
    T(sq_socket_write(stream, request, sizeof(request), &deadline, NULL));
    T(!sq_eye_read_frame(&talk, &source, &output, NULL));
    T_INT(end(), 2);
}

T_MAIN(T_CASE(all_pages_arrive), T_CASE(all_formats_arrive),
       T_CASE(looks_need_no_pixels), T_CASE(needed_frames_are_kept),
       T_CASE(looks_tell_what_needs_pixels), T_CASE(failures_are_reported),
       T_CASE(it_ends_while_screencap_hangs), T_CASE(damaged_request_ends_it))
