/* Lists commands, operations and their flags from all tables. */
#include "app/docs/docs.h"

#include <stdio.h>

#include "app/commands/operation.h"
#include "tools/table.h"

static const struct sq_command *const none[] = { NULL };
static const struct sq_command *const *commands = none;

static struct sq_span
find_section(const char *name) {
    return sq_span_section(
        (struct sq_span){ sq_docs_texts, sq_docs_texts_size }, name);
}

bool
sq_docs_append(const char *section, struct sq_buf *out, struct sq_err *err) {
    struct sq_span text = find_section(section);
    return text.len > 0 && sq_buf_append(out, text.ptr, text.len, err);
}

struct sq_span
sq_docs_help(const struct sq_command *command) {
    char section[64];
    snprintf(section, sizeof(section), "help %s", command->name);
    return find_section(section);
}

void
sq_verbs_set_commands(const struct sq_command *const *list) {
    commands = list;
}

bool
sq_verb_at(size_t index, struct sq_verb *out) {
    size_t count = 0;
    while (commands[count]) {
        count++;
    }
    if (index < count) {
        const struct sq_command *command = commands[index];
        *out = (struct sq_verb){ .name = command->name,
                                 .text = command->summary,
                                 .command = command,
                                 .uses = command->uses };
        return true;
    }
    const struct sq_tool *tool = sq_tools_at(index - count);
    if (tool) {
        *out = (struct sq_verb){ .name = sq_tool_verb(tool),
                                 .text = tool->title,
                                 .tool = tool,
                                 .uses = sq_tool_uses(tool) };
    }
    return tool != NULL;
}

bool
sq_verb_find(const char *name, struct sq_verb *out) {
    size_t at = 0;
    while (sq_verb_at(at, out) && strcmp(out->name, name) != 0
           && !(out->tool && strcmp(out->tool->name, name) == 0)) {
        at++;
    }
    return sq_verb_at(at, out);
}

const char *
sq_verb_word_at(const struct sq_verb *verb, size_t index) {
    if (verb->command) {
        return verb->command->word_at ? verb->command->word_at(index) : NULL;
    }
    return verb->tool->people.word_at ? verb->tool->people.word_at(index)
                                      : NULL;
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
    for (size_t i = 0; value && i < SQ_COUNT(paths); i++) {
        if (strcmp(paths[i], value) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * Returns whether the word at a place of a usage is a file: "TEXT FILE", "A B",
 * "IN... -o OUT". Alternatives are separated by "|".
 */
static bool
is_file_place(struct sq_span usage, int place) {
    static const char *const files[] = { "FILE", "IN...",    "A",
                                         "B",    "TEMPLATE", "JOURNAL" };
    struct sq_span word;
    for (int at = 0; sq_span_take_until(&usage, ' ', &word); at++) {
        word = sq_span_is(word, "[FILE]") ? SQ_SPAN("FILE") : word;
        at = sq_span_is(word, "|") ? -1 : at;
        for (size_t i = 0; i < SQ_COUNT(files); i++) {
            if (sq_span_is(word, files[i])
                && (at == place || sq_span_is(word, "IN..."))) {
                return true;
            }
        }
    }
    return false;
}

bool
sq_verb_place(const struct sq_verb *verb, int form, int place,
              struct sq_arg *arg, struct sq_verb_flag *out) {
    struct sq_operation_args args;
    *out = (struct sq_verb_flag){ .name = "" };
    if (verb->command) {
        char usage[128];
        snprintf(usage, sizeof(usage), "%s ", verb->command->usage);
        out->is_path = is_file_place(sq_span_of(usage), place);
        return form == 0;
    }
    if (!sq_operation_args_init(&args, verb->tool, NULL)
        || !sq_operation_args_at(&args, form, place, arg)) {
        return false;
    }
    out->arg = arg->name ? arg : NULL;
    out->is_path = is_path(arg->placeholder);
    return true;
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
            .is_on = sq_usage_is_on(arg, arg->initial),
            .has_no = sq_usage_is_on(arg, arg->initial) || arg->is_three_way,
            .text = arg->help ? arg->help : arg->text,
            .initial = arg->initial,
            .arg = arg,
        };
        sq_flag_of(arg, name, sizeof(name));
        snprintf(flag.name, sizeof(flag.name), "%s%s", prefix, name);
        ok = is_group(arg) || arg->is_hidden || visit(context, &flag, err);
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
            sq_flag_of(arg, name, sizeof(name));
            snprintf(prefix, sizeof(prefix), "%s.", name);
            ok = visit_level(arg->members, prefix, visit, context, err);
        }
    }
    return ok;
}

/* Returns the default as it is written after the flag. */
static const char *
initial_of(const struct sq_config_option *option) {
    if (option->flag_words[0]) {
        return option
            ->flag_words[sq_usage_is_on(&option->arg, option->initial)];
    }
    return option->initial && option->initial[0] ? option->initial : NULL;
}

bool
sq_verb_flags(const struct sq_verb *verb, sq_verb_visit *visit, void *context,
              struct sq_err *err) {
    static const struct sq_verb_flag help = {
        .name = "help",
        .letter = 'h',
        .text = "say more about this",
    };
    struct sq_operation_args args;
    bool ok = verb->command
                ? visit_args(verb->command->options, visit, context, err)
                : sq_operation_args_init(&args, verb->tool, err)
                      && visit_args(args.table, visit, context, err);
    return ok && visit(context, &help, err);
}

/* Describes the flag of an option of the configuration. */
static struct sq_verb_flag
flag_of(const struct sq_config_option *option) {
    bool is_on = sq_usage_is_on(&option->arg, option->initial);
    struct sq_verb_flag flag = {
        .value =
            option->flag_words[0] ? "HOW" : sq_arg_placeholder(&option->arg),
        .is_path = is_path(option->arg.placeholder),
        .is_on = is_on,
        .has_no = is_on,
        .letter = option->arg.letter,
        .text = option->arg.text,
        .initial = initial_of(option),
        .arg = &option->arg,
        .option = option,
    };
    snprintf(flag.name, sizeof(flag.name), "%s", option->flag);
    return flag;
}

bool
sq_verb_takes(const struct sq_verb *verb,
              const struct sq_config_option *option) {
    struct sq_operation_args args;
    if (!(option->used_by & verb->uses)) {
        return false;
    }
    if (verb->command) {
        return !sq_flags_has(verb->command->options, option->flag);
    }
    return !sq_operation_args_init(&args, verb->tool, NULL)
        || !sq_flags_has(args.table, option->flag);
}

bool
sq_verb_config_flags(const struct sq_verb *verb, sq_verb_visit *visit,
                     void *context, struct sq_err *err) {
    static const struct sq_verb_flag file = {
        .name = "config",
        .value = "FILE",
        .is_path = true,
        .text = "read the options from this file; none: see squint config "
                "path",
    };
    const struct sq_config_option *option;
    bool ok = (verb && !verb->uses) || visit(context, &file, err);
    for (size_t i = 0; ok && (option = sq_config_option_at(i)); i++) {
        const struct sq_verb_flag flag = flag_of(option);
        ok = (verb && !sq_verb_takes(verb, option))
          || visit(context, &flag, err);
    }
    return ok;
}
