/* Lists of missing, empty, unreadable or damaged folders and files. */
#include <errno.h>
#include <unistd.h>

#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

/* An empty list with reason and hint, which is not a failure. */
static void
is_empty(bool is_degraded, const char *reason, const char *advice) {
    T_OK(past_list(""));
    T_INT(past_shots(), 0);
    T(past_has("screenshots"));
    T_INT(past_number("truncation.totalAvailable"), 0);
    T(past_true("diagnostics.degraded") == is_degraded);
    T_STR(past_text("diagnostics.reasonCode"), reason);
    const char *hint = past_text("diagnostics.remediationHint");
    if (!T_HAS(hint, advice)) {
        printf("# %s\n", hint);
    }
}

static void
is_empty_because(const char *reason, const char *advice) {
    is_empty(true, reason, advice);
}

T_FIXTURE(past_start_with_root, past_end);

T_BARE_CASE(missing_configuration_has_a_hint) {
    past_start();
    past_open();
    is_empty_because("NotConfigured", "archive.roots");
    const char *hint = past_text("diagnostics.remediationHint");
    T_HAS(hint, "--archive FOLDER");
    T_LACKS(hint, "MANICTIME");
    /* Shots that squint itself recorded are found without configuration. */
    past_put(&(struct past_shot){ .folder =
                                      "home/data/squint/screenshots/2026-01-15",
                                  .time = "2026-01-15_10-00-00" });
    T_OK(past_list(""));
    T_INT(past_shots(), 1);
    past_end();
}

T_CASE(missing_folder_is_reported) {
    is_empty_because("FolderMissing", "capture settings");
    T_STR(past_text("diagnostics.roots.0.trouble"), "missing");
    T_STR(past_text("diagnostics.roots.0.root"), "a");
}

T_CASE(empty_folder_means_capture_disabled) {
    t_album_folder("a");
    is_empty_because("CaptureDisabled", "capture and retention settings");
    T(!past_has("diagnostics.roots"));
}

T_CASE(window_before_the_oldest_shot_means_retention) {
    past_put(&(struct past_shot){ .time = "2026-01-20_10-00-00" });
    is_empty(false, "Retention", "Ask for a later window.");
}

T_CASE(reason_of_a_gap_is_unknown) {
    past_put(&(struct past_shot){ .time = "2026-01-10_10-00-00" });
    past_put(&(struct past_shot){ .time = "2026-01-20_10-00-00" });
    is_empty(false, "Unknown", "Try a wider one.");
}

/* Only a folder of ManicTime is a reason to look at ManicTime. */
T_CASE(manictime_is_named_for_its_own_folder) {
    static const char settings[] = "ManicTime's screenshot ";
    is_empty_because("FolderMissing", "the program that writes");
    T_LACKS(world.json, "ManicTime");
    past_put(&(struct past_shot){ .time = "2026-01-20_10-00-00" });
    is_empty(false, "Retention", "later window");
    T_LACKS(world.json, "ManicTime");
    past_end();

    past_start();
    char folder[600];
    snprintf(folder, sizeof(folder), "%s", t_scratch_path("a"));
    world.config.archive.manictime_directory = folder;
    past_open();
    is_empty_because("FolderMissing", settings);
    is_empty_because(
        "FolderMissing",
        "archive.manicTimeDirectory, MANICTIME_DATA_DIR or --manictime");
    past_put(&(struct past_shot){ .time = "2026-01-20_10-00-00" });
    is_empty(false, "Retention", settings);
    world.config.archive.manictime_directory = NULL;
}

T_CASE(file_in_place_of_the_folder_is_reported) {
    t_put(t_scratch_path("a"), "x", 1);
    is_empty_because("NotAFolder", "name a folder");
    T_STR(past_text("diagnostics.roots.0.trouble"), "notAFolder");
}

