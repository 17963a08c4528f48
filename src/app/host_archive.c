/* How the folders of past screenshots are, as resources tell it. */
#include "app/host_archive.h"

#include <string.h>

#include "tools/reply.h"
#include "util/time_text.h"

static void
put_day(struct sq_json_writer *w, const char *key, int32_t day) {
    char text[SQ_TIME_TEXT_SIZE];
    if (day != SQ_ARCHIVE_NO_DAY) {
        sq_date_format(sq_date_from_days(day), text);
        sq_put_text(w, key, text);
    }
}

/* Why a root gives nothing, apart from any window. */
static enum sq_archive_reason
reason_of(const struct sq_archive_health *health) {
    if (health->trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        return health->trouble == SQ_ARCHIVE_TROUBLE_MISSING
                 ? SQ_ARCHIVE_REASON_CAPTURE_DISABLED
                 : SQ_ARCHIVE_REASON_UNKNOWN;
    }
    if (!health->written) {
        return SQ_ARCHIVE_REASON_CAPTURE_DISABLED;
    }
    return health->oldest_day == SQ_ARCHIVE_NO_DAY ? SQ_ARCHIVE_REASON_RETENTION
                                                   : SQ_ARCHIVE_REASON_NONE;
}

static const char *
remedy_of(enum sq_archive_reason reason) {
    switch (reason) {
    case SQ_ARCHIVE_REASON_NONE:
        return NULL;
    case SQ_ARCHIVE_REASON_RETENTION:
    case SQ_ARCHIVE_REASON_CAPTURE_DISABLED:
        return "Review ManicTime's screenshot capture and retention settings, "
               "and the configured folder.";
    case SQ_ARCHIVE_REASON_UNKNOWN:
    default:
        return "Make sure that squint may read the folder.";
    }
}

static void
put_root(struct sq_json_writer *w, const struct sq_archive_root *root,
         const struct sq_archive_health *health) {
    enum sq_archive_reason reason = reason_of(health);
    sq_json_begin_object(w);
    sq_put_untrusted(w, "root", sq_span_of(root->name));
    sq_put_untrusted(w, "path", sq_span_of(root->path));
    sq_put_text(w, "permission", sq_permission_name(root->permission));
    sq_put_text(w, "trouble", sq_archive_trouble_name(health->trouble));
    sq_put_text(w, "reasonCode", sq_archive_reason_name(reason));
    if (remedy_of(reason)) {
        sq_put_text(w, "remediationHint", remedy_of(reason));
    }
    put_day(w, "oldestDay", health->oldest_day);
    put_day(w, "newestDay", health->newest_day);
    sq_put_int(w, "folders", health->folders);
    sq_put_int(w, "screenshotsSeen", (int64_t)health->shots);
    sq_put_int(w, "thumbnailsSeen", (int64_t)health->thumbnails);
    sq_put_int(w, "unparsedNames", (int64_t)health->unparsed);
    sq_put_int(w, "unreadableFolders", health->refused);
    if (health->shots > 0) {
        sq_put_text(w, "names", sq_name_strategy_at(health->strategy)->id);
    }
    sq_json_end_object(w);
}

static void
put_activity(struct sq_json_writer *w,
             const struct sq_activity_health *health) {
    sq_json_put_key(w, "activity");
    sq_json_begin_object(w);
    if (health->ops) {
        sq_put_text(w, "provider", health->ops->id);
    }
    sq_put_bool(w, "available", health->available);
    if (!health->available) {
        sq_put_untrusted(w, "why", sq_span_of(health->why));
        sq_put_untrusted(w, "whatToDo", sq_span_of(health->what));
    }
    sq_json_end_object(w);
}

bool
sq_host_look_at_archive(const struct sq_library *library,
                        const struct sq_deadline *deadline,
                        struct sq_host_archive *out, struct sq_err *err) {
    size_t count = sq_archive_root_count(library->archive);
    for (size_t i = 0; i < count; i++) {
        if (!sq_archive_health(library->archive, i, deadline, &out->roots[i],
                               err)) {
            return false;
        }
        out->is_degraded =
            out->is_degraded
            || (library->is_configured
                && reason_of(&out->roots[i]) != SQ_ARCHIVE_REASON_NONE);
    }
    out->is_degraded =
        out->is_degraded || library->zone_problem.code != SQ_ERR_NONE;
    sq_library_check_activity(library, deadline, &out->activity);
    return true;
}

void
sq_host_put_archive(const struct sq_library *library,
                    const struct sq_host_archive *state,
                    struct sq_json_writer *w) {
    sq_json_put_key(w, "archive");
    sq_json_begin_object(w);
    sq_json_put_key(w, "roots");
    sq_json_begin_array(w);
    for (size_t i = 0; i < sq_archive_root_count(library->archive); i++) {
        put_root(w, sq_archive_root_at(library->archive, i), &state->roots[i]);
    }
    sq_json_end_array(w);
    sq_put_text(w, "timeZone", sq_zone_name(library->zone));
    if (library->zone_problem.code != SQ_ERR_NONE) {
        sq_put_untrusted(w, "timeZoneProblem",
                         sq_span_of(library->zone_problem.message));
    }
    put_activity(w, &state->activity);
    sq_json_end_object(w);
}

