#include "support/adb_relay.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "device/android/link.h"
#include "support/test.h"
#include "sys/sockets.h"

#define LONG_MS T_PATIENCE_MS
#define POLL_MS 20
#define MAX_LINES 16
#define PIECE_BYTES ((size_t)64 << 10)
#define STATUS_BYTES 4
#define MAX_ASKED (4 + (size_t)SQ_ADB_MAX_REQUEST)

enum phase {
    PHASE_HOST,    /* a request to the server */
    PHASE_DEVICE,  /* the next request is for the device */
    PHASE_COMMAND, /* the request was sent, or none can follow */
};

/* A connection of the client and ours to the server. fd -1: not in use. */
struct line {
    int client;
    int server;
    bool is_stalled;
    bool has_answer;
    bool is_watched;
    bool is_main;    /* sent a command other than the query of the display */
    size_t answered; /* bytes passed to the client */
    enum phase phase;
    size_t asked_len;
    char asked[MAX_ASKED + 1]; /* the request that is being sent */
};

struct adb_relay {
    int listener;
    int server_port;
    atomic_bool ends;
    pthread_t thread;
    struct line lines[MAX_LINES];
    char piece[PIECE_BYTES];

    pthread_mutex_t lock; /* guards what follows */
    struct adb_relay_plan plan;
    struct adb_relay_report report;
};

static struct sq_deadline
relay_deadline(void) {
    return sq_deadline_in(LONG_MS, NULL);
}

static void
hang_up(struct line *line) {
    sq_socket_close(line->client);
    sq_socket_close(line->server);
    line->client = line->server = -1;
}

static void
accept_client(struct adb_relay *relay) {
    struct sq_deadline deadline = relay_deadline();
    struct line *line = relay->lines;
    while (line < relay->lines + MAX_LINES && line->client >= 0) {
        line++;
    }
    if (!T(line < relay->lines + MAX_LINES)
        || !sq_socket_accept(relay->listener, &deadline, &line->client, NULL)) {
        return;
    }
    line->is_stalled = line->has_answer = line->is_watched = false;
    line->is_main = false;
    line->answered = 0;
    line->phase = PHASE_HOST;
    line->asked_len = 0;
    if (!sq_socket_connect("127.0.0.1", relay->server_port, &deadline,
                           &line->server, NULL)) {
        hang_up(line);
    }
}

/* Passes the client's bytes to the server; false: the client has closed. */
static bool
pass_request(struct adb_relay *relay, struct line *line) {
    struct sq_deadline deadline = relay_deadline();
    size_t len;
    if (!sq_socket_read_some(line->client, relay->piece, PIECE_BYTES, &len,
                             &deadline, NULL)
        || len == 0) {
        return false;
    }
    pthread_mutex_lock(&relay->lock);
    for (size_t i = 0; i < len && line->phase != PHASE_COMMAND; i++) {
        unsigned text_len;
        line->asked[line->asked_len++] = relay->piece[i];
        if (line->asked_len >= 4
            && sq_adb_parse_hex((struct sq_span){ line->asked, 4 }, &text_len)
            && line->asked_len == 4 + (size_t)text_len) {
            /* Classifies a complete request, and notes what can follow. */
            const char *text = line->asked + 4;
            line->asked[line->asked_len] = '\0';
            if (line->phase == PHASE_HOST) {
                bool leads_on = strncmp(text, "host:transport:", 15) == 0;
                line->phase = leads_on ? PHASE_DEVICE : PHASE_COMMAND;
            } else {
                line->phase = PHASE_COMMAND;
                const char *words = relay->plan.watched;
                line->is_watched = words && strstr(text, words);
                relay->report.watched += line->is_watched;
                line->is_main = !strstr(text, "dumpsys window displays")
                             && !strstr(text, "dumpsys input_method");
            }
            line->asked_len = 0;
        }
    }
    pthread_mutex_unlock(&relay->lock);
    return sq_socket_write(line->server, relay->piece, len, &deadline, NULL);
}

/* Returns false if the connection is closed. */
static bool
break_off(struct adb_relay *relay, struct line *line) {
    static const struct linger at_once = { .l_onoff = 1 };
    if (!relay->report.broke) {
        relay->report.broke_watched = line->is_watched;
        relay->report.broke_main = line->is_main;
        relay->report.broke_early = line->answered < STATUS_BYTES;
    }
    relay->report.broke = true;
    if (relay->plan.way == ADB_RELAY_STALLS) {
        line->is_stalled = true;
        if (relay->plan.stalled) {
            sq_cancel_set(relay->plan.stalled);
        }
        return true;
    }
    if (relay->plan.way == ADB_RELAY_RESETS) {
        setsockopt(line->client, SOL_SOCKET, SO_LINGER, &at_once,
                   sizeof(at_once));
    }
    return false;
}

