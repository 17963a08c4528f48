#include "demo/adbd/serve.h"

#include <pthread.h>
#include <unistd.h>

#include "demo/adbd/connection.h"
#include "support/demo_shell.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/sockets.h"
#include "util/bytes.h"

#define LONG_MS T_PATIENCE_MS
#define MOST_CLIENTS 32

/* A server in its own thread. */
struct running {
    struct sq_adbd_phone *phone;
    struct sq_adbd_server *server;
    int port;
    int end[2];
    pthread_t thread;
    bool ok;
};

static void *
serve(void *context) {
    struct running *running = context;
    const struct pollfd until[] = {
        { .fd = -1, .events = POLLIN },
        { .fd = running->end[0], .events = 0 },
    };
    running->ok = sq_adbd_server_run(running->server, until, 2, &t_err);
    return NULL;
}

static void
start(struct running *running) {
    *running = (struct running){ .phone = t_phone_create() };
    T_OK(sq_adbd_server_create(running->phone, "127.0.0.1", &running->port,
                               &running->server, &t_err));
    T_INT(pipe(running->end), 0);
    T_INT(pthread_create(&running->thread, NULL, serve, running), 0);
}

/* Closes the other end of the pipe, like a parent process that exits. */
static void
finish(struct running *running) {
    close(running->end[1]);
    pthread_join(running->thread, NULL);
    T(running->ok);
    close(running->end[0]);
    sq_adbd_server_destroy(running->server);
    sq_adbd_phone_destroy(running->phone);
}

static int
connect_to(const struct running *running) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    int fd = -1;
    T_OK(sq_socket_connect("127.0.0.1", running->port, &deadline, &fd, &t_err));
    return fd;
}

/* Whether the phone answers with its banner. */
static bool
greet(int fd) {
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    struct sq_adbd_packet hello = { SQ_ADBD_CNXN, SQ_ADBD_VERSION_NO_SUM, 4096,
                                    SQ_SPAN("host::") };
    char header[SQ_ADBD_HEADER_BYTES] = { 0 };
    char banner[1000];
    T_BUF(bytes, 4096);
    return sq_adbd_packet_put(&bytes, &hello, false, &t_err)
        && sq_socket_write(fd, bytes.data, bytes.len, &deadline, &t_err)
        && sq_socket_read(fd, header, sizeof(header), &deadline, &t_err)
        && memcmp(header, "CNXN", 4) == 0
        && sq_load_le32((const uint8_t *)header + 12) < sizeof(banner)
        && sq_socket_read(fd, banner,
                          sq_load_le32((const uint8_t *)header + 12), &deadline,
                          &t_err)
        && strncmp(banner, "device::", 8) == 0;
}

T_CASE(clients_are_served_until_the_end) {
    struct running running;
    int before = t_count_open_files();
    start(&running);
    int fds[3];
    for (int i = 0; i < 3; i++) {
        fds[i] = connect_to(&running);
        T(greet(fds[i]));
    }
    sq_socket_close(fds[0]);
    int another = connect_to(&running);
    T(greet(another));
    T(greet(fds[1]));
    finish(&running);
    sq_socket_close(another);
    sq_socket_close(fds[1]);
    sq_socket_close(fds[2]);
    T_INT(t_count_open_files(), before);
}

T_CASE(too_many_clients_are_refused) {
    struct running running;
    int fds[MOST_CLIENTS + 1];
    start(&running);
    for (int i = 0; i < MOST_CLIENTS; i++) {
        fds[i] = connect_to(&running);
        T(greet(fds[i]));
    }
    fds[MOST_CLIENTS] = connect_to(&running);
    T(!greet(fds[MOST_CLIENTS]));
    T(greet(fds[0]));
    for (int i = 0; i <= MOST_CLIENTS; i++) {
        sq_socket_close(fds[i]);
    }
    finish(&running);
}

T_CASE(server_listens_on_loopback_only) {
    struct sq_adbd_phone *phone = t_phone_create();
    struct sq_adbd_server *server = NULL;
    int port = 0;
    T_FAILS(sq_adbd_server_create(phone, "0.0.0.0", &port, &server, &t_err),
            SQ_ERR_ARGUMENT);
    T(!server);
    sq_adbd_server_destroy(NULL);
    sq_adbd_phone_destroy(phone);
}

static bool
create(void *context, struct sq_err *err) {
    struct sq_adbd_server *server = NULL;
    int port = 0;
    bool ok = sq_adbd_server_create(context, "127.0.0.1", &port, &server, err);
    sq_adbd_server_destroy(server);
    return ok;
}

T_CASE(out_of_memory_is_an_error) {
    struct sq_adbd_phone *phone = t_phone_create();
    T_INT(t_alloc_torture(create, phone), 2);
    sq_adbd_phone_destroy(phone);
}
