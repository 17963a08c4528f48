/* Connections to the adb server and to devices through it. */
#include "device/android/link.h"

#include <stdio.h>
#include <string.h>

#include "device/android/explain.h"
#include "device/android/memory.h"
#include "device/android/parse_devices.h"
#include "sys/sockets.h"

#define REVIVE_INTERVAL_MS 30000
#define REVIVE_POLL_MS 150
#define REVIVE_LIMIT_MS 3000
#define MAX_FEATURES 4096
/* The server answers its own requests immediately. */
#define SERVER_MS 3000
/* A connection opened in advance is quick; its status is read later. */
#define AHEAD_MS 50
#define AHEAD_ANSWER_MS 1000
#define SERVICE_SIZE (SQ_DEVICE_ID_SIZE + 40)

/* Length of one wait while an answer holds shared memory. */
#define LOOK_MS 250

/* A connection in use. */
struct talk {
    int fd;
    const struct sq_deadline *deadline;
    struct sq_adb_source source;
    /* Set while a device's answer is read into *said, else NULL. */
    struct sq_quota *memory;
    struct sq_adb_output *said;
};

/* Reserves memory before more of an answer is read. */
static bool
admit(const struct talk *talk, size_t capacity, struct sq_err *err) {
    return !talk->said
        || sq_adb_memory_admit(talk->memory, talk->said, capacity,
                               talk->deadline, err);
}

static bool
read_exactly(void *context, void *into, size_t len, struct sq_err *err) {
    const struct talk *talk = context;
    return admit(talk, len, err)
        && sq_socket_read(talk->fd, into, len, talk->deadline, err);
}

/* Uses short waits while other devices may wait for our memory. */
static bool
read_some(void *context, void *into, size_t capacity, size_t *got,
          struct sq_err *err) {
    const struct talk *talk = context;
    struct sq_err local_err = { 0 };
    bool ok = false;
    do {
        if (!admit(talk, capacity, err)) {
            return false;
        }
        bool is_shared = talk->said && talk->said->memory.quota;
        const struct sq_deadline look =
            sq_deadline_within(talk->deadline, LOOK_MS);
        local_err = (struct sq_err){ 0 };
        ok =
            sq_socket_read_some(talk->fd, into, capacity, got,
                                is_shared ? &look : talk->deadline, &local_err);
    } while (!ok && local_err.code == SQ_ERR_TIMEOUT
             && sq_deadline_check(talk->deadline, NULL));
    if (!ok && err) {
        *err = local_err;
    }
    return ok;
}

static void
prepare(struct talk *talk, const struct sq_deadline *deadline) {
    *talk = (struct talk){
        .fd = -1,
        .deadline = deadline,
        .source = { read_exactly, read_some, talk },
    };
}

static bool
begin(struct talk *talk, struct sq_adb *adb, const struct sq_deadline *deadline,
      struct sq_err *err) {
    prepare(talk, deadline);
    return sq_adb_connect(adb, deadline, &talk->fd, err);
}

static bool
write_request(struct talk *talk, struct sq_span request, struct sq_err *err) {
    struct sq_buf bytes;
    sq_buf_init(&bytes, SQ_ADB_MAX_REQUEST + 4);
    bool ok = sq_adb_put_request(&bytes, request, err)
           && sq_socket_write(talk->fd, bytes.data, bytes.len, talk->deadline,
                              err);
    sq_buf_finish(&bytes);
    return ok;
}

static bool
send_request(struct talk *talk, struct sq_span request, struct sq_err *err) {
    return write_request(talk, request, err)
        && sq_adb_read_status(&talk->source, err);
}

static void
end(struct talk *talk) {
    sq_socket_close(talk->fd);
    talk->fd = -1;
}

/*
 * Connects to the server and sends one request. Asks once more if the server
 * hangs up before it answers, as it does while it is being restarted; no device
 * has received anything then. Closes the socket on failure.
 */
static bool
ask_server(struct talk *talk, struct sq_adb *adb, struct sq_span request,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    bool ok = false;
    for (int i = 0; i < 2 && !ok; i++) {
        local_err = (struct sq_err){ 0 };
        if (!begin(talk, adb, deadline, err)) {
            return false;
        }
        const struct sq_deadline limit =
            sq_deadline_within(deadline, SERVER_MS);
        talk->deadline = &limit;
        ok = send_request(talk, request, &local_err);
        talk->deadline = deadline;
        if (!ok) {
            end(talk);
        }
        if (!sq_adb_is_break(&local_err)) {
            break;
        }
    }
    if (!ok && err) {
        *err = local_err;
        sq_adb_explain_server(adb, err);
    }
    return ok;
}

