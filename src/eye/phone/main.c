/*
 * The eye: squint's program on the phone. It reads requests from its standard
 * input, runs screencap, and writes the frame in coded form to its standard
 * output. It deletes its own file at the start and ends when its input ends or
 * after five minutes without a request. It runs no other program than screencap
 * and takes no command from outside.
 */
#include <string.h>

#include "eye/phone/system.h"
#include "eye/pixels.h"
#include "eye/wire.h"

#define IDLE_SECONDS 300
#define CAPTURE_SECONDS 60
#define FIRST_BYTES ((size_t)64 << 10)
#define PIPE_BYTES (1 << 20)
#define MAX_MESSAGES 2048
#define FULL_PART (SQ_EYE_MAX_ANSWER / 2)

enum { INPUT = 0, OUTPUT = 1, ERRORS = 2 };
enum { STATUS_OK, STATUS_STREAM_ENDED, STATUS_BAD_REQUEST, STATUS_NO_MEMORY };

struct frame {
    uint8_t *bytes;
    size_t capacity;
    size_t len;
    uint32_t number; /* 0: not complete */
};

/* One capture at work. */
struct capture {
    struct sq_eye_capture request;
    int process;
    int pipes[3]; /* ends that we read, by OUTPUT and ERRORS; -1: closed */
    struct sq_eye_shape shape;
    bool has_begun; /* BEGIN was sent */
    size_t base_words;
    struct sq_eye_coder coder;
    size_t part; /* coded bytes that wait in `answer` */
    bool is_too_large;
    size_t messages;
    char message[MAX_MESSAGES];
};

static struct {
    struct sq_eye_crc crc;
    uint32_t sequence;
    struct frame last; /* the frame that the host may still have */
    struct frame next; /* the one being captured */
    uint32_t numbers;  /* frames so far */
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
reserve(struct frame *frame, size_t bytes) {
    if (bytes <= frame->capacity) {
        return;
    }
    uint8_t *larger = eye_map(bytes);
    if (!larger) {
        eye_exit(STATUS_NO_MEMORY);
    }
    memcpy(larger, frame->bytes, frame->len);
    eye_unmap(frame->bytes, frame->capacity);
    frame->bytes = larger;
    frame->capacity = bytes;
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

/* Keeps what is no frame, to be shown to people. */
static void
keep_message(struct capture *capture, const uint8_t *bytes, size_t count) {
    size_t left = MAX_MESSAGES - capture->messages;
    size_t kept = count < left ? count : left;
    memcpy(capture->message + capture->messages, bytes, kept);
    capture->messages += kept;
}

static void
begin_frame(struct capture *capture) {
    const struct frame *last = &eye.last;
    capture->shape = sq_eye_shape_of(eye.next.bytes);
    capture->is_too_large =
        capture->shape.most_bytes > capture->request.max_bytes;
    if (capture->shape.most_bytes == 0 || capture->is_too_large) {
        return;
    }
    reserve(&eye.next, capture->shape.most_bytes);
    bool has_base = last->number != 0 && last->number == capture->request.base
                 && memcmp(last->bytes, eye.next.bytes, SQ_EYE_FRAME_HEAD) == 0;
    const struct sq_eye_begin begin = { capture->shape.most_bytes,
                                        capture->shape.distance, has_base };
    capture->base_words = has_base ? last->len / SQ_EYE_WORD : 0;
    capture->coder.distance = capture->shape.distance;
    capture->has_begun = true;
    sq_eye_put_begin(&begin, payload);
    send(SQ_EYE_BEGIN, SQ_EYE_BEGIN_BYTES);
}

static void
send_part(struct capture *capture) {
    if (capture->part > 0) {
        send(SQ_EYE_PART, capture->part);
        capture->part = 0;
    }
}

/* Codes the words that have arrived. */
static void
code_words(struct capture *capture) {
    const struct sq_eye_words words = {
        eye.next.bytes,
        eye.next.len / SQ_EYE_WORD,
        eye.last.bytes,
        capture->base_words,
    };
    while (capture->coder.at < words.end) {
        capture->part +=
            sq_eye_encode(&capture->coder, &words, payload + capture->part,
                          SQ_EYE_MAX_ANSWER - capture->part);
        if (capture->part >= FULL_PART) {
            send_part(capture);
        }
    }
}

/* Handles bytes of screencap's output that were read into the frame. */
static void
take_output(struct capture *capture, size_t count) {
    struct frame *frame = &eye.next;
    frame->len += count;
    if (!capture->has_begun && frame->len >= SQ_EYE_FRAME_HEAD) {
        begin_frame(capture);
    }
    if (capture->has_begun) {
        code_words(capture);
    }
}

/* Reads screencap's output once. Returns false at its end. */
static bool
read_output(struct capture *capture) {
    struct frame *frame = &eye.next;
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

/* Sends the end of the capture. A complete frame becomes the last one. */
static void
end_capture(struct capture *capture, int status) {
    struct frame *frame = &eye.next;
    struct sq_eye_end end = { capture->is_too_large ? SQ_EYE_TOO_LARGE : status,
                              0, 0 };
    size_t tail = 0;
    if (capture->has_begun) {
        send_part(capture);
        end.bytes = (uint32_t)frame->len;
        tail = frame->len % SQ_EYE_WORD;
        memcpy(payload + SQ_EYE_END_BYTES, frame->bytes + frame->len - tail,
               tail);
    } else if (!capture->is_too_large) {
        keep_message(capture, frame->bytes, frame->len);
    }
    if (capture->has_begun && end.status == 0) {
        struct frame old = eye.last;
        frame->number = ++eye.numbers;
        eye.last = *frame;
        eye.next = old;
        end.frame = eye.last.number;
    }
    sq_eye_put_end(&end, payload);
    memcpy(payload + SQ_EYE_END_BYTES + tail, capture->message,
           capture->messages);
    send(SQ_EYE_END, SQ_EYE_END_BYTES + tail + capture->messages);
}

static void
take_screenshot(const uint8_t *request, uint32_t length) {
    static struct capture capture;
    memset(&capture, 0, sizeof(capture));
    if (!sq_eye_read_capture(request, length, &capture.request)) {
        eye_exit(STATUS_BAD_REQUEST);
    }
    eye.next.len = 0;
    eye.next.number = 0;
    reserve(&eye.next, FIRST_BYTES);
    start_screencap(&capture);
    read_screencap(&capture);
    end_capture(&capture, eye_wait(capture.process));
}

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
    if (head.type == SQ_EYE_CAPTURE) {
        take_screenshot(request, head.length);
        return true;
    }
    return head.type != SQ_EYE_CLOSE;
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
