/* Lists of missing, empty, unreadable or damaged folders and files. */
#include <errno.h>
#include <unistd.h>

#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

static struct fake_world world;

static bool
list(const char *day, const char *more) {
    char text[400];
    snprintf(text, sizeof(text), "{'startDate':'%s','endDate':'%s'%s}", day,
             day, more);
    return fake_run(&world, "list_screenshots", text);
}

static size_t
shots(void) {
    return past_count(&world, "screenshots");
}

/* An empty list with reason and hint, which is not a failure. */
static void
is_empty(bool is_degraded, const char *reason, const char *advice) {
    T_OK(list("2026-01-15", ""), &world.err);
    T_INT(shots(), 0);
    T(past_has(&world, "screenshots"));
    T_INT(past_number(&world, "truncation.totalAvailable"), 0);
    T(past_true(&world, "diagnostics.degraded") == is_degraded);
    T_STR(past_text(&world, "diagnostics.reasonCode"), reason);
    const char *hint = past_text(&world, "diagnostics.remediationHint");
    if (!T(strstr(hint, advice) != NULL)) {
        printf("# %s\n", hint);
    }
}

static void
is_empty_because(const char *reason, const char *advice) {
    is_empty(true, reason, advice);
}

static void
begin_case(void) {
    past_start_with_root(&world);
}

static void
end_case(void) {
    past_end(&world);
}

T_FIXTURE(begin_case, end_case);

T_BARE_CASE(missing_configuration_has_a_hint) {
    past_start(&world);
    past_open(&world);
    is_empty_because("NotConfigured", "archive.roots");
    const char *hint = past_text(&world, "diagnostics.remediationHint");
    T(strstr(hint, "--archive FOLDER") != NULL);
    T(strstr(hint, "MANICTIME") == NULL);
    /* Shots that squint itself recorded are found without configuration. */
    past_put(&(struct past_shot){ .folder =
                                      "home/data/squint/screenshots/2026-01-15",
                                  .time = "2026-01-15_10-00-00" });
    T_OK(list("2026-01-15", ""), &world.err);
    T_INT(shots(), 1);
    past_end(&world);
}

T_CASE(missing_folder_is_reported) {
    is_empty_because("FolderMissing", "capture settings");
    T_STR(past_text(&world, "diagnostics.roots.0.trouble"), "missing");
    T_STR(past_text(&world, "diagnostics.roots.0.root"), "a");
}

T_CASE(empty_folder_means_capture_disabled) {
    t_album_folder("a");
    is_empty_because("CaptureDisabled", "capture and retention settings");
    T(!past_has(&world, "diagnostics.roots"));
}

T_CASE(window_before_the_oldest_shot_means_retention) {
    past_put(&(struct past_shot){ .folder = "a/2026-01-20",
                                  .time = "2026-01-20_10-00-00" });
    is_empty(false, "Retention", "Ask for a later window.");
}

T_CASE(reason_of_a_gap_is_unknown) {
    past_put(&(struct past_shot){ .folder = "a/2026-01-10",
                                  .time = "2026-01-10_10-00-00" });
    past_put(&(struct past_shot){ .folder = "a/2026-01-20",
                                  .time = "2026-01-20_10-00-00" });
    is_empty(false, "Unknown", "Try a wider one.");
}

/* Only a folder of ManicTime is a reason to look at ManicTime. */
T_CASE(manictime_is_named_for_its_own_folder) {
    static const char settings[] = "ManicTime's screenshot ";
    is_empty_because("FolderMissing", "the program that writes");
    T(strstr(world.json, "ManicTime") == NULL);
    past_put(&(struct past_shot){ .folder = "a/2026-01-20",
                                  .time = "2026-01-20_10-00-00" });
    is_empty(false, "Retention", "later window");
    T(strstr(world.json, "ManicTime") == NULL);
    past_end(&world);

    past_start(&world);
    char folder[600];
    snprintf(folder, sizeof(folder), "%s", t_scratch_path("a"));
    world.config.archive.manictime_directory = folder;
    past_open(&world);
    is_empty_because("FolderMissing", settings);
    is_empty_because(
        "FolderMissing",
        "archive.manicTimeDirectory, MANICTIME_DATA_DIR or --manictime");
    past_put(&(struct past_shot){ .folder = "a/2026-01-20",
                                  .time = "2026-01-20_10-00-00" });
    is_empty(false, "Retention", settings);
    world.config.archive.manictime_directory = NULL;
}

T_CASE(file_in_place_of_the_folder_is_reported) {
    t_put(t_scratch_path("a"), "x", 1);
    is_empty_because("NotAFolder", "name a folder");
    T_STR(past_text(&world, "diagnostics.roots.0.trouble"), "notAFolder");
}

