/*
 * bad-worker ocr-worker FILE: a text recogniser that behaves as the first word
 * of a file says, which it reads before it is confined like the real one.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <time.h>
#include <unistd.h>

#include "sys/worker.h"
#include "vision/reader.h"

#define MEMORY ((size_t)64 << 20)
#if defined(__SANITIZE_ADDRESS__)
#define MOST (SIZE_MAX / 2)
#else
#define MOST (4 * MEMORY)
#endif

static char mode[32];

static bool
open_mode(void *context, struct sq_err *err) {
    FILE *file = fopen(context, "r");
    size_t len = file ? fread(mode, 1, sizeof(mode) - 1, file) : 0;
    mode[len] = '\0';
    if (file) {
        fclose(file);
    }
    return len > 0 || sq_fail(err, SQ_ERR_UNSUPPORTED, "no such language");
}

static bool
prepare(void *context, struct sq_err *err) {
    (void)context;
    (void)err;
    return true;
}

static bool
answer_word(struct sq_buf *reply, struct sq_err *err) {
    const struct sq_word word = { SQ_SPAN("word"), { 8, 8, 40, 40 }, 90 };
    return sq_words_put(reply, &word, err);
}

static bool
answer_garbage(struct sq_buf *reply, struct sq_err *err) {
    return sq_buf_append(reply, "garbage that is no word", 23, err);
}

/* Sends bytes without a header first. */
static bool
answer_noise(struct sq_buf *reply, struct sq_err *err) {
    static const char noise[64] = "noise";
    return send(STDIN_FILENO, noise, sizeof(noise), 0) > 0
        && answer_word(reply, err);
}

static bool
answer_never(struct sq_buf *reply, struct sq_err *err) {
    for (volatile unsigned turns = 0;; turns++) {
    }
    return answer_word(reply, err);
}

/* Needs a quarter of a second of processor time. */
static bool
answer_late(struct sq_buf *reply, struct sq_err *err) {
    clock_t end = clock() + CLOCKS_PER_SEC / 4;
    while (clock() < end) {
    }
    return answer_word(reply, err);
}

/*
 * Asks for more and more memory, as a decoder with a huge picture. The limit
 * ends it; with sanitizers, which allow no limit, their own one does.
 */
static bool
answer_large(struct sq_buf *reply, struct sq_err *err) {
    static void *kept[64];
    size_t count = 0;
    for (size_t size = 1 << 20; size < MOST; size *= 2) {
        kept[count] = malloc(size);
        if (!kept[count++]) {
            abort();
        }
    }
    return answer_word(reply, err);
}

/* Answers a word if the system refused a call, otherwise garbage. */
static bool
answer_refusal(int result, struct sq_buf *reply, struct sq_err *err) {
    return result < 0 && errno == EPERM ? answer_word(reply, err)
                                        : answer_garbage(reply, err);
}

static bool
answer_file(struct sq_buf *reply, struct sq_err *err) {
    return answer_refusal(open("mode", O_RDONLY), reply, err);
}

static bool
answer_network(struct sq_buf *reply, struct sq_err *err) {
    return answer_refusal(socket(AF_INET, SOCK_STREAM, 0), reply, err);
}

static bool
answer_program(struct sq_buf *reply, struct sq_err *err) {
    char name[] = "/bin/true";
    char *const argv[] = { name, NULL };
    return answer_refusal(execv(name, argv), reply, err);
}

/* Signals its parent, which must be impossible. */
static bool
answer_signal(struct sq_buf *reply, struct sq_err *err) {
#ifdef SYS_tgkill
    long result = syscall(SYS_tgkill, getppid(), getppid(), SIGUSR2);
    return answer_refusal((int)result, reply, err);
#else
    return answer_word(reply, err);
#endif
}

static bool
answer(void *context, struct sq_span request, uint8_t *memory,
       size_t memory_bytes, struct sq_buf *reply, struct sq_err *err) {
    static const struct {
        const char *name;
        bool (*run)(struct sq_buf *reply, struct sq_err *err);
    } modes[] = {
        { "well", answer_word },       { "garbage", answer_garbage },
        { "noise", answer_noise },     { "never", answer_never },
        { "late", answer_late },       { "large", answer_large },
        { "file", answer_file },       { "network", answer_network },
        { "program", answer_program }, { "signal", answer_signal },
    };
    (void)context;
    (void)request;
    (void)memory;
    (void)memory_bytes;
    for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
        if (strcmp(mode, modes[i].name) == 0) {
            return modes[i].run(reply, err);
        }
    }
    abort();
}

int
main(int argc, char **argv) {
    struct sq_err err = { 0 };
    const struct sq_worker_job job = {
        .open = open_mode,
        .prepare = prepare,
        .answer = answer,
        .memory_bytes = MEMORY,
        .cpu_seconds = 60,
        .max_reply = SQ_OCR_MAX_REPLY,
    };
    return argc == 3 && sq_worker_serve(&job, argv[2], &err) ? 0 : 1;
}
