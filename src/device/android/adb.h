/*
 * The adb server: its address, starting it if it is local, its recent failures,
 * its list of devices, and phones in the network.
 */
#ifndef SQ_DEVICE_ANDROID_ADB_H
#define SQ_DEVICE_ANDROID_ADB_H

#include <stdbool.h>

#include "device/android/emulator.h"
#include "sys/deadline.h"
#include "sys/path.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_ADB_HOST_SIZE 256
#define SQ_ADB_PATH_SIZE 108
#define SQ_ADB_PLACE_SIZE 300
#define SQ_ADB_PORT 5037

/* Exactly one of host and path is not empty. */
struct sq_adb_address {
    char host[SQ_ADB_HOST_SIZE];
    int port;
    char path[SQ_ADB_PATH_SIZE]; /* of a Unix domain socket */
};

/*
 * Parses "tcp:HOST:PORT", "tcp:PORT", "localfilesystem:PATH", HOST:PORT or
 * HOST. An IPv6 HOST is in brackets. Fails with SQ_ERR_ARGUMENT if the text is
 * not valid.
 */
bool sq_adb_address_parse(struct sq_span text, struct sq_adb_address *out,
                          struct sq_err *err);

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

/* Writes the address for display and for adb's -L: "tcp:127.0.0.1:5037". */
void sq_adb_address_show(const struct sq_adb_address *address,
                         char out[SQ_ADB_PLACE_SIZE]);

/*
 * The connection to the adb server: its address, starting it if it is local,
 * and its recent failures.
 */

/* When the eye is used: squint's own program on the phone; see eye.h. */
enum sq_eye_use {
    SQ_EYE_OFF,
    SQ_EYE_AUTO, /* by servers, which take many screenshots */
    SQ_EYE_ON,
};

/* Strings may be NULL or empty. They must outlive the struct sq_adb. */
struct sq_adb_options {
    const char *server;  /* address; default: adb's variables */
    const char *program; /* path of adb; default: searched for */
    bool never_start;    /* use only a server that is already running */
    int emulator;        /* enum sq_emulator_mode */
    int answer_ms;       /* timeout for a device's answer; 0: 10 s */
    enum sq_eye_use eye; /* when squint's own program runs on phones */
};

struct sq_adb;
struct sq_adb_device_list;
struct sq_quota;

/*
 * Creates the connection state. Uses neither the network nor the disk; an
 * invalid address is reported by the first function that needs it. All
 * functions below may be called from any thread.
 */
bool sq_adb_create(const struct sq_adb_options *options, struct sq_adb **out,
                   struct sq_err *err);

/* Accepts NULL. Does not stop a server that was started. */
void sq_adb_destroy(struct sq_adb *adb);

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
 * Keeps connections open for reuse from now on. Useful for callers with many
 * exchanges. Applies only to a server on this machine, since a lost network
 * connection would not be noticed.
 */
void sq_adb_keep_connections(struct sq_adb *adb);
bool sq_adb_keeps_connections(const struct sq_adb *adb);

/* Returns the timeout for device requests that should take no time. */
int sq_adb_answer_ms(const struct sq_adb *adb);

/* Returns whether captures may use the eye, and when they may. */
bool sq_adb_uses_eye(const struct sq_adb *adb);
enum sq_eye_use sq_adb_eye_use(const struct sq_adb *adb);

/*
 * Returns how emulators may be used beside adb; SQ_EMULATOR_OFF if the server
 * is on another machine.
 */
enum sq_emulator_mode sq_adb_emulator_mode(const struct sq_adb *adb);

/* Returns the memory limit shared by all answers; see link.h. */
struct sq_quota *sq_adb_memory(const struct sq_adb *adb);

/* Returns the cached device list; below. */
struct sq_adb_device_list *sq_adb_device_list(const struct sq_adb *adb);

/*
 * Finds the adb program: the path in the options, then the SDK that
 * ANDROID_HOME or ANDROID_SDK_ROOT names, then PATH. Returns false and leaves
 * *out unchanged if it is not found.
 */
bool sq_adb_find_program(const struct sq_adb *adb, char out[SQ_PATH_SIZE]);

/*
 * Returns whether the user chose the server: in the options, or in one of adb's
 * variables.
 */
bool sq_adb_is_configured(const struct sq_adb *adb);

/* Returns whether this process has started the server. */
bool sq_adb_has_started_server(const struct sq_adb *adb);

/* The server has devices: when they go, that is not because it is new. */
void sq_adb_found_devices(struct sq_adb *adb);

/* Writes the server's address for display. */
void sq_adb_show_address(const struct sq_adb *adb, char out[SQ_ADB_PLACE_SIZE]);

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

/* Accepts NULL. */
void sq_adb_device_list_destroy(struct sq_adb_device_list *list);

/*
 * Appends the device list in the format of "host:devices-l". If connections are
 * kept, the server is asked once and then sends every change; later calls only
 * read pending changes. Any thread.
 */
bool sq_adb_list(struct sq_adb *adb, struct sq_buf *out,
                 const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Watches the adb server for device changes, in a thread that runs only while
 * the listener wants changes.
 */

/*
 * Both are called in the watcher's thread and must not call
 * sq_adb_watcher_stop.
 */
struct sq_adb_listener {
    void (*changed)(void *context);
    bool (*is_wanted)(void *context); /* whether to continue */
    void *context;
};

struct sq_adb_watcher;

/* Creates a watcher but does not start it. adb must outlive it. */
bool sq_adb_watcher_create(struct sq_adb *adb,
                           const struct sq_adb_listener *listener,
                           struct sq_adb_watcher **out, struct sq_err *err);

/* Stops and frees the watcher. Accepts NULL. */
void sq_adb_watcher_destroy(struct sq_adb_watcher *watcher);

/*
 * Starts watching, unless already started, until is_wanted returns false. A
 * server that does not run is not started; the watcher retries at growing
 * intervals. If no thread can be started, no changes are reported. Never waits.
 * Any thread.
 */
void sq_adb_watcher_start(struct sq_adb_watcher *watcher);

/*
 * Stops watching and returns once the listener will not be called any more. The
 * watcher may be started again. Must not run concurrently with
 * sq_adb_watcher_start. Accepts NULL.
 */
void sq_adb_watcher_stop(struct sq_adb_watcher *watcher);

/*
 * Phones in the network: the adb server pairs with them, connects to them and
 * finds them by mDNS.
 */

/* Returns whether it can be HOST:PORT, or HOST if the port is optional. */
bool sq_wireless_is_address(struct sq_span text, bool port_is_optional);

/*
 * Connects the server to a phone and appends its answer, "connected to ...".
 * Fails if it could not connect.
 */
bool sq_wireless_connect(struct sq_adb *adb, const char *address,
                         struct sq_buf *out, const struct sq_deadline *deadline,
                         struct sq_err *err);

/* Pairs with a phone that shows an address and a code of six digits. */
bool sq_wireless_pair(struct sq_adb *adb, const char *address, const char *code,
                      struct sq_buf *out, const struct sq_deadline *deadline,
                      struct sq_err *err);

/* Appends the phones that announce themselves, one per line. */
bool sq_wireless_list(struct sq_adb *adb, struct sq_buf *out,
                      const struct sq_deadline *deadline, struct sq_err *err);

#endif
