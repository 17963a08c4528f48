/* Parses and formats addresses of the adb server. */
#include "device/android/adb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/android/link.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "sys/lock.h"
#include "sys/path.h"
#include "sys/process.h"
#include "sys/sockets.h"
#include "util/mem.h"
#include "util/minmax.h"

#define LOCAL_HOST "127.0.0.1"
#define MAX_PORT 65535

static bool
fail_address(struct sq_span text, struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "\"%.*s\" is not an address of an adb server",
            text.len < 80 ? (int)text.len : 80, text.ptr ? text.ptr : "");
    return sq_fail_hint(err, "Write tcp:HOST:PORT, tcp:PORT or "
                             "localfilesystem:PATH.");
}

static bool
copy(struct sq_span text, char *out, size_t size) {
    if (text.len == 0 || text.len >= size || sq_span_contains(text, '\0')) {
        return false;
    }
    memcpy(out, text.ptr, text.len);
    out[text.len] = '\0';
    return true;
}

/* Copies a host name. "*" means all interfaces, so use localhost. */
static bool
copy_host(struct sq_span text, char *out, size_t size) {
    return copy(sq_span_is(text, "*") ? SQ_SPAN("localhost") : text, out, size);
}

static bool
read_port(struct sq_span text, int *out) {
    int64_t port;
    if (!sq_span_to_int64(text, &port) || port < 1 || port > MAX_PORT) {
        return false;
    }
    *out = (int)port;
    return true;
}

/* Splits "[v6]:port", "host:port" or "host". *port is empty if absent. */
static bool
split(struct sq_span text, struct sq_span *host, struct sq_span *port) {
    *port = (struct sq_span){ 0 };
    if (sq_span_take_prefix(&text, "[")) {
        if (!sq_span_take_until(&text, ']', host)) {
            return false;
        }
        *port = text;
        return text.len == 0 || sq_span_take_prefix(port, ":");
    }
    if (!sq_span_take_until(&text, ':', host)) {
        *host = text;
    } else {
        *port = text;
    }
    return !sq_span_contains(*port, ':') && !sq_span_contains(*host, '/');
}

static bool
read_tcp(struct sq_span text, struct sq_adb_address *out) {
    struct sq_span host = SQ_SPAN(LOCAL_HOST);
    struct sq_span port = text;
    bool is_number = text.len > 0;
    for (size_t i = 0; i < text.len; i++) {
        is_number = is_number && sq_is_digit(text.ptr[i]);
    }
    out->port = SQ_ADB_PORT;
    return (is_number || split(text, &host, &port))
        && copy_host(host, out->host, sizeof(out->host))
        && (port.len == 0 || read_port(port, &out->port));
}

bool
sq_adb_address_parse(struct sq_span text, struct sq_adb_address *out,
                     struct sq_err *err) {
    struct sq_adb_address address = { 0 };
    struct sq_span rest = text;
    bool ok;
    if (sq_span_take_prefix(&rest, "localfilesystem:")) {
        ok = copy(rest, address.path, sizeof(address.path));
    } else {
        sq_span_take_prefix(&rest, "tcp:");
        ok = read_tcp(rest, &address);
    }
    if (!ok) {
        return fail_address(text, err);
    }
    *out = address;
    return true;
}

static bool
is_set(const char *text) {
    return text && text[0];
}

bool
sq_adb_address_choose(const char *configured,
                      const struct sq_adb_environment *environment,
                      struct sq_adb_address *out, struct sq_err *err) {
    if (is_set(configured)) {
        return sq_adb_address_parse(sq_span_of(configured), out, err);
    }
    if (is_set(environment->socket)) {
        return sq_adb_address_parse(sq_span_of(environment->socket), out, err)
            || sq_fail_in(err, "ADB_SERVER_SOCKET");
    }
    struct sq_adb_address address = { .port = SQ_ADB_PORT };
    const char *host =
        is_set(environment->host) ? environment->host : LOCAL_HOST;
    if (!copy_host(sq_span_of(host), address.host, sizeof(address.host))) {
        return fail_address(sq_span_of(host), err);
    }
    if (is_set(environment->port)
        && !read_port(sq_span_of(environment->port), &address.port)) {
        fail_address(sq_span_of(environment->port), err);
        return sq_fail_in(err, "ANDROID_ADB_SERVER_PORT");
    }
    *out = address;
    return true;
}

