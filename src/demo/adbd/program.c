/* The table of programs, and helpers for them. */
#include "demo/adbd/program.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/mem.h"

#define MAX_SLEEP_S 3600
#define NO_SERVICE 20 /* status of cmd */

static bool
run_true(struct sq_adbd_call *call, struct sq_err *err) {
    (void)call;
    (void)err;
    return true;
}

static bool
run_false(struct sq_adbd_call *call, struct sq_err *err) {
    (void)err;
    call->status = 1;
    return true;
}

static bool
run_exit(struct sq_adbd_call *call, struct sq_err *err) {
    int64_t status = 0;
    (void)err;
    call->exits = true;
    if (call->argc > 1
        && sq_span_to_int64(sq_span_of(call->argv[1]), &status)) {
        call->status = (int)(status & UINT8_MAX);
    }
    return true;
}

static bool
run_id(struct sq_adbd_call *call, struct sq_err *err) {
    if (sq_adbd_phone_has(call->phone, SQ_ADBD_ROOT)) {
        return sq_adbd_print(call, err,
                             "uid=0(root) gid=0(root) groups=0(root) "
                             "context=u:r:su:s0\n");
    }
    return sq_adbd_print(call, err,
                         "uid=2000(shell) gid=2000(shell) "
                         "groups=2000(shell),1004(input),1007(log),"
                         "1011(adb),1015(sdcard_rw) context=u:r:shell:s0\n");
}

static bool
run_whoami(struct sq_adbd_call *call, struct sq_err *err) {
    return sq_adbd_print(call, err, "shell\n");
}

/* Sets faults and delays at run time. Without arguments lists the faults. */
static bool
run_fault(struct sq_adbd_call *call, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    call->is_control = true;
    for (int i = 1; i < call->argc; i++) {
        if (!sq_adbd_faults_set(&call->phone->faults, sq_span_of(call->argv[i]),
                                &local_err)) {
            return sq_adbd_print_error(call, 1, err, "squint-fault: %s. %s\n",
                                       local_err.message, local_err.hint);
        }
    }
    struct sq_span frame;
    sq_adbd_phone_touched(call->phone);
    /* A photograph is drawn now, so that no capture takes longer for it. */
    if (sq_adbd_phone_has(call->phone, SQ_ADBD_PHOTO)
        && !sq_adbd_phone_frame(call->phone, &frame, err)) {
        return false;
    }
    return sq_adbd_faults_list(&call->phone->faults, call->out, err);
}

static bool
run_delay(struct sq_adbd_call *call, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    call->is_control = true;
    for (int i = 1; i < call->argc; i++) {
        if (!sq_adbd_delays_set(&call->phone->delays, sq_span_of(call->argv[i]),
                                &local_err)) {
            return sq_adbd_print_error(call, 1, err, "squint-delay: %s. %s\n",
                                       local_err.message, local_err.hint);
        }
    }
    return true;
}

bool
sq_adbd_keep_argv(struct sq_adbd_call *call, struct sq_err *err) {
    struct sq_buf *argv = &call->phone->argv;
    struct sq_err local_err = { 0 };
    bool ok = true;
    if (strcmp(call->argv[0], "squint-argv") == 0) {
        return true;
    }
    sq_buf_clear(argv);
    for (int i = 0; ok && i < call->argc; i++) {
        ok = sq_buf_append(argv, call->argv[i], strlen(call->argv[i]),
                           &local_err)
          && sq_buf_append(argv, "\x1f", 1, &local_err);
    }
    return ok || local_err.code != SQ_ERR_NOMEM || sq_fail_nomem(err);
}

/* Prints the words of the program that ran last. */
static bool
run_argv(struct sq_adbd_call *call, struct sq_err *err) {
    call->is_control = true;
    return sq_buf_append(call->out, call->phone->argv.data,
                         call->phone->argv.len, err);
}

static bool
run_reset(struct sq_adbd_call *call, struct sq_err *err) {
    call->is_control = true;
    return sq_adbd_phone_reset(call->phone, err);
}

