/*
 * The configuration as one struct. Later sources override earlier ones:
 * defaults, file, environment, command-line flags. The table in config/option.c
 * defines what each field means and which values it accepts.
 */
#ifndef SQ_CONFIG_CONFIG_H
#define SQ_CONFIG_CONFIG_H

#include "args/optional.h"
#include "sys/path.h"
#include "util/arena.h"

enum sq_receipt {
    SQ_RECEIPT_NONE,
    SQ_RECEIPT_FAST, /* from data that is already known */
    SQ_RECEIPT_FULL, /* with a new capture */
    SQ_RECEIPT_AUTO, /* in words, where their measured cost is small */
};

enum sq_replies {
    SQ_REPLIES_FULL,
    SQ_REPLIES_SHORT, /* tools/short_reply.h */
};

/* The source of the user's activity records. */
enum sq_activity_choice {
    SQ_ACTIVITY_AUTO,
    SQ_ACTIVITY_MANICTIME,
    SQ_ACTIVITY_WATCH, /* ActivityWatch: its database, else its server */
    SQ_ACTIVITY_CSV,
    SQ_ACTIVITY_VISUAL,
    SQ_ACTIVITY_NONE,
};

enum sq_log_level {
    SQ_LOG_ERROR,
    SQ_LOG_WARNING,
    SQ_LOG_INFO,
    SQ_LOG_DEBUG,
};

/* In which pictures password fields are hidden. */
enum sq_redact_passwords {
    SQ_REDACT_FOCUSED, /* also elements while a password may be typed */
    SQ_REDACT_KNOWN,   /* where elements cost nothing, or were just listed */
    SQ_REDACT_ALWAYS,  /* in all: elements are read for every picture */
};

/*
 * The last source that set a value; later ones win. Of ManicTime's folder, the
 * registry of Windows and the usual place are asked if nothing else is set.
 */
enum sq_config_source {
    SQ_CONFIG_FROM_NOTHING,
    SQ_CONFIG_FROM_REGISTRY,
    SQ_CONFIG_FROM_USUAL_PLACE,
    SQ_CONFIG_FROM_FILE,
    SQ_CONFIG_FROM_ENVIRONMENT,
    SQ_CONFIG_FROM_FLAGS,
};

#define SQ_CONFIG_MAX_OPTIONS 80

/* Where the file has a value; both start at 1. */
struct sq_config_place {
    int line; /* 0: the value is not from the file */
    int column;
};

#define SQ_CONFIG_MAX_REPLACED 24

/* A list that a later source replaced. */
struct sq_config_replaced {
    const char *key; /* "archive.roots" */
    struct sq_strings items;
    bool is_by_flag; /* by a flag, not by a variable */
};

/* How a web browser is used. All zero: there is none. */
struct sq_browser_config {
    bool enabled;
    bool visible;
    struct sq_strings allow; /* origins that may be opened; empty: "*" */
    const char *path;        /* NULL: search the usual places */
    const char *window;      /* WIDTHxHEIGHT */
    const char *mobile;      /* WIDTHxHEIGHT@RATIO; NULL: no phone */
    const char *downloads;   /* folder; NULL: they are refused */
    const char *upload;      /* folder of files for pages; NULL: none */
    const char *attach;      /* port or file; NULL: start one */
    const char *profile;     /* name of one that is kept; NULL: none */
};

struct sq_webdriver_config {
    struct sq_strings endpoints; /* [NAME=]URL[ CAPABILITIES] */
    int idle_seconds;            /* without a command, until a session ends */
};

