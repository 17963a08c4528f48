/* Converts the command line of an operation to its JSON arguments. */
#include "app/flags.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "args/usage.h"
#include "json/writer.h"

void
sq_flag_name(const char *name, char *out, size_t size) {
    size_t used = 0;
    for (; *name && used + 2 < size; name++) {
        if (isupper((unsigned char)*name)) {
            out[used++] = '-';
        }
        out[used++] = (char)tolower((unsigned char)*name);
    }
    out[used] = '\0';
}

static bool
is_named(const struct sq_arg *arg, struct sq_span word) {
    char flag[SQ_FLAG_SIZE];
    sq_flag_name(arg->name, flag, sizeof(flag));
    return sq_span_is(word, arg->name) || sq_span_is(word, flag)
        || (arg->alias && sq_span_is(word, arg->alias));
}

static const struct sq_arg *
find_named(const struct sq_arg *table, struct sq_span word) {
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        if (is_named(arg, word)) {
            return arg;
        }
    }
    return NULL;
}

static bool
find_flag(const struct sq_arg *table, struct sq_span name,
          struct sq_flag *out) {
    struct sq_span group;
    struct sq_span rest = name;
    if (sq_span_take_until(&rest, '.', &group)) {
        out->group = find_named(table, group);
        out->arg = out->group ? find_named(out->group->members, rest) : NULL;
    } else {
        out->arg = find_named(table, name);
        if (!out->arg && sq_span_take_prefix(&rest, "no-")) {
            out->arg = find_named(table, rest);
            out->is_negated = out->arg && out->arg->type == SQ_ARG_BOOL;
        }
    }
    return out->arg && (!out->is_negated || out->arg->type == SQ_ARG_BOOL);
}

const struct sq_arg *
sq_flag_by_letter(const struct sq_arg *table, char letter) {
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        if (arg->letter && arg->letter == letter) {
            return arg;
        }
    }
    return NULL;
}

static bool
fail_unknown(const char *word, struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "unknown option \"%s\"", word);
    return sq_fail_hint(err, "--help lists the options.");
}

static bool
read_word(const struct sq_arg *table, const char *word, struct sq_flag *out,
          struct sq_err *err) {
    struct sq_span rest = sq_span_of(word);
    bool has_dashes = sq_span_take_prefix(&rest, "--");
    if (!has_dashes && word[0] == '-') {
        out->arg = sq_flag_by_letter(table, word[1]);
        out->value = word[1] && word[2] ? word + 2 : NULL;
        return out->arg || fail_unknown(word, err);
    }
    struct sq_span name = rest;
    if (sq_span_take_until(&rest, '=', &name)) {
        out->value = rest.ptr;
    } else {
        name = rest;
    }
    if ((!has_dashes && !out->value) || !find_flag(table, name, out)) {
        return fail_unknown(word, err);
    }
    if (out->is_negated && out->value) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%.*s takes no value",
                (int)strcspn(word, "="), word);
        return sq_fail_hint(err, "Write only --%.*s.", SQ_SPAN_ARGS(name));
    }
    return true;
}

/* Returns the only required argument, if its value is one word. */
static const struct sq_arg *
only_required(const struct sq_arg *table) {
    const struct sq_arg *only = NULL;
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        if (arg->required && only) {
            return NULL;
        }
        only = arg->required ? arg : only;
    }
    return only && only->type != SQ_ARG_OBJECT ? only : NULL;
}

/* Fails because a flag that takes no value is followed by true or false. */
static bool
fail_value_of_flag(const struct sq_flag *flag, const char *flag_word,
                   const char *word, struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "%s takes no value after it", flag_word);
    if (strcmp(word, "true") == 0) {
        return sq_fail_hint(err, "Leave \"true\" out.");
    }
    if (flag->group) {
        return sq_fail_hint(err, "Write %s=false.", flag_word);
    }
    char name[SQ_FLAG_SIZE];
    sq_flag_name(flag->arg->name, name, sizeof(name));
    return sq_fail_hint(err, "Write --%s%s.", flag->is_negated ? "" : "no-",
                        name);
}