T_CASE(unreadable_folder_is_reported) {
    past_put(&(struct past_shot){ .time = "2026-01-15_10-00-00" });
    sq_fault_arm(
        SQ_FAULT_CALL,
        (struct sq_fault_plan){ .nth = 1, .from_then = true, .how = EACCES });
    is_empty_because("FolderForbidden", "permission to read");
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    T_STR(past_text("diagnostics.roots.0.trouble"), "forbidden");
    /* And it is listed again as soon as it can be read. */
    T_OK(past_list(""));
    T_INT(past_shots(), 1);
}

T_CASE(names_without_a_time_are_counted) {
    past_put_picture("a/holiday.jpg", 64, 40, 0);
    past_put_picture("a/cat.jpg", 64, 40, 0);
    is_empty_because("NamesUnread", "right folder");
    T_INT(past_number("diagnostics.unparsedNames"), 2);
}

/* Every operation that needs no archive works. */
T_CASE(other_operations_work_without_an_archive) {
    is_empty_because("FolderMissing", "archive.roots");
    T_OK(past_run("screenshot", "{}"));
    T_OK(past_run("tap", "{'x':200,'y':500}"));
    T_OK(past_run("devices", "{}"));
    T_FAILS(past_run_on("get_screenshot", "AAAA", ""),
            SQ_ERR_UNKNOWN_SCREENSHOT);
}

T_BARE_CASE(one_bad_root_does_not_hide_another) {
    past_start();
    past_add_root("gone");
    past_add_root("a");
    past_open();
    past_put(&(struct past_shot){ .time = "2026-01-15_10-00-00" });
    T_OK(past_list(""));
    T_INT(past_shots(), 1);
    T(past_true("diagnostics.degraded"));
    T_STR(past_text("diagnostics.reasonCode"), "FolderMissing");
    T_STR(past_text("diagnostics.roots.0.root"), "gone");
    T_STR(past_text("diagnostics.folder"), t_scratch_path("gone"));
    past_end();
}

/* Not about ManicTime's folder, which is in order. */
T_BARE_CASE(advice_is_about_the_folder_that_is_missing) {
    past_start();
    world.config.archive.manictime_directory =
        t_text("%s", t_scratch_path("a"));
    past_add_root("own");
    past_open();
    past_put(&(struct past_shot){ .time = "2026-01-15_10-00-00" });
    T_OK(past_list(""));
    T_STR(past_text("diagnostics.reasonCode"), "FolderMissing");
    T_STR(past_text("diagnostics.folder"), t_scratch_path("own"));
    const char *hint = past_text("diagnostics.remediationHint");
    T_HAS(hint, "archive.roots or --archive");
    T_LACKS(hint, "MANICTIME");
    T_LACKS(hint, "ManicTime");
    world.config.archive.manictime_directory = NULL;
    past_end();
}

static const struct past_shot series = { .time = "2026-01-15_08-00-00",
                                         .width = 64,
                                         .height = 40 };

/* The nth shot of a series, one minute apart. */
static struct past_shot
shot_of(int nth) {
    struct past_shot shot = series;
    shot.time = t_text("2026-01-15_%02d-%02d-00", 8 + nth / 60, nth % 60);
    shot.seq = nth;
    return shot;
}

static void
damage(int nth, enum past_trouble trouble) {
    const struct past_shot shot = shot_of(nth);
    past_damage_both(&shot, trouble);
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
    for (size_t i = 0; i < SQ_COUNT(rows); i++) {
        past_start_with_root();
        past_put_series(&series, 30, 60);
        /* The ones that an interval of ten minutes would select. */
        damage(0, rows[i].trouble);
        damage(10, rows[i].trouble);
        T_OK(past_list(",'intervalSeconds':600"));
        T_INT(past_shots(), 3);
        T_STR(past_text("screenshots.0.displayLocalTime"),
              "2026-01-15 08:01:00");
        T_STR(past_text("screenshots.1.displayLocalTime"),
              "2026-01-15 08:11:00");
        T_STR(past_text("screenshots.2.displayLocalTime"),
              "2026-01-15 08:20:00");
        T_INT(past_number(t_text("diagnostics.unusable.%s", rows[i].reason)),
              2);
        T(past_true("diagnostics.degraded"));
        past_end();
    }
}

