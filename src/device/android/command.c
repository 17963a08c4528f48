/* Builds and runs commands with untrusted words. */
#include "device/android/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device/android/parse.h"

#define MAX_COMMAND ((size_t)60 << 10)

/* Appends the value of one conversion, whose letter is `kind`. */
static bool
put_value(struct sq_command *command, char kind, va_list *values) {
    struct sq_buf *text = &command->text;
    struct sq_err *err = &command->err;
    switch (kind) {
    case 'q':
        return sq_shell_quote(text, sq_span_of(va_arg(*values, const char *)),
                              err);
    case 's':
        return sq_buf_printf(text, err, "%s", va_arg(*values, const char *));
    case 'd':
        return sq_buf_printf(text, err, "%d", va_arg(*values, int));
    default:
        return sq_buf_printf(text, err, "%.10g", va_arg(*values, double));
    }
}

static void
put(struct sq_command *command, const char *format, va_list *values) {
    bool ok = command->err.code == SQ_ERR_NONE;
    while (ok && *format) {
        size_t len = strcspn(format, "%");
        ok = sq_buf_append(&command->text, format, len, &command->err);
        format += len;
        if (ok && strncmp(format, "%.*q", 4) == 0) {
            int count = va_arg(*values, int);
            struct sq_span word = { va_arg(*values, const char *),
                                    (size_t)count };
            ok = sq_shell_quote(&command->text, word, &command->err);
            format += 4;
        } else if (ok && *format) {
            ok = put_value(command, format[1], values);
            format += 2;
        }
    }
}

void
sq_command_begin(struct sq_command *command, struct sq_android *android,
                 const struct sq_deadline *deadline) {
    *command = (struct sq_command){ .android = android, .deadline = deadline };
    sq_buf_init(&command->text, MAX_COMMAND);
    sq_adb_output_init(&command->output, SQ_ANDROID_MAX_OUTPUT);
}

void
sq_command_finish(struct sq_command *command) {
    sq_buf_finish(&command->text);
    sq_adb_output_finish(&command->output);
}

void
sq_command_add(struct sq_command *command, const char *format, ...) {
    va_list values;
    va_start(values, format);
    put(command, format, &values);
    va_end(values);
}

bool
sq_command_ask(struct sq_command *command, struct sq_err *err) {
    bool ok =
        command->err.code
            ? sq_fail_with(err, &command->err)
            : sq_adb_run(&command->android->link, sq_buf_span(&command->text),
                         &command->output, command->deadline, err);
    command->reply = sq_buf_span(&command->output.out);
    return ok;
}

bool
sq_command_run(struct sq_command *command, struct sq_err *err) {
    command->output.is_action = true;
    command->android->display_cache.at_ns = 0;
    sq_idle_forget(&command->android->idle);
    return sq_command_ask(command, err);
}

bool
sq_command_say(struct sq_command *command, struct sq_err *err) {
    struct sq_adb_output *output = &command->output;
    bool ok = sq_command_run(command, err)
           && sq_buf_append(&output->out, output->errors.data,
                            output->errors.len, err);
    command->reply = sq_buf_span(&output->out);
    return ok;
}

bool
sq_fail_android(const char *what, struct sq_span reply, struct sq_err *err) {
    char excerpt[SQ_EXCERPT_SIZE];
    struct sq_span line;
    struct sq_span rest = reply;
    /* A stack trace begins with an empty line and the name of the command. */
    while (sq_reply_take(&rest, &line)) {
        if (sq_span_find(line, "Exception:") || sq_span_find(line, "Error:")
            || sq_span_find(line, "Failure")) {
            reply = line;
            break;
        }
    }
    sq_reply_excerpt(reply, excerpt);
    sq_fail_quoting(err, SQ_ERR_IO, "Android did not %s (it said: %s)", what,
                    excerpt);
    return sq_fail_hint(err, "docs/android.md lists what works on which "
                             "version of Android.");
}

