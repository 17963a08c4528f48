/* Prints messages, errors, and the lines that log.level asks for. */
#include "app/print_message.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "app/flags.h"
#include "page/width.h"
#include "sys/clock.h"
#include "sys/file.h"
#include "sys/terminal.h"
#include "tool/tool.h"
#include "tools/offer.h"
#include "tools/run.h"
#include "tools/table.h"
#include "util/minmax.h"
#include "util/utf8.h"

#define MAX_LINE 8192 /* longer ones are cut */
#define MAX_LOG_LINE 2048
#define MIN_COLUMNS 20 /* of a terminal */
#define INDENT 2       /* of further lines of a message */
#define MAX_JSON ((size_t)1 << 20)

static void print(const char *format, va_list args)
    __attribute__((format(printf, 1, 0)));
static void log_line(const struct sq_config *config, enum sq_log_level level,
                     const char *time, const char *format, va_list args)
    __attribute__((format(printf, 4, 0)));

/* Prints escaped text. On a terminal it is broken at spaces. */
static void
print_plain(struct sq_span text) {
    struct sq_terminal_size size;
    struct sq_span line;
    if (!sq_terminal_get_size(STDERR_FILENO, &size)) {
        fwrite(text.ptr, 1, text.len, stderr);
        return;
    }
    size_t columns = (size_t)sq_max_int(size.columns, MIN_COLUMNS);
    size_t indent = 0;
    while (sq_text_take_line(&text, columns - indent, &line)) {
        fwrite(line.ptr, 1, line.len, stderr);
        if (text.len > 0) {
            fprintf(stderr, "\n%*s", INDENT, "");
        }
        indent = INDENT;
    }
}

/* Does not allocate, because it also reports lack of memory. */
static void
print(const char *format, va_list args) {
    char line[MAX_LINE];
    char plain[MAX_LINE];
    char escape[SQ_PLAIN_ESCAPE_SIZE];
    struct sq_span piece;
    size_t used = 0;
    vsnprintf(line, sizeof(line), format, args);
    struct sq_span rest = sq_span_of(line);
    while (sq_plain_take(&rest, false, escape, &piece)
           && piece.len <= sizeof(plain) - used) {
        memcpy(plain + used, piece.ptr, piece.len);
        used += piece.len;
    }
    print_plain((struct sq_span){ plain, used });
}

void
sq_print_lines(struct sq_span text) {
    char escape[SQ_PLAIN_ESCAPE_SIZE];
    struct sq_span piece;
    while (sq_plain_take(&text, true, escape, &piece)) {
        fwrite(piece.ptr, 1, piece.len, stderr);
    }
}

void
sq_print_message(const char *format, ...) {
    va_list args;
    va_start(args, format);
    print(format, args);
    va_end(args);
    fputc('\n', stderr);
}

/*
 * Skips "Give " and the choices of a hint if the message lists them already:
 * "--format must be one of jpeg, png, not ...". Returns NULL if it does not.
 */
static const char *
skip_choices(const char *message, const char *hint) {
    struct sq_span rest = sq_span_of(hint);
    const char *choices = strstr(message, "one of ");
    const char *end = choices ? strstr(choices, ", not ") : NULL;
    size_t len = end ? (size_t)(end - choices) : 0;
    bool repeats = len > 0 && sq_span_take_prefix(&rest, "Give ")
                && strncmp(rest.ptr, choices, len) == 0;
    return repeats ? rest.ptr + len : NULL;
}

void
sq_print_error(const char *command, const struct sq_err *err) {
    sq_print_message("%s: %s", command, err->message);
    if (err->hint[0]) {
        char hint[SQ_ERR_HINT_SIZE];
        sq_offer_write((struct sq_offer){ .is_person = sq_reader_is_person() },
                       err->hint, hint, sizeof(hint));
        const char *rest = skip_choices(err->message, hint);
        sq_print_message("%s%s", rest ? "  Give one of them" : "  ",
                         rest ? rest : hint);
    }
}

static void
put_text(struct sq_json_writer *w, const char *key, const char *text) {
    sq_json_put_clean_member(w, key, sq_span_of(text));
}

