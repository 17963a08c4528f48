/* server FOLDER [TURN]: one phone, one request after another. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "device/demo/demo.h"
#include "fake/fake.h"
#include "sys/clock.h"

#define REPLY_BYTES ((size_t)64 << 20)
#define REQUEST_MS 60000
#define CLOCK_BASE_NS (1794700800 * (int64_t)1000000000)
#define CLOCK_LOOP_NS (50 * (int64_t)1000000000)
#define MAX_WORD ((uint32_t)1 << 20)

void
fake_fail(struct fake_reply *reply, int status, const char *format, ...) {
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    sq_buf_clear(&reply->output);
    sq_buf_printf(&reply->errors, NULL, "%s\n", text);
    reply->status = status;
}

static bool
read_exactly(int fd, void *into, size_t len) {
    char *at = into;
    while (len > 0) {
        ssize_t done = read(fd, at, len);
        if (done <= 0) {
            return false;
        }
        at += done;
        len -= (size_t)done;
    }
    return true;
}

static void
write_exactly(int fd, const void *bytes, size_t len) {
    const char *at = bytes;
    while (len > 0) {
        ssize_t done = send(fd, at, len, MSG_NOSIGNAL);
        if (done <= 0) {
            return;
        }
        at += done;
        len -= (size_t)done;
    }
}

static void
read_request(int fd, struct fake_request *request) {
    uint32_t len;
    while (request->count < FAKE_MAX_WORDS
           && read_exactly(fd, &len, sizeof(len)) && len < MAX_WORD) {
        char *word = calloc(1, (size_t)len + 1);
        if (!word || !read_exactly(fd, word, len)) {
            free(word);
            return;
        }
        request->words[request->count++] = word;
    }
}

static void
answer(struct fake *fake, int fd) {
    struct fake_request request = { 0 };
    struct fake_reply reply = { 0 };
    sq_buf_init(&reply.output, REPLY_BYTES);
    sq_buf_init(&reply.errors, REPLY_BYTES);
    read_request(fd, &request);
    fake->deadline = sq_deadline_in(REQUEST_MS, NULL);
    if (request.count > 0 && strcmp(request.words[0], "xcrun") == 0) {
        fake_xcrun(fake, &request, &reply);
    } else if (request.count > 0) {
        fake_idb(fake, &request, &reply);
    }
    uint32_t head[] = { (uint32_t)reply.status, (uint32_t)reply.output.len,
                        (uint32_t)reply.errors.len };
    write_exactly(fd, head, sizeof(head));
    write_exactly(fd, reply.output.data, reply.output.len);
    write_exactly(fd, reply.errors.data, reply.errors.len);
    sq_buf_finish(&reply.output);
    sq_buf_finish(&reply.errors);
    for (int i = 0; i < request.count; i++) {
        union {
            const char *word;
            void *memory;
        } it = { .word = request.words[i] };
        free(it.memory);
    }
}

static int
listen_at(const char *folder) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof(address.sun_path), "%s/socket", folder);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0
        || listen(fd, 16) < 0) {
        perror(address.sun_path);
        return -1;
    }
    return fd;
}

/* Time advances, but not to the next minute, which the screen would show. */
static int64_t
clock_now(void *context) {
    const int64_t *start = context;
    int64_t gone = sq_clock_monotonic_ns() - *start;
    return CLOCK_BASE_NS + gone % CLOCK_LOOP_NS;
}

int
main(int argc, char **argv) {
    const char *folder = argc > 1 ? argv[1] : ".";
    const char *turn = argc > 2 ? argv[2] : "left";
    static const char *const turns[] = { "left", "right", "both" };
    int64_t start = sq_clock_monotonic_ns();
    const struct sq_demo_options options = { .now_ns = clock_now,
                                             .clock_context = &start,
                                             .width = FAKE_WIDTH,
                                             .height = FAKE_HEIGHT,
                                             .density = FAKE_SCALE };
    struct fake fake = { 0 };
    struct sq_err err = { 0 };
    sq_buf_init(&fake.frame, REPLY_BYTES);
    sq_buf_init(&fake.png, REPLY_BYTES);
    for (int i = 0; i < 3; i++) {
        if (strcmp(turn, turns[i]) == 0) {
            fake.turn = (enum fake_turn)i;
        }
    }
    if (!sq_demo_create(&options, &fake.phone, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    int listener = listen_at(folder);
    if (listener < 0) {
        return 1;
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0) {
            answer(&fake, fd);
            close(fd);
        }
    }
}
