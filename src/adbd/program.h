/*
 * Android's command-line tools, each one function in one table. They run at
 * once: delays and waiting are the shell's.
 */
#ifndef SQ_ADBD_PROGRAM_H
#define SQ_ADBD_PROGRAM_H

#include "adbd/phone.h"
#include "util/buf.h"

/* One run of a program: what it gets, and what it leaves. */
struct sq_adbd_call {
    struct sq_adbd_phone *phone;
    const char *const *argv; /* NULL ends it; argv[0] is the program */
    int argc;
    struct sq_span input; /* its standard input */
    int64_t now_ns;       /* by sq_clock_monotonic_ns */

    struct sq_buf *out;      /* standard output */
    struct sq_buf *complain; /* standard error; may be the same buffer */
    /*
     * Written after out; for what is too large to be copied. Belongs to the
     * phone, which nobody else touches until it has been written.
     */
    struct sq_span large;
    int status; /* 0 unless the program says otherwise */
    bool exits; /* the shell ends with this */
    /* Faults do not apply to whoever switches them. */
    bool is_control;
};

/* Fails only for lack of memory or room. */
typedef bool (*sq_adbd_program_fn)(struct sq_adbd_call *call,
                                   struct sq_err *err);

/* NULL if the phone has no such program. */
sq_adbd_program_fn sq_adbd_program_find(const char *name);

/* Write to standard output. */
bool sq_adbd_say(struct sq_adbd_call *call, struct sq_err *err,
                 const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Write to standard error, and leave that exit status. */
bool sq_adbd_complain(struct sq_adbd_call *call, int status, struct sq_err *err,
                      const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* An argument, or NULL behind the last. */
static inline const char *
sq_adbd_arg(const struct sq_adbd_call *call, int index) {
    return index < call->argc ? call->argv[index] : NULL;
}

/* Whether the argument is there and says that. */
bool sq_adbd_arg_is(const struct sq_adbd_call *call, int index,
                    const char *word);

/*
 * The value behind the option of that name anywhere on the command line, or
 * NULL.
 */
const char *sq_adbd_arg_after(const struct sq_adbd_call *call,
                              const char *option);

/*
 * Milliseconds before a program begins: what its delay is and, of a "sleep",
 * what it asks for. screencap has other delays for PNG (screencap-p) and JPEG
 * (screencap-j), if they are set.
 */
int64_t sq_adbd_program_wait_ms(const struct sq_adbd_delays *delays,
                                const char *const *argv, int argc);

bool sq_adbd_run_screencap(struct sq_adbd_call *call, struct sq_err *err);

/* "-p" or "-j" where the picture is to be a PNG or a JPEG, else "". */
const char *sq_adbd_screencap_form(const char *const *argv, int argc);

bool sq_adbd_run_wm(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_uiautomator(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_input(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_dumpsys(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_am(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_monkey(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_pm(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_cmd(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_ime(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_getprop(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_setprop(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_settings(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_echo(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_cat(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_rm(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_ls(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_grep(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_head(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_wc(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_base64(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_stat(struct sq_adbd_call *call, struct sq_err *err);

#endif
