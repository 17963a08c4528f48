/*
 * Runs the program inside the test; its output is captured in files of the
 * scratch folder. Call t_scratch_start first.
 *
 * Texts that must not change by accident are compared with files of
 * tests/snapshots. To accept new ones: SQUINT_ACCEPT=1 meson test, then check
 * the output of git diff.
 */
#ifndef SQ_TEST_APP_RUN_H
#define SQ_TEST_APP_RUN_H

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "app/app.h"
#include "support/scratch.h"
#include "support/test.h"

#define RUN_MAX_WORDS 256

/* The status and output of the last run; texts that are too long are cut. */
struct run {
    int status;
    char out[1 << 18];
    size_t out_len;
    char err[4096];
};

static struct run run;

/* Files for standard input and output; NULL: empty input, a scratch file. */
struct run_streams {
    const char *input;
    const char *output;
};

static inline size_t
run_slurp(const char *path, char *text, size_t size) {
    FILE *file = fopen(path, "rb");
    size_t len = file ? fread(text, 1, size - 1, file) : 0;
    text[len] = '\0';
    if (file) {
        fclose(file);
    }
    return len;
}

static inline int
run_redirect(int fd, const char *path, int flags) {
    int saved = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    int file = open(path, flags, 0600);
    T(saved >= 0 && file >= 0 && dup2(file, fd) == fd);
    close(file);
    return saved;
}

static inline void
run_restore(int fd, int saved) {
    T_INT(dup2(saved, fd), fd);
    close(saved);
}

/* A server within the test may take a moment to close its descriptors. */
static inline void
run_expect_open_files(int count) {
    const struct timespec moment = { .tv_nsec = 5000000 };
    for (int i = 0; i < T_PATIENCE_MS / 5 && t_count_open_files() > count;
         i++) {
        nanosleep(&moment, NULL);
    }
    T_INT(t_count_open_files(), count);
}

/* Runs squint with these arguments; NULL ends them. */
static inline void
run_words(struct run_streams streams, const char *const *words) {
    static char storage[RUN_MAX_WORDS][600];
    char *argv[RUN_MAX_WORDS + 1] = { NULL };
    int argc = 0;
    snprintf(storage[0], sizeof(storage[0]), "squint");
    argv[argc++] = storage[0];
    for (; *words && argc < RUN_MAX_WORDS; words++, argc++) {
        snprintf(storage[argc], sizeof(storage[argc]), "%s", *words);
        argv[argc] = storage[argc];
    }
    char out[512];
    char err[512];
    snprintf(out, sizeof(out), "%s/.stdout", t_scratch());
    snprintf(err, sizeof(err), "%s/.stderr", t_scratch());
    const int fresh = O_WRONLY | O_CREAT | O_TRUNC;
    int open_files = t_count_open_files();
    setenv("SQUINT_TEST_UNCONFINED", "1", 1); /* this test goes on */
    fflush(stdout);
    int saved[3] = {
        run_redirect(0, streams.input ? streams.input : "/dev/null",
                     O_RDONLY | O_NOCTTY),
        run_redirect(1, streams.output ? streams.output : out, fresh),
        run_redirect(2, err, fresh),
    };
    run.status = sq_app_main(argc, argv);
    fflush(stderr);
    for (int fd = 0; fd < 3; fd++) {
        run_restore(fd, saved[fd]);
    }
    run_expect_open_files(open_files);
    run.out_len = run_slurp(streams.output ? streams.output : out, run.out,
                            sizeof(run.out));
    run_slurp(err, run.err, sizeof(run.err));
    unlink(out);
    unlink(err);
}

#define RUN_WITH(streams, ...)                                                 \
    run_words((streams), (const char *const[]){ __VA_ARGS__, NULL })
#define RUN(...) RUN_WITH(((struct run_streams){ NULL, NULL }), __VA_ARGS__)
/* The same, and checks the exit status. */
#define RUN_EXITS(want, ...) (RUN(__VA_ARGS__), T_INT(run.status, want))

/* Whether the text contains the part; prints both if not. */
static inline bool
run_says(const char *text, const char *part) {
    bool found = strstr(text, part) != NULL;
    if (!T(found)) {
        printf("# \"%s\" is not in: %s\n", part, text);
    }
    return found;
}

/*
 * Checks that the program failed with this status and message, and no output.
 */
static inline void
run_refused(int status, const char *part) {
    T_INT(run.status, status);
    T_STR(run.out, "");
    T(strncmp(run.err, "squint", 6) == 0);
    run_says(run.err, part);
}

/* Runs words that are separated by spaces, which is refused. */
static inline void
run_refuses(int status, const char *line, const char *part) {
    char text[600];
    const char *words[RUN_MAX_WORDS] = { text, NULL };
    snprintf(text, sizeof(text), "%s", line);
    int count = 1;
    for (char *at = text; *at && count + 1 < RUN_MAX_WORDS; at++) {
        if (*at == ' ') {
            *at = '\0';
            words[count++] = at + 1;
        }
    }
    run_words((struct run_streams){ 0 }, words);
    run_refused(status, part);
}

/* The same for a program: the error is JSON on standard output. */
static inline void
run_refused_as_json(int status, const char *part) {
    T_INT(run.status, status);
    T_STR(run.err, "");
    T(strncmp(run.out, "{\"error\":{\"code\":\"", 18) == 0);
    run_says(run.out, part);
}

/* Compares the output with a snapshot; see above how to change it. */
static inline void
run_matches(const char *name) {
    const char *root = getenv("SQUINT_SOURCE");
    static char want[sizeof(run.out)];
    char path[1024];
    snprintf(path, sizeof(path), "%s/tests/snapshots/%s", root ? root : ".",
             name);
    if (getenv("SQUINT_ACCEPT")) {
        t_put(path, run.out, run.out_len);
    }
    run_slurp(path, want, sizeof(want));
    if (!T_STR(run.out, want)) {
        printf("# not as in %s; SQUINT_ACCEPT=1 accepts it\n", path);
    }
}

#endif
