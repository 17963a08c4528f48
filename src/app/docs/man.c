/* man: prints the man page, written from the tables. */
#include <ctype.h>

#include "app/commands/operation.h"
#include "app/docs/docs.h"

#define MAX_TOOL_TEXT 1024
#define MAX_USAGE_BYTES 4096
#define MAX_RANGE_BYTES 256

/* Writes text escaped for roff, so that no line is a request. */
static bool
put_text(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    bool at_start = true;
    for (size_t i = 0; ok && i < text.len; i++) {
        char byte = text.ptr[i];
        if (at_start && (byte == '.' || byte == '\'')) {
            ok = sq_buf_printf(out, err, "\\&");
        }
        at_start = byte == '\n';
        const char *instead = byte == '\\' ? "\\e" : byte == '-' ? "\\-" : NULL;
        ok = ok
          && (instead ? sq_buf_printf(out, err, "%s", instead)
                      : sq_buf_append(out, &byte, 1, err));
    }
    return ok;
}

/* Writes an escaped text between two others. */
static bool
put_between(const char *before, struct sq_span text, const char *after,
            struct sq_buf *out, struct sq_err *err) {
    return sq_buf_printf(out, err, "%s", before) && put_text(text, out, err)
        && sq_buf_printf(out, err, "%s", after);
}

/* Writes a text as a sentence: with a capital letter and a full stop. */
static bool
put_sentence(struct sq_span text, struct sq_buf *out, struct sq_err *err) {
    const bool is_lower = text.len > 1 && islower((unsigned char)text.ptr[0])
                       && !isupper((unsigned char)text.ptr[1]);
    char first[] = { is_lower ? (char)toupper((unsigned char)text.ptr[0]) : 0,
                     0 };
    sq_span_skip(&text, is_lower);
    return text.len == 0
        || put_between(first, text, sq_span_ends_with(text, ".") ? "\n" : ".\n",
                       out, err);
}

/*
 * Writes help text: an empty line starts a paragraph, an indented line is kept
 * as it is.
 */
static bool
put_lines(struct sq_span rest, struct sq_buf *out, struct sq_err *err) {
    struct sq_span line;
    bool ok = true;
    while (ok && sq_span_take_line(&rest, &line)) {
        if (line.len == 0) {
            ok = sq_buf_printf(out, err, ".PP\n");
            continue;
        }
        ok = put_between(line.ptr[0] == ' ' ? ".br\n" : "", line, "\n", out,
                         err);
    }
    return ok;
}

static bool
put_range(const struct sq_arg *arg, struct sq_buf *out, struct sq_err *err) {
    SQ_BUF(range, MAX_RANGE_BYTES);
    return sq_usage_range(arg, &range, err)
        && put_sentence(sq_buf_span(&range), out, err);
}

static bool
put_choices(const struct sq_verb_flag *flag, struct sq_buf *out,
            struct sq_err *err) {
    const char *word = sq_verb_choice_at(flag, 0);
    bool ok = true;
    for (size_t i = 0; ok && word; i++) {
        const char *next = sq_verb_choice_at(flag, i + 1);
        ok = put_between(i ? ", " : "One of ", sq_span_of(word),
                         next ? "" : ".\n", out, err);
        word = next;
    }
    return ok;
}

static bool
put_default(const struct sq_verb_flag *flag, struct sq_buf *out,
            struct sq_err *err) {
    bool is_switch =
        flag->arg && flag->arg->type == SQ_ARG_BOOL && !flag->value;
    const char *initial = is_switch && flag->initial
                            ? (flag->is_on ? "yes" : "no")
                            : flag->initial;
    if (!initial && flag->arg && flag->arg->required) {
        return sq_buf_printf(out, err, "Required.\n");
    }
    return !initial
        || put_between("Default: ", sq_span_of(initial), ".\n", out, err);
}

