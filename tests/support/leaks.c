#include "support/leaks.h"

#include <stdio.h>
#ifdef __linux__
#include <stdio_ext.h>
#endif

/* The sanitizers' own; the linker leaves them NULL elsewhere. */
size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));
int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

/* LeakSanitizer asks this before it looks. */
int __lsan_is_turned_off(void);

static size_t at_start;
static bool is_wanted; /* whatever the count says */

/* What the C library has allocated for a stream; a single byte is its own. */
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
}

int
__lsan_is_turned_off(void) {
    return !is_wanted && t_allocated_bytes() <= at_start;
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
