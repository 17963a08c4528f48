#include "sys/deadline.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "util/fault.h"

#define LONG_MS T_PATIENCE_MS

static int64_t
now_ms(void) {
    return sq_clock_monotonic_ns() / 1000000;
}

static struct sq_cancel *
new_cancel(void) {
    struct sq_cancel *cancel = NULL;
    T_OK(sq_cancel_create(&cancel, &t_err));
    return cancel;
}

T_CASE(deadline_expires_on_time) {
    struct sq_deadline late = sq_deadline_in(LONG_MS, NULL);
    T_OK(sq_deadline_check(&late, &t_err));
    T(sq_deadline_left_ms(&late) > 0);
    T(sq_deadline_left_ms(&late) <= LONG_MS);
    struct sq_deadline deadline = sq_deadline_in(30, NULL);
    int64_t start = now_ms();
    T_FAILS(sq_wait_ms(LONG_MS, &deadline, &t_err), SQ_ERR_TIMEOUT);
    T(sq_clock_monotonic_ns() >= deadline.at_ns);
    T(now_ms() - start < LONG_MS / 5);
    T_INT(sq_deadline_left_ms(&deadline), 0);
    T_FAILS(sq_deadline_check(&deadline, &t_err), SQ_ERR_TIMEOUT);
}

/* A wait of that length must not end before the deadline. */
T_CASE(remaining_time_is_rounded_up) {
    for (int i = 0; i < 50; i++) {
        struct sq_deadline soon = { .at_ns = sq_clock_monotonic_ns() + 400000 };
        int left_ms = sq_deadline_left_ms(&soon);
        if (sq_clock_monotonic_ns() < soon.at_ns) {
            T_INT(left_ms, 1);
        }
    }
}

T_CASE(earlier_of_two_deadlines_is_used) {
    struct sq_cancel *cancel = new_cancel();
    struct sq_deadline outer = sq_deadline_in(LONG_MS / 2, cancel);
    struct sq_deadline sooner = sq_deadline_within(&outer, 10);
    T(sooner.at_ns < outer.at_ns);
    T(sooner.cancel == cancel);
    struct sq_deadline later = sq_deadline_within(&outer, LONG_MS);
    T(later.at_ns == outer.at_ns);
    struct sq_deadline never = { .at_ns = INT64_MAX };
    T_INT(sq_deadline_left_ms(&never), INT_MAX);
    sq_cancel_destroy(cancel);
    sq_cancel_destroy(NULL);
}

T_CASE(ready_descriptor_ends_the_wait) {
    int ends[2];
    T_INT(pipe(ends), 0);
    struct sq_deadline brief = sq_deadline_in(10, NULL);
    T_FAILS(sq_wait_fd(ends[0], POLLIN, &brief, &t_err), SQ_ERR_TIMEOUT);
    T_OK(sq_wait_fd(ends[1], POLLOUT, &brief, &t_err));
    T_INT(write(ends[1], "x", 1), 1);
    /* Also after the deadline: available data can be read. */
    T_OK(sq_wait_fd(ends[0], POLLIN, &brief, &t_err));
    close(ends[1]);
    char byte;
    T_INT(read(ends[0], &byte, 1), 1);
    /* The other end is closed: a read does not block either. */
    T_OK(sq_wait_fd(ends[0], POLLIN, &brief, &t_err));
    close(ends[0]);
    T_FAILS(sq_wait_fd(ends[0], POLLIN, &brief, &t_err), SQ_ERR_IO);
}

static void *
cancel_soon(void *cancel) {
    usleep(20000);
    sq_cancel_set(cancel);
    return NULL;
}

T_CASE(another_thread_can_cancel_a_wait) {
    int ends[2];
    T_INT(pipe(ends), 0);
    for (int i = 0; i < 2; i++) {
        struct sq_cancel *cancel = new_cancel();
        T(!sq_cancel_is_set(cancel));
        struct sq_deadline deadline = sq_deadline_in(LONG_MS, cancel);
        pthread_t thread;
        T_INT(pthread_create(&thread, NULL, cancel_soon, cancel), 0);
        int64_t start = now_ms();
        bool came = i == 0 ? sq_wait_fd(ends[0], POLLIN, &deadline, &t_err)
                           : sq_wait_ms(LONG_MS, &deadline, &t_err);
        T(!came);
        T_INT(t_err.code, SQ_ERR_CANCELLED);
        T(now_ms() - start < LONG_MS / 5);
        pthread_join(thread, NULL);
        T(sq_cancel_is_set(cancel));
        T_FAILS(sq_deadline_check(&deadline, &t_err), SQ_ERR_CANCELLED);
        /* It stays cancelled, and takes precedence over a ready descriptor. */
        T_FAILS(sq_wait_fd(ends[1], POLLOUT, &deadline, &t_err),
                SQ_ERR_CANCELLED);
        sq_cancel_set(cancel);
        sq_cancel_destroy(cancel);
    }
    close(ends[0]);
    close(ends[1]);
}

