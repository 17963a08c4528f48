/* help and rtfm: what the program, its commands and operations do. */
#include <ctype.h>
#include <stdio.h>

#include "app/commands/operation.h"
#include "app/docs/docs.h"
#include "page/width.h"
#include "tools/offer.h"
#include "tools/operations.h"
#include "tools/rtfm.h"
#include "tools/table.h"

#define HELP_COLUMNS 80
#define MAX_ABOUT_BYTES 4096
#define MAX_SHOWN 100 /* bytes of an unknown command */

static bool
tools_help(const char *heading, const struct sq_tool *const *tools,
           struct sq_buf *out, struct sq_err *err) {
    bool ok = sq_buf_printf(out, err, "\n%s:\n", heading);
    for (size_t i = 0; ok && tools[i]; i++) {
        const char *title = tools[i]->title;
        ok = sq_buf_printf(out, err, "  %-19s %c%s\n", sq_tool_verb(tools[i]),
                           sq_ascii_lower(title[0]), title + 1);
    }
    return ok;
}

static bool
put_command(const struct sq_command *command, struct sq_buf *out,
            struct sq_err *err) {
    return sq_buf_printf(out, err, "  %-19s %s\n", command->name,
                         command->summary);
}

static bool
commands_help(struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    bool ok = true;
    for (size_t i = 0; ok && sq_verb_at(i, &verb) && verb.command; i++) {
        const char *heading = verb.command->heading;
        ok = (!heading || sq_buf_printf(out, err, "\n%s:\n", heading))
          && put_command(verb.command, out, err);
    }
    return ok;
}

/* Lists the commands that are used most, and how to see the others. */
static bool
put_most_used(struct sq_buf *out, struct sq_err *err) {
    static const struct sq_command *const commands[] = { &sq_command_demo,
                                                         &sq_command_install,
                                                         &sq_command_doctor,
                                                         &sq_command_inspect };
    static const struct sq_tool *const tools[] = {
        &sq_tool_screenshot,
        &sq_tool_dump,
        &sq_tool_find,
        &sq_tool_tap,
        &sq_tool_input,
        &sq_tool_scroll,
        &sq_tool_key,
        &sq_tool_launch,
        &sq_tool_list_screenshots,
        &sq_tool_search_screenshots,
        NULL,
    };
    bool ok = sq_buf_printf(out, err, "\nStart here:\n");
    for (size_t i = 0; ok && i < SQ_COUNT(commands); i++) {
        ok = put_command(commands[i], out, err);
    }
    return ok && tools_help("Used most", tools, out, err)
        && sq_buf_printf(out, err, "squint help all lists all commands.\n");
}

bool
sq_help_program(bool all, struct sq_buf *out, struct sq_err *err) {
    return sq_docs_append("program head", out, err)
        && (all ? commands_help(out, err)
                      && tools_help("Operations on a device, as agents have "
                                    "them",
                                    sq_tools, out, err)
                      && tools_help("Past screenshots", sq_archive_tools, out,
                                    err)
                      && sq_docs_append("program tail", out, err)
                : put_most_used(out, err));
}

/* Returns whether the help does not list an option of the configuration. */
static bool
is_omitted(const void *context, const struct sq_config_option *option) {
    const struct sq_accepted *accepted = context;
    return !(option->used_by & accepted->uses)
        || sq_flags_has(accepted->table, option->flag);
}

/* Appends the options of the configuration, or how to see them. */
static bool
help_configuration(const char *name, const struct sq_accepted *accepted,
                   bool all, struct sq_buf *out, struct sq_err *err) {
    return all ? sq_buf_printf(out, err, "\nConfiguration:\n")
                     && sq_config_help(is_omitted, accepted, out, err)
               : sq_buf_printf(out, err,
                               "\nsquint %s --help also lists options of the "
                               "configuration.\n",
                               name);
}

bool
sq_help_command(const struct sq_command *command, bool all, struct sq_buf *out,
                struct sq_err *err) {
    const struct sq_accepted accepted = sq_command_accepted(command);
    return sq_buf_printf(out, err, "Usage: squint %s%s%s\n\n%.*s",
                         command->name, command->usage[0] ? " " : "",
                         command->usage, SQ_SPAN_ARGS(sq_docs_help(command)))
        && (!command->options
            || (sq_buf_printf(out, err, "\nOptions:\n")
                && sq_flags_help(command->options, out, err)))
        && (!command->uses
            || help_configuration(command->name, &accepted, all, out, err));
}

