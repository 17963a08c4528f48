/*
 * Android's command-line programs, one function each, found through one table.
 * They run without waiting; the shell handles delays.
 */
#ifndef SQ_DEMO_ADBD_PROGRAM_H
#define SQ_DEMO_ADBD_PROGRAM_H

#include "demo/adbd/phone.h"
#include "util/buf.h"

/* The input and output of one run of a program. */
struct sq_adbd_call {
    struct sq_adbd_phone *phone;
    const char *const *argv; /* ends with NULL; argv[0] is the program */
    int argc;
    struct sq_span input; /* stdin */
    int64_t now_ns;       /* from sq_clock_monotonic_ns */

    struct sq_buf *out;    /* stdout */
    struct sq_buf *errors; /* stderr; may be the same buffer */
    /*
     * Written after out, for output too large to copy. Belongs to the phone,
     * which must not change until this has been written.
     */
    struct sq_span large;
    int status; /* exit status; 0 unless the program sets it */
    bool exits; /* the shell exits after this */
    /* The program sets faults, so they do not apply to it. */
    bool is_control;
};

/* Fails only if out of memory or buffer capacity. */
typedef bool (*sq_adbd_program_fn)(struct sq_adbd_call *call,
                                   struct sq_err *err);

/* Returns NULL if the phone has no such program. */
sq_adbd_program_fn sq_adbd_program_find(const char *name);

/* Lets the keys of "input" take effect that arrive late and are due. */
bool sq_adbd_keys_arrive(struct sq_adbd_call *call, struct sq_err *err);

/* Returns how the delays let a program end. */
enum sq_adbd_ending sq_adbd_program_ending(const struct sq_adbd_delays *delays,
                                           const char *const *argv, int argc);

/* Runs a program, or lets it end as the phone's delays say. */
bool sq_adbd_program_run(struct sq_adbd_call *call, sq_adbd_program_fn run,
                         struct sq_err *err);

/*
 * Remembers the words of a program for squint-argv. Ignores squint-argv itself
 * and words beyond a limit.
 */
bool sq_adbd_keep_argv(struct sq_adbd_call *call, struct sq_err *err);

/* Writes to stdout. */
bool sq_adbd_print(struct sq_adbd_call *call, struct sq_err *err,
                   const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes to stderr and sets the exit status. */
bool sq_adbd_print_error(struct sq_adbd_call *call, int status,
                         struct sq_err *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns an argument, or NULL after the last. */
static inline const char *
sq_adbd_arg(const struct sq_adbd_call *call, int index) {
    return index < call->argc ? call->argv[index] : NULL;
}

/* Returns whether the argument exists and equals word. */
bool sq_adbd_arg_is(const struct sq_adbd_call *call, int index,
                    const char *word);

/*
 * Returns the argument after the option, anywhere on the command line, or NULL.
 */
const char *sq_adbd_arg_after(const struct sq_adbd_call *call,
                              const char *option);

/* Returns whether the command is part of the shell, so no program starts. */
bool sq_adbd_program_is_builtin(const char *name);

/* Returns whether the program controls the phone, like squint-fault. */
bool sq_adbd_program_is_control(const char *name);

/* Returns the milliseconds that starting a shell takes: the delay "shell". */
int64_t sq_adbd_shell_wait_ms(const struct sq_adbd_delays *delays);

/*
 * Returns the milliseconds to wait before a program runs: its delay plus, for
 * "sleep", the requested time. A delay may be set for a program with its first
 * argument (dumpsys-window), for screencap when it writes PNG (screencap-p) or
 * JPEG (screencap-j), for a program (dumpsys), or for all other programs
 * ("program"); the first of these that is set counts.
 */
int64_t sq_adbd_program_wait_ms(const struct sq_adbd_delays *delays,
                                const char *const *argv, int argc);

bool sq_adbd_run_screencap(struct sq_adbd_call *call, struct sq_err *err);

/* Returns "-p" for PNG output, "-j" for JPEG, else "". */
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
bool sq_adbd_run_gzip(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_grep(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_head(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_wc(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_base64(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_service(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_appops(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_getevent(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_sendevent(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_uinput(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_pidof(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_logcat(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_pkill(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_screenrecord(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_uimode(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_locale(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_location(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_statusbar(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_dump_notifications(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_dump_package(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_dump_memory(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_install(struct sq_adbd_call *call, struct sq_err *err);
bool sq_adbd_run_permission(struct sq_adbd_call *call, struct sq_err *err);

/*
 * Returns how many bytes of stdin a script waits for: those that "cmd package
 * install -S N" announces, else 0.
 */
size_t sq_adbd_input_wanted(struct sq_span script);

/* Begins a recording if the command is screenrecord. */
void sq_adbd_record_begin(struct sq_adbd_phone *phone, const char *const *argv,
                          int argc, int64_t now_ns);

/* Returns whether the command is a recording that has not ended yet. */
bool sq_adbd_is_recording(const struct sq_adbd_phone *phone,
                          const char *const *argv, int64_t now_ns);

/* Returns whether an app is installed: one of the phone's, or a new one. */
bool sq_adbd_has_app(const struct sq_adbd_phone *phone, const char *package);

/* Logs what has changed since the last call, as Android would have. */
void sq_adbd_note_events(struct sq_adbd_phone *phone, int64_t now_ns);

/* Returns whether the command is a logcat that follows the log of events. */
bool sq_adbd_follows_events(const char *const *argv, int argc);

/* Appends the lines of events from number *next on. */
bool sq_adbd_print_events(struct sq_adbd_phone *phone, uint64_t *next,
                          int64_t now_ns, struct sq_buf *out,
                          struct sq_err *err);

bool sq_adbd_dump_timestats(struct sq_adbd_call *call, struct sq_err *err);

bool sq_adbd_run_stat(struct sq_adbd_call *call, struct sq_err *err);

#endif
