/* Converts the command line of an operation to its JSON arguments. */
#include "app/flags.h"

#include <ctype.h>
#include <stdio.h>

#include "archive/store/ref.h"
#include "config/option.h"

#define MAX_JSON_BYTES ((size_t)16 << 20)
#define MAX_HELP_BYTES 4096
#define SOURCE_SIZE (SQ_FLAG_FULL_SIZE + 32)

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

void
sq_flag_of(const struct sq_arg *arg, char *out, size_t size) {
    if (arg->flag) {
        snprintf(out, size, "%s", arg->flag);
    } else {
        sq_flag_name(arg->name, out, size);
    }
}

void
sq_flag_full_name(const struct sq_arg *group, const struct sq_arg *arg,
                  char out[SQ_FLAG_FULL_SIZE]) {
    char outer[SQ_FLAG_SIZE] = "";
    char inner[SQ_FLAG_SIZE];
    if (group) {
        sq_flag_of(group, outer, sizeof(outer));
    }
    sq_flag_of(arg, inner, sizeof(inner));
    snprintf(out, SQ_FLAG_FULL_SIZE, "--%s%s%s", outer, group ? "." : "",
             inner);
}

static bool
is_named(const struct sq_arg *arg, struct sq_span word) {
    char flag[SQ_FLAG_SIZE];
    sq_flag_name(arg->name, flag, sizeof(flag));
    return sq_span_is(word, arg->name) || sq_span_is(word, flag)
        || (arg->flag && sq_span_is(word, arg->flag))
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

/* Finds an argument, or else a member of an open object: --text-contains. */
static bool
find_open(const struct sq_arg *table, struct sq_span name,
          struct sq_flag *out) {
    out->arg = find_named(table, name);
    for (const struct sq_arg *arg = table; !out->arg && arg && arg->name;
         arg++) {
        if (arg->is_open) {
            out->arg = find_named(arg->members, name);
            out->group = out->arg ? arg : NULL;
        }
    }
    return out->arg != NULL;
}

bool
sq_flag_find(const struct sq_arg *table, struct sq_span name,
             struct sq_flag *out) {
    struct sq_span group;
    struct sq_span rest = name;
    if (sq_span_take_until(&rest, '.', &group)) {
        out->group = find_named(table, group);
        out->arg = out->group ? find_named(out->group->members, rest) : NULL;
        return out->arg != NULL;
    }
    if (find_open(table, name, out)) {
        return true;
    }
    out->is_negated =
        sq_span_take_prefix(&rest, "no-") && find_open(table, rest, out);
    return out->is_negated && out->arg->type == SQ_ARG_BOOL;
}

/* Returns the argument with that short option, or NULL. */
static const struct sq_arg *
find_letter(const struct sq_arg *table, char letter) {
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        if (arg->letter && arg->letter == letter) {
            return arg;
        }
    }
    return NULL;
}

/* What options are called in other programs, and here. */
static const char *const synonyms[][2] = {
    { "bind", "listen" },         { "host", "listen" },
    { "port", "listen" },         { "model", "profile" },
    { "delay", "every" },         { "fps", "every" },
    { "interval", "every" },      { "dir", "into" },
    { "folder", "into" },         { "file", "output" },
    { "serial", "device" },       { "udid", "device" },
    { "width", "max-dimension" }, { "lang", "ocr-language" },
};

/* Tries an option without dashes, and the synonyms for it. */
static void
try_option(struct sq_nearest *search, const char *name) {
    sq_nearest_try(search, name);
    for (size_t i = 0; i < SQ_COUNT(synonyms); i++) {
        if (strcmp(synonyms[i][1], name) == 0) {
            sq_nearest_try_as(search, synonyms[i][0], name);
        }
    }
}

/* Tries the long options of a table, without dashes. */
static void
try_table(struct sq_nearest *search, const struct sq_arg *table,
          const struct sq_arg *group) {
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        char name[SQ_FLAG_FULL_SIZE];
        char bare[SQ_FLAG_SIZE];
        char json[SQ_FLAG_SIZE]; /* the name of the protocol, as a flag */
        sq_flag_full_name(group, arg, name);
        sq_flag_of(arg, bare, sizeof(bare));
        sq_flag_name(arg->name, json, sizeof(json));
        if (arg->type == SQ_ARG_OBJECT && !arg->placeholder) {
            try_table(search, arg->members, arg);
        } else {
            try_option(search, name + 2);
            sq_nearest_try_as(search, bare, name + 2);
            sq_nearest_try_as(search, json, name + 2);
        }
    }
}

