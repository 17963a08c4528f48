/* Ctrl-C: a command ends soon, with status 130, and leaves nothing. */
#include "app/interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "unit/app/home.h"

static bool
is_caught(void) {
    struct sigaction action = { 0 };
    sigaction(SIGINT, NULL, &action);
    return action.sa_handler != SIG_DFL;
}

/* Before the command catches it, the signal would end the test. */
static void *
interrupt_it(void *context) {
    const struct timespec moment = { .tv_nsec = 5000000 };
    for (int i = 0; i < T_PATIENCE_MS / 5 && !is_caught(); i++) {
        nanosleep(&moment, NULL);
    }
    if (T(is_caught())) {
        kill(getpid(), SIGINT);
    }
    return NULL;
}

T_CASE(a_waiting_command_ends) {
    pthread_t other;
    home_start();
    T_INT(pthread_create(&other, NULL, interrupt_it, NULL), 0);
    RUN("wait", "--text", "Nowhere", "--timeout-ms", "60000");
    pthread_join(other, NULL);
    T_INT(run.status, 130);
    T_STR(run.out, "");
    T_STR(run.err, "squint: interrupted\n");
    T(!is_caught());
    T_INT(pthread_create(&other, NULL, interrupt_it, NULL), 0);
    RUN("wait", "--text", "Nowhere", "--timeout-ms", "60000", "--json");
    pthread_join(other, NULL);
    run_refused_as_json(130, "\"CANCELLED\"");
    t_album_end();
}

T_CASE(signals_are_as_before) {
    struct sq_interrupt *interrupt = NULL;
    T(!is_caught());
    T_OK(sq_interrupt_create(&interrupt, &t_err));
    T(is_caught());
    T(!sq_cancel_is_set(sq_interrupt_cancel(interrupt)));
    sq_interrupt_destroy(interrupt);
    T(!is_caught());
    sq_interrupt_destroy(NULL);
}

static bool
create(void *context, struct sq_err *err) {
    struct sq_interrupt *interrupt = NULL;
    bool ok = sq_interrupt_create(&interrupt, err);
    sq_interrupt_destroy(interrupt);
    return ok;
}

T_CASE(survives_lack_of_memory) {
    T(t_alloc_torture(create, NULL) > 3);
    T(!is_caught());
}