static const struct {
    const char *name;
    sq_adbd_program_fn run;
    enum kind {
        KIND_PROGRAM,
        KIND_BUILTIN, /* part of the shell */
        KIND_CONTROL, /* of the demo phone, not of Android */
    } kind;
} programs[] = {
    { ":", run_true, KIND_BUILTIN },
    { "am", sq_adbd_run_am, KIND_PROGRAM },
    { "appops", sq_adbd_run_appops, KIND_PROGRAM },
    { "base64", sq_adbd_run_base64, KIND_PROGRAM },
    { "cat", sq_adbd_run_cat, KIND_PROGRAM },
    { "cd", run_true, KIND_BUILTIN },
    { "cmd", sq_adbd_run_cmd, KIND_PROGRAM },
    { "dumpsys", sq_adbd_run_dumpsys, KIND_PROGRAM },
    { "echo", sq_adbd_run_echo, KIND_BUILTIN },
    { "exit", run_exit, KIND_BUILTIN },
    { "export", run_true, KIND_BUILTIN },
    { "false", run_false, KIND_BUILTIN },
    { "getevent", sq_adbd_run_getevent, KIND_PROGRAM },
    { "getprop", sq_adbd_run_getprop, KIND_PROGRAM },
    { "grep", sq_adbd_run_grep, KIND_PROGRAM },
    { "gzip", sq_adbd_run_gzip, KIND_PROGRAM },
    { "head", sq_adbd_run_head, KIND_PROGRAM },
    { "id", run_id, KIND_PROGRAM },
    { "ime", sq_adbd_run_ime, KIND_PROGRAM },
    { "input", sq_adbd_run_input, KIND_PROGRAM },
    { "logcat", sq_adbd_run_logcat, KIND_PROGRAM },
    { "ls", sq_adbd_run_ls, KIND_PROGRAM },
    { "monkey", sq_adbd_run_monkey, KIND_PROGRAM },
    { "pidof", sq_adbd_run_pidof, KIND_PROGRAM },
    { "pkill", sq_adbd_run_pkill, KIND_PROGRAM },
    { "pm", sq_adbd_run_pm, KIND_PROGRAM },
    { "rm", sq_adbd_run_rm, KIND_PROGRAM },
    { "screencap", sq_adbd_run_screencap, KIND_PROGRAM },
    { "screenrecord", sq_adbd_run_screenrecord, KIND_PROGRAM },
    { "sendevent", sq_adbd_run_sendevent, KIND_PROGRAM },
    { "service", sq_adbd_run_service, KIND_PROGRAM },
    { "set", run_true, KIND_BUILTIN },
    { "setprop", sq_adbd_run_setprop, KIND_PROGRAM },
    { "settings", sq_adbd_run_settings, KIND_PROGRAM },
    { "sleep", run_true, KIND_PROGRAM },
    { "squint-argv", run_argv, KIND_CONTROL },
    { "squint-delay", run_delay, KIND_CONTROL },
    { "squint-fault", run_fault, KIND_CONTROL },
    { "squint-reset", run_reset, KIND_CONTROL },
    { "stat", sq_adbd_run_stat, KIND_PROGRAM },
    { "sync", run_true, KIND_PROGRAM },
    { "true", run_true, KIND_BUILTIN },
    { "uiautomator", sq_adbd_run_uiautomator, KIND_PROGRAM },
    { "uinput", sq_adbd_run_uinput, KIND_PROGRAM },
    { "wait", run_true, KIND_BUILTIN },
    { "wc", sq_adbd_run_wc, KIND_PROGRAM },
    { "whoami", run_whoami, KIND_PROGRAM },
    { "wm", sq_adbd_run_wm, KIND_PROGRAM },
};
#define PROGRAMS (sizeof(programs) / sizeof(programs[0]))

/* Returns its place in the table, or PROGRAMS if there is none. */
static size_t
place_of(const char *name) {
    struct sq_span plain = sq_span_of(name);
    size_t i = 0;
    sq_span_take_prefix(&plain, "/system/bin/");
    while (i < PROGRAMS && !sq_span_is(plain, programs[i].name)) {
        i++;
    }
    return i;
}

sq_adbd_program_fn
sq_adbd_program_find(const char *name) {
    size_t i = place_of(name);
    return i < PROGRAMS ? programs[i].run : NULL;
}

static bool
has_kind(const char *name, enum kind kind) {
    size_t i = place_of(name);
    return i < PROGRAMS && programs[i].kind == kind;
}

bool
sq_adbd_program_is_builtin(const char *name) {
    return !strchr(name, '/') && has_kind(name, KIND_BUILTIN);
}

bool
sq_adbd_program_is_control(const char *name) {
    return has_kind(name, KIND_CONTROL);
}

