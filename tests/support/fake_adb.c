#include "support/fake_adb.h"

#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>

#include "device/android/state.h"
#include "device/android/link.h"
#include "support/test.h"
#include "sys/sockets.h"
#include "util/bytes.h"

#define LONG_MS (2 * T_PATIENCE_MS)
#define MAX_REQUEST 65536
#define TRACK_POLL_MS 2
#define END_SIZE 32

/* A connection, and how many bytes may be sent before it breaks. */
struct line {
    int fd;    /* -1: closed */
    long left; /* -1: no limit */
    struct sq_deadline deadline;
};

/* A connection, served by its own thread. */
struct visit {
    struct visit *next;
    struct fake_adb_server *server;
    struct fake_adb *fake;
    pthread_t thread;
    atomic_bool has_ended; /* and waits to be joined */
    struct line line;
    char request[MAX_REQUEST];
    bool tells_end;
    struct fake_output output;
};

struct fake_adb_server {
    struct fake_adb *fake;
    pthread_t thread; /* takes connections */
    struct sq_cancel *cancel;
    int listener;
    atomic_bool is_back;
    pthread_mutex_t mutex; /* guards the log, the visits, closing a line */
    struct visit *visits;  /* all that were created; they are reused */
};

void
fake_print(struct fake_output *output, const char *text) {
    size_t len = strlen(text);
    if (output->out_len + len <= sizeof(output->out)) {
        memcpy(output->out + output->out_len, text, len);
        output->out_len += len;
    }
}

static bool
put(struct line *line, const void *bytes, size_t len) {
    bool is_cut = line->left >= 0 && (long)len > line->left;
    size_t now = is_cut ? (size_t)line->left : len;
    bool ok = sq_socket_write(line->fd, bytes, now, &line->deadline, NULL);
    line->left -= ok && line->left >= 0 ? (long)now : 0;
    return ok && now == len;
}

static bool
put_text(struct line *line, const char *text) {
    char prefix[20];
    snprintf(prefix, sizeof(prefix), "%04zx", strlen(text));
    return put(line, prefix, 4) && put(line, text, strlen(text));
}

static bool
put_okay(struct line *line) {
    return put(line, "OKAY", 4);
}

static bool
put_fail(struct line *line, const char *why) {
    return put(line, "FAIL", 4) && put_text(line, why);
}

static bool
put_packet(struct line *line, unsigned char id, const char *bytes, size_t len) {
    unsigned char head[5] = { id };
    sq_store_le32(head + 1, (uint32_t)(len));
    return put(line, head, sizeof(head)) && put(line, bytes, len);
}

static bool
put_stream(struct line *line, const struct fake_adb *fake, unsigned char id,
           const char *bytes, size_t len) {
    size_t most = fake->packet_bytes ? fake->packet_bytes : len;
    bool ok = true;
    while (ok && len > 0) {
        size_t now = len < most ? len : most;
        ok = put_packet(line, id, bytes, now);
        bytes += now;
        len -= now;
    }
    return ok;
}

static bool
read_request(struct line *line, char *into) {
    char prefix[4];
    unsigned len;
    if (!sq_socket_read(line->fd, prefix, sizeof(prefix), &line->deadline, NULL)
        || !sq_adb_parse_hex((struct sq_span){ prefix, sizeof(prefix) },
                             &len)) {
        return false;
    }
    into[len] = '\0';
    return sq_socket_read(line->fd, into, len, &line->deadline, NULL);
}

static void
log_request(struct visit *t, const char *request) {
    struct fake_adb *fake = t->fake;
    pthread_mutex_lock(&t->server->mutex);
    if (fake->log_count < FAKE_ADB_MAX_LOG) {
        snprintf(fake->log[fake->log_count++], sizeof(fake->log[0]), "%.4000s",
                 request);
    }
    pthread_mutex_unlock(&t->server->mutex);
}

