/* Writes docs/config.md and the help text from the option table. */
#include "config/describe.h"

#include <stdio.h>
#include <string.h>

#include "args/arg.h"
#include "config/option.h"

#define MAX_TEXT_BYTES 4096

static const char head[] =
    "# Configuration\n"
    "\n"
    "<!-- Written from the table in src/config/option.c by a test:\n"
    "     SQUINT_ACCEPT=1 meson test config/describe -->\n"
    "\n"
    "Every option can be set in a file, in the environment and by a flag. A "
    "flag\n"
    "overrides the environment, and the environment overrides the file. This\n"
    "replaces a list, also one of folders and of what is excluded or "
    "redacted;\n"
    "`squint config check` and `squint doctor` print what was replaced.\n"
    "\n"
    "## The file\n"
    "\n"
    "squint reads the first of these files:\n"
    "\n"
    "1. the flag `--config FILE`\n"
    "2. the variable `SQUINT_CONFIG`\n"
    "3. the variable `REPLICANT_CONFIG`, which names the file of "
    "replicant-mcp\n"
    "4. otherwise `$XDG_CONFIG_HOME/squint/config.yaml`, or\n"
    "   `~/.config/squint/config.yaml`, if it exists\n"
    "\n"
    "The format is YAML. Most mistakes do not stop squint from starting: it "
    "prints a\n"
    "warning with line and column to standard error and uses the default. Two "
    "kinds do\n"
    "stop it, because it would show too much: any mistake in `redact`, also in "
    "the\n"
    "environment, and a wrong permission in `archive.roots` or\n"
    "`archive.manicTimeDirectory`. `squint config check` finds all of them.\n"
    "\n"
    "| if | then |\n"
    "|---|---|\n"
    "| the file exists | its options override the defaults |\n"
    "| `--config` or a variable names a missing file | a warning; the defaults "
    "are used |\n"
    "| there is no file | the defaults are used, without a warning |\n"
    "| the file is not YAML | a warning; the defaults are used. If it mentions "
    "`redact`, squint does not start |\n"
    "| a key is unknown | a warning that suggests a similar key; the key is "
    "ignored |\n"
    "| a value has the wrong type or is out of range | a warning; the default "
    "is used |\n"
    "| a key is given twice | a warning; the first value is used |\n"
    "\n"
    "Aliases (`*name`), a second document and files of more than 1 MiB are "
    "not\n"
    "accepted. The section `build` of replicant-mcp's file is ignored.\n"
    "\n"
    "All options with their defaults:\n"
    "\n";

static const char middle[] = "## Environment and flags\n"
                             "\n"
                             "Items of a list are separated by commas; a flag "
                             "that is repeated adds items.\n"
                             "An option that is true or false has the flags "
                             "`--name` and `--no-name`; in the\n"
                             "environment it is `true` or `false` (also `1` "
                             "and `0`, `yes` and `no`, `on` and\n"
                             "`off`). An empty variable counts as not set. An "
                             "invalid variable causes a\n"
                             "warning, an invalid flag an error. The file "
                             "and the environment are for all\n"
                             "commands; a flag is refused by commands in "
                             "which it has no effect, and `--help`\n"
                             "lists those that a command takes. Options that "
                             "are only for servers are flags\n"
                             "of `squint mcp`, `squint serve` and `squint "
                             "inspect`.\n"
                             "\n"
                             "| key | variable | flag |\n"
                             "|---|---|---|\n";

static const char tail[] = "\n## Values\n"
                           "\n"
                           "| key | value | default | meaning |\n"
                           "|---|---|---|---|\n";

static size_t
section_length(const struct sq_config_option *option) {
    return strcspn(option->arg.name, ".");
}

static bool
is_same_section(const struct sq_config_option *a,
                const struct sq_config_option *b) {
    return a && section_length(a) == section_length(b)
        && memcmp(a->arg.name, b->arg.name, section_length(b)) == 0;
}

/* Writes an option as it appears in the file; `before` precedes its line. */
static bool
put_example(const struct sq_config_option *option, const char *before,
            struct sq_buf *out, struct sq_err *err) {
    const char *word = option->arg.name + section_length(option) + 1;
    const char *value = option->initial ? option->initial : "";
    if (option->arg.type == SQ_ARG_LIST) {
        value = "[]";
    }
    return sq_buf_printf(out, err, "  %s%s:%s%s\n", before, word,
                         value[0] ? " " : "", value);
}

