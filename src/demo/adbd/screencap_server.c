/* Answers "squint demo-screencap" with screenshots of the demo phone. */
#include "demo/adbd/screencap_server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "demo/adbd/program.h"
#include "sys/call.h"
#include "sys/sockets.h"
#include "util/bytes.h"

#define MAX_REQUEST 256
#define MAX_ARGS 8
#define MAX_MESSAGES 4096
#define NS_PER_MS 1000000

bool
sq_adbd_screencap_server_init(struct sq_adbd_screencap_server *server,
                              const char *folder, struct sq_err *err) {
    char socket[SQ_PATH_SIZE];
    *server = (struct sq_adbd_screencap_server){ .listener = -1, .caller = -1 };
    sq_buf_init(&server->request, MAX_REQUEST);
    sq_buf_init(&server->answer, MAX_MESSAGES + SQ_ADBD_SCREENCAP_HEAD);
    snprintf(server->file, sizeof(server->file),
             "%.900s/" SQ_ADBD_SCREENCAP_FILE, folder);
    snprintf(socket, sizeof(socket), "%.900s/" SQ_ADBD_SCREENCAP_SOCKET,
             folder);
    return sq_socket_listen_path(socket, &server->listener, err);
}

static void
drop_caller(struct sq_adbd_screencap_server *server) {
    sq_socket_close(server->caller);
    server->caller = -1;
    server->is_asked = false;
    server->sent = 0;
    sq_buf_clear(&server->request);
    sq_buf_clear(&server->answer);
}

void
sq_adbd_screencap_server_finish(struct sq_adbd_screencap_server *server) {
    drop_caller(server);
    sq_socket_close(server->listener);
    if (server->file[0]) {
        sq_call_unlinkat(AT_FDCWD, server->file);
    }
    sq_buf_finish(&server->request);
    sq_buf_finish(&server->answer);
}

bool
sq_adbd_screencap_server_is_busy(
    const struct sq_adbd_screencap_server *server) {
    return server->caller >= 0;
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

/* Reads the request. A caller that sends too much is dropped. */
static void
read_request(struct sq_adbd_screencap_server *server,
             const struct sq_adbd_phone *phone, int64_t now_ns) {
    const char *argv[MAX_ARGS + 1];
    char bytes[MAX_REQUEST];
    ssize_t got = sq_call_recv(server->caller, bytes, sizeof(bytes));
    if (got < 0 && errno == EAGAIN) {
        return;
    }
    if (got < 0 || !sq_buf_append(&server->request, bytes, (size_t)got, NULL)) {
        drop_caller(server);
        return;
    }
    if (got == 0) {
        struct sq_buf copy = { 0 };
        sq_buf_init(&copy, MAX_REQUEST);
        int64_t ms = 0;
        if (sq_buf_append(&copy, server->request.data, server->request.len,
                          NULL)) {
            int argc = split(&copy, argv);
            ms = sq_adbd_program_wait_ms(&phone->delays, argv, argc);
        }
        sq_buf_finish(&copy);
        server->is_asked = true;
        server->due_ns = now_ns + ms * NS_PER_MS;
    }
}

static bool
put_answer(struct sq_buf *answer, const struct sq_adbd_call *call,
           struct sq_err *err) {
    uint8_t head[SQ_ADBD_SCREENCAP_HEAD];
    sq_store_le32(head, (uint32_t)call->status);
    sq_store_le32(head + 4, (uint32_t)call->errors->len);
    return sq_buf_append(answer, head, sizeof(head), err)
        && sq_buf_append(answer, call->errors->data, call->errors->len, err);
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
run_screencap(struct sq_adbd_screencap_server *server,
              struct sq_adbd_phone *phone, int64_t now_ns, struct sq_err *err) {
    const char *argv[MAX_ARGS + 1];
    struct sq_buf out;
    struct sq_buf errors;
    sq_buf_init(&out, SQ_ADBD_MAX_FILE_BYTES);
    sq_buf_init(&errors, MAX_MESSAGES);
    struct sq_adbd_call call = {
        .phone = phone,
        .argv = argv,
        .argc = split(&server->request, argv),
        .now_ns = now_ns,
        .out = &out,
        .errors = &errors,
        .err = err,
    };
    server->programs++;
    sq_adbd_run_screencap(&call);
    bool ok = !call.failed && write_picture(server->file, &call, err)
           && put_answer(&server->answer, &call, err);
    sq_buf_finish(&out);
    sq_buf_finish(&errors);
    return ok;
}

static void
send_answer(struct sq_adbd_screencap_server *server) {
    const struct sq_buf *answer = &server->answer;
    while (server->sent < answer->len) {
        ssize_t sent = sq_call_send(server->caller, answer->data + server->sent,
                                    answer->len - server->sent);
        if (sent < 0 && errno == EAGAIN) {
            return;
        }
        if (sent < 0) {
            break;
        }
        server->sent += (size_t)sent;
    }
    drop_caller(server);
}

bool
sq_adbd_screencap_server_advance(struct sq_adbd_screencap_server *server,
                                 struct sq_adbd_phone *phone, int64_t now_ns,
                                 struct sq_err *err) {
    if (server->caller < 0) {
        server->caller = sq_call_accept(server->listener);
    }
    if (server->caller >= 0 && !server->is_asked) {
        read_request(server, phone, now_ns);
    }
    bool is_due =
        server->caller >= 0 && server->is_asked && server->due_ns <= now_ns;
    if (is_due && server->answer.len == 0
        && !run_screencap(server, phone, now_ns, err)) {
        return false;
    }
    if (is_due) {
        send_answer(server);
    }
    return true;
}
