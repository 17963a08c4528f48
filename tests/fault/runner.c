#include "fault/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/app.h"
#include "fault/scenarios.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/file.h"

#define MAX_SCENARIOS 64
#define MAX_POINTS 100000   /* of one mode; more means it never ends */
#define LEAK_CHECK_EVERY 50 /* points; the check takes some ms */
#define MAX_RESULT_BYTES ((size_t)16 << 20)

static const char old_text[] = "what was there before";
static const char stdout_name[] = "stdout.log";
static const char stderr_name[] = "stderr.log";

/* Written by the child that runs a scenario, read by its parent. */
struct progress {
    char point[160]; /* what was tried last, should the child die */
    long points;
    long problems;
};

/* One scenario and what it does when nothing goes wrong. */
struct trial {
    const struct scenario *scenario;
    struct progress *progress;
    fault_live_blocks *live_blocks;
    struct sq_buf output;
    struct sq_buf stdout_bytes;
    int files;
    int open_files;
};

static const struct fault_mode *all_modes;
static size_t all_mode_count;
static fault_live_blocks *count_live_blocks;

/* In sanitized builds; the linker leaves it NULL elsewhere. */
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

__attribute__((format(printf, 2, 3))) static void
complain(struct trial *trial, const char *format, ...) {
    if (++trial->progress->problems > 10) {
        return;
    }
    printf("# %s: ", trial->progress->point);
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

/* Make fd refer to a file for a while; returns the old one for restore(). */
static int
redirect(int fd, const char *path, int flags) {
    int saved = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    int file = open(path, flags | O_CLOEXEC, 0600);
    dup2(file, fd);
    close(file);
    return saved;
}

static void
restore(int fd, int saved) {
    dup2(saved, fd);
    close(saved);
}

/* Run the program once, with or without a fault; returns its exit status. */
static int
run_program(const struct scenario *scenario, const struct fault_mode *mode,
            long nth, long *reached) {
    char words[SCENARIO_MAX_ARGS + 1][64] = { "squint" };
    char *argv[SCENARIO_MAX_ARGS + 2] = { words[0] };
    int argc = 1;
    while (argc <= SCENARIO_MAX_ARGS && scenario->args[argc - 1]) {
        snprintf(words[argc], sizeof(words[argc]), "%s",
                 scenario->args[argc - 1]);
        argv[argc] = words[argc];
        argc++;
    }
    const char *input = scenario->input ? scenario->input : "/dev/null";
    fflush(stdout);
    int saved_in = redirect(STDIN_FILENO, input, O_RDONLY);
    int saved_out =
        redirect(STDOUT_FILENO, stdout_name, O_WRONLY | O_CREAT | O_TRUNC);
    int saved_err =
        redirect(STDERR_FILENO, stderr_name, O_WRONLY | O_CREAT | O_TRUNC);
    if (mode) {
        mode->arm(mode, nth);
    }
    int status = sq_app_main(argc, argv);
    if (mode) {
        *reached = mode->disarm(mode);
    }
    fflush(stdout);
    fflush(stderr);
    restore(STDERR_FILENO, saved_err);
    restore(STDOUT_FILENO, saved_out);
    restore(STDIN_FILENO, saved_in);
    return status;
}

static int
run_undisturbed(const struct scenario *scenario) {
    return run_program(scenario, NULL, 0, NULL);
}

static bool
load(const char *path, struct sq_buf *out) {
    struct sq_err err = { 0 };
    return !path || T_OK(sq_file_read(path, MAX_RESULT_BYTES, out, &err), &err);
}

static void
put_old_output(const struct scenario *scenario) {
    if (scenario->output) {
        t_put(scenario->output, old_text, sizeof(old_text));
    }
}

/* See what the program does undisturbed. */
static bool
start_trial(struct trial *trial) {
    const struct scenario *scenario = trial->scenario;
    snprintf(trial->progress->point, sizeof(trial->progress->point),
             "undisturbed");
    /* Once to let libraries set up what they keep, once to look. */
    run_undisturbed(scenario);
    int status = run_undisturbed(scenario);
    if (status != scenario->status) {
        complain(trial, "exit status %d, not %d", status, scenario->status);
        return false;
    }
    bool ok = scenario->fails
           || (load(scenario->output, &trial->output)
               && load(stdout_name, &trial->stdout_bytes));
    put_old_output(scenario);
    trial->files = t_count_entries(".");
    trial->open_files = t_count_open_files();
    return ok;
}

static void
finish_trial(struct trial *trial) {
    sq_buf_finish(&trial->output);
    sq_buf_finish(&trial->stdout_bytes);
}

static bool
is_done(const struct trial *trial) {
    return t_holds(trial->scenario->output, trial->output.data,
                   trial->output.len);
}

static bool
is_printed(const struct trial *trial) {
    return t_holds(stdout_name, trial->stdout_bytes.data,
                   trial->stdout_bytes.len);
}

static void
judge_success(struct trial *trial) {
    if (trial->scenario->output && !is_done(trial)) {
        complain(trial, "succeeded, but the file is wrong");
    }
    if (!is_printed(trial)) {
        complain(trial, "succeeded, but the text printed is wrong");
    }
}

static void
judge_failure(struct trial *trial, int status, bool had_old) {
    const char *output = trial->scenario->output;
    if (status == 0) {
        complain(trial, "exit status 0, although nothing was done");
    }
    /* When all is done, telling so can still fail. */
    if (!output || (is_done(trial) && !is_printed(trial))) {
        return;
    }
    if (had_old && !t_holds(output, old_text, sizeof(old_text))) {
        complain(trial, "failed, but changed the old file");
    }
    if (!had_old && access(output, F_OK) == 0) {
        complain(trial, "failed, but left a file behind");
    }
}

/* Nothing may stay behind: no file, no descriptor, no memory. */
static void
judge_remains(struct trial *trial) {
    put_old_output(trial->scenario); /* so that it counts in any case */
    int files = t_count_entries(".");
    if (files != trial->files) {
        complain(trial, "%d files are there, not %d", files, trial->files);
        trial->files = files;
    }
    int open_files = t_count_open_files();
    if (open_files != trial->open_files) {
        complain(trial, "%d descriptors are open, not %d", open_files,
                 trial->open_files);
        trial->open_files = open_files;
    }
    if (__lsan_do_recoverable_leak_check
        && trial->progress->points % LEAK_CHECK_EVERY == 0
        && __lsan_do_recoverable_leak_check()) {
        complain(trial, "memory leaked here or shortly before");
    }
}

/* Fail the nth; false once there are fewer than n to fail. */
static bool
try_point(struct trial *trial, const struct fault_mode *mode, long nth) {
    const struct scenario *scenario = trial->scenario;
    struct progress *progress = trial->progress;
    snprintf(progress->point, sizeof(progress->point), "%s, %s %ld",
             scenario->name, mode->name, nth);
    bool had_old = nth % 2;
    if (!had_old && scenario->output) {
        unlink(scenario->output);
    }
    long reached = 0;
    long live_before = trial->live_blocks ? trial->live_blocks() : 0;
    int status = run_program(scenario, mode, nth, &reached);
    long live = trial->live_blocks ? trial->live_blocks() : 0;
    if (live != live_before) {
        complain(trial, "%ld blocks of memory are lost", live - live_before);
    }
    bool disturbed = reached >= nth;
    if (status != scenario->status && (mode->must_succeed || !disturbed)) {
        complain(trial, "gave up with exit status %d", status);
    }
    if (status == scenario->status && !scenario->fails) {
        judge_success(trial);
    } else {
        judge_failure(trial, status, had_old);
    }
    judge_remains(trial);
    progress->points += disturbed;
    return disturbed;
}

/* Try every point of every mode. */
static void
run_trial(const struct scenario *scenario, struct progress *progress) {
    struct trial trial = { .scenario = scenario,
                           .progress = progress,
                           .live_blocks = count_live_blocks };
    bool ok = scenario_make_samples(run_undisturbed) && start_trial(&trial);
    if (!ok) {
        progress->problems++;
    }
    for (size_t i = 0; ok && i < all_mode_count; i++) {
        long nth = 1;
        while (nth < MAX_POINTS && try_point(&trial, &all_modes[i], nth)) {
            nth++;
        }
        if (nth == MAX_POINTS) {
            complain(&trial, "there is no end to it");
        }
    }
    finish_trial(&trial);
}

/* What a dead child said last, as TAP diagnostics. */
static void
show_last_words(void) {
    FILE *file = fopen(t_scratch_path(stderr_name), "r");
    char line[400];
    while (file && fgets(line, sizeof(line), file)) {
        printf("# %s", line);
    }
    if (file) {
        fclose(file);
    }
}

/* Each scenario has its own process and folder: a crash ends only that one. */
static void
run_isolated(const struct scenario *scenario, struct progress *progress) {
    t_scratch_start();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (chdir(t_scratch()) == 0) {
            run_trial(scenario, progress);
            exit(progress->problems ? 1 : 0); /* the leak check is at exit */
        }
        _exit(2);
    }
    int status = -1;
    waitpid(child, &status, 0);
    if (!T_INT(status, 0)) {
        printf("# last: %s\n", progress->point);
        show_last_words();
    }
    t_scratch_end();
}

static void
run_next_case(void) {
    static size_t next;
    const struct scenario *scenario = &scenarios[next];
    struct progress *progress =
        mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!T(progress != MAP_FAILED)) {
        return;
    }
    run_isolated(scenario, progress);
    T(progress->points > 0 || scenario->fails);
    printf("# %s: %ld fault points\n", scenario->name, progress->points);
    munmap(progress, sizeof(*progress));
    next++;
}

int
fault_main(const struct fault_mode *modes, size_t mode_count,
           fault_live_blocks *live_blocks) {
    static struct t_case cases[MAX_SCENARIOS];
    all_modes = modes;
    all_mode_count = mode_count;
    count_live_blocks = live_blocks;
    for (size_t i = 0; i < scenario_count; i++) {
        cases[i] = (struct t_case){ scenarios[i].name, run_next_case };
    }
    return t_main(cases, scenario_count);
}