/* Writes the heading of the option's section, unless the last one has it. */
static bool
put_section(const struct sq_config_option *option,
            const struct sq_config_option *last, const char *before,
            struct sq_buf *out, struct sq_err *err) {
    return is_same_section(last, option)
        || sq_buf_printf(out, err, "%s%.*s:\n", before,
                         (int)section_length(option), option->arg.name);
}

static bool
put_file(struct sq_buf *out, struct sq_err *err) {
    const struct sq_config_option *option;
    const struct sq_config_option *last = NULL;
    bool ok = sq_buf_printf(out, err, "```yaml\n");
    for (size_t i = 0; ok && (option = sq_config_option_at(i)); i++) {
        ok = put_section(option, last, "", out, err)
          && sq_buf_printf(out, err, "  # %s\n", option->arg.text)
          && put_example(option, "", out, err);
        last = option;
    }
    return ok && sq_buf_printf(out, err, "```\n\n");
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
        struct sq_buf text;
        sq_buf_init(&text, MAX_TEXT_BYTES);
        ok = (is_same_section(last, option) || sq_buf_printf(out, err, "\n"))
          && put_section(option, last, "#", out, err)
          && put_usage(option, false, &text, err)
          && sq_buf_printf(out, err, "  # %s\n", (const char *)text.data)
          && put_example(option, "#", out, err);
        sq_buf_finish(&text);
        last = option;
    }
    return ok;
}

/* Writes what follows the flag's name: " VALUE", " ui|split" or nothing. */
static void
flag_value(const struct sq_config_option *option, char out[32]) {
    if (option->flag_words[0]) {
        snprintf(out, 32, " %s|%s", option->flag_words[0],
                 option->flag_words[1]);
    } else {
        const char *placeholder = sq_arg_placeholder(&option->arg);
        snprintf(out, 32, "%s%s", placeholder ? " " : "",
                 placeholder ? placeholder : "");
    }
}

static bool
put_names(struct sq_buf *out, struct sq_err *err) {
    const struct sq_config_option *option;
    bool ok = true;
    for (size_t i = 0; ok && (option = sq_config_option_at(i)); i++) {
        char value[32];
        flag_value(option, value);
        /* A bar would end the table cell. */
        char *bar = strchr(value, '|');
        char letter[] = { '-', option->arg.letter, ',', ' ', '\0' };
        ok = sq_buf_printf(out, err, "| `%s` | `%s` | `%s--%s%.*s%s%s` |\n",
                           option->arg.name, option->variable,
                           option->arg.letter ? letter : "", option->flag,
                           bar ? (int)(bar - value) : (int)strlen(value), value,
                           bar ? "\\|" : "", bar ? bar + 1 : "");
    }
    return ok;
}

static bool
put_meaning(const struct sq_config_option *option, struct sq_buf *out,
            struct sq_err *err) {
    char expected[SQ_ARG_EXPECTED_SIZE];
    sq_arg_expected(&option->arg, expected);
    const char *initial = option->initial ? option->initial : "";
    const char *quote = initial[0] ? "`" : "";
    return sq_buf_printf(
        out, err, "| `%s` | %s | %s%s%s | %s%s |\n", option->arg.name, expected,
        quote, initial[0] ? initial : "none", quote, option->arg.text,
        option->used_by == SQ_USE_SERVES ? "; only for servers" : "");
}

bool
sq_config_describe(struct sq_buf *out, struct sq_err *err) {
    const struct sq_config_option *option;
    bool ok = sq_buf_append(out, head, sizeof(head) - 1, err)
           && put_file(out, err)
           && sq_buf_append(out, middle, sizeof(middle) - 1, err)
           && put_names(out, err)
           && sq_buf_append(out, tail, sizeof(tail) - 1, err);
    for (size_t i = 0; ok && (option = sq_config_option_at(i)); i++) {
        ok = put_meaning(option, out, err);
    }
    return ok;
}

static bool
put_flag_help(const struct sq_config_option *option, struct sq_buf *out,
              struct sq_err *err) {
    char value[32];
    char flag[64];
    struct sq_buf text;
    bool is_on = sq_usage_is_on(&option->arg, option->initial);
    flag_value(option, value);
    char letter[] = { '-', option->arg.letter, ',', ' ', '\0' };
    snprintf(flag, sizeof(flag), "%s--%s%s%s",
             option->arg.letter ? letter : "    ", is_on ? "[no-]" : "",
             option->flag, value);
    sq_buf_init(&text, MAX_TEXT_BYTES);
    bool ok = put_usage(option, true, &text, err)
           && sq_usage_put(flag, (const char *)text.data, out, err);
    sq_buf_finish(&text);
    return ok;
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
