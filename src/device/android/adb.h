/*
 * The connection to the adb server: its address, starting it if it is local,
 * and its recent failures.
 */
#ifndef SQ_DEVICE_ANDROID_ADB_H
#define SQ_DEVICE_ANDROID_ADB_H

#include <stdbool.h>

#include "device/android/address.h"
#include "device/android/emulator.h"
#include "sys/deadline.h"
#include "sys/path.h"
#include "util/err.h"

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

/* Returns the memory limit shared by all answers; see memory.h. */
struct sq_quota *sq_adb_memory(const struct sq_adb *adb);

/* Returns the cached device list; see device_list.h. */
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

#endif
