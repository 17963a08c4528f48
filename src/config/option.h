/*
 * The option table. Each option is one row, which defines its key in the file,
 * its environment variable, its flag, its help text and its entry in
 * docs/config.md.
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
    SQ_CONFIG_TRI, /* a bool that may be unset */
    SQ_CONFIG_INT,
    SQ_CONFIG_NUMBER, /* a double */
    SQ_CONFIG_CHOICE, /* an int: index of the chosen word */
    SQ_CONFIG_TEXT,
    SQ_CONFIG_LIST, /* comma-separated in the environment and flags */
};

struct sq_config_option {
    const char *key;      /* as in the file: "ui.maxImageDimension" */
    const char *variable; /* environment variable */
    const char *flag;     /* without dashes */
    enum sq_config_type type;
    size_t offset;   /* into struct sq_config */
    double min, max; /* of INT and NUMBER */
    const char *(*choice_at)(
        size_t index);         /* for CHOICE; NULL after the last */
    const char *flag_words[2]; /* false and true of a BOOL with words */
    const char *initial;       /* default, written as in the environment */
    const char *value;         /* placeholder of the value in the help text */
    const char *text;          /* one-line description */
};

/* Returns the option at that index, or NULL after the last. */
const struct sq_config_option *sq_config_option_at(size_t index);

/* Return the option of that key or flag, or NULL. */
const struct sq_config_option *sq_config_option_by_key(struct sq_span key);
const struct sq_config_option *sq_config_option_by_flag(struct sq_span flag);

/* Returns the name of a model profile, or NULL after the last. */
const char *sq_config_profile_at(size_t index);

/* Returns whether any key starts with this word and a dot. */
bool sq_config_is_section(struct sq_span word);

/*
 * Returns the most similar key, for "did you mean", or NULL if none is similar.
 */
const char *sq_config_nearest_key(struct sq_span key);

/* Writes the accepted values for display: "a whole number from 1 to 16384". */
#define SQ_CONFIG_EXPECTED_SIZE 400
void sq_config_expected(const struct sq_config_option *option,
                        char out[SQ_CONFIG_EXPECTED_SIZE]);

#define SQ_CONFIG_SHOWN_SIZE 44

/* Writes untrusted text for display: shortened, without control characters. */
void sq_config_show(struct sq_span text, char out[SQ_CONFIG_SHOWN_SIZE]);

/*
 * Parses a text and stores the value. Fails with SQ_ERR_ARGUMENT and a message
 * that names the expected values; the config is then unchanged. Strings are
 * copied into the arena; if arena is NULL they must be constants.
 */
bool sq_config_store(const struct sq_config_option *option, struct sq_span text,
                     struct sq_arena *arena, struct sq_config *config,
                     struct sq_err *err);

/* Stores a LIST from separate items. Fails like sq_config_store. */
bool sq_config_store_list(const struct sq_config_option *option,
                          const struct sq_span *items, size_t count,
                          struct sq_arena *arena, struct sq_config *config,
                          struct sq_err *err);

#endif
