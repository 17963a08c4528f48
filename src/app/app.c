/* Selects and runs the subcommand, and prints its output and errors. */
#include "app/app.h"

#include <assert.h>
#include <stdio.h>
#include <unistd.h>

#include "app/commands/operation.h"
#include "app/docs/docs.h"
#include "app/print_message.h"
#include "app/terminal/output.h"
#include "sys/process.h"
#include "sys/sandbox.h"
#include "sys/terminal.h"
#include "tools/table.h"

#define MAX_ARGS_SIZE 256
#define MAX_TEXT ((size_t)16 << 20)
#define HELP_COLUMNS 80 /* in which help is written */

static const struct sq_command *const commands[] = {
    &sq_command_demo,
    &sq_command_install,
    &sq_command_doctor,
    &sq_command_connect,
    &sq_command_pair,
    &sq_command_browser,
    &sq_command_mcp,
    &sq_command_serve,
    &sq_command_inspect,
    &sq_command_approve,
    &sq_command_watch,
    &sq_command_record,
    &sq_command_replay,
    &sq_command_archive,
    &sq_command_scale,
    &sq_command_diff,
    &sq_command_tokens,
    &sq_command_ocr,
    &sq_command_find_text,
    &sq_command_find_image,
    &sq_command_help,
    &sq_command_rtfm,
    &sq_command_man,
    &sq_command_config,
    &sq_command_completion,
    &sq_command_version,
    &sq_command_policy,
    &sq_command_audit,
    NULL,
};

/* Commands that squint starts itself; they are in no help text. */
static const struct sq_command *const hidden_commands[] = {
    &sq_command_ocr_worker,     &sq_command_decode_worker,
    &sq_command_secret_worker,  &sq_command_demo_screencap,
    &sq_command_browser_keeper, NULL,
};

static const struct sq_command *
find_command(const char *name) {
    const struct sq_command *const *lists[] = { commands, hidden_commands };
    for (size_t i = 0; i < SQ_COUNT(lists); i++) {
        for (size_t j = 0; lists[i][j]; j++) {
            if (strcmp(lists[i][j]->name, name) == 0) {
                return lists[i][j];
            }
        }
    }
    return NULL;
}

/* Returns whether an argument before "--" is that word. */
static bool
has_word(int argc, char *const *argv, const char *word) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], word) == 0) {
            return true;
        }
    }
    return false;
}

static bool
wants_all_help(int argc, char *const *argv) {
    return has_word(argc, argv, "--help");
}

static bool
wants_help(int argc, char *const *argv) {
    return wants_all_help(argc, argv) || has_word(argc, argv, "-h");
}

/* Returns the exit status of errors other than usage errors. */
static enum sq_status
trouble_of(const struct sq_command *command) {
    return command && command->has_trouble_status ? SQ_STATUS_USAGE
                                                  : SQ_STATUS_FAILED;
}

static enum sq_status
status_of(enum sq_status status, enum sq_status trouble, bool ok,
          const struct sq_err *err) {
    if (ok) {
        return status;
    }
    if (err->code == SQ_ERR_CANCELLED) {
        return SQ_STATUS_INTERRUPTED;
    }
    return err->code == SQ_ERR_ARGUMENT ? SQ_STATUS_USAGE : trouble;
}

/* Returns an option that many commands have; NULL if this one does not. */
static const void *
option_of(const struct sq_command *command, const struct sq_run *run,
          struct sq_span name) {
    const struct sq_arg *arg = sq_args_find(command->options, name);
    return arg ? (const char *)run->args + arg->offset : NULL;
}

/* Runs a command that writes JSON, and shows it unless JSON is asked for. */
static bool
run_and_show(const struct sq_command *command, struct sq_run *run,
             struct sq_err *err) {
    const bool *json = option_of(command, run, SQ_SPAN("json"));
    struct sq_json_writer w;
    SQ_BUF(answer, SQ_MAX_JSON_BYTES);
    SQ_ARENA(arena, MAX_TEXT);
    sq_json_writer_init(&w, &answer);
    run->w = &w;
    struct sq_people people = { .page = *run->page, .arena = &arena };
    if (!command->run(run, err) || !sq_json_writer_done(&w, err)) {
        return false;
    }
    if (json && *json) {
        return sq_buf_append(run->out, answer.data, answer.len, err)
            && sq_buf_append(run->out, "\n", 1, err);
    }
    return sq_json_parse(sq_buf_span(&answer), &arena, &people.reply, err)
        && (command->show ? command->show(&people, run, err)
                          : sq_page_fill(run->page, sq_span_of(command->people),
                                         people.reply, err));
}

/* Parses the command line, and runs the command. */
static bool
parse_and_run(const struct sq_command *command, int argc, char **argv,
              struct sq_run *run, struct sq_err *err) {
    max_align_t args[2 * MAX_ARGS_SIZE / sizeof(max_align_t)] = { 0 };
    for (const struct sq_arg *arg = command->options; arg && arg->name; arg++) {
        assert(arg->offset < MAX_ARGS_SIZE); /* and no field is larger */
    }
    struct sq_words words = { 0 };
    run->words = &words;
    run->args = args;
    if (!sq_command_parse(command, argc, argv, args, &words, err)) {
        return false;
    }
    const struct sq_opt_int *color = option_of(command, run, SQ_SPAN("color"));
    struct sq_page page = {
        .out = run->out,
        .paper = sq_paper_of_output(color ? *color : (struct sq_opt_int){ 0 }),
    };
    run->page = &page;
    return command->show || command->people ? run_and_show(command, run, err)
                                            : command->run(run, err);
}