/* Points into the arena that it was loaded with. Immutable after loading. */
struct sq_config {
    struct {
        struct sq_strings visual_mode_packages;
        bool auto_fallback_screenshot;
        struct sq_opt_bool include_base64;
        int max_image_dimension; /* 0: by profile; SQ_ARG_OTHER: by the text */
        int format;              /* enum sq_format */
        bool ocr_enabled;
        const char *ocr_language; /* Tesseract's name of it */
        bool template_matching_enabled;
        int receipt; /* enum sq_receipt */
        int replies; /* enum sq_replies */
        int watch_ms;
    } ui;
    struct {
        int profile; /* index for sq_token_profile_at */
    } model;
    struct {
        bool split;
        bool read_only;
        struct sq_strings open_schemes; /* besides http and https */
        const char *install_from;       /* folder of apps; NULL: disabled */
    } tools;
    struct {
        int max_result_bytes;
        int timeout_ms;
        int drain_ms;
    } limits;
    struct {
        int width;
        int height;
        double density;
        int seed;
        int reaction_ms;
        int pressed_ms;
    } demo;
    struct {
        const char *default_id; /* NULL: the only one */
    } devices;
    struct {
        const char *adb_server; /* NULL: from adb's own variables */
        const char *adb_path;   /* NULL: search the usual places */
        bool start_server;
        int eye;      /* enum sq_eye_use */
        int emulator; /* index in sq_emulator_words */
    } android;
    struct sq_browser_config browser;
    struct sq_webdriver_config webdriver;
    struct {
        const char *directory;
    } output;
    struct {
        struct sq_strings roots;         /* PATH or PATH=permission */
        const char *manictime_directory; /* NULL: none */
        enum sq_config_source manictime_source;
        const char *time_zone;     /* NULL: the system's zone */
        int activity;              /* enum sq_activity_choice */
        const char *activity_path; /* NULL: the usual place */
        const char *activity_watch_url;
        const char *save_directory;       /* NULL: saving is disabled */
        struct sq_strings names;          /* patterns of file names */
        struct sq_strings exclude;        /* days and times of the day */
        struct sq_strings exclude_apps;   /* words of their names */
        struct sq_strings exclude_titles; /* POSIX extended expressions */
        bool index; /* servers read the text of new pictures */
    } archive;
    struct {
        int passwords;              /* enum sq_redact_passwords */
        struct sq_strings presets;  /* of text: cards, emails, keys */
        struct sq_strings patterns; /* of text: POSIX extended expressions */
        struct sq_strings regions;  /* X Y WIDTH HEIGHT in percent */
        struct sq_strings apps;     /* packages or names of activities */
    } redact;
    struct {
        const char *path; /* file or folder; NULL: no journal is kept */
        int max_megabytes;
        int keep_days; /* of those of the inspector; 0: never removed */
    } journal;
    struct {
        struct sq_strings allow; /* NAME=APP or NAME=ORIGIN */
        const char *file;        /* lines NAME=VALUE; NULL: the keyring */
    } secrets;
    struct {
        const char *path; /* NULL: no audit log is kept */
        int max_megabytes;
    } audit;
    struct {
        bool sandbox;
        struct sq_strings allow_devices; /* ids; empty: all */
        struct sq_strings allow_apps;    /* packages; empty: all */
        struct sq_strings allow_read;    /* operations, with readOnly */
        struct sq_strings deny;          /* operations */
        struct sq_strings confirm;  /* operations; NAME=person, NAME=client */
        int max_actions_per_minute; /* 0: any number */
    } security;
    struct {
        int level; /* enum sq_log_level */
    } log;

    const char *file;           /* the file that was loaded; NULL: none */
    bool file_failed;           /* a warning says why it was not loaded */
    struct sq_strings warnings; /* one message per problem */
    const char *redact_problem; /* the first warning about redact; or NULL */
    struct sq_config_place places[SQ_CONFIG_MAX_OPTIONS]; /* by option */
    struct sq_config_replaced replaced[SQ_CONFIG_MAX_REPLACED];
    size_t replaced_count;
};

#define SQ_MAX_ACTIONS_PER_MINUTE 600

#define SQ_CONFIG_MAX_FLAGS 64

struct sq_config_option;

/* The flags of one command line, in order. Start zeroed. */
struct sq_config_flags {
    const char *file; /* value of --config; NULL: not given */
    struct sq_config_flag {
        const struct sq_config_option *option;
        const char *value;
    } given[SQ_CONFIG_MAX_FLAGS];
    int count;
};

/*
 * Parses one configuration flag at the start of argv: "--name=value", "--name
 * value", and for a boolean option also "--name" and "--no-name". *used is the
 * number of words consumed, or 0 if the first word is no configuration flag.
 * Values are checked later, by sq_config_load. argv must outlive the flags.
 */
bool sq_config_take_flag(struct sq_config_flags *flags, int argc,
                         char *const *argv, int *used, struct sq_err *err);

/*
 * Stores the values of flags (may be NULL). Fails with SQ_ERR_ARGUMENT for an
 * invalid one. Part of sq_config_load.
 */
bool sq_config_apply_flags(const struct sq_config_flags *flags,
                           struct sq_arena *arena, struct sq_config *out,
                           struct sq_err *err);

/* One place that can name the file. */
struct sq_config_location {
    const char *named_by; /* "--config", a variable, or "the default" */
    const char *path;     /* NULL: not set */
    bool may_be_missing;
};

/*
 * Returns the places by rank; false after the last. flags may be NULL. A path
 * may point into `path`.
 */
bool sq_config_location_at(size_t index, const struct sq_config_flags *flags,
                           char path[SQ_PATH_SIZE],
                           struct sq_config_location *out);

/* Returns the first place that names a file; its path is NULL if none does. */
struct sq_config_location
sq_config_find_location(const struct sq_config_flags *flags,
                        char path[SQ_PATH_SIZE]);

/* Sets all defaults. Needs no arena. */
void sq_config_defaults(struct sq_config *out);

/*
 * Loads the configuration from the flags (may be NULL), the environment and the
 * file that --config names, or else SQUINT_CONFIG, REPLICANT_CONFIG or, if it
 * exists, squint/config.yaml in the user's configuration folder. A problem in
 * the file or the environment adds a warning and keeps the default. Fails only
 * for an invalid flag (SQ_ERR_ARGUMENT) and without memory. All strings belong
 * to the arena.
 */
bool sq_config_load(const struct sq_config_flags *flags, struct sq_arena *arena,
                    struct sq_config *out, struct sq_err *err);

/*
 * Returns whether an app is in ui.visualModePackages: its element tree is then
 * not read.
 */
bool sq_config_is_visual(const struct sq_config *config, const char *package);

#endif
