/*
 * The leak check of the tests: leaks are found although only searched at the
 * end.
 */
#include "support/leaks.h"

#include <sys/wait.h>
#include <unistd.h>

#include "support/test.h"

static void *volatile kept;

/*
 * Memory of the C library does not hide a leak. Several, since any bytes on the
 * stack can look like the address of one.
 */
static void
leak_beside(void) {
    setenv("SQUINT_LEAK_TEST", "a value that the C library keeps", 1);
    for (int i = 0; i < 16; i++) {
        kept = malloc(1);
    }
    kept = NULL;
}

static void
only_set_variable(void) {
    setenv("SQUINT_LEAK_TEST", "a value that the C library keeps", 1);
}

static void
free_at_once(void) {
    kept = malloc(1);
    free(kept);
}

/* The exit status of a process that runs this function. */
static int
status_after(void (*act)(void)) {
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO); /* the report is not of interest */
        act();
        exit(0);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

T_CASE(process_that_leaks_fails) {
    const char *options = getenv("LSAN_OPTIONS");
    if (options && strstr(options, "detect_leaks=0")) {
        t_skip("LSAN_OPTIONS switches the search for leaks off");
        return;
    }
    bool is_counted = t_allocated_bytes() > 0;
    T_INT(status_after(leak_beside) != 0, is_counted);
    T_INT(status_after(only_set_variable), 0);
    T_INT(status_after(free_at_once), 0);
}

T_CASE(leak_is_found_in_its_case) {
    bool is_counted = t_allocated_bytes() > 0;
    size_t before = t_allocated_bytes();
    T(!t_has_leaked_since(before));
    int saved = dup(STDERR_FILENO);
    close(STDERR_FILENO);
    void *lost = malloc(1);
    size_t with_it = t_allocated_bytes();
    T_INT(with_it > before, is_counted);
    T(!t_has_leaked_since(with_it));
    kept = lost;
    T(!t_has_leaked_since(before));
    dup2(saved, STDERR_FILENO);
    close(saved);
    free(lost);
}
