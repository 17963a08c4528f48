/* Writes help text from the tables of commands and operations. */
#include "app/help.h"

#include <stdio.h>
#include <string.h>

#include "app/commands/operation.h"
#include "app/docs/verbs.h"
#include "app/flags.h"
#include "app/setup.h"
#include "tools/synonyms.h"
#include "tools/table.h"

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
commands_help(struct sq_buf *out, struct sq_err *err) {
    const struct sq_command *command;
    bool ok = true;
    for (size_t i = 0; ok && (command = sq_command_at(i)); i++) {
        ok = (!command->heading
              || sq_buf_printf(out, err, "\n%s:\n", command->heading))
          && sq_buf_printf(out, err, "  %-19s %s\n", command->name,
                           command->summary);
    }
    return ok;
}

bool
sq_help_program(struct sq_buf *out, struct sq_err *err) {
    return sq_buf_printf(out, err,
                         "squint: lets language models see and use screens, "
                         "for few tokens\n\n"
                         "Usage: squint COMMAND [WORD ...] [options]\n"
                         "       squint help COMMAND\n")
        && commands_help(out, err)
        && tools_help("Operations on a device, as agents have them", sq_tools,
                      out, err)
        && tools_help("Past screenshots", sq_archive_tools, out, err)
        && sq_buf_printf(out, err,
                         "\nFor example:\n"
                         "  squint screenshot       look at the demo phone, or "
                         "at yours\n"
                         "  squint tap 200 500      tap in the pixels of that "
                         "picture\n"
                         "  squint find Login\n"
                         "  squint list yesterday\n");
}

bool
sq_help_command(const struct sq_command *command, struct sq_buf *out,
                struct sq_err *err) {
    const struct sq_arg *options = command->options;
    const struct sq_accepted accepted = sq_command_accepted(command);
    bool has_options = options && options->name;
    return sq_buf_printf(out, err, "Usage: squint %s%s%s\n\n%s\n",
                         command->name, command->usage[0] ? " " : "",
                         command->usage, command->help)
        && (!has_options
            || (sq_buf_printf(out, err, "\nOptions:\n")
                && sq_flags_help(options, out, err)))
        && (!command->uses
            || (sq_buf_printf(out, err, "\nConfiguration:\n")
                && sq_setup_help(&accepted, out, err)));
}

bool
sq_help_verb(const char *name, struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    for (size_t i = 0; sq_verb_at(i, &verb); i++) {
        bool is_named = strcmp(verb.name, name) == 0
                     || (verb.tool && strcmp(verb.tool->name, name) == 0);
        if (is_named) {
            return verb.command ? sq_help_command(verb.command, out, err)
                                : sq_operation_help(verb.tool, out, err);
        }
    }
    return sq_help_fail_unknown(name, err);
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