static void
clear_output(struct fake_output *output) {
    output->out_len = output->count = 0;
    output->bytes = NULL;
    output->errors[0] = '\0';
    output->status = 0;
    output->stalls = false;
}

/* Send nothing until the client closes the connection. */
static void
await_end(struct line *line) {
    char bytes[256];
    size_t got = 1;
    while (got > 0
           && sq_socket_read_some(line->fd, bytes, sizeof(bytes), &got,
                                  &line->deadline, NULL)) {
    }
}

static void
run_command(struct visit *t, const char *command) {
    clear_output(&t->output);
    if (t->fake->command) {
        t->fake->command(t->fake->context, command, &t->output);
    }
}

static void
serve_shell(struct visit *t, struct line *line) {
    struct fake_output *output = &t->output;
    char status = (char)output->status;
    size_t errors_len = strlen(output->errors);
    bool ok = put_okay(line)
           && put_stream(line, t->fake, 2, output->errors, errors_len)
           && put_stream(line, t->fake, 1, output->out, output->out_len)
           && put_stream(line, t->fake, 1, output->bytes, output->count)
           && !output->stalls && put_packet(line, 3, &status, 1);
    if (!ok && output->stalls) {
        await_end(line);
    }
}

/* Removes the command that asks for the exit status, and notes it was there. */
static void
take_end(struct visit *t) {
    size_t len = strlen(t->request);
    size_t asked = strlen(SQ_ADB_END_COMMAND);
    t->tells_end = len >= asked
                && strcmp(t->request + len - asked, SQ_ADB_END_COMMAND) == 0;
    if (t->tells_end) {
        t->request[len - asked] = '\0';
    }
}

static void
make_end(const struct visit *t, char end[END_SIZE]) {
    end[0] = '\0';
    if (t->tells_end) {
        snprintf(end, END_SIZE, SQ_MARK "%d\n", t->output.status);
    }
}

static void
serve_exec(struct visit *t, struct line *line) {
    struct fake_output *output = &t->output;
    char end[END_SIZE];
    make_end(t, end);
    bool ok = put_okay(line)
           && put(line, output->errors, strlen(output->errors))
           && put(line, output->out, output->out_len)
           && put(line, output->bytes, output->count)
           && put(line, end, strlen(end));
    (void)ok;
}

/* Writes each line feed like a terminal, as CR LF. */
static bool
put_terminal(struct line *line, const char *bytes, size_t len) {
    bool ok = true;
    for (size_t i = 0; ok && i < len; i++) {
        ok =
            (bytes[i] != '\n' || put(line, "\r", 1)) && put(line, bytes + i, 1);
    }
    return ok;
}

static void
serve_terminal(struct visit *t, struct line *line) {
    struct fake_output *output = &t->output;
    char end[END_SIZE];
    make_end(t, end);
    bool ok = put_okay(line)
           && put_terminal(line, output->errors, strlen(output->errors))
           && put_terminal(line, output->out, output->out_len)
           && put_terminal(line, output->bytes, output->count)
           && put_terminal(line, end, strlen(end));
    (void)ok;
}

static bool
put_sync(struct line *line, const char *id, size_t number) {
    unsigned char head[8];
    memcpy(head, id, 4);
    sq_store_le32(head + 4, (uint32_t)(number));
    return put(line, head, sizeof(head));
}

static bool
put_file(struct visit *t, struct line *line, bool exists) {
    static const char missing[] = "open failed: No such file or directory";
    const struct fake_output *output = &t->output;
    size_t most = t->fake->max_chunk ? t->fake->max_chunk : 65536;
    if (!exists) {
        return put_sync(line, "FAIL", strlen(missing))
            && put(line, missing, strlen(missing));
    }
    bool ok = true;
    for (size_t at = 0; ok && at < output->out_len; at += most) {
        size_t left = output->out_len - at;
        size_t now = left < most ? left : most;
        ok = put_sync(line, "DATA", now) && put(line, output->out + at, now);
    }
    return ok && put_sync(line, "DONE", 0);
}

