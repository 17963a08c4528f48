/* Adds explanations and hints to errors of the adb server or a device. */
#include "device/android/link.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "device/android/parse.h"
#include "sys/sockets.h"

#define CHECK_FIRST                                                            \
    "The action may have been performed. Look at the screen before you try "   \
    "again. "
#define MAX_STATE 64
#define MAX_PROGRAM 40
#define PROBE_MS 500
#define REPLACE "restart it, or use another one."

bool
sq_adb_is_disconnect(const struct sq_err *err) {
    return err->code == SQ_ERR_TRUNCATED
        || (err->code == SQ_ERR_IO && err->hint[0] == '\0');
}

bool
sq_adb_explain_server(const struct sq_adb *adb, struct sq_err *err) {
    char place[SQ_ADB_PLACE_SIZE];
    if (err && sq_adb_is_disconnect(err)) {
        err->code = SQ_ERR_IO;
        sq_fail_in(err, "the adb server closed the connection");
        return sq_fail_hint(err, "Try again. If it fails again, run adb "
                                 "kill-server, then adb start-server.");
    }
    if (err && err->code == SQ_ERR_TIMEOUT) {
        sq_adb_show_address(adb, place);
        sq_fail(err, SQ_ERR_TIMEOUT, "the adb server at %.120s does not answer",
                place);
        return sq_fail_hint(
            err,
            "Run adb kill-server, then adb start-server. If another program "
            "listens there, correct ADB_SERVER_SOCKET or android.adbServer.");
    }
    return false;
}

static bool
is_address(const struct sq_adb_link *link) {
    return sq_adb_is_address(sq_span_of(link->serial));
}

/*
 * Adds a hint for a device of the network, which ends with its address, or for
 * another one. `first` is what it begins with.
 */
static bool
hint(const struct sq_adb_link *link, const char *first, const char *network,
     const char *other, struct sq_err *err) {
    bool is_network = is_address(link);
    return sq_fail_hint(err, "%s%s%s", first, is_network ? network : other,
                        is_network ? link->serial : "");
}

static bool
hint_disconnected(const struct sq_adb_link *link, const char *first,
                  struct sq_err *err) {
    return hint(link, first,
                "Check that it is on and connected to the network, then run: "
                "adb connect ",
                "Plug it in again, then try again. The operation @devices "
                "lists the attached devices.",
                err);
}

/* Returns false only if the server closes or refuses connections. */
static bool
is_server_running(const struct sq_adb *adb) {
    const struct sq_deadline limit = sq_deadline_in(PROBE_MS, NULL);
    struct sq_err local_err = { 0 };
    int fd = -1;
    bool ok = sq_adb_connect_if_running(adb, &limit, &fd, &local_err)
           && sq_adb_request(fd, "host:version", &limit, &local_err);
    sq_socket_close(fd);
    return ok
        || (local_err.code != SQ_ERR_NOT_FOUND
            && !sq_adb_is_disconnect(&local_err));
}

static bool
fail_disconnected(const struct sq_adb_link *link, const char *first,
                  struct sq_err *err) {
    err->code = SQ_ERR_DEVICE_OFFLINE;
    if (!is_server_running(link->adb)) {
        sq_fail_in(err, "the adb server ended while device %s was used",
                   link->serial);
        return hint(link, first,
                    "A new adb server does not know it. Run: adb connect ",
                    "Run adb start-server if @devices does not list the device "
                    "again.",
                    err);
    }
    sq_fail_in(err, "device %s was disconnected", link->serial);
    return hint_disconnected(link, first, err);
}

