/*
 * Combines the configured archive: its roots, its time zone and its activity
 * provider.
 */
#ifndef SQ_ARCHIVE_LIBRARY_H
#define SQ_ARCHIVE_LIBRARY_H

#include <stdatomic.h>

#include "archive/activity/activity.h"
#include "archive/archive.h"
#include "archive/cause.h"
#include "config/config.h"
#include "sys/zone.h"

struct sq_library_cache;
struct sq_excluder;
struct sq_redact_rules;

/*
 * Everything in it lives as long as the library. Only the memory changes, which
 * has its own lock, and reads_text.
 */
struct sq_library {
    const struct sq_config *config;
    struct sq_archive *archive;
    struct sq_zone *zone;
    struct sq_activity_settings activity_settings;
    const struct sq_redact_rules *rules; /* of activities; NULL: none */
    struct sq_excluder *excluder;        /* NULL: nothing is excluded */
    int manictime_root;      /* the root that ManicTime writes; -1: none */
    bool is_configured;      /* false: only the default folder is used */
    bool has_folder;         /* it is configured, or the default one exists */
    const char *save_folder; /* where copies may be saved; NULL: nowhere */
    struct sq_err zone_err;  /* the configured zone is unknown */
    atomic_bool reads_text;  /* this process reads the text of new pictures */
    struct sq_library_cache *cache; /* results of earlier calls */
};

/*
 * Creates a library without opening any root; listings and the health report
 * show missing roots. config must outlive the library.
 */
bool sq_library_create(const struct sq_config *config, struct sq_library **out,
                       struct sq_err *err);

/*
 * Returns whether ManicTime writes the root of that index, or any root for
 * SQ_ARCHIVE_ANY, so that advice can name it.
 */
bool sq_library_is_manictime(const struct sq_library *library, int root);

/* Returns what to do about a problem of a root (or SQ_ARCHIVE_ANY). */
const char *sq_library_remedy(const struct sq_library *library,
                              enum sq_cause cause, int root);

/*
 * Writes the folder that squint records into and reads, unless a folder is
 * configured. Returns false if one is, or the path is not known.
 */
bool sq_library_own_folder(const struct sq_config *config,
                           char out[SQ_PATH_SIZE]);

/*
 * Takes "=permission" from a configured folder as sq_permission_take does.
 * Fails with SQ_ERR_ARGUMENT, too, if there is one and the path is not a
 * folder: it would have no effect.
 */
bool sq_library_take_root(char *path, enum sq_archive_permission *out,
                          struct sq_err *err);

/* The beginning of a line about something that a person should correct. */
#define SQ_WARNING "warning: "

/*
 * Appends a line for each configured folder: what may leave it, by all entries
 * that cover it; and what is excluded. For people only.
 */
bool sq_library_describe(const struct sq_library *library, struct sq_buf *out,
                         struct sq_err *err);

/* Accepts NULL. */
void sq_library_destroy(struct sq_library *library);

/*
 * Returns the activities in a window, without those that are excluded. What the
 * rules of redaction hide in their names is replaced, so that nothing else ever
 * sees it; the name of a hidden app is SQ_REDACTED_APP. Without a provider *out
 * is empty, and *other_err has the reason and a hint. Initialises *out; the
 * caller finishes it. Fails only if out of memory or cancelled.
 */
bool sq_library_activity(const struct sq_library *library,
                         const struct sq_window *window,
                         const struct sq_deadline *deadline,
                         struct sq_segments *out, struct sq_err *other_err,
                         struct sq_err *err);

/*
 * Returns the app of a shot, from the activities of a window around it. If the
 * rules hide apps and the time of the shot is not exact, it is SQ_REDACTED_APP
 * or empty (unknown) if that may be so.
 */
struct sq_span sq_library_app_of(const struct sq_library *library,
                                 const struct sq_segments *segments,
                                 const struct sq_shot *shot);

/*
 * Does the same as sq_library_activity with the titles of the activities. The
 * title of a hidden app is among them: use one only at a time whose activity is
 * not SQ_REDACTED_APP.
 */
