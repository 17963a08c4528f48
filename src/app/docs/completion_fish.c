/* The completion script for fish: one line per flag, with its description. */
#include "app/docs/completion.h"

#include <string.h>

#include "app/docs/verbs.h"

/* The output, and the verbs for which the lines apply. */
struct lines {
    struct sq_buf *out;
    const char *verbs;
};

/* Writes text inside single quotes. */
static bool
put_quoted(const char *text, struct sq_buf *out, struct sq_err *err) {
    bool ok = sq_buf_append(out, "'", 1, err);
    for (; ok && *text; text++) {
        ok = (*text != '\'' && *text != '\\')
          || sq_buf_append(out, "\\", 1, err);
        ok = ok && sq_buf_append(out, text, 1, err);
    }
    return ok && sq_buf_append(out, "'", 1, err);
}

static bool
put_values(const struct sq_verb_flag *flag, struct sq_buf *out,
           struct sq_err *err) {
    const char *word = sq_verb_choice_at(flag, 0);
    if (!flag->value) {
        return true;
    }
    if (!word) {
        return sq_buf_printf(out, err, "%s", flag->is_path ? " -r -F" : " -x");
    }
    bool ok = sq_buf_printf(out, err, " -x -a '");
    for (size_t i = 0; ok && (word = sq_verb_choice_at(flag, i)); i++) {
        ok = sq_buf_printf(out, err, "%s%s", i ? " " : "", word);
    }
    return ok && sq_buf_printf(out, err, "'");
}

static bool
put_line(const struct lines *lines, const char *before,
         const struct sq_verb_flag *flag, struct sq_err *err) {
    struct sq_buf *out = lines->out;
    return sq_buf_printf(out, err,
                         "complete -c squint -n '__fish_seen_subcommand_from "
                         "%s' -l %s%s",
                         lines->verbs, before, flag->name)
        && (!flag->letter || sq_buf_printf(out, err, " -s %c", flag->letter))
        && put_values(flag, out, err) && sq_buf_printf(out, err, " -d ")
        && put_quoted(flag->text, out, err) && sq_buf_printf(out, err, "\n");
}

static bool
put_flag(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    const struct lines *lines = context;
    return put_line(lines, "", flag, err)
        && (!flag->has_no || put_line(lines, "no-", flag, err));
}

static bool
put_verb(const struct sq_verb *verb, struct sq_buf *out, struct sq_err *err) {
    struct lines lines = { out, verb->name };
    const char *word;
    bool ok = sq_buf_printf(out, err,
                            "complete -c squint -n __fish_use_subcommand -a %s "
                            "-d ",
                            verb->name)
           && put_quoted(verb->text, out, err) && sq_buf_printf(out, err, "\n");
    for (size_t i = 0; ok && (word = sq_verb_word_at(verb, i)); i++) {
        ok = sq_buf_printf(out, err,
                           "complete -c squint -n "
                           "'__fish_seen_subcommand_from %s' -a %s\n",
                           verb->name, word);
    }
    return ok && sq_verb_flags(verb, put_flag, &lines, err);
}

/* Sets the verbs that have an option of the configuration; NULL: --config. */
static bool
put_verbs(const struct sq_config_option *option, struct sq_buf *out,
          struct sq_err *err) {
    struct sq_verb verb;
    bool ok = sq_buf_printf(out, err, "set __squint_with_option");
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        bool takes = option ? sq_verb_takes(&verb, option) : verb.uses != 0;
        ok = !takes || sq_buf_printf(out, err, " %s", verb.name);
    }
    return ok && sq_buf_printf(out, err, "\n");
}

static bool
put_config_flag(void *context, const struct sq_verb_flag *flag,
                struct sq_err *err) {
    const struct lines *lines = context;
    return put_verbs(flag->option, lines->out, err)
        && put_flag(context, flag, err);
}

/* Writes the flags that many verbs share, with those verbs as the condition. */
static bool
put_config(struct sq_buf *out, struct sq_err *err) {
    struct lines lines = { out, "'\"$__squint_with_option\"'" };
    return sq_buf_printf(out, err, "set -l __squint_with_option\n")
        && sq_verb_config_flags(NULL, put_config_flag, &lines, err);
}

bool
sq_completion_fish(struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    bool ok = sq_buf_printf(out, err,
                            "# fish completion for squint, written by: squint "
                            "completion fish\n"
                            "complete -c squint -n __fish_use_subcommand -f\n");
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        ok = put_verb(&verb, out, err);
    }
    return ok && put_config(out, err);
}
