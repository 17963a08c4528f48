/*
 * Runs a program that was copied to the demo phone, on this machine and as
 * adb's service exec: does: its standard streams are the connection.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "demo/adbd/connection.h"
#include "demo/adbd/program.h"
#include "demo/adbd/serve.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/sockets.h"
#include "util/bytes.h"
#include "util/mem.h"

#define MAX_INPUT_BYTES ((size_t)1 << 20)
#define READ_BYTES ((size_t)256 << 10)
#define MAX_REQUEST 256
#define MAX_ARGS 8
#define MAX_MESSAGES 4096
#define ANSWER_MS 1000 /* to a caller, which waits for it */
#define NS_PER_MS 1000000
/* How often its streams are looked at, soon after an input and later. */
#define BUSY_NS (NS_PER_MS / 4)
#define IDLE_NS (20 * NS_PER_MS)
#define BUSY_FOR_NS ((int64_t)1000 * NS_PER_MS)
/* A program must end by itself so soon after its input has ended. */
#define END_MS 1000

/* Answers those who start screencap, one at a time. */
struct screencap_server {
    int listener;
    int caller;            /* -1: none */
    struct sq_buf request; /* arguments of screencap, a line each */
    const char *argv[MAX_ARGS + 1];
    int argc;
    int64_t due_ns;          /* when screencap has done its work */
    int programs;            /* runs so far */
    char file[SQ_PATH_SIZE]; /* of the picture */
};

static bool
start_server(struct screencap_server *server, const char *folder,
             struct sq_err *err) {
    char socket[SQ_PATH_SIZE];
    *server = (struct screencap_server){ .listener = -1, .caller = -1 };
    sq_buf_init(&server->request, MAX_REQUEST);

    snprintf(server->file, sizeof(server->file),
             "%.900s/" SQ_ADBD_SCREENCAP_FILE, folder);
    snprintf(socket, sizeof(socket), "%.900s/" SQ_ADBD_SCREENCAP_SOCKET,
             folder);
    return sq_socket_listen_path(socket, &server->listener, err);
}

static void
drop_caller(struct screencap_server *server) {
    sq_socket_close(server->caller);
    server->caller = -1;
    sq_buf_clear(&server->request);
}

/* Splits the request in place. Returns the number of words with "screencap". */
static int
split(struct sq_buf *request, const char *argv[MAX_ARGS + 1]) {
    int argc = 0;
    char *at = (char *)request->data;
    char *end = at + request->len;
    argv[argc++] = "screencap";
    while (at < end && argc < MAX_ARGS) {
        argv[argc++] = at;
        while (at < end && *at != '\n') {
            at++;
        }
        if (at < end) {
            *at++ = '\0';
        }
    }
    argv[argc] = NULL;
    return argc;
}

/* Takes a caller and its request, which it sends immediately, or drops it. */
static void
accept_caller(struct screencap_server *server,
              const struct sq_adbd_phone *phone, int64_t now_ns) {
    const struct sq_deadline soon = sq_deadline_in(ANSWER_MS, NULL);
    size_t got = 1;
    server->caller = sq_call_accept(server->listener);
    bool ok = server->caller >= 0;
    while (ok && got > 0) {
        uint8_t *space;
        ok = sq_buf_reserve(&server->request, 1, &space, NULL)
          && sq_socket_read_some(server->caller, space, 1, &got, &soon, NULL);
        sq_buf_commit(&server->request, ok ? got : 0);
    }
    if (!ok) {
        drop_caller(server);
        return;
    }
    server->argc = split(&server->request, server->argv);
    server->due_ns = now_ns
                   + (int64_t)sq_adbd_program_delay(&phone->options.delays,
                                                    server->argv, server->argc)
                             .ms
                         * NS_PER_MS;
}

static bool
write_all(int fd, struct sq_span bytes) {
    while (bytes.len > 0) {
        ssize_t written = sq_call_write(fd, bytes.ptr, bytes.len);
        if (written <= 0) {
            return false;
        }
        bytes.ptr += written;
        bytes.len -= (size_t)written;
    }
    return true;
}

static bool
write_picture(const char *file, const struct sq_adbd_call *call,
              struct sq_err *err) {
    int fd =
        sq_call_openat(AT_FDCWD, file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
                       S_IRUSR | S_IWUSR);
    bool ok = fd >= 0 && write_all(fd, sq_buf_span(call->out))
           && write_all(fd, call->large);
    if (fd >= 0) {
        sq_call_close(fd);
    }
    return ok || sq_fail(err, SQ_ERR_IO, "cannot write a picture");
}

