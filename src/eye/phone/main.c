/*
 * The eye: squint's program on the phone. It reads requests from its standard
 * input, runs screencap, and writes the frame in coded form to its standard
 * output, a scaled picture of it, or only whether and where it differs from
 * another one. It deletes its own file at the start and ends when its input
 * ends or after five minutes without a request. It runs no other program than
 * screencap and takes no command from outside.
 */
#include <string.h>

#include "eye/difference.h"
#include "eye/frame_hash.h"
#include "eye/phone/phone.h"
#include "eye/pixels.h"
#include "eye/rest.h"
#include "eye/wire.h"

#define CAPTURE_MS (60 * 1000)
#define FIRST_BYTES ((size_t)64 << 10)
#define MAX_MESSAGES 2048

/* One capture at work. */
struct capture {
    struct sq_eye_capture request;
    bool is_look;  /* no pixels are sent */
    uint64_t keep; /* hash of a frame that must not make room; 0: none */
    struct eye_screencap screencap;
    struct sq_eye_shape shape;
    bool has_begun; /* a frame is being read */
    struct sq_frame_hash hash;
    struct eye_sender sender;
    bool is_too_large;
    size_t messages;
    char message[MAX_MESSAGES];
};

static struct {
    struct eye_frames frames;
    struct eye_frame scaled;      /* the last scaled picture that was sent */
    struct eye_frame next_scaled; /* being made */
    const char *const *environment;
} eye;

static void
say_hello(const char *own_path) {
    struct sq_sha256 sha;
    long got;
    sq_sha256_init(&sha);
    int fd = eye_open_to_read("/proc/self/exe");
    while (fd >= 0
           && (got = eye_read(fd, eye_payload(), SQ_EYE_MAX_ANSWER)) > 0) {
        sq_sha256_add(&sha, eye_payload(), (size_t)got);
    }
    eye_close(fd);
    eye_unlink(own_path);
    sq_sha256_end(&sha, eye_payload());
    eye_send(SQ_EYE_HELLO, SQ_EYE_HELLO_BYTES);
}

static void
reserve(size_t bytes) {
    if (!eye_frame_reserve(&eye.frames.next, bytes)) {
        eye_exit(EYE_STATUS_NO_MEMORY);
    }
}

/* Keeps output that is not a frame, to be shown to people. */
static void
keep_message(struct capture *capture, const uint8_t *bytes, size_t count) {
    size_t left = MAX_MESSAGES - capture->messages;
    size_t kept = count < left ? count : left;
    memcpy(capture->message + capture->messages, bytes, kept);
    capture->messages += kept;
}

static void
start_sending(struct capture *capture, uint32_t limit) {
    const struct sq_eye_begin begin = {
        .most_bytes = capture->shape.most_bytes,
        .distance = capture->shape.distance,
    };
    eye_sender_start(&capture->sender, &begin, eye.frames.next.bytes,
                     eye_frames_numbered(&eye.frames, capture->request.base),
                     limit);
}

static void
begin_frame(struct capture *capture) {
    const struct sq_eye_capture *request = &capture->request;
    capture->shape = sq_eye_shape_of(eye.frames.next.bytes);
    capture->is_too_large = capture->shape.most_bytes > request->max_bytes;
    if (capture->shape.most_bytes == 0 || capture->is_too_large) {
        return;
    }
    reserve((size_t)capture->shape.most_bytes + EYE_FRAME_SLACK);
    capture->has_begun = true;
    if (!capture->is_look) {
        bool may_scale =
            request->limit > 0
            && eye_can_scale(eye.frames.next.bytes, &request->scaling);
        start_sending(capture, may_scale ? request->limit : 0);
    }
}

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
        eye_sender_code(&capture->sender, frame);
    }
}

