/*
 * Defines the interface of activity providers: sources such as ManicTime that
 * record which app was used when. Each has one ops struct and returns time
 * segments.
 */
#ifndef SQ_ARCHIVE_ACTIVITY_ACTIVITY_H
#define SQ_ARCHIVE_ACTIVITY_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>

#include "archive/activity/segments.h"
#include "archive/cause.h"
#include "archive/shot.h"
#include "archive/store/fingerprint.h"
#include "archive/window.h"
#include "sys/deadline.h"
#include "sys/path.h"
#include "sys/zone.h"
#include "util/err.h"

enum sq_granularity {
    SQ_BY_APP,
    /* Without a substitute: the label is empty if the name is not known. */
    SQ_ONLY_APP,
    SQ_ONLY_TITLE,
};

struct sq_period_cache;

/* Where providers read from. */
struct sq_activity_source {
    const char *path;                        /* of a database or CSV file */
    const char *url;                         /* of ActivityWatch */
    const struct sq_zone *zone;              /* for times without an offset */
    const struct sq_deadline *lock_deadline; /* how long to wait for a database
                                        lock; NULL: until the deadline */
    enum sq_granularity granularity;
    struct sq_period_cache *cache; /* for sq_period_cache_gather */
};

/* One constant row per provider. */
struct sq_activity_ops {
    const char *id;    /* "manictime" */
    const char *title; /* "ManicTime" */
    bool is_file;      /* all it reads is in source->path */
    /*
     * Adds every segment that overlaps the window, in any order. Without a
     * window only checks that the provider can be used.
     */
    bool (*read)(const struct sq_activity_source *source,
                 const struct sq_window *window,
                 const struct sq_deadline *deadline, struct sq_segments *out,
                 struct sq_err *err);
};

extern const struct sq_activity_ops sq_activity_manictime;
extern const struct sq_activity_ops sq_activity_watch_db;
extern const struct sq_activity_ops sq_activity_watch_http;
extern const struct sq_activity_ops sq_activity_csv;
extern const struct sq_activity_ops sq_activity_visual;

/*
 * Adds "scene 1", "scene 2" and so on for the shots of one monitor, which have
 * these fingerprints: a lasting change of the picture starts a new one.
 */
bool sq_scenes_find(const struct sq_shots *shots,
                    const struct sq_image_fingerprint *fingerprints,
                    struct sq_segments *out, struct sq_err *err);

/*
 * Reads the segments of the window into *out, and sorts and merges them (see
 * sq_segments_merge). *out must be empty; it is empty after a failure.
 */
bool sq_activity_gather(const struct sq_activity_ops *ops,
                        const struct sq_activity_source *source,
                        const struct sq_window *window,
                        const struct sq_deadline *deadline,
                        struct sq_segments *out, struct sq_err *err);

/*
 * What was read from a source, by windows of time. It is valid until the
 * source's file changes. A server, and a large file for times before it was
 * read, is asked again after SQ_PERIODS_VALID_NS: trackers write all the time.
 */
#define SQ_PERIODS_VALID_NS INT64_C(5000000000)
bool sq_period_cache_create(void (*free_periods)(void *periods),
                            struct sq_period_cache **out, struct sq_err *err);
void sq_period_cache_destroy(struct sq_period_cache *cache); /* accepts NULL */

/*
 * For one thread at a time: whether what is remembered of the time until to_utc
 * is valid; forget it, before a source is read; find what was read of a window,
 * or of a larger one; and remember what was read, which the cache frees.
 */
bool sq_period_cache_is_valid(const struct sq_period_cache *cache,
                              int64_t to_utc);
void sq_period_cache_restart(struct sq_period_cache *cache,
                             const struct sq_activity_ops *ops,
                             const struct sq_activity_source *source);
bool sq_period_cache_is_empty(const struct sq_period_cache *cache);
void *sq_period_cache_find(struct sq_period_cache *cache,
                           enum sq_granularity granularity,
                           const struct sq_window *window);
void sq_period_cache_keep(struct sq_period_cache *cache,
                          enum sq_granularity granularity,
                          const struct sq_window *window, void *periods);

/*
 * Gathers as sq_activity_gather, but remembers whole days in source->cache,
 * which was created with sq_period_cache_free_segments; not those of a file
 * that has just changed. out->filter must be the same in all calls.
 * Thread-safe.
 */
bool sq_period_cache_gather(const struct sq_activity_ops *ops,
                            const struct sq_activity_source *source,
                            const struct sq_window *window,
                            const struct sq_deadline *deadline,
                            struct sq_segments *out, struct sq_err *err);
void sq_period_cache_free_segments(void *periods);

/* The state of a provider. */
struct sq_activity_health {
    const struct sq_activity_ops *ops; /* NULL: no provider was chosen */
    bool available;
    enum sq_cause cause;               /* problem with the configured provider,
                                          even if another one is used */
    char problem[SQ_ERR_MESSAGE_SIZE]; /* why it is unavailable */
    char hint[SQ_ERR_HINT_SIZE];       /* how to fix it */
};

void sq_activity_check(const struct sq_activity_ops *ops,
                       const struct sq_activity_source *source,
                       const struct sq_deadline *deadline,
                       struct sq_activity_health *out);

/*
 * Maps a failure to open or read a provider to a cause. Returns SQ_CAUSE_NONE
 * if the failure is our own, such as lack of memory.
 */
enum sq_cause sq_activity_cause(const struct sq_err *err);

/*
 * Checks that the path is a regular file. A pipe could block us, and "-" is our
 * standard input. Fails with SQ_ERR_NOT_FOUND or SQ_ERR_FORMAT.
 */
bool sq_plain_file_check(const char *path, struct sq_err *err);

/* The activity settings of the configuration; texts may be NULL. */
struct sq_activity_settings {
    int provider;          /* enum sq_activity_choice of config/config.h */
    const char *path;      /* archive.activityPath */
    const char *url;       /* archive.activityWatchUrl */
    const char *manictime; /* archive.manicTimeDirectory */
};

/*
 * Chooses a provider and the source it reads. AUTO takes the first one found:
 * the file at activityPath (by its contents), ManicTimeReports.db, the database
 * of ActivityWatch, its server. If none is found or wanted, *ops is NULL and
 * *choose_err has the reason and a hint. If a configured file cannot be used,
 * *choose_err has the reason and the cause, even if another provider was found.
 * `path_buffer` receives the chosen path; source->path and source->url point
 * into it or into the settings.
 */
void sq_activity_choose(const struct sq_activity_settings *settings,
                        const struct sq_deadline *deadline,
                        const struct sq_activity_ops **ops,
                        struct sq_activity_source *source,
                        char path_buffer[SQ_PATH_SIZE],
                        struct sq_err *choose_err);

#endif