T_BARE_CASE(links_and_pipes_are_never_listed_as_pictures) {
    static const enum past_trouble troubles[] = { PAST_LINK, PAST_PIPE,
                                                  PAST_DIRECTORY };
    for (size_t i = 0; i < SQ_COUNT(troubles); i++) {
        past_start_with_root();
        past_put_series(&series, 3, 60);
        damage(1, troubles[i]);
        T_OK(past_list(",'intervalSeconds':0"));
        T_INT(past_shots(), 2);
        past_end();
    }
}

T_CASE(damaged_thumbnail_does_not_affect_the_shot) {
    char ref[PAST_REF_SIZE];
    past_put_series(&series, 1, 60);
    past_damage(past_path(&series, true), PAST_CUT);
    past_ref("2026-01-15", "2026-01-15", 0, ref);
    T(!past_true("diagnostics.degraded"));
    T_OK(past_run_on("get_screenshot", ref, ""));
    T(!past_true("isThumbnail"));
}

T_CASE(window_without_usable_shots_has_a_reason) {
    past_put_series(&series, 3, 60);
    for (int i = 0; i < 3; i++) {
        damage(i, PAST_EMPTY);
    }
    T_OK(past_list(""));
    T_INT(past_shots(), 0);
    T_INT(past_number("truncation.totalAvailable"), 3);
    T_INT(past_number("diagnostics.unusable.empty"), 3);
    T_STR(past_text("diagnostics.reasonCode"), "FilesUnusable");
    T(past_text("diagnostics.remediationHint")[0] != '\0');
}

T_CASE(damaged_shots_do_not_affect_paging) {
    past_put_series(&series, 6, 60);
    damage(1, PAST_EMPTY);
    T_OK(past_list(",'maxCount':3,'cursor':'start'"));
    T_INT(past_shots(), 2);
    T_STR(past_text("screenshots.1.displayLocalTime"), "2026-01-15 08:02:00");
    char more[100];
    snprintf(more, sizeof(more), ",'maxCount':3,'cursor':'%s'",
             past_text("nextCursor"));
    T_OK(past_list(more));
    T_INT(past_shots(), 3);
    T_STR(past_text("screenshots.0.displayLocalTime"), "2026-01-15 08:03:00");
}

/* If any single system call fails: a list, and what is missing. */
T_BARE_CASE(locked_files_never_fail_a_list) {
    static const int numbers[] = { EACCES, EBUSY, EIO };
    int locked = 0;
    struct past_shot whole = series;
    whole.parts = PAST_FULL_ONLY;
    past_start_with_root();
    past_put_series(&whole, 4, 60);
    t_album_age_all();
    T_OK(past_list(""));
    for (size_t i = 0; i < SQ_COUNT(numbers); i++) {
        for (long nth = 1; nth < 200; nth++) {
            sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){
                                            .nth = nth, .how = numbers[i] });
            bool ok = past_list(",'intervalSeconds':0");
            bool reached = sq_fault_count(SQ_FAULT_CALL) >= nth;
            sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
            T_OK(ok);
            locked += past_number("diagnostics.unusable.locked") > 0;
            T(past_shots() == 4 || past_true("diagnostics.degraded"));
            if (!reached) {
                T_INT(past_shots(), 4);
                break;
            }
        }
    }
    T(locked >= 4);
    past_end();
}

T_CASE(files_that_vanish_are_left_out) {
    const struct past_shot second = shot_of(1);
    past_put_series(&series, 3, 60);
    t_album_age_all();
    T_OK(past_list(""));
    T_INT(past_shots(), 3);
    unlink(t_scratch_path(past_path(&second, false)));
    unlink(t_scratch_path(past_path(&second, true)));
    T_OK(past_list(""));
    T_INT(past_shots(), 2);
}
