/*
 * The option table: one row per option feeds the file, the environment, the
 * flags, the help and docs/config.md.
 */
#ifndef SQ_CONFIG_OPTION_H
#define SQ_CONFIG_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"
#include "util/arena.h"
#include "util/err.h"
#include "util/span.h"

enum sq_config_type {
    SQ_CONFIG_BOOL,
    SQ_CONFIG_TRI, /* a bool that may stay unset */
    SQ_CONFIG_INT,
    SQ_CONFIG_NUMBER, /* a double */
    SQ_CONFIG_CHOICE, /* an int: the index of the word chosen */
    SQ_CONFIG_TEXT,
    SQ_CONFIG_LIST, /* in the environment and flags: separated by commas */
};

struct sq_config_option {
    const char *key;      /* as in the file: "ui.maxImageDimension" */
    const char *variable; /* of the environment */
    const char *flag;     /* without dashes */
    enum sq_config_type type;
    size_t offset;   /* into struct sq_config */
    double min, max; /* of INT and NUMBER */
    const char *(*choice_at)(
        size_t index);         /* of CHOICE; NULL behind the last */
    const char *flag_words[2]; /* of a BOOL whose flag takes a word: no, yes */
    const char *initial;       /* the default, written as in the environment */
    const char *value;         /* what to call the value in the help text */
    const char *text;          /* one line */
};

/* The options in their order; NULL behind the last. */
const struct sq_config_option *sq_config_option_at(size_t index);

/* The option of that key or flag, or NULL. */
const struct sq_config_option *sq_config_option_by_key(struct sq_span key);
const struct sq_config_option *sq_config_option_by_flag(struct sq_span flag);

/* Whether keys begin with this word and a dot. */
bool sq_config_is_section(struct sq_span word);

/* The key most like this one, for "did you mean"; NULL if none is. */
const char *sq_config_nearest_key(struct sq_span key);

/* What the option takes, for people: "a whole number from 1 to 16384". */
#define SQ_CONFIG_EXPECTED_SIZE 400
void sq_config_expected(const struct sq_config_option *option,
                        char out[SQ_CONFIG_EXPECTED_SIZE]);

#define SQ_CONFIG_SHOWN_SIZE 44

/* Foreign text as it may be shown: short, and without control characters. */
void sq_config_show(struct sq_span text, char out[SQ_CONFIG_SHOWN_SIZE]);

/*
 * Store what a text says, or SQ_ERR_ARGUMENT with what was expected instead;
 * the config is then as it was. Texts are copied into the arena; without one
 * they must be constants.
 */
bool sq_config_store(const struct sq_config_option *option, struct sq_span text,
                     struct sq_arena *arena, struct sq_config *config,
                     struct sq_err *err);

/* The same for a LIST whose items are known already. */
bool sq_config_store_list(const struct sq_config_option *option,
                          const struct sq_span *items, size_t count,
                          struct sq_arena *arena, struct sq_config *config,
                          struct sq_err *err);

#endif
