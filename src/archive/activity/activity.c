/* Chooses an activity provider and reads its segments. */
#include "archive/activity/activity.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "sys/call.h"
#include "sys/file.h"
#include "sys/path.h"

/* A missing server fails immediately; a slow one is of no use. */
#define SERVER_TIMEOUT_MS 500

bool
sq_activity_gather(const struct sq_activity_ops *ops,
                   const struct sq_activity_source *source,
                   const struct sq_window *window,
                   const struct sq_deadline *deadline, struct sq_segments *out,
                   struct sq_err *err) {
    if (!ops->read(source, window, deadline, out, err)) {
        sq_segments_finish(out);
        sq_segments_init(out);
        return false;
    }
    sq_segments_merge(out);
    return true;
}

void
sq_activity_check(const struct sq_activity_ops *ops,
                  const struct sq_activity_source *source,
                  const struct sq_deadline *deadline,
                  struct sq_activity_health *out) {
    struct sq_err err = { 0 };
    *out = (struct sq_activity_health){ .ops = ops };
    out->available = ops->read(source, NULL, deadline, NULL, &err);
    out->cause = out->available ? SQ_CAUSE_NONE : sq_activity_cause(&err);
    memcpy(out->problem, err.message, sizeof(out->problem));
    memcpy(out->hint, err.hint, sizeof(out->hint));
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

bool
sq_plain_file_check(const char *path, struct sq_err *err) {
    struct stat st;
    bool is_stream = strcmp(path, "-") == 0;
    if (!is_stream && sq_call_fstatat(AT_FDCWD, path, &st) < 0) {
        int number = errno;
        sq_file_fail(path, false, number, err);
        return sq_fail_cause(err, number == ENOENT || number == ENOTDIR
                                      ? SQ_CAUSE_ACTIVITY_MISSING
                                      : SQ_CAUSE_ACTIVITY_FORBIDDEN);
    }
    if (is_stream || !S_ISREG(st.st_mode)) {
        char name[SQ_FILE_NAME_SIZE];
        sq_file_name(path, false, name);
        sq_fail(err, SQ_ERR_FORMAT, "%s is not a file", name);
        sq_fail_hint(err, "Name a file that contains activities.");
        return sq_fail_cause(err, SQ_CAUSE_ACTIVITY_UNREADABLE);
    }
    return true;
}

/* The state of choosing a provider. */
struct search {
    const struct sq_activity_settings *settings;
    const struct sq_deadline *deadline;
    struct sq_activity_source *source;
    char *path_buffer;                     /* SQ_PATH_SIZE bytes */
    struct sq_activity_health file_health; /* problem of a configured file */
};

/* Returns whether one failure is more informative about a file than another. */
static bool
is_more_specific(enum sq_cause cause, enum sq_cause known) {
    return known == SQ_CAUSE_NONE || known == SQ_CAUSE_DATABASE_FOREIGN
        || (known == SQ_CAUSE_TABLES_MISSING
            && (cause == SQ_CAUSE_NOTHING_RECORDED
                || cause == SQ_CAUSE_TABLES_COMPUTED));
}

static bool
can_open(struct search *search, const struct sq_activity_ops *ops,
         bool is_named) {
    struct sq_activity_health health;
    struct sq_deadline limited =
        ops == &sq_activity_watch_http
            ? sq_deadline_within(search->deadline, SERVER_TIMEOUT_MS)
            : *search->deadline;
    sq_activity_check(ops, search->source, &limited, &health);
    if (is_named && health.cause != SQ_CAUSE_NONE
        && is_more_specific(health.cause, search->file_health.cause)) {
        search->file_health = health;
    }
    return health.available;
}

static bool
has_path(const struct search *search) {
    return search->settings->path && search->settings->path[0];
}

static bool
path_configured(struct search *search) {
    search->source->path = search->settings->path;
    return has_path(search);
}

static bool
path_manictime(struct search *search) {
    const char *folder = search->settings->manictime;
    search->source->path = search->path_buffer;
    return folder && folder[0]
        && snprintf(search->path_buffer, SQ_PATH_SIZE, "%s/ManicTimeReports.db",
                    folder)
               < SQ_PATH_SIZE;
}

static bool
path_watch(struct search *search) {
    static const char name[] = "activitywatch/aw-server/peewee-sqlite.v2.db";
    search->source->path = search->path_buffer;
    return sq_user_path(SQ_USER_DATA, name, search->path_buffer);
}

static bool
url_server(struct search *search) {
    search->source->url = search->settings->url;
    return search->settings->url && search->settings->url[0];
}

static bool
path_none(struct search *search) {
    (void)search;
    return true;
}

/* Where each provider is searched, in order, and for which setting. */
static const struct {
    const struct sq_activity_ops *ops;
    bool (*locate)(struct search *search);
    enum sq_activity_choice choice;
    bool is_auto;
} candidates[] = {
    { &sq_activity_manictime, path_configured, SQ_ACTIVITY_MANICTIME, true },
    { &sq_activity_watch_db, path_configured, SQ_ACTIVITY_WATCH, true },
    { &sq_activity_csv, path_configured, SQ_ACTIVITY_CSV, true },
    { &sq_activity_manictime, path_manictime, SQ_ACTIVITY_MANICTIME, true },
    { &sq_activity_watch_db, path_watch, SQ_ACTIVITY_WATCH, true },
    { &sq_activity_watch_http, url_server, SQ_ACTIVITY_WATCH, true },
    { &sq_activity_visual, path_none, SQ_ACTIVITY_VISUAL, false },
};
#define CANDIDATES (SQ_COUNT(candidates))

/* Returns whether the user configured that place, as opposed to a default. */
static bool
is_configured(size_t index) {
    return candidates[index].locate == path_configured
        || candidates[index].locate == path_manictime;
}

/* Returns the first provider that opens; a configured file is the only try. */
static const struct sq_activity_ops *
find_any(struct search *search) {
    bool is_named = has_path(search);
    for (size_t i = 0; i < CANDIDATES; i++) {
        bool is_tried = candidates[i].is_auto
                     && (!is_named || candidates[i].locate == path_configured);
        if (is_tried && candidates[i].locate(search)
            && can_open(search, candidates[i].ops, is_configured(i))) {
            if (is_configured(i)) {
                search->file_health = (struct sq_activity_health){ 0 };
            }
            return candidates[i].ops;
        }
    }
    return NULL;
}

/* Returns the provider's first source that opens, or else its last one. */
static const struct sq_activity_ops *
find_configured(struct search *search, enum sq_activity_choice choice) {
    const struct sq_activity_ops *found = NULL;
    for (size_t i = 0; i < CANDIDATES; i++) {
        if (candidates[i].choice == choice && candidates[i].locate(search)) {
            found = candidates[i].ops;
            /* Visual has nothing to open yet. */
            if (choice == SQ_ACTIVITY_VISUAL || can_open(search, found, false)
                || candidates[i].locate == path_configured) {
                break;
            }
        }
    }
    return found;
}

static void
explain_none(const struct search *search, enum sq_activity_choice choice,
             struct sq_err *err) {
    if (search->file_health.cause != SQ_CAUSE_NONE) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "%s", search->file_health.problem);
        sq_fail_hint(err, "%s", search->file_health.hint);
        sq_fail_cause(err, (int)search->file_health.cause);
        if (has_path(search)) {
            sq_fail_in(err, "archive.activityPath");
        }
    } else if (choice == SQ_ACTIVITY_NONE) {
        sq_fail(err, SQ_ERR_NOT_FOUND, "activities are switched off");
        sq_fail_hint(err, "Set archive.activity to auto.");
    } else if (has_path(search)) {
        sq_fail(
            err, SQ_ERR_NOT_FOUND,
            "archive.activityPath does not name a known record of activities");
        sq_fail_hint(err, "Set it to a ManicTime or ActivityWatch database, or "
                          "a CSV file with start,end,label.");
    } else {
        sq_fail(err, SQ_ERR_NOT_FOUND, "no record of activities was found");
        sq_fail_hint(err, "Set archive.activityPath, or start ActivityWatch; "
                          "for ManicTime set MANICTIME_DATA_DIR.");
    }
}

void
sq_activity_choose(const struct sq_activity_settings *settings,
                   const struct sq_deadline *deadline,
                   const struct sq_activity_ops **ops,
                   struct sq_activity_source *source,
                   char path_buffer[SQ_PATH_SIZE], struct sq_err *choose_err) {
    struct search search = { .settings = settings,
                             .deadline = deadline,
                             .source = source,
                             .path_buffer = path_buffer };
    enum sq_activity_choice choice =
        (enum sq_activity_choice)settings->provider;
    *ops = NULL;
    if (choice == SQ_ACTIVITY_AUTO) {
        *ops = find_any(&search);
    } else if (choice != SQ_ACTIVITY_NONE) {
        *ops = find_configured(&search, choice);
    }
    if (!*ops || search.file_health.cause != SQ_CAUSE_NONE) {
        explain_none(&search, choice, choose_err);
    }
}
