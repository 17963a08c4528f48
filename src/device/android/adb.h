/* The adb server, for the code of this folder; see also device/adb.h. */
#ifndef SQ_DEVICE_ANDROID_ADB_H
#define SQ_DEVICE_ANDROID_ADB_H

#include <stdatomic.h>
#include <stdbool.h>

#include "device/adb.h"
#include "device/android/emulator.h"
#include "sys/deadline.h"
#include "sys/path.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/* Environment variables of adb. Each is NULL or empty if not set. */
struct sq_adb_environment {
    const char *socket; /* ADB_SERVER_SOCKET */
    const char *host;   /* ANDROID_ADB_SERVER_ADDRESS */
    const char *port;   /* ANDROID_ADB_SERVER_PORT */
};

/*
 * Chooses the server: the configured address (may be NULL or empty), then the
 * environment, then port 5037 of this machine.
 */
bool sq_adb_address_choose(const char *configured,
                           const struct sq_adb_environment *environment,
                           struct sq_adb_address *out, struct sq_err *err);

/*
 * Returns whether the address is on this machine, so that a server could be
 * started.
 */
bool sq_adb_address_is_local(const struct sq_adb_address *address);

struct sq_adb_device_list;
struct sq_quota;

/* Made by sq_adb_create. Only adb.c changes it, except `has_started`. */
struct sq_adb {
    struct sq_adb_options options;
    struct sq_adb_address address;
    struct sq_err address_err; /* SQ_ERR_NONE if the address is valid */
    bool is_configured; /* the user chose the server: in the options, or in one
                           of adb's variables */
    int answer_ms; /* timeout for device requests that should take no time */
    /* This process has started the server, and no device was there since. */
    atomic_bool has_started;
    atomic_bool keeps_connections; /* open for reuse */
    struct sq_adb_device_list *device_list;
    struct sq_quota *memory;  /* shared by all answers; see link.h */
    struct sq_lock *starting; /* held while the server is started */
    struct sq_lock *lock;     /* guards the fields below; held only briefly */
    struct sq_err last_err;
    int64_t last_err_ends_ns;
    int64_t reconnected_ns; /* 0: never */
};

/*
 * Connects to the server for one exchange. The caller closes *out with
 * sq_socket_close. Starts a local server that is not running. A failure is
 * remembered for a short time so that repeated calls fail quickly.
 */
bool sq_adb_connect(struct sq_adb *adb, const struct sq_deadline *deadline,
                    int *out, struct sq_err *err);

/* Like sq_adb_connect, but never starts a server. */
bool sq_adb_connect_if_running(const struct sq_adb *adb,
                               const struct sq_deadline *deadline, int *out,
                               struct sq_err *err);

/*
 * Rate limit for attempts to reconnect offline devices. Returns true at most
 * once per interval_ms.
 */
bool sq_adb_may_reconnect(struct sq_adb *adb, int interval_ms);

/*
 * Returns how to install adb on the system that the contents of /etc/os-release
 * describe.
 */
const char *sq_adb_install_hint(struct sq_span os_release, bool is_macos);

/* A cache of the adb server's device list, to avoid repeated requests. */

/* Creates an empty cache, owned by a struct sq_adb. Does not connect. */
bool sq_adb_device_list_create(struct sq_adb_device_list **out,
                               struct sq_err *err);

void sq_adb_device_list_destroy(struct sq_adb_device_list *list);

/*
 * Appends the device list in the format of "host:devices-l". If connections are
 * kept, the server is asked once and then sends every change; later calls only
 * read pending changes. Any thread.
 */
bool sq_adb_list(struct sq_adb *adb, struct sq_buf *out,
                 const struct sq_deadline *deadline, struct sq_err *err);

#endif