static bool
put_stat(struct visit *t, struct line *line, bool exists) {
    unsigned char rest[8];
    size_t size = t->fake->file_size ? t->fake->file_size : t->output.out_len;
    sq_store_le32(rest, (uint32_t)(exists ? size : 0));
    sq_store_le32(rest + 4, (uint32_t)(exists ? 1234567890 : 0));
    return put_sync(line, "STAT", exists ? 0100660 : 0)
        && put(line, rest, sizeof(rest));
}

static bool
answer_sync(struct visit *t, struct line *line, const char *id,
            const char *path) {
    struct fake_adb *fake = t->fake;
    char what[4200];
    bool is_stat = strcmp(id, "STAT") == 0;
    snprintf(what, sizeof(what), "sync:%s %.4000s", id, path);
    log_request(t, what);
    if (fake->sync_garbage && !is_stat) {
        return put(line, fake->sync_garbage, fake->sync_garbage_len);
    }
    clear_output(&t->output);
    bool exists = fake->file && fake->file(fake->context, path, &t->output);
    return is_stat ? put_stat(t, line, exists) : put_file(t, line, exists);
}

static void
serve_sync(struct visit *t, struct line *line) {
    bool ok = put_okay(line);
    while (ok) {
        char id[5] = "";
        unsigned char len[4];
        ok = sq_socket_read(line->fd, id, 4, &line->deadline, NULL)
          && sq_socket_read(line->fd, len, 4, &line->deadline, NULL);
        size_t count = len[0] | (size_t)len[1] << 8;
        ok = ok
          && sq_socket_read(line->fd, t->request, count, &line->deadline, NULL);
        if (ok) {
            t->request[count] = '\0';
            ok = answer_sync(t, line, id, t->request);
        }
    }
}

static bool
starts(const char *text, const char *with, const char **behind) {
    size_t len = strlen(with);
    if (strncmp(text, with, len) != 0) {
        return false;
    }
    *behind = text + len;
    return true;
}

static void
serve_device(struct visit *t, struct line *line) {
    const char *command;
    if (t->fake->device_hangs || !read_request(line, t->request)) {
        await_end(line);
        return;
    }
    log_request(t, t->request);
    take_end(t);
    if (t->fake->is_closed) {
        put_fail(line, "closed");
    } else if (starts(t->request, "shell,v2,raw:", &command)) {
        run_command(t, command);
        serve_shell(t, line);
    } else if (!t->fake->has_no_exec && starts(t->request, "exec:", &command)) {
        run_command(t, command);
        serve_exec(t, line);
    } else if (starts(t->request, "shell:", &command)) {
        run_command(t, command);
        serve_terminal(t, line);
    } else if (strcmp(t->request, "sync:") == 0) {
        serve_sync(t, line);
    } else {
        put_fail(line, "closed");
    }
}

/* Sends each new list once to a client of host:track-devices. */
static bool
serve_tracker(struct visit *t, struct line *line) {
    const char *told = NULL;
    const char *now;
    bool ok = put_okay(line);
    while (ok && (now = atomic_load(&t->fake->tracked)) != NULL) {
        const char *raw = atomic_load(&t->fake->tracked_raw);
        ok = (now == told || put_text(line, now))
          && (!raw || put(line, raw, strlen(raw)));
        if (raw) {
            atomic_store(&t->fake->tracked_raw, NULL);
        }
        told = now;
        const struct sq_deadline poll =
            sq_deadline_within(&line->deadline, TRACK_POLL_MS);
        /* The client sends nothing more; wait for it to close. */
        ok = ok && !sq_wait_fd(line->fd, POLLIN, &poll, NULL)
          && sq_deadline_check(&line->deadline, NULL);
    }
    return ok;
}

