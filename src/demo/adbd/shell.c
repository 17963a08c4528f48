/* Runs shell scripts on the phone, one program at a time. */
#include "demo/adbd/shell.h"

#include <stdio.h>

#include "demo/adbd/program.h"

#define MAX_SCRIPT_BYTES ((size_t)1 << 20)
#define MAX_WORD_BYTES ((size_t)16 << 20)
#define MAX_OUTPUT_BYTES SQ_ADBD_MAX_FILE_BYTES
#define STEP_MS 20 /* of a program that goes on */
#define NS_PER_MS 1000000
#define NS_PER_S 1000000000
#define NAME "/system/bin/sh: "

void
sq_adbd_shell_init(struct sq_adbd_shell *shell, struct sq_adbd_phone *phone) {
    *shell = (struct sq_adbd_shell){ .phone = phone, .is_done = true };
    sq_buf_init(&shell->script, MAX_SCRIPT_BYTES);
    sq_buf_init(&shell->command.text, MAX_WORD_BYTES);
    sq_buf_init(&shell->pointers, MAX_WORD_BYTES);
    sq_buf_init(&shell->piped, MAX_OUTPUT_BYTES);
    sq_buf_init(&shell->out, MAX_OUTPUT_BYTES);
    sq_buf_init(&shell->errors, MAX_OUTPUT_BYTES);
}

void
sq_adbd_shell_finish(struct sq_adbd_shell *shell) {
    sq_buf_finish(&shell->errors);
    sq_buf_finish(&shell->out);
    sq_buf_finish(&shell->piped);
    sq_buf_finish(&shell->pointers);
    sq_buf_finish(&shell->command.text);
    sq_buf_finish(&shell->script);
    sq_adbd_store_finish(&shell->variables);
}

static bool
print_error(const struct sq_adbd_sink *sink, struct sq_err *err,
            const char *what) {
    char line[SQ_ERR_MESSAGE_SIZE + sizeof(NAME) + 1];
    snprintf(line, sizeof(line), NAME "%s\n", what);
    return sink->write(sink->context, 2, sq_span_of(line), err);
}

static void
rewind_script(struct sq_adbd_shell *shell) {
    shell->rest = sq_span_trim(sq_buf_span(&shell->script));
    shell->command.end = SQ_SH_NEXT;
}

bool
sq_adbd_shell_start(struct sq_adbd_shell *shell, struct sq_span script,
                    struct sq_err *err) {
    struct sq_err local_err = { 0 };
    sq_buf_clear(&shell->script);
    bool is_text =
        script.len <= MAX_SCRIPT_BYTES && !sq_span_contains(script, '\0');
    if (is_text
        && !sq_buf_append(&shell->script, script.ptr, script.len, err)) {
        return false;
    }
    /* Nothing of a script runs if any of it is invalid. */
    rewind_script(shell);
    bool ok = is_text
           || sq_fail(&local_err, SQ_ERR_FORMAT, "syntax error: not a script");
    while (ok && shell->command.end != SQ_SH_END) {
        ok = sq_sh_read(shell, &local_err);
    }
    if (local_err.code == SQ_ERR_NOMEM) {
        return sq_fail_nomem(err);
    }
    rewind_script(shell);
    shell->argv = NULL;
    shell->is_done = false;
    if (local_err.code == SQ_ERR_FORMAT) {
        snprintf(shell->syntax_error, sizeof(shell->syntax_error), "%s",
                 local_err.message);
        shell->status = 1;
    } else {
        shell->is_done = shell->rest.len == 0;
    }
    return true;
}

static bool
is_nowhere(const char *path) {
    return strcmp(path, "/dev/null") == 0;
}

/* Creates a redirected file. Fails with the message that the shell prints. */
static bool
create_file(struct sq_adbd_phone *phone, const struct sq_sh_target *to,
            struct sq_err *err) {
    struct sq_adbd_file *file;
    if (!to->path[0] || is_nowhere(to->path)
        || (to->appends && sq_adbd_files_find(&phone->files, to->path))) {
        return true;
    }
    return sq_adbd_files_check(to->path, NULL)
             ? sq_adbd_files_create(&phone->files, to->path,
                                    sq_phone_now_ns(phone->demo) / NS_PER_S,
                                    &file, err)
             : sq_fail(err, SQ_ERR_NOT_FOUND,
                       "can't create %.200s: Read-only file system", to->path);
}

