/* Finds programs, and runs those that belong to the shell and to the phone. */
#include "demo/adbd/program.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define MAX_SLEEP_S 3600
#define NO_SERVICE 20 /* status of cmd */
#define NS_PER_S 1000000000

static void
run_true(struct sq_adbd_call *call) {
    (void)call;
}

static void
run_false(struct sq_adbd_call *call) {
    call->status = 1;
}

static void
run_exit(struct sq_adbd_call *call) {
    int64_t status = 0;
    call->exits = true;
    if (call->argc > 1
        && sq_span_to_int64(sq_span_of(call->argv[1]), &status)) {
        call->status = (int)(status & UINT8_MAX);
    }
}

static void
run_id(struct sq_adbd_call *call) {
    sq_adbd_print(call, "%s",
                  sq_adbd_phone_has(call->phone, SQ_ADBD_ROOT)
                      ? "uid=0(root) gid=0(root) groups=0(root) "
                        "context=u:r:su:s0\n"
                      : "uid=2000(shell) gid=2000(shell) "
                        "groups=2000(shell),1004(input),1007(log),"
                        "1011(adb),1015(sdcard_rw) context=u:r:shell:s0\n");
}

static void
run_whoami(struct sq_adbd_call *call) {
    sq_adbd_print(call, "shell\n");
}

/* Sets faults and delays at run time. Without arguments lists the faults. */
static void
run_fault(struct sq_adbd_call *call) {
    struct sq_err why = { 0 };
    struct sq_span frame;
    call->is_control = true;
    for (int i = 1; i < call->argc; i++) {
        if (!sq_adbd_faults_set(&call->phone->faults, sq_span_of(call->argv[i]),
                                &why)) {
            sq_adbd_print_error(call, 1, "squint-fault: %s. %s\n", why.message,
                                why.hint);
            return;
        }
    }
    sq_adbd_phone_touched(call->phone);
    /* A photograph is drawn now, so that no capture takes longer for it. */
    if (sq_adbd_phone_has(call->phone, SQ_ADBD_PHOTO)) {
        sq_adbd_check(call,
                      sq_adbd_phone_frame(call->phone, &frame, call->err));
    }
    sq_adbd_check(
        call, sq_adbd_faults_list(&call->phone->faults, call->out, call->err));
}

static void
run_delay(struct sq_adbd_call *call) {
    struct sq_err why = { 0 };
    call->is_control = true;
    for (int i = 1; i < call->argc && call->status == 0; i++) {
        if (!sq_adbd_delays_set(&call->phone->delays, sq_span_of(call->argv[i]),
                                &why)) {
            sq_adbd_print_error(call, 1, "squint-delay: %s. %s\n", why.message,
                                why.hint);
        }
    }
}

/* Remembers the words of a program for squint-argv, up to a limit. */
static void
keep_argv(struct sq_adbd_call *call) {
    struct sq_buf *argv = &call->phone->argv;
    struct sq_err why = { 0 };
    bool ok = true;
    sq_buf_clear(argv);
    for (int i = 0; ok && i < call->argc; i++) {
        ok = sq_buf_append(argv, call->argv[i], strlen(call->argv[i]), &why)
          && sq_buf_append(argv, "\x1f", 1, &why);
    }
    sq_adbd_ignore(call, ok, &why);
}

/* Prints the words of the program that ran last. */
static void
run_argv(struct sq_adbd_call *call) {
    call->is_control = true;
    sq_adbd_put(call, sq_buf_span(&call->phone->argv));
}

static void
run_reset(struct sq_adbd_call *call) {
    call->is_control = true;
    sq_adbd_check(call, sq_adbd_phone_reset(call->phone, call->err));
}

static const struct sq_adbd_program own_programs[] = {
    { ":", run_true, SQ_ADBD_BUILTIN },
    { "cd", run_true, SQ_ADBD_BUILTIN },
    { "exit", run_exit, SQ_ADBD_BUILTIN },
    { "export", run_true, SQ_ADBD_BUILTIN },
    { "false", run_false, SQ_ADBD_BUILTIN },
    { "set", run_true, SQ_ADBD_BUILTIN },
    { "true", run_true, SQ_ADBD_BUILTIN },
    { "wait", run_true, SQ_ADBD_BUILTIN },
    { "id", run_id, SQ_ADBD_PROGRAM },
    { "sleep", run_true, SQ_ADBD_PROGRAM },
    { "sync", run_true, SQ_ADBD_PROGRAM },
    { "whoami", run_whoami, SQ_ADBD_PROGRAM },
    { "squint-argv", run_argv, SQ_ADBD_CONTROL },
    { "squint-delay", run_delay, SQ_ADBD_CONTROL },
    { "squint-fault", run_fault, SQ_ADBD_CONTROL },
    { "squint-reset", run_reset, SQ_ADBD_CONTROL },
    { 0 },
};

static const struct sq_adbd_program *const tables[] = {
    own_programs,
    sq_adbd_app_programs,
    sq_adbd_dumpsys_programs,
    sq_adbd_clipboard_programs,
    sq_adbd_event_programs,
    sq_adbd_input_programs,
    sq_adbd_log_programs,
    sq_adbd_screen_programs,
    sq_adbd_text_programs,
    sq_adbd_setting_programs,
    sq_adbd_uiautomator_programs,
};
#define TABLES (sizeof(tables) / sizeof(tables[0]))

