/* Writes docs/config.md and the help text from the option table. */
#include "config/describe.h"

#include <stdio.h>
#include <string.h>

#include "config/option.h"

#define MAX_COLUMNS 80
#define HELP_INDENT 29

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
    return strcspn(option->key, ".");
}

static bool
is_same_section(const struct sq_config_option *a,
                const struct sq_config_option *b) {
    return a && section_length(a) == section_length(b)
        && memcmp(a->key, b->key, section_length(b)) == 0;
}

/* Writes an option as it appears in the file. */
static bool
put_example(const struct sq_config_option *option,
            const struct sq_config_option *before, struct sq_buf *out,
            struct sq_err *err) {
    int section = (int)section_length(option);
    const char *word = option->key + section + 1;
    const char *value = option->initial ? option->initial : "";
    if (option->type == SQ_CONFIG_LIST) {
        value = "[]";
    }
    return (is_same_section(before, option)
            || sq_buf_printf(out, err, "%.*s:\n", section, option->key))
        && sq_buf_printf(out, err, "  # %s\n  %s:%s%s\n", option->text, word,
                         value[0] ? " " : "", value);
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
        snprintf(out, 32, "%s%s", option->value ? " " : "",
                 option->value ? option->value : "");
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
                           option->key, option->variable, option->flag,
                           bar ? (int)(bar - value) : (int)strlen(value), value,
                           bar ? "\\|" : "", bar ? bar + 1 : "");
    }
    return ok;
}

static bool
put_meaning(const struct sq_config_option *option, struct sq_buf *out,
            struct sq_err *err) {
    char expected[SQ_CONFIG_EXPECTED_SIZE];
    sq_config_expected(option, expected);
    const char *initial = option->initial ? option->initial : "";
    const char *quote = initial[0] ? "`" : "";
    return sq_buf_printf(out, err, "| `%s` | %s | %s%s%s | %s |\n", option->key,
                         expected, quote, initial[0] ? initial : "none", quote,
                         option->text);
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
put_help(const char *flag, const char *value, const char *text,
         struct sq_buf *out, struct sq_err *err) {
    char left[64];
    snprintf(left, sizeof(left), "--%s%s", flag, value);
    bool fits = strlen(left) + 3 <= HELP_INDENT
             && HELP_INDENT + strlen(text) <= MAX_COLUMNS;
    return fits ? sq_buf_printf(out, err, "  %-*s%s\n", HELP_INDENT - 2, left,
                                text)
                : sq_buf_printf(out, err, "  %s\n      %s\n", left, text);
}

bool
sq_config_help(struct sq_buf *out, struct sq_err *err) {
    const struct sq_config_option *option;
    bool ok = put_help("config", " FILE", "read the options from this file",
                       out, err);
    for (size_t i = 0; ok && (option = sq_config_option_at(i)); i++) {
        char value[32];
        flag_value(option, value);
        ok = put_help(option->flag, value, option->text, out, err);
    }
    return ok;
}