bool
sq_adb_address_is_local(const struct sq_adb_address *address) {
    return address->path[0] || strcmp(address->host, "localhost") == 0
        || strcmp(address->host, "::1") == 0
        || strncmp(address->host, "127.", 4) == 0;
}

#define NS_PER_MS 1000000
#define CONNECT_MS 2000
#define START_MS 20000
#define ANSWER_MS 10000
/* How long a failure is cached. */
#define CACHE_NOT_FOUND_MS 1000
#define CACHE_OTHER_MS 10000
#define MAX_OUTPUT ((size_t)64 << 10)

bool
sq_adb_create(const struct sq_adb_options *options, struct sq_adb **out,
              struct sq_err *err) {
    const struct sq_adb_environment environment = {
        .socket = getenv("ADB_SERVER_SOCKET"),
        .host = getenv("ANDROID_ADB_SERVER_ADDRESS"),
        .port = getenv("ANDROID_ADB_SERVER_PORT"),
    };
    struct sq_adb *adb = sq_mem_zalloc(1, sizeof(*adb));
    if (!adb) {
        return sq_fail_nomem(err);
    }
    adb->options = *options;
    adb->answer_ms = options->answer_ms ? options->answer_ms : ANSWER_MS;
    adb->is_configured = is_set(options->server) || is_set(environment.socket)
                      || is_set(environment.host) || is_set(environment.port);
    sq_adb_address_choose(options->server, &environment, &adb->address,
                          &adb->address_err);
    if (!sq_lock_create(&adb->starting, err) || !sq_lock_create(&adb->lock, err)
        || !sq_adb_device_list_create(&adb->device_list, err)
        || !sq_adb_memory_create(&adb->memory, err)) {
        sq_adb_destroy(adb);
        return false;
    }
    *out = adb;
    return true;
}

void
sq_adb_destroy(struct sq_adb *adb) {
    if (adb) {
        sq_adb_device_list_destroy(adb->device_list);
        sq_quota_destroy(adb->memory);
        sq_lock_destroy(adb->lock);
        sq_lock_destroy(adb->starting);
        sq_mem_free(adb);
    }
}

void
sq_adb_show_address(const struct sq_adb *adb, char out[SQ_ADB_PLACE_SIZE]) {
    const struct sq_adb_address *at = &adb->address;
    if (at->path[0]) {
        snprintf(out, SQ_ADB_PLACE_SIZE, "localfilesystem:%s", at->path);
    } else {
        bool is_v6 = strchr(at->host, ':') != NULL;
        snprintf(out, SQ_ADB_PLACE_SIZE, "tcp:%s%s%s:%d", is_v6 ? "[" : "",
                 at->host, is_v6 ? "]" : "", at->port);
    }
}

void
sq_adb_keep_connections(struct sq_adb *adb) {
    atomic_store(&adb->keeps_connections,
                 sq_adb_address_is_local(&adb->address));
}

enum sq_eye_use
sq_adb_eye_use(const struct sq_adb *adb) {
    return adb->options.eye;
}

bool
sq_adb_find_program(const struct sq_adb *adb, char out[SQ_PATH_SIZE]) {
    static const char *const sdks[] = { "ANDROID_HOME", "ANDROID_SDK_ROOT" };
    const char *given = adb->options.program;
    char folder[SQ_PATH_SIZE];
    if (is_set(given)) {
        if (strlen(given) >= SQ_PATH_SIZE || !sq_probe_is_program(given)) {
            return false;
        }
        memcpy(out, given, strlen(given) + 1);
        return true;
    }
    for (size_t i = 0; i < SQ_COUNT(sdks); i++) {
        const char *sdk = getenv(sdks[i]);
        if (is_set(sdk) && sq_path_root_length(sdk) > 0
            && (size_t)snprintf(folder, sizeof(folder), "%s/platform-tools",
                                sdk)
                   < sizeof(folder)
            && sq_probe_program_in(sq_span_of(folder), "adb", out)) {
            return true;
        }
    }
    /* The last is where Android Studio puts it on Windows. */
    return sq_probe_program("adb", out)
        || (sq_user_path(SQ_USER_DATA, "Android/Sdk/platform-tools", folder)
            && sq_probe_program_in(sq_span_of(folder), "adb", out));
}

