/*
 * What the rest of the program needs of adb and of Android devices besides
 * their row in kinds.c: the adb server, phones in the network, what squint
 * doctor examines, and the keyboard that the simulated phone has as well.
 */
#ifndef SQ_DEVICE_ADB_H
#define SQ_DEVICE_ADB_H

#include "device/device.h"
#include "sys/path.h"

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

/* When the eye is used: squint's own program on the phone. */
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
 * Keeps connections open for reuse from now on. Useful for callers with many
 * exchanges. Applies only to a server on this machine, since a lost network
 * connection would not be noticed.
 */
void sq_adb_keep_connections(struct sq_adb *adb);
/* Returns when captures may use the eye. */
enum sq_eye_use sq_adb_eye_use(const struct sq_adb *adb);

/*
 * Finds the adb program: the path in the options, then the SDK that
 * ANDROID_HOME or ANDROID_SDK_ROOT names, then PATH. Returns false and leaves
 * *out unchanged if it is not found.
 */
bool sq_adb_find_program(const struct sq_adb *adb, char out[SQ_PATH_SIZE]);

void sq_adb_show_address(const struct sq_adb *adb, char out[SQ_ADB_PLACE_SIZE]);

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

/*
 * Calls add for each device the server knows, usable or not, until add fails.
 * From time to time asks the server to reconnect offline devices.
 */
bool sq_android_list(struct sq_adb *adb,
                     bool (*add)(void *context,
                                 const struct sq_device_info *info,
                                 struct sq_err *err),
                     void *context, const struct sq_deadline *deadline,
                     struct sq_err *err);

/*
 * Opens a device. The caller frees it with sq_device_destroy. adb must outlive
 * it.
 */
bool sq_android_open(struct sq_adb *adb, const struct sq_device_info *info,
                     struct sq_device **out, const struct sq_deadline *deadline,
                     struct sq_err *err);

/*
 * Writes a sentence for display about which capture method is faster on this
 * device and how long captures take, and whether an emulator's own pictures are
 * used. The device must be an Android device.
 */
#define SQ_ANDROID_CAPTURES_SIZE 320
void sq_android_describe_captures(const struct sq_device *device, char *out,
                                  size_t size);

/*
 * Writes which signals the device has that tell cheaply whether its screen has
 * changed; see state.h. Queries the device.
 */
void sq_android_describe_signals(struct sq_device *device, char *out,
                                 size_t size,
                                 const struct sq_deadline *deadline);

/* Reads the version of the running adb server: 41 for "1.0.41". */
bool sq_android_server_version(struct sq_adb *adb, int *out,
                               const struct sq_deadline *deadline,
                               struct sq_err *err);

/*
 * Writes why the eye, squint's own program on the phone, did not work on this
 * device. Empty: it did, or it was not tried.
 */
void sq_android_describe_eye(const struct sq_device *device, char *out,
                             size_t size);

/* Android's virtual keyboard; see sq_accents_put. */

/*
 * Returns the letter that a dead key and a letter type, or 0 if they type no
 * letter. mark is a code point such as U+0301.
 */
uint32_t sq_accents_compose(uint32_t mark, char letter);

/* Returns whether the code point is one of the dead keys. */
bool sq_accents_is_mark(uint32_t code);

/* Returns whether the keyboard has a key for this letter: one of ç Ç ß. */
bool sq_accents_has_key(uint32_t code);

#endif
