/*
 * The eye: squint's program on the phone. It reads requests from its standard
 * input, runs screencap, and writes the frame in coded form to its standard
 * output, or only whether and where it differs from another one. It deletes its
 * own file at the start and ends when its input ends or after five minutes
 * without a request. It runs no other program than screencap and takes no
 * command from outside.
 */
#include <string.h>

#include "eye/difference.h"
#include "eye/frame_hash.h"
#include "eye/phone/frames.h"
#include "eye/phone/system.h"
#include "eye/pixels.h"
#include "eye/wire.h"

#define IDLE_SECONDS 300
#define CAPTURE_SECONDS 60
#define FIRST_BYTES ((size_t)64 << 10)
#define PIPE_BYTES (1 << 20)
#define MAX_MESSAGES 2048
#define FULL_PART (SQ_EYE_MAX_ANSWER / 2)
/* Words in one part: the host can start before the frame is complete. */
#define PART_WORDS ((size_t)256 << 10)

enum { INPUT = 0, OUTPUT = 1, ERRORS = 2 };
enum { STATUS_OK, STATUS_STREAM_ENDED, STATUS_BAD_REQUEST, STATUS_NO_MEMORY };

/* One capture at work. */
struct capture {
    struct sq_eye_capture request;
    bool is_look;  /* no pixels are sent */
    uint64_t keep; /* hash of a frame that must not make room; 0: none */
    int process;
    int pipes[3]; /* ends that we read, by OUTPUT and ERRORS; -1: closed */
    struct sq_eye_shape shape;
    bool has_begun; /* a frame is being read */
    struct sq_frame_hash hash;
    const uint8_t *base; /* bytes of the frame that the host has */
    size_t base_words;
    struct sq_eye_coder coder;
    size_t part;    /* coded bytes that wait in `answer` */
    size_t sent_at; /* words that were sent */
    bool is_too_large;
    size_t messages;
    char message[MAX_MESSAGES];
};

static struct {
    struct sq_eye_crc crc;
    uint32_t sequence;
    struct eye_frames frames;
    const char *const *environment;
    uint8_t answer[SQ_EYE_HEAD_BYTES + SQ_EYE_MAX_ANSWER];
} eye;

static uint8_t *const payload = eye.answer + SQ_EYE_HEAD_BYTES;

/* Sends the bytes in `payload`. Ends the program if its output is closed. */
static void
send(enum sq_eye_type type, size_t count) {
    const struct sq_eye_head head = { type, eye.sequence, (uint32_t)count };
    size_t at = 0;
    sq_eye_put_head(&eye.crc, &head, payload, eye.answer);
    while (at < SQ_EYE_HEAD_BYTES + count) {
        long sent =
            eye_write(OUTPUT, eye.answer + at, SQ_EYE_HEAD_BYTES + count - at);
        if (sent <= 0) {
            eye_exit(STATUS_STREAM_ENDED);
        }
        at += (size_t)sent;
    }
}

/* Reads exactly `count` bytes. Ends the program if they do not arrive. */
static void
receive(uint8_t *into, size_t count) {
    size_t at = 0;
    while (at < count) {
        struct eye_poll poll = { INPUT, EYE_POLL_IN, 0 };
        long got = eye_poll(&poll, 1, IDLE_SECONDS) > 0
                     ? eye_read(INPUT, into + at, count - at)
                     : 0;
        if (got <= 0) {
            eye_exit(STATUS_STREAM_ENDED);
        }
        at += (size_t)got;
    }
}

static void
say_hello(const char *own_path) {
    struct sq_sha256 sha;
    long got;
    sq_sha256_init(&sha);
    int fd = eye_open_to_read("/proc/self/exe");
    while (fd >= 0 && (got = eye_read(fd, payload, SQ_EYE_MAX_ANSWER)) > 0) {
        sq_sha256_add(&sha, payload, (size_t)got);
    }
    eye_close(fd);
    eye_unlink(own_path);
    sq_sha256_end(&sha, payload);
    send(SQ_EYE_HELLO, SQ_EYE_HELLO_BYTES);
}

static void
reserve(size_t bytes) {
    if (!eye_frame_reserve(&eye.frames.next, bytes)) {
        eye_exit(STATUS_NO_MEMORY);
    }
}

#define DIGITS_SIZE 21

static const char *
write_digits(uint64_t number, char out[DIGITS_SIZE]) {
    char *at = out + DIGITS_SIZE - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    return at;
}

/* Returns the value of PATH, or Android's if it is not set. */
static const char *
search_path(void) {
    for (const char *const *one = eye.environment; *one; one++) {
        if (memcmp(*one, "PATH=", strlen(*one) < 5 ? strlen(*one) : 5) == 0) {
            return *one + 5;
        }
    }
    return "/system/bin";
}

