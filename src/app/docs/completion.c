/* completion: prints a script with all commands and flags for a shell. */
#include <stdio.h>
#include <string.h>

#include "app/docs/docs.h"
#include "util/span.h"

/* Writes the values of a flag with spaces between them. */
static bool
put_choices(const struct sq_verb_flag *flag, struct sq_buf *out,
            struct sq_err *err) {
    const char *word;
    bool ok = true;
    for (size_t i = 0; ok && (word = sq_verb_choice_at(flag, i)); i++) {
        ok = sq_buf_printf(out, err, "%s%s", i ? " " : "", word);
    }
    return ok;
}

/* bash shows words without descriptions. */

/* The output, and what to write. */
struct script {
    struct sq_buf *out;
    bool values; /* write the values of flags instead of the flags */
};

static const char bash_head[] =
    "# bash completion for squint, written by: squint completion bash\n"
    "_squint() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local verb=${COMP_WORDS[1]} words= config=\n"
    "    COMPREPLY=()\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n";

static const char bash_tail[] =
    "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
    "}\n"
    "complete -o default -F _squint squint\n";

static bool
put_bash_name(const struct sq_verb_flag *flag, const char *between,
              struct sq_buf *out, struct sq_err *err) {
    return sq_buf_printf(out, err, "--%s", flag->name)
        && (!flag->letter
            || sq_buf_printf(out, err, "%s-%c", between, flag->letter));
}

/* Writes the values of a flag. File names are bash's default. */
static bool
put_bash_values(const struct sq_verb_flag *flag, struct sq_buf *out,
                struct sq_err *err) {
    bool ok = sq_buf_printf(out, err, "        ")
           && put_bash_name(flag, " | ", out, err)
           && sq_buf_printf(out, err, ")");
    if (!sq_verb_choice_at(flag, 0)) {
        return ok
            && sq_buf_printf(out, err, "%s return ;;\n",
                             flag->is_path ? "" : " compopt +o default;");
    }
    ok = ok && sq_buf_printf(out, err, " words=\"");
    return ok && put_choices(flag, out, err)
        && sq_buf_printf(out, err, "\" ;;\n");
}

static bool
put_bash_flag(void *context, const struct sq_verb_flag *flag,
              struct sq_err *err) {
    struct script *script = context;
    if (script->values) {
        return !flag->value || put_bash_values(flag, script->out, err);
    }
    return put_bash_name(flag, " ", script->out, err)
        && sq_buf_printf(script->out, err, " ")
        && (!flag->has_no
            || sq_buf_printf(script->out, err, "--no-%s ", flag->name));
}

static bool
put_bash_verb(const struct sq_verb *verb, struct sq_buf *out,
              struct sq_err *err) {
    struct script flags = { out, false };
    struct script values = { out, true };
    const char *word;
    bool ok =
        sq_buf_printf(out, err, "    %s)\n        case $prev in\n", verb->name)
        && sq_verb_flags(verb, put_bash_flag, &values, err)
        && sq_buf_printf(out, err, "        *) ")
        && sq_buf_printf(out, err, "%swords=\"",
                         verb->uses ? "config=yes " : "");
    for (size_t i = 0; ok && (word = sq_verb_word_at(verb, i)); i++) {
        ok = sq_buf_printf(out, err, "%s ", word);
    }
    /* Where there are words, flags are offered after a dash. */
    return ok
        && (!sq_verb_word_at(verb, 0)
            || sq_buf_printf(out, err,
                             "\"\n           [[ $cur != -* ]] || words=\""))
        && sq_verb_flags(verb, put_bash_flag, &flags, err)
        && sq_verb_config_flags(verb, put_bash_flag, &flags, err)
        && sq_buf_printf(out, err, "\" ;;\n        esac ;;\n");
}

static bool
put_bash_verbs(struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    bool ok = sq_buf_printf(out, err, "    case $verb in\n");
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        ok = put_bash_verb(&verb, out, err);
    }
    return ok && sq_buf_printf(out, err, "    esac\n");
}

static bool
put_bash_first(struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    bool ok = sq_buf_printf(out, err,
                            "    if ((COMP_CWORD == 1)); then\n"
                            "        COMPREPLY=($(compgen -W \"");
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        ok = sq_buf_printf(out, err, "%s ", verb.name);
    }
    return ok
        && sq_buf_printf(out, err,
                         "--help --version\" -- \"$cur\"))\n"
                         "        return\n    fi\n");
}