bool
sq_adb_request(int fd, const char *request, const struct sq_deadline *deadline,
               struct sq_err *err) {
    struct talk talk;
    prepare(&talk, deadline);
    talk.fd = fd;
    return send_request(&talk, sq_span_of(request), err);
}

bool
sq_adb_hear(int fd, struct sq_buf *answer, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct talk talk;
    prepare(&talk, deadline);
    talk.fd = fd;
    return sq_adb_read_text(&talk.source, answer, err);
}

bool
sq_adb_ask(struct sq_adb *adb, const char *request, struct sq_buf *answer,
           const struct sq_deadline *deadline, struct sq_err *err) {
    struct talk talk;
    if (!ask_server(&talk, adb, sq_span_of(request), deadline, err)) {
        return false;
    }
    const struct sq_deadline limit = sq_deadline_within(deadline, SERVER_MS);
    talk.deadline = &limit;
    bool ok = sq_adb_read_text(&talk.source, answer, err)
           || sq_adb_explain_server(adb, err);
    end(&talk);
    return ok;
}

bool
sq_adb_follow(struct sq_adb *adb, const char *request,
              bool (*heard)(void *context, struct sq_span answer),
              void *context, const struct sq_deadline *deadline,
              struct sq_err *err) {
    struct sq_buf answer;
    int fd = -1;
    bool more = true;
    sq_buf_init(&answer, SQ_ADB_MAX_REQUEST);
    bool ok = sq_adb_connect_if_running(adb, deadline, &fd, err)
           && sq_adb_request(fd, request, deadline, err);
    while (ok && more) {
        sq_buf_clear(&answer);
        ok = sq_adb_hear(fd, &answer, deadline, err);
        more = ok && heard(context, sq_buf_span(&answer));
    }
    sq_buf_finish(&answer);
    sq_socket_close(fd);
    return ok;
}

bool
sq_adb_revive(struct sq_adb *adb, const struct sq_deadline *deadline) {
    struct sq_buf answer;
    if (!sq_adb_may_revive(adb, REVIVE_INTERVAL_MS)) {
        return false;
    }
    sq_buf_init(&answer, SQ_ADB_MAX_REQUEST);
    bool ok =
        sq_adb_ask(adb, "host:reconnect-offline", &answer, deadline, NULL);
    sq_buf_finish(&answer);
    return ok;
}

static struct sq_span
ask_for_device(const struct sq_adb_link *link, char request[SERVICE_SIZE]) {
    snprintf(request, SERVICE_SIZE, "host:transport:%s", link->serial);
    return sq_span_of(request);
}

/* Connects to the device through the server. Closes the socket on failure. */
static bool
reach(struct talk *talk, const struct sq_adb_link *link,
      const struct sq_deadline *deadline, struct sq_err *err) {
    char request[SERVICE_SIZE];
    return ask_server(talk, link->adb, ask_for_device(link, request), deadline,
                      err)
        || sq_adb_explain_refusal(link, err);
}

static void
keep(struct sq_adb_kept *kept, int fd) {
    *kept = (struct sq_adb_kept){ .is_there = true, .fd = fd };
}

static void
drop(struct sq_adb_kept *kept) {
    if (kept->is_there) {
        sq_socket_close(kept->fd);
        kept->is_there = false;
    }
}

/*
 * Opens a connection for the next exchange while this one waits for the device.
 * Its status is read when it is used.
 */
static void
reach_ahead(struct sq_adb_link *link) {
    const struct sq_deadline limit = sq_deadline_in(AHEAD_MS, NULL);
    char request[SERVICE_SIZE];
    struct talk talk;
    if (link->ahead.is_there || !sq_adb_keeps_connections(link->adb)) {
        return;
    }
    prepare(&talk, &limit);
    if (sq_adb_connect_if_running(link->adb, &limit, &talk.fd, NULL)
        && write_request(&talk, ask_for_device(link, request), NULL)) {
        keep(&link->ahead, talk.fd);
    } else {
        end(&talk);
    }
}

/*
 * Takes the connection from reach_ahead if it is still open. adb closes it when
 * the device disconnects. No request was sent on it yet, so the caller can
 * safely connect again if it is closed.
 */
static bool
take_ahead(struct talk *talk, struct sq_adb_link *link,
           const struct sq_deadline *deadline) {
    const struct sq_deadline limit =
        sq_deadline_within(deadline, AHEAD_ANSWER_MS);
    if (!link->ahead.is_there) {
        return false;
    }
    prepare(talk, &limit);
    talk->fd = link->ahead.fd;
    link->ahead.is_there = false;
    bool ok =
        sq_adb_read_status(&talk->source, NULL) && sq_socket_is_quiet(talk->fd);
    talk->deadline = deadline;
    if (!ok) {
        end(talk);
    }
    return ok;
}