T_CASE(unreadable_folder_is_reported) {
    past_put(&(struct past_shot){ .folder = "a/2026-01-15",
                                  .time = "2026-01-15_10-00-00" });
    sq_fault_arm(
        SQ_FAULT_CALL,
        (struct sq_fault_plan){ .nth = 1, .from_then = true, .how = EACCES });
    is_empty_because("FolderForbidden", "permission to read");
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    T_STR(past_text(&world, "diagnostics.roots.0.trouble"), "forbidden");
    /* And it is listed again as soon as it can be read. */
    T_OK(list("2026-01-15", ""), &world.err);
    T_INT(shots(), 1);
}

T_CASE(names_without_a_time_are_counted) {
    past_put_picture("a/holiday.jpg", 64, 40, 0);
    past_put_picture("a/cat.jpg", 64, 40, 0);
    is_empty_because("NamesUnread", "right folder");
    T_INT(past_number(&world, "diagnostics.unparsedNames"), 2);
}

/* Every operation that needs no archive works. */
T_CASE(other_operations_work_without_an_archive) {
    is_empty_because("FolderMissing", "archive.roots");
    T_OK(fake_run(&world, "screenshot", "{}"), &world.err);
    T_OK(fake_run(&world, "tap", "{'x':200,'y':500}"), &world.err);
    T_OK(fake_run(&world, "devices", "{}"), &world.err);
    T(!past_run_on(&world, "get_screenshot", "AAAA", ""));
    T_INT(world.err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
}

T_BARE_CASE(one_bad_root_does_not_hide_another) {
    past_start(&world);
    past_add_root(&world, "gone");
    past_add_root(&world, "a");
    past_open(&world);
    past_put(&(struct past_shot){ .folder = "a/2026-01-15",
                                  .time = "2026-01-15_10-00-00" });
    T_OK(list("2026-01-15", ""), &world.err);
    T_INT(shots(), 1);
    T(past_true(&world, "diagnostics.degraded"));
    T_STR(past_text(&world, "diagnostics.reasonCode"), "FolderMissing");
    T_STR(past_text(&world, "diagnostics.roots.0.root"), "gone");
    T_STR(past_text(&world, "diagnostics.folder"), t_scratch_path("gone"));
    past_end(&world);
}

/* Not about ManicTime's folder, which is in order. */
T_BARE_CASE(advice_is_about_the_folder_that_is_missing) {
    char folder[600];
    past_start(&world);
    snprintf(folder, sizeof(folder), "%s", t_scratch_path("a"));
    world.config.archive.manictime_directory = folder;
    past_add_root(&world, "own");
    past_open(&world);
    past_put(&(struct past_shot){ .folder = "a/2026-01-15",
                                  .time = "2026-01-15_10-00-00" });
    T_OK(list("2026-01-15", ""), &world.err);
    T_STR(past_text(&world, "diagnostics.reasonCode"), "FolderMissing");
    T_STR(past_text(&world, "diagnostics.folder"), t_scratch_path("own"));
    const char *hint = past_text(&world, "diagnostics.remediationHint");
    T(strstr(hint, "archive.roots or --archive") != NULL);
    T(strstr(hint, "MANICTIME") == NULL);
    T(strstr(hint, "ManicTime") == NULL);
    world.config.archive.manictime_directory = NULL;
    past_end(&world);
}

static const struct past_shot series = { .folder = "a/2026-01-15",
                                         .time = "2026-01-15_08-00-00",
                                         .width = 64,
                                         .height = 40 };

/* The file of the nth shot of a series, one minute apart. */
static void
path_of(int nth, bool thumb, char out[300]) {
    char time[64];
    snprintf(time, sizeof(time), "2026-01-15_%02d-%02d-00", 8 + nth / 60,
             nth % 60);
    struct past_shot shot = series;
    shot.time = time;
    shot.seq = nth;
    past_path(&shot, thumb, out);
}

static void
damage(int nth, enum past_trouble trouble) {
    char path[300];
    for (int thumb = 0; thumb < 2; thumb++) {
        path_of(nth, thumb, path);
        past_damage(path, trouble);
    }
}

T_BARE_CASE(unusable_shots_are_replaced_by_a_neighbour) {
    static const struct {
        enum past_trouble trouble;
        const char *reason;
    } rows[] = {
        { PAST_EMPTY, "empty" },
        { PAST_GROWING, "growing" },
        { PAST_CUT, "truncated" },
        { PAST_GARBAGE, "corrupt" },
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char path[100];
        past_start_with_root(&world);
        past_put_series(&series, 30, 60);
        /* The ones that an interval of ten minutes would select. */
        damage(0, rows[i].trouble);
        damage(10, rows[i].trouble);
        T_OK(list("2026-01-15", ",'intervalSeconds':600"), &world.err);
        T_INT(shots(), 3);
        T_STR(past_text(&world, "screenshots.0.displayLocalTime"),
              "2026-01-15 08:01:00");
        T_STR(past_text(&world, "screenshots.1.displayLocalTime"),
              "2026-01-15 08:11:00");
        T_STR(past_text(&world, "screenshots.2.displayLocalTime"),
              "2026-01-15 08:20:00");
        snprintf(path, sizeof(path), "diagnostics.unusable.%s", rows[i].reason);
        T_INT(past_number(&world, path), 2);
        T(past_true(&world, "diagnostics.degraded"));
        past_end(&world);
    }
}

T_BARE_CASE(links_and_pipes_are_never_listed_as_pictures) {
    static const enum past_trouble troubles[] = { PAST_LINK, PAST_PIPE,
                                                  PAST_DIRECTORY };
    for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
        past_start_with_root(&world);
        past_put_series(&series, 3, 60);
        damage(1, troubles[i]);
        T_OK(list("2026-01-15", ",'intervalSeconds':0"), &world.err);
        T_INT(shots(), 2);
        past_end(&world);
    }
}