bool sq_library_titles(const struct sq_library *library,
                       const struct sq_window *window,
                       const struct sq_deadline *deadline,
                       struct sq_segments *out, struct sq_err *err);

/* Return the state of the activity provider: now, or the last result. */
void sq_library_check_activity(const struct sq_library *library,
                               const struct sq_deadline *deadline,
                               struct sq_activity_health *out);
void sq_library_last_activity(const struct sq_library *library,
                              const struct sq_deadline *deadline,
                              struct sq_activity_health *out);

/* What the last listing could not use: files by fault, folders by root. */
struct sq_library_unusable {
    unsigned files[SQ_ARCHIVE_FAULTS];
    uint32_t folders[SQ_ARCHIVE_MAX_ROOTS];
};
void sq_library_set_unusable(const struct sq_library *library,
                             const struct sq_library_unusable *unusable);
struct sq_library_unusable
sq_library_unusable(const struct sq_library *library);

struct sq_excluder;

/*
 * Compiles the rules. *out is NULL if there are none. The configuration, the
 * settings and the zone must outlive it. Fails with SQ_ERR_ARGUMENT, which
 * names the option, if a rule is invalid: one that is ignored would show too
 * much.
 */
bool sq_excluder_create(const struct sq_config *config,
                        const struct sq_activity_settings *settings,
                        const struct sq_zone *zone, struct sq_excluder **out,
                        struct sq_err *err);

/* Accepts NULL. */
void sq_excluder_destroy(struct sq_excluder *excluder);

/* Returns whether the rules need a source of activities. */
bool sq_excluder_needs_activities(const struct sq_excluder *excluder);

/*
 * Returns whether the record has an excluded activity whose time cannot be
 * read, so that shots before, after or at any time are hidden.
 */
bool sq_excluder_has_undated(struct sq_excluder *excluder,
                             const struct sq_deadline *deadline);

/* Returns whether every activity that was needed so far could be read. */
bool sq_excluder_is_certain(const struct sq_excluder *excluder);

/* Returns in *out whether a rule excludes an activity of that name. */
bool sq_excluder_excludes(const struct sq_excluder *excluder,
                          struct sq_span name, bool *out, struct sq_err *err);

/* For sq_archive_set_hide; the context is a struct sq_excluder. */
sq_archive_hide sq_excluder_hide;

/* One current problem. */
struct sq_archive_finding {
    enum sq_cause cause;
    int root; /* root index, or SQ_ARCHIVE_ANY */
};

/* At most one per root, plus files, key, zone and activity. */
#define SQ_STATE_MAX_FINDINGS (SQ_ARCHIVE_MAX_ROOTS + 4)

/* A plain value: zero it first. */
struct sq_archive_state {
    struct sq_archive_health roots[SQ_ARCHIVE_MAX_ROOTS];
    struct sq_activity_health activity;
    struct sq_archive_finding findings[SQ_STATE_MAX_FINDINGS];
    size_t count;
    bool has_good_root; /* at least one root is usable */
    /* There is a problem. False if nothing was ever configured. */
    bool is_degraded;
};

/* Checks all roots and the activity provider. */
bool sq_state_check(const struct sq_library *library,
                    const struct sq_deadline *deadline,
                    struct sq_archive_state *out, struct sq_err *err);

/*
 * Does the same after a listing, which has already checked most of it: only
 * roots without a shot in the listing are checked. unusable counts its files by
 * fault and is remembered for later checks.
 */
bool sq_state_after(const struct sq_library *library,
                    const struct sq_archive_listing *listing,
                    const unsigned unusable_files[SQ_ARCHIVE_FAULTS],
                    const struct sq_deadline *deadline,
                    struct sq_archive_state *out, struct sq_err *err);

/* Returns the problem of a root, independent of any window. */
enum sq_cause sq_state_cause(const struct sq_archive_health *health);

/* Maps a cause to ManicTime's reason for missing screenshots. */
enum sq_archive_reason sq_state_reason(enum sq_cause cause);

#endif
