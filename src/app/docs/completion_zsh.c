/* The completion script for zsh: flags with descriptions, for _arguments. */
#include "app/docs/completion.h"

#include <stdio.h>
#include <string.h>

#include "app/docs/verbs.h"

/* Writes text inside single quotes, escaped once more for _arguments. */
static bool
put_text(const char *text, struct sq_buf *out, struct sq_err *err) {
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
put_values(const struct sq_verb_flag *flag, struct sq_buf *out,
           struct sq_err *err) {
    const char *word = sq_verb_choice_at(flag, 0);
    if (!flag->value) {
        return true;
    }
    bool ok = sq_buf_printf(out, err, ":") && put_text(flag->value, out, err)
           && sq_buf_printf(out, err, ":");
    if (!word) {
        return ok
            && sq_buf_printf(out, err, "%s", flag->is_path ? "_files" : "");
    }
    ok = ok && sq_buf_printf(out, err, "(");
    for (size_t i = 0; ok && (word = sq_verb_choice_at(flag, i)); i++) {
        ok = sq_buf_printf(out, err, "%s%s", i ? " " : "", word);
    }
    return ok && sq_buf_printf(out, err, ")");
}

static bool
put_spec(const char *name, const struct sq_verb_flag *flag, const char *equals,
         struct sq_buf *out, struct sq_err *err) {
    return sq_buf_printf(out, err, "            '%s%s[", name, equals)
        && put_text(flag->text, out, err) && sq_buf_printf(out, err, "]")
        && put_values(flag, out, err) && sq_buf_printf(out, err, "'\n");
}

static bool
put_flag(void *context, const struct sq_verb_flag *flag, struct sq_err *err) {
    struct sq_buf *out = context;
    const char letter[] = { '-', flag->letter, '\0' };
    char name[SQ_VERB_FLAG_SIZE + 2];
    char negated[SQ_VERB_FLAG_SIZE + 5];
    snprintf(name, sizeof(name), "--%s", flag->name);
    snprintf(negated, sizeof(negated), "--no-%s", flag->name);
    return (!flag->letter || put_spec(letter, flag, "", out, err))
        && put_spec(name, flag, flag->value ? "=" : "", out, err)
        && (!flag->has_no || put_spec(negated, flag, "", out, err));
}

static bool
put_words(const struct sq_verb *verb, struct sq_buf *out, struct sq_err *err) {
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
put_alternative(void *context, const struct sq_verb_flag *flag,
                struct sq_err *err) {
    return sq_buf_printf(context, err, "%s|", flag->name);
}

/* Adds the flags of the configuration that the verb takes. */
static bool
put_config_use(const struct sq_verb *verb, struct sq_buf *out,
               struct sq_err *err) {
    return !verb->uses
        || (sq_buf_printf(out, err, "\n        specs+=(${(M)config:#--(|no-)(")
            && sq_verb_config_flags(verb, put_alternative, out, err)
            && sq_buf_printf(out, err, ")(|=)\\[*})"));
}

static bool
put_verb(const struct sq_verb *verb, struct sq_buf *out, struct sq_err *err) {
    return sq_buf_printf(out, err, "    %s)\n        specs=(\n", verb->name)
        && sq_verb_flags(verb, put_flag, out, err) && put_words(verb, out, err)
        && sq_buf_printf(out, err, "\n        )")
        && put_config_use(verb, out, err) && sq_buf_printf(out, err, " ;;\n");
}

static bool
put_first(struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    bool ok = sq_buf_printf(out, err, "    verbs=(\n");
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        ok = sq_buf_printf(out, err, "            '%s:", verb.name)
          && put_text(verb.text, out, err) && sq_buf_printf(out, err, "'\n");
    }
    return ok
        && sq_buf_printf(out, err,
                         "    )\n"
                         "    if (( CURRENT == 2 )); then\n"
                         "        _describe command verbs\n"
                         "        return\n"
                         "    fi\n"
                         "    config=(\n")
        && sq_verb_config_flags(NULL, put_flag, out, err)
        && sq_buf_printf(out, err, "    )\n");
}

bool
sq_completion_zsh(struct sq_buf *out, struct sq_err *err) {
    struct sq_verb verb;
    bool ok = sq_buf_printf(out, err,
                            "#compdef squint\n"
                            "# zsh completion for squint, written by: squint "
                            "completion zsh\n"
                            "_squint() {\n"
                            "    local -a verbs config specs\n")
           && put_first(out, err)
           && sq_buf_printf(out, err,
                            "    local verb=$words[2]\n"
                            "    shift words\n"
                            "    (( CURRENT-- ))\n"
                            "    case $verb in\n");
    for (size_t i = 0; ok && sq_verb_at(i, &verb); i++) {
        ok = put_verb(&verb, out, err);
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
