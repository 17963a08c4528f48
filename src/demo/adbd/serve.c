/* Serves the demo phone to adb on a local port. */
#include "demo/adbd/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "demo/adbd/server.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/signals.h"

#define HOST_SIZE 64
#define LOG_MODE 0600
#define NS_PER_S 1000000000

struct address {
    char host[HOST_SIZE];
    int port;
};

static bool
fail_address(struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "the phone's address must be HOST:PORT");
    return sq_fail_hint(err, "127.0.0.1:0 chooses a free port.");
}

/* Parses "127.0.0.1:5555", "[::1]:5555" or "5555". */
static bool
parse_address(const char *text, struct address *out, struct sq_err *err) {
    const char *colon = strrchr(text, ':');
    struct sq_span host = colon
                            ? (struct sq_span){ text, (size_t)(colon - text) }
                            : SQ_SPAN("127.0.0.1");
    int64_t port;
    if (host.len > 2 && host.ptr[0] == '[' && host.ptr[host.len - 1] == ']') {
        host.ptr++;
        host.len -= 2;
    }
    if (!sq_span_to_int64(sq_span_of(colon ? colon + 1 : text), &port)
        || port < 0 || port > UINT16_MAX || host.len == 0
        || host.len >= HOST_SIZE) {
        return fail_address(err);
    }
    snprintf(out->host, sizeof(out->host), "%.*s", SQ_SPAN_ARGS(host));
    out->port = (int)port;
    return true;
}

static int64_t
stopped_clock(void *context) {
    return *(const int64_t *)context;
}

static void
log_line(void *context, const char *line) {
    int fd = *(const int *)context;
    char text[2048];
    int len = snprintf(text, sizeof(text), "%s\n", line);
    /* A log that cannot be written does not stop the phone. */
    sq_call_write(fd, text, (size_t)len);
}

static bool
open_log(const char *path, int *fd, struct sq_err *err) {
    if (!path || strcmp(path, "-") == 0) {
        *fd = path ? STDERR_FILENO : -1;
        return true;
    }
    *fd = sq_call_openat(AT_FDCWD, path,
                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, LOG_MODE);
    return *fd >= 0 || sq_file_fail(path, true, errno, err);
}

static void
close_log(int fd) {
    if (fd > STDERR_FILENO) {
        sq_call_close(fd);
    }
}

/*
 * Returns standard input if it is a pipe or socket, whose end means that the
 * parent process has gone; otherwise -1. A terminal sends signals instead, and
 * /dev/null is always at its end.
 */
static int
input_to_watch(void) {
    struct stat st;
    bool known = sq_call_fstat(STDIN_FILENO, &st) == 0;
    return known && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
             ? STDIN_FILENO
             : -1;
}

static bool
announce(const struct address *address, struct sq_err *err) {
    char line[4 * HOST_SIZE];
    bool brackets = strchr(address->host, ':') != NULL;
    char text[HOST_SIZE + 16];
    snprintf(text, sizeof(text), brackets ? "[%s]:%d" : "%s:%d", address->host,
             address->port);
    snprintf(line, sizeof(line), "demo phone at %s; type: adb connect %s\n",
             text, text);
    return sq_file_write("-", line, strlen(line), err);
}

static bool
serve(struct sq_adbd_phone *phone, struct address *address,
      struct sq_err *err) {
    struct sq_signals *signals = NULL;
    struct sq_adbd_server *server = NULL;
    bool ok = sq_signals_create(&signals, err)
           && sq_adbd_server_create(phone, address->host, &address->port,
                                    &server, err)
           && announce(address, err);
    if (ok) {
        const struct pollfd until[] = {
            { .fd = sq_signals_fd(signals), .events = POLLIN },
            { .fd = input_to_watch(), .events = 0 },
        };
        ok = sq_adbd_server_run(server, until, 2, err);
    }
    sq_adbd_server_destroy(server);
    sq_signals_destroy(signals);
    return ok;
}

bool
sq_demo_phone_run(const struct sq_demo_phone_options *options,
                  const struct sq_config *config, struct sq_err *err) {
    int64_t stopped_ns = (int64_t)options->clock_s * NS_PER_S;
    int log_fd = -1;
    struct address address;
    struct sq_adbd_phone *phone = NULL;
    struct sq_adbd_options all = {
        .demo = { .width = config->demo.width,
                  .height = config->demo.height,
                  .density = config->demo.density,
                  .seed = (uint32_t)config->demo.seed,
                  .reaction_ms = config->demo.reaction_ms,
                  .pressed_ms = config->demo.pressed_ms,
                  .now_ns = options->clock_s ? stopped_clock : NULL,
                  .clock_context = &stopped_ns },
        .serial = options->serial,
        .link_rate = options->link_rate,
        .runs_programs = options->runs_programs,
        .log = options->log ? log_line : NULL,
        .log_context = &log_fd,
    };
    bool ok =
        parse_address(options->address, &address, err)
        && (!options->fault
            || sq_adbd_faults_set(&all.faults, sq_span_of(options->fault), err))
        && (!options->delay
            || sq_adbd_delays_set(&all.delays, sq_span_of(options->delay), err))
        && open_log(options->log, &log_fd, err)
        && sq_adbd_phone_create(&all, &phone, err)
        && serve(phone, &address, err);
    sq_adbd_phone_destroy(phone);
    close_log(log_fd);
    return ok;
}
