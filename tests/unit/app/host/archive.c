/* The health of the archive, in squint's resource and in ManicTime's. */
#include "app/host/private.h"

#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive_private.h"
#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/mem.h"

#define DAY "2026-01-15"

static struct sq_host_archive state;

static const struct past_shot plain = { .time = DAY "_10-30-45",
                                        .width = 64,
                                        .height = 40 };

enum health_resource { SQUINT_HEALTH, MANICTIME_HEALTH };

/* Writes the state as JSON to world.json, where past_text finds it. */
static bool
put(const struct sq_library *library, enum health_resource resource,
    enum sq_config_source source, struct sq_err *err) {
    struct sq_json_writer w;
    T_BUF(out, sizeof(world.json) - 1);
    sq_json_writer_init(&w, &out);
    sq_json_begin_object(&w);
    if (resource == SQUINT_HEALTH) {
        sq_host_put_archive(library, &state, &w);
    } else {
        sq_host_put_manictime(library, &state, source, &w);
    }
    sq_json_end_object(&w);
    bool ok = sq_json_writer_done(&w, err);
    if (ok) {
        snprintf(world.json, sizeof(world.json), "%.*s", (int)out.len,
                 (const char *)out.data);
    }
    return ok;
}

static bool
inspect(const struct sq_library *library, enum health_resource resource,
        enum sq_config_source source, struct sq_err *err) {
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    state = (struct sq_host_archive){ 0 };
    world.json[0] = '\0';
    return sq_host_inspect_archive(library, &deadline, &state, err)
        && put(library, resource, source, err);
}

static void
inspect_and_put(enum health_resource resource) {
    T_OK(inspect(world.past, resource, SQ_CONFIG_FROM_NOTHING, &t_err));
}

T_FIXTURE(past_start, past_end);

T_CASE(readable_folder_is_healthy) {
    past_add_root("a");
    past_put_series(&plain, 3, 60);
    past_put_picture("a/" DAY "/holiday.jpg", 32, 32, 0);
    past_open();
    inspect_and_put(SQUINT_HEALTH);
    T(!state.state.is_degraded);
    T_STR(past_text("archive.roots.0.root"), "a");
    T_STR(past_text("archive.roots.0.permission"), "full");
    T_STR(past_text("archive.roots.0.trouble"), "none");
    T_STR(past_text("archive.roots.0.reasonCode"), "None");
    T(!past_has("archive.roots.0.remediationHint"));
    T_STR(past_text("archive.roots.0.oldestDay"), DAY);
    T_STR(past_text("archive.roots.0.newestDay"), DAY);
    T_INT(past_number("archive.roots.0.screenshotsSeen"), 3);
    T_INT(past_number("archive.roots.0.thumbnailsSeen"), 3);
    T_INT(past_number("archive.roots.0.unparsedNames"), 1);
    T_STR(past_text("archive.roots.0.names"), "manictime");
    T_STR(past_text("archive.timeZone"), PAST_ZONE);
    T(!past_true("archive.activity.available"));
    T(past_text("archive.activity.why")[0] != '\0');
    inspect_and_put(MANICTIME_HEALTH);
    T_STR(past_text("status"), "Healthy");
    T_STR(past_text("directorySource"), "Unresolved");
    T_STR(past_text("screenshots.status"), "Available");
    T_STR(past_text("screenshots.reason"), "None");
    T(!past_has("screenshots.remediationHint"));
    T_STR(past_text("mcpServerVersion"), SQ_VERSION);
    T_STR(past_text("capabilities.0.name"), "screenshots");
    T(past_true("capabilities.0.available"));
    T(past_true("capabilities.1.fallbackActive"));
    T_INT(past_count("issues"), 0);
}

/* Waits until the job has compared that many pictures, or has ended. */
static void
wait_for_background(size_t done) {
    struct sq_archive_computing computing;
    for (int waited_ms = 0; T(waited_ms < T_PATIENCE_MS); waited_ms++) {
        computing = sq_archive_computing(world.past->archive);
        if (!computing.is_running || computing.done >= done) {
            break;
        }
        usleep(1000);
    }
}

