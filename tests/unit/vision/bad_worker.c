/* The reader of texts with workers that misbehave. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "support/scratch.h"
#include "support/test.h"
#include "support/text_page.h"
#include "vision/reader.h"

/* The worker reads there how it has to behave. */
#define MODE_FILE "mode"

static const struct sq_rect page_area = { 0, 0, 1080, 1000 };

static struct sq_reader *
create(void) {
    const struct sq_reader_options options = { t_made_path("bad-worker"),
                                               MODE_FILE, 2 };
    struct sq_reader *reader = NULL;
    T_OK(sq_reader_create(&options, &reader, &t_err));
    return reader;
}

/* Reads a page with a worker that behaves in that way from its next start. */
static bool
read_badly(struct sq_reader *reader, const char *mode, int timeout_ms,
           struct sq_text *text, struct sq_err *err) {
    static unsigned seed = 20;
    T_FREED(t_text_page_finish) struct t_text_page page = { 0 };
    const struct sq_read_plan plan = { .area = page_area };
    struct sq_deadline deadline = sq_deadline_in(timeout_ms, NULL);
    int pids[8];
    int count = sq_reader_pids(reader, pids, 8);
    t_put(t_scratch_path(MODE_FILE), mode, strlen(mode));
    for (int i = 0; i < count; i++) {
        siginfo_t info;
        kill(pids[i], SIGKILL);
        waitid(P_PID, (id_t)pids[i], &info, WEXITED | WNOWAIT);
    }
    t_text_page_draw(seed++, &page);
    *err = (struct sq_err){ 0 };
    return sq_reader_read(reader, &page.image, &plan, &deadline, text, err);
}

T_FIXTURE(t_scratch_start, t_scratch_end);

/* Whatever a worker does, the reader goes on, and a good one is used again. */
T_CASE(bad_workers_make_lines_unreadable) {
    static const struct {
        const char *mode;
        bool is_read;
    } modes[] = {
        { "garbage", false },
        { "well", true },
        { "noise", false },
        { "late", true },
        { "crash", false },
        /* These answer a word if they are confined. */
        { "file", true },
        { "network", true },
        { "program", true },
        { "signal", true },
#ifndef __SANITIZE_ADDRESS__ /* which allows no limit of memory */
        { "large", false },
#endif
        { "well", true },
    };
    char folder[600];
    struct sq_reader *reader = create();
    snprintf(folder, sizeof(folder), "%s", t_scratch());
    T_INT(chdir(folder), 0);
    for (size_t i = 0; i < SQ_COUNT(modes); i++) {
        struct sq_text text = { 0 };
        bool ok =
            read_badly(reader, modes[i].mode, T_PATIENCE_MS, &text, &t_err);
        if (t_skips_reading(ok, &t_err)) {
            break;
        }
        T_OK(ok);
        T(text.count > 3);
        bool is_right = T_INT(text.recognised > 0, modes[i].is_read)
                     && T_INT(text.unreadable > 0, !modes[i].is_read);
        if (!is_right) {
            printf("# %s\n", modes[i].mode);
        }
        sq_text_finish(&text);
    }
    sq_reader_destroy(reader);
}

T_CASE(a_worker_that_hangs_ends_with_the_time) {
    struct sq_text text = { 0 };
    int pids[8];
    struct sq_reader *reader = create();
    T_INT(chdir(t_scratch()), 0);
    /* Started first, so that only the answer is awaited. */
    bool ok = read_badly(reader, "well", T_PATIENCE_MS, &text, &t_err);
    if (!t_skips_reading(ok, &t_err) && T_OK(ok)) {
        sq_text_finish(&text);
        T_FAILS(read_badly(reader, "never", 2000, &text, &t_err),
                SQ_ERR_TIMEOUT);
        T_INT(sq_reader_pids(reader, pids, 8), 0);
        sq_text_finish(&text);
        T_OK(read_badly(reader, "well", T_PATIENCE_MS, &text, &t_err));
        T(text.recognised > 0);
    }
    sq_text_finish(&text);
    sq_reader_destroy(reader);
}

#if defined(__linux__)
/* As qemu-user and kernels without seccomp. */
static bool
hide_seccomp(void) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_GET_SECCOMP, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { SQ_COUNT(code), code };
    return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) < 0
        || (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
}

/* In a thread of its own, because a filter stays. */
static void *
read_without_seccomp(void *context) {
    T_FREED(sq_text_finish) struct sq_text text = { 0 };
    int pids[8];
    T(hide_seccomp());
    T_FAILS(read_badly(context, "well", T_PATIENCE_MS, &text, &t_err),
            SQ_ERR_UNSUPPORTED);
    T(strstr(t_err.message, "it has no seccomp") != NULL);
    T(strstr(t_err.hint, "kernel with seccomp") != NULL);
    T_INT(sq_reader_pids(context, pids, 8), 0);
    return NULL;
}

T_CASE(nothing_is_read_unconfined) {
    pthread_t thread;
    struct sq_reader *reader = create();
    T_INT(chdir(t_scratch()), 0);
    T_INT(pthread_create(&thread, NULL, read_without_seccomp, reader), 0);
    pthread_join(thread, NULL);
    sq_reader_destroy(reader);
}
#else
T_BARE_CASE(nothing_is_read_unconfined) {
    t_skip("other systems have no seccomp");
}
#endif
