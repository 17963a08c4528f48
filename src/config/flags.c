/* Parses the configuration flags of a command line. */
#include <string.h>

#include "config/config.h"
#include "config/option.h"
#include "util/span.h"

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
