#include "sys/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "sys/channel.h"
#include "sys/clock.h"
#include "util/fault.h"

#define LONG_MS T_PATIENCE_MS
/* A busy machine may need longer to start a shell. */
#define FIRST_TRY_MS 400
#define TRIES 10

struct outcome {
    bool ok;
    struct sq_err err;
    struct sq_process_end end;
};

static struct outcome
run_until(const struct sq_process *process,
          const struct sq_deadline *deadline) {
    struct outcome outcome = { 0 };
    outcome.ok = sq_process_run(process, deadline, &outcome.end, &outcome.err);
    return outcome;
}

/* The tests use a shell; the product never does. */
static struct outcome
run_script_until(const char *script, const struct sq_deadline *deadline) {
    const char *argv[] = { "/bin/sh", "-c", script, NULL };
    const struct sq_process process = { .argv = argv,
                                        .max_output = 1000,
                                        .max_errors = 100 };
    return run_until(&process, deadline);
}

static struct outcome
run_script(const char *script, int timeout_ms) {
    struct sq_deadline deadline = sq_deadline_in(timeout_ms, NULL);
    return run_script_until(script, &deadline);
}

static void
finish(struct outcome *outcome) {
    sq_process_end_finish(&outcome->end);
}

static bool
has_no_child(void) {
    return waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD;
}

/* Whether a process ends; the system may need some time for that. */
static bool
ends_soon(pid_t pid) {
    for (int i = 0; i < LONG_MS && kill(pid, 0) == 0; i++) {
        usleep(1000);
    }
    return kill(pid, 0) != 0;
}

static pid_t
number_in(const char *path) {
    char text[32] = "";
    FILE *file = fopen(path, "r");
    if (file) {
        if (!fgets(text, sizeof(text), file)) {
            text[0] = '\0';
        }
        fclose(file);
    }
    int64_t value = 0;
    struct sq_span span = sq_span_trim(sq_span_of(text));
    return sq_span_to_int64(span, &value) ? (pid_t)value : 0;
}

T_CASE(output_errors_and_status_are_returned) {
    struct outcome got =
        run_script("echo said; echo complained >&2; exit 7", LONG_MS);
    T_OK(got.ok, &got.err);
    T_BYTES(got.end.output.data, got.end.output.len, "said\n", 5);
    T_BYTES(got.end.errors.data, got.end.errors.len, "complained\n", 11);
    T_INT(got.end.status, 7);
    T_INT(got.end.signal, 0);
    finish(&got);
    finish(&got);
    T_FREED(sq_process_end_finish) struct sq_process_end zero = { 0 };
}

T_CASE(signal_of_a_killed_program_is_reported) {
    struct outcome got = run_script("kill -TERM $$", LONG_MS);
    T_OK(got.ok, &got.err);
    T_INT(got.end.status, -1);
    T_INT(got.end.signal, SIGTERM);
    finish(&got);
}

T_CASE(arguments_are_passed_unchanged) {
    const char *argv[] = { "/bin/echo", "$(id)", "; rm -rf x", "a\nb", NULL };
    const struct sq_process process = { .argv = argv, .max_output = 100 };
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct outcome got = run_until(&process, &deadline);
    static const char want[] = "$(id) ; rm -rf x a\nb\n";
    T_OK(got.ok, &got.err);
    T_BYTES(got.end.output.data, got.end.output.len, want, sizeof(want) - 1);
    finish(&got);
}

T_CASE(slow_program_is_awaited) {
    struct outcome got = run_script(
        "echo one; sleep 0.2; echo two; exec >&-; sleep 0.1", LONG_MS);
    T_OK(got.ok, &got.err);
    T_BYTES(got.end.output.data, got.end.output.len, "one\ntwo\n", 8);
    finish(&got);
}