static bool
run_screencap(struct screencap_server *server, struct sq_adbd_phone *phone,
              int64_t now_ns, struct sq_err *err) {
    const struct sq_deadline soon = sq_deadline_in(ANSWER_MS, NULL);
    uint8_t head[SQ_ADBD_SCREENCAP_HEAD];
    SQ_BUF(out, SQ_ADBD_MAX_FILE_BYTES);
    SQ_BUF(errors, MAX_MESSAGES);
    struct sq_adbd_call call = {
        .phone = phone,
        .argv = server->argv,
        .argc = server->argc,
        .now_ns = now_ns,
        .out = &out,
        .errors = &errors,
        .err = err,
    };
    server->programs++;
    sq_adbd_run_screencap(&call);
    if (call.failed || !write_picture(server->file, &call, err)) {
        return false;
    }
    sq_store_le32(head, (uint32_t)call.status);
    sq_store_le32(head + 4, (uint32_t)errors.len);
    if (sq_socket_write(server->caller, head, sizeof(head), &soon, NULL)) {
        sq_socket_write(server->caller, errors.data, errors.len, &soon, NULL);
    }
    drop_caller(server);
    return true;
}

static bool
advance_server(struct screencap_server *server, struct sq_adbd_phone *phone,
               int64_t now_ns, struct sq_err *err) {
    if (server->caller < 0) {
        accept_caller(server, phone, now_ns);
    }
    return server->caller < 0 || now_ns < server->due_ns
        || run_screencap(server, phone, now_ns, err);
}

struct program_service {
    struct sq_adbd_service base;
    struct sq_temp temp; /* a folder with the program and a screencap */
    char program[SQ_PATH_SIZE];
    char socket_path[SQ_PATH_SIZE];
    char name[SQ_ADBD_PATH_SIZE]; /* its path on the phone */
    pid_t child;                  /* 0: not started, or ended */
    int socket;                   /* its standard streams; -1: closed */
    struct screencap_server screencap;
    struct sq_buf input; /* not yet taken by it */
    size_t taken;        /* bytes of input */
    int64_t due_ns;      /* when it starts */
    int64_t busy_until_ns;
};

static struct program_service *
service_of(struct sq_adbd_service *base) {
    return (struct program_service *)base;
}

/* Waits until it has ended by itself, else kills it. Returns its status. */
static int
end_child(struct program_service *service) {
    const struct sq_deadline limit = sq_deadline_in(END_MS, NULL);
    bool ended = sq_call_has_ended(service->child) != 0;
    while (!ended && sq_wait_ms(1, &limit, NULL)) {
        ended = sq_call_has_ended(service->child) != 0;
    }
    int status = sq_call_end_child(service->child);
    service->child = 0;
    return ended ? status >> 8 & UINT8_MAX : -1;
}

static void
program_destroy(struct sq_adbd_service *base) {
    struct program_service *service = service_of(base);
    sq_socket_close(service->socket);
    if (service->child) {
        /* A shell, and itself. */
        sq_adbd_service_log(base, sq_span_of(service->name), end_child(service),
                            2 + service->screencap.programs);
    }
    drop_caller(&service->screencap);
    sq_socket_close(service->screencap.listener);
    if (service->screencap.file[0]) {
        sq_call_unlinkat(AT_FDCWD, service->screencap.file);
    }
    sq_buf_finish(&service->screencap.request);
    if (service->temp.folder[0]) {
        sq_file_remove(service->socket_path);
        sq_call_unlinkat(AT_FDCWD, service->program);
    }
    sq_temp_remove(&service->temp);
    sq_buf_finish(&service->input);
    sq_mem_free(service);
}

static bool
program_receive(struct sq_adbd_service *base, struct sq_span bytes,
                struct sq_err *err) {
    struct program_service *service = service_of(base);
    service->busy_until_ns = service->base.phone->clock_ns() + BUSY_FOR_NS;
    return sq_buf_append(&service->input, bytes.ptr, bytes.len, err);
}

static bool
write_program(const char *path, struct sq_span bytes, struct sq_err *err) {
    int fd = sq_call_openat(AT_FDCWD, path,
                            O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRWXU);
    bool ok =
        fd >= 0 && sq_call_write(fd, bytes.ptr, bytes.len) == (int)bytes.len;
    if (fd >= 0) {
        ok = sq_call_close(fd) == 0 && ok;
    }
    return ok || sq_fail(err, SQ_ERR_IO, "cannot write a program to run");
}

/* Writes the program, and a screencap that asks this process. */
static bool
write_programs(struct program_service *service, const struct sq_adbd_file *file,
               struct sq_err *err) {
    char squint[SQ_PATH_SIZE];
    char script[SQ_PATH_SIZE + 32];
    if (!sq_path_program(squint, err)
        || !sq_temp_make(&service->temp, "screencap", err)) {
        return false;
    }
    snprintf(script, sizeof(script), "#!%s demo-screencap\n", squint);
    snprintf(service->program, sizeof(service->program), "%.900s/program",
             service->temp.folder);
    snprintf(service->socket_path, sizeof(service->socket_path),
             "%.900s/" SQ_ADBD_SCREENCAP_SOCKET, service->temp.folder);
    return write_program(service->program, sq_buf_span(&file->bytes), err)
        && write_program(service->temp.file, sq_span_of(script), err)
        && start_server(&service->screencap, service->temp.folder, err);
}

