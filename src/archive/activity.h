/*
 * Who knows what was done when: one ops struct per provider, all of them
 * streaming stretches of activity.
 */
#ifndef SQ_ARCHIVE_ACTIVITY_H
#define SQ_ARCHIVE_ACTIVITY_H

#include <stdbool.h>
#include <stddef.h>

#include "archive/cause.h"
#include "archive/fingerprint.h"
#include "archive/segments.h"
#include "archive/window.h"
#include "sys/deadline.h"
#include "sys/path.h"
#include "sys/zone.h"
#include "util/err.h"

enum sq_granularity {
    SQ_BY_APP,
    SQ_BY_TITLE, /* also when only the window's title changes */
};

/* Where providers look. Everything must outlive what is opened with it. */
struct sq_activity_source {
    const char *path;                /* of a database or table of activities */
    const char *url;                 /* of ActivityWatch */
    const struct sq_zone *zone;      /* of times without an offset */
    const struct sq_deadline *locks; /* until when to wait for a program that
                                        has locked it; NULL: the deadline */
    enum sq_granularity granularity;
    struct sq_shots shots;               /* for visual: the window's */
    const struct sq_shot_reader *reader; /* for visual */
};

/* One row per provider; constant. An open provider is for one thread. */
struct sq_activity_ops {
    const char *id;    /* "manictime" */
    const char *title; /* "ManicTime" */
    /* Find out whether it can be asked; *state is for close. */
    bool (*open)(const struct sq_activity_source *source,
                 const struct sq_deadline *deadline, void **state,
                 struct sq_err *err);
    /* Add every stretch that touches the window, in any order. */
    bool (*segments)(void *state, const struct sq_window *window,
                     const struct sq_deadline *deadline,
                     struct sq_segments *out, struct sq_err *err);
    void (*close)(void *state);
};

extern const struct sq_activity_ops sq_activity_manictime;
extern const struct sq_activity_ops sq_activity_watch_db;
extern const struct sq_activity_ops sq_activity_watch_http;
extern const struct sq_activity_ops sq_activity_csv;
extern const struct sq_activity_ops sq_activity_visual;

/* The providers in their order; NULL behind the last. */
const struct sq_activity_ops *sq_activity_at(size_t index);

/* The provider of that id, or NULL. */
const struct sq_activity_ops *sq_activity_by_id(struct sq_span id);

/*
 * Open, gather the stretches of the window into *out, settled, and close. *out
 * must be empty before; on failure it is.
 */
bool sq_activity_gather(const struct sq_activity_ops *ops,
                        const struct sq_activity_source *source,
                        const struct sq_window *window,
                        const struct sq_deadline *deadline,
                        struct sq_segments *out, struct sq_err *err);

/* How a provider is. */
struct sq_activity_health {
    const struct sq_activity_ops *ops; /* NULL: none was chosen */
    bool available;
    enum sq_cause cause;           /* what is wrong with what is configured,
                                      also if another provider stands in */
    char why[SQ_ERR_MESSAGE_SIZE]; /* why not */
    char what[SQ_ERR_HINT_SIZE];   /* to do about it */
};

/* Find out by opening it. */
void sq_activity_check(const struct sq_activity_ops *ops,
                       const struct sq_activity_source *source,
                       const struct sq_deadline *deadline,
                       struct sq_activity_health *out);

/* What a failure to open or read a provider means; NONE if it is ours. */
enum sq_cause sq_activity_cause(const struct sq_err *err);

/* What the configuration says about activity; texts may be NULL. */
struct sq_activity_wish {
    int provider;          /* enum sq_activity_choice of config/config.h */
    const char *path;      /* archive.activityPath */
    const char *url;       /* archive.activityWatchUrl */
    const char *manictime; /* archive.manicTimeDirectory */
    const char *home;      /* where a user's data lies: XDG_DATA_HOME */
};

/*
 * Choose a provider and the place it reads. AUTO takes the first that is
 * there: the file of activityPath by what it holds, ManicTimeReports.db,
 * ActivityWatch's database, its server. *ops is NULL, and why and hint are in
 * *none, if there is none or none is wanted. Where a file that is configured
 * cannot be used, *none has that and its cause, also if another provider was
 * found. place holds the path chosen;
 * source->path and url point there or into the wish.
 */
void sq_activity_choose(const struct sq_activity_wish *wish,
                        const struct sq_deadline *deadline,
                        const struct sq_activity_ops **ops,
                        struct sq_activity_source *source,
                        char place[SQ_PATH_SIZE], struct sq_err *none);

#endif
