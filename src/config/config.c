/* Loads the configuration from file, environment and flags. */
#include "config/config.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "config/option.h"
#include "config/yaml.h"
#include "sys/file.h"
#include "sys/path.h"

#define MAX_WARNINGS 32
#define MAX_WARNING_BYTES 1024
#define MAX_KEY_BYTES 128
#define MAX_SECTIONS 20
#define MAX_TREE_BYTES ((size_t)16 << 20)

/* The state of one load. */
struct load {
    struct sq_arena *arena;
    struct sq_arena scratch; /* owns the tree of the file */
    struct sq_config config;
    const char *warnings[MAX_WARNINGS + 1];
    size_t count;
    size_t dropped;               /* number of warnings beyond the limit */
    char file[SQ_FILE_NAME_SIZE]; /* for display */
    struct sq_span sections[MAX_SECTIONS]; /* sections seen so far */
    size_t section_count;
    int seen_at[SQ_CONFIG_MAX_OPTIONS]; /* line of each key; 0: not seen */
    bool is_redact; /* what is being read says what to hide */
};

void
sq_config_defaults(struct sq_config *out) {
    *out = (struct sq_config){ 0 };
    const struct sq_config_option *option;
    for (size_t i = 0; (option = sq_config_option_at(i)); i++) {
        struct sq_err err = { 0 };
        const struct sq_arg_source source = { .name = option->arg.name };
        bool ok = !option->initial
               || sq_arg_parse(&option->arg, sq_span_of(option->initial),
                               &source, out, &err);
        assert(ok);
        (void)ok;
    }
}

bool
sq_config_is_visual(const struct sq_config *config, const char *package) {
    const struct sq_strings *list = &config->ui.visual_mode_packages;
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i], package) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds a warning. Fails only without memory. */
__attribute__((format(printf, 3, 4))) static bool
warn(struct load *load, struct sq_err *err, const char *format, ...) {
    bool is_first = load->is_redact && !load->config.redact_problem;
    bool is_full = load->count == MAX_WARNINGS;
    load->dropped += is_full;
    if (is_full && !is_first) {
        return true;
    }
    char text[MAX_WARNING_BYTES];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    const char *copy = sq_arena_strdup(load->arena, sq_span_of(text), err);
    if (!copy) {
        return false;
    }
    if (is_first) {
        load->config.redact_problem = copy;
    }
    if (!is_full) {
        load->warnings[load->count++] = copy;
    }
    return true;
}

/* Returns what follows from a mistake; nothing if squint does not start. */
static const char *
consequence(const struct load *load, const char *text) {
    return load->is_redact ? "" : text;
}

/* Adds a warning with its position in the file and what follows from it. */
static bool
warn_at(struct load *load, struct sq_yaml_place at, const char *text,
        const char *then, struct sq_err *err) {
    return warn(load, err, "%s:%d:%d: %s%s", load->file, at.line, at.column,
                text, consequence(load, then));
}

static const char *
initial_of(const struct sq_config_option *option) {
    if (!option->initial) {
        return option->arg.type == SQ_ARG_INT ? "the default" : "none";
    }
    return option->initial[0] ? option->initial : "an empty list";
}

/*
 * Returns whether a failed store is the user's mistake, which becomes a
 * warning.
 */
static bool
is_mistake(const struct sq_err *other_err, struct sq_err *err) {
    return other_err->code == SQ_ERR_ARGUMENT || sq_fail_with(err, other_err);
}

/* Fails because a node is not of the option's type. */
static bool
fail_kind(const struct sq_config_option *option, const struct sq_yaml *node,
          struct sq_err *err) {
    static const char *const kinds[] = {
        [SQ_YAML_NULL] = "nothing",
        [SQ_YAML_SCALAR] = "a text",
        [SQ_YAML_LIST] = "a list",
        [SQ_YAML_MAP] = "a map",
    };
    char quoted[SQ_ARG_QUOTED_SIZE];
    sq_arg_quote(node->text, quoted);
    /* What should be a list may be a URL with a password. */
    bool is_plain = node->kind == SQ_YAML_SCALAR && node->plain
                 && option->arg.type != SQ_ARG_LIST;
    return sq_arg_fail(&option->arg, option->arg.name,
                       is_plain ? quoted : kinds[node->kind], err);
}