T_CASE(progress_in_the_background_is_shown) {
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    past_add_root("a");
    past_add_root("b");
    past_open();
    inspect_and_put(SQUINT_HEALTH);
    T(!past_has("archive.comparing"));

    /* The second root is locked: the job waits there. */
    struct sq_archive *archive = world.past->archive;
    struct sq_background_item *items = sq_mem_zalloc(3, sizeof(*items));
    T(items != NULL);
    for (size_t i = 0; items && i < 3; i++) {
        items[i].pick.root = i > 0;
        items[i].state.key = i + 1;
    }
    T_OK(sq_root_lock(&archive->roots[1], &deadline, &t_err));
    sq_background_start(archive->background, items, 3);
    wait_for_background(1);
    T_OK(put(world.past, SQUINT_HEALTH, SQ_CONFIG_FROM_NOTHING, &t_err));
    T_INT(past_number("archive.comparing.done"), 1);
    T_INT(past_number("archive.comparing.all"), 3);
    sq_root_unlock(&archive->roots[1]);

    wait_for_background(SIZE_MAX);
    inspect_and_put(SQUINT_HEALTH);
    T(!past_has("archive.comparing"));
}

T_CASE(data_folder_is_reported) {
    static char folder[600];
    snprintf(folder, sizeof(folder), "%s=labels", t_scratch_path("data"));
    world.config.archive.manictime_directory = folder;
    past_open();
    T_OK(inspect(world.past, MANICTIME_HEALTH, SQ_CONFIG_FROM_ENVIRONMENT,
                 &t_err));
    T_STR(past_text("dataDirectory"), t_scratch_path("data"));
    T_STR(past_text("directorySource"), "EnvironmentVariable");
    T(past_has("databaseExists"));
    T(!past_true("databaseExists"));
    T_STR(past_text("schemaStatus"), "NotChecked");
    world.config.archive.manictime_directory = NULL;
}

/* The setup, the reason, and the issue that is reported. */
static const struct trouble {
    const char *root;
    const char *trouble;
    const char *code;
    const char *reason; /* this and the issue are ManicTime's names */
    const char *issue;
} troubles[] = {
    { "nowhere", "missing", "FolderMissing", "CaptureDisabled",
      "ScreenshotDirectoryAbsent" },
    { "empty", "none", "CaptureDisabled", "CaptureDisabled",
      "ScreenshotDirectoryEmpty" },
    { "purged", "none", "Retention", "Retention", "ScreenshotDirectoryEmpty" },
    { "file", "notAFolder", "NotAFolder", "Unknown",
      "ScreenshotDirectoryUnreadable" },
};

T_BARE_CASE(each_problem_is_explained) {
    for (size_t i = 0; i < SQ_COUNT(troubles); i++) {
        const struct trouble *row = &troubles[i];
        past_start();
        t_album_folder("empty");
        t_album_folder("purged/" DAY);
        t_album_put_bytes("file", "x", 1);
        past_add_root(row->root);
        past_open();
        inspect_and_put(SQUINT_HEALTH);
        T(state.state.is_degraded);
        T_STR(past_text("archive.roots.0.trouble"), row->trouble);
        T_STR(past_text("archive.roots.0.reasonCode"), row->code);
        T_STR(past_text("archive.issues.0.code"), row->code);
        T(past_text("archive.roots.0.remediationHint")[0] != '\0');
        inspect_and_put(MANICTIME_HEALTH);
        T_STR(past_text("status"), "Degraded");
        T_STR(past_text("screenshots.status"), "Unavailable");
        T_STR(past_text("screenshots.reason"), row->reason);
        T(past_text("screenshots.remediationHint")[0] != '\0');
        T_INT(past_count("issues"), 1);
        T_STR(past_text("issues.0.code"), row->issue);
        T_STR(past_text("issues.0.severity"), "Warning");
        T(past_text("issues.0.message")[0] != '\0');
        T(past_text("issues.0.remediation")[0] != '\0');
        past_end();
    }
}

