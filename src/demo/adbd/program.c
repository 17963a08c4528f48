/*
 * Finds programs, and runs those that belong to the shell and to the phone, and
 * those of toybox for text and files: echo, cat, rm, ls, grep, gzip.
 */
#include "demo/adbd/program.h"

#include <libdeflate.h>
#include <math.h>
#include <stdio.h>

#define GZIP_LEVEL 6
#define MAX_SLEEP_S 3600
#define NO_SERVICE 20 /* status of cmd */
#define NS_PER_S 1000000000

static void
print_not_found(struct sq_adbd_call *call, const char *path) {
    sq_adbd_fail(call, 1, "%s: %s: %s\n", call->argv[0], path,
                 sq_adbd_files_is_folder(path) ? "Is a directory"
                                               : "No such file or directory");
}

static void
run_echo(struct sq_adbd_call *call) {
    bool is_bare = sq_adbd_arg_is(call, 1, "-n");
    for (int i = 1 + is_bare; i < call->argc; i++) {
        sq_adbd_put(call, sq_span_of(call->argv[i]));
        sq_adbd_put(call, i + 1 < call->argc ? SQ_SPAN(" ") : SQ_SPAN(""));
    }
    sq_adbd_put(call, is_bare ? SQ_SPAN("") : SQ_SPAN("\n"));
}

static void
run_cat(struct sq_adbd_call *call) {
    for (int i = 1; i < call->argc; i++) {
        const struct sq_adbd_file *file =
            sq_adbd_files_find(&call->phone->files, call->argv[i]);
        if (sq_adbd_arg_is(call, i, "-")) {
            sq_adbd_put(call, call->input);
        } else if (file) {
            sq_adbd_put(call, sq_buf_span(&file->bytes));
        } else if (!sq_adbd_arg_is(call, i, "/dev/null")) {
            print_not_found(call, call->argv[i]);
        }
    }
    if (call->argc == 1) {
        sq_adbd_put(call, call->input);
    }
}

static void
run_rm(struct sq_adbd_call *call) {
    bool force = false;
    for (int i = 1; i < call->argc; i++) {
        if (call->argv[i][0] == '-') {
            force = force || strchr(call->argv[i], 'f');
        } else if (!sq_adbd_files_remove(&call->phone->files, call->argv[i])
                   && (!force || sq_adbd_files_is_folder(call->argv[i]))) {
            print_not_found(call, call->argv[i]);
        }
    }
}

static void
list_file(struct sq_adbd_call *call, const struct sq_adbd_file *file,
          bool is_long, const char *name) {
    if (is_long) {
        sq_adbd_print(call, "-rw-rw---- 1 shell sdcard_rw %zu ",
                      file->bytes.len);
    }
    sq_adbd_print(call, "%s\n", name);
}

static void
list_path(struct sq_adbd_call *call, const char *path, bool is_long) {
    const struct sq_adbd_files *files = &call->phone->files;
    const struct sq_adbd_file *file = sq_adbd_files_find(files, path);
    if (file) {
        list_file(call, file, is_long, path);
    } else if (!sq_adbd_files_is_folder(path)) {
        print_not_found(call, path);
    }
    for (file = sq_adbd_files_in(files, path, NULL); file;
         file = sq_adbd_files_in(files, path, file)) {
        list_file(call, file, is_long, sq_adbd_file_name(file));
    }
}

static void
run_ls(struct sq_adbd_call *call) {
    bool is_long = false;
    for (int i = 1; i < call->argc; i++) {
        if (call->argv[i][0] == '-') {
            is_long = is_long || strchr(call->argv[i], 'l');
        } else {
            list_path(call, call->argv[i], is_long);
        }
    }
}

static bool
contains(struct sq_span line, struct sq_span word, bool ignores_case) {
    for (size_t at = 0; at + word.len <= line.len; at++) {
        size_t same = 0;
        while (same < word.len
               && (line.ptr[at + same] == word.ptr[same]
                   || (ignores_case
                       && sq_ascii_lower(line.ptr[at + same])
                              == sq_ascii_lower(word.ptr[same])))) {
            same++;
        }
        if (same == word.len) {
            return true;
        }
    }
    return false;
}

/* The pattern has alternatives separated by | or \|. */
static bool
matches(struct sq_span line, const char *pattern, bool ignores_case) {
    struct sq_span rest = sq_span_of(pattern);
    bool found = false;
    bool more = true;
    while (!found && more) {
        struct sq_span word = rest;
        more = sq_span_take_until(&rest, '|', &word);
        word.len -= more && word.len && word.ptr[word.len - 1] == '\\';
        found = contains(line, word, ignores_case);
    }
    return found;
}