bool
sq_flag_fail_unknown(const struct sq_accepted *accepted, const char *word,
                     struct sq_err *err) {
    struct sq_nearest search;
    struct sq_span name = sq_span_of(word);
    sq_span_take_prefix(&name, "--");
    sq_span_take_prefix(&name, "no-");
    name.len = strcspn(name.ptr, "=");
    sq_nearest_begin(&search, name);
    try_table(&search, accepted->table, NULL);
    const struct sq_config_option *option;
    for (size_t i = 0; (option = sq_config_option_at(i)); i++) {
        if (option->used_by & accepted->uses) {
            try_option(&search, option->flag);
        }
    }
    try_option(&search, "help");
    sq_fail(err, SQ_ERR_ARGUMENT, "unknown option \"%s\"", word);
    return search.found[0]
             ? sq_fail_hint(err, "Did you mean --%s? --help lists the options.",
                            search.found)
             : sq_fail_hint(err, "--help lists the options.");
}

/*
 * Returns whether a word is a reference that begins with a dash, as earlier
 * versions made them, and not the name of an option.
 */
static bool
is_old_ref(const struct sq_arg *table, const char *word) {
    struct sq_flag ignored = { 0 };
    struct sq_span name = sq_span_of(word);
    return word[0] == '-' && sq_ref_has_form(name)
        && !(sq_span_take_prefix(&name, "--")
             && sq_flag_find(table, name, &ignored));
}

/* Returns whether a word is a value and not an option: "-12", "-", "Login". */
static bool
is_value(const struct sq_arg *table, const char *word) {
    return word[0] != '-' || !word[1] || isdigit((unsigned char)word[1])
        || word[1] == '.' || is_old_ref(table, word);
}

bool
sq_flag_read(const struct sq_accepted *accepted, const char *word,
             struct sq_flag *out, struct sq_err *err) {
    const struct sq_arg *table = accepted->table;
    struct sq_span rest = sq_span_of(word);
    bool has_dashes = sq_span_take_prefix(&rest, "--");
    if (!has_dashes && word[0] == '-') {
        out->arg = find_letter(table, word[1]);
        out->value = word[1] && word[2] ? word + 2 : NULL;
        if (!out->arg) {
            sq_flag_fail_unknown(accepted, word, err);
        }
        return out->arg != NULL;
    }
    struct sq_span name = rest;
    if (sq_span_take_until(&rest, '=', &name)) {
        out->value = rest.ptr;
    } else {
        name = rest;
    }
    if ((!has_dashes && !out->value) || !sq_flag_find(table, name, out)) {
        sq_flag_fail_unknown(accepted, word, err);
        return false;
    }
    if (out->is_negated && out->value) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%.*s takes no value",
                (int)strcspn(word, "="), word);
        return sq_fail_hint(err, "Write only --%.*s.", SQ_SPAN_ARGS(name));
    }
    return true;
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
    sq_flag_of(flag->arg, name, sizeof(name));
    return sq_fail_hint(err, "Write --%s%s.", flag->is_negated ? "" : "no-",
                        name);
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

static void put_typed(struct sq_json_writer *w, const struct sq_arg *arg,
                      const char *value);

static bool
is_json(const char *text) {
    const struct sq_json *value;
    SQ_ARENA(arena, MAX_JSON_BYTES);
    return sq_json_parse(sq_span_of(text), &arena, &value, NULL);
}

/* Writes "0,0,640,480" as an object with all members. */
static void
put_members(struct sq_json_writer *w, const struct sq_arg *arg,
            struct sq_span values) {
    char value[64];
    sq_json_begin_object(w);
    for (const struct sq_arg *member = arg->members; member->name; member++) {
        struct sq_span item = values;
        sq_span_take_until(&values, ',', &item);
        snprintf(value, sizeof(value), "%.*s", SQ_SPAN_ARGS(item));
        sq_json_put_key(w, member->name);
        put_typed(w, member, value);
    }
    sq_json_end_object(w);
}

