/* Builds and runs commands with untrusted words. */
#include "device/android/command.h"

#include <stdarg.h>
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
sq_command_begin(struct sq_command *command, const char *format, ...) {
    va_list values;
    *command = (struct sq_command){ 0 };
    sq_buf_init(&command->text, MAX_COMMAND);
    va_start(values, format);
    put(command, format, &values);
    va_end(values);
}

void
sq_command_add(struct sq_command *command, const char *format, ...) {
    va_list values;
    va_start(values, format);
    put(command, " ", &values);
    put(command, format, &values);
    va_end(values);
}

/* Runs the command with an output that is initialised, and frees it. */
static bool
run(struct sq_command *command, struct sq_android *android,
    struct sq_adb_output *output, const struct sq_deadline *deadline,
    struct sq_err *err) {
    bool ok = command->err.code
                ? sq_fail_with(err, &command->err)
                : sq_adb_run(&android->link, sq_buf_span(&command->text),
                             output, deadline, err);
    sq_buf_finish(&command->text);
    return ok;
}

bool
sq_command_run(struct sq_command *command, struct sq_android *android,
               struct sq_adb_output *output, const struct sq_deadline *deadline,
               struct sq_err *err) {
    sq_adb_output_init(output, SQ_ANDROID_MAX_OUTPUT);
    output->is_action = true;
    android->display_cache.at_ns = 0;
    sq_idle_forget(&android->idle);
    return run(command, android, output, deadline, err);
}

bool
sq_command_ask(struct sq_command *command, struct sq_android *android,
               struct sq_adb_output *output, const struct sq_deadline *deadline,
               struct sq_err *err) {
    sq_adb_output_init(output, SQ_ANDROID_MAX_OUTPUT);
    return run(command, android, output, deadline, err);
}

bool
sq_command_say(struct sq_command *command, struct sq_android *android,
               struct sq_adb_output *output, const struct sq_deadline *deadline,
               struct sq_err *err) {
    return sq_command_run(command, android, output, deadline, err)
        && sq_buf_append(&output->out, output->errors.data, output->errors.len,
                         err);
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

static bool
says_failure(struct sq_span reply) {
    static const char *const words[] = {
        "Exception",       "Error",
        "Failure",         "Can't find service",
        "Unknown command", "No shell command implementation",
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (sq_span_find(reply, words[i])) {
            return true;
        }
    }
    return false;
}

bool
sq_command_confirm(struct sq_command *command, struct sq_android *android,
                   const char *what, const char *expected,
                   const struct sq_deadline *deadline, struct sq_err *err) {
    SQ_FREED(sq_adb_output_finish) struct sq_adb_output output = { 0 };
    bool ok = sq_command_say(command, android, &output, deadline, err);
    struct sq_span reply = sq_buf_span(&output.out);
    bool is_confirmed =
        !expected
        || (sq_span_trim(reply).len > 0 && sq_span_find(reply, expected));
    if (ok && (output.status != 0 || says_failure(reply) || !is_confirmed)) {
        ok = sq_fail_android(what, reply, err);
    }
    return ok;
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
