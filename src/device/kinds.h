/*
 * The table of device kinds, the list of attached devices, the choice of a
 * device for a call, and the open devices with a queue of calls for each.
 */
#ifndef SQ_DEVICE_KINDS_H
#define SQ_DEVICE_KINDS_H

#include "config/config.h"
#include "demo/phone/options.h"
#include "device/device.h"
#include "sys/lock.h"

#define SQ_MAX_DEVICES 256
/* How errors name the device of the configuration. */
#define SQ_DEFAULT_DEVICE                                                      \
    "the default device (-s, ANDROID_SERIAL or devices.default)"

struct sq_adb;

/* Options for all kinds. All zero gives the defaults. */
struct sq_devices_options {
    struct sq_demo_options demo;
    struct sq_adb *adb;     /* NULL: no Android devices; not owned */
    const char *default_id; /* for calls that name none; NULL: the only one */
    struct sq_browser_config browser;
    bool keeps_browser; /* after this process, for the next one */
    struct sq_webdriver_config webdriver;
};

/* Why one kind could not list its devices. The other kinds are still listed. */
struct sq_device_problem {
    const char *kind;
    struct sq_err err;
};

/* A list of devices. Initialise with zeroes. */
struct sq_device_list {
    struct sq_device_info *items;
    size_t count;
    size_t capacity;
    struct sq_device_problem *problems;
    size_t problem_count;
};

/* Appends a copy of info. The list is unchanged on failure. */
bool sq_device_list_add(struct sq_device_list *list,
                        const struct sq_device_info *info, struct sq_err *err);

void sq_device_list_finish(struct sq_device_list *list);

#define SQ_ATTACH_SIZE (SQ_DEVICE_ID_SIZE + 32)

/*
 * Appends all attached devices, usable or not. SQ_ERR_NOT_FOUND means that the
 * backend is missing, so no device of this kind can be used. After any other
 * failure it is unknown what is attached.
 */
typedef bool sq_list_devices_fn(const struct sq_devices_options *options,
                                struct sq_device_list *out,
                                const struct sq_deadline *deadline,
                                struct sq_err *err);

/* Opens a device that was listed. The caller calls sq_device_destroy. */
typedef bool sq_open_device_fn(const struct sq_devices_options *options,
                               const struct sq_device_info *info,
                               struct sq_device **out,
                               const struct sq_deadline *deadline,
                               struct sq_err *err);

struct sq_device_kind {
    const char *name;
    const char *plural;             /* for messages: "Android devices" */
    const struct sq_hand_ops *hand; /* what its devices can do */
    bool is_demo;      /* chosen by name, or if nothing else is attached */
    bool by_name_only; /* chosen by name */
    /*
     * Returns whether this machine has what the kind needs. A kind that is not
     * available is not listed. It is checked again for each device list, for a
     * device name that is not open, and otherwise every 30 seconds. NULL:
     * always available.
     */
    bool (*is_available)(void);
    /*
     * For how long a list is used again to choose the device of a call, because
     * making it takes long. If no device can be chosen by it, it is made again.
     * 0: never.
     */
    int keep_ms;
    /* An open device tells itself that it is lost: calls do not list it. */
    bool is_not_listed_when_open;
    /*
     * Time limit of `open`, because a device may have to be waited for: in
     * addition to that of the call. 0: that of the call.
     */
    int open_ms;
    sq_list_devices_fn *list;
    /* Returns the names of its keys; NULL after the last. Optional. */
    const char *(*key_name_at)(size_t index);
    /*
     * Writes how a device of this id is attached, "Run: adb connect ADDRESS".
     * Returns false if the id says nothing about it. Optional.
     */
    bool (*how_to_attach)(const char *id, char out[SQ_ATTACH_SIZE]);
    /* Changes an id of this kind into its canonical form. Optional. */
    void (*fold_id)(char id[SQ_DEVICE_ID_SIZE]);
    sq_open_device_fn *open;
    /* Ends what outlives calls and devices. Waits a short time. Optional. */
    void (*finish)(void);
};

/* The table of all kinds. Ends with a row whose name is NULL. */
extern const struct sq_device_kind sq_device_kinds[];

/*
 * The worker that reads bytes of others for a server: pictures, and what
 * devices send; with "gunzip" one stream of a phone. Answers until it is
 * closed. what may be NULL.
 */
bool sq_devices_serve_reader(const char *what, struct sq_err *err);

/* Returns the name of a key of the first kind that has names. */
const char *sq_device_key_name_at(size_t index);

/* See struct sq_device_kind; asks all kinds. */
bool sq_device_how_to_attach(const char *id, char out[SQ_ATTACH_SIZE]);

/*
 * Writes the canonical form of an id: the UDID of a simulator in upper case
 * ("9F2C6D1A-..."), any other id unchanged. Truncates to SQ_DEVICE_ID_SIZE - 1
 * bytes.
 */
void sq_device_id_fold(const char *id, char out[SQ_DEVICE_ID_SIZE]);