T_CASE(hanging_program_and_its_children_are_killed) {
    char script[600];
    t_scratch_start();
    snprintf(script, sizeof(script),
             "trap '' TERM INT HUP; sleep 1000 & echo $! >%s; echo $$ >%s; "
             "wait; sleep 1000",
             t_scratch_path("inner"), t_scratch_path("outer"));
    /* The deadline expires after it has started everything. */
    for (int i = 0; i < TRIES && !number_in(t_scratch_path("outer")); i++) {
        struct outcome got = run_script(script, FIRST_TRY_MS << i);
        T(!got.ok);
        T_INT(got.err.code, SQ_ERR_TIMEOUT);
        T(strstr(got.err.message, "sh") != NULL);
        T(!got.end.output.data);
    }
    T(number_in(t_scratch_path("outer")) > 1);
    T(ends_soon(number_in(t_scratch_path("outer"))));
    T(ends_soon(number_in(t_scratch_path("inner"))));
    T(has_no_child());
    t_scratch_end();
}

T_CASE(background_children_end_with_the_program) {
    char script[300];
    t_scratch_start();
    snprintf(script, sizeof(script), "sleep 1000 & echo $! >%s; echo done",
             t_scratch_path("inner"));
    struct outcome got = run_script(script, LONG_MS);
    T_OK(got.ok, &got.err);
    T_BYTES(got.end.output.data, got.end.output.len, "done\n", 5);
    T(number_in(t_scratch_path("inner")) > 1);
    T(ends_soon(number_in(t_scratch_path("inner"))));
    finish(&got);
    t_scratch_end();
}

T_CASE(daemon_may_keep_the_pipes_open) {
    char script[300];
    t_scratch_start();
    snprintf(script, sizeof(script),
             "setsid sh -c 'echo $$ >%s; exec sleep 1000' & "
             "while ! test -s %s; do sleep 0.01; done; echo done",
             t_scratch_path("daemon"), t_scratch_path("daemon"));
    int64_t before = sq_clock_monotonic_ns();
    struct outcome got = run_script(script, LONG_MS);
    T_OK(got.ok, &got.err);
    T((sq_clock_monotonic_ns() - before) / 1000000 < LONG_MS);
    T_BYTES(got.end.output.data, got.end.output.len, "done\n", 5);
    pid_t daemon = number_in(t_scratch_path("daemon"));
    T(daemon > 1 && kill(daemon, 0) == 0);
    if (daemon > 1) {
        kill(daemon, SIGKILL);
    }
    finish(&got);
    t_scratch_end();
}

/* A daemon that kept a pipe of our parent open would make its reader wait. */
T_CASE(inherited_descriptors_are_closed) {
    char script[100];
    int inherited = dup(1);
    T(inherited > 2 && inherited < 10); /* the shell knows one digit only */
    snprintf(script, sizeof(script), "(true >&%d) && echo open", inherited);
    struct outcome got = run_script(script, LONG_MS);
    close(inherited);
    T_OK(got.ok, &got.err);
    T_INT(got.end.output.len, 0);
    T(got.end.errors.len > 0);
    finish(&got);
}

T_CASE(too_much_output_ends_the_program) {
    struct outcome got = run_script("while :; do echo flood; done", LONG_MS);
    T(!got.ok);
    T_INT(got.err.code, SQ_ERR_LIMIT);
    T(strstr(got.err.message, "1000 bytes") != NULL);
    T(has_no_child());
    finish(&got);
    got = run_script("printf %1000s x", LONG_MS);
    T_OK(got.ok, &got.err);
    T_INT(got.end.output.len, 1000);
    finish(&got);
    got = run_script("printf %1001s x", LONG_MS);
    T_INT(got.err.code, SQ_ERR_LIMIT);
    finish(&got);
}

T_CASE(excess_standard_error_is_dropped) {
    struct outcome got =
        run_script("printf %300000s x >&2; echo done; exit 3", LONG_MS);
    T_OK(got.ok, &got.err);
    T_INT(got.end.errors.len, 100);
    T_BYTES(got.end.output.data, got.end.output.len, "done\n", 5);
    T_INT(got.end.status, 3);
    finish(&got);
}