const char *
sq_adb_install_hint(struct sq_span os_release, bool is_macos) {
    static const struct {
        const char *system;
        const char *hint;
    } systems[] = {
        { "debian", "Install it with: sudo apt install adb" },
        { "fedora", "Install it with: sudo dnf install android-tools" },
        { "arch", "Install it with: sudo pacman -S android-tools" },
        { "suse", "Install it with: sudo zypper install android-tools" },
        { "alpine", "Install it with: sudo apk add android-tools" },
    };
    if (is_macos) {
        return "Install it with: brew install --cask android-platform-tools";
    }
    for (size_t i = 0; i < SQ_COUNT(systems); i++) {
        struct sq_span rest = os_release;
        struct sq_span line;
        /* The system, or what it is like. */
        while (sq_span_take_line(&rest, &line)) {
            if ((sq_span_starts_with(line, "ID=")
                 || sq_span_starts_with(line, "ID_LIKE="))
                && sq_span_find(line, systems[i].system)) {
                return systems[i].hint;
            }
        }
    }
    return "Install Android's platform-tools, and put adb on PATH or set "
           "ANDROID_HOME.";
}

static bool
fail_no_program(const struct sq_adb *adb, struct sq_err *err) {
    char place[SQ_ADB_PLACE_SIZE];
    SQ_FREED(sq_buf_finish) struct sq_buf text = { 0 };
    sq_adb_show_address(adb, place);
    sq_fail(err, SQ_ERR_NOT_FOUND,
            "no adb server answers at %s, and the program adb was not found",
            place);
    if (is_set(adb->options.program)) {
        return sq_fail_hint(err,
                            "android.adbPath is %.120s, which is not the "
                            "absolute path of a program.",
                            adb->options.program);
    }
    sq_file_read("/etc/os-release", MAX_OUTPUT, &text, NULL);
    struct sq_span os_release = sq_buf_span(&text);
    sq_fail_hint(err, "%s",
                 sq_adb_install_hint(os_release, sq_path_is_macos()));
    return false;
}

/*
 * Reports that no server listens, unless *err has a better reason (unknown
 * host).
 */
static bool
fail_not_running(const struct sq_adb *adb, struct sq_err *err) {
    char place[SQ_ADB_PLACE_SIZE];
    sq_adb_show_address(adb, place);
    if (err->hint[0]) {
        sq_fail_in(err, "the adb server at %.120s", place);
        return sq_fail_hint(err, "Check the host name in ADB_SERVER_SOCKET or "
                                 "android.adbServer, or use an IP address.");
    }
    sq_fail(err, SQ_ERR_NOT_FOUND, "no adb server answers at %s", place);
    return sq_fail_hint(err, "Start it there (adb -a nodaemon server), or "
                             "correct ADB_SERVER_SOCKET or android.adbServer.");
}

static bool
connect_socket(const struct sq_adb *adb, const struct sq_deadline *deadline,
               int *out, struct sq_err *err) {
    const struct sq_adb_address *to = &adb->address;
    const struct sq_deadline limit = sq_deadline_within(deadline, CONNECT_MS);
    return to->path[0]
             ? sq_socket_connect_path(to->path, &limit, out, err)
             : sq_socket_connect(to->host, to->port, &limit, out, err);
}

static bool
start(const struct sq_adb *adb, const char *program,
      const struct sq_deadline *deadline, struct sq_err *err) {
    char place[SQ_ADB_PLACE_SIZE];
    char port[12];
    const struct sq_adb_address *at = &adb->address;
    sq_adb_show_address(adb, place);
    snprintf(port, sizeof(port), "%d", at->port);
    const char *const argv[] = { program, at->path[0] ? "-L" : "-P",
                                 at->path[0] ? place : port, "start-server",
                                 NULL };
    const struct sq_process process = {
        .argv = argv,
        .max_output = MAX_OUTPUT,
        .max_errors = MAX_OUTPUT,
        .leaves_server = true,
    };
    const struct sq_deadline limit = sq_deadline_within(deadline, START_MS);
    SQ_FREED(sq_process_end_finish) struct sq_process_end end = { 0 };
    if (!sq_process_run(&process, &limit, &end, err)) {
        return sq_fail_in(err, "starting the adb server");
    }
    if (end.status == 0) {
        return true;
    }
    struct sq_span errors = sq_buf_span(&end.errors);
    struct sq_span line = { 0 };
    while (sq_span_take_line(&errors, &line) && errors.len > 0) {
    }
    line.len = sq_min_size(line.len, 160);
    sq_fail_quoting(err, SQ_ERR_IO, "adb could not start its server: %.*s",
                    SQ_SPAN_ARGS(line));
    return sq_fail_hint(err, "Run adb start-server in a terminal to see why.");
}

