/*
 * The demo phone as a device: a simulated phone for use without hardware. Its
 * pixels and its accessibility tree come from the same tables. The same seed,
 * clock and touches always give the same frames.
 */
#ifndef SQ_DEVICE_DEMO_DEMO_H
#define SQ_DEVICE_DEMO_DEMO_H

#include "demo/phone/phone.h"
#include "device/kinds.h"

/* The row of the kind "demo". */
extern const struct sq_hand_ops sq_demo_hand;
sq_list_devices_fn sq_demo_list;
sq_open_device_fn sq_demo_open;

/*
 * Creates a phone that shows its launcher. The caller frees it with
 * sq_device_destroy. Fails with SQ_ERR_ARGUMENT if a size is out of range.
 */
bool sq_demo_create(const struct sq_demo_options *options,
                    struct sq_device **out, struct sq_err *err);

/* Keeps the state of a demo phone in step with that of other processes. */

/*
 * Performs what is due, and sets the phone to the state that another process
 * left, if its options have a keeper. A state that cannot be used is reported,
 * ignored and replaced. Fails only if out of memory or time.
 */
bool sq_demo_refresh(struct sq_phone *phone, const struct sq_deadline *deadline,
                     struct sq_err *err);

/*
 * Does something with the phone: refreshes it, calls `act`, and saves the new
 * state, while no other process changes it. A state that cannot be saved is
 * reported, but is no error.
 */
bool sq_demo_act(struct sq_phone *phone,
                 bool (*act)(struct sq_phone *phone, const void *what,
                             struct sq_err *err),
                 const void *what, const struct sq_deadline *deadline,
                 struct sq_err *err);

/* Defines the operation demo_<name>, which does <name> with the phone. */
#define SQ_DEMO_ACTION(name, type)                                             \
    static bool demo_##name(struct sq_device *device, type what,               \
                            const struct sq_deadline *deadline,                \
                            struct sq_err *err) {                              \
        return sq_demo_act((struct sq_phone *)device, name, what, deadline,    \
                           err);                                               \
    }

/* What can be done to the demo phone besides touching it. */

/* Finds an app by its package. Fails with SQ_ERR_PACKAGE_NOT_FOUND. */
bool sq_demo_find_app(const char *package, enum sq_app_id *out,
                      struct sq_err *err);

#endif
