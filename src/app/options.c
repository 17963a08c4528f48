/* Parses the command line of a command by its argument table. */
#include "app/options.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "app/flags.h"
#include "args/usage.h"

/* One option of the command line. */
struct option {
    const struct sq_arg *arg;
    char name[SQ_FLAG_FULL_SIZE]; /* "--name" */
    const char *value;            /* NULL: not in the same word */
};

/* Splits a word that starts with a dash into the option and its value. */
static bool
read_option(const struct sq_accepted *accepted, const char *word,
            struct option *out, struct sq_err *err) {
    const struct sq_arg *table = accepted->table;
    if (word[1] == '-') {
        struct sq_span name = sq_span_of(word + 2);
        const char *equals = strchr(word, '=');
        name.len = equals ? (size_t)(equals - name.ptr) : name.len;
        struct sq_flag flag = { 0 };
        bool found = sq_flag_find(table, name, &flag);
        out->arg = found && !flag.is_negated && !flag.group ? flag.arg : NULL;
        out->value = equals ? equals + 1 : NULL;
    } else {
        out->arg = sq_flag_by_letter(table, word[1]);
        out->value = word[2] ? word + 2 : NULL;
    }
    if (!out->arg) {
        return sq_flag_fail_unknown(accepted, word, err);
    }
    sq_flag_full_name(NULL, out->arg, out->name);
    if (out->arg->type == SQ_ARG_BOOL && out->value) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s takes no value", out->name);
        return sq_fail_hint(err, "Write only %s.", out->name);
    }
    return true;
}

static bool
add_word(struct sq_words *words, const char *word, struct sq_err *err) {
    if (words->count == SQ_MAX_WORDS) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "\"%s\" is one word too many",
                       word);
    }
    words->word[words->count++] = word;
    return true;
}

/* Reads the option at the start of argv, whose value may be the next word. */
static bool
take_option(const struct sq_accepted *accepted, int argc, char *const *argv,
            int *used, void *args, struct sq_err *err) {
    struct option option = { 0 };
    if (!read_option(accepted, argv[0], &option, err)) {
        return false;
    }
    assert(option.arg);
    *used = 1;
    if (option.arg->type == SQ_ARG_BOOL) {
        option.value = "true";
    } else if (!option.value && argc < 2) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "%s needs a value: %s",
                       option.name, sq_arg_placeholder(option.arg));
    } else if (!option.value) {
        option.value = argv[1];
        *used = 2;
    }
    const struct sq_arg_source source = { .name = option.name };
    return sq_arg_parse(option.arg, sq_span_of(option.value), &source, args,
                        err);
}

/* Returns whether a word is not an option: "IN", "-" or the number "-12". */
static bool
is_word(const char *word) {
    return word[0] != '-' || !word[1] || isdigit((unsigned char)word[1]);
}

bool
sq_options_parse(const struct sq_accepted *accepted, int argc,
                 char *const *argv, void *args, struct sq_words *words,
                 struct sq_err *err) {
    bool only_words = false;
    bool ok = true;
    for (int i = 0; ok && i < argc;) {
        int used = 1;
        if (only_words || is_word(argv[i])) {
            ok = add_word(words, argv[i], err);
        } else if (strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else {
            ok = take_option(accepted, argc - i, argv + i, &used, args, err);
        }
        i += used;
    }
    return ok;
}