/* Fails because a word is neither --name nor name=value. */
static bool
fail_bare(const struct sq_arg *table, const char *word, struct sq_err *err) {
    const struct sq_arg *only = only_required(table);
    sq_fail(err, SQ_ERR_ARGUMENT, "\"%s\" does not say which option it is for",
            word);
    if (only) {
        return sq_fail_hint(err, "Write %s=%s.", only->name, word);
    }
    return sq_fail_hint(err,
                        "Write NAME=%s or --name %s; --help lists the "
                        "options.",
                        word, word);
}

static bool
is_truth(const char *word) {
    return strcmp(word, "true") == 0 || strcmp(word, "false") == 0;
}

/* Writes a list of comma-separated words. */
static void
put_list(struct sq_json_writer *w, struct sq_span words) {
    struct sq_span word;
    sq_json_begin_array(w);
    while (sq_span_take_until(&words, ',', &word)) {
        sq_json_put_string(w, word);
    }
    if (words.len > 0) {
        sq_json_put_string(w, words);
    }
    sq_json_end_array(w);
}

/* Returns the value as text: "true" or "false" for a flag without one. */
static const char *
text_of(const struct sq_flag *flag) {
    return flag->value ? flag->value : flag->is_negated ? "false" : "true";
}

static void
put_value(struct sq_json_writer *w, const struct sq_flag *flag) {
    const char *value = text_of(flag);
    double number;
    switch (flag->arg->type) {
    case SQ_ARG_BOOL:
        if (is_truth(value)) {
            sq_json_put_bool(w, strcmp(value, "true") == 0);
            return;
        }
        break; /* sent as text: sq_args_decode reports the error */
    case SQ_ARG_INT:
    case SQ_ARG_NUMBER:
        if (sq_span_to_double(sq_span_of(value), &number)) {
            sq_json_put_double(w, number);
            return;
        }
        break; /* sent as text: sq_args_decode reports the error */
    case SQ_ARG_LIST:
        put_list(w, sq_span_of(value));
        return;
    case SQ_ARG_TEXT:
    case SQ_ARG_CHOICE:
    case SQ_ARG_OBJECT:
        break;
    }
    sq_json_put_string(w, sq_span_of(value));
}

int
sq_flags_count_words(const struct sq_arg *table, int argc, char *const *argv) {
    struct sq_flag flag = { 0 };
    if (!read_word(table, argv[0], &flag, NULL)) {
        return 0;
    }
    bool is_one_word = flag.arg->type == SQ_ARG_BOOL || flag.value || argc == 1;
    return is_one_word ? 1 : 2;
}

/* Reads the flag at the start of argv; its value may be the next word. */
static bool
take_flag(const struct sq_arg *table, int argc, char *const *argv, int *used,
          struct sq_flag *out, struct sq_err *err) {
    if (argv[0][0] != '-' && !strchr(argv[0], '=')) {
        return fail_bare(table, argv[0], err);
    }
    if (!read_word(table, argv[0], out, err)) {
        return false;
    }
    *used = 1;
    if (out->value) {
        return true;
    }
    if (out->arg->type == SQ_ARG_BOOL) {
        return argc == 1 || !is_truth(argv[1])
            || fail_value_of_flag(out, argv[0], argv[1], err);
    }
    if (argc == 1) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "%s needs a value", argv[0]);
    }
    out->value = argv[1];
    *used = 2;
    return true;
}

static bool
fail_too_many(struct sq_err *err) {
    return sq_fail(err, SQ_ERR_ARGUMENT, "there are more than %d options",
                   SQ_MAX_FLAGS);
}

bool
sq_flags_parse(const struct sq_arg *table, int argc, char *const *argv,
               struct sq_flags *out, struct sq_err *err) {
    out->count = 0;
    for (int i = 0; i < argc;) {
        struct sq_flag flag = { 0 };
        int used;
        if (!take_flag(table, argc - i, argv + i, &used, &flag, err)) {
            return false;
        }
        if (out->count == SQ_MAX_FLAGS) {
            return fail_too_many(err);
        }
        out->items[out->count++] = flag;
        i += used;
    }
    return true;
}

