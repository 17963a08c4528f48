#include "sys/sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

#define LONG_MS T_PATIENCE_MS
#define BULK_BYTES ((size_t)6 << 20)

static void
fail_nth(long nth, int how) {
    sq_fault_arm(SQ_FAULT_CALL,
                 (struct sq_fault_plan){ .nth = nth, .how = how });
}

static void
fail_none(void) {
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
}

/* Both ends of a connection, and its listener. */
struct pair {
    int listener;
    int port;
    int ours;
    int theirs;
};

static bool
open_pair(struct pair *pair, const char *host, struct sq_err *err) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    *pair = (struct pair){ -1, 0, -1, -1 };
    return sq_socket_listen(host, false, &pair->port, &pair->listener, err)
        && sq_socket_connect(host, pair->port, &deadline, &pair->ours, err)
        && sq_socket_accept(pair->listener, &deadline, &pair->theirs, err);
}

static void
close_pair(struct pair *pair) {
    sq_socket_close(pair->theirs);
    sq_socket_close(pair->ours);
    sq_socket_close(pair->listener);
}

T_CASE(bytes_are_transferred_on_every_loopback_address) {
    static const char *const hosts[] = { "127.0.0.1", "localhost",
                                         "127.9.9.9" };
    for (size_t i = 0; i < SQ_COUNT(hosts); i++) {
        struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
        struct pair pair;
        char got[8] = { 0 };
        T_OK(open_pair(&pair, hosts[i], &t_err));
        T(pair.port > 0);
        T_OK(sq_socket_write(pair.ours, "hello", 5, &deadline, &t_err));
        T_OK(sq_socket_read(pair.theirs, got, 5, &deadline, &t_err));
        T_STR(got, "hello");
        T_OK(sq_socket_write(pair.theirs, "abc", 3, &deadline, &t_err));
        size_t count = 0;
        T_OK(sq_socket_read_some(pair.ours, got, 8, &count, &deadline, &t_err));
        T(count >= 1 && count <= 3);
        close_pair(&pair);
    }
}

T_CASE(ipv6_loopback_works_if_available) {
    struct pair pair;
    char got = 0;
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    if (!open_pair(&pair, "::1", &t_err)) {
        close_pair(&pair);
        t_skip("no IPv6 here");
        return;
    }
    T_OK(sq_socket_write(pair.ours, "6", 1, &deadline, &t_err));
    T_OK(sq_socket_read(pair.theirs, &got, 1, &deadline, &t_err));
    T_INT(got, '6');
    close_pair(&pair);
}

T_CASE(descriptors_are_private_nonblocking_and_without_delay) {
    struct pair pair;
    T_OK(open_pair(&pair, "127.0.0.1", &t_err));
    int fds[] = { pair.listener, pair.ours, pair.theirs };
    for (int i = 0; i < 3; i++) {
        T(fcntl(fds[i], F_GETFL) & O_NONBLOCK);
        T(fcntl(fds[i], F_GETFD) & FD_CLOEXEC);
    }
    for (int i = 1; i < 3; i++) {
        int on = 0;
        socklen_t len = sizeof(on);
        T_INT(getsockopt(fds[i], IPPROTO_TCP, TCP_NODELAY, &on, &len), 0);
        T(on);
    }
    close_pair(&pair);
}

T_CASE(only_loopback_can_listen) {
    static const char *const hosts[] = {
        "0.0.0.0",     "::", "192.0.2.1",       "2001:db8::1",
        "example.org", "",   "126.255.255.255", "128.0.0.1"
    };
    for (size_t i = 0; i < SQ_COUNT(hosts); i++) {
        int port = 0;
        int fd = -7;
        T_FAILS(sq_socket_listen(hosts[i], false, &port, &fd, &t_err),
                SQ_ERR_ARGUMENT);
        T(t_err.hint[0]);
        T_INT(fd, -7);
        T_INT(port, 0);
    }
    int port = 65536;
    int fd = -7;
    T_FAILS(sq_socket_listen("127.0.0.1", false, &port, &fd, &t_err),
            SQ_ERR_ARGUMENT);
}

T_CASE(unused_port_is_not_found) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    int port = 0;
    int listener = -1;
    int fd = -7;
    T_OK(sq_socket_listen("127.0.0.1", false, &port, &listener, &t_err));
    sq_socket_close(listener);
    T_FAILS(sq_socket_connect("127.0.0.1", port, &deadline, &fd, &t_err),
            SQ_ERR_NOT_FOUND);
    T(strstr(t_err.message, "127.0.0.1:") != NULL);
    T_INT(fd, -7);
    t_err = (struct sq_err){ 0 };
    T_FAILS(sq_socket_connect("127.0.0.1", -1, &deadline, &fd, &t_err),
            SQ_ERR_ARGUMENT);
}