static bool
start_program(struct program_service *service, struct sq_err *err) {
    char path[SQ_PATH_SIZE + 8];
    const char *const argv[] = { "/usr/bin/env", path, service->program, NULL };
    int ends[2];
    snprintf(path, sizeof(path), "PATH=%s", service->temp.folder);
    if (sq_call_socket_pair(ends) < 0) {
        return sq_fail(err, SQ_ERR_IO, "cannot connect a program");
    }
    const struct sq_spawn spawn = {
        .argv = argv,
        .streams = { ends[1], ends[1], ends[1] },
        .report = ends[1], /* a failure appears as output */
    };
    pid_t child = sq_call_spawn(&spawn);
    sq_socket_close(ends[1]);
    service->socket = ends[0];
    service->child = child > 0 ? child : 0;
    return child > 0 || sq_fail(err, SQ_ERR_IO, "cannot start a program");
}

static void
write_input(struct program_service *service) {
    struct sq_buf *input = &service->input;
    while (service->taken < input->len) {
        ssize_t sent =
            sq_call_send(service->socket, input->data + service->taken,
                         input->len - service->taken);
        if (sent < 0) {
            return;
        }
        service->taken += (size_t)sent;
    }
    sq_buf_clear(input);
    service->taken = 0;
}

/* Appends what it has written. *ended: it has closed its output. */
static bool
read_output(struct program_service *service, struct sq_buf *out, bool *ended,
            struct sq_err *err) {
    uint8_t *space;
    if (!sq_buf_reserve(out, READ_BYTES, &space, err)) {
        return false;
    }
    ssize_t got = sq_call_recv(service->socket, space, READ_BYTES);
    *ended = got == 0 || (got < 0 && errno != EAGAIN);
    if (got > 0) {
        sq_buf_commit(out, (size_t)got);
        service->base.bytes += (size_t)got;
        service->busy_until_ns = service->base.phone->clock_ns() + BUSY_FOR_NS;
    }
    return true;
}

/* Removes the phone's file once the program has removed its own. */
static void
follow_removal(struct program_service *service) {
    if (service->name[0] && sq_call_access(service->program, F_OK) < 0) {
        sq_adbd_files_remove(&service->base.phone->files, service->name);
    }
}

static bool
program_advance(struct sq_adbd_service *base, struct sq_adbd_turn *turn,
                struct sq_err *err) {
    struct program_service *service = service_of(base);
    if (turn->now_ns < service->due_ns) {
        turn->wake_ns = service->due_ns;
        return true;
    }
    if (!service->child && !start_program(service, err)) {
        return false;
    }
    size_t before = turn->out->len;
    write_input(service);
    follow_removal(service);
    if (!advance_server(&service->screencap, service->base.phone, turn->now_ns,
                        err)
        || !read_output(service, turn->out, &turn->ended, err)) {
        return false;
    }
    bool is_busy =
        turn->now_ns < service->busy_until_ns || service->screencap.caller >= 0;
    turn->made_ns = service->base.phone->clock_ns();
    turn->wake_ns = turn->now_ns + (is_busy ? BUSY_NS : IDLE_NS);
    sq_adbd_service_sent(base, turn->out->len - before, turn->made_ns, false);
    return true;
}

static const struct sq_adbd_service_ops ops = {
    .receive = program_receive,
    .advance = program_advance,
    .destroy = program_destroy,
};

bool
sq_adbd_program_open(struct sq_adbd_phone *phone, struct sq_span name,
                     int64_t now_ns, struct sq_adbd_service **out,
                     struct sq_err *err) {
    char path[SQ_ADBD_PATH_SIZE];
    struct sq_span rest = name;
    sq_span_take_prefix(&rest, "exec:");
    snprintf(path, sizeof(path), "%.*s", SQ_SPAN_ARGS(rest));
    const struct sq_adbd_file *file =
        phone->options.runs_programs && rest.len < sizeof(path)
            ? sq_adbd_files_find(&phone->files, path)
            : NULL;
    if (!file) {
        return sq_adbd_shell_open(phone, name, now_ns, out, err);
    }
    struct program_service *service = sq_mem_zalloc(1, sizeof(*service));
    if (!service) {
        return sq_fail_nomem(err);
    }
    const char *const argv[] = { path, NULL };
    memcpy(service->name, path, sizeof(path));
    service->base = (struct sq_adbd_service){ .ops = &ops,
                                              .phone = phone,
                                              .began_ns = now_ns };
    service->socket = -1;
    service->screencap.listener = service->screencap.caller = -1;
    service->due_ns =
        now_ns
        + ((int64_t)sq_adbd_delay_ms(&phone->options.delays, "shell", 0)
           + sq_adbd_program_delay(&phone->options.delays, argv, 1).ms)
              * NS_PER_MS;
    service->busy_until_ns = now_ns + BUSY_FOR_NS;
    sq_buf_init(&service->input, MAX_INPUT_BYTES);
    if (!write_programs(service, file, err)) {
        program_destroy(&service->base);
        return false;
    }
    *out = &service->base;
    return true;
}
