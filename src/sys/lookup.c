/* Resolves host names on a separate thread, within a deadline. */
#include "sys/sockets.h"

#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "sys/call.h"
#include "sys/call_private.h"
#include "util/mem.h"

/* Shared by the caller and the resolver thread; the last one frees it. */
struct query {
    atomic_int owners;
    int done_pipe[2]; /* a pipe; the write end is closed when done */
    int failed;       /* result of getaddrinfo */
    struct addrinfo *list;
    char host[];
};

static void
release(struct query *query) {
    if (atomic_fetch_sub(&query->owners, 1) > 1) {
        return;
    }
    if (query->list) {
        freeaddrinfo(query->list);
    }
    sq_call_close(query->done_pipe[0]);
    sq_mem_free(query);
}

static void *
resolve(void *context) {
    const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
    struct query *query = context;
    query->failed = refused_for_good()
                      ? EAI_SYSTEM
                      : getaddrinfo(query->host, NULL, &hints, &query->list);
    sq_call_close(query->done_pipe[1]);
    release(query);
    return NULL;
}

static struct query *
create(const char *host, struct sq_err *err) {
    size_t size = strlen(host) + 1;
    struct query *query = sq_mem_zalloc(1, sizeof(*query) + size);
    if (!query) {
        sq_fail_nomem(err);
        return NULL;
    }
    if (sq_call_pipe(query->done_pipe) < 0) {
        sq_mem_free(query);
        sq_errno_fail(err, "create a pipe");
        return NULL;
    }
    memcpy(query->host, host, size);
    atomic_init(&query->owners, 1);
    return query;
}

static bool
start(struct query *query, struct sq_err *err) {
    pthread_t thread;
    atomic_store(&query->owners, 2);
    if (pthread_create(&thread, NULL, resolve, query) != 0) {
        atomic_store(&query->owners, 1);
        sq_call_close(query->done_pipe[1]);
        return sq_fail(err, SQ_ERR_NOMEM, "cannot start a thread");
    }
    pthread_detach(thread);
    return true;
}

static bool
take_result(struct query *query, struct addrinfo **out, struct sq_err *err) {
    if (query->failed) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "cannot find the host \"%.80s\": %s",
                query->host,
                query->failed == EAI_SYSTEM ? "system error"
                                            : gai_strerror(query->failed));
        return sq_fail_hint(err, "Check the name, or give the address.");
    }
    *out = query->list;
    query->list = NULL;
    return true;
}

bool
sq_lookup(const char *host, const struct sq_deadline *deadline,
          struct addrinfo **out, struct sq_err *err) {
    struct query *query = create(host, err);
    if (!query) {
        return false;
    }
    bool ok = start(query, err)
           && (sq_wait_fd(query->done_pipe[0], POLLIN, deadline, err)
               || sq_fail_in(err, "looking for the host \"%.80s\"", host))
           && take_result(query, out, err);
    release(query);
    return ok;
}