/* Like reach, but tries once to reconnect an offline device. */
static bool
reach_or_revive(struct talk *talk, struct sq_adb_link *link,
                const struct sq_deadline *deadline, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (take_ahead(talk, link, deadline)
        || reach(talk, link, deadline, &local_err)) {
        return true;
    }
    if (local_err.code == SQ_ERR_DEVICE_OFFLINE
        && sq_adb_revive(link->adb, deadline)) {
        const struct sq_deadline limit =
            sq_deadline_within(deadline, REVIVE_LIMIT_MS);
        while (local_err.code == SQ_ERR_DEVICE_OFFLINE
               && sq_wait_ms(REVIVE_POLL_MS, &limit, NULL)) {
            local_err = (struct sq_err){ 0 };
            if (reach(talk, link, deadline, &local_err)) {
                return true;
            }
        }
    }
    return sq_fail_with(err, &local_err);
}

/* Fails with SQ_ERR_UNSUPPORTED if the device does not know the service. */
static bool
offers(struct sq_adb_link *link, const char *service,
       const struct sq_deadline *deadline, struct sq_err *err) {
    struct talk talk = { .fd = -1 };
    bool ok = reach_or_revive(&talk, link, deadline, err)
           && (send_request(&talk, sq_span_of(service), err)
               || sq_adb_explain_device(link, err));
    sq_socket_close(talk.fd);
    return ok;
}

/* Finds the service of a device without shell v2 by trying exec. */
static bool
find_old_way(struct sq_adb_link *link, const struct sq_deadline *deadline,
             struct sq_err *err) {
    struct sq_err local_err = { 0 };
    link->way = SQ_ADB_EXEC;
    if (offers(link, "exec:echo", deadline, &local_err)) {
        return true;
    }
    if (local_err.code == SQ_ERR_UNSUPPORTED) {
        link->way = SQ_ADB_TERMINAL;
        return offers(link, "shell:echo", deadline, err);
    }
    return sq_fail_with(err, &local_err);
}

static bool
ask_features(struct sq_adb *adb, const char *serial, bool *has_shell_v2,
             const struct sq_deadline *deadline, struct sq_err *err) {
    char request[SERVICE_SIZE];
    struct sq_buf features;
    struct sq_err local_err = { 0 };
    sq_buf_init(&features, MAX_FEATURES);
    snprintf(request, sizeof(request), "host-serial:%.*s:features",
             SQ_DEVICE_ID_SIZE - 1, serial);
    bool ok = sq_adb_ask(adb, request, &features, deadline, &local_err);
    struct sq_span list = sq_buf_span(&features);
    *has_shell_v2 = ok && sq_adb_has_feature(list, "shell_v2");
    sq_buf_finish(&features);
    /* A server that does not know the request is too old for shell v2. */
    if (ok || local_err.code == SQ_ERR_UNSUPPORTED) {
        return true;
    }
    return sq_fail_with(err, &local_err);
}

bool
sq_adb_link_init(struct sq_adb_link *link, struct sq_adb *adb,
                 const char *serial, const struct sq_deadline *deadline,
                 struct sq_err *err) {
    struct sq_adb_link found = { .adb = adb, .way = SQ_ADB_SHELL_V2 };
    bool has_shell_v2;
    snprintf(found.serial, sizeof(found.serial), "%.*s", SQ_DEVICE_ID_SIZE - 1,
             serial);
    if (!ask_features(adb, serial, &has_shell_v2, deadline, err)
        || (!has_shell_v2 && !find_old_way(&found, deadline, err))) {
        return false;
    }
    *link = found;
    return true;
}

void
sq_adb_link_finish(struct sq_adb_link *link) {
    drop(&link->ahead);
    drop(&link->spent);
}

/* Without shell v2 only an end mark shows that the output is complete. */
static bool
needs_mark(const struct sq_adb_link *link, const struct sq_adb_output *said) {
    return link->way == SQ_ADB_TERMINAL
        || (link->way == SQ_ADB_EXEC && !said->is_binary);
}

static bool
put_service(const struct sq_adb_link *link, struct sq_span command,
            bool is_marked, struct sq_buf *out, struct sq_err *err) {
    static const char *const services[] = {
        [SQ_ADB_SHELL_V2] = "shell,v2,raw:",
        [SQ_ADB_EXEC] = "exec:",
        [SQ_ADB_TERMINAL] = "shell:",
    };
    return sq_buf_printf(out, err, "%s", services[link->way])
        && sq_buf_append(out, command.ptr, command.len, err)
        && sq_buf_printf(out, err, "%s", is_marked ? SQ_ADB_END_COMMAND : "");
}