/* Writes "-o, --output FILE" with the value in italics. */
static bool
put_flag_name(const struct sq_verb_flag *flag, struct sq_buf *out,
              struct sq_err *err) {
    return sq_buf_printf(out, err, ".TP\n.BR ")
        && (!flag->letter
            || sq_buf_printf(out, err, "\\-%c \", \" ", flag->letter))
        && sq_buf_printf(out, err, "\\-\\-%s", flag->is_on ? "[no\\-]" : "")
        && put_text(sq_span_of(flag->name), out, err)
        && (!flag->value
            || put_between(" \" \\fI", sq_span_of(flag->value), "\\fR\"", out,
                           err))
        && sq_buf_printf(out, err, "\n");
}

/* Writes the key and variable that also set an option. */
static bool
put_places(const struct sq_config_option *option, struct sq_buf *out,
           struct sq_err *err) {
    char variable[SQ_CONFIG_VARIABLE_SIZE];
    if (!put_between(".br\nFile: ", sq_span_of(option->arg.name),
                     "; environment: ", out, err)
        || !put_between("", sq_span_of(sq_config_variable(option, variable)),
                        "\n", out, err)) {
        return false;
    }
    /* Writes the commands that take an option of the configuration. */
    struct sq_verb verb;
    bool is_first = true;
    bool ok = sq_buf_printf(out, err, ".br\nTaken by: ");
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        if (sq_verb_takes(&verb, option)) {
            ok = put_between(is_first ? "" : ", ", sq_span_of(verb.name), "",
                             out, err);
            is_first = false;
        }
    }
    return ok && sq_buf_printf(out, err, "\n");
}

static bool
put_flag(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    struct sq_buf *out = context;
    return put_flag_name(flag, out, err)
        && put_sentence(sq_span_of(flag->text), out, err)
        && (!flag->arg || put_range(flag->arg, out, err))
        && put_choices(flag, out, err) && put_default(flag, out, err)
        && (!flag->option || put_places(flag->option, out, err));
}

/* Writes the arguments after the verb. */
static bool
put_usage(const struct sq_verb *verb, struct sq_buf *out, struct sq_err *err) {
    struct sq_operation_args args;
    SQ_BUF(usage, MAX_USAGE_BYTES);
    if (verb->command) {
        return put_text(sq_span_of(verb->command->usage), out, err);
    }
    return sq_operation_args_init(&args, verb->tool, err)
        && sq_operation_args_usage(&args, &usage, err)
        && put_text(sq_buf_span(&usage), out, err);
}

static bool
put_about(const struct sq_tool *tool, struct sq_buf *out, struct sq_err *err) {
    SQ_BUF(text, MAX_TOOL_TEXT);
    return sq_operation_about(tool, &text, err)
        && put_lines(sq_buf_span(&text), out, err);
}

static bool
put_verbs(bool commands, struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    bool ok = true;
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        if ((verb.command != NULL) == commands) {
            ok = put_between(".SS squint ", sq_span_of(verb.name), " ", out,
                             err)
              && put_usage(&verb, out, err) && sq_buf_printf(out, err, "\n")
              && (verb.command ? put_lines(sq_docs_help(verb.command), out, err)
                               : put_about(verb.tool, out, err))
              && sq_verb_flags(&verb, put_flag, out, err);
        }
    }
    return ok;
}

static bool
man_run(const struct sq_run *run, struct sq_err *err) {
    return sq_buf_printf(run->out, err,
                         ".TH SQUINT 1 \"\" \"squint " SQ_VERSION
                         "\" \"User Commands\"\n")
        && sq_docs_append("man head", run->out, err)
        && sq_buf_printf(run->out, err, ".SH COMMANDS\n")
        && put_verbs(true, run->out, err)
        && sq_docs_append("man operations", run->out, err)
        && put_verbs(false, run->out, err)
        && sq_docs_append("man configuration", run->out, err)
        && sq_verb_config_flags(NULL, put_flag, run->out, err)
        && sq_docs_append("man tail", run->out, err);
}

const struct sq_command sq_command_man = {
    .name = "man",
    .usage = "",
    .summary = "print the man page, in roff",
    .is_verbatim = true,
    .run = man_run,
};
