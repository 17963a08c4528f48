/*
 * What can be made to go wrong with the phone, and how long its programs
 * take: both by name, from the command line or while it runs.
 */
#ifndef SQ_ADBD_FAULTS_H
#define SQ_ADBD_FAULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

enum sq_adbd_fault_id {
    SQ_ADBD_TRUNCATE,
    SQ_ADBD_HANG,
    SQ_ADBD_DISCONNECT,
    SQ_ADBD_UNAUTHORIZED,
    SQ_ADBD_OFFLINE,
    SQ_ADBD_SLOW,
    SQ_ADBD_IDLE,
    SQ_ADBD_NULL_ROOT,
    SQ_ADBD_CRASH,
    SQ_ADBD_SECURE,
    SQ_ADBD_DISPLAY_WARNING,
    SQ_ADBD_OLD_FRAME,
    SQ_ADBD_OLD_SHELL,
    SQ_ADBD_NO_EXEC,
    SQ_ADBD_NO_IME,
    SQ_ADBD_CLIPBOARD_HELPER,
    SQ_ADBD_FAULTS,
};

#define SQ_ADBD_NO_NUMBER (-1)

struct sq_adbd_fault {
    bool on;
    int64_t number; /* SQ_ADBD_NO_NUMBER where none was given */
};

/* A value: zeroed, nothing is wrong. */
struct sq_adbd_faults {
    struct sq_adbd_fault of[SQ_ADBD_FAULTS];
};

/*
 * Switch by "name", "name=N", "name=off" or "none", several of them with
 * commas between. SQ_ERR_ARGUMENT says what is wrong, and nothing changes.
 */
bool sq_adbd_faults_set(struct sq_adbd_faults *faults, struct sq_span text,
                        struct sq_err *err);

/* Append those that are on, one per line as sq_adbd_faults_set reads them. */
bool sq_adbd_faults_list(const struct sq_adbd_faults *faults,
                         struct sq_buf *out, struct sq_err *err);

/* Use up one of N; without a number it lasts. Whether the fault was on. */
bool sq_adbd_fault_spend(struct sq_adbd_faults *faults,
                         enum sq_adbd_fault_id id);

#define SQ_ADBD_MAX_DELAYS 16
#define SQ_ADBD_NAME_SIZE 32

/* A value: zeroed, everything happens at once. */
struct sq_adbd_delays {
    struct {
        char program[SQ_ADBD_NAME_SIZE];
        int ms;
    } of[SQ_ADBD_MAX_DELAYS];
    int count;
};

/* Set "program=MS", several of them with commas between. */
bool sq_adbd_delays_set(struct sq_adbd_delays *delays, struct sq_span text,
                        struct sq_err *err);

/* Milliseconds set for that name; SQ_ADBD_NO_NUMBER where nothing is. */
int sq_adbd_delay_of(const struct sq_adbd_delays *delays, const char *name);

#endif
