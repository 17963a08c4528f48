/* Converts command-line arguments to JSON by an operation's table. */
#include "app/flags.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MAX_FLAG 64

/* One parsed word: the argument that it sets, and the value. */
struct setting {
    const struct sq_arg *group; /* the object that contains it; NULL: none */
    const struct sq_arg *arg;
    const char *value; /* NULL: the next word, or true */
    bool negated;
};

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
is_called(const struct sq_arg *arg, struct sq_span word) {
    char flag[MAX_FLAG];
    sq_flag_name(arg->name, flag, sizeof(flag));
    return sq_span_is(word, arg->name) || sq_span_is(word, flag)
        || (arg->alias && sq_span_is(word, arg->alias));
}

static const struct sq_arg *
find_called(const struct sq_arg *table, struct sq_span word) {
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        if (is_called(arg, word)) {
            return arg;
        }
    }
    return NULL;
}

static bool
find_setting(const struct sq_arg *table, struct sq_span name,
             struct setting *out) {
    struct sq_span group;
    struct sq_span rest = name;
    if (sq_span_take_until(&rest, '.', &group)) {
        out->group = find_called(table, group);
        out->arg = out->group ? find_called(out->group->members, rest) : NULL;
    } else {
        out->arg = find_called(table, name);
        if (!out->arg && sq_span_take_prefix(&rest, "no-")) {
            out->arg = find_called(table, rest);
            out->negated = out->arg && out->arg->type == SQ_ARG_BOOL;
        }
    }
    return out->arg && (!out->negated || out->arg->type == SQ_ARG_BOOL);
}

static bool
read_word(const struct sq_arg *table, const char *word, struct setting *out,
          struct sq_err *err) {
    struct sq_span rest = sq_span_of(word);
    bool dashed = sq_span_take_prefix(&rest, "--");
    struct sq_span name = rest;
    if (sq_span_take_until(&rest, '=', &name)) {
        out->value = rest.ptr;
    } else {
        name = rest;
    }
    if ((!dashed && !out->value) || !find_setting(table, name, out)) {
        sq_fail(err, SQ_ERR_ARGUMENT, "unknown option \"%s\"", word);
        return sq_fail_hint(err, "--help lists the options.");
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
fail_value_of_flag(const struct setting *flag, const char *flag_word,
                   const char *word, struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "%s takes no value behind it", flag_word);
    if (strcmp(word, "true") == 0) {
        return sq_fail_hint(err, "Leave \"true\" out.");
    }
    if (flag->group) {
        return sq_fail_hint(err, "Write %s=false.", flag_word);
    }
    char name[MAX_FLAG];
    sq_flag_name(flag->arg->name, name, sizeof(name));
    return sq_fail_hint(err, "Write --%s%s.", flag->negated ? "" : "no-", name);
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

static void
put_value(struct sq_json_writer *w, const struct setting *setting) {
    const char *value = setting->value;
    double number;
    switch (setting->arg->type) {
    case SQ_ARG_BOOL:
        sq_json_put_bool(w, !setting->negated
                                && (!value || strcmp(value, "true") == 0));
        return;
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
    struct setting setting = { 0 };
    if (!read_word(table, argv[0], &setting, NULL)) {
        return 0;
    }
    bool alone = setting.arg->type == SQ_ARG_BOOL || setting.value || argc == 1;
    return alone ? 1 : 2;
}

#define MAX_SETTINGS 64

static bool
read_settings(const struct sq_arg *table, int argc, char *const *argv,
              struct setting *settings, int *count, struct sq_err *err) {
    for (int i = 0; i < argc; i++) {
        if (*count == MAX_SETTINGS) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "too many options");
        }
        struct setting *setting = &settings[(*count)++];
        *setting = (struct setting){ 0 };
        const struct setting *last = *count > 1 ? setting - 1 : NULL;
        if (last && last->arg->type == SQ_ARG_BOOL && !last->value
            && is_truth(argv[i])) {
            return fail_value_of_flag(last, argv[i - 1], argv[i], err);
        }
        if (argv[i][0] != '-' && !strchr(argv[i], '=')) {
            return fail_bare(table, argv[i], err);
        }
        if (!read_word(table, argv[i], setting, err)) {
            return false;
        }
        if (setting->arg->type == SQ_ARG_BOOL || setting->value) {
            continue;
        }
        if (++i == argc) {
            return sq_fail(err, SQ_ERR_ARGUMENT, "%s needs a value",
                           argv[i - 1]);
        }
        setting->value = argv[i];
    }
    return true;
}

/* Writes all settings of one group together, wherever they were given. */
static void
put_group(struct sq_json_writer *w, const struct setting *settings, int count,
          const struct sq_arg *group) {
    for (int i = 0; i < count; i++) {
        if (settings[i].group == group) {
            sq_json_put_key(w, settings[i].arg->name);
            put_value(w, &settings[i]);
        }
    }
}

bool
sq_flags_to_json(const struct sq_arg *table, int argc, char *const *argv,
                 struct sq_buf *out, struct sq_err *err) {
    struct setting settings[MAX_SETTINGS];
    int count = 0;
    if (!read_settings(table, argc, argv, settings, &count, err)) {
        return false;
    }
    struct sq_json_writer w;
    sq_json_writer_init(&w, out);
    sq_json_begin_object(&w);
    put_group(&w, settings, count, NULL);
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        bool used = false;
        for (int i = 0; i < count; i++) {
            used = used || settings[i].group == arg;
        }
        if (used) {
            sq_json_put_key(&w, arg->name);
            sq_json_begin_object(&w);
            put_group(&w, settings, count, arg);
            sq_json_end_object(&w);
        }
    }
    sq_json_end_object(&w);
    return sq_json_writer_done(&w, err);
}

bool
sq_flags_help(const struct sq_arg *table, const char *prefix,
              struct sq_buf *out, struct sq_err *err) {
    bool ok = true;
    for (const struct sq_arg *arg = table; ok && arg && arg->name; arg++) {
        char flag[MAX_FLAG];
        char left[2 * MAX_FLAG];
        sq_flag_name(arg->name, flag, sizeof(flag));
        if (arg->type == SQ_ARG_OBJECT) {
            snprintf(left, sizeof(left), "%s.", flag);
            ok = sq_flags_help(arg->members, left, out, err);
            continue;
        }
        snprintf(left, sizeof(left), "--%s%s%s", prefix, flag,
                 arg->type == SQ_ARG_BOOL ? "" : " VALUE");
        ok = sq_buf_printf(out, err, "  %-28s %s\n", left,
                           arg->text ? arg->text : "");
    }
    return ok;
}