/* Like sq_buf_printf, but takes a va_list. */
__attribute__((format(printf, 2, 0))) static bool
print_to(struct sq_buf *out, const char *format, va_list args,
         struct sq_err *err) {
    va_list again;
    uint8_t *space;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    bool ok = len >= 0 && sq_buf_reserve(out, (size_t)len + 1, &space, err);
    if (ok) {
        vsnprintf((char *)space, (size_t)len + 1, format, again);
        sq_buf_commit(out, (size_t)len);
    }
    va_end(again);
    return ok;
}

bool
sq_adbd_print(struct sq_adbd_call *call, struct sq_err *err, const char *format,
              ...) {
    va_list args;
    va_start(args, format);
    bool ok = print_to(call->out, format, args, err);
    va_end(args);
    return ok;
}

bool
sq_adbd_print_error(struct sq_adbd_call *call, int status, struct sq_err *err,
                    const char *format, ...) {
    va_list args;
    va_start(args, format);
    bool ok = print_to(call->errors, format, args, err);
    va_end(args);
    call->status = status;
    return ok;
}

bool
sq_adbd_arg_is(const struct sq_adbd_call *call, int index, const char *word) {
    const char *arg = sq_adbd_arg(call, index);
    return arg && strcmp(arg, word) == 0;
}

const char *
sq_adbd_arg_after(const struct sq_adbd_call *call, const char *option) {
    for (int i = 1; i + 1 < call->argc; i++) {
        if (strcmp(call->argv[i], option) == 0) {
            return call->argv[i + 1];
        }
    }
    return NULL;
}

/* Returns the first delay that is set: the special one, then the general. */
static const struct sq_adbd_delay *
find_delay(const struct sq_adbd_delays *delays, const char *const *argv,
           int argc) {
    char special[SQ_ADBD_NAME_SIZE] = "";
    bool is_screencap = strcmp(argv[0], "screencap") == 0;
    if (is_screencap) {
        snprintf(special, sizeof(special), "screencap%s",
                 sq_adbd_screencap_form(argv, argc));
    } else if (argc > 1) {
        snprintf(special, sizeof(special), "%.15s-%.15s", argv[0], argv[1]);
    }
    const char *const names[] = {
        special,
        argv[0],
        sq_adbd_program_is_builtin(argv[0]) ? "" : "program",
    };
    const struct sq_adbd_delay *found = NULL;
    for (size_t i = 0; !found && i < sizeof(names) / sizeof(names[0]); i++) {
        found = sq_adbd_delay_of(delays, names[i]);
    }
    return found;
}

int64_t
sq_adbd_shell_wait_ms(const struct sq_adbd_delays *delays) {
    const struct sq_adbd_delay *delay = sq_adbd_delay_of(delays, "shell");
    return delay ? delay->ms : 0;
}

int64_t
sq_adbd_program_wait_ms(const struct sq_adbd_delays *delays,
                        const char *const *argv, int argc) {
    double seconds = 0;
    const struct sq_adbd_delay *delay = find_delay(delays, argv, argc);
    int64_t ms = delay ? delay->ms : 0;
    if (argc > 1 && strcmp(argv[0], "sleep") == 0
        && sq_span_to_double(sq_span_of(argv[1]), &seconds) && seconds > 0) {
        ms += llrint(fmin(seconds, MAX_SLEEP_S) * 1000);
    }
    return ms;
}

enum sq_adbd_ending
sq_adbd_program_ending(const struct sq_adbd_delays *delays,
                       const char *const *argv, int argc) {
    const struct sq_adbd_delay *delay = find_delay(delays, argv, argc);
    return delay ? delay->ending : SQ_ADBD_WORKS;
}

bool
sq_adbd_program_run(struct sq_adbd_call *call, sq_adbd_program_fn run,
                    struct sq_err *err) {
    enum sq_adbd_ending ending =
        sq_adbd_program_ending(&call->phone->delays, call->argv, call->argc);
    if (ending == SQ_ADBD_WORKS || sq_adbd_program_is_control(call->argv[0])) {
        return run(call, err);
    }
    if (ending == SQ_ADBD_IS_SILENT) {
        return true;
    }
    /* Without the service, dumpsys prints this with status 0. */
    bool is_dumpsys = strcmp(call->argv[0], "dumpsys") == 0;
    bool names_service = is_dumpsys || strcmp(call->argv[0], "cmd") == 0;
    const char *service = names_service ? sq_adbd_arg(call, 1) : NULL;
    return sq_adbd_print_error(
        call, is_dumpsys ? 0 : NO_SERVICE, err, "%sCan't find service: %s\n",
        is_dumpsys ? "" : "cmd: ", service ? service : call->argv[0]);
}
