/*
 * Faults to simulate and delays of programs. Both are set by name, on the
 * command line or at run time.
 */
#ifndef SQ_DEMO_ADBD_FAULTS_H
#define SQ_DEMO_ADBD_FAULTS_H

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
    SQ_ADBD_API,          /* the API level that the phone reports */
    SQ_ADBD_NO_CLIPBOARD, /* its service refuses every call */
    SQ_ADBD_NO_DEAD_KEYS, /* apps ignore dead keys */
    SQ_ADBD_NO_PASTE,     /* apps ignore the key PASTE */
    SQ_ADBD_PIN,          /* the lock screen has a secret */
    SQ_ADBD_NO_GZIP,
    SQ_ADBD_ROOT,        /* adb has root */
    SQ_ADBD_NO_UINPUT,   /* adb may not use /dev/uinput */
    SQ_ADBD_PHOTO,       /* the screen shows a photograph; N selects which */
    SQ_ADBD_NO_EVENTS,   /* the log of events is empty */
    SQ_ADBD_LATE_EVENTS, /* events are logged N milliseconds late */
    SQ_ADBD_NO_COUNTER,  /* SurfaceFlinger does not count frames */
    SQ_ADBD_COUNTER_STUCK,
    SQ_ADBD_COUNTER_RESET, /* the count starts again, N times */
    SQ_ADBD_LATE_KEYS,     /* each key arrives N ms after the one before */
    SQ_ADBD_FAULTS,
};

#define SQ_ADBD_NO_NUMBER (-1)

struct sq_adbd_fault {
    bool on;
    int64_t number; /* SQ_ADBD_NO_NUMBER: none was given */
};

/* All zero: no faults. */
struct sq_adbd_faults {
    struct sq_adbd_fault of[SQ_ADBD_FAULTS];
};

/*
 * Sets faults from "name", "name=N", "name=off" or "none", separated by commas.
 * Fails with SQ_ERR_ARGUMENT and changes nothing if the text is invalid.
 */
bool sq_adbd_faults_set(struct sq_adbd_faults *faults, struct sq_span text,
                        struct sq_err *err);

/*
 * Appends the active faults, one per line, in the format that
 * sq_adbd_faults_set reads.
 */
bool sq_adbd_faults_list(const struct sq_adbd_faults *faults,
                         struct sq_buf *out, struct sq_err *err);

/*
 * Returns whether the fault is on, and counts its number down by one. A fault
 * without a number stays on.
 */
bool sq_adbd_fault_spend(struct sq_adbd_faults *faults,
                         enum sq_adbd_fault_id id);

#define SQ_ADBD_MAX_DELAYS 16
#define SQ_ADBD_NAME_SIZE 32

/* How a program ends after its delay. */
enum sq_adbd_ending {
    SQ_ADBD_WORKS,
    SQ_ADBD_FAILS,     /* as if the phone lacked its service */
    SQ_ADBD_IS_SILENT, /* does and prints nothing, with status 0 */
};

struct sq_adbd_delay {
    char program[SQ_ADBD_NAME_SIZE];
    int ms;
    enum sq_adbd_ending ending;
};

/* All zero: no delays. */
struct sq_adbd_delays {
    struct sq_adbd_delay of[SQ_ADBD_MAX_DELAYS];
    int count;
};

/*
 * Sets delays from "program=MS", separated by commas; "fail", "silent" and
 * "hang" instead of MS. "shell" is the start of a shell, "program" any program
 * without a delay of its own. "reaction" is the time from a tap or key to what
 * the app does, "pressed" the same with the touched element shown as pressed
 * until then.
 */
bool sq_adbd_delays_set(struct sq_adbd_delays *delays, struct sq_span text,
                        struct sq_err *err);

/* Returns the delay of a program, or NULL if none is set. */
const struct sq_adbd_delay *
sq_adbd_delay_of(const struct sq_adbd_delays *delays, const char *name);

#endif