T_CASE(short_wait_ends_before_the_deadline) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    int64_t start = now_ms();
    T_OK(sq_wait_ms(15, &deadline, &t_err));
    T(now_ms() - start >= 14);
    T_OK(sq_wait_ms(0, &deadline, &t_err));
}

static void
on_alarm(int number) {
}

/* The duration is the same if interrupted every millisecond. */
T_CASE(signals_do_not_change_the_duration) {
    struct sigaction action = { .sa_handler = on_alarm };
    struct itimerval every_ms = { { 0, 1000 }, { 0, 1000 } };
    struct itimerval off = { { 0, 0 }, { 0, 0 } };
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &every_ms, NULL);
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    int64_t start = now_ms();
    T_OK(sq_wait_ms(50, &deadline, &t_err));
    setitimer(ITIMER_REAL, &off, NULL);
    T(now_ms() - start >= 49 && now_ms() - start < LONG_MS / 5);
}

/* A process without free descriptors can still wait and be cancelled. */
T_CASE(wait_needs_no_descriptor) {
    int ends[2];
    T_INT(pipe(ends), 0);
    int before = t_count_open_files();
    for (int i = 0; i < 2; i++) {
        struct sq_cancel *cancel = new_cancel();
        struct sq_deadline deadline = sq_deadline_in(LONG_MS, cancel);
        pthread_t thread;
        T_INT(pthread_create(&thread, NULL, cancel_soon, cancel), 0);
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = 1, .how = EMFILE });
        bool came = i == 0 ? sq_wait_fd(ends[0], POLLIN, &deadline, &t_err)
                           : sq_wait_ms(LONG_MS, &deadline, &t_err);
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
        T(!came);
        T_INT(t_err.code, SQ_ERR_CANCELLED);
        pthread_join(thread, NULL);
        T_INT(t_count_open_files(), before);
        sq_cancel_destroy(cancel);
    }
    close(ends[0]);
    close(ends[1]);
}

/* Neither does a call that only waits for other calls. */
T_CASE(cancel_opens_descriptors_only_when_waiting) {
    int before = t_count_open_files();
    struct sq_cancel *cancel = new_cancel();
    T_INT(t_count_open_files(), before);
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, cancel);
    T_OK(sq_deadline_check(&deadline, &t_err));
    T_INT(t_count_open_files(), before);
    T_OK(sq_wait_ms(1, &deadline, &t_err));
    T(t_count_open_files() > before);
    sq_cancel_destroy(cancel);
    T_INT(t_count_open_files(), before);
}

T_CASE(failed_system_calls_are_errors_without_leaks) {
    int before = t_count_open_files();
    struct sq_cancel *cancel = NULL;
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    sq_fault_arm(SQ_FAULT_CALL,
                 (struct sq_fault_plan){ .nth = 1, .how = ENOMEM });
    T_FAILS(sq_wait_ms(LONG_MS, &deadline, &t_err), SQ_ERR_NOMEM);
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    /* Cancelling works even if everything else fails. */
    cancel = new_cancel();
    deadline = sq_deadline_in(LONG_MS, cancel);
    T_OK(sq_wait_ms(1, &deadline, &t_err));
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){
                                    .nth = 1, .from_then = true, .how = EIO });
    sq_cancel_set(cancel);
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    T_FAILS(sq_wait_ms(LONG_MS, &deadline, &t_err), SQ_ERR_CANCELLED);
    sq_cancel_destroy(cancel);
    T_INT(t_count_open_files(), before);
}

static bool
build_cancel(void *context, struct sq_err *err) {
    struct sq_cancel *cancel;
    bool ok = sq_cancel_create(&cancel, err);
    if (ok) {
        sq_cancel_destroy(cancel);
    }
    return ok;
}

T_CASE(every_allocation_can_fail) {
    T_INT(t_alloc_torture(build_cancel, NULL), 1);
}
