/* Selects and runs the subcommand, and prints its output and errors. */
#include "app/app.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/commands/command.h"
#include "app/commands/operation.h"
#include "app/flags.h"
#include "app/print_message.h"
#include "config/describe.h"
#include "sys/file.h"
#include "sys/terminal.h"
#include "tools/table.h"
#include "util/limits.h"
#include "util/plain.h"

#define MAX_TEXT ((size_t)16 << 20)
#define MAX_ARGS_SIZE 256

static const struct sq_command *const commands[] = {
    &sq_command_mcp,     &sq_command_serve,      &sq_command_demo,
    &sq_command_doctor,  &sq_command_install,    &sq_command_record,
    &sq_command_archive, &sq_command_scale,      &sq_command_diff,
    &sq_command_tokens,  &sq_command_completion, &sq_command_man,
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

const struct sq_command *
sq_command_at(size_t index) {
    return index < COMMANDS ? commands[index] : NULL;
}

static const struct sq_command *
find_command(const char *name) {
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

bool
sq_command_read(const char *path, struct sq_buf *out, struct sq_err *err) {
    return sq_file_read(path, SQ_MAX_IMAGE_BYTES, out, err);
}

bool
sq_command_fail_in(const char *path, struct sq_err *err) {
    char name[SQ_FILE_NAME_SIZE];
    sq_file_name(path, false, name);
    return sq_fail_in(err, "%s", name);
}

void
sq_command_put_size(struct sq_json_writer *w, const char *key,
                    struct sq_size size) {
    sq_json_put_key(w, key);
    sq_json_begin_object(w);
    sq_json_put_key(w, "width");
    sq_json_put_int(w, size.width);
    sq_json_put_key(w, "height");
    sq_json_put_int(w, size.height);
    sq_json_end_object(w);
}

static void
print_command_error(const char *command, const struct sq_err *err) {
    char name[64];
    snprintf(name, sizeof(name), "squint%s%s", command ? " " : "",
             command ? command : "");
    sq_print_error(name, err);
}

/*
 * Prints the text of every command. Texts may quote devices, files and other
 * programs, so control characters are escaped. Allocates no memory, because the
 * reported action may already have been done.
 */
static bool
print(const struct sq_buf *text, struct sq_err *err) {
    struct sq_span rest = sq_buf_span(text);
    char escape[SQ_PLAIN_ESCAPE_SIZE];
    struct sq_span piece;
    bool ok = true;
    while (ok && sq_plain_take(&rest, true, escape, &piece)) {
        ok = sq_file_write("-", piece.ptr, piece.len, err);
    }
    return ok;
}

static bool
tools_help(const char *heading, const struct sq_tool *const *tools,
           struct sq_buf *out, struct sq_err *err) {
    bool ok = sq_buf_printf(out, err, "\n%s:\n", heading);
    for (size_t i = 0; ok && tools[i]; i++) {
        ok = sq_buf_printf(out, err, "  %-19s %s\n", sq_tool_verb(tools[i]),
                           tools[i]->title);
    }
    return ok;
}

static bool
program_help(struct sq_buf *out, struct sq_err *err) {
    bool ok = sq_buf_printf(
        out, err,
        "squint: small, legible pictures of screens, for language models\n\n"
        "Usage: squint COMMAND ...\n\nCommands:\n");
    for (size_t i = 0; ok && i < COMMANDS; i++) {
        ok = sq_buf_printf(out, err, "  %-19s %s\n", commands[i]->name,
                           commands[i]->summary);
    }
    return ok && tools_help("Operations on a device", sq_tools, out, err)
        && tools_help("Past screenshots", sq_archive_tools, out, err)
        && sq_buf_printf(out, err,
                         "\n  squint COMMAND --help   more about a command\n"
                         "  squint --version        the version\n");
}

static bool
command_help(const struct sq_command *command, struct sq_buf *out,
             struct sq_err *err) {
    const struct sq_arg *options = command->options;
    bool has_options = options && options->name;
    return sq_buf_printf(out, err, "Usage: squint %s%s%s\n\n%s\n",
                         command->name, command->usage[0] ? " " : "",
                         command->usage, command->help)
        && (!has_options
            || (sq_buf_printf(out, err, "\nOptions:\n")
                && sq_flags_help(options, out, err)))
        && (!command->run_words
            || (sq_buf_printf(out, err, "\nConfiguration:\n")
                && sq_config_help(out, err)));
}

static bool
wants_help(int argc, char *const *argv) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

static bool
check_words(const struct sq_command *command, const struct sq_words *words,
            struct sq_err *err) {
    if (words->count >= command->min_words
        && words->count <= command->max_words) {
        return true;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "%s",
            words->count < command->min_words ? "an argument is missing"
                                              : "too many words");
    return sq_fail_hint(err, "Usage: squint %s %s", command->name,
                        command->usage);
}

static enum sq_status
status_of(enum sq_status status, enum sq_status trouble, bool ok,
          const struct sq_err *err) {
    if (ok) {
        return status;
    }
    return err->code == SQ_ERR_ARGUMENT ? SQ_STATUS_USAGE : trouble;
}

static enum sq_status
run_command(const struct sq_command *command, int argc, char **argv,
            struct sq_buf *out, struct sq_err *err) {
    max_align_t args[MAX_ARGS_SIZE / sizeof(max_align_t)] = { 0 };
    assert(command->args_size <= sizeof(args));
    struct sq_words words = { 0 };
    enum sq_status status = SQ_STATUS_OK;
    if (command->run_words) {
        bool ok = command->run_words(argc, argv, out, &status, err);
        return status_of(status, command->trouble, ok, err);
    }
    if (!sq_options_parse(command->options, argc, argv, args, &words, err)
        || !check_words(command, &words, err)) {
        return SQ_STATUS_USAGE;
    }
    bool ok = command->run(&words, args, out, &status, err);
    return status_of(status, command->trouble, ok, err);
}

static enum sq_status
run_operation(const struct sq_tool *tool, int argc, char **argv,
              struct sq_buf *out, struct sq_err *err) {
    bool ok = wants_help(argc, argv)
                ? sq_operation_help(tool, out, err)
                : sq_operation_run(tool, argc, argv, out, err);
    return status_of(SQ_STATUS_OK, SQ_STATUS_FAILED, ok, err);
}

/* Runs the command line and fills out. On failure err->code is set. */
static enum sq_status
dispatch(int argc, char **argv, const struct sq_command **found,
         struct sq_buf *out, struct sq_err *err) {
    if (argc < 2 && !sq_is_terminal(STDIN_FILENO)) {
        *found = &sq_command_mcp; /* started by a client */
        return run_command(*found, 0, NULL, out, err);
    }
    if (argc < 2) {
        program_help(out, err);
        return SQ_STATUS_USAGE;
    }
    const struct sq_command *command = find_command(argv[1]);
    *found = command;
    if (command && wants_help(argc - 2, argv + 2)) {
        command_help(command, out, err);
        return SQ_STATUS_OK;
    }
    if (command) {
        return run_command(command, argc - 2, argv + 2, out, err);
    }
    const struct sq_tool *tool = sq_tools_find_verb(sq_span_of(argv[1]));
    if (tool) {
        return run_operation(tool, argc - 2, argv + 2, out, err);
    }
    if (strcmp(argv[1], "--version") == 0) {
        sq_buf_printf(out, err, "squint %s\n", SQ_VERSION);
        return SQ_STATUS_OK;
    }
    if (wants_help(1, argv + 1) || strcmp(argv[1], "help") == 0) {
        program_help(out, err);
        return SQ_STATUS_OK;
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no command \"%s\"", argv[1]);
    sq_fail_hint(err, "squint --help lists the commands.");
    return SQ_STATUS_USAGE;
}

int
sq_app_main(int argc, char **argv) {
    struct sq_err err = { 0 };
    struct sq_buf out;
    sq_buf_init(&out, MAX_TEXT);
    const struct sq_command *command = NULL;
    enum sq_status status = dispatch(argc, argv, &command, &out, &err);
    enum sq_status trouble = command ? command->trouble : SQ_STATUS_FAILED;
    if (err.code == SQ_ERR_NONE && out.len && !print(&out, &err)) {
        status = trouble;
    }
    if (err.code != SQ_ERR_NONE) {
        print_command_error(command ? command->name : NULL, &err);
        status = status == SQ_STATUS_OK ? trouble : status;
    }
    sq_buf_finish(&out);
    return (int)status;
}
