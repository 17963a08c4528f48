#include "sys/process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

static volatile sig_atomic_t seen;

static void
note(int number) {
    seen = number;
}

static bool
is_readable(const struct sq_signals *signals) {
    struct pollfd wanted = { .fd = sq_signals_fd(signals), .events = POLLIN };
    return poll(&wanted, 1, 0) == 1;
}

T_CASE(termination_signals_make_the_descriptor_readable) {
    static const int numbers[] = { SIGTERM, SIGINT, SIGHUP };
    for (int i = 0; i < 3; i++) {
        struct sq_signals *signals = NULL;
        T_OK(sq_signals_create(false, &signals, &t_err));
        T(!is_readable(signals));
        raise(numbers[i]);
        T(is_readable(signals));
        raise(numbers[i]);
        T(is_readable(signals));
        sq_signals_destroy(signals);
    }
    sq_signals_destroy(NULL);
}

T_CASE(writing_to_a_closed_pipe_is_an_error) {
    struct sq_signals *signals = NULL;
    int ends[2];
    T_INT(pipe(ends), 0);
    close(ends[0]);
    T_OK(sq_signals_create(false, &signals, &t_err));
    T_INT(write(ends[1], "x", 1), -1);
    T_INT(errno, EPIPE);
    sq_signals_destroy(signals);
    close(ends[1]);
}

T_CASE(previous_handlers_are_restored) {
    struct sq_signals *signals = NULL;
    struct sigaction mine = { .sa_handler = note };
    struct sigaction old;
    sigaction(SIGTERM, &mine, &old);
    T_OK(sq_signals_create(false, &signals, &t_err));
    sq_signals_destroy(signals);
    raise(SIGTERM);
    T_INT(seen, SIGTERM);
    sigaction(SIGTERM, &old, NULL);
}

static bool
build_signals(void *context, struct sq_err *err) {
    struct sq_signals *signals;
    bool ok = sq_signals_create(false, &signals, err);
    if (ok) {
        sq_signals_destroy(signals);
    }
    return ok;
}

T_CASE(failed_calls_change_nothing) {
    int before = t_count_open_files();
    T_INT(t_alloc_torture(build_signals, NULL), 1);
    for (int nth = 1; nth <= 5; nth++) {
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = nth, .how = EIO });
        T(!build_signals(NULL, &t_err));
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
        T_INT(t_err.code, SQ_ERR_IO);
        struct sigaction now;
        sigaction(SIGTERM, NULL, &now);
        T(now.sa_handler == SIG_DFL);
    }
    T_INT(t_count_open_files(), before);
}