/* Supports plain words, not regular expressions: enough for dumpsys output. */
static void
run_grep(struct sq_adbd_call *call) {
    const char *pattern = NULL;
    const char *path = NULL;
    bool inverts = false;
    bool ignores_case = false;
    struct sq_span line;
    for (int i = 1; i < call->argc; i++) {
        const char *arg = call->argv[i];
        if (arg[0] == '-' && !pattern) {
            inverts = inverts || strchr(arg, 'v');
            ignores_case = ignores_case || strchr(arg, 'i');
        } else {
            *(pattern ? &path : &pattern) = arg;
        }
    }
    if (!pattern) {
        sq_adbd_fail(call, 2, "grep: no pattern\n");
        return;
    }
    const struct sq_adbd_file *file =
        path ? sq_adbd_files_find(&call->phone->files, path) : NULL;
    struct sq_span text = file ? sq_buf_span(&file->bytes) : call->input;
    if (path && !file) {
        print_not_found(call, path);
        return;
    }
    call->status = 1;
    while (sq_span_take_line(&text, &line)) {
        if (matches(line, pattern, ignores_case) != inverts) {
            call->status = 0;
            sq_adbd_put(call, line);
            sq_adbd_put(call, SQ_SPAN("\n"));
        }
    }
}

/* Compresses stdin to stdout, as Android's does since version 8. */
static void
compress(struct sq_adbd_call *call, int level) {
    struct libdeflate_compressor *compressor =
        libdeflate_alloc_compressor(level);
    uint8_t *space;
    if (!compressor) {
        sq_adbd_check(call, sq_fail_nomem(call->err));
        return;
    }
    size_t bound = libdeflate_gzip_compress_bound(compressor, call->input.len);
    if (sq_adbd_check(call,
                      sq_buf_reserve(call->out, bound, &space, call->err))) {
        sq_buf_commit(call->out,
                      libdeflate_gzip_compress(
                          compressor, call->input.len ? call->input.ptr : "",
                          call->input.len, space, bound));
    }
    libdeflate_free_compressor(compressor);
}

static void
run_gzip(struct sq_adbd_call *call) {
    int level = GZIP_LEVEL;
    if (sq_adbd_has(call, SQ_ADBD_NO_GZIP)) {
        sq_adbd_fail(call, SQ_ADBD_NOT_FOUND,
                     "/system/bin/sh: gzip: inaccessible or not found\n");
        return;
    }
    for (int i = 1; i < call->argc; i++) {
        const char *word = call->argv[i];
        if (word[0] == '-' && word[1] >= '1' && word[1] <= '9' && !word[2]) {
            level = word[1] - '0';
        } else if (strcmp(word, "-c") != 0) {
            sq_adbd_fail(call, 1, "gzip: only -1 to -9 and -c are known\n");
            return;
        }
    }
    compress(call, level);
}

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
        if (!(is_delay
                  ? sq_adbd_delays_set(&phone->options.delays, text, call->err)
                  : sq_adbd_faults_set(&phone->options.faults, text,
                                       call->err))) {
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
    sq_adbd_check(call, (!sq_adbd_has(call, SQ_ADBD_PHOTO)
                         || sq_adbd_phone_frame(phone, &frame, call->err))
                            && sq_adbd_faults_list(&phone->options.faults,
                                                   call->out, call->err));
}

/* Remembers the words of a program for squint-argv, up to a limit. */
static void
keep_argv(struct sq_adbd_call *call, const char *const *argv) {
    struct sq_buf *kept = &call->phone->argv;
    bool ok = true;
    sq_buf_clear(kept);
    for (; ok && *argv; argv++) {
        ok = sq_buf_printf(kept, call->err, "%s\x1f", *argv);
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
    { "echo", run_echo, SQ_ADBD_BUILTIN },
    { "exit", run_exit, SQ_ADBD_BUILTIN },
    { "export", run_true, SQ_ADBD_BUILTIN },
    { "false", run_false, SQ_ADBD_BUILTIN },
    { "set", run_true, SQ_ADBD_BUILTIN },
    { "true", run_true, SQ_ADBD_BUILTIN },
    { "wait", run_true, SQ_ADBD_BUILTIN },
    { "cat", run_cat, SQ_ADBD_PROGRAM },
    { "grep", run_grep, SQ_ADBD_PROGRAM },
    { "gzip", run_gzip, SQ_ADBD_PROGRAM },
    { "id", run_id, SQ_ADBD_PROGRAM },
    { "ls", run_ls, SQ_ADBD_PROGRAM },
    { "rm", run_rm, SQ_ADBD_PROGRAM },
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
    sq_adbd_event_programs,
    sq_adbd_input_programs,
    sq_adbd_screen_programs,
    sq_adbd_setting_programs,
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
        sq_adbd_program_delay(&call->phone->options.delays, call->argv,
                              call->argc)
            .ending;
    const char *const *argv = call->argv;
    call->is_control = row && row->kind == SQ_ADBD_CONTROL;
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
    if (!call->goes_on && (!row || row->run != run_argv)) {
        keep_argv(call, argv);
    }
}