/* Reads screencap's output once. Returns false at its end. */
static bool
read_output(struct capture *capture) {
    struct eye_frame *frame = &eye.frames.next;
    int pipe = capture->screencap.pipes[EYE_OUTPUT];
    uint8_t beyond[4096];
    size_t most =
        capture->has_begun ? capture->shape.most_bytes : frame->capacity;
    bool is_full = frame->len >= most;
    long got = is_full
                 ? eye_read(pipe, beyond, sizeof(beyond))
                 : eye_read(pipe, frame->bytes + frame->len, most - frame->len);
    if (got > 0 && is_full) {
        capture->is_too_large = true;
    } else if (got > 0) {
        take_output(capture, (size_t)got);
    }
    return got > 0;
}

/*
 * Reads until screencap has closed both streams. The host sends nothing
 * meanwhile, so any event of the input is its end.
 */
static void
read_screencap(struct capture *capture) {
    struct eye_screencap *screencap = &capture->screencap;
    const int *pipes = screencap->pipes;
    while (pipes[EYE_OUTPUT] >= 0 || pipes[EYE_ERRORS] >= 0) {
        struct eye_poll polls[3] = {
            { EYE_INPUT, EYE_POLL_IN, 0 },
            { pipes[EYE_OUTPUT], EYE_POLL_IN, 0 },
            { pipes[EYE_ERRORS], EYE_POLL_IN, 0 },
        };
        int ready = eye_poll(polls, 3, CAPTURE_MS);
        if (ready <= 0 || polls[EYE_INPUT].revents) {
            eye_kill(screencap->process, EYE_SIGKILL);
            eye_exit(EYE_STATUS_STREAM_ENDED);
        }
        if (polls[EYE_OUTPUT].revents && !read_output(capture)) {
            eye_screencap_close(screencap, EYE_OUTPUT);
        }
        if (polls[EYE_ERRORS].revents) {
            uint8_t bytes[1024];
            long got = eye_read(pipes[EYE_ERRORS], bytes, sizeof(bytes));
            if (got > 0) {
                keep_message(capture, bytes, (size_t)got);
            } else {
                eye_screencap_close(screencap, EYE_ERRORS);
            }
        }
    }
}

/*
 * Runs screencap, which fills the next frame. Returns its status, or why there
 * is none. Other output than a frame becomes a message.
 */
static int32_t
run_capture(struct capture *capture) {
    struct eye_frame *frame = &eye.frames.next;
    const struct eye_display display = { capture->request.has_display,
                                         capture->request.display };
    frame->len = 0;
    reserve(FIRST_BYTES);
    if (!eye_screencap_start(&capture->screencap, display, eye.environment)) {
        eye_exit(EYE_STATUS_NO_MEMORY);
    }
    read_screencap(capture);
    int status = eye_wait(capture->screencap.process);
    if (capture->has_begun) {
        frame->hash =
            sq_frame_hash_end(&capture->hash, frame->bytes, frame->len);
    } else if (!capture->is_too_large) {
        keep_message(capture, frame->bytes, frame->len);
    }
    return capture->is_too_large ? SQ_EYE_TOO_LARGE : status;
}

/* Sends the first bytes of the payload, then screencap's messages. */
static void
send_with_messages(const struct capture *capture, enum sq_eye_type type,
                   size_t count) {
    memcpy(eye_payload() + count, capture->message, capture->messages);
    eye_send(type, count + capture->messages);
}

/*
 * Sends a scaled picture of a frame up to its end, as changes of `base` if that
 * is not NULL. There are always as many bytes as whole words.
 */
static void
send_scaled(const struct eye_frame *frame, const struct eye_frame *picture,
            const struct eye_frame *base) {
    static struct eye_sender sender;
    struct sq_eye_picture source;
    struct sq_eye_shape shape = sq_eye_shape_of(picture->bytes);
    sq_eye_picture_of(frame->bytes, frame->len, &source);
    const struct sq_eye_begin begin = {
        .most_bytes = shape.most_bytes,
        .distance = shape.distance,
        .is_scaled = true,
        .hash = frame->hash,
        .width = source.width,
        .height = source.height,
        .is_black = sq_eye_is_black(&source, SQ_EYE_BLACK_CEILING),
    };
    eye_sender_start(&sender, &begin, picture->bytes, base, 0);
    eye_sender_code(&sender, picture);
    eye_sender_end(&sender);
}