T_BARE_CASE(unreadable_folder_is_reported) {
    if (geteuid() == 0) {
        t_skip("nothing is closed to the superuser");
        return;
    }
    past_start();
    t_album_folder("shut");
    T_INT(chmod(t_scratch_path("shut"), 0), 0);
    past_add_root("shut");
    past_open();
    inspect_and_put(SQUINT_HEALTH);
    T_STR(past_text("archive.roots.0.trouble"), "forbidden");
    T_STR(past_text("archive.roots.0.reasonCode"), "FolderForbidden");
    T_INT(chmod(t_scratch_path("shut"), 0700), 0);
    past_end();
}

/* One working folder is enough for screenshots, but the state is degraded. */
T_CASE(one_working_folder_is_enough) {
    past_put(&plain);
    past_add_root("nowhere");
    past_add_root("a");
    past_open();
    inspect_and_put(MANICTIME_HEALTH);
    T_STR(past_text("status"), "Degraded");
    T_STR(past_text("screenshots.status"), "Available");
    T_STR(past_text("screenshots.reason"), "None");
    T_INT(past_count("issues"), 1);
}

/* Only ManicTime's resource reports the missing configuration. */
T_CASE(missing_configuration_is_not_a_problem) {
    past_open();
    inspect_and_put(SQUINT_HEALTH);
    T(!state.state.is_degraded);
    inspect_and_put(MANICTIME_HEALTH);
    T_INT(past_count("issues"), 1);
    T_STR(past_text("issues.0.code"), "DataDirectoryUnresolved");
    T_STR(past_text("screenshots.remediationHint"),
          "Have the person set MANICTIME_DATA_DIR, or add --manictime FOLDER.");
}

T_CASE(unknown_time_zone_is_reported) {
    past_add_root("a");
    past_put(&plain);
    world.config.archive.time_zone = "Middle/Earth";
    past_open();
    inspect_and_put(SQUINT_HEALTH);
    T(state.state.is_degraded);
    T(strstr(past_text("archive.timeZoneProblem"), "Middle/Earth") != NULL);
}

/* Returns whether the description warns of a time that cannot be read. */
static bool
warns_of_time(const char *end) {
    static const char name[] = "track.csv";
    char table[200];
    int len = snprintf(table, sizeof(table),
                       "start,end,label,group\n"
                       "2026-01-15T10:00Z,%s,Accounts,Bank\n"
                       "2026-01-15T11:00Z,2026-01-15T12:00Z,main.c,Editor\n",
                       end);
    t_album_put_bytes(name, table, (size_t)len);
    t_album_age(name, 60);
    T_BUF(text, (size_t)1 << 16);
    T_OK(sq_library_describe(world.past, &text, &t_err)
         && sq_buf_append(&text, "", 1, &t_err));
    return strstr((const char *)text.data, "correct its times") != NULL;
}

T_CASE(corrected_time_of_an_excluded_activity_is_noticed) {
    static const char *const apps[] = { "Bank" };
    char path[600];
    past_add_root("a");
    past_put(&plain);
    snprintf(path, sizeof(path), "%s", t_scratch_path("track.csv"));
    world.config.archive.activity = SQ_ACTIVITY_CSV;
    world.config.archive.activity_path = path;
    world.config.archive.exclude_apps = (struct sq_strings){ apps, 1 };
    past_open();
    T(warns_of_time("soon"));
    T(!warns_of_time("2026-01-15T10:30Z"));
    T(warns_of_time("later"));
}

static bool
open_and_look(void *context, struct sq_err *err) {
    struct sq_library *library = NULL;
    bool ok = sq_library_create(&world.config, &library, err)
           && inspect(library, *(const enum health_resource *)context,
                      SQ_CONFIG_FROM_NOTHING, err);
    sq_library_destroy(library);
    return ok;
}

T_CASE(out_of_memory_is_reported) {
    enum health_resource both[] = { SQUINT_HEALTH, MANICTIME_HEALTH };
    past_add_root("a");
    past_put(&plain);
    for (int i = 0; i < 2; i++) {
        T(t_alloc_torture(open_and_look, &both[i]) > 5);
    }
}