const char *
sq_flag_text(const struct sq_flag *flag) {
    return flag->value ? flag->value : flag->is_negated ? "false" : "true";
}

static void
put_typed(struct sq_json_writer *w, const struct sq_arg *arg,
          const char *value) {
    double number;
    switch (arg->type) {
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
        if (!arg->takes_objects) {
            put_list(w, sq_span_of(value));
            return;
        }
        if (is_json(value)) {
            sq_json_put_raw(w, sq_span_of(value));
            return;
        }
        break; /* sent as text: sq_args_decode reports the error */
    case SQ_ARG_OBJECT:
        if (!arg->is_open) {
            put_members(w, arg, sq_span_of(value));
            return;
        }
        break; /* an open object takes a plain text */
    case SQ_ARG_TEXT:
    case SQ_ARG_CHOICE:
        break;
    }
    sq_json_put_string(w, sq_span_of(value));
}

int
sq_flags_count_words(const struct sq_arg *table, int argc, char *const *argv) {
    struct sq_flag flag = { 0 };
    bool is_named = (argv[0][0] == '-' && !is_old_ref(table, argv[0]))
                 || strchr(argv[0], '=');
    const struct sq_accepted accepted = { .table = table };
    if (!is_named || !sq_flag_read(&accepted, argv[0], &flag, NULL)) {
        return 0;
    }
    bool is_one_word = flag.arg->type == SQ_ARG_BOOL || flag.value || argc == 1;
    return is_one_word ? 1 : 2;
}

/* Reads the flag at the start of argv; its value may be the next word. */
static bool
take_flag(const struct sq_accepted *accepted, int argc, char *const *argv,
          int *used, struct sq_flag *out, struct sq_err *err) {
    if (!sq_flag_read(accepted, argv[0], out, err)) {
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
        const char *placeholder = sq_arg_placeholder(out->arg);
        return sq_fail(err, SQ_ERR_ARGUMENT, "%s needs a value: %s", argv[0],
                       placeholder);
    }
    out->value = argv[1];
    *used = 2;
    return true;
}

/* Writes how the value was given: "--x", "--no-look" or "the word 5". */
static void
source_of(const struct sq_flag *flag, char out[SOURCE_SIZE]) {
    char name[SQ_FLAG_FULL_SIZE];
    char value[SQ_ARG_QUOTED_SIZE];
    sq_flag_full_name(flag->is_negated ? NULL : flag->group, flag->arg, name);
    sq_arg_quote(sq_span_of(sq_flag_text(flag)), value);
    const char *before = flag->is_negated ? "--no-" : "--";
    snprintf(out, SOURCE_SIZE, "%s%.*s", flag->is_word ? "the word " : before,
             SQ_FLAG_FULL_SIZE, flag->is_word ? value : name + 2);
}

static bool
fail_given_twice(const struct sq_flag *first, const struct sq_flag *second,
                 struct sq_err *err) {
    char name[SQ_FLAG_FULL_SIZE];
    char sources[2][SOURCE_SIZE];
    sq_flag_full_name(second->group, second->arg, name);
    source_of(first, sources[0]);
    source_of(second, sources[1]);
    if (strcmp(sources[0], sources[1]) == 0) {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is given twice", sources[0]);
    } else {
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is given twice: by %s and by %s",
                name, sources[0], sources[1]);
    }
    return sq_fail_hint(err, "Leave one of them out.");
}

bool
sq_flags_add(struct sq_flags *flags, const struct sq_flag *flag,
             struct sq_err *err) {
    if (flags->count == SQ_MAX_FLAGS) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "there are more than %d options",
                       SQ_MAX_FLAGS);
    }
    for (int i = 0; i < flags->count; i++) {
        const struct sq_flag *other = &flags->items[i];
        bool is_same = other->arg == flag->arg && other->group == flag->group;
        bool is_part = (flag->group && flag->group == other->arg)
                    || (other->group && other->group == flag->arg);
        if (is_same || is_part) {
            return fail_given_twice(other, flag, err);
        }
    }
    flags->items[flags->count++] = *flag;
    return true;
}

