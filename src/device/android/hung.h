/*
 * The services of a device that did not answer. They are left alone for a
 * while, and all commands of one call share the time that is lost on them.
 */
#ifndef SQ_DEVICE_ANDROID_HUNG_H
#define SQ_DEVICE_ANDROID_HUNG_H

#include <stdbool.h>
#include <stdint.h>

#include "sys/deadline.h"
#include "util/span.h"

#define SQ_HUNG_NAMES_SIZE 80
#define SQ_MAX_HUNG 8

/* All zero: none. */
struct sq_hung {
    struct sq_hung_entry {
        /* "dumpsys window", or several of which one hangs, with commas. */
        char names[SQ_HUNG_NAMES_SIZE];
        int64_t at_ns;     /* 0: not used */
        bool is_confirmed; /* the device has answered since */
    } of[SQ_MAX_HUNG];
    int answer_ms;   /* a service that takes longer hangs */
    int64_t lost_ns; /* by the services of this call that did not answer */
};

/* A call begins. */
void sq_hung_begin(struct sq_hung *hung, int answer_ms);

/*
 * Writes the names of the services that a command uses: "dumpsys power, dumpsys
 * window". Empty if the command uses none, or may wait for something else, such
 * as an app.
 */
void sq_hung_name(struct sq_span command, char out[SQ_HUNG_NAMES_SIZE]);

/* Returns what hung among these services a short time ago, or NULL. */
struct sq_hung_entry *sq_hung_find(struct sq_hung *hung, const char *names);

/* Fails because of it with SQ_ERR_TIMEOUT. */
bool sq_hung_fail(const struct sq_hung_entry *entry, const char *serial,
                  struct sq_err *err);

/* The services did not answer since the command began. */
void sq_hung_add(struct sq_hung *hung, const char *names, int64_t began_ns);

/* Returns the deadline of a command that asks these services. */
struct sq_deadline sq_hung_limit(const struct sq_hung *hung, const char *names,
                                 const struct sq_deadline *deadline);

#endif
