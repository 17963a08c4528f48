/* Parses command-line options by a table. */
#include "app/options.h"

#include <stdio.h>
#include <string.h>

#include "util/span.h"

/* One parsed option: "--name=value", "--name value", "-nvalue". */
struct written {
    const struct sq_option *option;
    const char *value; /* NULL: not in the same word */
};

static bool
store_flag(const struct sq_option *option, const char *value, void *field,
           struct sq_err *err) {
    (void)option;
    (void)value;
    (void)err;
    *(bool *)field = true;
    return true;
}

static bool
store_int(const struct sq_option *option, const char *value, void *field,
          struct sq_err *err) {
    int64_t number;
    if (!sq_span_to_int64(sq_span_of(value), &number) || number < option->min
        || number > option->max) {
        return sq_fail(err, SQ_ERR_ARGUMENT,
                       "--%s takes a whole number from %d to %d, not \"%s\"",
                       option->name, option->min, option->max, value);
    }
    *(int *)field = (int)number;
    return true;
}

static bool
store_text(const struct sq_option *option, const char *value, void *field,
           struct sq_err *err) {
    if (!*value) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "--%s is empty", option->name);
    }
    *(const char **)field = value;
    return true;
}

static bool
store_choice(const struct sq_option *option, const char *value, void *field,
             struct sq_err *err) {
    char all[SQ_ERR_HINT_SIZE / 2] = "";
    for (int i = 0; option->choices[i]; i++) {
        if (strcmp(option->choices[i], value) == 0) {
            *(int *)field = i;
            return true;
        }
        size_t used = strlen(all);
        snprintf(all + used, sizeof(all) - used, "%s%s", i ? ", " : "",
                 option->choices[i]);
    }
    sq_fail(err, SQ_ERR_ARGUMENT, "--%s cannot be \"%s\"", option->name, value);
    return sq_fail_hint(err, "Choose from: %s.", all);
}

static bool
store_region(const struct sq_option *option, const char *value, void *field,
             struct sq_err *err) {
    struct sq_span rest = sq_span_of(value);
    int64_t number[4];
    bool ok = true;
    for (int i = 0; ok && i < 4; i++) {
        ok = (i == 0 || sq_span_take_prefix(&rest, ","))
          && sq_span_take_int64(&rest, &number[i]) && number[i] >= 0
          && number[i] <= SQ_MAX_SIDE;
    }
    if (!ok || rest.len || number[2] < 1 || number[3] < 1) {
        sq_fail(err, SQ_ERR_ARGUMENT, "--%s cannot be \"%s\"", option->name,
                value);
        return sq_fail_hint(err, "Give x,y,width,height in pixels, for "
                                 "example 0,120,400,300.");
    }
    *(struct sq_option_region *)field = (struct sq_option_region){
        true,
        { (int)number[0], (int)number[1], (int)number[2], (int)number[3] },
    };
    return true;
}

typedef bool (*store_function)(const struct sq_option *option,
                               const char *value, void *field,
                               struct sq_err *err);

static const store_function store[] = {
    [SQ_OPTION_FLAG] = store_flag,     [SQ_OPTION_INT] = store_int,
    [SQ_OPTION_TEXT] = store_text,     [SQ_OPTION_CHOICE] = store_choice,
    [SQ_OPTION_REGION] = store_region,
};

static const struct sq_option *
find_long(const struct sq_option *options, const char *name, size_t length) {
    for (; options->name; options++) {
        if (strlen(options->name) == length
            && memcmp(options->name, name, length) == 0) {
            return options;
        }
    }
    return NULL;
}

static const struct sq_option *
find_short(const struct sq_option *options, char letter) {
    for (; options->name; options++) {
        if (options->letter && options->letter == letter) {
            return options;
        }
    }
    return NULL;
}

static bool
read_written(const struct sq_option *options, const char *word,
             struct written *out, struct sq_err *err) {
    if (word[1] == '-') {
        const char *equals = strchr(word, '=');
        size_t length = equals ? (size_t)(equals - word) : strlen(word);
        out->option = find_long(options, word + 2, length - 2);
        out->value = equals ? equals + 1 : NULL;
    } else {
        out->option = find_short(options, word[1]);
        out->value = word[2] ? word + 2 : NULL;
    }
    if (!out->option) {
        sq_fail(err, SQ_ERR_ARGUMENT, "unknown option \"%s\"", word);
        return sq_fail_hint(err, "--help lists the options.");
    }
    if (out->option->type == SQ_OPTION_FLAG && out->value) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "--%s takes no value",
                       out->option->name);
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

bool
sq_options_parse(const struct sq_option *options, int argc, char *const *argv,
                 void *args, struct sq_words *words, struct sq_err *err) {
    bool only_words = false;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (only_words || word[0] != '-' || !word[1]) {
            if (!add_word(words, word, err)) {
                return false;
            }
            continue;
        }
        if (strcmp(word, "--") == 0) {
            only_words = true;
            continue;
        }
        struct written written;
        if (!read_written(options, word, &written, err)) {
            return false;
        }
        const struct sq_option *option = written.option;
        if (option->type != SQ_OPTION_FLAG && !written.value) {
            if (++i == argc) {
                return sq_fail(err, SQ_ERR_ARGUMENT, "--%s needs a value: %s",
                               option->name, option->value);
            }
            written.value = argv[i];
        }
        if (!store[option->type](option, written.value,
                                 (char *)args + option->offset, err)) {
            return false;
        }
    }
    return true;
}

bool
sq_options_help(const struct sq_option *options, struct sq_buf *out,
                struct sq_err *err) {
    bool ok = true;
    for (; ok && options->name; options++) {
        char left[64];
        char short_form[8] = "    ";
        if (options->letter) {
            snprintf(short_form, sizeof(short_form), "-%c, ", options->letter);
        }
        snprintf(left, sizeof(left), "%s--%s%s%s", short_form, options->name,
                 options->value ? " " : "",
                 options->value ? options->value : "");
        ok = sq_buf_printf(out, err, "  %-26s %s\n", left, options->text);
    }
    return ok;
}