const struct sq_flag *
sq_flags_find(const struct sq_flags *flags, const char *name) {
    for (int i = flags->count - 1; i >= 0; i--) {
        const struct sq_flag *flag = &flags->items[i];
        if (!flag->group && strcmp(flag->arg->name, name) == 0) {
            return flag;
        }
    }
    return NULL;
}

bool
sq_flags_add(struct sq_flags *flags, const struct sq_arg *arg,
             const char *value, struct sq_err *err) {
    if (flags->count == SQ_MAX_FLAGS) {
        return fail_too_many(err);
    }
    flags->items[flags->count++] =
        (struct sq_flag){ .arg = arg, .value = value };
    return true;
}

bool
sq_flags_take(struct sq_flags *flags, const struct sq_arg *table, void *args,
              struct sq_err *err) {
    int kept = 0;
    bool ok = true;
    for (int i = 0; ok && i < flags->count; i++) {
        const struct sq_flag flag = flags->items[i];
        const struct sq_arg *arg =
            flag.group ? NULL : sq_args_find(table, sq_span_of(flag.arg->name));
        if (!arg) {
            flags->items[kept++] = flag;
            continue;
        }
        char name[SQ_FLAG_SIZE] = "--";
        sq_flag_name(arg->name, name + 2, sizeof(name) - 2);
        const struct sq_arg_source source = { .name = name };
        ok = sq_arg_parse(arg, sq_span_of(text_of(&flag)), &source, args, err);
    }
    flags->count = kept;
    return ok;
}

/* Writes all flags of one group together, wherever they were given. */
static void
put_group(struct sq_json_writer *w, const struct sq_flags *flags,
          const struct sq_arg *group) {
    for (int i = 0; i < flags->count; i++) {
        if (flags->items[i].group == group) {
            sq_json_put_key(w, flags->items[i].arg->name);
            put_value(w, &flags->items[i]);
        }
    }
}

static bool
has_group(const struct sq_flags *flags, const struct sq_arg *group) {
    for (int i = 0; i < flags->count; i++) {
        if (flags->items[i].group == group) {
            return true;
        }
    }
    return false;
}

bool
sq_flags_write(const struct sq_flags *flags, const struct sq_arg *table,
               struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    put_group(&w, flags, NULL);
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        if (has_group(flags, arg)) {
            sq_json_put_key(&w, arg->name);
            sq_json_begin_object(&w);
            put_group(&w, flags, arg);
            sq_json_end_object(&w);
        }
    }
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}

static bool
put_help(const struct sq_arg *arg, const char *prefix, struct sq_buf *out,
         struct sq_err *err) {
    char flag[SQ_FLAG_SIZE];
    char option[3 * SQ_FLAG_SIZE];
    char letter[8] = "    ";
    const char *placeholder = sq_arg_placeholder(arg);
    if (arg->letter) {
        snprintf(letter, sizeof(letter), "-%c, ", arg->letter);
    }
    sq_flag_name(arg->name, flag, sizeof(flag));
    snprintf(option, sizeof(option), "%s--%s%s%s%s", letter, prefix, flag,
             placeholder ? " " : "", placeholder ? placeholder : "");
    return sq_usage_put(option, arg->text ? arg->text : "", out, err);
}

bool
sq_flags_help(const struct sq_arg *table, struct sq_buf *out,
              struct sq_err *err) {
    bool ok = true;
    for (const struct sq_arg *arg = table; ok && arg && arg->name; arg++) {
        if (arg->type != SQ_ARG_OBJECT || arg->placeholder) {
            ok = put_help(arg, "", out, err);
            continue;
        }
        char flag[SQ_FLAG_SIZE];
        char prefix[SQ_FLAG_SIZE + 2];
        sq_flag_name(arg->name, flag, sizeof(flag));
        snprintf(prefix, sizeof(prefix), "%s.", flag);
        for (const struct sq_arg *member = arg->members; ok && member->name;
             member++) {
            ok = put_help(member, prefix, out, err);
        }
    }
    return ok;
}
