/*
 * The adb server: where it is, starting it where that is ours to do, and what
 * it refused a moment ago.
 */
#ifndef SQ_DEVICE_ANDROID_ADB_H
#define SQ_DEVICE_ANDROID_ADB_H

#include <stdbool.h>

#include "device/android/address.h"
#include "sys/deadline.h"
#include "sys/path.h"
#include "util/err.h"

/* Texts may be NULL or empty; they must outlive the server. */
struct sq_adb_options {
    const char *server;  /* else as adb's variables say */
    const char *program; /* path of adb; else looked for */
    bool never_start;    /* use the server only where it runs already */
    int answer_ms;       /* what a device may take to answer; 0: 10 s */
};

struct sq_adb;
struct sq_adb_device_list;
struct sq_quota;

/*
 * Touches neither the network nor the disk. A wrong address is told by
 * whatever needs it. All functions below may be called from any thread.
 */
bool sq_adb_create(const struct sq_adb_options *options, struct sq_adb **out,
                   struct sq_err *err);

/* Accepts NULL. A server that was started runs on, as adb's own does. */
void sq_adb_destroy(struct sq_adb *adb);

/*
 * Connect to the server for one exchange; *out is for sq_socket_close. One
 * that should run here and does not is started. A failure is remembered for a
 * moment, so that asking again is quick.
 */
bool sq_adb_connect(struct sq_adb *adb, const struct sq_deadline *deadline,
                    int *out, struct sq_err *err);

/* The same with a server that runs already: none is started for this. */
bool sq_adb_connect_if_running(const struct sq_adb *adb,
                               const struct sq_deadline *deadline, int *out,
                               struct sq_err *err);

/*
 * From now on keep connections that will be of use again, for whoever asks
 * often. Only those with a server on this machine: nobody tells when a network
 * has lost one.
 */
void sq_adb_keep_connections(struct sq_adb *adb);
bool sq_adb_keeps_connections(const struct sq_adb *adb);

/* What a device may take to answer something that should take no time. */
int sq_adb_answer_ms(const struct sq_adb *adb);

/* What the devices' answers share; see memory.h. */
struct sq_quota *sq_adb_memory(const struct sq_adb *adb);

/* What the server has told of its devices; see roster.h. */
struct sq_adb_device_list *sq_adb_device_list(const struct sq_adb *adb);

/*
 * Where adb is installed: where the options say, in the SDK that ANDROID_HOME
 * or ANDROID_SDK_ROOT names, or on PATH. False, and *out untouched, if
 * nowhere.
 */
bool sq_adb_find_program(const struct sq_adb *adb, char out[SQ_PATH_SIZE]);

/* The server's address, for people. */
void sq_adb_show_address(const struct sq_adb *adb, char out[SQ_ADB_PLACE_SIZE]);

/*
 * Whether something that helps only once in a while may be tried now: true at
 * most once in interval_ms.
 */
bool sq_adb_may_revive(struct sq_adb *adb, int interval_ms);

/* How adb is installed on the system that /etc/os-release describes. */
const char *sq_adb_install_hint(struct sq_span os_release, bool is_macos);

#endif