/* How many bytes to pass on; *breaks: whether the connection breaks then. */
static size_t
count_answer(struct adb_relay *relay, struct line *line, size_t len,
             bool *breaks) {
    struct adb_relay_report *report = &relay->report;
    long left = relay->plan.cut_at - report->passed;
    bool may_break = !report->broke || relay->plan.way == ADB_RELAY_STALLS;
    *breaks = relay->plan.cut_at >= 0 && may_break && (size_t)left < len;
    size_t now = *breaks ? (size_t)left : len;
    report->connections += !line->has_answer;
    report->passed += (long)now;
    line->has_answer = true;
    line->answered += now;
    return now;
}

/* Passes the server's bytes to the client; false: closed. */
static bool
pass_answer(struct adb_relay *relay, struct line *line) {
    struct sq_deadline deadline = relay_deadline();
    size_t len;
    bool breaks;
    if (!sq_socket_read_some(line->server, relay->piece, PIECE_BYTES, &len,
                             &deadline, NULL)
        || len == 0) {
        return false;
    }
    pthread_mutex_lock(&relay->lock);
    size_t now = count_answer(relay, line, len, &breaks);
    bool ok = sq_socket_write(line->client, relay->piece, now, &deadline, NULL)
           && (!breaks || break_off(relay, line));
    pthread_mutex_unlock(&relay->lock);
    return ok;
}

/* Lists both ends of every line in use, and their lines; returns the count. */
static nfds_t
list_fds(struct adb_relay *relay, struct pollfd *fds, struct line **lines) {
    nfds_t count = 0;
    fds[count++] = (struct pollfd){ relay->listener, POLLIN, 0 };
    for (size_t i = 0; i < MAX_LINES; i++) {
        struct line *line = &relay->lines[i];
        if (line->client >= 0) {
            lines[count / 2] = line;
            fds[count++] = (struct pollfd){ line->client, POLLIN, 0 };
            fds[count++] =
                (struct pollfd){ line->is_stalled ? -1 : line->server, POLLIN,
                                 0 };
        }
    }
    return count;
}

static void *
run_relay(void *context) {
    struct adb_relay *relay = context;
    struct pollfd fds[1 + 2 * MAX_LINES];
    struct line *lines[MAX_LINES];
    while (!atomic_load(&relay->ends)) {
        nfds_t count = list_fds(relay, fds, lines);
        if (poll(fds, count, POLL_MS) <= 0) {
            continue;
        }
        for (nfds_t i = 1; i < count; i += 2) {
            struct line *line = lines[i / 2];
            if ((fds[i].revents && !pass_request(relay, line))
                || (fds[i + 1].revents && !pass_answer(relay, line))) {
                hang_up(line);
            }
        }
        if (fds[0].revents) {
            accept_client(relay);
        }
    }
    return NULL;
}

struct adb_relay *
adb_relay_start(int server_port, int *port) {
    struct adb_relay *relay = calloc(1, sizeof(*relay));
    T(relay != NULL);
    *port = 0;
    relay->server_port = server_port;
    relay->plan.cut_at = -1;
    for (size_t i = 0; i < MAX_LINES; i++) {
        relay->lines[i].client = relay->lines[i].server = -1;
    }
    T(pthread_mutex_init(&relay->lock, NULL) == 0);
    T_OK(sq_socket_listen("127.0.0.1", false, port, &relay->listener, &t_err));
    T(pthread_create(&relay->thread, NULL, run_relay, relay) == 0);
    return relay;
}

void
adb_relay_stop(struct adb_relay *relay) {
    atomic_store(&relay->ends, true);
    pthread_join(relay->thread, NULL);
    for (size_t i = 0; i < MAX_LINES; i++) {
        hang_up(&relay->lines[i]);
    }
    sq_socket_close(relay->listener);
    pthread_mutex_destroy(&relay->lock);
    free(relay);
}

void
adb_relay_follow(struct adb_relay *relay, const struct adb_relay_plan *plan) {
    pthread_mutex_lock(&relay->lock);
    relay->plan = *plan;
    relay->report = (struct adb_relay_report){ 0 };
    pthread_mutex_unlock(&relay->lock);
}

struct adb_relay_report
adb_relay_get_report(struct adb_relay *relay) {
    pthread_mutex_lock(&relay->lock);
    struct adb_relay_report report = relay->report;
    pthread_mutex_unlock(&relay->lock);
    return report;
}
