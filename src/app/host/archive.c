/* Reports the state of the screenshot archive for resources. */
#include "app/host/private.h"

#include <fcntl.h>
#include <stdio.h>

#include "sys/call.h"
#include "json/writer.h"
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

static void
put_root(struct sq_json_writer *w, const struct sq_library *library,
         size_t index, const struct sq_archive_health *health) {
    const struct sq_archive_root *root =
        sq_archive_root_at(library->archive, index);
    enum sq_cause cause = sq_state_cause(health);
    sq_json_begin_object(w);
    sq_put_untrusted(w, "root", sq_span_of(root->name));
    sq_put_untrusted(w, "path", sq_span_of(root->path));
    sq_put_text(w, "permission", sq_permission_name(health->permission));
    sq_put_text(w, "trouble", sq_archive_trouble_name(health->trouble));
    sq_put_text(w, "reasonCode", sq_cause_name(cause));
    if (cause != SQ_CAUSE_NONE) {
        sq_put_text(w, "message", sq_cause_message(cause));
        sq_put_text(w, "remediationHint",
                    sq_library_remedy(library, cause, (int)index));
    }
    put_day(w, "oldestDay", health->oldest_day);
    put_day(w, "newestDay", health->newest_day);
    sq_put_int(w, "folders", health->folders);
    sq_put_int(w, "screenshotsSeen", (int64_t)health->shots);
    sq_put_int(w, "thumbnailsSeen", (int64_t)health->thumbnails);
    sq_put_int(w, "unparsedNames", (int64_t)health->unparsed);
    sq_put_int(w, "unreadableFolders", health->unreadable);
    if (health->shots > 0) {
        sq_put_text(w, "names", sq_name_strategy_at(health->strategy)->id);
    }
    sq_json_end_object(w);
}

/*
 * Returns the state of the schema, given why the database could not be opened.
 */
static const char *
schema_of(enum sq_cause cause) {
    switch ((int)cause) {
    case SQ_CAUSE_NONE:
    case SQ_CAUSE_NOTHING_RECORDED:
        return "Valid";
    case SQ_CAUSE_DATABASE_LOCKED:
    case SQ_CAUSE_DATABASE_SLOW:
    case SQ_CAUSE_ACTIVITY_FORBIDDEN:
        return "NotChecked";
    default:
        return "Invalid";
    }
}

static void
inspect_database(const struct sq_library *library,
                 const struct sq_deadline *deadline,
                 struct sq_host_database *out) {
    /* Do not wait for a lock on it again. */
    const struct sq_deadline locks = sq_deadline_within(deadline, 0);
    char path[SQ_PATH_SIZE + 32];
    struct stat st;
    struct sq_activity_health health;
    *out = (struct sq_host_database){ .schema = "NotChecked" };
    if (!library->activity_settings.manictime) {
        return;
    }
    snprintf(path, sizeof(path), "%.*s/ManicTimeReports.db", SQ_PATH_SIZE - 1,
             library->activity_settings.manictime);
    out->exists = sq_call_fstatat(AT_FDCWD, path, &st) == 0;
    if (!out->exists) {
        return;
    }
    const struct sq_activity_source source = { .path = path,
                                               .zone = library->zone,
                                               .lock_deadline = &locks };
    sq_activity_check(&sq_activity_manictime, &source, deadline, &health);
    out->bytes = st.st_size;
    out->schema = schema_of(health.cause);
}

bool
sq_host_inspect_archive(const struct sq_library *library,
                        const struct sq_deadline *deadline,
                        struct sq_host_archive *out, struct sq_err *err) {
    if (!sq_state_check(library, deadline, &out->state, err)) {
        return false;
    }
    inspect_database(library, deadline, &out->database);
    return true;
}

/* Writes how far the comparison of pictures in the background is, if it runs.
 */
static void
put_computing(struct sq_json_writer *w, struct sq_archive *archive) {
    struct sq_archive_computing computing = sq_archive_computing(archive);
    if (computing.is_running) {
        sq_json_begin_object_of(w, "comparing");
        sq_put_int(w, "done", (int64_t)computing.done);
        sq_put_int(w, "all", (int64_t)computing.all);
        sq_json_end_object(w);
    }
}

/* Writes one object per finding; code_of returns its code. */
static void
put_issues(struct sq_json_writer *w, const struct sq_library *library,
           const struct sq_archive_state *state,
           const char *(*code_of)(enum sq_cause cause)) {
    sq_json_begin_array_of(w, "issues");
    for (size_t i = 0; i < state->count; i++) {
        const struct sq_archive_finding *finding = &state->findings[i];
        sq_json_begin_object(w);
        sq_put_text(w, "code", code_of(finding->cause));
        sq_put_text(w, "severity", "Warning");
        sq_put_text(w, "message", sq_cause_message(finding->cause));
        sq_put_text(w, "remediation",
                    sq_library_remedy(library, finding->cause, finding->root));
        if (finding->root != SQ_ARCHIVE_ANY) {
            const struct sq_archive_root *root =
                sq_archive_root_at(library->archive, (size_t)finding->root);
            sq_put_untrusted(w, "root", sq_span_of(root->name));
        }
        sq_json_end_object(w);
    }
    sq_json_end_array(w);
}

