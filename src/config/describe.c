/* Writes help, a configuration file and its JSON schema from the table. */
#include <stdio.h>

#include "config/option.h"

#define MAX_TEXT_BYTES 4096

static size_t
section_length(const struct sq_config_option *option) {
    return strcspn(option->arg.name, ".");
}

/* Writes an option as it appears in the file, as a comment. */
static bool
put_example(const struct sq_config_option *option, struct sq_buf *out,
            struct sq_err *err) {
    const char *word = option->arg.name + section_length(option) + 1;
    const char *value = option->initial ? option->initial : "";
    if (option->arg.type == SQ_ARG_LIST) {
        value = "[]";
    }
    return sq_buf_printf(out, err, "  #%s:%s%s\n", word, value[0] ? " " : "",
                         value);
}

/* Writes the heading of the option's section, unless the last one has it. */
static bool
put_section(const struct sq_config_option *option,
            const struct sq_config_option *last, struct sq_buf *out,
            struct sq_err *err) {
    return (last && section_length(last) == section_length(option)
            && memcmp(last->arg.name, option->arg.name, section_length(option))
                   == 0)
        || sq_buf_printf(out, err, "\n#%.*s:\n", (int)section_length(option),
                         option->arg.name);
}

/* Returns the words that an option's flag takes instead of yes and no. */
static const char *
flag_word_at(const void *context, size_t index) {
    const struct sq_config_option *option = context;
    return index < 2 ? option->flag_words[index] : NULL;
}

/* Appends the description with its values and default, and a NUL. */
static bool
put_usage(const struct sq_config_option *option, bool is_flag,
          struct sq_buf *out, struct sq_err *err) {
    struct sq_usage usage = { .arg = &option->arg, .initial = option->initial };
    if (is_flag && option->flag_words[0]) {
        usage.choice_at = flag_word_at;
        usage.context = option;
        usage.initial =
            option->flag_words[sq_usage_is_on(&option->arg, option->initial)];
    }
    return sq_usage_describe(&usage, out, err)
        && sq_buf_append(out, "", 1, err);
}

static const char starter[] =
    "# Configuration of squint. Every option has its default here: remove the "
    "# in front\n"
    "# of a section and of an option to change it. squint config check finds "
    "mistakes.\n";

bool
sq_config_starter(const char *schema, struct sq_buf *out, struct sq_err *err) {
    const struct sq_config_option *option;
    const struct sq_config_option *last = NULL;
    bool ok = (!schema
               || sq_buf_printf(out, err,
                                "# yaml-language-server: $schema=%s\n", schema))
           && sq_buf_append(out, starter, sizeof(starter) - 1, err);
    for (size_t i = 0; ok && (option = sq_config_option_at(i)); i++) {
        SQ_BUF(text, MAX_TEXT_BYTES);
        ok = put_section(option, last, out, err)
          && put_usage(option, false, &text, err)
          && sq_buf_printf(out, err, "  # %s\n", (const char *)text.data)
          && put_example(option, out, err);
        last = option;
    }
    return ok;
}

void
sq_config_flag_value(const struct sq_config_option *option,
                     char out[SQ_CONFIG_VALUE_SIZE]) {
    if (option->flag_words[0]) {
        snprintf(out, SQ_CONFIG_VALUE_SIZE, " %s|%s", option->flag_words[0],
                 option->flag_words[1]);
    } else {
        const char *placeholder = sq_arg_placeholder(&option->arg);
        snprintf(out, SQ_CONFIG_VALUE_SIZE, "%s%s", placeholder ? " " : "",
                 placeholder ? placeholder : "");
    }
}

static bool
put_flag_help(const struct sq_config_option *option, struct sq_buf *out,
              struct sq_err *err) {
    char value[SQ_CONFIG_VALUE_SIZE];
    char flag[64];
    bool is_on = sq_usage_is_on(&option->arg, option->initial);
    sq_config_flag_value(option, value);
    char letter[] = { '-', option->arg.letter, ',', ' ', '\0' };
    snprintf(flag, sizeof(flag), "%s--%s%s%s",
             option->arg.letter ? letter : "    ", is_on ? "[no-]" : "",
             option->flag, value);
    SQ_BUF(text, MAX_TEXT_BYTES);
    return put_usage(option, true, &text, err)
        && sq_usage_put(flag, (const char *)text.data, out, err);
}

bool
sq_config_help(sq_config_is_omitted *is_omitted, const void *context,
               struct sq_buf *out, struct sq_err *err) {
    const struct sq_config_option *option;
    bool ok =
        sq_usage_put("    --config FILE",
                     "read the options from this file; none: see squint config "
                     "path",
                     out, err);
    for (size_t i = 0; ok && (option = sq_config_option_at(i)); i++) {
        ok = (is_omitted && is_omitted(context, option))
          || put_flag_help(option, out, err);
    }
    return ok;
}

static void
put_text(struct sq_json_writer *w, const char *key, const char *text) {
    sq_json_put_string(sq_json_at(w, key), sq_span_of(text));
}

