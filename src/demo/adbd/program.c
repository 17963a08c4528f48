/* Finds programs, and runs those that belong to the shell and to the phone. */
#include "demo/adbd/program.h"

#include <math.h>
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
    bool is_root = sq_adbd_has(call, SQ_ADBD_ROOT);
    sq_adbd_print(call, "%s",
                  strcmp(call->argv[0], "whoami") == 0 ? "shell\n"
                  : is_root
                      ? "uid=0(root) gid=0(root) groups=0(root) "
                        "context=u:r:su:s0\n"
                      : "uid=2000(shell) gid=2000(shell) "
                        "groups=2000(shell),1004(input),1007(log),"
                        "1011(adb),1015(sdcard_rw) context=u:r:shell:s0\n");
}

/*
 * Sets faults (squint-fault) or delays (squint-delay) at run time. Lists the
 * faults.
 */
static void
run_set(struct sq_adbd_call *call) {
    struct sq_adbd_phone *phone = call->phone;
    bool is_delay = strstr(call->argv[0], "delay") != NULL;
    struct sq_span frame;
    for (int i = 1; i < call->argc && call->status == 0; i++) {
        struct sq_span text = sq_span_of(call->argv[i]);
        if (!(is_delay ? sq_adbd_delays_set(&phone->delays, text, call->err)
                       : sq_adbd_faults_set(&phone->faults, text, call->err))) {
            sq_adbd_fail(call, 1, "%s: %s. %s\n", call->argv[0],
                         call->err->message, call->err->hint);
            sq_adbd_ignore(call, false);
        }
    }
    if (is_delay || call->status != 0) {
        return;
    }
    sq_adbd_phone_touched(phone);
    /* A photograph is drawn now, so that no capture takes longer for it. */
    sq_adbd_check(
        call, (!sq_adbd_has(call, SQ_ADBD_PHOTO)
               || sq_adbd_phone_frame(phone, &frame, call->err))
                  && sq_adbd_faults_list(&phone->faults, call->out, call->err));
}

/* Remembers the words of a program for squint-argv, up to a limit. */
static void
keep_argv(struct sq_adbd_call *call) {
    struct sq_buf *argv = &call->phone->argv;
    bool ok = true;
    sq_buf_clear(argv);
    for (int i = 0; ok && i < call->argc; i++) {
        ok = sq_buf_printf(argv, call->err, "%s\x1f", call->argv[i]);
    }
    sq_adbd_ignore(call, ok);
}

/* Prints the words of the program that ran last. */
static void
run_argv(struct sq_adbd_call *call) {
    sq_adbd_put(call, sq_buf_span(&call->phone->argv));
}

