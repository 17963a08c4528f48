/* Chooses an activity provider and reads its segments. */
#include "archive/activity/activity.h"

#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "sys/user_dirs.h"

/* A missing server fails at once; a slow one is of no use. */
#define SERVER_TIMEOUT_MS 500

static const struct sq_activity_ops *const providers[] = {
    &sq_activity_manictime, &sq_activity_watch_db, &sq_activity_watch_http,
    &sq_activity_csv,       &sq_activity_visual,
};
#define PROVIDERS (sizeof(providers) / sizeof(providers[0]))

const struct sq_activity_ops *
sq_activity_at(size_t index) {
    return index < PROVIDERS ? providers[index] : NULL;
}

const struct sq_activity_ops *
sq_activity_by_id(struct sq_span id) {
    for (size_t i = 0; i < PROVIDERS; i++) {
        if (sq_span_is(id, providers[i]->id)) {
            return providers[i];
        }
    }
    return NULL;
}

bool
sq_activity_gather(const struct sq_activity_ops *ops,
                   const struct sq_activity_source *source,
                   const struct sq_window *window,
                   const struct sq_deadline *deadline, struct sq_segments *out,
                   struct sq_err *err) {
    void *state = NULL;
    if (!ops->open(source, deadline, &state, err)) {
        return false;
    }
    bool ok = ops->segments(state, window, deadline, out, err);
    ops->close(state);
    if (!ok) {
        sq_segments_finish(out);
        sq_segments_init(out);
        return false;
    }
    sq_segments_settle(out);
    return true;
}

void
sq_activity_check(const struct sq_activity_ops *ops,
                  const struct sq_activity_source *source,
                  const struct sq_deadline *deadline,
                  struct sq_activity_health *out) {
    struct sq_err err = { 0 };
    void *state = NULL;
    *out = (struct sq_activity_health){ .ops = ops };
    out->available = ops->open(source, deadline, &state, &err);
    if (out->available) {
        ops->close(state);
    }
    out->cause = out->available ? SQ_CAUSE_NONE : sq_activity_cause(&err);
    memcpy(out->why, err.message, sizeof(out->why));
    memcpy(out->what, err.hint, sizeof(out->what));
}

enum sq_cause
sq_activity_cause(const struct sq_err *err) {
    switch ((int)err->code) {
    case SQ_ERR_NONE:
    case SQ_ERR_NOMEM:
    case SQ_ERR_CANCELLED:
    case SQ_ERR_EXHAUSTED:
        return SQ_CAUSE_NONE;
    default:
        break;
    }
    if (err->cause != SQ_CAUSE_NONE) {
        return (enum sq_cause)err->cause;
    }
    return err->code == SQ_ERR_NOT_FOUND ? SQ_CAUSE_ACTIVITY_MISSING
                                         : SQ_CAUSE_ACTIVITY_UNREADABLE;
}

/* The state of choosing a provider. */
struct search {
    const struct sq_activity_wish *wish;
    const struct sq_deadline *deadline;
    struct sq_activity_source *source;
    char *place; /* SQ_PATH_SIZE bytes */
    struct sq_err *none;
    struct sq_activity_health named; /* problem of a configured file */
};

/* Returns whether one failure is more informative about a file than another. */
static bool
tells_more(enum sq_cause cause, enum sq_cause than) {
    return than == SQ_CAUSE_NONE || than == SQ_CAUSE_DATABASE_FOREIGN
        || (than == SQ_CAUSE_TABLES_MISSING
            && (cause == SQ_CAUSE_NOTHING_RECORDED
                || cause == SQ_CAUSE_TABLES_COMPUTED));
}

static bool
opens(struct search *search, const struct sq_activity_ops *ops, bool is_named) {
    struct sq_activity_health health;
    struct sq_deadline soon =
        ops == &sq_activity_watch_http
            ? sq_deadline_within(search->deadline, SERVER_TIMEOUT_MS)
            : *search->deadline;
    sq_activity_check(ops, search->source, &soon, &health);
    if (is_named && health.cause != SQ_CAUSE_NONE
        && tells_more(health.cause, search->named.cause)) {
        search->named = health;
    }
    return health.available;
}

/* Joins a folder and a name. Returns false if there is no folder. */
static bool
place_in(struct search *search, const char *folder, const char *name) {
    if (!folder || !folder[0]) {
        return false;
    }
    int len = snprintf(search->place, SQ_PATH_SIZE, "%s/%s", folder, name);
    search->source->path = search->place;
    return (size_t)len < SQ_PATH_SIZE;
}

static bool
place_given(struct search *search) {
    search->source->path = search->wish->path;
    return search->wish->path && search->wish->path[0];
}

static bool
place_manictime(struct search *search) {
    return place_in(search, search->wish->manictime, "ManicTimeReports.db");
}