/* Writes the values of the flags that many verbs share once. */
static bool
put_bash_config(struct sq_buf *out, struct sq_err *err) {
    struct script values = { out, true };
    return sq_buf_printf(out, err,
                         "    if [[ $config ]]; then\n"
                         "        case $prev in\n")
        && sq_verb_config_flags(NULL, put_bash_flag, &values, err)
        && sq_buf_printf(out, err, "        esac\n    fi\n");
}

static bool
write_bash(struct sq_buf *out, struct sq_err *err) {
    return sq_buf_append(out, bash_head, sizeof(bash_head) - 1, err)
        && put_bash_first(out, err) && put_bash_verbs(out, err)
        && put_bash_config(out, err)
        && sq_buf_append(out, bash_tail, sizeof(bash_tail) - 1, err);
}

/* fish: one line per flag, with its description. */

/* The output, and the verbs for which the lines apply. */
struct lines {
    struct sq_buf *out;
    const char *verbs;
};

/* Writes text inside single quotes. */
static bool
put_fish_quoted(const char *text, struct sq_buf *out, struct sq_err *err) {
    bool ok = sq_buf_append(out, "'", 1, err);
    for (; ok && *text; text++) {
        ok = (*text != '\'' && *text != '\\')
          || sq_buf_append(out, "\\", 1, err);
        ok = ok && sq_buf_append(out, text, 1, err);
    }
    return ok && sq_buf_append(out, "'", 1, err);
}

static bool
put_fish_values(const struct sq_verb_flag *flag, struct sq_buf *out,
                struct sq_err *err) {
    if (!flag->value) {
        return true;
    }
    if (!sq_verb_choice_at(flag, 0)) {
        return sq_buf_printf(out, err, "%s", flag->is_path ? " -r -F" : " -x");
    }
    bool ok = sq_buf_printf(out, err, " -x -a '");
    return ok && put_choices(flag, out, err) && sq_buf_printf(out, err, "'");
}

static bool
put_fish_line(const struct lines *lines, const char *before,
              const struct sq_verb_flag *flag, struct sq_err *err) {
    struct sq_buf *out = lines->out;
    return sq_buf_printf(out, err,
                         "complete -c squint -n '__fish_seen_subcommand_from "
                         "%s' -l %s%s",
                         lines->verbs, before, flag->name)
        && (!flag->letter || sq_buf_printf(out, err, " -s %c", flag->letter))
        && put_fish_values(flag, out, err) && sq_buf_printf(out, err, " -d ")
        && put_fish_quoted(flag->text, out, err)
        && sq_buf_printf(out, err, "\n");
}

static bool
put_fish_flag(void *context, const struct sq_verb_flag *flag,
              struct sq_err *err) {
    const struct lines *lines = context;
    return put_fish_line(lines, "", flag, err)
        && (!flag->has_no || put_fish_line(lines, "no-", flag, err));
}

static bool
put_fish_verb(const struct sq_verb *verb, struct sq_buf *out,
              struct sq_err *err) {
    struct lines lines = { out, verb->name };
    const char *word;
    bool ok = sq_buf_printf(out, err,
                            "complete -c squint -n __fish_use_subcommand -a %s "
                            "-d ",
                            verb->name)
           && put_fish_quoted(verb->text, out, err)
           && sq_buf_printf(out, err, "\n");
    for (size_t i = 0; ok && (word = sq_verb_word_at(verb, i)); i++) {
        ok = sq_buf_printf(out, err,
                           "complete -c squint -n "
                           "'__fish_seen_subcommand_from %s' -a %s\n",
                           verb->name, word);
    }
    return ok && sq_verb_flags(verb, put_fish_flag, &lines, err);
}

