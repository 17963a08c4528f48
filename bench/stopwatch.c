/*
 * Measures the time that a server needs for an answer, with little overhead:
 *   bench-stopwatch TO FROM
 * TO and FROM are open descriptors to and from the server. Each line of the
 * standard input is passed on; the line that comes back is printed after a line
 * "NANOSECONDS BYTES". An empty line passes nothing on: the answer belonged to
 * something else, and the watch still runs.
 */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "sys/clock.h"
#include "util/mem.h"
#include "util/span.h"

#define MAX_LINE ((size_t)1 << 20)
#define MAX_ANSWER ((size_t)64 << 20)

struct watch {
    int to;
    int from;
    char *line;
    char *answer;
    int64_t began_ns;
};

static bool
write_all(int fd, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t wrote = write(fd, bytes, count);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote < 0) {
            return false;
        }
        bytes += wrote;
        count -= (size_t)wrote;
    }
    return true;
}

/* Reads up to the end of a line; returns the length, 0 at the end of input. */
static size_t
read_lines(int fd, char *into, size_t room) {
    size_t used = 0;
    while (used < room) {
        ssize_t got = read(fd, into + used, room - used);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return 0;
        }
        used += (size_t)got;
        if (into[used - 1] == '\n') {
            return used;
        }
    }
    return 0;
}

/* False if the server or the caller has closed its end. */
static bool
time_one(struct watch *watch) {
    char head[64];
    size_t asked = read_lines(STDIN_FILENO, watch->line, MAX_LINE);
    if (asked > 1) {
        watch->began_ns = sq_clock_monotonic_ns();
    }
    if (asked == 0
        || (asked > 1 && !write_all(watch->to, watch->line, asked))) {
        return false;
    }
    size_t count = read_lines(watch->from, watch->answer, MAX_ANSWER);
    int64_t took_ns = sq_clock_monotonic_ns() - watch->began_ns;
    int len =
        snprintf(head, sizeof(head), "%lld %zu\n", (long long)took_ns, count);
    return count > 0 && write_all(STDOUT_FILENO, head, (size_t)len)
        && write_all(STDOUT_FILENO, watch->answer, count);
}

static bool
read_number(const char *word, int *out) {
    int64_t number;
    bool ok = sq_span_to_int64(sq_span_of(word), &number) && number >= 0
           && number <= INT_MAX;
    *out = ok ? (int)number : -1;
    return ok;
}

int
main(int argc, char **argv) {
    struct watch watch;
    if (argc != 3 || !read_number(argv[1], &watch.to)
        || !read_number(argv[2], &watch.from)) {
        fprintf(stderr, "usage: bench-stopwatch TO FROM\n");
        return 2;
    }
    watch.line = sq_mem_alloc(1, MAX_LINE);
    watch.answer = sq_mem_alloc(1, MAX_ANSWER);
    bool ok = watch.line && watch.answer;
    while (ok && time_one(&watch)) {
    }
    sq_mem_free(watch.line);
    sq_mem_free(watch.answer);
    return ok ? 0 : 1;
}