static bool
explain(const struct sq_adb_link *link, const char *first, struct sq_err *err) {
    if (sq_adb_is_disconnect(err)) {
        return fail_disconnected(link, first, err);
    }
    if (err->code == SQ_ERR_IO) {
        sq_fail_in(err, "%s", link->serial);
    }
    if (err->code == SQ_ERR_LIMIT) {
        sq_fail_in(err, "cannot read the output of device %s", link->serial);
        return sq_fail_hint(err,
                            "%sTry again, one device at a time. If it fails "
                            "again, the device is faulty: " REPLACE,
                            first);
    }
    if (err->code == SQ_ERR_TIMEOUT) {
        sq_fail(err, SQ_ERR_TIMEOUT, "device %s did not answer in time",
                link->serial);
        return hint(link, first,
                    "Unlock it, or run adb disconnect, then adb connect ",
                    "Unlock it, plug it in again, or run: adb reconnect", err);
    }
    return false;
}

bool
sq_adb_explain_device(const struct sq_adb_link *link, struct sq_err *err) {
    return err && explain(link, "", err);
}

bool
sq_adb_is_attached(const struct sq_adb_link *link,
                   const struct sq_deadline *deadline) {
    char request[SQ_ADB_SERVICE_SIZE];
    struct sq_err local_err = { 0 };
    SQ_BUF(state, MAX_STATE);
    sq_adb_name_request(link, request,
                        "host-serial:", "host-transport-id:", ":get-state");
    bool ok = sq_adb_ask(link->adb, request, &state, deadline, &local_err);
    return ok ? sq_span_is(sq_buf_span(&state), "device")
              : local_err.code != SQ_ERR_DEVICE_NOT_FOUND
                    && local_err.code != SQ_ERR_DEVICE_OFFLINE;
}

bool
sq_adb_explain_run(const struct sq_adb_link *link, bool is_action,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    if (err && err->code == SQ_ERR_UNSUPPORTED) {
        /* It refuses for a moment, or it is gone: nothing was performed. */
        if (!sq_adb_is_attached(link, deadline)) {
            return fail_disconnected(link, "", err);
        }
        err->code = SQ_ERR_IO;
    }
    return err && explain(link, is_action ? CHECK_FIRST : "", err);
}

bool
sq_adb_name_program(struct sq_span command, const char *services,
                    struct sq_err *err) {
    size_t len = 0;
    int words = 0;
    if (err->code != SQ_ERR_TIMEOUT) {
        return false;
    }
    if (services[0]) {
        return sq_fail_in(err, "%s", services);
    }
    /* Further words may be what a person types. */
    while (len < command.len && len < MAX_PROGRAM) {
        char c = command.ptr[len];
        bool is_plain = (c >= 'a' && c <= 'z') || c == '_' || c == '-';
        words += c == ' ';
        if ((!is_plain && c != ' ') || words == 2) {
            break;
        }
        len++;
    }
    struct sq_span name = sq_span_trim((struct sq_span){ command.ptr, len });
    return sq_fail_in(err, "%.*s", SQ_SPAN_ARGS(name));
}

bool
sq_adb_explain_rejection(const struct sq_adb_link *link, struct sq_err *err) {
    /* A server that was started again does not know devices of the network. */
    if (err && is_address(link) && strstr(err->hint, "kill-server")) {
        char hint[SQ_ERR_HINT_SIZE];
        memcpy(hint, err->hint, sizeof(hint));
        return sq_fail_hint(err, "%.400s Then run: adb connect %s", hint,
                            link->serial);
    }
    bool is_lost = err
                && (err->code == SQ_ERR_DEVICE_NOT_FOUND
                    || strcmp(err->message, "adb: device offline") == 0);
    return is_lost && is_address(link) && hint_disconnected(link, "", err);
}

void
sq_adb_name_request(const struct sq_adb_link *link,
                    char out[SQ_ADB_SERVICE_SIZE], const char *by_serial,
                    const char *by_id, const char *end) {
    if (link->transport_id) {
        snprintf(out, SQ_ADB_SERVICE_SIZE, "%s%" PRIu64 "%s", by_id,
                 link->transport_id, end);
    } else {
        snprintf(out, SQ_ADB_SERVICE_SIZE, "%s%s%s", by_serial, link->serial,
                 end);
    }
}