bool
sq_print_json_error(const struct sq_err *err, struct sq_span details) {
    struct sq_json_writer w;
    SQ_BUF(out, MAX_JSON);
    sq_json_open(&w, &out);
    sq_json_begin_object_of(&w, "error");
    put_text(&w, "code", sq_tool_error_name(err->code));
    put_text(&w, "message", err->message);
    if (err->hint[0]) {
        char hint[SQ_ERR_HINT_SIZE];
        sq_offer_write((struct sq_offer){ .is_person = sq_reader_is_person() },
                       err->hint, hint, sizeof(hint));
        put_text(&w, "hint", hint);
    }
    if (details.len > 0) {
        sq_json_put_raw(sq_json_at(&w, "details"), details);
    }
    sq_json_end_object(&w);
    sq_json_end_object(&w);
    bool ok;
    if (sq_json_writer_done(&w, NULL) && sq_buf_append(&out, "\n", 1, NULL)) {
        ok = sq_file_write("-", out.data, out.len, NULL);
    } else {
        static const char least[] = "{\"error\":{\"code\":\"OUT_OF_MEMORY\","
                                    "\"message\":\"out of memory\"}}\n";
        ok = sq_file_write("-", least, sizeof(least) - 1, NULL);
    }
    return ok;
}

/* Finds an argument of that name, also in an object. */
static bool
find_in(const struct sq_arg *table, struct sq_span name, struct sq_flag *out) {
    const struct sq_arg *found = sq_args_find(table, name);
    *out = (struct sq_flag){ .arg = found };
    for (const struct sq_arg *arg = table; !out->arg && arg && arg->name;
         arg++) {
        out->arg = sq_args_find(arg->members, name);
        out->group = out->arg ? arg : NULL;
    }
    return out->arg != NULL;
}

/* Finds an argument of that name, or else one that has it as another name. */
static bool
find_argument(struct sq_span name, struct sq_flag *out) {
    const struct sq_tool *tool;
    bool found = find_in(sq_common_args, name, out);
    bool is_own = found && sq_span_is(name, out->arg->name);
    for (size_t i = 0; !is_own && (tool = sq_tools_at(i)); i++) {
        struct sq_flag flag;
        if (find_in(tool->args, name, &flag)) {
            is_own = sq_span_is(name, flag.arg->name);
            *out = is_own || !found ? flag : *out;
            found = true;
        }
    }
    return found;
}

static bool
name_option(const char *text, size_t len, bool is_off, char *out, size_t size) {
    const struct sq_span word = { text, len };
    const struct sq_tool *tool =
        sq_span_contains(word, '_') ? sq_tools_find(word) : NULL;
    char name[SQ_FLAG_FULL_SIZE];
    struct sq_flag flag;
    if (tool) {
        snprintf(out, size, "squint %s", sq_tool_verb(tool));
    } else if (find_argument(word, &flag)) {
        sq_flag_full_name(flag.group, flag.arg, name);
        snprintf(out, size, "--%s%s", is_off ? "no-" : "", name + 2);
    }
    return tool || flag.arg;
}

/* The person wrote JSON, and must find the names again there. */
static bool
name_member(const char *text, size_t len, bool is_off, char *out, size_t size) {
    (void)text;
    (void)len;
    (void)is_off;
    (void)out;
    (void)size;
    return false;
}

void
sq_print_for(enum sq_message_reader reader) {
    sq_set_reader(reader == SQ_FOR_COMMANDS ? name_option
                  : reader == SQ_FOR_JSON   ? name_member
                                            : NULL);
}

/* Prints a line. It is printed in pieces, and calls run in several threads. */
static void
log_line(const struct sq_config *config, enum sq_log_level level,
         const char *time, const char *format, va_list args) {
    char line[MAX_LOG_LINE];
    if ((int)level > config->log.level) {
        return;
    }
    vsnprintf(line, sizeof(line), format, args);
    flockfile(stderr);
    sq_print_message("squint: %s%s%s", time, time[0] ? " " : "", line);
    funlockfile(stderr);
}

void
sq_log(const struct sq_config *config, enum sq_log_level level,
       const char *format, ...) {
    va_list args;
    va_start(args, format);
    log_line(config, level, "", format, args);
    va_end(args);
}

void
sq_log_event(const struct sq_config *config, enum sq_log_level level,
             const char *format, ...) {
    char time[SQ_CLOCK_TEXT_SIZE];
    va_list args;
    sq_clock_write_utc(sq_clock_wall_ns(), time);
    va_start(args, format);
    log_line(config, level, time, format, args);
    va_end(args);
}
