/* Parses the command line of a command by its argument table. */
#include "app/options.h"

#include <stdio.h>
#include <string.h>

#include "app/flags.h"
#include "args/usage.h"

/* One option of the command line. */
struct option {
    const struct sq_arg *arg;
    char name[SQ_FLAG_SIZE]; /* "--name" */
    const char *value;       /* NULL: not in the same word */
};

static const struct sq_arg *
find_long(const struct sq_arg *table, struct sq_span name) {
    for (const struct sq_arg *arg = table; arg->name; arg++) {
        char flag[SQ_FLAG_SIZE];
        sq_flag_name(arg->name, flag, sizeof(flag));
        if (sq_span_is(name, flag)) {
            return arg;
        }
    }
    return NULL;
}

/* Splits a word that starts with a dash into the option and its value. */
static bool
read_option(const struct sq_arg *table, const char *word, struct option *out,
            struct sq_err *err) {
    if (word[1] == '-') {
        struct sq_span name = sq_span_of(word + 2);
        const char *equals = strchr(word, '=');
        name.len = equals ? (size_t)(equals - name.ptr) : name.len;
        out->arg = find_long(table, name);
        out->value = equals ? equals + 1 : NULL;
    } else {
        out->arg = sq_flag_by_letter(table, word[1]);
        out->value = word[2] ? word + 2 : NULL;
    }
    if (!out->arg) {
        sq_fail(err, SQ_ERR_ARGUMENT, "unknown option \"%s\"", word);
        return sq_fail_hint(err, "--help lists the options.");
    }
    snprintf(out->name, sizeof(out->name), "--");
    sq_flag_name(out->arg->name, out->name + 2, sizeof(out->name) - 2);
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
take_option(const struct sq_arg *table, int argc, char *const *argv, int *used,
            void *args, struct sq_err *err) {
    struct option option = { 0 };
    if (!read_option(table, argv[0], &option, err)) {
        return false;
    }
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

bool
sq_options_parse(const struct sq_arg *table, int argc, char *const *argv,
                 void *args, struct sq_words *words, struct sq_err *err) {
    bool only_words = false;
    bool ok = true;
    for (int i = 0; ok && i < argc;) {
        int used = 1;
        if (only_words || argv[i][0] != '-' || !argv[i][1]) {
            ok = add_word(words, argv[i], err);
        } else if (strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else {
            ok = take_option(table, argc - i, argv + i, &used, args, err);
        }
        i += used;
    }
    return ok;
}