static bool
place_watch(struct search *search) {
    static const char name[] = "activitywatch/aw-server/peewee-sqlite.v2.db";
    search->source->path = search->place;
    return sq_user_data_path(name, search->place);
}

static bool
place_server(struct search *search) {
    search->source->url = search->wish->url;
    return search->wish->url && search->wish->url[0];
}

static bool
place_nothing(struct search *search) {
    (void)search;
    return true;
}

/* Where each provider is searched, in order, and for which setting. */
static const struct {
    const struct sq_activity_ops *ops;
    bool (*place)(struct search *search);
    enum sq_activity_choice choice;
    bool is_auto;
} places[] = {
    { &sq_activity_manictime, place_given, SQ_ACTIVITY_MANICTIME, true },
    { &sq_activity_watch_db, place_given, SQ_ACTIVITY_WATCH, true },
    { &sq_activity_csv, place_given, SQ_ACTIVITY_CSV, true },
    { &sq_activity_manictime, place_manictime, SQ_ACTIVITY_MANICTIME, true },
    { &sq_activity_watch_db, place_watch, SQ_ACTIVITY_WATCH, true },
    { &sq_activity_watch_http, place_server, SQ_ACTIVITY_WATCH, true },
    { &sq_activity_visual, place_nothing, SQ_ACTIVITY_VISUAL, false },
};
#define PLACES (sizeof(places) / sizeof(places[0]))

/* Returns whether the user configured that place, as opposed to a default. */
static bool
is_configured(size_t place) {
    return places[place].place == place_given
        || places[place].place == place_manictime;
}

/*
 * Returns the first provider that opens. If a file is configured, only that
 * file is tried.
 */
static const struct sq_activity_ops *
look_around(struct search *search) {
    bool is_named = search->wish->path && search->wish->path[0];
    for (size_t i = 0; i < PLACES; i++) {
        bool counts =
            places[i].is_auto && (!is_named || places[i].place == place_given);
        if (counts && places[i].place(search)
            && opens(search, places[i].ops, is_configured(i))) {
            if (is_configured(i)) {
                search->named = (struct sq_activity_health){ 0 };
            }
            return places[i].ops;
        }
    }
    return NULL;
}

/*
 * Returns the first source of the configured provider that opens, or the last
 * one if none does.
 */
static const struct sq_activity_ops *
look_for(struct search *search, enum sq_activity_choice choice) {
    const struct sq_activity_ops *last = NULL;
    for (size_t i = 0; i < PLACES; i++) {
        if (places[i].choice == choice && places[i].place(search)) {
            last = places[i].ops;
            /* Visual has nothing to open yet. */
            if (choice == SQ_ACTIVITY_VISUAL || opens(search, last, false)
                || places[i].place == place_given) {
                break;
            }
        }
    }
    return last;
}

static void
explain_none(struct search *search, enum sq_activity_choice choice) {
    if (search->named.cause != SQ_CAUSE_NONE) {
        sq_fail(search->none, SQ_ERR_NOT_FOUND, "%s", search->named.why);
        sq_fail_hint(search->none, "%s", search->named.what);
        sq_fail_cause(search->none, (int)search->named.cause);
        if (search->wish->path && search->wish->path[0]) {
            sq_fail_in(search->none, "archive.activityPath");
        }
    } else if (choice == SQ_ACTIVITY_NONE) {
        sq_fail(search->none, SQ_ERR_NOT_FOUND, "activities are switched off");
        sq_fail_hint(search->none, "set archive.activity to auto");
    } else if (search->wish->path && search->wish->path[0]) {
        sq_fail(search->none, SQ_ERR_NOT_FOUND,
                "nothing in archive.activityPath can be read as activities");
        sq_fail_hint(search->none,
                     "name a ManicTime or ActivityWatch database, or a CSV "
                     "table with start,end,label");
    } else {
        sq_fail(search->none, SQ_ERR_NOT_FOUND,
                "no record of activities was found");
        sq_fail_hint(search->none,
                     "set archive.activityPath or MANICTIME_DATA_DIR, or start "
                     "ActivityWatch");
    }
}

void
sq_activity_choose(const struct sq_activity_wish *wish,
                   const struct sq_deadline *deadline,
                   const struct sq_activity_ops **ops,
                   struct sq_activity_source *source, char place[SQ_PATH_SIZE],
                   struct sq_err *none) {
    struct search search = { .wish = wish,
                             .deadline = deadline,
                             .source = source,
                             .place = place,
                             .none = none };
    enum sq_activity_choice choice = (enum sq_activity_choice)wish->provider;
    *ops = NULL;
    if (choice == SQ_ACTIVITY_AUTO) {
        *ops = look_around(&search);
    } else if (choice != SQ_ACTIVITY_NONE) {
        *ops = look_for(&search, choice);
    }
    if (!*ops || search.named.cause != SQ_CAUSE_NONE) {
        explain_none(&search, choice);
    }
}
