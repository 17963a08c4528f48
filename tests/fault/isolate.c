#include "fault/isolate.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/album.h"
#include "support/leaks.h"
#include "support/scratch.h"
#include "support/test.h"

#define HANGS_AFTER_S 600 /* a busy machine is slow */
#define TOLD_PROBLEMS 10
#define SAMPLE 10

const char fault_stderr_name[] = "stderr.log";

static size_t allocated_before; /* this point */

long
fault_step(int every) {
    long step = every ? every : 1;
    return t_tests_all() ? step : step * SAMPLE;
}

void
fault_complain(struct fault_progress *progress, const char *format, ...) {
    if (++progress->problems > TOLD_PROBLEMS) {
        return;
    }
    printf("# %s: ", progress->point);
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
}

void
fault_begin_point(struct fault_progress *progress, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(progress->point, sizeof(progress->point), format, args);
    va_end(args);
    allocated_before = t_allocated_bytes();
    alarm(HANGS_AFTER_S);
}

void
fault_check_leaks(struct fault_progress *progress) {
    if (t_has_leaked_since(allocated_before)) {
        fault_complain(progress, "memory leaked");
    }
}

int
fault_redirect(int fd, const char *path, int flags) {
    int saved = fcntl(fd, F_DUPFD_CLOEXEC, 10);
    int file = open(path, flags | O_CLOEXEC, 0600);
    dup2(file, fd);
    close(file);
    return saved;
}

void
fault_restore(int fd, int saved) {
    dup2(saved, fd);
    close(saved);
}

/* Prints the last output of a child that died, as TAP diagnostics. */
static void
show_last_words(void) {
    FILE *file = fopen(t_scratch_path(fault_stderr_name), "r");
    char line[400];
    while (file && fgets(line, sizeof(line), file)) {
        printf("# %s", line);
    }
    if (file) {
        fclose(file);
    }
}

static void
run_apart(void (*run)(struct fault_progress *progress, const void *context),
          const void *context, struct fault_progress *progress) {
    t_scratch_start();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        /* Ignores the configuration of the machine. */
        setenv("HOME", t_scratch(), 1);
        setenv("XDG_CONFIG_HOME", t_scratch_path("config"), 1);
        setenv("XDG_STATE_HOME", "/dev/null/nowhere", 1);
        setenv("XDG_RUNTIME_DIR", "/dev/null/nowhere", 1);
        setenv("XDG_CACHE_HOME", t_scratch_path("cache"), 1);
        setenv("XDG_DATA_HOME", t_scratch_path("data"), 1);
        unsetenv("MANICTIME_DATA_DIR");
        /* A small phone is drawn quickly. */
        setenv("SQUINT_DEMO_WIDTH", "240", 1);
        setenv("SQUINT_DEMO_HEIGHT", "600", 1);
        setenv("SQUINT_DEMO_DENSITY", "0.75", 1);
        unsetenv("SQUINT_CONFIG");
        unsetenv("REPLICANT_CONFIG");
        if (chdir(t_scratch()) == 0) {
            t_leaks_start();
            run(progress, context);
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
    t_album_end();
}

void
fault_isolate(const char *name,
              void (*run)(struct fault_progress *progress, const void *context),
              const void *context, struct fault_progress *result) {
    struct fault_progress *shared =
        mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!T(shared != MAP_FAILED)) {
        return;
    }
    run_apart(run, context, shared);
    printf("# %s: %ld fault points\n", name, shared->points);
    *result = *shared;
    munmap(shared, sizeof(*shared));
}