/* Sets the verbs that have an option of the configuration; NULL: --config. */
static bool
put_fish_verbs(const struct sq_config_option *option, struct sq_buf *out,
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
put_fish_config_flag(void *context, const struct sq_verb_flag *flag,
                     struct sq_err *err) {
    const struct lines *lines = context;
    return put_fish_verbs(flag->option, lines->out, err)
        && put_fish_flag(context, flag, err);
}

/* Writes the flags that many verbs share, with those verbs as the condition. */
static bool
put_fish_config(struct sq_buf *out, struct sq_err *err) {
    struct lines lines = { out, "'\"$__squint_with_option\"'" };
    return sq_buf_printf(out, err, "set -l __squint_with_option\n")
        && sq_verb_config_flags(NULL, put_fish_config_flag, &lines, err);
}

static bool
write_fish(struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    bool ok = sq_buf_printf(out, err,
                            "# fish completion for squint, written by: squint "
                            "completion fish\n"
                            "complete -c squint -n __fish_use_subcommand -f\n");
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        ok = put_fish_verb(&verb, out, err);
    }
    return ok && put_fish_config(out, err);
}

/* zsh: flags with descriptions, for _arguments. */

/* Writes text inside single quotes, escaped once more for _arguments. */
static bool
put_zsh_text(const char *text, struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    for (; ok && *text; text++) {
        if (*text == '\'') {
            ok = sq_buf_printf(out, err, "'\\''");
        } else {
            ok = (!strchr("[]:\\", *text) || sq_buf_append(out, "\\", 1, err))
              && sq_buf_append(out, text, 1, err);
        }
    }
    return ok;
}

/* Writes ":what:(one or another)" after a flag. */
static bool
put_zsh_values(const struct sq_verb_flag *flag, struct sq_buf *out,
               struct sq_err *err) {
    if (!flag->value) {
        return true;
    }
    bool ok = sq_buf_printf(out, err, ":")
           && put_zsh_text(flag->value, out, err)
           && sq_buf_printf(out, err, ":");
    if (!sq_verb_choice_at(flag, 0)) {
        return ok
            && sq_buf_printf(out, err, "%s", flag->is_path ? "_files" : "");
    }
    ok = ok && sq_buf_printf(out, err, "(");
    return ok && put_choices(flag, out, err) && sq_buf_printf(out, err, ")");
}

static bool
put_zsh_spec(const char *name, const struct sq_verb_flag *flag,
             const char *equals, struct sq_buf *out, struct sq_err *err) {
    return sq_buf_printf(out, err, "            '%s%s[", name, equals)
        && put_zsh_text(flag->text, out, err) && sq_buf_printf(out, err, "]")
        && put_zsh_values(flag, out, err) && sq_buf_printf(out, err, "'\n");
}

static bool
put_zsh_flag(void *context, const struct sq_verb_flag *flag,
             struct sq_err *err) {
    struct sq_buf *out = context;
    const char letter[] = { '-', flag->letter, '\0' };
    char name[SQ_VERB_FLAG_SIZE + 2];
    char negated[SQ_VERB_FLAG_SIZE + 5];
    snprintf(name, sizeof(name), "--%s", flag->name);
    snprintf(negated, sizeof(negated), "--no-%s", flag->name);
    return (!flag->letter || put_zsh_spec(letter, flag, "", out, err))
        && put_zsh_spec(name, flag, flag->value ? "=" : "", out, err)
        && (!flag->has_no || put_zsh_spec(negated, flag, "", out, err));
}

static bool
put_zsh_words(const struct sq_verb *verb, struct sq_buf *out,
              struct sq_err *err) {
    const char *word = sq_verb_word_at(verb, 0);
    if (!word) {
        return sq_buf_printf(out, err, "            '*:file:_files'");
    }
    bool ok = sq_buf_printf(out, err, "            '1:word:(");
    for (size_t i = 0; ok && (word = sq_verb_word_at(verb, i)); i++) {
        ok = sq_buf_printf(out, err, "%s%s", i ? " " : "", word);
    }
    return ok && sq_buf_printf(out, err, ")'");
}

/* Writes the name of a flag and "|", for a pattern. */
static bool
put_zsh_alternative(void *context, const struct sq_verb_flag *flag,
                    struct sq_err *err) {
    return sq_buf_printf(context, err, "%s|", flag->name);
}

/* Adds the flags of the configuration that the verb takes. */
static bool
put_zsh_config_use(const struct sq_verb *verb, struct sq_buf *out,
                   struct sq_err *err) {
    return !verb->uses
        || (sq_buf_printf(out, err, "\n        specs+=(${(M)config:#--(|no-)(")
            && sq_verb_config_flags(verb, put_zsh_alternative, out, err)
            && sq_buf_printf(out, err, ")(|=)\\[*})"));
}