/* Writes the default in the type of the option; an empty list is "[]". */
static void
put_default(const struct sq_config_option *option, struct sq_json_writer *w) {
    double number;
    sq_json_put_key(w, "default");
    if (option->arg.type == SQ_ARG_LIST) {
        sq_json_begin_array(w);
        sq_json_end_array(w);
    } else if (option->arg.type == SQ_ARG_BOOL) {
        sq_json_put_bool(w, strcmp(option->initial, "true") == 0);
    } else if ((option->arg.type == SQ_ARG_INT
                || option->arg.type == SQ_ARG_NUMBER)
               && sq_span_to_double(sq_span_of(option->initial), &number)) {
        sq_json_put_double(w, number);
    } else {
        sq_json_put_string(w, sq_span_of(option->initial));
    }
}

/* Writes the type. An option without default may also be empty (null). */
static void
put_type(const struct sq_config_option *option, struct sq_json_writer *w) {
    const char *type = sq_arg_type_name(&option->arg);
    if (!type) {
        sq_arg_put_choices(&option->arg, w);
        return;
    }
    const char *word = option->arg.word;
    sq_json_put_key(w, "type");
    if (option->initial && !word) {
        sq_json_put_string(w, sq_span_of(type));
        return;
    }
    sq_json_begin_array(w);
    sq_json_put_string(w, sq_span_of(type));
    if (word) {
        sq_json_put_string(w, SQ_SPAN("string"));
    }
    if (!option->initial) {
        sq_json_put_string(w, SQ_SPAN("null"));
    }
    sq_json_end_array(w);
    if (word) {
        char pattern[32];
        snprintf(pattern, sizeof(pattern), "^%s$", word);
        put_text(w, "pattern", pattern);
    }
}

/* Writes a section and returns the index of the next one. */
static size_t
put_section_schema(size_t first, struct sq_json_writer *w) {
    const struct sq_config_option *option = sq_config_option_at(first);
    const char *name = option->arg.name;
    size_t len = section_length(option);
    char section[32];
    snprintf(section, sizeof(section), "%.*s", (int)len, name);
    sq_json_begin_object_of(w, section);
    put_text(w, "type", "object");
    sq_json_put_bool(sq_json_at(w, "additionalProperties"), false);
    sq_json_begin_object_of(w, "properties");
    size_t i = first;
    for (; (option = sq_config_option_at(i)) && section_length(option) == len
           && memcmp(option->arg.name, name, len) == 0;
         i++) {
        sq_json_put_key(w, option->arg.name + len + 1);
        const struct sq_arg *arg = &option->arg;
        sq_json_begin_object(w);
        put_text(w, "description", arg->text);
        put_type(option, w);
        if (arg->type == SQ_ARG_INT || arg->type == SQ_ARG_NUMBER) {
            sq_json_put_double(sq_json_at(w, "minimum"), arg->min);
            sq_json_put_double(sq_json_at(w, "maximum"), arg->max);
        }
        if (arg->type == SQ_ARG_TEXT) {
            sq_json_put_int(sq_json_at(w, "minLength"), 1);
        }
        if (arg->type == SQ_ARG_LIST) {
            sq_arg_put_items(arg, w);
        }
        if (option->initial) {
            put_default(option, w);
        }
        sq_json_end_object(w);
    }
    sq_json_end_object(w);
    sq_json_end_object(w);
    return i;
}

static bool
write_schema(struct sq_buf *out, struct sq_err *err) {
    struct sq_json_writer w;
    sq_json_open(&w, out);
    put_text(&w, "$schema", "http://json-schema.org/draft-07/schema#");
    put_text(&w, "title", "Configuration of squint");
    put_text(&w, "type", "object");
    sq_json_put_bool(sq_json_at(&w, "additionalProperties"), false);
    sq_json_begin_object_of(&w, "properties");
    for (size_t i = 0; sq_config_option_at(i);) {
        i = put_section_schema(i, &w);
    }
    sq_json_begin_object_of(&w, SQ_CONFIG_FOREIGN_KEY);
    put_text(&w, "description", "of another program; ignored");
    sq_json_end_object(&w);
    sq_json_end_object(&w);
    return sq_json_close(&w, err);
}

static bool
is_one_of(char byte, const char *bytes) {
    return byte && strchr(bytes, byte);
}

/* Appends compact JSON, which has no quotes in strings, indented. */
static bool
indent(struct sq_span json, struct sq_buf *out, struct sq_err *err) {
    bool in_string = false;
    bool ok = true;
    char last = '\0';
    int depth = 0;
    for (size_t i = 0; ok && i < json.len; i++) {
        char byte = json.ptr[i];
        if (!in_string) {
            bool closes = is_one_of(byte, "}]");
            depth -= closes;
            /* An empty list or object stays on its line. */
            ok = (last != ',' && is_one_of(last, "{[") == closes)
              || sq_buf_printf(out, err, "\n%*s", 2 * depth, "");
            depth += is_one_of(byte, "{[");
        }
        ok = ok && sq_buf_append(out, &byte, 1, err)
          && (in_string || byte != ':' || sq_buf_append(out, " ", 1, err));
        in_string = (byte == '"') != in_string;
        last = byte;
    }
    return ok && sq_buf_append(out, "\n", 1, err);
}

bool
sq_config_schema(struct sq_buf *out, struct sq_err *err) {
    SQ_BUF(compact, out->max);
    return write_schema(&compact, err)
        && indent(sq_buf_span(&compact), out, err);
}
