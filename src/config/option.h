/*
 * The option table. Each option is one row, which defines its key in the file,
 * its environment variable, its flag, its help text and its entry in
 * docs/config.md.
 */
#ifndef SQ_CONFIG_OPTION_H
#define SQ_CONFIG_OPTION_H

#include "args/arg.h"
#include "config/config.h"
#include "util/nearest.h"

struct sq_config_option {
    struct sq_arg arg;         /* its name is the key: "ui.maxImageDimension" */
    const char *variable;      /* environment variable */
    const char *flag;          /* without dashes */
    const char *old_flag;      /* another accepted flag; NULL: none */
    const char *flag_words[2]; /* false and true of a BOOL with words */
    const char *initial;       /* default, written as in the environment */
    bool is_for_servers; /* has no effect in commands that serve no clients */
};

/* A section of a replicant file that has no meaning here and is ignored. */
#define SQ_CONFIG_FOREIGN_KEY "build"

/* The words for ui.receipt, by enum sq_receipt; NULL-terminated. */
extern const char *const sq_receipt_words[];

/* In the order of enum sq_emulator_mode. */
extern const char *const sq_emulator_words[];

/* Returns the option at that index, or NULL after the last. */
const struct sq_config_option *sq_config_option_at(size_t index);

/* Return the option of that key or flag, or NULL. */
const struct sq_config_option *sq_config_option_by_key(struct sq_span key);
const struct sq_config_option *sq_config_option_by_flag(struct sq_span flag);

/* Returns the name of a model profile, or NULL after the last. */
const char *sq_config_profile_at(size_t index);

/* Returns whether any key starts with this word and a dot. */
bool sq_config_is_section(struct sq_span word);

/* Returns whether an environment variable has that name. */
bool sq_config_is_variable(struct sq_span name);

/*
 * Find the most similar key, or the variable that is most similar after its
 * prefix SQUINT_, for "did you mean".
 */
void sq_config_nearest_key(struct sq_span key, struct sq_nearest *out);
void sq_config_nearest_variable(struct sq_span word, struct sq_nearest *out);

#endif
