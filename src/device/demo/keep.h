/* Keeps the state of a demo phone in step with that of other processes. */
#ifndef SQ_DEVICE_DEMO_KEEP_H
#define SQ_DEVICE_DEMO_KEEP_H

#include "demo/phone/phone.h"

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

/* Saves what is still pending as if it was due, if there is a keeper. */
void sq_demo_end(struct sq_phone *phone);

#endif
