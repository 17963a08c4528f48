/*
 * The option table. Each option is one row, which defines its key in the file,
 * its environment variable, its flag, its help text and its entry in
 * docs/config.md.
 */
#ifndef SQ_CONFIG_OPTION_H
#define SQ_CONFIG_OPTION_H

#include "args/arg.h"
#include "config/config.h"

/*
 * What a command does. An option names those in which it has an effect, and a
 * command those that it does: it takes the option if one is in both.
 */
enum sq_config_use {
    SQ_USE_CALLS = 1 << 0,    /* runs an operation and prints its reply */
    SQ_USE_ADB = 1 << 1,      /* asks adb */
    SQ_USE_DEMO = 1 << 2,     /* uses the demo phone */
    SQ_USE_DEVICES = 1 << 3,  /* uses a device of any kind */
    SQ_USE_CAPTURES = 1 << 4, /* looks at the screen of a device */
    SQ_USE_SIZES = 1 << 5,    /* answers in pixels of a picture it scales */
    SQ_USE_PICTURES = 1 << 6, /* shows a picture, of a device or of the past */
    SQ_USE_COSTS = 1 << 7,    /* prints the tokens of a picture */
    SQ_USE_ELEMENTS = 1 << 8, /* reads the elements of a screen */
    SQ_USE_READER = 1 << 9,   /* reads text in pictures */
    SQ_USE_TEMPLATES = 1 << 10,  /* finds pictures in pictures */
    SQ_USE_FALLBACK = 1 << 11,   /* takes a picture if nothing matches */
    SQ_USE_SNAPSHOT = 1 << 12,   /* keeps a file of a picture without -o */
    SQ_USE_RECEIPTS = 1 << 13,   /* acts, and checks the effect */
    SQ_USE_URLS = 1 << 14,       /* opens addresses */
    SQ_USE_INSTALLS = 1 << 15,   /* installs or uninstalls apps */
    SQ_USE_OUTPUT = 1 << 16,     /* writes or reads output.directory */
    SQ_USE_PAST = 1 << 17,       /* reads past screenshots */
    SQ_USE_ACTIVITY = 1 << 18,   /* reads the user's activities */
    SQ_USE_SAVES = 1 << 19,      /* saves past screenshots */
    SQ_USE_SERVES = 1 << 20,     /* serves clients */
    SQ_USE_TEXT_RULES = 1 << 21, /* reads text in pictures, to hide it */
    SQ_USE_AUDIT = 1 << 22,      /* reads or writes an audit log */
    SQ_USE_SECRETS = 1 << 23,    /* types stored secrets */
    SQ_USE_INSPECTS = 1 << 24,   /* serves the inspector */
    SQ_USE_ALL = (1 << 25) - 1,
};

struct sq_config_option {
    struct sq_arg arg;         /* its name is the key: "ui.maxImageDimension" */
    const char *variable;      /* if sq_config_variable would differ */
    const char *flag;          /* without dashes */
    const char *old_flag;      /* another accepted flag; NULL: none */
    const char *flag_words[2]; /* false and true of a BOOL with words */
    const char *initial;       /* default, written as in the environment */
    unsigned used_by; /* enum sq_config_use; the other commands refuse it */
};

/* Notes that an option will be replaced, if it is a list with items. */
void sq_config_note_replaced(struct sq_config *config,
                             const struct sq_config_option *option,
                             bool is_by_flag);

/* A section of a replicant file that has no meaning here and is ignored. */
#define SQ_CONFIG_FOREIGN_KEY "build"

/* The words for ui.receipt, by enum sq_receipt; NULL-terminated. */
extern const char *const sq_receipt_words[];

/* The words for ui.format, by enum sq_format; NULL-terminated. */
extern const char *const sq_format_words[];

/* In the order of enum sq_emulator_mode. */
extern const char *const sq_emulator_words[];

/* Returns the option at that index, or NULL after the last. */
const struct sq_config_option *sq_config_option_at(size_t index);

/* Return the option of that key or flag, or NULL. */
const struct sq_config_option *sq_config_option_by_key(struct sq_span key);
const struct sq_config_option *sq_config_option_by_flag(struct sq_span flag);

/* Returns the option whose flag has that letter, or NULL. */
const struct sq_config_option *sq_config_option_by_letter(char letter);

/* Returns the name of a model profile, or NULL after the last. */
const char *sq_config_profile_at(size_t index);

/* Returns whether any key starts with this word and a dot. */
bool sq_config_is_section(struct sq_span word);

/*
 * Returns the environment variable of an option, which may be in `out`:
 * SQUINT_UI_WATCH_MS for ui.watchMs.
 */
#define SQ_CONFIG_VARIABLE_SIZE 64
const char *sq_config_variable(const struct sq_config_option *option,
                               char out[SQ_CONFIG_VARIABLE_SIZE]);

/* Returns whether an environment variable has that name. */
bool sq_config_is_variable(struct sq_span name);

/*
 * Find the most similar key, or the variable that is most similar after its
 * prefix SQUINT_, for "did you mean".
 */
void sq_config_nearest_key(struct sq_span key, struct sq_nearest *out);
void sq_config_nearest_variable(struct sq_span word, struct sq_nearest *out);

/*
 * Appends the flags as help text of at most 80 columns, without those for which
 * is_omitted (NULL: none) returns true.
 */
typedef bool sq_config_is_omitted(const void *context,
                                  const struct sq_config_option *option);
bool sq_config_help(sq_config_is_omitted *is_omitted, const void *context,
                    struct sq_buf *out, struct sq_err *err);

/* Writes what follows the flag's name: " VALUE", " ui|split" or nothing. */
#define SQ_CONFIG_VALUE_SIZE 32
void sq_config_flag_value(const struct sq_config_option *option,
                          char out[SQ_CONFIG_VALUE_SIZE]);

/*
 * Appends a configuration file with all options and their descriptions, in
 * which every option is a comment. `schema` (NULL: none) is the address of the
 * JSON schema for editors.
 */
bool sq_config_starter(const char *schema, struct sq_buf *out,
                       struct sq_err *err);

/* Appends a JSON schema of the file, indented and with a newline at its end. */
bool sq_config_schema(struct sq_buf *out, struct sq_err *err);

#endif