T_CASE(start_errors_have_a_reason) {
    t_scratch_start();
    t_put(t_scratch_path("plain"), "text", 4);
    t_put(t_scratch_path("noise"), "\x01\x02", 2);
    T_INT(chmod(t_scratch_path("noise"), 0700), 0);
    const struct {
        const char *path;
        enum sq_err_code code;
        const char *says;
    } rows[] = {
        { t_scratch_path("missing"), SQ_ERR_NOT_FOUND,
          "missing does not exist" },
        { t_scratch_path("plain"), SQ_ERR_IO, "cannot run plain" },
        { t_scratch_path("noise"), SQ_ERR_IO, "cannot run noise" },
        { t_scratch(), SQ_ERR_IO, "cannot run" },
        { "sh", SQ_ERR_NOT_FOUND, "absolute" },
    };
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        const char *argv[] = { rows[i].path, NULL };
        const struct sq_process process = { .argv = argv, .max_output = 10 };
        struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
        struct outcome got = run_until(&process, &deadline);
        T(!got.ok);
        T_INT(got.err.code, rows[i].code);
        T(strstr(got.err.message, rows[i].says) != NULL);
    }
    T(has_no_child());
    t_scratch_end();
}

T_CASE(input_larger_than_the_pipe_is_written) {
    static char big[300000];
    for (size_t i = 0; i < sizeof(big); i++) {
        big[i] = (char)t_random();
    }
    const char *argv[] = { "/bin/cat", NULL };
    const struct sq_process process = { .argv = argv,
                                        .input = { big, sizeof(big) },
                                        .max_output = sizeof(big) };
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct outcome got = run_until(&process, &deadline);
    T_OK(got.ok, &got.err);
    T_BYTES(got.end.output.data, got.end.output.len, big, sizeof(big));
    finish(&got);
}

T_CASE(input_need_not_be_read) {
    static char big[300000];
    const char *argv[] = { "/bin/sh", "-c", "exec <&-; echo done", NULL };
    const struct sq_process process = { .argv = argv,
                                        .input = { big, sizeof(big) },
                                        .max_output = 100 };
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct outcome got = run_until(&process, &deadline);
    T_OK(got.ok, &got.err);
    T_BYTES(got.end.output.data, got.end.output.len, "done\n", 5);
    finish(&got);
}

T_CASE(without_input_the_program_reads_end_of_file) {
    struct outcome got = run_script("cat; echo done", LONG_MS);
    T_OK(got.ok, &got.err);
    T_BYTES(got.end.output.data, got.end.output.len, "done\n", 5);
    finish(&got);
}

static void *
cancel_later(void *cancel) {
    usleep(100000);
    sq_cancel_set(cancel);
    return NULL;
}

T_CASE(cancel_from_another_thread_ends_the_program) {
    struct sq_cancel *cancel = NULL;
    pthread_t thread;
    T_OK(sq_cancel_create(&cancel, &t_err));
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, cancel);
    T_INT(pthread_create(&thread, NULL, cancel_later, cancel), 0);
    struct outcome got = run_script_until("sleep 1000", &deadline);
    T(!got.ok);
    T_INT(got.err.code, SQ_ERR_CANCELLED);
    T(sq_deadline_left_ms(&deadline) > 0);
    T(has_no_child());
    pthread_join(thread, NULL);
    got = run_script_until("echo never", &deadline);
    T_INT(got.err.code, SQ_ERR_CANCELLED);
    sq_cancel_destroy(cancel);
}

/* Ignored and blocked signals would be inherited through exec. */
T_CASE(program_starts_with_default_signals) {
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    struct sigaction pipe_before;
    struct sigaction child_before;
    sigset_t blocked;
    sigset_t saved;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    T_INT(sigaction(SIGPIPE, &ignore, &pipe_before), 0);
    T_INT(sigaction(SIGCHLD, &ignore, &child_before), 0);
    T_INT(pthread_sigmask(SIG_BLOCK, &blocked, &saved), 0);
    struct outcome got = run_script("kill -TERM $$; exit 1", LONG_MS);
    T_OK(got.ok, &got.err);
    T_INT(got.end.signal, SIGTERM);
    finish(&got);
    got = run_script("kill -PIPE $$; exit 1", LONG_MS);
    T_OK(got.ok, &got.err);
    T_INT(got.end.signal, SIGPIPE);
    finish(&got);
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    sigaction(SIGPIPE, &pipe_before, NULL);
    sigaction(SIGCHLD, &child_before, NULL);
}

