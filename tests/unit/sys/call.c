#include "sys/call.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "support/test.h"
#include "sys/clock.h"
#include "util/fault.h"

static void
fail_next(int how) {
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ .nth = 1, .how = how });
}

static void
fail_none(void) {
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
}

T_CASE(injected_failure_is_reported_and_has_no_effect) {
    int ends[2];
    T_INT(pipe(ends), 0);
    fail_next(ENOSPC);
    errno = 0;
    T_INT(sq_call_write(ends[1], "abc", 3), -1);
    T_INT(errno, ENOSPC);
    T_INT(sq_call_write(ends[1], "def", 3), 3);

    char got[8];
    fail_next(EIO);
    T_INT(sq_call_read(ends[0], got, sizeof(got)), -1);
    T_INT(errno, EIO);
    T_INT(sq_call_read(ends[0], got, sizeof(got)), 3);
    T(memcmp(got, "def", 3) == 0);
    fail_none();
    close(ends[0]);
    close(ends[1]);
}

T_CASE(short_transfer_moves_one_byte) {
    int ends[2];
    T_INT(pipe(ends), 0);
    fail_next(SQ_FAULT_SHORT);
    T_INT(sq_call_write(ends[1], "abc", 3), 1);
    T_INT(sq_call_write(ends[1], "bc", 2), 2);
    char got[8];
    fail_next(SQ_FAULT_SHORT);
    T_INT(sq_call_read(ends[0], got, sizeof(got)), 1);
    T_INT(sq_call_read(ends[0], got + 1, sizeof(got) - 1), 2);
    T(memcmp(got, "abc", 3) == 0);
    fail_none();
    close(ends[0]);
    close(ends[1]);
}

T_CASE(interrupted_call_is_repeated) {
    int ends[2];
    T_INT(pipe(ends), 0);
    fail_next(EINTR);
    T_INT(sq_call_write(ends[1], "abc", 3), 3);
    T_INT(sq_fault_count(SQ_FAULT_CALL), 2);
    struct stat st;
    fail_next(EINTR);
    T_INT(sq_call_fstat(ends[0], &st), 0);
    fail_next(EINTR);
    T_INT(sq_call_wait(ends[0], POLLIN), 1);
    fail_none();
    close(ends[0]);
    close(ends[1]);
}

T_CASE(closing_closes_even_when_it_fails) {
    static const int hows[] = { EIO, EINTR, SQ_FAULT_SHORT };
    static const int wants[] = { -1, 0, 0 };
    for (int i = 0; i < 3; i++) {
        int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
        fail_next(hows[i]);
        T_INT(sq_call_close(fd), wants[i]);
        fail_none();
        T_INT(fcntl(fd, F_GETFD), -1);
    }
}

T_CASE(calls_without_bytes_ignore_a_short_transfer) {
    struct stat st;
    fail_next(SQ_FAULT_SHORT);
    T_INT(sq_call_fstatat(AT_FDCWD, "/dev/null", &st), 0);
    T(S_ISCHR(st.st_mode));
    fail_next(SQ_FAULT_SHORT);
    int dir = sq_call_open_dir("/dev");
    T(dir >= 0);
    fail_next(SQ_FAULT_SHORT);
    int fd = sq_call_openat(dir, "null", O_RDONLY | O_CLOEXEC, 0);
    T(fd >= 0);
    fail_none();
    close(fd);
    close(dir);
}

T_CASE(nanosecond_waits_are_never_too_short) {
    int ends[2];
    T_INT(pipe(ends), 0);
    struct pollfd wanted = { .fd = ends[0], .events = POLLIN };
    int64_t began = sq_clock_monotonic_ns();
    T_INT(sq_call_poll_ns(&wanted, 1, 0), 0);
    T_INT(sq_call_poll_ns(&wanted, 1, 1500000), 0);
    T(sq_clock_monotonic_ns() - began >= 1500000);
    T_INT(write(ends[1], "a", 1), 1);
    T_INT(sq_call_poll_ns(&wanted, 1, -1), 1);
    T_INT(sq_call_poll_ns(&wanted, 1, INT64_MAX), 1);
    fail_next(EINTR);
    T_INT(sq_call_poll_ns(&wanted, 1, -1), 0);
    fail_next(ENOMEM);
    T_INT(sq_call_poll_ns(&wanted, 1, -1), -1);
    fail_none();
    close(ends[0]);
    close(ends[1]);
}
