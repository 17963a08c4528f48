/* Writes docs/config.md and the help text from the option table. */
#include "config/describe.h"

#include <stdio.h>
#include <string.h>

#include "args/usage.h"
#include "config/option.h"

static const char head[] =
    "# Configuration\n"
    "\n"
    "<!-- Written from the table in src/config/option.c by a test:\n"
    "     SQUINT_ACCEPT=1 meson test config/describe -->\n"
    "\n"
    "Every option can be set in a file, in the environment and by a flag. Each "
    "counts\n"
    "more than the one before it, and all count more than the default.\n"
    "\n"
    "## The file\n"
    "\n"
    "The first of these that is set says where the file lies:\n"
    "\n"
    "1. the flag `--config FILE`\n"
    "2. the variable `SQUINT_CONFIG`\n"
    "3. the variable `REPLICANT_CONFIG`\n"
    "4. otherwise `$XDG_CONFIG_HOME/squint/config.yaml`, or\n"
    "   `~/.config/squint/config.yaml`, if it is there\n"
    "\n"
    "It is YAML. Nothing in it can stop squint from starting: what is wrong "
    "is said\n"
    "on standard error, with its line and column, and the default is used.\n"
    "\n"
    "| what | then |\n"
    "|---|---|\n"
    "| a file was named and is there | it is merged with the defaults |\n"
    "| a file was named and is missing | a warning, and the defaults |\n"
    "| no file was named | the defaults, silently |\n"
    "| the file is not YAML | a warning, and the defaults for all of it |\n"
    "| a key is unknown | a warning that names the nearest one; ignored |\n"
    "| a value has the wrong type or is out of range | a warning; the default "
    "|\n"
    "| a key is given twice | a warning; the first counts |\n"
    "\n"
    "Aliases (`*name`), a second document and more than 1 MiB are not taken. "
    "The\n"
    "section `build` of a replicant file is passed over.\n"
    "\n"
    "All options with their defaults:\n"
    "\n";

static const char middle[] =
    "## Environment and flags\n"
    "\n"
    "Lists are separated by commas there; a list's flag given again adds to "
    "it.\n"
    "An option that is true or false has the\n"
    "flags `--name` and `--no-name`; in the environment it is `true` or "
    "`false`\n"
    "(also `1` and `0`, `yes` and `no`, `on` and `off`). A variable that is "
    "empty\n"
    "counts as not set. A wrong variable is a warning, a wrong flag an error.\n"
    "\n"
    "| key | variable | flag |\n"
    "|---|---|---|\n";

static const char tail[] = "\n## What they take\n"
                           "\n"
                           "| key | takes | default | meaning |\n"
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

/* Writes an option as it appears in the file. */
static bool
put_example(const struct sq_config_option *option,
            const struct sq_config_option *before, struct sq_buf *out,
            struct sq_err *err) {
    int section = (int)section_length(option);
    const char *word = option->arg.name + section + 1;
    const char *value = option->initial ? option->initial : "";
    if (option->arg.type == SQ_ARG_LIST) {
        value = "[]";
    }
    return (is_same_section(before, option)
            || sq_buf_printf(out, err, "%.*s:\n", section, option->arg.name))
        && sq_buf_printf(out, err, "  # %s\n  %s:%s%s\n", option->arg.text,
                         word, value[0] ? " " : "", value);
}

static bool
put_file(struct sq_buf *out, struct sq_err *err) {
    const struct sq_config_option *option;
    const struct sq_config_option *before = NULL;
    bool ok = sq_buf_printf(out, err, "```yaml\n");
    for (size_t i = 0; ok && (option = sq_config_option_at(i)); i++) {
        ok = put_example(option, before, out, err);
        before = option;
    }
    return ok && sq_buf_printf(out, err, "```\n\n");
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
        ok = sq_buf_printf(out, err, "| `%s` | `%s` | `--%s%.*s%s%s` |\n",
                           option->arg.name, option->variable, option->flag,
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
        out, err, "| `%s` | %s | %s%s%s | %s |\n", option->arg.name, expected,
        quote, initial[0] ? initial : "none", quote, option->arg.text);
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

bool
sq_config_help(struct sq_buf *out, struct sq_err *err) {
    const struct sq_config_option *option;
    bool ok = sq_usage_put("--config FILE", "read the options from this file",
                           out, err);
    for (size_t i = 0; ok && (option = sq_config_option_at(i)); i++) {
        char value[32];
        char flag[64];
        flag_value(option, value);
        snprintf(flag, sizeof(flag), "--%s%s", option->flag, value);
        ok = sq_usage_put(flag, option->arg.text, out, err);
    }
    return ok;
}
