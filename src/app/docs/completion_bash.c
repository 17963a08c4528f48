/* The completion script for bash, which shows words without descriptions. */
#include "app/docs/completion.h"
#include "app/docs/verbs.h"

/* The output, and what to write. */
struct script {
    struct sq_buf *out;
    bool values; /* write the values of flags instead of the flags */
};

static const char head[] =
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

static const char tail[] =
    "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
    "}\n"
    "complete -o default -F _squint squint\n";

static bool
put_name(const struct sq_verb_flag *flag, const char *between,
         struct sq_buf *out, struct sq_err *err) {
    return sq_buf_printf(out, err, "--%s", flag->name)
        && (!flag->letter
            || sq_buf_printf(out, err, "%s-%c", between, flag->letter));
}

/* Writes the values of a flag. File names are bash's default. */
static bool
put_values(const struct sq_verb_flag *flag, struct sq_buf *out,
           struct sq_err *err) {
    bool ok = sq_buf_printf(out, err, "        ")
           && put_name(flag, " | ", out, err) && sq_buf_printf(out, err, ")");
    const char *word = sq_verb_choice_at(flag, 0);
    if (!word) {
        return ok
            && sq_buf_printf(out, err, "%s return ;;\n",
                             flag->is_path ? "" : " compopt +o default;");
    }
    ok = ok && sq_buf_printf(out, err, " words=\"");
    for (size_t i = 0; ok && (word = sq_verb_choice_at(flag, i)); i++) {
        ok = sq_buf_printf(out, err, "%s%s", i ? " " : "", word);
    }
    return ok && sq_buf_printf(out, err, "\" ;;\n");
}

static bool
put_flag(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    struct script *script = context;
    if (script->values) {
        return !flag->value || put_values(flag, script->out, err);
    }
    return put_name(flag, " ", script->out, err)
        && sq_buf_printf(script->out, err, " ")
        && (!flag->has_no
            || sq_buf_printf(script->out, err, "--no-%s ", flag->name));
}

static bool
put_verb(const struct sq_verb *verb, struct sq_buf *out, struct sq_err *err) {
    struct script flags = { out, false };
    struct script values = { out, true };
    const char *word;
    bool ok =
        sq_buf_printf(out, err, "    %s)\n        case $prev in\n", verb->name)
        && sq_verb_flags(verb, put_flag, &values, err)
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
        && sq_verb_flags(verb, put_flag, &flags, err)
        && sq_verb_config_flags(verb, put_flag, &flags, err)
        && sq_buf_printf(out, err, "\" ;;\n        esac ;;\n");
}

static bool
put_verbs(struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    bool ok = sq_buf_printf(out, err, "    case $verb in\n");
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        ok = put_verb(&verb, out, err);
    }
    return ok && sq_buf_printf(out, err, "    esac\n");
}

static bool
put_first(struct sq_buf *out, struct sq_err *err) {
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
put_config(struct sq_buf *out, struct sq_err *err) {
    struct script values = { out, true };
    return sq_buf_printf(out, err,
                         "    if [[ $config ]]; then\n"
                         "        case $prev in\n")
        && sq_verb_config_flags(NULL, put_flag, &values, err)
        && sq_buf_printf(out, err, "        esac\n    fi\n");
}

bool
sq_completion_bash(struct sq_buf *out, struct sq_err *err) {
    return sq_buf_append(out, head, sizeof(head) - 1, err)
        && put_first(out, err) && put_verbs(out, err) && put_config(out, err)
        && sq_buf_append(out, tail, sizeof(tail) - 1, err);
}
