/* Tests programs that run until they are interrupted. */
#include "sys/process.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"

#define LONG_MS T_PATIENCE_MS

/* The tests use a shell; the product never does. */
static bool
start(const char *script, int limit_ms, int grace_ms, struct sq_running **out,
      struct sq_err *err) {
    const char *argv[] = { "/bin/sh", "-c", script, NULL };
    const struct sq_running_plan plan = {
        .argv = argv,
        .ready = "started",
        .ready_ms = LONG_MS,
        .limit_ms = limit_ms,
        .grace_ms = grace_ms,
    };
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    return sq_running_start(&plan, out, &deadline, err);
}

static bool
has_no_child(void) {
    return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
}

/* What the program does when it is interrupted, and until then. */
#define LOOP "echo started >&2; while :; do sleep 0.02; done"

T_CASE(an_interrupted_program_ends_by_itself) {
    char script[600];
    struct sq_running *running = NULL;
    struct stat file;
    t_scratch_start();
    snprintf(script, sizeof(script), "trap ': > %s; exit 0' INT; " LOOP,
             t_scratch_path("done"));
    T_OK(start(script, LONG_MS, LONG_MS, &running, &t_err));
    T_OK(sq_running_stop(running, &t_err));
    T_INT(stat(t_scratch_path("done"), &file), 0);
    T(has_no_child());
    t_scratch_end();
}

T_CASE(the_limit_interrupts_it) {
    char script[600];
    struct sq_running *running = NULL;
    struct stat file;
    t_scratch_start();
    snprintf(script, sizeof(script), "trap ': > %s; exit 0' INT; " LOOP,
             t_scratch_path("done"));
    /* A short limit may interrupt the shell before its trap is set. */
    bool ok = false;
    for (int limit_ms = 100; !ok && limit_ms < LONG_MS; limit_ms *= 2) {
        t_err = (struct sq_err){ 0 };
        ok = start(script, limit_ms, LONG_MS, &running, &t_err);
    }
    if (!T_OK(ok)) {
        t_scratch_end();
        return;
    }
    for (int i = 0; stat(t_scratch_path("done"), &file) != 0 && i < LONG_MS;
         i++) {
        usleep(1000);
    }
    T_INT(stat(t_scratch_path("done"), &file), 0);
    T_OK(sq_running_stop(running, &t_err));
    t_scratch_end();
}

T_CASE(a_program_that_does_not_end_is_killed) {
    struct sq_running *running = NULL;
    T_OK(start("trap '' INT; " LOOP, LONG_MS, 50, &running, &t_err));
    T_FAILS(sq_running_stop(running, &t_err), SQ_ERR_TIMEOUT);
    T(has_no_child());
    t_err = (struct sq_err){ 0 };
    T_OK(start("trap '' INT; " LOOP, LONG_MS, 50, &running, &t_err));
    sq_running_destroy(running);
    sq_running_destroy(NULL);
    T(has_no_child());
}

T_CASE(a_program_that_ends_immediately_fails) {
    struct sq_running *running = NULL;
    T(!start("echo 'no such device' >&2; exit 3", LONG_MS, 50, &running,
             &t_err));
    T_STR(t_err.message, "it failed (3): no such device");
    T(!start("exit 0", LONG_MS, 50, &running, &t_err));
    T_STR(t_err.message, "it ended immediately");
    T(!running);
    T(has_no_child());
}

T_CASE(a_failure_after_the_interrupt_is_reported) {
    struct sq_running *running = NULL;
    T_OK(start("trap 'echo disk full >&2; exit 5' INT; " LOOP, LONG_MS, LONG_MS,
               &running, &t_err));
    T(!sq_running_stop(running, &t_err));
    T_STR(t_err.message, "it failed (5): disk full");
}

T_CASE(a_missing_program_is_reported) {
    const char *argv[] = { "/nonexistent/program", NULL };
    const struct sq_running_plan plan = {
        .argv = argv, .ready = "x", .ready_ms = LONG_MS, .limit_ms = LONG_MS
    };
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct sq_running *running = NULL;
    T_FAILS(sq_running_start(&plan, &running, &deadline, &t_err),
            SQ_ERR_NOT_FOUND);
}

static bool
start_and_stop(void *context, struct sq_err *err) {
    struct sq_running *running;
    return start("trap 'exit 0' INT; " LOOP, LONG_MS, LONG_MS, &running, err)
        && sq_running_stop(running, err);
}

T_CASE(lack_of_memory_is_reported) {
    T(t_alloc_torture(start_and_stop, NULL) > 0);
    T(has_no_child());
}