static bool
add_word(struct sq_flags *flags, const char *word, struct sq_err *err) {
    if (flags->word_count == SQ_MAX_FLAG_WORDS) {
        sq_fail(err, SQ_ERR_ARGUMENT, "\"%s\" is one word too many", word);
        return sq_fail_hint(err, "Quote a text that contains spaces.");
    }
    flags->words[flags->word_count++] = word;
    return true;
}

/* Returns whether the word is "name=value" with the name of an argument. */
static bool
is_assignment(const struct sq_arg *table, const char *word) {
    struct sq_flag ignored = { 0 };
    struct sq_span rest = sq_span_of(word);
    struct sq_span name;
    return sq_span_take_until(&rest, '=', &name)
        && sq_flag_find(table, name, &ignored) && !ignored.is_negated;
}

bool
sq_flags_parse(const struct sq_accepted *accepted, int argc, char *const *argv,
               struct sq_flags *out, struct sq_err *err) {
    const struct sq_arg *table = accepted->table;
    bool only_words = false;
    bool ok = true;
    *out = (struct sq_flags){ .count = 0 };
    for (int i = 0; ok && i < argc;) {
        struct sq_flag flag = { 0 };
        int used = 1;
        bool is_word =
            only_words
            || (is_value(table, argv[i]) && !is_assignment(table, argv[i]));
        if (is_word) {
            ok = add_word(out, argv[i], err);
        } else if (strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else {
            ok = take_flag(accepted, argc - i, argv + i, &used, &flag, err)
              && sq_flags_add(out, &flag, err);
        }
        i += used;
    }
    return ok;
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
        char name[SQ_FLAG_FULL_SIZE];
        sq_flag_full_name(NULL, arg, name);
        const struct sq_arg_source source = { .name = name };
        ok = sq_arg_parse(arg, sq_span_of(sq_flag_text(&flag)), &source, args,
                          err);
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
            put_typed(w, flags->items[i].arg, sq_flag_text(&flags->items[i]));
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
    sq_json_open(&w, out);
    put_group(&w, flags, NULL);
    for (const struct sq_arg *arg = table; arg && arg->name; arg++) {
        if (has_group(flags, arg)) {
            sq_json_begin_object_of(&w, arg->name);
            put_group(&w, flags, arg);
            sq_json_end_object(&w);
        }
    }
    return sq_json_close(&w, err);
}

bool
sq_flags_has(const void *table, const char *flag) {
    return find_named(table, sq_span_of(flag)) != NULL;
}

static bool
put_help(const struct sq_arg *group, const struct sq_arg *arg,
         struct sq_buf *out, struct sq_err *err) {
    char name[SQ_FLAG_FULL_SIZE];
    char option[SQ_FLAG_FULL_SIZE + 64];
    char letter[8] = "    ";
    const char *placeholder = sq_arg_placeholder(arg);
    const struct sq_usage usage = { .arg = arg, .initial = arg->initial };
    if (arg->letter) {
        snprintf(letter, sizeof(letter), "-%c, ", arg->letter);
    }
    sq_flag_full_name(group, arg, name);
    snprintf(option, sizeof(option), "%s--%s%s%s%s", letter,
             sq_usage_is_on(arg, arg->initial) ? "[no-]" : "", name + 2,
             placeholder ? " " : "", placeholder ? placeholder : "");
    SQ_BUF(text, MAX_HELP_BYTES);
    return sq_usage_describe(&usage, &text, err)
        && sq_buf_append(&text, "", 1, err)
        && sq_usage_put(option, (const char *)text.data, out, err);
}

bool
sq_flags_help(const struct sq_arg *table, struct sq_buf *out,
              struct sq_err *err) {
    bool ok = true;
    for (const struct sq_arg *arg = table; ok && arg && arg->name; arg++) {
        bool is_group = arg->type == SQ_ARG_OBJECT && !arg->placeholder;
        if (!is_group) {
            ok = arg->is_hidden || put_help(NULL, arg, out, err);
            continue;
        }
        for (const struct sq_arg *member = arg->members; ok && member->name;
             member++) {
            ok = put_help(arg, member, out, err);
        }
    }
    return ok;
}