/* What is wrong, in the words of ManicTime's own server. */
struct issue {
    const char *code;
    const char *severity;
    const char *message;
    const char *remediation;
};

static const struct issue no_directory = {
    "DataDirectoryUnresolved", "Warning",
    "No folder of screenshots is configured.",
    "Set MANICTIME_DATA_DIR, archive.roots or --archive DIR."
};
static const struct issue absent_directory = {
    "ScreenshotDirectoryAbsent", "Warning",
    "A folder of screenshots is missing.",
    "Review ManicTime screenshot capture and retention settings."
};
static const struct issue empty_directory = {
    "ScreenshotDirectoryEmpty", "Warning", "A folder of screenshots is empty.",
    "Review ManicTime screenshot capture and retention settings."
};
static const struct issue unreadable_directory = {
    "ScreenshotDirectoryUnreadable", "Warning",
    "A folder of screenshots cannot be read.",
    "Make sure that squint may read it."
};

static const struct issue *
issue_of(const struct sq_archive_health *health) {
    if (health->trouble == SQ_ARCHIVE_TROUBLE_MISSING) {
        return &absent_directory;
    }
    if (health->trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        return &unreadable_directory;
    }
    return health->oldest_day == SQ_ARCHIVE_NO_DAY ? &empty_directory : NULL;
}

static void
put_issue(struct sq_json_writer *w, const struct issue *issue) {
    sq_json_begin_object(w);
    sq_put_text(w, "code", issue->code);
    sq_put_text(w, "severity", issue->severity);
    sq_put_text(w, "message", issue->message);
    sq_put_text(w, "remediation", issue->remediation);
    sq_json_end_object(w);
}

static void
put_issues(struct sq_json_writer *w, const struct sq_library *library,
           const struct sq_host_archive *state) {
    size_t count = sq_archive_root_count(library->archive);
    sq_json_put_key(w, "issues");
    sq_json_begin_array(w);
    if (!library->is_configured) {
        put_issue(w, &no_directory);
    }
    for (size_t i = 0; library->is_configured && i < count; i++) {
        const struct issue *issue = issue_of(&state->roots[i]);
        if (issue) {
            put_issue(w, issue);
        }
    }
    sq_json_end_array(w);
}

/* The best that any root has: one that works is enough. */
static enum sq_archive_reason
best_reason(const struct sq_library *library,
            const struct sq_host_archive *state) {
    size_t count = sq_archive_root_count(library->archive);
    enum sq_archive_reason best = count ? reason_of(&state->roots[0])
                                        : SQ_ARCHIVE_REASON_CAPTURE_DISABLED;
    for (size_t i = 1; i < count; i++) {
        enum sq_archive_reason reason = reason_of(&state->roots[i]);
        best = reason < best ? reason : best;
    }
    return best;
}

static void
put_capability(struct sq_json_writer *w, const char *name, bool available) {
    sq_json_begin_object(w);
    sq_put_text(w, "name", name);
    sq_put_bool(w, "available", available);
    sq_put_bool(w, "fallbackActive", !available);
    sq_json_end_object(w);
}

void
sq_host_put_manictime(const struct sq_library *library,
                      const struct sq_host_archive *state,
                      const char *data_directory, struct sq_json_writer *w) {
    enum sq_archive_reason reason = best_reason(library, state);
    bool is_available = reason == SQ_ARCHIVE_REASON_NONE;
    sq_put_text(w, "status",
                is_available && !state->is_degraded ? "Healthy" : "Degraded");
    if (data_directory) {
        sq_put_untrusted(w, "dataDirectory", sq_span_of(data_directory));
    }
    sq_put_text(w, "directorySource",
                data_directory ? "EnvironmentVariable" : "Unresolved");
    sq_json_put_key(w, "screenshots");
    sq_json_begin_object(w);
    sq_put_text(w, "status", is_available ? "Available" : "Unavailable");
    sq_put_text(w, "reason", sq_archive_reason_name(reason));
    if (remedy_of(reason)) {
        sq_put_text(w, "remediationHint", remedy_of(reason));
    }
    sq_json_end_object(w);
    sq_put_text(w, "mcpServerVersion", SQ_VERSION);
    sq_json_put_key(w, "capabilities");
    sq_json_begin_array(w);
    put_capability(w, "screenshots", is_available);
    put_capability(w, "activityTransitions", state->activity.available);
    sq_json_end_array(w);
    put_issues(w, library, state);
}