/* Runs screencap, which is searched for as the phone's shell does. */
_Noreturn static void
run_screencap(const struct sq_eye_capture *request) {
    static const char name[] = "/screencap";
    char digits[DIGITS_SIZE];
    const char *const argv[] = { name + 1, request->has_display ? "-d" : NULL,
                                 write_digits(request->display, digits), NULL };
    const char *folders = search_path();
    char file[1024];
    while (*folders) {
        size_t len = 0;
        while (folders[len] && folders[len] != ':') {
            len++;
        }
        if (len + sizeof(name) <= sizeof(file)) {
            memcpy(file, folders, len);
            memcpy(file + len, name, sizeof(name));
            eye_execute(file, argv, eye.environment);
        }
        folders += len + (folders[len] == ':');
    }
    static const char failure[] = "screencap: not found\n";
    eye_write(ERRORS, failure, sizeof(failure) - 1);
    eye_exit(127);
}

static void
start_screencap(struct capture *capture) {
    int output[2];
    int errors[2];
    if (eye_pipe(output) < 0 || eye_pipe(errors) < 0) {
        eye_exit(STATUS_NO_MEMORY);
    }
    eye_widen_pipe(output[0], PIPE_BYTES);
    capture->process = eye_fork();
    if (capture->process == 0) {
        eye_die_with_parent();
        int none = eye_open_to_read("/dev/null");
        eye_copy_fd(none, INPUT);
        eye_copy_fd(output[1], OUTPUT);
        eye_copy_fd(errors[1], ERRORS);
        run_screencap(&capture->request);
    }
    eye_close(output[1]);
    eye_close(errors[1]);
    if (capture->process < 0) {
        eye_exit(STATUS_NO_MEMORY);
    }
    capture->pipes[OUTPUT] = output[0];
    capture->pipes[ERRORS] = errors[0];
}

/* Keeps output that is not a frame, to be shown to people. */
static void
keep_message(struct capture *capture, const uint8_t *bytes, size_t count) {
    size_t left = MAX_MESSAGES - capture->messages;
    size_t kept = count < left ? count : left;
    memcpy(capture->message + capture->messages, bytes, kept);
    capture->messages += kept;
}

/* Announces a frame. Refers to the one that the host has, if it is alike. */
static void
send_begin(struct capture *capture) {
    const struct eye_frame *base =
        eye_frames_numbered(&eye.frames, capture->request.base);
    bool has_base =
        base
        && memcmp(base->bytes, eye.frames.next.bytes, SQ_EYE_FRAME_HEAD) == 0;
    const struct sq_eye_begin begin = { capture->shape.most_bytes,
                                        capture->shape.distance, has_base };
    if (has_base) {
        capture->base = base->bytes;
        capture->base_words = base->len / SQ_EYE_WORD;
    }
    capture->coder.distance = capture->shape.distance;
    sq_eye_put_begin(&begin, payload);
    send(SQ_EYE_BEGIN, SQ_EYE_BEGIN_BYTES);
}

static void
begin_frame(struct capture *capture) {
    capture->shape = sq_eye_shape_of(eye.frames.next.bytes);
    capture->is_too_large =
        capture->shape.most_bytes > capture->request.max_bytes;
    if (capture->shape.most_bytes == 0 || capture->is_too_large) {
        return;
    }
    reserve(capture->shape.most_bytes);
    capture->has_begun = true;
    if (!capture->is_look) {
        send_begin(capture);
    }
}

static void
send_part(struct capture *capture) {
    if (capture->part > 0) {
        send(SQ_EYE_PART, capture->part);
        capture->part = 0;
        capture->sent_at = capture->coder.at;
    }
}

/* Codes the words that have arrived. */
static void
code_words(struct capture *capture) {
    const struct sq_eye_words words = {
        eye.frames.next.bytes,
        eye.frames.next.len / SQ_EYE_WORD,
        capture->base,
        capture->base_words,
    };
    while (capture->coder.at < words.end) {
        capture->part +=
            sq_eye_encode(&capture->coder, &words, payload + capture->part,
                          SQ_EYE_MAX_ANSWER - capture->part);
        if (capture->part >= FULL_PART
            || capture->coder.at - capture->sent_at >= PART_WORDS) {
            send_part(capture);
        }
    }
}

/* Handles bytes of screencap's output that were read into the frame. */
static void
take_output(struct capture *capture, size_t count) {
    struct eye_frame *frame = &eye.frames.next;
    frame->len += count;
    if (!capture->has_begun && frame->len >= SQ_EYE_FRAME_HEAD) {
        begin_frame(capture);
    }
    if (capture->has_begun) {
        sq_frame_hash_add(&capture->hash, frame->bytes, frame->len);
    }
    if (capture->has_begun && !capture->is_look) {
        code_words(capture);
    }
}