/*
 * Starts the server and connects, unless another thread just started it. *err
 * holds the connection error before, and the final error on failure.
 */
static bool
start_and_connect(struct sq_adb *adb, const struct sq_deadline *deadline,
                  int *out, struct sq_err *err) {
    char program[SQ_PATH_SIZE];
    struct sq_err local_err = { 0 };
    if (!sq_adb_address_is_local(&adb->address)) {
        return fail_not_running(adb, err);
    }
    if (adb->options.never_start) {
        fail_not_running(adb, err);
        return sq_fail_hint(err,
                            "Run adb start-server, or set android.startServer "
                            "so that squint starts it.");
    }
    if (!sq_adb_find_program(adb, program)) {
        return fail_no_program(adb, err);
    }
    if (!sq_lock_acquire(adb->starting, deadline, err)) {
        return sq_fail_in(err, "waiting for the adb server");
    }
    bool ok = connect_socket(adb, deadline, out, &local_err);
    if (!ok) {
        bool runs = start(adb, program, deadline, err);
        ok = runs && connect_socket(adb, deadline, out, err);
        if (runs && !ok && err->code == SQ_ERR_NOT_FOUND) {
            err->code = SQ_ERR_IO;
            sq_fail_in(err, "after adb started its server");
            sq_fail_hint(err, "Run adb start-server in a terminal to see why.");
        }
        atomic_store(&adb->has_started, ok);
    }
    sq_lock_unlock(adb->starting);
    return ok;
}

static bool
has_address(const struct sq_adb *adb, struct sq_err *err) {
    if (adb->address_err.code != SQ_ERR_NONE && err) {
        *err = adb->address_err;
    }
    return adb->address_err.code == SQ_ERR_NONE;
}

bool
sq_adb_connect_if_running(const struct sq_adb *adb,
                          const struct sq_deadline *deadline, int *out,
                          struct sq_err *err) {
    return has_address(adb, err) && connect_socket(adb, deadline, out, err);
}

bool
sq_adb_connect(struct sq_adb *adb, const struct sq_deadline *deadline, int *out,
               struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (!has_address(adb, err)) {
        return false;
    }
    sq_lock_lock(adb->lock);
    bool is_fresh = sq_clock_monotonic_ns() < adb->last_err_ends_ns;
    if (is_fresh && err) {
        *err = adb->last_err;
    }
    sq_lock_unlock(adb->lock);
    if (is_fresh) {
        return false;
    }
    if (connect_socket(adb, deadline, out, &local_err)
        || (local_err.code == SQ_ERR_NOT_FOUND
            && start_and_connect(adb, deadline, out, &local_err))) {
        return true;
    }
    /* A call without time left says nothing about the server. */
    if (local_err.code == SQ_ERR_TIMEOUT && sq_deadline_check(deadline, NULL)) {
        sq_fail_hint(&local_err, "%s",
                     sq_adb_address_is_local(&adb->address)
                         ? "Run adb kill-server, then adb start-server."
                         : "Check that its computer is on and reachable, or "
                           "correct ADB_SERVER_SOCKET or android.adbServer.");
    }
    /* Caches only failures that the next attempt would repeat. */
    if (local_err.code != SQ_ERR_NOMEM && sq_deadline_check(deadline, NULL)) {
        int64_t ms = local_err.code == SQ_ERR_NOT_FOUND ? CACHE_NOT_FOUND_MS
                                                        : CACHE_OTHER_MS;
        sq_lock_lock(adb->lock);
        adb->last_err = local_err;
        adb->last_err_ends_ns = sq_clock_monotonic_ns() + ms * NS_PER_MS;
        sq_lock_unlock(adb->lock);
    }
    return sq_fail_with(err, &local_err);
}

bool
sq_adb_may_reconnect(struct sq_adb *adb, int interval_ms) {
    int64_t now = sq_clock_monotonic_ns();
    sq_lock_lock(adb->lock);
    bool may = adb->reconnected_ns == 0
            || now - adb->reconnected_ns >= (int64_t)interval_ms * NS_PER_MS;
    if (may) {
        adb->reconnected_ns = now;
    }
    sq_lock_unlock(adb->lock);
    return may;
}