static bool
is_letter(struct sq_span text) {
    char byte = text.len ? text.ptr[0] : '\0';
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* Returns whether a node can be a value of the option's type. Not for lists. */
static bool
is_kind(const struct sq_config_option *option, const struct sq_yaml *node) {
    if (node->kind != SQ_YAML_SCALAR) {
        return false;
    }
    enum sq_arg_type type = option->arg.type;
    if (type == SQ_ARG_TEXT || type == SQ_ARG_CHOICE) {
        return true;
    }
    /* In YAML, a quoted "true" is a string and 1 is a number. */
    bool is_bool = type == SQ_ARG_BOOL;
    return node->plain && is_letter(node->text) == is_bool;
}

/* Stores a text. `name` is how the user calls the option there. */
static bool
store_text(struct load *load, const struct sq_config_option *option,
           const char *name, struct sq_span text, struct sq_err *err) {
    const struct sq_arg_source source = { .name = name, .arena = load->arena };
    return sq_arg_parse(&option->arg, text, &source, &load->config, err);
}

/* Stores a list of scalars. */
static bool
store_list(struct load *load, const struct sq_config_option *option,
           const struct sq_yaml *node, struct sq_err *err) {
    static const char *const kinds[] = {
        [SQ_YAML_NULL] = "a list with an empty item",
        [SQ_YAML_SCALAR] = "a list of texts",
        [SQ_YAML_LIST] = "a list of lists",
        [SQ_YAML_MAP] = "a list of maps",
    };
    const struct sq_arg_source source = { .name = option->arg.name,
                                          .arena = load->arena };
    size_t count = 0;
    if (node->kind != SQ_YAML_LIST) {
        return fail_kind(option, node, err);
    }
    for (const struct sq_yaml *i = node->first; i; i = i->next) {
        count++;
    }
    struct sq_span *items =
        sq_arena_alloc(&load->scratch, count + 1, sizeof(*items), err);
    if (!items) {
        return false;
    }
    struct sq_span *filled = items;
    for (const struct sq_yaml *i = node->first; i; i = i->next) {
        if (i->kind != SQ_YAML_SCALAR) {
            return sq_arg_fail(&option->arg, option->arg.name, kinds[i->kind],
                               err);
        }
        *filled++ = i->text;
    }
    return sq_arg_store_list(&option->arg, items, count, &source, &load->config,
                             err);
}

static bool
store_node(struct load *load, const struct sq_config_option *option,
           const struct sq_yaml *node, struct sq_err *err) {
    return option->arg.type == SQ_ARG_LIST ? store_list(load, option, node, err)
         : is_kind(option, node)
             ? store_text(load, option, option->arg.name, node->text, err)
             : fail_kind(option, node, err);
}

static size_t
index_of(const struct sq_config_option *option) {
    return (size_t)(option - sq_config_option_at(0));
}

static bool
apply_option(struct load *load, const struct sq_config_option *option,
             const struct sq_yaml *node, struct sq_err *err) {
    size_t index = index_of(option);
    char text[MAX_WARNING_BYTES];
    struct sq_err local_err = { 0 };
    assert(index < SQ_CONFIG_MAX_OPTIONS);
    if (load->seen_at[index]) {
        snprintf(text, sizeof(text), "%s is given twice; line %d is used",
                 option->arg.name, load->seen_at[index]);
        return warn_at(load, node->key_at, text, "", err);
    }
    load->seen_at[index] = node->key_at.line;
    if (node->kind == SQ_YAML_NULL) {
        return true;
    }
    if (!store_node(load, option, node, &local_err)) {
        snprintf(text, sizeof(text), "; using %s", initial_of(option));
        return is_mistake(&local_err, err)
            && warn_at(load, node->at, local_err.message, text, err);
    }
    load->config.places[index] =
        (struct sq_config_place){ node->at.line, node->at.column };
    return true;
}

/* Returns whether a key or a variable says what to hide. */
static bool
is_redact_name(const char *name) {
    struct sq_span text = sq_span_of(name);
    return sq_span_starts_with(text, "redact")
        || sq_span_starts_with(text, "SQUINT_REDACT")
        || sq_span_starts_with(text, "archive.exclude")
        || sq_span_starts_with(text, "SQUINT_ARCHIVE_EXCLUDE");
}

static bool
warn_unknown(struct load *load, struct sq_span key, struct sq_yaml_place at,
             struct sq_err *err) {
    char text[MAX_WARNING_BYTES];
    char quoted[SQ_ARG_QUOTED_SIZE];
    char remark[SQ_NEAREST_REMARK_SIZE];
    struct sq_nearest nearest;
    bool was_redact = load->is_redact;
    sq_config_nearest_key(key, &nearest);
    sq_arg_quote(key, quoted);
    sq_nearest_remark(&nearest, remark);
    load->is_redact = was_redact || is_redact_name(nearest.found);
    snprintf(text, sizeof(text), "unknown key %s%s%s", quoted,
             consequence(load, " ignored"), remark);
    bool ok = warn_at(load, at, text, "", err);
    load->is_redact = was_redact;
    return ok;
}

/* Applies the keys of a section. */
static bool
apply_keys(struct load *load, const struct sq_yaml *section,
           struct sq_err *err) {
    bool ok = true;
    for (const struct sq_yaml *node = section->first; ok && node;
         node = node->next) {
        char path[MAX_KEY_BYTES];
        int len = snprintf(path, sizeof(path), "%.*s.%.*s",
                           SQ_SPAN_ARGS(section->key), SQ_SPAN_ARGS(node->key));
        size_t kept =
            (size_t)len < sizeof(path) ? (size_t)len : sizeof(path) - 1;
        struct sq_span key = { path, kept };
        const struct sq_config_option *option =
            sq_span_contains(node->key, '\0') ? NULL
                                              : sq_config_option_by_key(key);
        bool was_redact = load->is_redact;
        load->is_redact = was_redact || is_redact_name(path);
        ok = option ? apply_option(load, option, node, err)
                    : warn_unknown(load, key, node->key_at, err);
        load->is_redact = was_redact;
    }
    return ok;
}

/* Returns whether a section says which screenshots to hide. */
static bool
excludes(const struct sq_yaml *section) {
    bool found = false;
    for (const struct sq_yaml *node = section->first; !found && node;
         node = node->next) {
        found = sq_span_starts_with(node->key, "exclude");
    }
    return found && sq_span_is(section->key, "archive");
}

static bool
apply_section(struct load *load, const struct sq_yaml *section,
              struct sq_err *err) {
    for (size_t i = 0; i < load->section_count; i++) {
        if (sq_span_equal(load->sections[i], section->key)) {
            load->is_redact = load->is_redact || excludes(section);
            return warn_at(load, section->key_at, "this section is given twice",
                           "; the first is used", err);
        }
    }
    assert(load->section_count < MAX_SECTIONS);
    load->sections[load->section_count++] = section->key;
    if (section->kind == SQ_YAML_SCALAR || section->kind == SQ_YAML_LIST) {
        return warn_at(load, section->at,
                       "this section should hold keys and values", "; ignored",
                       err);
    }
    return apply_keys(load, section, err);
}

static bool
apply_tree(struct load *load, const struct sq_yaml *root, struct sq_err *err) {
    bool ok = true;
    for (const struct sq_yaml *node = root ? root->first : NULL; ok && node;
         node = node->next) {
        if (sq_config_is_section(node->key)) {
            load->is_redact = sq_span_is(node->key, "redact");
            ok = apply_section(load, node, err);
            load->is_redact = false;
        } else if (!sq_span_is(node->key, SQ_CONFIG_FOREIGN_KEY)) {
            ok = warn_unknown(load, node->key, node->key_at, err);
        }
    }
    return ok;
}

/* Warns that the file cannot be parsed and is ignored as a whole. */
static bool
warn_malformed(struct load *load, struct sq_yaml_place at,
               const struct sq_err *other_err, struct sq_err *err) {
    load->config.file_failed = true;
    if (other_err->code == SQ_ERR_NOMEM) {
        return sq_fail_with(err, other_err);
    }
    const char *then = "; the defaults are used";
    return at.line ? warn_at(load, at, other_err->message, then, err)
                   : warn(load, err, "%s: %s%s", load->file, other_err->message,
                          consequence(load, then));
}

/* Returns whether the text of a file that cannot be parsed may have rules. */
static bool
mentions_redact(struct sq_span text) {
    struct sq_span line;
    bool found = false;
    while (!found && sq_span_take_line(&text, &line)) {
        line = sq_span_trim(line);
        found = sq_span_starts_with(line, "redact")
             || sq_span_starts_with(line, "exclude");
    }
    return found;
}

static bool
apply_bytes(struct load *load, const struct sq_config_location *location,
            struct sq_span bytes, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_yaml_place at = { 0 };
    const struct sq_yaml *root = NULL;
    if (!sq_yaml_parse(bytes, &load->scratch, &root, &at, &local_err)) {
        load->is_redact = mentions_redact(bytes);
        bool ok = warn_malformed(load, at, &local_err, err);
        load->is_redact = false;
        return ok;
    }
    if (root && root->kind != SQ_YAML_MAP) {
        sq_fail(&local_err, SQ_ERR_FORMAT,
                "the file should hold keys and values");
        return warn_malformed(load, root->at, &local_err, err);
    }
    load->config.file =
        sq_arena_strdup(load->arena, sq_span_of(location->path), err);
    return load->config.file && apply_tree(load, root, err);
}

static bool
apply_file(struct load *load, const struct sq_config_location *location,
           struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct sq_buf bytes = { 0 };
    if (!location->path) {
        return true;
    }
    sq_file_name(location->path, true, load->file);
    if (sq_file_read(location->path, SQ_MAX_YAML_BYTES, &bytes, &local_err)) {
        struct sq_span text = sq_buf_span(&bytes);
        bool ok = apply_bytes(load, location, text, err);
        sq_buf_finish(&bytes);
        return ok;
    }
    if (local_err.code == SQ_ERR_NOMEM) {
        return sq_fail_with(err, &local_err);
    }
    load->config.file_failed =
        local_err.code != SQ_ERR_NOT_FOUND || !location->may_be_missing;
    if (local_err.code != SQ_ERR_NOT_FOUND) {
        return warn(load, err, "%s; the defaults are used", local_err.message);
    }
    return location->may_be_missing
        || warn(load, err,
                "%s, named by %s, does not exist; the defaults are used",
                load->file, location->named_by);
}

/* Warns of a variable that is probably a mistyped one of ours. */
static bool
check_variable(struct load *load, struct sq_span name, struct sq_err *err) {
    struct sq_nearest nearest;
    struct sq_span word = name;
    if (!sq_span_take_prefix(&word, "SQUINT_") || sq_config_is_variable(name)) {
        return true;
    }
    sq_config_nearest_variable(word, &nearest);
    load->is_redact = is_redact_name(nearest.found);
    bool ok = !nearest.found[0]
           || warn(load, err, "unknown variable %.*s%s; did you mean %s?",
                   SQ_SPAN_ARGS(name), consequence(load, " ignored"),
                   nearest.found);
    load->is_redact = false;
    return ok;
}

/* Stores the variable of an option, if it is set. */
static bool
apply_variable(struct load *load, const struct sq_config_option *option,
               struct sq_err *err) {
    struct sq_err local_err = { 0 };
    char derived[SQ_CONFIG_VARIABLE_SIZE];
    const char *name = sq_config_variable(option, derived);
    const char *text = getenv(name);
    if (!text || !text[0]) {
        return true;
    }
    sq_config_note_replaced(&load->config, option, false);
    if (store_text(load, option, name, sq_span_of(text), &local_err)) {
        load->config.places[index_of(option)] = (struct sq_config_place){ 0 };
        return true;
    }
    load->is_redact = is_redact_name(name);
    bool ok = is_mistake(&local_err, err)
           && warn(load, err, "%s%s", local_err.message,
                   consequence(load, "; ignored"));
    load->is_redact = false;
    return ok;
}

static bool
apply_environment(struct load *load, struct sq_err *err) {
    const struct sq_config_option *option;
    bool ok = true;
    for (size_t i = 0; ok && (option = sq_config_option_at(i)); i++) {
        ok = apply_variable(load, option, err);
    }
    struct sq_span name;
    for (size_t i = 0; ok && sq_environment_name_at(i, &name); i++) {
        ok = check_variable(load, name, err);
    }
    return ok;
}

/* Copies the collected warnings into the config. */
static bool
keep_warnings(struct load *load, struct sq_err *err) {
    if (load->dropped) {
        char text[64];
        snprintf(text, sizeof(text), "and %zu more mistakes", load->dropped);
        const char *copy = sq_arena_strdup(load->arena, sq_span_of(text), err);
        if (!copy) {
            return false;
        }
        load->warnings[load->count++] = copy;
    }
    const char **kept =
        sq_arena_alloc(load->arena, load->count + 1, sizeof(*kept), err);
    if (!kept) {
        return false;
    }
    memcpy(kept, load->warnings, load->count * sizeof(*kept));
    load->config.warnings = (struct sq_strings){ kept, load->count };
    return true;
}

/* Records the source of ManicTime's folder if it was just set. */
static bool
note_source(struct load *load, enum sq_config_source source,
            const char **before) {
    const char *now = load->config.archive.manictime_directory;
    if (now && now != *before) {
        load->config.archive.manictime_source = source;
        *before = now;
    }
    return true;
}

/* Uses the folder that ManicTime itself uses, if no folder is configured. */
static bool
find_manictime(struct load *load, struct sq_err *err) {
    enum sq_config_source source = SQ_CONFIG_FROM_REGISTRY;
    char path[SQ_PATH_SIZE];
    char text[SQ_PATH_SIZE + sizeof("=thumbnail")];
    if (load->config.archive.manictime_directory
        || load->config.archive.roots.count > 0) {
        return true;
    }
    if (!sq_registry_text("SOFTWARE/Finkit/ManicTime", "DataDirectory", path)
        || !sq_path_is_folder(path)) {
        source = SQ_CONFIG_FROM_USUAL_PLACE;
        if (!sq_user_path(SQ_USER_DATA, "Finkit/ManicTime", path)
            || !sq_path_is_folder(path)) {
            return true;
        }
    }
    /* The user has not said that a model may see all of it. */
    snprintf(text, sizeof(text), "%s=thumbnail", path);
    load->config.archive.manictime_source = source;
    load->config.archive.manictime_directory =
        sq_arena_strdup(load->arena, sq_span_of(text), err);
    return load->config.archive.manictime_directory != NULL;
}

bool
sq_config_load(const struct sq_config_flags *flags, struct sq_arena *arena,
               struct sq_config *out, struct sq_err *err) {
    struct load load = { .arena = arena };
    char path[SQ_PATH_SIZE];
    struct sq_config_location location = sq_config_find_location(flags, path);
    sq_arena_init(&load.scratch, MAX_TREE_BYTES);
    sq_config_defaults(&load.config);
    const char *manictime = NULL;
    bool ok = apply_file(&load, &location, err)
           && note_source(&load, SQ_CONFIG_FROM_FILE, &manictime)
           && apply_environment(&load, err)
           && note_source(&load, SQ_CONFIG_FROM_ENVIRONMENT, &manictime)
           && sq_config_apply_flags(flags, arena, &load.config, err)
           && note_source(&load, SQ_CONFIG_FROM_FLAGS, &manictime)
           && find_manictime(&load, err) && keep_warnings(&load, err);
    sq_arena_finish(&load.scratch);
    if (ok) {
        *out = load.config;
    }
    return ok;
}
