/* Finds the configuration file; parses and stores the flags. */
#include <stdio.h>
#include <stdlib.h>

#include "config/option.h"

#define MAX_KEY_BYTES 128

static const char *
variable(const char *name) {
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

bool
sq_config_location_at(size_t index, const struct sq_config_flags *flags,
                      char path[SQ_PATH_SIZE], struct sq_config_location *out) {
    static const char *const names[] = { "--config", "SQUINT_CONFIG",
                                         "REPLICANT_CONFIG", "the default" };
    const size_t count = SQ_COUNT(names);
    if (index >= count) {
        return false;
    }
    *out = (struct sq_config_location){ .named_by = names[index] };
    if (index + 1 == count) {
        bool is_set = sq_user_path(SQ_USER_CONFIG, "squint/config.yaml", path);
        out->path = is_set ? path : NULL;
        out->may_be_missing = true;
    } else if (index > 0) {
        out->path = variable(names[index]);
    } else {
        out->path = flags ? flags->file : NULL;
    }
    /* "-" is a file name here, because standard input belongs to the client. */
    if (out->path && strcmp(out->path, "-") == 0) {
        out->path = "./-";
    }
    return true;
}

struct sq_config_location
sq_config_find_location(const struct sq_config_flags *flags,
                        char path[SQ_PATH_SIZE]) {
    struct sq_config_location found = { 0 };
    for (size_t i = 0;
         !found.path && sq_config_location_at(i, flags, path, &found); i++) {
    }
    return found;
}

/* One parsed flag. */
struct written {
    const struct sq_config_option *option; /* NULL: unknown, or --config */
    bool is_file;                          /* --config */
    bool is_no;                            /* --no-name */
    const char *value;                     /* after "="; NULL: none */
};

static bool
is_switch(const struct sq_config_option *option) {
    return !option->flag_words[0] && option->arg.type == SQ_ARG_BOOL;
}

static struct written
recognise(const char *word) {
    struct written written = { 0 };
    struct sq_span name = sq_span_of(word);
    if (!sq_span_take_prefix(&name, "--")) {
        written.option =
            word[0] == '-' ? sq_config_option_by_letter(word[1]) : NULL;
        written.value = written.option && word[2] ? word + 2 : NULL;
        return written;
    }
    const char *equals = strchr(word, '=');
    if (equals) {
        written.value = equals + 1;
        name.len = (size_t)(equals - name.ptr);
    }
    written.is_file = sq_span_is(name, "config");
    written.option = sq_config_option_by_flag(name);
    if (!written.option && !equals && sq_span_take_prefix(&name, "no-")) {
        written.option = sq_config_option_by_flag(name);
        written.is_no = true;
        if (written.option && !is_switch(written.option)) {
            written.option = NULL;
        }
    }
    return written;
}

/* Returns the flag's value, which may be the next word. */
static const char *
value_of(const struct written *written, int argc, char *const *argv,
         int *used) {
    *used = 1;
    if (written->value) {
        return written->value;
    }
    if (written->option && is_switch(written->option)) {
        return written->is_no ? "false" : "true";
    }
    if (argc < 2) {
        return NULL;
    }
    *used = 2;
    return argv[1];
}

bool
sq_config_take_flag(struct sq_config_flags *flags, int argc, char *const *argv,
                    int *used, struct sq_err *err) {
    struct written written = recognise(argv[0]);
    if (!written.option && !written.is_file) {
        *used = 0;
        return true;
    }
    int words;
    const char *value = value_of(&written, argc, argv, &words);
    if (!value) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "%s needs a value", argv[0]);
    }
    if (written.is_file && !value[0]) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "--config is empty");
    }
    if (flags->count == SQ_CONFIG_MAX_FLAGS) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "%s is one flag too many",
                       argv[0]);
    }
    if (written.is_file) {
        flags->file = value;
    } else {
        flags->given[flags->count++] =
            (struct sq_config_flag){ written.option, value };
    }
    *used = words;
    return true;
}