static bool
run_with_setup(const struct sq_command *command, int argc, char **argv,
               struct sq_run *run, struct sq_err *err) {
    const struct sq_accepted accepted = sq_command_accepted(command);
    struct sq_setup setup;
    run->setup = &setup;
    if (command->is_server) {
        sq_heap_return_large_blocks();
    }
    bool ok = sq_setup_init(&setup, &accepted, &argc, argv, err)
           && (!command->is_server || !setup.config.security.sandbox
               || sq_sandbox_fork_helper(err))
           && parse_and_run(command, argc, argv, run, err);
    sq_setup_finish(&setup);
    sq_sandbox_end_helper();
    if (command->is_server) {
        sq_heap_free_cached_block();
    }
    return ok;
}

static enum sq_status
run_command(const struct sq_command *command, int argc, char **argv,
            struct sq_buf *out, struct sq_err *err) {
    enum sq_status status = SQ_STATUS_OK;
    struct sq_run run = { .command = command, .out = out, .status = &status };
    bool ok = command->run_words
                ? command->run_words(argc, argv, out, &status, err)
            : command->uses ? run_with_setup(command, argc, argv, &run, err)
                            : parse_and_run(command, argc, argv, &run, err);
    return status_of(status, trouble_of(command), ok, err);
}

static enum sq_status
run_operation(const struct sq_tool *tool, int argc, char **argv,
              struct sq_buf *out, struct sq_err *err) {
    enum sq_status status = SQ_STATUS_OK;
    bool ok = wants_help(argc, argv)
                ? sq_operation_help(tool, wants_all_help(argc, argv), out, err)
                : sq_operation_run(tool, argc, argv, out, &status, err);
    return status_of(status, SQ_STATUS_FAILED, ok, err);
}

/* Finds an operation by its verb, or by its name in the protocol. */
static const struct sq_tool *
find_operation(const char *name) {
    const struct sq_tool *tool = sq_tools_find_verb(sq_span_of(name));
    return tool ? tool : sq_tools_find(sq_span_of(name));
}

/* Returns the command that an option in its place means, or else the word. */
static const char *
name_of_command(const char *word) {
    if (strcmp(word, "--version") == 0) {
        return sq_command_version.name;
    }
    bool is_help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
    return is_help ? sq_command_help.name : word;
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
        sq_help_program(false, out, err);
        return SQ_STATUS_USAGE;
    }
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        sq_help_program(true, out, err);
        return SQ_STATUS_OK;
    }
    const struct sq_command *command = find_command(name_of_command(argv[1]));
    *found = command;
    if (command && wants_help(argc - 2, argv + 2)) {
        sq_help_command(command, wants_all_help(argc - 2, argv + 2), out, err);
        return SQ_STATUS_OK;
    }
    if (command) {
        return run_command(command, argc - 2, argv + 2, out, err);
    }
    const struct sq_tool *tool = find_operation(argv[1]);
    if (tool) {
        sq_print_for(has_word(argc - 1, argv + 1, "--json") ? SQ_FOR_CLIENTS
                                                            : SQ_FOR_COMMANDS);
        return run_operation(tool, argc - 2, argv + 2, out, err);
    }
    sq_help_fail_unknown(argv[1], err);
    return SQ_STATUS_USAGE;
}

/*
 * Reports an error on standard error, or with --json on standard output if it
 * can be written. *out has the details of an operation's error: lines, or a
 * JSON object.
 */
static void
report_error(const struct sq_command *command, bool json,
             const struct sq_buf *out, const struct sq_err *err) {
    const struct sq_span none = { 0 };
    if (json && sq_print_json_error(err, command ? none : sq_buf_span(out))) {
        return;
    }
    char name[64];
    snprintf(name, sizeof(name), "squint%s%s", command ? " " : "",
             command ? command->name : "");
    sq_print_error(name, err);
    if (out->len > 0 && !command && !json) {
        sq_print_lines(sq_buf_span(out));
    }
}

/* Prints help; on a terminal narrower than its lines they are broken again. */
static bool
print_help(struct sq_span text, struct sq_err *err) {
    const struct sq_output output = { .is_page = false };
    struct sq_terminal_size size = { 0 };
    if (!sq_terminal_get_size(STDOUT_FILENO, &size)
        || size.columns >= HELP_COLUMNS) {
        return sq_output_print(&output, text, err);
    }
    SQ_BUF(joined, MAX_TEXT);
    return sq_text_unwrap(text, &joined, err)
        && sq_output_print(&output, sq_buf_span(&joined), err);
}

/* Returns whether the output is help: of one command, or of all. */
static bool
is_help(const struct sq_command *command, int argc, char *const *argv) {
    return command == &sq_command_help
        || (argc > 1 && wants_help(argc - 1, argv + 1));
}

int
sq_app_main(int argc, char **argv) {
    struct sq_err err = { 0 };
    sq_verbs_set_commands(commands);
    sq_print_for(SQ_FOR_COMMANDS);
    SQ_BUF(out, MAX_TEXT);
    const struct sq_command *command = NULL;
    enum sq_status status = dispatch(argc, argv, &command, &out, &err);
    bool help = is_help(command, argc, argv);
    bool json = has_word(argc - 1, argv + 1, "--json");
    enum sq_status trouble = trouble_of(command);
    const struct sq_output output = {
        .is_page = !command || command->prints_page || command->show
                || command->people,
        .is_verbatim = command && command->is_verbatim,
    };
    if (err.code == SQ_ERR_NONE && out.len
        && !(help ? print_help(sq_buf_span(&out), &err)
                  : sq_output_print(&output, sq_buf_span(&out), &err))) {
        status = trouble;
        json = false; /* a part of the JSON may have been written */
        sq_buf_clear(&out);
    }
    if (err.code != SQ_ERR_NONE) {
        report_error(command, json, &out, &err);
        status = status == SQ_STATUS_OK ? trouble : status;
    }
    return (int)status;
}
