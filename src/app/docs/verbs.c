/* Lists commands, operations and their flags from all tables. */
#include "app/docs/verbs.h"

#include <stdio.h>
#include <string.h>

#include "app/commands/operation.h"
#include "app/docs/completion.h"
#include "app/flags.h"
#include "app/install/install.h"
#include "args/usage.h"
#include "tools/run.h"
#include "tools/table.h"

bool
sq_verb_at(size_t index, struct sq_verb *out) {
    size_t commands = 0;
    while (sq_command_at(commands)) {
        commands++;
    }
    if (index < commands) {
        const struct sq_command *command = sq_command_at(index);
        *out = (struct sq_verb){ .name = command->name,
                                 .text = command->summary,
                                 .command = command,
                                 .takes_config = command->run_words != NULL };
        return true;
    }
    const struct sq_tool *tool = sq_tools_at(index - commands);
    if (tool) {
        *out = (struct sq_verb){ .name = sq_tool_verb(tool),
                                 .text = tool->title,
                                 .tool = tool,
                                 .takes_config = true };
    }
    return tool != NULL;
}

static const char *
client_at(size_t index) {
    const struct sq_install_client *client = sq_install_client_at(index);
    return client ? client->name : NULL;
}

/* Commands whose first argument is one of a fixed set. */
static const struct {
    const char *verb;
    const char *(*word_at)(size_t index);
} first_words[] = {
    { "install", client_at },
    { "completion", sq_completion_shell_at },
};

const char *
sq_verb_word_at(const struct sq_verb *verb, size_t index) {
    for (size_t i = 0; i < sizeof(first_words) / sizeof(first_words[0]); i++) {
        if (strcmp(first_words[i].verb, verb->name) == 0) {
            return first_words[i].word_at(index);
        }
    }
    return NULL;
}

const char *
sq_verb_choice_at(const struct sq_verb_flag *flag, size_t index) {
    const struct sq_config_option *option = flag->option;
    if (option && option->flag_words[0]) {
        return index < 2 ? option->flag_words[index] : NULL;
    }
    return flag->arg ? sq_arg_choice_at(flag->arg, index) : NULL;
}

static bool
is_path(const char *value) {
    static const char *const paths[] = { "FILE", "FOLDER", "OUT", "PATH",
                                         "DIR" };
    for (size_t i = 0; value && i < sizeof(paths) / sizeof(paths[0]); i++) {
        if (strcmp(paths[i], value) == 0) {
            return true;
        }
    }
    return false;
}

/* Returns whether the members have flags of their own: --selector.text. */
static bool
is_group(const struct sq_arg *arg) {
    return arg->type == SQ_ARG_OBJECT && !arg->placeholder;
}

/* Visits one level of arguments; objects add one more level. */
static bool
visit_level(const struct sq_arg *arg, const char *prefix, sq_verb_visit *visit,
            void *context, struct sq_err *err) {
    bool ok = true;
    for (; ok && arg && arg->name; arg++) {
        char name[SQ_VERB_FLAG_SIZE / 2];
        struct sq_verb_flag flag = {
            .letter = arg->letter,
            .value = sq_arg_placeholder(arg),
            .is_path = is_path(arg->placeholder),
            .text = arg->text ? arg->text : "",
            .arg = arg,
        };
        sq_flag_name(arg->name, name, sizeof(name));
        snprintf(flag.name, sizeof(flag.name), "%s%s", prefix, name);
        ok = is_group(arg) || visit(context, &flag, err);
    }
    return ok;
}

static bool
visit_args(const struct sq_arg *table, sq_verb_visit *visit, void *context,
           struct sq_err *err) {
    bool ok = visit_level(table, "", visit, context, err);
    for (const struct sq_arg *arg = table; ok && arg && arg->name; arg++) {
        if (is_group(arg)) {
            char name[SQ_VERB_FLAG_SIZE / 2];
            char prefix[SQ_VERB_FLAG_SIZE / 2 + 2];
            sq_flag_name(arg->name, name, sizeof(name));
            snprintf(prefix, sizeof(prefix), "%s.", name);
            ok = visit_level(arg->members, prefix, visit, context, err);
        }
    }
    return ok;
}

bool
sq_verb_flags(const struct sq_verb *verb, sq_verb_visit *visit, void *context,
              struct sq_err *err) {
    static const struct sq_verb_flag help = {
        .name = "help",
        .letter = 'h',
        .text = "say more about this",
    };
    bool ok =
        verb->command
            ? visit_args(verb->command->options, visit, context, err)
            : visit_args(verb->tool->args, visit, context, err)
                  && visit_args(sq_tool_common_args(verb->tool), visit, context,
                                err)
                  && visit_args(sq_operation_output_args, visit, context, err);
    return ok && visit(context, &help, err);
}

bool
sq_verb_config_flags(sq_verb_visit *visit, void *context, struct sq_err *err) {
    static const struct sq_verb_flag file = {
        .name = "config",
        .value = "FILE",
        .is_path = true,
        .text = "the configuration file",
    };
    const struct sq_config_option *option;
    bool ok = visit(context, &file, err);
    for (size_t i = 0; ok && (option = sq_config_option_at(i)); i++) {
        struct sq_verb_flag flag = {
            .value = option->flag_words[0] ? "HOW"
                                           : sq_arg_placeholder(&option->arg),
            .is_path = is_path(option->arg.placeholder),
            .text = option->arg.text,
            .arg = &option->arg,
            .option = option,
        };
        snprintf(flag.name, sizeof(flag.name), "%s", option->flag);
        ok = visit(context, &flag, err);
    }
    return ok;
}