/* Returns NULL if the server does not know the request. */
static const char *
host_answer(const struct visit *t) {
    const struct fake_adb *fake = t->fake;
    bool is_back = t->server->is_back && fake->devices_back;
    const char *const answers[][2] = {
        { "host:version", "0029" },
        { "host:devices-l", is_back ? fake->devices_back : fake->devices },
        { "host:reconnect-offline", "reconnecting" },
        { "host-serial:" FAKE_ADB_SERIAL ":features", fake->features },
        { "host-serial:" FAKE_ADB_SERIAL ":get-state", fake->state },
    };
    for (size_t i = 0; i < SQ_COUNT(answers); i++) {
        if (strcmp(t->request, answers[i][0]) == 0) {
            return answers[i][1];
        }
    }
    return NULL;
}

static void
serve_host(struct visit *t, struct line *line) {
    const char *answer = host_answer(t);
    const char *refusal = t->fake->refusal;
    const char *form = "?"; /* "" or "-l" */
    log_request(t, t->request);
    t->server->is_back |= strcmp(t->request, "host:reconnect-offline") == 0;
    starts(t->request, "host:track-devices", &form);
    if (!form[0] || (!t->fake->tracks_short && strcmp(form, "-l") == 0)) {
        serve_tracker(t, line);
    } else if (!answer) {
        put_fail(line, refusal ? refusal : "unknown host service");
    } else if (answer == t->fake->state && !answer[0]) {
        put_fail(line, "device '" FAKE_ADB_SERIAL "' not found");
    } else if (put_okay(line)) {
        put_text(line, answer);
    }
}

static void
serve(struct visit *t, struct line *line) {
    struct fake_adb *fake = t->fake;
    const char *serial;
    if (!read_request(line, t->request)) {
        return;
    }
    if (fake->hangs) {
        atomic_fetch_add(&fake->unanswered, 1);
        await_end(line);
        return;
    }
    if (fake->garbage) {
        put(line, fake->garbage, fake->garbage_len);
        return;
    }
    if (!starts(t->request, "host:transport:", &serial)) {
        serve_host(t, line);
        return;
    }
    if (fake->refusal && !(t->server->is_back && fake->devices_back)) {
        put_fail(line, fake->refusal);
    } else if (strcmp(serial, FAKE_ADB_SERIAL) != 0
               && (!fake->address || strcmp(serial, fake->address) != 0)) {
        put_fail(line, "device 'nope' not found");
    } else if (put_okay(line)) {
        serve_device(t, line);
    }
}

static void
close_line(struct visit *visit) {
    pthread_mutex_lock(&visit->server->mutex);
    sq_socket_close(visit->line.fd);
    visit->line.fd = -1;
    pthread_mutex_unlock(&visit->server->mutex);
}

static void *
run_visit(void *context) {
    struct visit *visit = context;
    serve(visit, &visit->line);
    close_line(visit);
    atomic_store(&visit->has_ended, true);
    return NULL;
}

/* Returns one that has ended, or a new one. */
static struct visit *
get_visit(struct fake_adb_server *server) {
    struct visit *visit = server->visits;
    while (visit && !atomic_load(&visit->has_ended)) {
        visit = visit->next;
    }
    if (visit) {
        pthread_join(visit->thread, NULL);
        return visit;
    }
    visit = calloc(1, sizeof(*visit));
    T(visit != NULL);
    visit->server = server;
    visit->fake = server->fake;
    visit->line.fd = -1;
    pthread_mutex_lock(&server->mutex);
    visit->next = server->visits;
    server->visits = visit;
    pthread_mutex_unlock(&server->mutex);
    return visit;
}

static void
receive(struct fake_adb_server *server, int fd) {
    struct fake_adb *fake = server->fake;
    struct visit *visit = get_visit(server);
    int number = atomic_load(&fake->connections);
    bool breaks = fake->cut_at >= 0
               && (fake->cut_connection < 0 || fake->cut_connection == number);
    pthread_mutex_lock(&server->mutex);
    visit->line =
        (struct line){ .fd = fd,
                       .left = breaks ? fake->cut_at : -1,
                       .deadline = sq_deadline_in(LONG_MS, server->cancel) };
    pthread_mutex_unlock(&server->mutex);
    atomic_fetch_add(&fake->connections, 1);
    atomic_store(&visit->has_ended, false);
    T(pthread_create(&visit->thread, NULL, run_visit, visit) == 0);
}