static bool
open_files(struct sq_adbd_shell *shell, struct sq_span *input,
           struct sq_err *err) {
    const char *path = shell->command.to[0].path;
    *input = shell->piped.len > 0 ? sq_buf_span(&shell->piped) : shell->input;
    if (path[0]) {
        const struct sq_adbd_file *file =
            sq_adbd_files_find(&shell->phone->files, path);
        *input = file ? sq_buf_span(&file->bytes) : (struct sq_span){ 0 };
        if (!file && !is_nowhere(path)) {
            return sq_fail(err, SQ_ERR_NOT_FOUND,
                           "can't open %.200s: No such file or directory",
                           path);
        }
    }
    return shell->goes_on
        || (create_file(shell->phone, &shell->command.to[1], err)
            && create_file(shell->phone, &shell->command.to[2], err));
}

static bool
write_to(struct sq_adbd_shell *shell, const struct sq_sh_target *to,
         struct sq_span bytes, const struct sq_adbd_sink *sink,
         struct sq_err *err) {
    if (bytes.len == 0) {
        return true;
    }
    if (!to->path[0]) {
        return to->fd == 1 && shell->command.end == SQ_SH_PIPE
                 ? sq_buf_append(&shell->piped, bytes.ptr, bytes.len, err)
                 : sink->write(sink->context, to->fd, bytes, err);
    }
    struct sq_err local_err = { 0 };
    struct sq_adbd_file *file =
        sq_adbd_files_find(&shell->phone->files, to->path);
    if (!file
        || sq_buf_append(&file->bytes, bytes.ptr, bytes.len, &local_err)) {
        return true;
    }
    shell->status = 1;
    return local_err.code == SQ_ERR_LIMIT
             ? print_error(sink, err, "write: No space left on device")
             : sq_fail_nomem(err);
}

/* Returns whether stdout and stderr go to the same place. */
static bool
is_merged(const struct sq_adbd_shell *shell, const struct sq_adbd_sink *sink) {
    const struct sq_sh_target *out = &shell->command.to[1];
    const struct sq_sh_target *errors = &shell->command.to[2];
    bool goes_to_sink =
        !out->path[0] && (out->fd == 2 || shell->command.end != SQ_SH_PIPE);
    return strcmp(out->path, errors->path) == 0
        && (out->fd == errors->fd || (sink->merges && goes_to_sink));
}

static bool
run_program(struct sq_adbd_shell *shell, struct sq_span input,
            const struct sq_adbd_sink *sink, int64_t now_ns,
            struct sq_err *err) {
    const struct sq_sh_target *to = shell->command.to;
    struct sq_adbd_call call = {
        .phone = shell->phone,
        .argv = shell->argv,
        .argc = shell->argc,
        .input = input,
        .now_ns = now_ns,
        .seen = shell->seen,
        .ends_ns = shell->ends_ns,
        .out = &shell->out,
        .errors = is_merged(shell, sink) ? &shell->out : &shell->errors,
        .err = err,
    };
    call.phone->demo->locked = sq_adbd_phone_has(call.phone, SQ_ADBD_PIN);
    if (!shell->goes_on) {
        sq_adbd_keys_arrive(&call);
    }
    sq_adbd_check(&call, sq_adbd_phone_react(call.phone, err));
    if (!call.failed) {
        sq_adbd_program_run(&call);
    }
    shell->status = call.status;
    shell->goes_on = call.goes_on;
    shell->seen = call.goes_on ? call.seen : 0;
    sq_adbd_note_events(shell->phone, now_ns);
    /* The input may point into the pipe that is filled next. */
    sq_buf_clear(&shell->piped);
    bool ok = !call.failed
           && write_to(shell, &to[2], sq_buf_span(&shell->errors), sink, err)
           && write_to(shell, &to[1], sq_buf_span(&shell->out), sink, err)
           && write_to(shell, &to[1], call.large, sink, err);
    shell->exited = shell->exited || call.exits;
    shell->is_control = shell->is_control || call.is_control;
    sq_buf_clear(&shell->out);
    sq_buf_clear(&shell->errors);
    return ok;
}

static bool
run_command(struct sq_adbd_shell *shell, const struct sq_adbd_sink *sink,
            int64_t now_ns, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_span input;
    if (!open_files(shell, &input, &local_err)) {
        sq_buf_clear(&shell->piped);
        shell->status = 1;
        return local_err.code == SQ_ERR_NOMEM
                 ? sq_fail_nomem(err)
                 : print_error(sink, err, local_err.message);
    }
    if (shell->argc == 0) {
        shell->status = 0;
        sq_buf_clear(&shell->piped);
        bool ok = true;
        for (int i = 0; ok && i < shell->command.assignments; i++) {
            char name[SQ_ADBD_STORE_NAME_SIZE];
            struct sq_span value = sq_span_of(shell->argv[i]);
            struct sq_span before;
            sq_span_take_until(&value, '=', &before);
            snprintf(name, sizeof(name), "%.*s", SQ_SPAN_ARGS(before));
            ok = sq_adbd_store_set(&shell->variables, name, value.ptr, err);
        }
        return ok;
    }
    return run_program(shell, input, sink, now_ns, err);
}