bool
sq_command_fail(const struct sq_command *command, const char *what,
                struct sq_err *err) {
    struct sq_span errors = sq_buf_span(&command->output.errors);
    return sq_fail_android(what, errors.len > 0 ? errors : command->reply, err);
}

bool
sq_command_confirm(struct sq_command *command, const char *what,
                   const char *expected, struct sq_err *err) {
    static const char *const failures[] = {
        "Exception",       "Error",
        "Failure",         "Can't find service",
        "Unknown command", "No shell command implementation",
    };
    bool ok = sq_command_say(command, err);
    struct sq_span reply = command->reply;
    bool is_done =
        command->output.status == 0
        && (!expected
            || (sq_span_trim(reply).len > 0 && sq_span_find(reply, expected)));
    for (size_t i = 0; i < SQ_COUNT(failures); i++) {
        is_done = is_done && !sq_span_find(reply, failures[i]);
    }
    return ok && (is_done || sq_fail_android(what, reply, err));
}

/* A single quote inside quotes: close, add an escaped quote, reopen. */
#define QUOTE "'\\''"

bool
sq_shell_quote(struct sq_buf *out, struct sq_span text, struct sq_err *err) {
    const size_t start = out->len;
    struct sq_span rest = text;
    struct sq_span piece;
    if (sq_span_contains(text, '\0')) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "the text contains NUL");
    }
    bool ok = sq_buf_append(out, "'", 1, err);
    while (ok && sq_span_take_until(&rest, '\'', &piece)) {
        ok = sq_buf_append(out, piece.ptr, piece.len, err)
          && sq_buf_append(out, QUOTE, sizeof(QUOTE) - 1, err);
    }
    ok = ok && sq_buf_append(out, rest.ptr, rest.len, err)
      && sq_buf_append(out, "'", 1, err);
    if (!ok) {
        sq_buf_clear(out);
        sq_buf_commit(out, start);
    }
    return ok;
}

#define FILE_COMMAND_SIZE 400

void
sq_android_file_path(const struct sq_android *android, unsigned number,
                     char out[SQ_ANDROID_PATH_SIZE]) {
    snprintf(out, SQ_ANDROID_PATH_SIZE, "%s/squint-%.12s-%u.xml",
             android->files_on_sdcard ? "/sdcard" : "/data/local/tmp",
             android->file_name, number);
}

/* Reads the file, if there is one, and removes it in any case. */
static bool
pull_and_remove(struct sq_android *android, const char *path,
                struct sq_adb_output *out, const struct sq_deadline *deadline,
                struct sq_err *err) {
    char command[FILE_COMMAND_SIZE];
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output unused = { 0 };
    struct sq_err local_err = { 0 };
    bool ok = sq_adb_pull(&android->link, path, out, deadline, &local_err);
    if (!ok && local_err.code != SQ_ERR_NOT_FOUND) {
        return sq_fail_with(err, &local_err);
    }
    snprintf(command, sizeof(command), "rm %s 2>/dev/null", path);
    return sq_android_run(android, command, &unused, deadline, err);
}

bool
sq_android_run_to_file(struct sq_android *android, const char *command,
                       struct sq_adb_output *output,
                       const struct sq_deadline *deadline, struct sq_err *err) {
    char path[SQ_ANDROID_PATH_SIZE];
    char whole[FILE_COMMAND_SIZE];
    sq_android_file_path(android, 0, path);
    /* Remove an old file, which would be taken for this command's output. */
    snprintf(whole, sizeof(whole), "rm %s 2>/dev/null;%s %s", path, command,
             path);
    if (!sq_adb_run(&android->link, sq_span_of(whole), output, deadline, err)) {
        return false;
    }
    struct sq_buf messages = output->out;
    sq_buf_finish(&output->errors);
    output->errors = messages;
    sq_buf_init(&output->out, messages.max);
    output->expected_max = 0; /* was measured for the messages */
    return pull_and_remove(android, path, output, deadline, err);
}
