#include "sys/worker.h"

#include <signal.h>
#include <unistd.h>

#include "support/test.h"
#include "sys/clock.h"
#include "sys/process.h"

#define NS_PER_S ((int64_t)1000000000)

/*
 * Workers that misbehave are shell scripts: standard input is the socket. The
 * test never uses a real time limit except for the one that must pass.
 */
static struct sq_worker *
create(const char *const *argv) {
    const struct sq_worker_plan plan = {
        .argv = argv,
        .name = "test worker",
        .max_reply = 1000,
    };
    struct sq_worker *worker = NULL;
    T_OK(sq_worker_create(&plan, &worker, &t_err));
    return worker;
}

static void
check_start(const char *const *argv, int timeout_ms, enum sq_err_code code) {
    struct sq_worker *worker = create(argv);
    struct sq_deadline deadline = sq_deadline_in(timeout_ms, NULL);
    T_FAILS(sq_worker_start(worker, &deadline, &t_err), code);
    T(t_err.message[0]);
    T_INT(sq_worker_pid(worker), 0);
    sq_worker_destroy(worker);
}

T_CASE(a_test_is_no_worker_of_itself) {
    char path[SQ_PATH_SIZE];
    const char *const nothing[] = { path, "ocr-worker", "eng", NULL };
    T_OK(sq_worker_program(path, &t_err));
    T_STR(path, "");
    check_start(nothing, T_PATIENCE_MS, SQ_ERR_IO);
    /* It runs no cases with arguments either. */
    T_OK(sq_path_program(path, &t_err));
    const char *const argv[] = { path, "ocr-worker", "eng", NULL };
    const struct sq_process process = { .argv = argv,
                                        .max_output = 1 << 20,
                                        .max_errors = 1 << 20 };
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    T_OK(sq_process_run(&process, &deadline, &end, &t_err));
    T_INT(end.status, 2);
    T_INT(end.output.len, 0);
}

T_CASE(programs_that_are_no_workers_are_errors) {
    check_start((const char *const[]){ "/nonexistent", NULL }, T_PATIENCE_MS,
                SQ_ERR_IO);
    check_start((const char *const[]){ "/bin/true", NULL }, T_PATIENCE_MS,
                SQ_ERR_IO);
    /* Sends bytes that are no message, through standard input. */
    check_start(
        (const char *const[]){
            "/bin/sh", "-c", "printf %64s garbage >&0; exec sleep 1000", NULL },
        T_PATIENCE_MS, SQ_ERR_FORMAT);
}

/* It may only be slow: one that does not become ready is replaced later. */
T_CASE(a_worker_that_is_not_ready_in_time_is_kept) {
    const char *const argv[] = { "/bin/sh", "-c", "exec sleep 1000", NULL };
    struct sq_worker *worker = create(argv);
    T_OK(sq_worker_begin(worker, &t_err));
    const int pid = sq_worker_pid(worker);
    T(pid > 0);
    for (int i = 0; i < 2; i++) {
        const struct sq_deadline deadline = sq_deadline_in(50, NULL);
        T_FAILS(sq_worker_start(worker, &deadline, &t_err), SQ_ERR_TIMEOUT);
        T_INT(sq_worker_pid(worker), pid);
    }
    sq_clock_simulate(sq_clock_monotonic_ns() + 60 * NS_PER_S);
    T_OK(sq_worker_begin(worker, &t_err));
    sq_clock_simulate_end();
    T(sq_worker_pid(worker) != pid);
    sq_worker_destroy(worker);
}

/* Sends READY, answers one request with "yes" and then ends. */
static void
make_script(char *out, size_t size) {
    const struct sq_worker_header ready = { .magic = SQ_WORKER_MAGIC,
                                            .kind = SQ_WORKER_READY };
    const struct sq_worker_header reply = { SQ_WORKER_MAGIC, SQ_WORKER_REPLY, 1,
                                            3, 0 };
    const uint8_t *parts[] = { (const uint8_t *)&ready,
                               (const uint8_t *)&reply };
    size_t len = 0;
    for (int i = 0; i < 2; i++) {
        len += (size_t)snprintf(out + len, size - len, "printf '");
        for (size_t k = 0; k < sizeof(ready); k++) {
            len +=
                (size_t)snprintf(out + len, size - len, "\\%03o", parts[i][k]);
        }
        len += (size_t)snprintf(out + len, size - len, "%s' >&0; %s",
                                i ? "yes" : "",
                                i ? "" : "head -c 26 <&0 >/dev/null; ");
    }
}

T_CASE(it_starts_again_after_it_ended) {
    char script[1000];
    make_script(script, sizeof(script));
    const char *const argv[] = { "/bin/sh", "-c", script, NULL };
    struct sq_worker *worker = create(argv);
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    for (int i = 0; i < 3; i++) {
        T_BUF(reply, 1000);
        T_OK(sq_worker_begin(worker, &t_err));
        T_OK(sq_worker_start(worker, &deadline, &t_err));
        T(sq_worker_pid(worker) > 0);
        T_OK(sq_worker_send(worker, SQ_SPAN("hi"), NULL, &deadline, &t_err)
             && sq_worker_receive(worker, &deadline, &reply, &t_err));
        T_BYTES(reply.data, reply.len, "yes", 3);
        /* It has ended: the next request fails, and it can start again. */
        T(!sq_worker_send(worker, SQ_SPAN("hi"), NULL, &deadline, &t_err)
          || !sq_worker_receive(worker, &deadline, &reply, &t_err));
        T_INT(t_err.code, SQ_ERR_IO);
        T_INT(sq_worker_pid(worker), 0);
    }
    sq_worker_destroy(worker);
}