sq_adbd_program_fn
sq_adbd_find_row(const char *name, enum sq_adbd_kind kind) {
    for (size_t i = 0; i < TABLES; i++) {
        for (const struct sq_adbd_program *row = tables[i]; row->name; row++) {
            if (row->kind == kind && strcmp(row->name, name) == 0) {
                return row->run;
            }
        }
    }
    return NULL;
}

/* Returns the name without the folder of programs. */
static const char *
plain_name(const char *name) {
    struct sq_span plain = sq_span_of(name);
    sq_span_take_prefix(&plain, "/system/bin/");
    return plain.ptr;
}

sq_adbd_program_fn
sq_adbd_program_find(const char *name) {
    sq_adbd_program_fn found = NULL;
    for (int kind = SQ_ADBD_PROGRAM; !found && kind <= SQ_ADBD_CONTROL;
         kind++) {
        found = sq_adbd_find_row(plain_name(name), (enum sq_adbd_kind)kind);
    }
    return found;
}

bool
sq_adbd_program_is_builtin(const char *name) {
    return sq_adbd_find_row(name, SQ_ADBD_BUILTIN) != NULL;
}

bool
sq_adbd_program_is_control(const char *name) {
    return sq_adbd_find_row(plain_name(name), SQ_ADBD_CONTROL) != NULL;
}

bool
sq_adbd_run_command(struct sq_adbd_call *call,
                    const struct sq_adbd_program *rows) {
    for (; rows->name; rows++) {
        if (sq_adbd_arg_is(call, 1, rows->name)) {
            rows->run(call);
            return true;
        }
    }
    return false;
}

/* Like sq_buf_printf, but takes a va_list. */
__attribute__((format(printf, 3, 0))) static void
print_to(struct sq_adbd_call *call, struct sq_buf *out, const char *format,
         va_list args) {
    va_list again;
    uint8_t *space;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    if (sq_adbd_check(call, len >= 0
                                && sq_buf_reserve(out, (size_t)len + 1, &space,
                                                  call->err))) {
        vsnprintf((char *)space, (size_t)len + 1, format, again);
        sq_buf_commit(out, (size_t)len);
    }
    va_end(again);
}

void
sq_adbd_print(struct sq_adbd_call *call, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_to(call, call->out, format, args);
    va_end(args);
}

void
sq_adbd_print_error(struct sq_adbd_call *call, int status, const char *format,
                    ...) {
    va_list args;
    va_start(args, format);
    print_to(call, call->errors, format, args);
    va_end(args);
    call->status = status;
}

void
sq_adbd_put(struct sq_adbd_call *call, struct sq_span bytes) {
    sq_adbd_check(call,
                  sq_buf_append(call->out, bytes.ptr, bytes.len, call->err));
}

bool
sq_adbd_ignore(struct sq_adbd_call *call, bool ok, const struct sq_err *why) {
    if (!ok && why->code == SQ_ERR_NOMEM) {
        sq_adbd_check(call, sq_fail_nomem(call->err));
    }
    return ok;
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

struct sq_buf *
sq_adbd_create_file(struct sq_adbd_call *call, const char *path,
                    const char *before, const char *after) {
    struct sq_adbd_phone *phone = call->phone;
    struct sq_adbd_file *file = NULL;
    int64_t now_s = sq_phone_now_ns(phone->demo) / NS_PER_S;
    if (!sq_adbd_files_check(path, NULL)) {
        sq_adbd_print_error(call, 1, "%s%s%s\n", before, path, after);
        return NULL;
    }
    sq_adbd_check(call, sq_adbd_files_create(&phone->files, path, now_s, &file,
                                             call->err));
    return file ? &file->bytes : NULL;
}

void
sq_adbd_set_state(struct sq_adbd_call *call, const char *name,
                  const char *value) {
    struct sq_err why = { 0 };
    sq_adbd_ignore(
        call, sq_adbd_store_set(&call->phone->state, name, value, &why), &why);
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
    /* "cmd input" is what "input" runs. */
    bool is_input = argc > 1 && strcmp(argv[0], "cmd") == 0
                 && strcmp(argv[1], "input") == 0;
    const char *const names[] = {
        special,
        is_input ? "input" : argv[0],
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

void
sq_adbd_program_run(struct sq_adbd_call *call) {
    const char *name = call->argv[0];
    sq_adbd_program_fn run = sq_adbd_program_find(name);
    enum sq_adbd_ending ending =
        sq_adbd_program_ending(&call->phone->delays, call->argv, call->argc);
    if (strcmp(name, "squint-argv") != 0) {
        keep_argv(call);
    }
    if (!run) {
        sq_adbd_print_error(
            call, SQ_ADBD_NOT_FOUND,
            "/system/bin/sh: %.200s: inaccessible or not found\n", name);
    } else if (ending == SQ_ADBD_WORKS || sq_adbd_program_is_control(name)) {
        run(call);
    } else if (ending == SQ_ADBD_FAILS) {
        /* Without the service, dumpsys prints this with status 0. */
        bool is_dumpsys = strcmp(name, "dumpsys") == 0;
        bool names_service =
            call->argc > 1 && (is_dumpsys || strcmp(name, "cmd") == 0);
        sq_adbd_print_error(
            call, is_dumpsys ? 0 : NO_SERVICE, "%sCan't find service: %s\n",
            is_dumpsys ? "" : "cmd: ", names_service ? call->argv[1] : name);
    }
}