static void
put_end(int32_t status, uint32_t number, size_t bytes) {
    const struct sq_eye_end end = { status, number, (uint32_t)bytes };
    sq_eye_put_end(&end, eye_payload());
}

/* Sends the scaled picture instead of the frame. False: it cannot be made. */
static bool
end_scaled(struct capture *capture) {
    const struct sq_eye_capture *request = &capture->request;
    struct eye_frame *picture = &eye.next_scaled;
    bool has_base =
        request->scaled_base != 0 && eye.scaled.number == request->scaled_base;
    if (!eye_scale(&eye.frames.next, &request->scaling, picture)) {
        return false;
    }
    send_scaled(&eye.frames.next, picture, has_base ? &eye.scaled : NULL);
    picture->number = ++eye.frames.numbers;
    put_end(0, picture->number, picture->len);
    send_with_messages(capture, SQ_EYE_END, SQ_EYE_END_BYTES);
    struct eye_frame old = eye.scaled;
    eye.scaled = *picture;
    eye.next_scaled = old;
    eye_frames_keep_shown(&eye.frames);
    return true;
}

/* Sends the rest of the frame and its end, and keeps it if it is complete. */
static void
end_frame(struct capture *capture, int32_t status) {
    const struct eye_frame *frame = &eye.frames.next;
    size_t bytes = capture->has_begun ? frame->len : 0;
    size_t tail = bytes % SQ_EYE_WORD;
    uint32_t number = 0;
    memcpy(eye_payload() + SQ_EYE_END_BYTES, frame->bytes + bytes - tail, tail);
    if (capture->has_begun && status == 0) {
        eye_frames_keep_sent(&eye.frames);
        number = eye.frames.sent;
    }
    put_end(status, number, bytes);
    send_with_messages(capture, SQ_EYE_END, SQ_EYE_END_BYTES + tail);
}

static struct capture capture;

static bool
take_screenshot(const uint8_t *request, uint32_t length) {
    memset(&capture, 0, sizeof(capture));
    if (!sq_eye_read_capture(request, length, &capture.request)) {
        return false;
    }
    int32_t status = run_capture(&capture);
    if (capture.has_begun && !eye_sender_end(&capture.sender)) {
        if (status == 0 && end_scaled(&capture)) {
            return true;
        }
        start_sending(&capture, 0);
        eye_sender_code(&capture.sender, &eye.frames.next);
        eye_sender_end(&capture.sender);
    }
    end_frame(&capture, status);
    return true;
}

/* Takes a screenshot that stays here. Its messages stay in `capture`. */
static struct sq_eye_seen
look_once(const struct sq_eye_look *look) {
    const struct eye_frame *frame = &eye.frames.next;
    struct sq_eye_picture picture;
    memset(&capture, 0, sizeof(capture));
    capture.is_look = true;
    capture.request.max_bytes = look->max_bytes;
    capture.request.has_display = look->has_display;
    capture.request.display = look->display;
    struct sq_eye_seen seen = { .status = run_capture(&capture) };
    if (capture.has_begun && seen.status == 0
        && sq_eye_picture_of(frame->bytes, frame->len, &picture)) {
        seen.hash = frame->hash;
        seen.width = picture.width;
        seen.height = picture.height;
        seen.is_black = sq_eye_is_black(&picture, SQ_EYE_BLACK_CEILING);
        eye_frames_keep(&eye.frames, look->keep);
    }
    return seen;
}

static bool
look(const uint8_t *request, uint32_t length) {
    struct sq_eye_look look;
    if (!sq_eye_read_look(request, length, &look)) {
        return false;
    }
    struct sq_eye_seen seen = look_once(&look);
    sq_eye_put_seen(&seen, eye_payload());
    send_with_messages(&capture, SQ_EYE_SEEN, SQ_EYE_SEEN_BYTES);
    return true;
}