static void
run_reset(struct sq_adbd_call *call) {
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
    { "whoami", run_id, SQ_ADBD_PROGRAM },
    { "squint-argv", run_argv, SQ_ADBD_CONTROL },
    { "squint-delay", run_set, SQ_ADBD_CONTROL },
    { "squint-fault", run_set, SQ_ADBD_CONTROL },
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

const struct sq_adbd_program *
sq_adbd_find(const char *name, enum sq_adbd_kind first,
             enum sq_adbd_kind last) {
    for (size_t i = 0; i < SQ_COUNT(tables); i++) {
        for (const struct sq_adbd_program *row = tables[i]; row->name; row++) {
            if (row->kind >= first && row->kind <= last
                && strcmp(row->name, name) == 0) {
                return row;
            }
        }
    }
    return NULL;
}

const struct sq_adbd_program *
sq_adbd_program_find(const char *name) {
    struct sq_span plain = sq_span_of(name);
    sq_span_take_prefix(&plain, "/system/bin/");
    return sq_adbd_find(plain.ptr, SQ_ADBD_PROGRAM, SQ_ADBD_CONTROL);
}

bool
sq_adbd_is(const char *name, enum sq_adbd_kind kind) {
    /* A path names a program, never a command of the shell. */
    const struct sq_adbd_program *row = sq_adbd_program_find(name);
    return row && row->kind == kind
        && (kind != SQ_ADBD_BUILTIN || strcmp(row->name, name) == 0);
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

void
sq_adbd_put(struct sq_adbd_call *call, struct sq_span bytes) {
    sq_adbd_check(call,
                  sq_buf_append(call->out, bytes.ptr, bytes.len, call->err));
}

bool
sq_adbd_ignore(struct sq_adbd_call *call, bool ok) {
    call->failed = call->failed || (!ok && call->err->code == SQ_ERR_NOMEM);
    if (!ok && !call->failed) {
        sq_err_clear(call->err);
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
        sq_adbd_fail(call, 1, "%s%s%s\n", before, path, after);
        return NULL;
    }
    sq_adbd_check(call, sq_adbd_files_create(&phone->files, path, now_s, &file,
                                             call->err));
    return file ? &file->bytes : NULL;
}

void
sq_adbd_set_state(struct sq_adbd_call *call, const char *name,
                  const char *value) {
    sq_adbd_ignore(
        call, sq_adbd_store_set(&call->phone->state, name, value, call->err));
}

struct sq_adbd_delay
sq_adbd_program_delay(const struct sq_adbd_delays *delays,
                      const char *const *argv, int argc) {
    struct sq_adbd_delay delay = { .ending = SQ_ADBD_WORKS };
    char special[SQ_ADBD_NAME_SIZE] = "";
    double seconds = 0;
    if (strcmp(argv[0], "screencap") == 0) {
        snprintf(special, sizeof(special), "screencap%s",
                 sq_adbd_screencap_form(argv, argc));
    } else if (argc > 1) {
        snprintf(special, sizeof(special), "%.15s-%.15s", argv[0], argv[1]);
    }
    /* "cmd input" is what "input" runs. */
    bool is_input = strcmp(special, "cmd-input") == 0;
    const char *const names[] = {
        special,
        is_input ? "input" : argv[0],
        argv[0],
        sq_adbd_is(argv[0], SQ_ADBD_BUILTIN) ? "" : "program",
    };
    const struct sq_adbd_delay *found = NULL;
    for (size_t i = 0; !found && i < SQ_COUNT(names); i++) {
        found = sq_adbd_delay_of(delays, names[i]);
    }
    if (found) {
        delay = *found;
    }
    if (argc > 1 && strcmp(argv[0], "sleep") == 0
        && sq_span_to_double(sq_span_of(argv[1]), &seconds) && seconds > 0) {
        delay.ms += (int)lrint(fmin(seconds, MAX_SLEEP_S) * 1000);
    }
    return delay;
}

void
sq_adbd_program_run(struct sq_adbd_call *call) {
    const char *name = call->argv[0];
    const struct sq_adbd_program *row = sq_adbd_program_find(name);
    enum sq_adbd_ending ending =
        sq_adbd_program_delay(&call->phone->delays, call->argv, call->argc)
            .ending;
    call->is_control = row && row->kind == SQ_ADBD_CONTROL;
    if (!row || row->run != run_argv) {
        keep_argv(call);
    }
    if (!row) {
        sq_adbd_fail(call, SQ_ADBD_NOT_FOUND,
                     "/system/bin/sh: %.200s: inaccessible or not found\n",
                     name);
    } else if (ending == SQ_ADBD_WORKS || call->is_control) {
        row->run(call);
    } else if (ending == SQ_ADBD_FAILS) {
        /* Without the service, dumpsys prints this with status 0. */
        bool is_dumpsys = strcmp(name, "dumpsys") == 0;
        bool names_service =
            call->argc > 1 && (is_dumpsys || strcmp(name, "cmd") == 0);
        sq_adbd_fail(
            call, is_dumpsys ? 0 : NO_SERVICE, "%sCan't find service: %s\n",
            is_dumpsys ? "" : "cmd: ", names_service ? call->argv[1] : name);
    }
}