/* Reads screencap's output once. Returns false at its end. */
static bool
read_output(struct capture *capture) {
    struct eye_frame *frame = &eye.frames.next;
    uint8_t beyond[4096];
    size_t most =
        capture->has_begun ? capture->shape.most_bytes : frame->capacity;
    bool is_full = frame->len >= most;
    long got = is_full
                 ? eye_read(capture->pipes[OUTPUT], beyond, sizeof(beyond))
                 : eye_read(capture->pipes[OUTPUT], frame->bytes + frame->len,
                            most - frame->len);
    if (got > 0 && is_full) {
        capture->is_too_large = true;
    } else if (got > 0) {
        take_output(capture, (size_t)got);
    }
    return got > 0;
}

static bool
read_errors(struct capture *capture) {
    uint8_t bytes[1024];
    long got = eye_read(capture->pipes[ERRORS], bytes, sizeof(bytes));
    if (got > 0) {
        keep_message(capture, bytes, (size_t)got);
    }
    return got > 0;
}

static void
close_pipe(struct capture *capture, int pipe) {
    eye_close(capture->pipes[pipe]);
    capture->pipes[pipe] = -1;
}

/*
 * Reads until screencap has closed both streams. The host sends nothing
 * meanwhile, so any event of the input is its end.
 */
static void
read_screencap(struct capture *capture) {
    while (capture->pipes[OUTPUT] >= 0 || capture->pipes[ERRORS] >= 0) {
        struct eye_poll polls[3] = {
            { INPUT, EYE_POLL_IN, 0 },
            { capture->pipes[OUTPUT], EYE_POLL_IN, 0 },
            { capture->pipes[ERRORS], EYE_POLL_IN, 0 },
        };
        int ready = eye_poll(polls, 3, CAPTURE_SECONDS);
        if (ready <= 0 || polls[INPUT].revents) {
            eye_kill(capture->process, EYE_SIGKILL);
            eye_exit(STATUS_STREAM_ENDED);
        }
        if (polls[OUTPUT].revents && !read_output(capture)) {
            close_pipe(capture, OUTPUT);
        }
        if (polls[ERRORS].revents && !read_errors(capture)) {
            close_pipe(capture, ERRORS);
        }
    }
}

/* Returns the status to send. Other output than a frame becomes a message. */
static int32_t
finish_capture(struct capture *capture, int status) {
    struct eye_frame *frame = &eye.frames.next;
    if (capture->has_begun) {
        frame->hash =
            sq_frame_hash_end(&capture->hash, frame->bytes, frame->len);
    } else if (!capture->is_too_large) {
        keep_message(capture, frame->bytes, frame->len);
    }
    return capture->is_too_large ? SQ_EYE_TOO_LARGE : status;
}

/* Sends the bytes in `payload`, then screencap's messages. */
static void
send_with_messages(const struct capture *capture, enum sq_eye_type type,
                   size_t count) {
    memcpy(payload + count, capture->message, capture->messages);
    send(type, count + capture->messages);
}

/* Sends the end of the capture, and keeps a complete frame. */
static void
end_capture(struct capture *capture, int status) {
    struct eye_frame *frame = &eye.frames.next;
    struct sq_eye_end end = { finish_capture(capture, status), 0, 0 };
    size_t tail = 0;
    if (capture->has_begun) {
        send_part(capture);
        end.bytes = (uint32_t)frame->len;
        tail = frame->len % SQ_EYE_WORD;
        memcpy(payload + SQ_EYE_END_BYTES, frame->bytes + frame->len - tail,
               tail);
    }
    if (capture->has_begun && end.status == 0) {
        eye_frames_keep_sent(&eye.frames);
        end.frame = eye.frames.sent;
    }
    sq_eye_put_end(&end, payload);
    send_with_messages(capture, SQ_EYE_END, SQ_EYE_END_BYTES + tail);
}

/* Sends what was seen, and keeps the frame if there is none like it. */
static void
end_look(struct capture *capture, int status) {
    const struct eye_frame *frame = &eye.frames.next;
    struct sq_eye_seen seen = { .status = finish_capture(capture, status) };
    struct sq_eye_picture picture;
    if (capture->has_begun && seen.status == 0
        && sq_eye_picture_of(frame->bytes, frame->len, &picture)) {
        seen.hash = frame->hash;
        seen.width = picture.width;
        seen.height = picture.height;
        seen.is_black = sq_eye_is_black(&picture, SQ_EYE_BLACK_CEILING);
        if (!eye_frames_hashed(&eye.frames, frame->hash)) {
            eye_frames_keep(&eye.frames, capture->keep);
        }
    }
    sq_eye_put_seen(&seen, payload);
    send_with_messages(capture, SQ_EYE_SEEN, SQ_EYE_SEEN_BYTES);
}

