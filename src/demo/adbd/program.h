/*
 * Android's command-line programs. Each is a function and a row of the table of
 * its file; program.c finds it there. They run without waiting; the shell
 * handles delays.
 */
#ifndef SQ_DEMO_ADBD_PROGRAM_H
#define SQ_DEMO_ADBD_PROGRAM_H

#include "demo/adbd/phone.h"

enum {
    ANDROID_9 = 28,
    ANDROID_10 = 29,
    ANDROID_11 = 30,
    ANDROID_12 = 31,
    ANDROID_13 = 33,
    ANDROID_14 = 34,
    ANDROID_15 = 35,
};

#define SQ_ADBD_NOT_FOUND 127 /* status of the shell: no such program */

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
    /*
     * A program that goes on is run again after a moment, and does not end
     * before. It may keep a number in `seen` until then, which is 0 at first.
     */
    bool goes_on;
    uint64_t seen;
    int64_t ends_ns;    /* when "timeout" ends it; 0: never */
    int status;         /* exit status; 0 unless the program sets it */
    bool exits;         /* the shell exits after this */
    bool is_control;    /* it sets faults, so they do not apply to it */
    bool failed;        /* out of memory or of space in a buffer */
    struct sq_err *err; /* why it failed */
};

typedef void (*sq_adbd_program_fn)(struct sq_adbd_call *call);

enum sq_adbd_kind {
    SQ_ADBD_PROGRAM,
    SQ_ADBD_BUILTIN, /* part of the shell */
    SQ_ADBD_CONTROL, /* of the demo phone, not of Android */
    SQ_ADBD_SERVICE, /* cmd NAME ... */
    SQ_ADBD_DUMP,    /* dumpsys NAME ... */
};

struct sq_adbd_program {
    const char *name; /* NULL: after the last row */
    sq_adbd_program_fn run;
    enum sq_adbd_kind kind;
};

extern const struct sq_adbd_program sq_adbd_app_programs[];
extern const struct sq_adbd_program sq_adbd_dumpsys_programs[];
extern const struct sq_adbd_program sq_adbd_event_programs[];
extern const struct sq_adbd_program sq_adbd_input_programs[];
extern const struct sq_adbd_program sq_adbd_screen_programs[];
extern const struct sq_adbd_program sq_adbd_setting_programs[];

/* Returns the row of one of these kinds, or NULL. */
const struct sq_adbd_program *
sq_adbd_find(const char *name, enum sq_adbd_kind first, enum sq_adbd_kind last);

/* Returns the program or command of the shell; NULL if there is none. */
const struct sq_adbd_program *sq_adbd_program_find(const char *name);

/* Returns whether it is one of that kind. */
bool sq_adbd_is(const char *name, enum sq_adbd_kind kind);

/*
 * Runs the row that the first argument names. Returns false, and does nothing,
 * if there is none.
 */
bool sq_adbd_run_command(struct sq_adbd_call *call,
                         const struct sq_adbd_program *rows);

/* Runs a program, or lets it end as the phone's delays say. */
void sq_adbd_program_run(struct sq_adbd_call *call);

void sq_adbd_put(struct sq_adbd_call *call, struct sq_span bytes);

/*
 * Writes a section of answers.txt with the values of the phone to stdout.
 * Returns whether it exists.
 */
bool sq_adbd_print_answer(struct sq_adbd_call *call, const char *name);

/* Notes that the program has failed unless ok. */
static inline bool
sq_adbd_check(struct sq_adbd_call *call, bool ok) {
    call->failed = call->failed || !ok;
    return ok;
}

/* The same, for what Android ignores: only lack of memory is a failure. */
bool sq_adbd_ignore(struct sq_adbd_call *call, bool ok);

/* Writes to stdout, or to stderr with an exit status. */
#define sq_adbd_print(call, ...)                                               \
    sq_adbd_check((call), sq_buf_printf((call)->out, (call)->err, __VA_ARGS__))
#define sq_adbd_fail(call, code, ...)                                          \
    ((call)->status = (code),                                                  \
     sq_adbd_check((call),                                                     \
                   sq_buf_printf((call)->errors, (call)->err, __VA_ARGS__)))

static inline bool
sq_adbd_has(const struct sq_adbd_call *call, enum sq_adbd_fault_id fault) {
    return sq_adbd_phone_has(call->phone, fault);
}

/* Returns an argument, or NULL after the last. */
static inline const char *
sq_adbd_arg(const struct sq_adbd_call *call, int index) {
    return index < call->argc ? call->argv[index] : NULL;
}

/* Returns whether the argument exists and equals word. */
static inline bool
sq_adbd_arg_is(const struct sq_adbd_call *call, int index, const char *word) {
    return index < call->argc && strcmp(call->argv[index], word) == 0;
}

/*
 * Returns the argument after the option, anywhere on the command line, or NULL.
 */
const char *sq_adbd_arg_after(const struct sq_adbd_call *call,
                              const char *option);

/*
 * Returns what happens before a program runs, and how it ends: its delay plus,
 * for "sleep", the requested time. A delay may be set for a program with its
 * first argument (dumpsys-window), for screencap when it writes PNG
 * (screencap-p) or JPEG (screencap-j), for a program (dumpsys), or for all
 * other programs ("program"); the first of these that is set counts.
 */
struct sq_adbd_delay sq_adbd_program_delay(const struct sq_adbd_delays *delays,
                                           const char *const *argv, int argc);

void sq_adbd_run_screencap(struct sq_adbd_call *call);

/* Returns "-p" for PNG output, "-j" for JPEG, else "". */
const char *sq_adbd_screencap_form(const char *const *argv, int argc);

/*
 * Creates a file. If it cannot be there, prints an error with the path between
 * these texts. Returns NULL if it was not created.
 */
struct sq_buf *sq_adbd_create_file(struct sq_adbd_call *call, const char *path,
                                   const char *before, const char *after);

/* Sets a value of the phone's state; one that is too long is ignored. */
void sq_adbd_set_state(struct sq_adbd_call *call, const char *name,
                       const char *value);

/* Lets the keys of "input" take effect that arrive late and are due. */
void sq_adbd_keys_arrive(struct sq_adbd_call *call);

/*
 * Returns how many bytes of stdin a script waits for: those that "cmd package
 * install -S N" announces, else 0.
 */
size_t sq_adbd_input_wanted(struct sq_span script);

/* Returns whether an app is installed: one of the phone's, or a new one. */
bool sq_adbd_has_app(const struct sq_adbd_phone *phone, const char *package);

/* Logs what has changed since the last call, as Android would have. */
void sq_adbd_note_events(struct sq_adbd_phone *phone, int64_t now_ns);

#endif