T_CASE(unknown_host_is_not_found) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    int fd = -7;
    /* No name has two dots in a row, so no name server is asked. */
    T_FAILS(sq_socket_connect("no..host", 9, &deadline, &fd, &t_err),
            SQ_ERR_NOT_FOUND);
    T_INT(fd, -7);
}

T_CASE(used_port_is_reported) {
    int port = 0;
    int first = -1;
    int second = -7;
    T_OK(sq_socket_listen("127.0.0.1", false, &port, &first, &t_err));
    T_FAILS(sq_socket_listen("127.0.0.1", false, &port, &second, &t_err),
            SQ_ERR_IO);
    T(strstr(t_err.hint, "another port") != NULL);
    T_INT(second, -7);
    sq_socket_close(first);
}

T_CASE(unix_socket_works_or_is_not_found) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int fd = -7;
    t_scratch_start();
    const char *path = t_scratch_path("socket");
    snprintf(at.sun_path, sizeof(at.sun_path), "%s", path);
    T_FAILS(sq_socket_connect_path(path, &deadline, &fd, &t_err),
            SQ_ERR_NOT_FOUND);
    T_INT(bind(listener, (struct sockaddr *)&at, sizeof(at)), 0);
    T_INT(listen(listener, 1), 0);
    t_err = (struct sq_err){ 0 };
    T_OK(sq_socket_connect_path(path, &deadline, &fd, &t_err));
    T_OK(sq_socket_write(fd, "x", 1, &deadline, &t_err));
    sq_socket_close(fd);
    close(listener);
    t_scratch_end();

    char endless[200];
    memset(endless, 'p', sizeof(endless));
    endless[sizeof(endless) - 1] = '\0';
    T_FAILS(sq_socket_connect_path(endless, &deadline, &fd, &t_err),
            SQ_ERR_ARGUMENT);
}

struct sender {
    int fd;
    const char *bytes;
    bool ok;
};

static void *
send_bulk(void *context) {
    struct sender *sender = context;
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    sender->ok = sq_socket_write(sender->fd, sender->bytes, BULK_BYTES,
                                 &deadline, &t_err);
    return NULL;
}

T_CASE(more_than_the_socket_buffer_arrives) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct pair pair;
    char *sent = malloc(BULK_BYTES);
    char *got = malloc(BULK_BYTES);
    pthread_t thread;
    for (size_t i = 0; i < BULK_BYTES; i++) {
        sent[i] = (char)t_random();
    }
    T_OK(open_pair(&pair, "127.0.0.1", &t_err));
    struct sender sender = { pair.ours, sent, false };
    T_INT(pthread_create(&thread, NULL, send_bulk, &sender), 0);
    T_OK(sq_socket_read(pair.theirs, got, BULK_BYTES, &deadline, &t_err));
    pthread_join(thread, NULL);
    T(sender.ok);
    T(memcmp(sent, got, BULK_BYTES) == 0);
    close_pair(&pair);
    free(got);
    free(sent);
}

T_CASE(single_bytes_are_joined) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct pair pair;
    char got[6] = { 0 };
    T_OK(open_pair(&pair, "127.0.0.1", &t_err));
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){
                                    .nth = 1,
                                    .from_then = true,
                                    .how = SQ_FAULT_SHORT,
                                });
    T_OK(sq_socket_write(pair.ours, "hello", 5, &deadline, &t_err));
    T(sq_fault_count(SQ_FAULT_CALL) >= 5);
    T_OK(sq_socket_read(pair.theirs, got, 5, &deadline, &t_err));
    fail_none();
    T_STR(got, "hello");
    close_pair(&pair);
}

T_CASE(disconnected_peer_is_an_error) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct pair pair;
    char got[8];
    size_t count = 99;
    T_OK(open_pair(&pair, "127.0.0.1", &t_err));
    T_OK(sq_socket_write(pair.theirs, "abc", 3, &deadline, &t_err));
    sq_socket_close(pair.theirs);
    pair.theirs = -1;
    T_FAILS(sq_socket_read(pair.ours, got, 8, &deadline, &t_err),
            SQ_ERR_TRUNCATED);
    T_OK(sq_socket_read_some(pair.ours, got, 8, &count, &deadline, &t_err));
    T_INT(count, 0);
    /* The first bytes may still be accepted; then writing fails. */
    bool ok = true;
    for (int i = 0; ok && i < 1000; i++) {
        t_err = (struct sq_err){ 0 };
        ok = sq_socket_write(pair.ours, "more", 4, &deadline, &t_err);
    }
    T(!ok);
    T_INT(t_err.code, SQ_ERR_IO);
    close_pair(&pair);
}

T_CASE(readable_only_with_data_or_end) {
    struct pair pair;
    char got[8];
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    T_OK(open_pair(&pair, "127.0.0.1", &t_err));
    T(sq_socket_is_quiet(pair.ours));
    T_OK(sq_socket_write(pair.theirs, "x", 1, &deadline, &t_err));
    T(!sq_socket_is_quiet(pair.ours));
    T_OK(sq_socket_read(pair.ours, got, 1, &deadline, &t_err));
    T(sq_socket_is_quiet(pair.ours));
    fail_nth(1, EIO);
    T(!sq_socket_is_quiet(pair.ours));
    fail_none();
    sq_socket_close(pair.theirs);
    pair.theirs = -1;
    T(!sq_socket_is_quiet(pair.ours));
    close_pair(&pair);
}