void
sq_host_put_archive(const struct sq_library *library,
                    const struct sq_host_archive *archive,
                    struct sq_json_writer *w) {
    const struct sq_archive_state *state = &archive->state;
    sq_json_begin_object_of(w, "archive");
    sq_put_bool(w, "degraded", state->count > 0);
    sq_json_begin_array_of(w, "roots");
    for (size_t i = 0; i < sq_archive_root_count(library->archive); i++) {
        put_root(w, library, i, &state->roots[i]);
    }
    sq_json_end_array(w);
    sq_put_text(w, "timeZone", sq_zone_name(library->zone));
    if (library->zone_err.code != SQ_ERR_NONE) {
        sq_put_untrusted(w, "timeZoneProblem",
                         sq_span_of(library->zone_err.message));
    }
    sq_json_begin_object_of(w, "activity");
    if (state->activity.ops) {
        sq_put_text(w, "provider", state->activity.ops->id);
    }
    sq_put_bool(w, "available", state->activity.available);
    if (state->activity.cause != SQ_CAUSE_NONE) {
        sq_put_text(w, "reasonCode", sq_cause_name(state->activity.cause));
    }
    if (!state->activity.available || state->activity.cause != SQ_CAUSE_NONE) {
        sq_put_untrusted(w, "why", sq_span_of(state->activity.problem));
        sq_put_untrusted(w, "whatToDo", sq_span_of(state->activity.hint));
    }
    sq_json_end_object(w);
    put_computing(w, library->archive);
    put_issues(w, library, state, sq_cause_name);
    sq_json_end_object(w);
}

/*
 * Returns the code that the ManicTime server uses for a cause, if it has one.
 */
static const char *
manictime_code(enum sq_cause cause) {
    switch ((int)cause) {
    case SQ_CAUSE_NOT_CONFIGURED:
        return "DataDirectoryUnresolved";
    case SQ_CAUSE_FOLDER_MISSING:
        return "ScreenshotDirectoryAbsent";
    case SQ_CAUSE_NEVER_WRITTEN:
    case SQ_CAUSE_PURGED:
        return "ScreenshotDirectoryEmpty";
    case SQ_CAUSE_NOT_A_FOLDER:
    case SQ_CAUSE_FOLDER_FORBIDDEN:
    case SQ_CAUSE_FOLDER_UNREADABLE:
        return "ScreenshotDirectoryUnreadable";
    case SQ_CAUSE_TABLES_MISSING:
    case SQ_CAUSE_TABLES_COMPUTED:
        return "SchemaValidationFailed";
    case SQ_CAUSE_DATABASE_EMPTY:
    case SQ_CAUSE_DATABASE_FOREIGN:
    case SQ_CAUSE_DATABASE_TRUNCATED:
    case SQ_CAUSE_DATABASE_DAMAGED:
        return "DatabaseIntegrityCheckFailed";
    default:
        return sq_cause_name(cause);
    }
}

/*
 * Returns why there are no screenshots at all, or SQ_CAUSE_NONE if at least one
 * root works.
 */
static enum sq_cause
shots_cause(const struct sq_library *library,
            const struct sq_archive_state *state) {
    size_t count = sq_archive_root_count(library->archive);
    enum sq_cause first = SQ_CAUSE_NOT_CONFIGURED;
    for (size_t i = 0; i < count; i++) {
        enum sq_cause cause = sq_state_cause(&state->roots[i]);
        if (sq_state_reason(cause) == SQ_ARCHIVE_REASON_NONE) {
            return SQ_CAUSE_NONE;
        }
        first = i == 0 && library->is_configured ? cause : first;
    }
    return first;
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
                      const struct sq_host_archive *archive,
                      enum sq_config_source source, struct sq_json_writer *w) {
    const struct sq_archive_state *state = &archive->state;
    enum sq_cause cause = shots_cause(library, state);
    bool is_available = cause == SQ_CAUSE_NONE;
    sq_put_text(w, "status", state->count == 0 ? "Healthy" : "Degraded");
    static const char *const sources[] = {
        [SQ_CONFIG_FROM_NOTHING] = "Unresolved",
        [SQ_CONFIG_FROM_REGISTRY] = "Registry",
        [SQ_CONFIG_FROM_USUAL_PLACE] = "LocalAppData",
        [SQ_CONFIG_FROM_FILE] = "ConfigurationFile",
        [SQ_CONFIG_FROM_ENVIRONMENT] = "EnvironmentVariable",
        [SQ_CONFIG_FROM_FLAGS] = "CommandLine",
    };
    const char *folder = library->activity_settings.manictime;
    if (folder) {
        sq_put_untrusted(w, "dataDirectory", sq_span_of(folder));
    }
    sq_put_text(w, "directorySource",
                sources[folder ? source : SQ_CONFIG_FROM_NOTHING]);
    sq_put_bool(w, "databaseExists", archive->database.exists);
    if (archive->database.exists) {
        sq_put_int(w, "databaseSizeBytes", archive->database.bytes);
    }
    sq_put_text(w, "schemaStatus", archive->database.schema);
    sq_json_begin_object_of(w, "screenshots");
    sq_put_text(w, "status", is_available ? "Available" : "Unavailable");
    sq_put_text(w, "reason", sq_archive_reason_name(sq_state_reason(cause)));
    if (!is_available) {
        sq_put_text(w, "remediationHint",
                    library->is_configured
                        ? sq_library_remedy(library, cause, SQ_ARCHIVE_ANY)
                        : sq_cause_manictime_remedy(cause));
    }
    sq_json_end_object(w);
    sq_put_text(w, "mcpServerVersion", SQ_VERSION);
    sq_json_begin_array_of(w, "capabilities");
    put_capability(w, "screenshots", is_available);
    put_capability(w, "activityTransitions", state->activity.available);
    sq_json_end_array(w);
    put_issues(w, library, state, manictime_code);
}
