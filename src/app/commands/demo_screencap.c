/*
 * demo-screencap: what a program that runs on the demo phone finds under the
 * name screencap. Asks the demo phone for the picture and passes it on.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "app/commands/command.h"
#include "demo/adbd/serve.h"
#include "sys/call.h"
#include "sys/path.h"
#include "sys/sockets.h"
#include "util/bytes.h"
#include "util/mem.h"

#define LIMIT_MS 60000
#define PIECE ((size_t)1 << 20)
#define MAX_REQUEST 256

/* Writes the path of a file beside the one that was started. */
static void
path_beside(const char *script, const char *name, char out[SQ_PATH_SIZE]) {
    const char *slash = strrchr(script, '/');
    int folder = slash ? (int)(slash - script) : 0;
    snprintf(out, SQ_PATH_SIZE, "%.*s/%s", folder < 900 ? folder : 900, script,
             name);
}

static bool
connect_phone(const char *script, const struct sq_deadline *limit, int *fd,
              struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    path_beside(script, SQ_ADBD_SCREENCAP_SOCKET, path);
    return sq_socket_connect_path(path, limit, fd, err)
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

/* Reads the status and passes the messages on. */
static bool
receive(int fd, uint8_t space[PIECE], enum sq_status *status,
        const struct sq_deadline *limit, struct sq_err *err) {
    uint8_t head[SQ_ADBD_SCREENCAP_HEAD];
    if (!sq_socket_read(fd, head, sizeof(head), limit, err)) {
        return false;
    }
    size_t messages = sq_load_le32(head + 4);
    messages = messages < PIECE ? messages : PIECE;
    *status = sq_load_le32(head) ? SQ_STATUS_FAILED : SQ_STATUS_OK;
    return messages == 0
        || (sq_socket_read(fd, space, messages, limit, err)
            && pass_on(2, space, messages, err));
}

static bool
copy_picture(const char *script, uint8_t space[PIECE], struct sq_err *err) {
    char path[SQ_PATH_SIZE];
    path_beside(script, SQ_ADBD_SCREENCAP_FILE, path);
    int fd = sq_call_openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    ssize_t got = fd < 0 ? -1 : 1;
    bool ok = true;
    while (ok && got > 0) {
        got = sq_call_read(fd, space, PIECE);
        ok = got <= 0 || pass_on(1, space, (size_t)got, err);
    }
    if (fd >= 0) {
        sq_call_close(fd);
    }
    return ok && (got == 0 || sq_fail(err, SQ_ERR_IO, "there is no picture"));
}

static bool
screencap_run(int argc, char **argv, struct sq_buf *out, enum sq_status *status,
              struct sq_err *err) {
    (void)out;
    const struct sq_deadline limit = sq_deadline_in(LIMIT_MS, NULL);
    uint8_t *space = sq_mem_alloc(PIECE, 1);
    int fd = -1;
    if (!space) {
        return sq_fail_nomem(err);
    }
    bool ok = argc >= 1 && connect_phone(argv[0], &limit, &fd, err)
           && send_request(fd, argc - 1, argv + 1, &limit, err)
           && receive(fd, space, status, &limit, err)
           && copy_picture(argv[0], space, err);
    sq_socket_close(fd);
    sq_mem_free(space);
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