bool
sq_operation_about(const struct sq_tool *tool, struct sq_buf *out,
                   struct sq_err *err) {
    return tool->people.about
             ? sq_buf_printf(out, err, "%s", tool->people.about)
             : sq_offer_append((struct sq_offer){ 0 }, tool->text, out, err);
}

static bool
put_examples(const struct sq_tool *tool, struct sq_buf *out,
             struct sq_err *err) {
    const char *const *examples = tool->people.examples;
    bool ok = !examples[0] || sq_buf_append(out, "\n", 1, err);
    for (int i = 0; ok && i < SQ_PEOPLE_EXAMPLES && examples[i]; i++) {
        ok = sq_buf_printf(out, err, "  squint %s\n", examples[i]);
    }
    return ok;
}

/* Prints what the operation does, in lines that fit. */
static bool
put_about(const struct sq_tool *tool, struct sq_buf *out, struct sq_err *err) {
    struct sq_span line;
    SQ_BUF(text, MAX_ABOUT_BYTES);
    bool ok = sq_operation_about(tool, &text, err);
    struct sq_span rest = sq_buf_span(&text);
    while (ok && sq_text_take_line(&rest, HELP_COLUMNS, &line)) {
        ok = sq_buf_printf(out, err, "%.*s\n", SQ_SPAN_ARGS(line));
    }
    return ok;
}

bool
sq_operation_help(const struct sq_tool *tool, bool all, struct sq_buf *out,
                  struct sq_err *err) {
    struct sq_operation_args args;
    if (!sq_operation_args_init(&args, tool, err)) {
        return false;
    }
    const struct sq_accepted accepted = { args.table, sq_tool_uses(tool), 0 };
    return sq_buf_printf(out, err, "Usage: squint %s ", sq_tool_verb(tool))
        && sq_operation_args_usage(&args, out, err)
        && sq_buf_printf(out, err, "\n\n") && put_about(tool, out, err)
        && put_examples(tool, out, err)
        && sq_buf_printf(out, err,
                         "\nExit status: 0 done or found, 1 not, 2 the command "
                         "line is wrong.\n\nOptions:\n")
        && sq_flags_help(args.table, out, err)
        && help_configuration(sq_tool_verb(tool), &accepted, all, out, err);
}

static bool
help_verb(const char *name, struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    return !sq_verb_find(name, &verb) ? sq_help_fail_unknown(name, err)
         : verb.command ? sq_help_command(verb.command, true, out, err)
                        : sq_operation_help(verb.tool, true, out, err);
}

bool
sq_help_fail_unknown(const char *name, struct sq_err *err) {
    struct sq_verb verb;
    struct sq_nearest nearest;
    sq_nearest_begin(&nearest, sq_span_of(name));
    for (size_t i = 0; sq_verb_at(i, &verb); i++) {
        sq_nearest_try(&nearest, verb.name);
        if (verb.tool) {
            sq_nearest_try_as(&nearest, verb.tool->name, verb.name);
        }
    }
    sq_nearest_try(&nearest, "--version");
    if (strcmp(name, "-v") == 0 || strcmp(name, "-V") == 0) {
        sq_nearest_begin(&nearest, SQ_SPAN("--version"));
        sq_nearest_try(&nearest, "--version");
    }
    sq_nearest_try(&nearest, "--help");
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no command \"%.*s%s\"", MAX_SHOWN,
            name, strlen(name) > MAX_SHOWN ? "..." : "");
    bool is_option = name[0] == '-';
    if (is_option && nearest.found[0] != '-') {
        return sq_fail_hint(err,
                            "Options come after the command; squint --help "
                            "lists the commands.");
    }
    const char *meant = sq_synonym_command(sq_span_of(name));
    if (!meant && nearest.found[0]) {
        meant = nearest.found;
    }
    return meant ? sq_fail_hint(err, "Did you mean squint %s?", meant)
                 : sq_fail_hint(err, "squint --help lists the commands.");
}