/* Stores a flag that takes one of two words instead of yes or no. */
static bool
store_flag_word(const struct sq_config_flag *flag,
                const struct sq_arg_source *source, struct sq_config *out,
                struct sq_err *err) {
    const char *const *words = flag->option->flag_words;
    for (int i = 0; i < 2; i++) {
        if (strcmp(flag->value, words[i]) == 0) {
            return sq_arg_parse(&flag->option->arg,
                                sq_span_of(i ? "true" : "false"), source, out,
                                err);
        }
    }
    char quoted[SQ_ARG_QUOTED_SIZE];
    sq_arg_quote(sq_span_of(flag->value), quoted);
    sq_fail(err, SQ_ERR_ARGUMENT, "%s must be %s or %s, not %s", source->name,
            words[0], words[1], quoted);
    return sq_fail_hint(err, "Give %s or %s, or leave %s out.", words[0],
                        words[1], source->name);
}

/* Returns whether the same flag occurs before that index. */
static bool
is_given_before(const struct sq_config_flags *flags, int index) {
    for (int i = 0; i < index; i++) {
        if (flags->given[i].option == flags->given[index].option) {
            return true;
        }
    }
    return false;
}

/* Prepends the previous items to a list. */
static bool
prepend(struct sq_strings before, struct sq_strings *list,
        struct sq_arena *arena, struct sq_err *err) {
    size_t count = before.count + list->count;
    const char **items =
        sq_arena_alloc(arena, count ? count : 1, sizeof(*items), err);
    if (!items) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        items[i] =
            i < before.count ? before.items[i] : list->items[i - before.count];
    }
    *list = (struct sq_strings){ items, count };
    return true;
}

void
sq_config_note_replaced(struct sq_config *config,
                        const struct sq_config_option *option,
                        bool is_by_flag) {
    const struct sq_strings *list =
        (const void *)((const char *)config + option->arg.offset);
    if (option->arg.type == SQ_ARG_LIST && list->count > 0
        && config->replaced_count < SQ_CONFIG_MAX_REPLACED) {
        config->replaced[config->replaced_count++] =
            (struct sq_config_replaced){ option->arg.name, *list, is_by_flag };
    }
}

/* Stores a flag. A repeated list flag adds to the list. */
static bool
store_flag(const struct sq_config_flags *flags, int index,
           struct sq_arena *arena, struct sq_config *out, struct sq_err *err) {
    const struct sq_config_flag *flag = &flags->given[index];
    const struct sq_config_option *option = flag->option;
    char name[MAX_KEY_BYTES];
    const struct sq_arg_source source = { .name = name, .arena = arena };
    snprintf(name, sizeof(name), "--%s", option->flag);
    if (option->flag_words[0]) {
        return store_flag_word(flag, &source, out, err);
    }
    bool adds =
        option->arg.type == SQ_ARG_LIST && is_given_before(flags, index);
    struct sq_strings *list = (void *)((char *)out + option->arg.offset);
    struct sq_strings before = adds ? *list : (struct sq_strings){ NULL, 0 };
    if (!adds) {
        sq_config_note_replaced(out, option, true);
    }
    if (!sq_arg_parse(&option->arg, sq_span_of(flag->value), &source, out,
                      err)) {
        return false;
    }
    if (option->arg.type == SQ_ARG_LIST && list->count == 0) {
        /* It would replace the rules of the file and of the environment. */
        sq_fail(err, SQ_ERR_ARGUMENT, "%s is empty", name);
        return sq_fail_hint(err, "Give it a value, or leave it out.");
    }
    return !adds || prepend(before, list, arena, err);
}

bool
sq_config_apply_flags(const struct sq_config_flags *flags,
                      struct sq_arena *arena, struct sq_config *out,
                      struct sq_err *err) {
    bool ok = true;
    for (int i = 0; ok && flags && i < flags->count; i++) {
        ok = store_flag(flags, i, arena, out, err);
    }
    return ok;
}