static bool
watch(const uint8_t *request, uint32_t length) {
    struct sq_eye_watch watch;
    if (!sq_eye_read_watch(request, length, &watch)) {
        return false;
    }
    uint32_t pause_ms;
    struct sq_rest rest = sq_rest_begin(
        &watch.rule, watch.before, watch.quiet_ms, eye_clock_ms(), &pause_ms);
    bool is_last = false;
    while (!is_last) {
        /* The host sends nothing meanwhile, so any event is the end. */
        struct eye_poll poll = { EYE_INPUT, EYE_POLL_IN, 0 };
        if (eye_poll(&poll, 1, (long)pause_ms) != 0) {
            eye_exit(EYE_STATUS_STREAM_ENDED);
        }
        int64_t begun_ms = eye_clock_ms();
        struct sq_eye_watched watched = { .seen = look_once(&watch.look) };
        if (watched.seen.hash != 0) {
            watched.state = sq_rest_look(&rest, watched.seen.hash, begun_ms,
                                         eye_clock_ms(), &pause_ms);
        }
        is_last = watched.seen.hash == 0 || watched.state != SQ_REST_GOES_ON;
        sq_eye_put_watched(&watched, eye_payload());
        send_with_messages(&capture, SQ_EYE_WATCHED, SQ_EYE_WATCHED_BYTES);
    }
    return true;
}

static struct sq_eye_compared
compare_frames(const struct sq_eye_compare *request) {
    static const struct sq_eye_compared unknown = { .outcome = SQ_EYE_UNKNOWN };
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
    if (before != after) {
        compared.where = sq_eye_differ(&a, &b, &area);
        compared.outcome =
            compared.where.count > 0 ? SQ_EYE_DIFFERENT : SQ_EYE_SAME;
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
    sq_eye_put_compared(&compared, eye_payload());
    eye_send(SQ_EYE_COMPARED, SQ_EYE_COMPARED_BYTES);
    return true;
}

static bool
crop(const uint8_t *request, uint32_t length) {
    struct sq_eye_crop crop;
    struct eye_frame *picture = &eye.next_scaled;
    if (!sq_eye_read_crop(request, length, &crop)) {
        return false;
    }
    const struct eye_frame *frame = eye_frames_hashed(&eye.frames, crop.hash);
    bool is_made = frame && eye_scale(frame, &crop.scaling, picture);
    bool is_sent = is_made && picture->len <= crop.max_bytes;
    if (is_sent) {
        send_scaled(frame, picture, NULL);
    }
    put_end(is_sent   ? 0
            : is_made ? SQ_EYE_TOO_LARGE
                      : SQ_EYE_GONE,
            0, is_sent ? picture->len : 0);
    eye_send(SQ_EYE_END, SQ_EYE_END_BYTES);
    return true;
}

/* By type of request. They return false if it is invalid. */
static bool (*const answers[SQ_EYE_TYPES])(const uint8_t *, uint32_t) = {
    [SQ_EYE_CAPTURE] = take_screenshot,
    [SQ_EYE_LOOK] = look,
    [SQ_EYE_COMPARE] = compare,
    [SQ_EYE_CROP] = crop,
    [SQ_EYE_WATCH] = watch,
};

int
eye_main(int argc, const char *const *argv, const char *const *environment) {
    if (argc < 1) {
        return EYE_STATUS_BAD_REQUEST;
    }
    eye.environment = environment;
    eye_stream_init();
    say_hello(argv[0]);
    while (true) {
        uint8_t request[SQ_EYE_MAX_REQUEST];
        struct sq_eye_head head = eye_next_request(request);
        if (head.type == SQ_EYE_CLOSE) {
            return EYE_STATUS_OK;
        }
        if (!answers[head.type] || !answers[head.type](request, head.length)) {
            return EYE_STATUS_BAD_REQUEST;
        }
    }
}
