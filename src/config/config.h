/*
 * How squint behaves, as one plain value: the defaults, then the file, then
 * the environment, then the flags of the command line. What each field means
 * and may be stands once, in the table of config/option.c.
 */
#ifndef SQ_CONFIG_CONFIG_H
#define SQ_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "util/arena.h"
#include "util/err.h"

enum sq_tri {
    SQ_TRI_UNSET,
    SQ_TRI_FALSE,
    SQ_TRI_TRUE,
};

enum sq_receipt {
    SQ_RECEIPT_NONE,
    SQ_RECEIPT_FAST, /* from what is known already */
    SQ_RECEIPT_FULL, /* with a fresh look */
};

/* Who is asked what was done when. */
enum sq_activity_choice {
    SQ_ACTIVITY_AUTO,
    SQ_ACTIVITY_MANICTIME,
    SQ_ACTIVITY_WATCH, /* its database, or else its server */
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

/* Where a value was set last; later ones win. */
enum sq_config_source {
    SQ_CONFIG_FROM_NOTHING,
    SQ_CONFIG_FROM_FILE,
    SQ_CONFIG_FROM_ENVIRONMENT,
    SQ_CONFIG_FROM_FLAGS,
};

/* Texts owned by the arena the config was loaded with. */
struct sq_config_list {
    const char *const *items;
    size_t count;
};

/* Points into the arena it was loaded with, and is never changed after. */
struct sq_config {
    struct {
        struct sq_config_list visual_mode_packages;
        bool auto_fallback_screenshot;
        enum sq_tri include_base64;
        int max_image_dimension;
        bool ocr_enabled;
        bool template_matching_enabled;
        int receipt; /* enum sq_receipt */
    } ui;
    struct {
        int profile; /* for sq_token_profile_at */
    } model;
    struct {
        bool split;
        bool read_only;
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
    } demo;
    struct {
        const char *adb_server; /* NULL: as adb's variables say */
        const char *adb_path;   /* NULL: where adb is usually found */
        bool start_server;
    } android;
    struct {
        const char *directory;
    } output;
    struct {
        struct sq_config_list roots;     /* PATH or PATH=permission */
        const char *manictime_directory; /* NULL: none */
        enum sq_config_source manictime_source;
        const char *time_zone;     /* NULL: the system's */
        int activity;              /* enum sq_activity_choice */
        const char *activity_path; /* NULL: where it usually lies */
        const char *activity_watch_url;
        const char *save_directory; /* NULL: saving is not offered */
    } archive;
    struct {
        int level; /* enum sq_log_level */
    } log;

    const char *file;               /* the one that counts; NULL: none */
    struct sq_config_list warnings; /* what was wrong, one text each */
};

#define SQ_CONFIG_MAX_FLAGS 64

struct sq_config_option;

/* The flags of one command line, in their order. A value: zero it. */
struct sq_config_flags {
    const char *file; /* of --config; NULL: not given */
    struct sq_config_flag {
        const struct sq_config_option *option;
        const char *value;
    } given[SQ_CONFIG_MAX_FLAGS];
    int count;
};

/*
 * Take one of our flags off the front of argv: "--name=value", "--name value",
 * for a yes-or-no option also "--name" and "--no-name". *used is how many
 * words that were; 0 if the first is not one of ours. Values are only looked
 * at by sq_config_load; the words must outlive the flags.
 */
bool sq_config_take_flag(struct sq_config_flags *flags, int argc,
                         char *const *argv, int *used, struct sq_err *err);

/* What holds when nobody says anything. Needs no arena. */
void sq_config_defaults(struct sq_config *out);

/*
 * Gather everything: flags (may be NULL), environment, and the file that
 * --config names, or else SQUINT_CONFIG, REPLICANT_CONFIG or, if it exists,
 * squint/config.yaml in the user's configuration folder. What is wrong with
 * the file or the environment becomes a warning and leaves the default; only
 * a wrong flag (SQ_ERR_ARGUMENT) and lack of memory are failures. All texts
 * are the arena's.
 */
bool sq_config_load(const struct sq_config_flags *flags, struct sq_arena *arena,
                    struct sq_config *out, struct sq_err *err);

/* Whether the tree of an app is to be left alone. */
bool sq_config_is_visual(const struct sq_config *config, const char *package);

#endif
