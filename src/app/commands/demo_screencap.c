/*
 * demo-screencap: what a program that runs on the demo phone finds under the
 * name screencap. Asks the demo phone for the picture and passes it on.
 */
#include <stdio.h>
#include <string.h>

#include "app/commands/command.h"
#include "demo/adbd/screencap_server.h"
#include "sys/call.h"
#include "sys/path.h"
#include "sys/sockets.h"
#include "util/bytes.h"

#define LIMIT_MS 60000
#define PIECE ((size_t)256 << 10)
#define MAX_REQUEST 256

/* Connects to the socket beside the file that was started. */
static bool
connect_phone(const char *script, const struct sq_deadline *limit, int *fd,
              struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    const char *slash = strrchr(script, '/');
    int folder = slash ? (int)(slash - script) : 0;
    int len = snprintf(path, sizeof(path), "%.*s/socket", folder, script);
    return (len > 0 && (size_t)len < sizeof(path)
            && sq_socket_connect_path(path, limit, fd, err))
        || sq_fail(err, SQ_ERR_ARGUMENT,
                   "demo-screencap is started by the demo phone only");
}

static bool
send_request(int fd, int argc, char **argv, const struct sq_deadline *limit,
             struct sq_err *err) {
    struct sq_buf request;
    bool ok = true;
    sq_buf_init(&request, MAX_REQUEST);
    for (int i = 0; ok && i < argc; i++) {
        ok = sq_buf_printf(&request, err, "%s\n", argv[i]);
    }
    ok = ok && sq_socket_write(fd, request.data, request.len, limit, err);
    sq_socket_end_writing(fd);
    sq_buf_finish(&request);
    return ok;
}

/* Writes all bytes to a standard stream. */
static bool
pass_on(int stream, const uint8_t *bytes, size_t count, struct sq_err *err) {
    while (count > 0) {
        ssize_t written = sq_call_write(stream, bytes, count);
        if (written <= 0) {
            return sq_fail(err, SQ_ERR_IO, "cannot write the picture");
        }
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

static bool
receive(int fd, struct sq_buf *space, enum sq_status *status,
        const struct sq_deadline *limit, struct sq_err *err) {
    uint8_t head[SQ_ADBD_SCREENCAP_HEAD];
    uint8_t *bytes;
    size_t got = 1;
    if (!sq_socket_read(fd, head, sizeof(head), limit, err)
        || !sq_buf_reserve(space, PIECE, &bytes, err)) {
        return false;
    }
    size_t messages = sq_load_le32(head + 4);
    messages = messages < PIECE ? messages : PIECE;
    *status = sq_load_le32(head) ? SQ_STATUS_FAILED : SQ_STATUS_OK;
    bool ok = messages == 0
           || (sq_socket_read(fd, bytes, messages, limit, err)
               && pass_on(2, bytes, messages, err));
    while (ok && got > 0) {
        ok = sq_socket_read_some(fd, bytes, PIECE, &got, limit, err)
          && pass_on(1, bytes, got, err);
    }
    return ok;
}

static bool
screencap_run(int argc, char **argv, struct sq_buf *out, enum sq_status *status,
              struct sq_err *err) {
    (void)out;
    const struct sq_deadline limit = sq_deadline_in(LIMIT_MS, NULL);
    struct sq_buf space;
    int fd = -1;
    sq_buf_init(&space, PIECE);
    bool ok = argc >= 1 && connect_phone(argv[0], &limit, &fd, err)
           && send_request(fd, argc - 1, argv + 1, &limit, err)
           && receive(fd, &space, status, &limit, err);
    sq_socket_close(fd);
    sq_buf_finish(&space);
    return ok;
}

const struct sq_command sq_command_demo_screencap = {
    .name = "demo-screencap",
    .usage = "FILE [ARGUMENT ...]",
    .summary = "take a screenshot for a program on the demo phone",
    .help = "Started by the demo phone itself; see docs/demo-phone.md.",
    .options = (const struct sq_arg[]){ SQ_ARGS_END },
    .trouble = SQ_STATUS_FAILED,
    .run_words = screencap_run,
};
