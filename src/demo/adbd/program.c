/* The table of programs, and helpers for them. */
#include "demo/adbd/program.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/mem.h"

#define MAX_SLEEP_S 3600

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
    sq_adbd_phone_touched(call->phone);
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
} programs[] = {
    { ":", run_true },
    { "am", sq_adbd_run_am },
    { "appops", sq_adbd_run_appops },
    { "base64", sq_adbd_run_base64 },
    { "cat", sq_adbd_run_cat },
    { "cd", run_true },
    { "cmd", sq_adbd_run_cmd },
    { "dumpsys", sq_adbd_run_dumpsys },
    { "echo", sq_adbd_run_echo },
    { "exit", run_exit },
    { "export", run_true },
    { "false", run_false },
    { "getprop", sq_adbd_run_getprop },
    { "grep", sq_adbd_run_grep },
    { "head", sq_adbd_run_head },
    { "id", run_id },
    { "ime", sq_adbd_run_ime },
    { "input", sq_adbd_run_input },
    { "logcat", sq_adbd_run_logcat },
    { "ls", sq_adbd_run_ls },
    { "monkey", sq_adbd_run_monkey },
    { "pidof", sq_adbd_run_pidof },
    { "pkill", sq_adbd_run_pkill },
    { "pm", sq_adbd_run_pm },
    { "rm", sq_adbd_run_rm },
    { "screencap", sq_adbd_run_screencap },
    { "screenrecord", sq_adbd_run_screenrecord },
    { "service", sq_adbd_run_service },
    { "set", run_true },
    { "setprop", sq_adbd_run_setprop },
    { "settings", sq_adbd_run_settings },
    { "sleep", run_true },
    { "squint-argv", run_argv },
    { "squint-delay", run_delay },
    { "squint-fault", run_fault },
    { "squint-reset", run_reset },
    { "stat", sq_adbd_run_stat },
    { "sync", run_true },
    { "true", run_true },
    { "uiautomator", sq_adbd_run_uiautomator },
    { "wait", run_true },
    { "wc", sq_adbd_run_wc },
    { "whoami", run_whoami },
    { "wm", sq_adbd_run_wm },
};
#define PROGRAMS (sizeof(programs) / sizeof(programs[0]))

sq_adbd_program_fn
sq_adbd_program_find(const char *name) {
    struct sq_span plain = sq_span_of(name);
    sq_span_take_prefix(&plain, "/system/bin/");
    for (size_t i = 0; i < PROGRAMS; i++) {
        if (sq_span_is(plain, programs[i].name)) {
            return programs[i].run;
        }
    }
    return NULL;
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

static int
delay_ms(const struct sq_adbd_delays *delays, const char *const *argv,
         int argc) {
    char name[SQ_ADBD_NAME_SIZE];
    int ms = SQ_ADBD_NO_NUMBER;
    if (strcmp(argv[0], "screencap") == 0) {
        snprintf(name, sizeof(name), "screencap%s",
                 sq_adbd_screencap_form(argv, argc));
        ms = sq_adbd_delay_of(delays, name);
    }
    if (ms == SQ_ADBD_NO_NUMBER) {
        ms = sq_adbd_delay_of(delays, argv[0]);
    }
    return ms == SQ_ADBD_NO_NUMBER ? 0 : ms;
}

int64_t
sq_adbd_program_wait_ms(const struct sq_adbd_delays *delays,
                        const char *const *argv, int argc) {
    double seconds = 0;
    int64_t ms = delay_ms(delays, argv, argc);
    if (argc > 1 && strcmp(argv[0], "sleep") == 0
        && sq_span_to_double(sq_span_of(argv[1]), &seconds) && seconds > 0) {
        ms += llrint(fmin(seconds, MAX_SLEEP_S) * 1000);
    }
    return ms;
}