/* Fails if the second word is not a word that the command begins with. */
static bool
has_subcommand(const struct sq_words *words, struct sq_err *err) {
    struct sq_verb verb;
    const char *word = words->word[1];
    if (sq_verb_find(words->word[0], &verb) && verb.command) {
        const char *usage = verb.command->usage;
        const char *at = strstr(usage, word);
        bool starts = at && (at == usage || strchr("| ", at[-1]));
        if (starts && islower((unsigned char)word[0])
            && strchr("| ", at[strlen(word)])) {
            return true;
        }
    }
    return sq_command_fail_word(&sq_command_help, word, err);
}

static bool
help_run(const struct sq_run *run, struct sq_err *err) {
    const char *name = run->words->count > 0 ? run->words->word[0] : "";
    if (!name[0] || strcmp(name, "all") == 0) {
        return sq_help_program(name[0], run->out, err);
    }
    return (run->words->count == 1 || has_subcommand(run->words, err))
        && help_verb(name, run->out, err);
}

/* Returns the names of all commands and operations, which are constants. */
static const char *
verb_name_at(size_t index) {
    struct sq_verb verb;
    return sq_verb_at(index, &verb) ? verb.name : NULL;
}

const struct sq_command sq_command_help = {
    .name = "help",
    .heading = "About squint",
    .usage = "[COMMAND|all]",
    .summary = "say more about a command",
    .max_words = 2,
    .word_at = verb_name_at,
    .run = help_run,
};

/*
 * Finds the operation that is probably meant, such as tap by "tpa" or "click".
 * Returns NULL if there is none, or if another command is more similar.
 */
static const struct sq_tool *
find_similar(const char *name) {
    const char *synonym = sq_synonym_command(sq_span_of(name));
    struct sq_nearest nearest;
    const struct sq_tool *tool;
    struct sq_verb verb;
    if (synonym) {
        return sq_tools_find_verb(
            (struct sq_span){ synonym, strcspn(synonym, " ,") });
    }
    sq_nearest_begin(&nearest, sq_span_of(name));
    for (size_t i = 0; (tool = sq_tools_at(i)); i++) {
        sq_nearest_try_as(&nearest, tool->name, sq_tool_verb(tool));
        sq_nearest_try(&nearest, sq_tool_verb(tool));
    }
    for (size_t i = 0; sq_verb_at(i, &verb) && verb.command; i++) {
        sq_nearest_try(&nearest, verb.name);
    }
    return nearest.found[0] ? sq_tools_find_verb(sq_span_of(nearest.found))
                            : NULL;
}

static bool
fail_unknown(const char *name, struct sq_err *err) {
    const struct sq_tool *tool = find_similar(name);
    sq_help_fail_unknown(name, err);
    return tool ? sq_fail_hint(err, "Did you mean squint rtfm %s?",
                               sq_tool_verb(tool))
                : false;
}

static bool
rtfm_run(const struct sq_run *run, struct sq_err *err) {
    const char *name = run->words->count ? run->words->word[0] : "";
    const struct sq_tool *tool = sq_tools_find_verb(sq_span_of(name));
    struct sq_err local_err = { 0 };
    if (sq_rtfm((struct sq_offer){ 0 }, sq_span_of(tool ? tool->name : name),
                SQ_SPAN(""), run->out, &local_err)) {
        return true;
    }
    if (local_err.code != SQ_ERR_NOT_FOUND) {
        return sq_fail_with(err, &local_err);
    }
    struct sq_verb verb;
    if (!sq_verb_find(name, &verb) || !verb.command) {
        return fail_unknown(name, err);
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "the manual for agents has no page about %s",
            name);
    return sq_fail_hint(err, "See squint help %s.", name);
}

static const char *
operation_at(size_t index) {
    const struct sq_tool *tool = sq_tools_at(index);
    return tool ? sq_tool_verb(tool) : NULL;
}

const struct sq_command sq_command_rtfm = {
    .name = "rtfm",
    .usage = "[OPERATION]",
    .summary = "print the manual that agents read",
    .max_words = 1,
    .word_at = operation_at,
    .run = rtfm_run,
};
