/* Starts a program with a socket to it, and exchanges bytes with it. */
#include "sys/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "sys/call.h"
#include "sys/path.h"
#include "sys/sockets.h"
#include "util/mem.h"
#include "util/utf8.h"

#define CHUNK ((size_t)256 << 10)
#define POLL_MS 5
#define MAX_ERRORS 65536

struct sq_channel {
    char name[SQ_CHANNEL_ERRORS_SIZE]; /* base name of the program */
    pid_t child;                       /* 0: not started */
    int socket;
    int report; /* tells whether the program could be run */
    int errors; /* its standard error */
};

void
sq_channel_end(struct sq_channel *channel) {
    if (channel->child) {
        sq_call_end_child(channel->child);
        channel->child = 0;
    }
}

void
sq_channel_destroy(struct sq_channel *channel) {
    if (!channel) {
        return;
    }
    sq_channel_end(channel);
    sq_close_fd(&channel->socket);
    sq_close_fd(&channel->report);
    sq_close_fd(&channel->errors);
    sq_mem_free(channel);
}

static bool
spawn(struct sq_channel *channel, const char *const *argv, struct sq_err *err) {
    int sockets[2] = { -1, -1 };
    int errors[2] = { -1, -1 };
    int nothing = sq_call_openat(AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0);
    bool ok = (nothing >= 0 && sq_call_socket_pair(sockets) == 0
               && sq_call_pipe(errors) == 0)
           || sq_errno_fail(err, "start %s", channel->name);
    struct sq_spawn child = {
        .argv = argv,
        .streams = { nothing, nothing, errors[1] },
        .channel = sockets[1],
    };
    pid_t pid =
        ok ? sq_start_child(&child, channel->name, &channel->report, err) : -1;
    channel->child = pid > 0 ? pid : 0;
    sq_close_fd(&nothing);
    sq_close_fd(&sockets[1]);
    sq_close_fd(&errors[1]);
    channel->socket = sockets[0];
    channel->errors = errors[0];
    return pid > 0;
}

bool
sq_channel_start(const char *const *argv, struct sq_channel **out,
                 struct sq_err *err) {
    struct sq_channel *channel = sq_mem_zalloc(1, sizeof(*channel));
    if (!channel) {
        return sq_fail_nomem(err);
    }
    channel->report = -1;
    snprintf(channel->name, sizeof(channel->name), "%s", sq_path_base(argv[0]));
    if (!spawn(channel, argv, err)) {
        sq_channel_destroy(channel);
        return false;
    }
    *out = channel;
    return true;
}

bool
sq_channel_adopt(int socket, const char *name, struct sq_channel **out,
                 struct sq_err *err) {
    struct sq_channel *channel = sq_mem_zalloc(1, sizeof(*channel));
    if (!channel) {
        sq_call_close(socket);
        return sq_fail_nomem(err);
    }
    snprintf(channel->name, sizeof(channel->name), "%s", name);
    channel->socket = socket;
    channel->report = -1;
    channel->errors = -1;
    *out = channel;
    return true;
}

static bool
fail_ended(struct sq_channel *channel, struct sq_err *err) {
    errno = sq_read_report(channel->report);
    return errno ? sq_errno_fail(err, "run %s", channel->name)
                 : sq_fail(err, SQ_ERR_DEVICE_OFFLINE, "%s has ended",
                           channel->name);
}

bool
sq_channel_send(struct sq_channel *channel, struct sq_span bytes,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (sq_socket_write(channel->socket, bytes.ptr, bytes.len, deadline,
                        &local_err)) {
        return true;
    }
    sq_fail_with(err, &local_err);
    return local_err.code == SQ_ERR_IO ? fail_ended(channel, err)
                                       : sq_fail_in(err, "%s", channel->name);
}

bool
sq_channel_take(struct sq_channel *channel, struct sq_buf *into, bool *got,
                struct sq_err *err) {
    uint8_t *space;
    size_t size = into->max - into->len;
    size = size < CHUNK ? size : CHUNK;
    *got = false;
    if (size == 0) {
        return sq_fail(err, SQ_ERR_LIMIT,
                       "%s sent a message of more than %zu bytes",
                       channel->name, into->max);
    }
    if (!sq_buf_reserve(into, size, &space, err)) {
        return false;
    }
    ssize_t count = sq_call_recv(channel->socket, space, size);
    if (count == 0 || (count < 0 && errno != EAGAIN)) {
        return fail_ended(channel, err);
    }
    *got = count > 0;
    sq_buf_commit(into, *got ? (size_t)count : 0);
    return true;
}

bool
sq_channel_receive(struct sq_channel *channel, struct sq_buf *into,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    bool got = false;
    bool ok = true;
    while (ok && !got) {
        ok = sq_channel_take(channel, into, &got, err)
          && (got || sq_wait_fd(channel->socket, POLLIN, deadline, err)
              || sq_fail_in(err, "%s", channel->name));
    }
    return ok;
}

int
sq_channel_socket(const struct sq_channel *channel) {
    return channel->socket;
}

bool
sq_channel_await_end(struct sq_channel *channel,
                     const struct sq_deadline *deadline) {
    if (!channel->child) {
        return false;
    }
    int ended = sq_call_has_ended(channel->child);
    while (ended == 0 && sq_wait_ms(POLL_MS, deadline, NULL)) {
        ended = sq_call_has_ended(channel->child);
    }
    return ended != 0;
}

void
sq_channel_errors(struct sq_channel *channel,
                  char out[SQ_CHANNEL_ERRORS_SIZE]) {
    SQ_BUF(text, MAX_ERRORS);
    struct sq_span line;
    uint8_t *space;
    out[0] = '\0';
    if (sq_buf_reserve(&text, MAX_ERRORS, &space, NULL)) {
        ssize_t count = sq_call_read(channel->errors, space, MAX_ERRORS);
        sq_buf_commit(&text, count > 0 ? (size_t)count : 0);
    }
    struct sq_span rest = sq_buf_span(&text);
    while (sq_span_take_line(&rest, &line)) {
        line = sq_span_trim(line);
        line = sq_utf8_shorten(line, SQ_CHANNEL_ERRORS_SIZE - 1);
        if (line.len > 0) {
            snprintf(out, SQ_CHANNEL_ERRORS_SIZE, "%.*s", SQ_SPAN_ARGS(line));
        }
    }
}