static void
end_command(struct sq_adbd_shell *shell) {
    if (shell->negates && shell->command.end != SQ_SH_PIPE && !shell->skips) {
        shell->status = !shell->status;
    }
    if (shell->command.end == SQ_SH_BACKGROUND && !shell->skips) {
        shell->status = 0;
    }
    shell->argv = NULL;
    shell->is_done = shell->exited || shell->rest.len == 0;
}

/* Starts the current command. Returns how long it waits before it runs. */
static int64_t
start_ms(struct sq_adbd_shell *shell) {
    const struct sq_adbd_delays *delays = &shell->phone->options.delays;
    bool is_first = shell->programs == 0;
    if (shell->argc > 0 && sq_adbd_is(shell->argv[0], SQ_ADBD_CONTROL)) {
        return 0;
    }
    shell->programs += is_first;
    int64_t ms = is_first ? sq_adbd_delay_ms(delays, "shell", 0) : 0;
    if (shell->argc > 0) {
        shell->programs += !sq_adbd_is(shell->argv[0], SQ_ADBD_BUILTIN);
        ms += sq_adbd_program_delay(delays, shell->argv, shell->argc).ms;
    }
    return ms;
}

static void
skip_words(struct sq_adbd_shell *shell, int count) {
    shell->argv += count;
    shell->argc -= count;
}

/* Sets argv, without "exec", "timeout" and assignments before a program. */
static bool
make_argv(struct sq_adbd_shell *shell, int64_t now_ns, struct sq_err *err) {
    const struct sq_sh_command *command = &shell->command;
    const char *word = (const char *)command->text.data;
    uint8_t *space;
    int64_t seconds;
    sq_buf_clear(&shell->pointers);
    if (!sq_buf_reserve(&shell->pointers,
                        ((size_t)command->words + 1) * sizeof(word), &space,
                        err)) {
        return false;
    }
    const char **argv = (const char **)(void *)space;
    for (int i = 0; i < command->words; i++) {
        argv[i] = word;
        word += strlen(word) + 1;
    }
    argv[command->words] = NULL;
    shell->argv = argv;
    shell->argc = command->words - command->assignments;
    shell->ends_ns = 0;
    if (shell->argc > 0) {
        shell->argv += command->assignments;
    }
    if (shell->argc > 1 && strcmp(shell->argv[0], "exec") == 0) {
        skip_words(shell, 1);
    }
    if (shell->argc > 2 && strcmp(shell->argv[0], "timeout") == 0
        && sq_span_to_int64(sq_span_of(shell->argv[1]), &seconds)) {
        shell->ends_ns = now_ns + seconds * 1000 * NS_PER_MS;
        skip_words(shell, 2);
    }
    return true;
}

/* Reads the next command and decides whether and when it runs. */
static bool
prepare(struct sq_adbd_shell *shell, int64_t now_ns, struct sq_err *err) {
    enum sq_sh_end before = shell->command.end;
    if (shell->argv) {
        return true;
    }
    if (!sq_sh_read(shell, err) || !make_argv(shell, now_ns, err)) {
        return false;
    }
    if (before != SQ_SH_PIPE) {
        shell->negates = shell->argc > 1 && strcmp(shell->argv[0], "!") == 0;
        skip_words(shell, shell->negates);
        shell->skips = (before == SQ_SH_AND && shell->status != 0)
                    || (before == SQ_SH_OR && shell->status == 0);
    }
    if (shell->skips) {
        return true;
    }
    shell->due_ns = now_ns;
    shell->due_ns += start_ms(shell) * NS_PER_MS;
    return true;
}

bool
sq_adbd_shell_advance(struct sq_adbd_shell *shell, int64_t now_ns,
                      const struct sq_adbd_sink *sink, int64_t *wake_ns,
                      struct sq_err *err) {
    *wake_ns = INT64_MAX;
    if (shell->syntax_error[0]) {
        bool printed = print_error(sink, err, shell->syntax_error);
        shell->syntax_error[0] = '\0';
        shell->is_done = true;
        return printed;
    }
    while (!shell->is_done) {
        if (!prepare(shell, now_ns, err)) {
            return false;
        }
        if (shell->skips) {
            end_command(shell);
            continue;
        }
        if (shell->due_ns > now_ns) {
            *wake_ns = shell->due_ns;
            return true;
        }
        if (!run_command(shell, sink, now_ns, err)) {
            return false;
        }
        if (shell->goes_on) {
            shell->due_ns = now_ns + STEP_MS * NS_PER_MS;
        } else {
            end_command(shell);
        }
    }
    return true;
}
