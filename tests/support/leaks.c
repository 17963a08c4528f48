#include "support/leaks.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <stdio_ext.h>
#endif

/* Functions of the sanitizers; NULL in builds without them. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* Frees memory of the C library, such as that of setenv(). */
void __libc_freeres(void) __attribute__((weak));

/* LeakSanitizer calls this before its check at the end of the process. */
int __lsan_is_turned_off(void);

static size_t at_start;
static size_t at_start_bare; /* without the C library's memory; 0: unknown */
static bool is_wanted;       /* regardless of the count */

/* Bytes that the C library has allocated for a stream; a single byte is inside
 * the stream itself. */
static size_t
buffer_of(FILE *stream) {
#ifdef __linux__
    size_t size = __fbufsize(stream);
    return size > 1 ? size : 0;
#else
    (void)stream;
    return 0;
#endif
}

size_t
t_allocated_bytes(void) {
    if (!__sanitizer_get_current_allocated_bytes) {
        return 0;
    }
    return __sanitizer_get_current_allocated_bytes() - buffer_of(stdin)
         - buffer_of(stdout) - buffer_of(stderr);
}

__attribute__((constructor)) void
t_leaks_start(void) {
    at_start = t_allocated_bytes();
    at_start_bare = 0;
}

void
t_leaks_learn(void) {
    int ends[2];
    if (!__libc_freeres || t_allocated_bytes() == 0 || pipe(ends) != 0) {
        return;
    }
    pid_t child = fork();
    if (child == 0) {
        __libc_freeres();
        size_t bare = t_allocated_bytes();
        ssize_t ignored = write(ends[1], &bare, sizeof(bare));
        (void)ignored;
        _exit(0);
    }
    close(ends[1]);
    if (child < 0
        || read(ends[0], &at_start_bare, sizeof(at_start_bare))
               != (ssize_t)sizeof(at_start_bare)) {
        at_start_bare = 0;
    }
    close(ends[0]);
    if (child > 0) {
        waitpid(child, NULL, 0);
    }
}

int
__lsan_is_turned_off(void) {
    if (is_wanted) {
        return 0;
    }
    if (t_allocated_bytes() <= at_start || at_start_bare == 0) {
        return t_allocated_bytes() <= at_start;
    }
    __libc_freeres();
    return t_allocated_bytes() <= at_start_bare;
}

bool
t_has_leaked_since(size_t before) {
    if (!__lsan_do_recoverable_leak_check || t_allocated_bytes() <= before) {
        return false;
    }
    is_wanted = true;
    bool has_leaked = __lsan_do_recoverable_leak_check() != 0;
    is_wanted = false;
    return has_leaked;
}
