#include "app/app.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "app/command.h"
#include "sys/file.h"
#include "util/limits.h"

#define MAX_TEXT ((size_t)1 << 20)
#define MAX_ARGS_SIZE 256

static const struct sq_command *const commands[] = {
    &sq_command_scale,
    &sq_command_diff,
    &sq_command_tokens,
};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

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

static void
complain(const char *command, const struct sq_err *err) {
    fprintf(stderr, "squint%s%s: %s\n", command ? " " : "",
            command ? command : "", err->message);
    if (err->hint[0]) {
        fprintf(stderr, "  %s\n", err->hint);
    }
}

static bool
program_help(struct sq_buf *out, struct sq_err *err) {
    bool ok = sq_buf_printf(
        out, err,
        "squint: small, legible pictures of screens, for language models\n\n"
        "Usage: squint COMMAND ...\n\nCommands:\n");
    for (size_t i = 0; ok && i < COMMANDS; i++) {
        ok = sq_buf_printf(out, err, "  %-8s %s\n", commands[i]->name,
                           commands[i]->summary);
    }
    return ok
        && sq_buf_printf(out, err,
                         "\n  squint COMMAND --help   more about a command\n"
                         "  squint --version        the version\n");
}

static bool
command_help(const struct sq_command *command, struct sq_buf *out,
             struct sq_err *err) {
    return sq_buf_printf(out, err, "Usage: squint %s %s\n\n%s\n\nOptions:\n",
                         command->name, command->usage, command->help)
        && sq_options_help(command->options, out, err);
}

static bool
wants_help(int argc, char **argv) {
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
            words->count < command->min_words ? "something is missing"
                                              : "too many words");
    return sq_fail_hint(err, "Usage: squint %s %s", command->name,
                        command->usage);
}

static enum sq_status
run_command(const struct sq_command *command, int argc, char **argv,
            struct sq_buf *out, struct sq_err *err) {
    max_align_t args[MAX_ARGS_SIZE / sizeof(max_align_t)] = { 0 };
    assert(command->args_size <= sizeof(args));
    struct sq_words words = { 0 };
    enum sq_status status = SQ_STATUS_OK;
    if (!sq_options_parse(command->options, argc, argv, args, &words, err)
        || !check_words(command, &words, err)) {
        return SQ_STATUS_USAGE;
    }
    if (!command->run(&words, args, out, &status, err)) {
        return err->code == SQ_ERR_ARGUMENT ? SQ_STATUS_USAGE
                                            : command->trouble;
    }
    return status;
}

/* Fill out with what the command line asks for; err->code tells of failure. */
static enum sq_status
dispatch(int argc, char **argv, const struct sq_command **found,
         struct sq_buf *out, struct sq_err *err) {
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
    if (err.code == SQ_ERR_NONE && out.len
        && !sq_file_write("-", out.data, out.len, &err)) {
        status = trouble;
    }
    if (err.code != SQ_ERR_NONE) {
        complain(command ? command->name : NULL, &err);
        status = status == SQ_STATUS_OK ? trouble : status;
    }
    sq_buf_finish(&out);
    return (int)status;
}