static void
run_capture(struct capture *capture) {
    eye.frames.next.len = 0;
    reserve(FIRST_BYTES);
    start_screencap(capture);
    read_screencap(capture);
    int status = eye_wait(capture->process);
    if (capture->is_look) {
        end_look(capture, status);
    } else {
        end_capture(capture, status);
    }
}

static struct capture capture;

static bool
take_screenshot(const uint8_t *request, uint32_t length) {
    memset(&capture, 0, sizeof(capture));
    if (!sq_eye_read_capture(request, length, &capture.request)) {
        return false;
    }
    run_capture(&capture);
    return true;
}

static bool
look(const uint8_t *request, uint32_t length) {
    struct sq_eye_look look;
    memset(&capture, 0, sizeof(capture));
    if (!sq_eye_read_look(request, length, &look)) {
        return false;
    }
    capture.is_look = true;
    capture.keep = look.keep;
    capture.request.max_bytes = look.max_bytes;
    capture.request.has_display = look.has_display;
    capture.request.display = look.display;
    run_capture(&capture);
    return true;
}

/* Compares two kept frames. */
static struct sq_eye_compared
compare_frames(const struct sq_eye_compare *request) {
    static const struct sq_eye_compared unknown = { SQ_EYE_UNKNOWN, { 0 } };
    const struct eye_frame *before =
        eye_frames_hashed(&eye.frames, request->before);
    const struct eye_frame *after =
        eye_frames_hashed(&eye.frames, request->after);
    struct sq_eye_picture a;
    struct sq_eye_picture b;
    if (!before || !after || !sq_eye_picture_of(before->bytes, before->len, &a)
        || !sq_eye_picture_of(after->bytes, after->len, &b)
        || a.width != b.width || a.height != b.height
        || memcmp(before->bytes, after->bytes, SQ_EYE_FRAME_HEAD) != 0) {
        return unknown;
    }
    struct sq_eye_area area = request->area;
    if (area.width == 0) {
        area = (struct sq_eye_area){ 0, 0, a.width, a.height };
    }
    if (!sq_eye_area_fits(&area, a.width, a.height)) {
        return unknown;
    }
    struct sq_eye_compared compared = { 0 };
    if (before != after && sq_eye_differ(&a, &b, &area, &compared.where)) {
        compared.outcome = SQ_EYE_DIFFERENT;
    }
    return compared;
}

static bool
compare(const uint8_t *request, uint32_t length) {
    struct sq_eye_compare compare;
    if (!sq_eye_read_compare(request, length, &compare)) {
        return false;
    }
    struct sq_eye_compared compared = compare_frames(&compare);
    sq_eye_put_compared(&compared, payload);
    send(SQ_EYE_COMPARED, SQ_EYE_COMPARED_BYTES);
    return true;
}

/* By type of request. They return false if it is invalid. */
static bool (*const answers[SQ_EYE_TYPES])(const uint8_t *, uint32_t) = {
    [SQ_EYE_CAPTURE] = take_screenshot,
    [SQ_EYE_LOOK] = look,
    [SQ_EYE_COMPARE] = compare,
};

/* Answers one request. Returns false if it is the last. */
static bool
answer_request(void) {
    uint8_t head_bytes[SQ_EYE_HEAD_BYTES];
    uint8_t request[SQ_EYE_MAX_REQUEST];
    struct sq_eye_head head;
    receive(head_bytes, sizeof(head_bytes));
    if (!sq_eye_read_head(head_bytes, SQ_EYE_MAX_REQUEST, &head)) {
        eye_exit(STATUS_BAD_REQUEST);
    }
    receive(request, head.length);
    if (!sq_eye_check(&eye.crc, head_bytes, request, head.length)) {
        eye_exit(STATUS_BAD_REQUEST);
    }
    eye.sequence = head.sequence;
    if (head.type == SQ_EYE_CLOSE) {
        return false;
    }
    if (!answers[head.type] || !answers[head.type](request, head.length)) {
        eye_exit(STATUS_BAD_REQUEST);
    }
    return true;
}

int
eye_main(int argc, const char *const *argv, const char *const *environment) {
    if (argc < 1) {
        return STATUS_BAD_REQUEST;
    }
    eye.environment = environment;
    sq_eye_crc_init(&eye.crc);
    say_hello(argv[0]);
    while (answer_request()) {
    }
    return STATUS_OK;
}
