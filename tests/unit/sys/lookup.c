/* Host names, with a resolver in the test in place of the system's. */
#include <netdb.h>

#include "sys/sockets.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "sys/call.h"
#include "util/fault.h"

#define LONG_MS T_PATIENCE_MS
#define SHORT_MS 30

static atomic_bool may_answer; /* the slow resolver waits for this */
static atomic_int answered;
static atomic_int lists; /* results that are not freed yet */

int
getaddrinfo(const char *restrict name, const char *restrict service,
            const struct addrinfo *restrict hints,
            struct addrinfo **restrict out) {
    while (strcmp(name, "slow.test") == 0 && !atomic_load(&may_answer)) {
        usleep(1000);
    }
    int failed = EAI_NONAME;
    if (strcmp(name, "nowhere.test") != 0) {
        *out = calloc(1, sizeof(**out));
        (*out)->ai_socktype = hints->ai_socktype;
        atomic_fetch_add(&lists, 1);
        failed = 0;
    }
    atomic_fetch_add(&answered, 1);
    return failed;
}

void
freeaddrinfo(struct addrinfo *list) {
    atomic_fetch_sub(&lists, 1);
    free(list);
}

/* Threads that were abandoned need some time to end. */
static void
expect_nothing_left(int open_files) {
    for (int i = 0;
         i < LONG_MS
         && (t_count_open_files() > open_files || atomic_load(&lists) > 0);
         i++) {
        usleep(1000);
    }
    T_INT(t_count_open_files(), open_files);
    T_INT(atomic_load(&lists), 0);
}

T_CASE(known_host_has_addresses) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct addrinfo *list = NULL;
    int open_files = t_count_open_files();
    if (T_OK(sq_lookup("here.test", &deadline, &list, &t_err))) {
        T_INT(list->ai_socktype, SOCK_STREAM);
        freeaddrinfo(list);
    }
    expect_nothing_left(open_files);
}

T_CASE(unknown_host_is_reported) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct addrinfo *list = NULL;
    int open_files = t_count_open_files();
    T_FAILS(sq_lookup("nowhere.test", &deadline, &list, &t_err),
            SQ_ERR_NOT_FOUND);
    T(strstr(t_err.message, "cannot find the host \"nowhere.test\"") != NULL);
    T(t_err.hint[0] != '\0');
    T(list == NULL);
    expect_nothing_left(open_files);
}

/* An answer that arrives too late is freed. */
T_CASE(waiting_ends_with_the_deadline) {
    int open_files = t_count_open_files();
    for (int round = 0; round < 2; round++) {
        struct sq_cancel *cancel = NULL;
        struct addrinfo *list = NULL;
        bool is_cancelled = round == 1;
        atomic_store(&may_answer, false);
        T_OK(sq_cancel_create(&cancel, &t_err));
        struct sq_deadline deadline =
            sq_deadline_in(is_cancelled ? LONG_MS : SHORT_MS, cancel);
        if (is_cancelled) {
            sq_cancel_set(cancel);
        }
        int before = atomic_load(&answered);
        T_FAILS(sq_lookup("slow.test", &deadline, &list, &t_err),
                is_cancelled ? SQ_ERR_CANCELLED : SQ_ERR_TIMEOUT);
        T(strstr(t_err.message, "\"slow.test\"") != NULL);
        T_INT(atomic_load(&answered), before);
        T(list == NULL);
        sq_cancel_destroy(cancel);
        atomic_store(&may_answer, true);
        while (atomic_load(&answered) == before) {
            usleep(1000);
        }
        expect_nothing_left(open_files);
    }
}

T_CASE(every_call_can_fail) {
    int open_files = t_count_open_files();
    atomic_store(&may_answer, true);
    for (long n = 1; n < 20; n++) {
        struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
        struct addrinfo *list = NULL;
        struct sq_err err = { 0 };
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = n, .how = EIO });
        bool ok = sq_lookup("here.test", &deadline, &list, &err);
        T(ok == (list != NULL) && ok == (err.code == SQ_ERR_NONE));
        if (ok) {
            freeaddrinfo(list);
        }
        expect_nothing_left(open_files);
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    }
}

static bool
look_up_once(void *context, struct sq_err *err) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct addrinfo *list = NULL;
    bool ok = sq_lookup("here.test", &deadline, &list, err);
    if (ok) {
        freeaddrinfo(list);
    }
    return ok;
}

T_CASE(every_allocation_can_fail) {
    int open_files = t_count_open_files();
    T(t_alloc_torture(look_up_once, NULL) >= 1);
    expect_nothing_left(open_files);
}