T_CASE(every_wait_ends_with_its_deadline) {
    struct pair pair;
    char got[8];
    size_t count = 99;
    int fd = -7;
    char *bulk = calloc(1, BULK_BYTES * 4);
    T_OK(open_pair(&pair, "127.0.0.1", &t_err));
    struct sq_deadline brief = sq_deadline_in(20, NULL);
    T_FAILS(sq_socket_read_some(pair.ours, got, 8, &count, &brief, &t_err),
            SQ_ERR_TIMEOUT);
    T_INT(count, 99);
    brief = sq_deadline_in(20, NULL);
    T_FAILS(sq_socket_accept(pair.listener, &brief, &fd, &t_err),
            SQ_ERR_TIMEOUT);
    brief = sq_deadline_in(20, NULL);
    T_FAILS(sq_socket_write(pair.ours, bulk, BULK_BYTES * 4, &brief, &t_err),
            SQ_ERR_TIMEOUT);
    T_FAILS(sq_socket_connect("127.0.0.1", pair.port, &brief, &fd, &t_err),
            SQ_ERR_TIMEOUT);
    T_INT(fd, -7);
    free(bulk);
    close_pair(&pair);
}

T_CASE(cancel_ends_every_wait) {
    struct sq_cancel *cancel = NULL;
    struct pair pair;
    char got[8];
    size_t count;
    int fd = -7;
    T_OK(open_pair(&pair, "127.0.0.1", &t_err));
    T_OK(sq_cancel_create(&cancel, &t_err));
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, cancel);
    sq_cancel_set(cancel);
    T_FAILS(sq_socket_read_some(pair.ours, got, 8, &count, &deadline, &t_err),
            SQ_ERR_CANCELLED);
    T_FAILS(sq_socket_write(pair.ours, "x", 1, &deadline, &t_err),
            SQ_ERR_CANCELLED);
    T_FAILS(sq_socket_accept(pair.listener, &deadline, &fd, &t_err),
            SQ_ERR_CANCELLED);
    T_FAILS(sq_socket_connect("127.0.0.1", pair.port, &deadline, &fd, &t_err),
            SQ_ERR_CANCELLED);
    sq_cancel_destroy(cancel);
    close_pair(&pair);
}

/* If any system call fails: an error, and nothing left open. */
T_CASE(failed_calls_are_errors_that_leave_nothing_open) {
    int before = t_count_open_files();
    bool ok = false;
    for (long nth = 1; !ok; nth++) {
        struct pair pair;
        fail_nth(nth, EMFILE);
        ok = open_pair(&pair, "127.0.0.1", &t_err);
        fail_none();
        T(ok || t_err.code == SQ_ERR_EXHAUSTED);
        close_pair(&pair);
        T_INT(t_count_open_files(), before);
    }
}

T_CASE(failed_transfers_are_errors) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct pair pair;
    char got[8];
    size_t count;
    T_OK(open_pair(&pair, "127.0.0.1", &t_err));
    fail_nth(1, ECONNRESET);
    T_FAILS(sq_socket_read_some(pair.ours, got, 8, &count, &deadline, &t_err),
            SQ_ERR_IO);
    fail_nth(1, ECONNRESET);
    T_FAILS(sq_socket_write(pair.ours, "x", 1, &deadline, &t_err), SQ_ERR_IO);
    fail_nth(1, EINTR);
    T_OK(sq_socket_write(pair.ours, "x", 1, &deadline, &t_err));
    fail_none();
    close_pair(&pair);
    sq_socket_close(-1);
}

T_CASE(descriptors_are_passed) {
    const struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    int ends[2];
    int pipe_ends[2];
    int got = -1;
    char byte = 0;
    T_INT(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    T_INT(pipe(pipe_ends), 0);
    T_OK(sq_socket_check_peer(ends[0], &t_err));
    T_OK(sq_socket_pass(ends[0], pipe_ends[1], &deadline, &t_err));
    T_OK(sq_socket_take(ends[1], &got, &deadline, &t_err));
    T(got >= 0 && got != pipe_ends[1]);
    T(fcntl(got, F_GETFD) & FD_CLOEXEC);
    T_INT(write(got, "x", 1), 1);
    T_INT(read(pipe_ends[0], &byte, 1), 1);
    T_INT(byte, 'x');
    T_INT(write(ends[0], "y", 1), 1);
    T_FAILS(sq_socket_take(ends[1], &got, &deadline, &t_err), SQ_ERR_TRUNCATED);
    close(got);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    close(ends[0]);
    close(ends[1]);
}