/*
 * Returns whether both ids name the same device. UDIDs are compared without
 * case.
 */
bool sq_device_id_equal(const char *a, const char *b);

/*
 * Chooses a device from the list. If id is NULL or empty, chooses the only
 * usable device that is not a demo, or a demo if no other device is attached.
 * Fails with SQ_ERR_MULTIPLE_DEVICES, SQ_ERR_DEVICE_NOT_FOUND,
 * SQ_ERR_DEVICE_OFFLINE or SQ_ERR_NO_DEVICES, each with a hint.
 *
 * An attached phone that cannot be used (unauthorized, offline, in recovery,
 * booting) still counts as attached: the call fails instead of using the demo.
 * A simulator that was not started (is_stopped) is listed so that it can be
 * started, but does not count as attached, since every Xcode has some.
 *
 * If a kind could not be listed (a problem other than SQ_ERR_NOT_FOUND, such as
 * a server that disconnected, timed out or sent invalid data), the intended
 * phone may be one of its devices. Without an id the call then fails with that
 * problem instead of using the demo. If exactly one device of another kind is
 * usable, it is still chosen; the result names it.
 *
 * *out points into the list. *demo_by_default (may be NULL) is set to true if
 * no id was given and the demo was chosen because nothing else is attached.
 */
bool sq_devices_choose(const struct sq_device_list *list, const char *id,
                       const struct sq_device_info **out, bool *demo_by_default,
                       struct sq_err *err);

struct sq_devices;

/*
 * Creates the set of devices. kinds is a table like sq_device_kinds, which is
 * the default if NULL; it must outlive *out.
 */
bool sq_devices_create(const struct sq_device_kind *kinds,
                       const struct sq_devices_options *options,
                       struct sq_devices **out, struct sq_err *err);

/*
 * Makes the demo phone keep its state, and the browser go on. Call it before
 * any device is opened; keeper must outlive *devices.
 */
void sq_devices_keep_state(struct sq_devices *devices,
                           const struct sq_demo_keeper *keeper);

/* Closes all devices. None may be in use. Accepts NULL. */
void sq_devices_destroy(struct sq_devices *devices);

/*
 * Lists the attached devices of all kinds. *out is zeroed before; the caller
 * calls sq_device_list_finish. A failure of one kind is recorded as a problem
 * in the list. Fails only if cancelled or out of memory. Any thread.
 */
bool sq_devices_list(struct sq_devices *devices, struct sq_device_list *out,
                     const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Enters the queue of a device. If id is NULL or empty, sq_devices_choose picks
 * the device later. Clients take turns on a device, and the calls of one client
 * run in the order in which they entered, so call this when a call arrives.
 * client tells clients apart; 0: this program itself. Never waits. End with
 * sq_ticket_leave, which lets the next call run. Any thread.
 */
bool sq_devices_queue(struct sq_devices *devices, const char *id,
                      uint64_t client, struct sq_ticket **out,
                      struct sq_err *err);

/*
 * Chooses the device of a ticket, waits for its turn, and opens the device
 * unless it is open. A device that was reconnected is opened again. Fails with
 * SQ_ERR_NO_DEVICES instead of choosing the demo by default if another device
 * has been used before. *out belongs to the ticket and must not be used after
 * sq_ticket_leave. Any thread.
 */
bool sq_devices_open_in_turn(struct sq_devices *devices,
                             struct sq_ticket *ticket,
                             const struct sq_deadline *deadline,
                             struct sq_device **out, bool *demo_by_default,
                             struct sq_err *err);

/*
 * Like sq_devices_queue followed by sq_devices_open_in_turn. End with
 * sq_devices_release. Any thread.
 */
bool sq_devices_open(struct sq_devices *devices, const char *id,
                     const struct sq_deadline *deadline, struct sq_device **out,
                     bool *demo_by_default, struct sq_err *err);

/* Lets the next call run, after sq_devices_open. Accepts NULL. */
void sq_devices_release(struct sq_devices *devices, struct sq_device *device);

/*
 * Finds the program of browser.path (may be NULL), and asks it for its version.
 * *has_sandbox: it is started with it.
 */
bool sq_browser_probe(const char *wanted, char path[SQ_PATH_SIZE],
                      char version[SQ_DEVICE_TEXT_SIZE], bool *has_sandbox,
                      struct sq_err *err);

/*
 * Opens libcurl, by which WebDriver servers are reached, and writes its name
 * and version; version may be NULL.
 */
bool sq_webdriver_probe(char version[SQ_DEVICE_TEXT_SIZE], struct sq_err *err);

/* Ends the browser that commands share. *was_open: there was one. */
bool sq_browser_close_kept(bool *was_open, const struct sq_deadline *deadline,
                           struct sq_err *err);

/*
 * Keeps a browser for commands, until it was not used for that many seconds, is
 * closed, or the deadline is cancelled.
 */
bool sq_browser_keep(int idle_seconds, const struct sq_deadline *deadline,
                     struct sq_err *err);

#endif