/* If ours are closed, the pipes get the numbers of the standard streams. */
static bool
runs_without_standard_streams(struct sq_err *err) {
    int kept[3];
    for (int i = 0; i < 3; i++) {
        kept[i] = fcntl(i, F_DUPFD_CLOEXEC, 10);
        close(i);
    }
    const char *argv[] = { "/bin/sh", "-c", "cat; echo bad >&2", NULL };
    const struct sq_process process = { .argv = argv,
                                        .input = SQ_SPAN_INIT("in"),
                                        .max_output = 100,
                                        .max_errors = 100 };
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct sq_process_end end = { 0 };
    bool ok = sq_process_run(&process, &deadline, &end, err);
    bool right = ok && end.output.len == 2 && end.errors.len == 4;
    sq_process_end_finish(&end);
    for (int i = 0; i < 3; i++) {
        dup2(kept[i], i);
        close(kept[i]);
    }
    return right;
}

T_CASE(works_with_closed_standard_streams) {
    fflush(NULL);
    T_OK(runs_without_standard_streams(&t_err));
}

T_CASE(two_hundred_runs_leak_nothing) {
    int before = t_count_open_files();
    for (int i = 0; i < 200; i++) {
        struct outcome got = i % 4 == 3 ? run_script("sleep 1000", 5)
                                        : run_script("echo $$", LONG_MS);
        T(got.ok == (i % 4 != 3));
        finish(&got);
    }
    T_INT(t_count_open_files(), before);
    T(has_no_child());
}

/*
 * context: whether a read may have been told that there is no data, which is
 * the same as a program without output.
 */
static bool
echoes(void *context, struct sq_err *err) {
    const bool *may_be_empty = context;
    const char *argv[] = { "/bin/echo", "hello", NULL };
    const struct sq_process process = { .argv = argv,
                                        .max_output = 1000,
                                        .max_errors = 1000 };
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    T_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    bool ok = sq_process_run(&process, &deadline, &end, err);
    bool is_empty = may_be_empty && *may_be_empty && end.output.len == 0;
    T(!ok || ((end.output.len == 6 || is_empty) && end.status == 0));
    T(ok || !end.output.data);
    return ok;
}

T_CASE(every_allocation_can_fail) {
    T(t_alloc_torture(echoes, NULL) > 0);
    T(has_no_child());
}

T_CASE(every_system_call_can_fail) {
    static const int hows[] = { EIO, EMFILE, EAGAIN, SQ_FAULT_SHORT };
    int before = t_count_open_files();
    for (size_t h = 0; h < SQ_COUNT(hows); h++) {
        for (long n = 1; n < 60; n++) {
            bool may_be_empty = hows[h] == EAGAIN;
            sq_fault_arm(SQ_FAULT_CALL,
                         (struct sq_fault_plan){ .nth = n, .how = hows[h] });
            bool ok = echoes(&may_be_empty, &t_err);
            sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
            T(ok || t_err.code == SQ_ERR_IO || t_err.code == SQ_ERR_EXHAUSTED);
            T(ok || hows[h] != SQ_FAULT_SHORT);
            T_INT(t_count_open_files(), before);
            T(has_no_child());
        }
    }
}

/* A channel that cannot be started leaves no descriptor and no program. */
T_CASE(every_system_call_of_a_channel_can_fail) {
    static const char *const argv[] = { "/bin/true", NULL };
    int before = t_count_open_files();
    for (long n = 1; n < 20; n++) {
        struct sq_channel *channel = NULL;
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = n, .how = EIO });
        bool ok = sq_channel_start(argv, &channel, &t_err);
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
        T(ok || t_err.code == SQ_ERR_IO);
        sq_channel_destroy(channel);
        T_INT(t_count_open_files(), before);
        T(has_no_child());
    }
}
