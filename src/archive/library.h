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

/*
 * Return the state of the activity provider: check it now, or return the last
 * result.
 */
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

#endif