T_CASE(damaged_thumbnail_does_not_affect_the_shot) {
    char path[300];
    char ref[PAST_REF_SIZE];
    past_put_series(&series, 1, 60);
    path_of(0, true, path);
    past_damage(path, PAST_CUT);
    past_ref(&world, "2026-01-15", "2026-01-15", 0, ref);
    T(!past_true(&world, "diagnostics.degraded"));
    T_OK(past_run_on(&world, "get_screenshot", ref, ""), &world.err);
    T(!past_true(&world, "isThumbnail"));
}

T_CASE(window_without_usable_shots_has_a_reason) {
    past_put_series(&series, 3, 60);
    for (int i = 0; i < 3; i++) {
        damage(i, PAST_EMPTY);
    }
    T_OK(list("2026-01-15", ""), &world.err);
    T_INT(shots(), 0);
    T_INT(past_number(&world, "truncation.totalAvailable"), 3);
    T_INT(past_number(&world, "diagnostics.unusable.empty"), 3);
    T_STR(past_text(&world, "diagnostics.reasonCode"), "FilesUnusable");
    T(past_text(&world, "diagnostics.remediationHint")[0] != '\0');
}

T_CASE(damaged_shots_do_not_affect_paging) {
    past_put_series(&series, 6, 60);
    damage(1, PAST_EMPTY);
    T_OK(list("2026-01-15", ",'maxCount':3,'cursor':'start'"), &world.err);
    T_INT(shots(), 2);
    T_STR(past_text(&world, "screenshots.1.displayLocalTime"),
          "2026-01-15 08:02:00");
    char more[100];
    snprintf(more, sizeof(more), ",'maxCount':3,'cursor':'%s'",
             past_text(&world, "nextCursor"));
    T_OK(list("2026-01-15", more), &world.err);
    T_INT(shots(), 3);
    T_STR(past_text(&world, "screenshots.0.displayLocalTime"),
          "2026-01-15 08:03:00");
}

/* If any single system call fails: a list, and what is missing. */
T_BARE_CASE(locked_files_never_fail_a_list) {
    static const int numbers[] = { EACCES, EBUSY, EIO };
    int locked = 0;
    struct past_shot whole = series;
    whole.parts = PAST_FULL_ONLY;
    past_start_with_root(&world);
    past_put_series(&whole, 4, 60);
    t_album_age_all();
    T_OK(list("2026-01-15", ""), &world.err);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        for (long nth = 1; nth < 200; nth++) {
            sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){
                                            .nth = nth, .how = numbers[i] });
            bool ok = list("2026-01-15", ",'intervalSeconds':0");
            bool reached = sq_fault_count(SQ_FAULT_CALL) >= nth;
            sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
            T_OK(ok, &world.err);
            locked += past_number(&world, "diagnostics.unusable.locked") > 0;
            T(shots() == 4 || past_true(&world, "diagnostics.degraded"));
            if (!reached) {
                T_INT(shots(), 4);
                break;
            }
        }
    }
    T(locked >= 4);
    past_end(&world);
}

T_CASE(files_that_vanish_are_left_out) {
    char path[300];
    past_put_series(&series, 3, 60);
    t_album_age_all();
    T_OK(list("2026-01-15", ""), &world.err);
    T_INT(shots(), 3);
    path_of(1, false, path);
    unlink(t_scratch_path(path));
    path_of(1, true, path);
    unlink(t_scratch_path(path));
    T_OK(list("2026-01-15", ""), &world.err);
    T_INT(shots(), 2);
}
