/*
 * The kinds of devices there are, the list of what is attached, which of them
 * a call means, and the open ones with one line of calls each.
 */
#ifndef SQ_DEVICE_KINDS_H
#define SQ_DEVICE_KINDS_H

#include "device/android/adb.h"
#include "device/demo/demo.h"
#include "device/device.h"
#include "sys/ticket_queue.h"

#define SQ_MAX_DEVICES 256

/* What the kinds can be told; all zero is a good choice. */
struct sq_devices_options {
    struct sq_demo_options demo;
    struct sq_adb *adb; /* NULL: no Android devices; must outlive this */
};

/* What one kind could not tell, so that it does not hide the others. */
struct sq_device_problem {
    const char *kind;
    struct sq_err err;
};

/* A value: start zeroed. */
struct sq_device_list {
    struct sq_device_info *items;
    size_t count;
    size_t room;
    struct sq_device_problem *problems;
    size_t problem_count;
};

/* Append a copy; on failure the list is as it was. */
bool sq_device_list_add(struct sq_device_list *list,
                        const struct sq_device_info *info, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_device_list_finish(struct sq_device_list *list);

struct sq_device_kind {
    const char *name;
    bool is_demo; /* chosen only by name, or where no other is attached */
    /*
     * Whether this machine has what the kind needs; it is not listed where
     * not. Then it is asked again for the list of devices, for a device of a
     * name that no open one has, and else after half a minute. NULL: it has.
     */
    bool (*is_there)(void);
    /*
     * Append what is attached, usable or not. SQ_ERR_NOT_FOUND: there is nobody
     * to ask here, so nothing of this kind can be used. Every other failure
     * leaves open what is attached.
     */
    bool (*list)(const struct sq_devices_options *options,
                 struct sq_device_list *out, const struct sq_deadline *deadline,
                 struct sq_err *err);
    /* Open one that list gave. */
    bool (*open)(const struct sq_devices_options *options,
                 const struct sq_device_info *info, struct sq_device **out,
                 const struct sq_deadline *deadline, struct sq_err *err);
};

/* The table of all kinds; a row with a NULL name ends it. */
extern const struct sq_device_kind sq_device_kinds[];

/*
 * An id as it is compared: the UDID of a simulator in upper case, as in
 * "9F2C6D1A-...", every other id as it is. At most SQ_DEVICE_ID_SIZE - 1 bytes.
 */
void sq_device_id_fold(const char *id, char out[SQ_DEVICE_ID_SIZE]);

/* Whether both mean the same device: UDIDs compare without case. */
bool sq_device_id_equal(const char *a, const char *b);

/*
 * Which device of the list is meant. id NULL or empty: the only usable one
 * that is no demo, and a demo only where no other is attached. Fails with
 * SQ_ERR_MULTIPLE_DEVICES, _DEVICE_NOT_FOUND, _DEVICE_OFFLINE or _NO_DEVICES,
 * each with what to do.
 *
 * A phone that is attached and cannot be used (unauthorized, offline, in
 * recovery, just booting) is the one that is meant: nobody wants the demo to be
 * touched instead. A simulator that nobody has started (is_put_away) is
 * listed so that it can be, but is not attached: every Xcode has some.
 *
 * A kind that could not be asked (a problem other than SQ_ERR_NOT_FOUND: its
 * server hung up, took too long, talked nonsense) may have the very phone that
 * is meant. A tap must not go to the demo instead, so without an id its failure
 * is then that of the call. The only usable device of another kind is taken
 * all the same: it is what is known, and the answer names it.
 *
 * *out points into the list. *demo_by_default (may be NULL): none was
 * named and no other is attached, which the answer should say.
 */
bool sq_devices_choose(const struct sq_device_list *list, const char *id,
                       const struct sq_device_info **out, bool *demo_by_default,
                       struct sq_err *err);

struct sq_devices;

/* kinds is a table like sq_device_kinds, which NULL stands for; kept. */
bool sq_devices_create(const struct sq_device_kind *kinds,
                       const struct sq_devices_options *options,
                       struct sq_devices **out, struct sq_err *err);

/* Accepts NULL; closes everything, so no device may be in use any more. */
void sq_devices_destroy(struct sq_devices *devices);

/*
 * Everything that is attached, of all kinds. *out is zeroed before and the
 * caller's to finish. What fails in one kind is a problem in the list; only
 * cancelling and a lack of memory fail the whole. Any thread.
 */
bool sq_devices_list(struct sq_devices *devices, struct sq_device_list *out,
                     const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Stand in line for a device, NULL or empty: the one that sq_devices_choose
 * takes then. Calls on a device are served in the order in which they did
 * this, so it is done where they arrive. Never waits. End it with
 * sq_ticket_leave, which gives the device to the next one. Any thread.
 */
bool sq_devices_queue(struct sq_devices *devices, const char *id,
                      struct sq_ticket **out, struct sq_err *err);

/*
 * Choose the device of a turn (but no demo by default where another device has
 * been used: SQ_ERR_NO_DEVICES), wait until it is its turn, and open it unless
 * it is open already; one that has been connected anew is opened anew. The
 * device is the turn's until sq_ticket_leave, and not to be used afterwards.
 * Any thread.
 */
bool sq_devices_open_in_turn(struct sq_devices *devices, struct sq_ticket *turn,
                             const struct sq_deadline *deadline,
                             struct sq_device **out, bool *demo_by_default,
                             struct sq_err *err);

/*
 * The same for whoever stands in line only now. To be given to the next one by
 * sq_devices_release. Any thread.
 */
bool sq_devices_open(struct sq_devices *devices, const char *id,
                     const struct sq_deadline *deadline, struct sq_device **out,
                     bool *demo_by_default, struct sq_err *err);

/* After sq_devices_open. Accepts NULL. */
void sq_devices_release(struct sq_devices *devices, struct sq_device *device);

#endif