static bool
open_service(struct talk *talk, struct sq_adb_link *link,
             struct sq_span service, struct sq_err *err) {
    if (!send_request(talk, service, err)) {
        return false;
    }
    drop(&link->spent);
    reach_ahead(link);
    return true;
}

/*
 * Closes a connection. Closing wakes the server and takes as long as reading a
 * list of elements, so a finished connection is closed during the next
 * exchange. An unfinished one is closed immediately, which ends the command on
 * the device.
 */
static void
put_away(struct sq_adb_link *link, struct talk *talk, bool is_over) {
    if (is_over && !link->spent.is_there
        && sq_adb_keeps_connections(link->adb)) {
        keep(&link->spent, talk->fd);
    } else {
        end(talk);
    }
}

/* Starts to count the bytes read against the memory limit. */
static void
begin_answer(struct talk *talk, const struct sq_adb_link *link,
             struct sq_adb_output *said) {
    talk->memory = sq_adb_memory(link->adb);
    talk->said = said;
}

static bool
converse(struct talk *talk, struct sq_adb_link *link, struct sq_span service,
         struct sq_adb_output *said, struct sq_err *err) {
    const size_t start = said->out.len;
    if (!open_service(talk, link, service, err)) {
        return false;
    }
    if (link->way == SQ_ADB_SHELL_V2) {
        return sq_adb_read_shell(&talk->source, said, err);
    }
    bool ok = sq_adb_read_rest(&talk->source, &said->out, err);
    if (link->way == SQ_ADB_TERMINAL) {
        sq_adb_undo_terminal(&said->out, start);
    }
    return ok && (!needs_mark(link, said) || sq_adb_cut_end(said, start, err));
}

bool
sq_adb_run(struct sq_adb_link *link, struct sq_span command,
           struct sq_adb_output *said, const struct sq_deadline *deadline,
           struct sq_err *err) {
    struct talk talk = { .fd = -1 };
    struct sq_buf service;
    sq_buf_init(&service, SQ_ADB_MAX_REQUEST + 1);
    bool ok = put_service(link, command, needs_mark(link, said), &service, err)
           && reach_or_revive(&talk, link, deadline, err);
    if (ok) {
        struct sq_span text = sq_buf_span(&service);
        begin_answer(&talk, link, said);
        ok = converse(&talk, link, text, said, err)
          || (said->is_action ? sq_adb_explain_action(link, err)
                              : sq_adb_explain_break(link, err));
    }
    put_away(link, &talk, ok);
    sq_buf_finish(&service);
    return ok;
}

static bool
ask_file(struct talk *talk, enum sq_adb_sync what, const char *path,
         struct sq_err *err) {
    struct sq_buf bytes;
    sq_buf_init(&bytes, SQ_ADB_MAX_PATH + 100);
    bool ok = sq_adb_put_sync(&bytes, what, sq_span_of(path), err)
           && sq_socket_write(talk->fd, bytes.data, bytes.len, talk->deadline,
                              err);
    sq_buf_finish(&bytes);
    return ok;
}

static bool
check_file(const struct sq_adb_stat *stat, const char *path,
           const struct sq_buf *out, struct sq_err *err) {
    if (stat->mode == 0) {
        return sq_fail(err, SQ_ERR_NOT_FOUND, "the device has no file %s",
                       path);
    }
    return stat->size <= out->max - out->len
        || sq_fail(err, SQ_ERR_LIMIT, "the device's file %s is too large",
                   path);
}

static bool
receive_file(struct talk *talk, struct sq_adb_link *link, const char *path,
             struct sq_adb_output *said, struct sq_err *err) {
    struct sq_adb_stat stat;
    return open_service(talk, link, SQ_SPAN("sync:"), err)
        && ask_file(talk, SQ_ADB_STAT, path, err)
        && sq_adb_read_stat(&talk->source, &stat, err)
        && check_file(&stat, path, &said->out, err)
        && ask_file(talk, SQ_ADB_RECV, path, err)
        && sq_adb_read_file(&talk->source, &said->out, err);
}

bool
sq_adb_pull(struct sq_adb_link *link, const char *path,
            struct sq_adb_output *said, const struct sq_deadline *deadline,
            struct sq_err *err) {
    struct talk talk = { .fd = -1 };
    bool ok = reach_or_revive(&talk, link, deadline, err);
    begin_answer(&talk, link, said);
    ok = ok
      && (receive_file(&talk, link, path, said, err)
          || sq_adb_explain_break(link, err));
    sq_socket_close(talk.fd);
    return ok;
}