static bool
put_zsh_verb(const struct sq_verb *verb, struct sq_buf *out,
             struct sq_err *err) {
    return sq_buf_printf(out, err, "    %s)\n        specs=(\n", verb->name)
        && sq_verb_flags(verb, put_zsh_flag, out, err)
        && put_zsh_words(verb, out, err)
        && sq_buf_printf(out, err, "\n        )")
        && put_zsh_config_use(verb, out, err)
        && sq_buf_printf(out, err, " ;;\n");
}

static bool
put_zsh_first(struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    bool ok = sq_buf_printf(out, err, "    verbs=(\n");
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        ok = sq_buf_printf(out, err, "            '%s:", verb.name)
          && put_zsh_text(verb.text, out, err)
          && sq_buf_printf(out, err, "'\n");
    }
    return ok
        && sq_buf_printf(out, err,
                         "    )\n"
                         "    if (( CURRENT == 2 )); then\n"
                         "        _describe command verbs\n"
                         "        return\n"
                         "    fi\n"
                         "    config=(\n")
        && sq_verb_config_flags(NULL, put_zsh_flag, out, err)
        && sq_buf_printf(out, err, "    )\n");
}

static bool
write_zsh(struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    bool ok = sq_buf_printf(out, err,
                            "#compdef squint\n"
                            "# zsh completion for squint, written by: squint "
                            "completion zsh\n"
                            "_squint() {\n"
                            "    local -a verbs config specs\n")
           && put_zsh_first(out, err)
           && sq_buf_printf(out, err,
                            "    local verb=$words[2]\n"
                            "    shift words\n"
                            "    (( CURRENT-- ))\n"
                            "    case $verb in\n");
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        ok = put_zsh_verb(&verb, out, err);
    }
    return ok
        && sq_buf_printf(out, err,
                         "    esac\n"
                         "    _arguments -s $specs\n"
                         "}\n"
                         "if [[ $funcstack[1] == _squint ]]; then\n"
                         "    _squint \"$@\"\n"
                         "else\n"
                         "    compdef _squint squint\n"
                         "fi\n");
}

static const struct shell {
    const char *name;
    bool (*script)(struct sq_buf *out, struct sq_err *err);
} shells[] = {
    { "bash", write_bash },
    { "fish", write_fish },
    { "zsh", write_zsh },
};
#define SHELLS (sizeof(shells) / sizeof(shells[0]))

static const char *
shell_at(size_t index) {
    return index < SHELLS ? shells[index].name : NULL;
}

static bool
fail_shell(const char *shell, struct sq_err *err) {
    struct sq_nearest nearest;
    char remark[SQ_NEAREST_REMARK_SIZE];
    sq_nearest_begin(&nearest, sq_span_of(shell));
    for (size_t i = 0; i < SHELLS; i++) {
        sq_nearest_try(&nearest, shells[i].name);
    }
    sq_nearest_remark(&nearest, remark);
    sq_fail(err, SQ_ERR_ARGUMENT, "there is no shell \"%s\"%s", shell, remark);
    return sq_fail_hint(err, "Choose from: bash, fish, zsh.");
}

static bool
write_script(const char *shell, struct sq_buf *out, struct sq_err *err) {
    for (size_t i = 0; i < SHELLS; i++) {
        if (strcmp(shells[i].name, shell) == 0) {
            return shells[i].script(out, err);
        }
    }
    return fail_shell(shell, err);
}

static bool
completion_run(const struct sq_run *run, struct sq_err *err) {
    return write_script(run->words->word[0], run->out, err);
}

const struct sq_command sq_command_completion = {
    .name = "completion",
    .usage = "bash|fish|zsh",
    .summary = "print the script that lets a shell complete words",
    .help = "  bash: source <(squint completion bash), in ~/.bashrc\n"
            "  zsh:  source <(squint completion zsh), in ~/.zshrc after "
            "compinit\n"
            "  fish: squint completion fish | source, in config.fish\n\n"
            "Exit status: 0 done, 2 the command line is wrong.",
    .min_words = 1,
    .max_words = 1,
    .is_verbatim = true,
    .trouble = SQ_STATUS_FAILED,
    .word_at = shell_at,
    .run = completion_run,
};