static void *
run_server(void *context) {
    struct fake_adb_server *server = context;
    for (;;) {
        int fd;
        const struct sq_deadline deadline =
            sq_deadline_in(LONG_MS, server->cancel);
        if (!sq_socket_accept(server->listener, &deadline, &fd, NULL)) {
            return NULL;
        }
        receive(server, fd);
    }
}

void
fake_adb_start(struct fake_adb *fake) {
    struct fake_adb_server *server = calloc(1, sizeof(*server));
    T(server != NULL);
    *fake = (struct fake_adb){ .devices = FAKE_ADB_DEVICES,
                               .features = "cmd,shell_v2,stat_v2",
                               .cut_at = -1,
                               .server = server };
    server->fake = fake;
    pthread_mutex_init(&server->mutex, NULL);
    T_OK(sq_cancel_create(&server->cancel, &t_err));
    /* Opens its descriptors before a test counts the open ones. */
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, server->cancel);
    T_OK(sq_wait_ms(0, &deadline, &t_err));
    T_OK(sq_socket_listen("127.0.0.1", false, &fake->port, &server->listener,
                          &t_err));
    T(pthread_create(&server->thread, NULL, run_server, server) == 0);
}

void
fake_adb_stop(struct fake_adb *fake) {
    struct fake_adb_server *server = fake->server;
    sq_cancel_set(server->cancel);
    pthread_join(server->thread, NULL);
    while (server->visits) {
        struct visit *visit = server->visits;
        server->visits = visit->next;
        pthread_join(visit->thread, NULL);
        free(visit);
    }
    sq_socket_close(server->listener);
    sq_cancel_destroy(server->cancel);
    pthread_mutex_destroy(&server->mutex);
    free(server);
    fake->server = NULL;
}

void
fake_adb_close_connections(struct fake_adb *fake) {
    struct fake_adb_server *server = fake->server;
    pthread_mutex_lock(&server->mutex);
    for (struct visit *visit = server->visits; visit; visit = visit->next) {
        if (visit->line.fd >= 0) {
            shutdown(visit->line.fd, SHUT_RDWR);
        }
    }
    pthread_mutex_unlock(&server->mutex);
}

int
fake_adb_open(struct fake_adb *fake) {
    struct fake_adb_server *server = fake->server;
    int count = 0;
    pthread_mutex_lock(&server->mutex);
    for (struct visit *visit = server->visits; visit; visit = visit->next) {
        count += visit->line.fd >= 0;
    }
    pthread_mutex_unlock(&server->mutex);
    return count;
}

void
fake_adb_clear_log(struct fake_adb *fake) {
    fake->log_count = 0;
    fake->connections = 0;
}

struct sq_adb *
fake_adb_client(const struct fake_adb *fake) {
    static char address[64]; /* the client copies what it needs */
    struct sq_adb *adb = NULL;
    snprintf(address, sizeof(address), "tcp:127.0.0.1:%d", fake->port);
    const struct sq_adb_options options = { .server = address,
                                            .never_start = true };
    T_OK(sq_adb_create(&options, &adb, &t_err));
    return adb;
}

struct sq_device *
fake_adb_device(struct sq_adb *adb) {
    struct sq_device *device = NULL;
    struct sq_deadline deadline = sq_deadline_in(LONG_MS, NULL);
    const struct sq_device_info info = { .kind = "android",
                                         .id = FAKE_ADB_SERIAL,
                                         .name = "Test Phone" };
    T_OK(sq_android_open(adb, &info, &device, &deadline, &t_err));
    return device;
}
