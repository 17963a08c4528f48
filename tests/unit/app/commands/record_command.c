/* squint record: output, target folder, and how it ends. */
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sys/path.h"
#include "unit/app/home.h"

static char into[600];

static void
start(void) {
    home_start();
    snprintf(into, sizeof(into), "%s", t_scratch_path("shots"));
}

T_FIXTURE(start, t_album_end);

T_CASE(one_shot_is_stored_and_printed) {
    RUN_EXITS(0, "record", "--count", "1", "--into", into, "--time-zone",
              "UTC0");
    T_STR(run.err, "squint record: recording demo, the demo phone: no other "
                   "device is attached\n");
    run_says(run.out, "_+00-00_1080_2400_");
    run_says(run.out,
             "_0.jpg\ndemo: 1 saved, 0 skipped because nothing had changed: ");
    run_says(run.out, into);
    /* The first line is a file below the folder. */
    char path[700];
    snprintf(path, sizeof(path), "%s/%.*s", into, (int)strcspn(run.out, "\n"),
             run.out);
    struct stat st;
    T(stat(path, &st) == 0 && st.st_size > 1000);
    RUN("archive", "stats", "--archive", into);
    run_says(run.out, "  screenshots  1 (1 full, 1 thumbnail) in 1 folder");
}

T_CASE(json_is_a_line_per_file_and_one_at_the_end) {
    RUN_EXITS(0, "record", "--count", "1", "--into", into, "--json");
    T(strncmp(run.out, "{\"file\":\"20", 11) == 0);
    run_says(run.out, "_0.jpg\"}\n{\"device\":\"demo\",\"saved\":1,"
                      "\"unchanged\":0,\"folder\":\"");
    T_STR(run.out + run.out_len - 3, "\"}\n");
    RUN_EXITS(1, "record", "--count", "1", "--device", "absent", "--into", into,
              "--json");
    T_STR(run.err, "");
    static const char head[] = "{\"error\":{\"code\":\"DEVICE_NOT_FOUND\",";
    T(strncmp(run.out, head, sizeof(head) - 1) == 0);
    run_says(run.out, "}}\n{\"saved\":0,\"unchanged\":0,\"folder\":\"");
}

#define TRIES 50

/* The phone shows the time, so both captures must be in the same minute. */
T_BARE_CASE(unchanged_screen_is_skipped) {
    time_t minute = -1;
    for (int i = 0; i < TRIES && minute != time(NULL) / 60; i++) {
        if (i > 0) {
            t_album_end();
        }
        start();
        minute = time(NULL) / 60;
        RUN("record", "--count", "2", "--every", "1s", "--device", "demo",
            "--into", into);
    }
    T_INT(run.status, 0);
    run_says(run.out, "demo: 1 saved, 1 skipped because nothing had changed: ");
    T_STR(run.err, "squint record: recording demo\n");
    t_album_end();
}

/* The commands are one after the other, as after a restart. */
T_CASE(unchanged_screen_is_not_saved_after_a_restart) {
    RUN("record", "--count", "1", "--device", "demo", "--into", into);
    run_says(run.out, "demo: 1 saved, 0 skipped");
    RUN_EXITS(0, "record", "--count", "1", "--device", "demo", "--into", into);
    run_says(run.out, "demo: 0 saved, 1 skipped");
    /* Also if nothing of it may be shown. */
    RUN("record", "--count", "1", "--device", "demo", "--into", into,
        "--exclude", "Mon-Sun");
    run_says(run.out, "demo: 0 saved, 1 skipped");
    char hidden[620];
    snprintf(hidden, sizeof(hidden), "%s=none", into);
    RUN("record", "--count", "1", "--device", "demo", "--into", into,
        "--archive", hidden);
    run_says(run.out, "demo: 0 saved, 1 skipped");
    /* Another folder has no picture yet. */
    RUN("record", "--count", "1", "--device", "demo", "--into",
        t_scratch_path("other"));
    run_says(run.out, "demo: 1 saved, 0 skipped");
}

/* What a configured folder does not permit is not read. */
T_CASE(the_text_of_a_covered_folder_is_not_read) {
    char covered[620];
    snprintf(covered, sizeof(covered), "%s=none", t_scratch_path("other"));
    RUN("record", "--count", "1", "--device", "demo", "--into",
        t_scratch_path("other/inside"), "--archive", covered, "--index");
    run_refused(2, "--index cannot read the pictures in ");
}

T_CASE(first_archive_root_is_the_default_folder) {
    RUN_EXITS(0, "record", "--count", "1", "--archive", into);
    run_says(run.out, "shots\n");
    T_INT(t_count_entries(into), 1);
}

/* squint only reads ManicTime's folder. */
T_CASE(nothing_is_recorded_into_the_folder_of_manictime) {
    char manictime[600];
    snprintf(manictime, sizeof(manictime), "%s", t_scratch_path("manictime"));
    T_INT(mkdir(manictime, 0700), 0);
    RUN_EXITS(0, "record", "--count", "1", "--manictime", manictime,
              "--archive", into);
    run_says(run.out, "shots\n");
    T_INT(t_count_entries(into), 1);
    RUN("record", "--count", "1", "--manictime", manictime);
    run_refused(2, "there is no folder to record into: the only one that is "
                   "configured is ManicTime's\n  Name one with --into FOLDER, "
                   "or add one with --archive, so that squint list finds "
                   "it.\n");
    T_INT(t_count_entries(manictime), 0);
}

/* squint's own folder is used beside that of ManicTime if that was found. */
T_CASE(manictime_that_is_found_leaves_the_data_folder) {
    static const char *const names[] = { "home", "home/data",
                                         "home/data/Finkit",
                                         "home/data/Finkit/ManicTime" };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        T_INT(mkdir(t_scratch_path(names[i]), 0700), 0);
    }
    RUN("archive", "stats");
    run_says(run.out, "ManicTime (");
    T(!strstr(run.out, "missing"));
    RUN_EXITS(0, "record", "--count", "1");
    run_says(run.out, "home/data/squint/screenshots\n");
    T_INT(t_count_entries(t_scratch_path("home/data/Finkit/ManicTime")), 0);
    RUN("archive", "stats");
    run_says(run.out, "screenshots  1 (1 full, 1 thumbnail) in 1 folder");
}

/* The list operation finds that folder without configuration. */
T_CASE(without_a_root_the_data_folder_is_used) {
    char day[11];
    RUN_EXITS(0, "record", "--count", "1");
    snprintf(day, sizeof(day), "%.10s", run.out);
    run_says(run.out, "home/data/squint/screenshots\n");
    T_INT(t_count_entries(t_scratch_path("home/data/squint/screenshots")), 1);
    RUN_EXITS(0, "list", "--start-date", day, "--end-date", day, "--activity",
              "none", "--json");
    run_says(run.out, "\"returnedCount\":1,");
}

T_CASE(wrong_arguments_are_refused) {
    static const char *const times[] = {
        "0",     "0s",  "-5s", "abc", "5d",   "86401",
        "1441m", "25h", "h",   "s",   "1.5s", "9999999999999999999"
    };
    for (size_t i = 0; i < SQ_COUNT(times); i++) {
        RUN("record", "--every", times[i], "--count", "1", "--into", into);
        run_refused(2, "--every must be a time, not ");
        run_refused(2, "\n  Give a time such as 30s, 5m or 1h");
    }
    RUN("record", "--every=", "--into", into);
    run_refused(2, "--every is empty");
    RUN("record", "now", "--into", into);
    run_refused(2, "squint record: takes options only, not the word \"now\"\n");
    RUN("record", "--count", "0", "--into", into);
    run_refused(2, "count");
    run_refuses(2, "record --nonsense", "--nonsense");
    T(access(into, F_OK) != 0);
}

T_CASE(interval_accepts_all_units) {
    static const char *const times[] = { "1", "86400s", "1440m", "24h" };
    for (size_t i = 0; i < SQ_COUNT(times); i++) {
        RUN_EXITS(0, "record", "--every", times[i], "--count", "1", "--into",
                  into);
    }
}

T_CASE(unusable_folder_is_refused) {
    t_put(into, "a file", 6);
    RUN("record", "--count", "1", "--into", into);
    run_refused(1, "squint record: ");
    T(t_holds(into, "a file", 6));
}

/* A device that is absent may be attached later, so it is only reported. */
T_CASE(missing_device_is_reported) {
    RUN_EXITS(1, "record", "--count", "1", "--device", "absent", "--into",
              into);
    run_says(run.err, "squint record: ");
    run_says(run.err, "absent\"\n  Known devices: demo.\n");
    run_says(run.out, "0 saved, 0 skipped");
    /* A folder that was made for nothing is removed; one of the user is not. */
    T(access(into, F_OK) != 0);
    T_INT(mkdir(into, 0700), 0);
    RUN_EXITS(1, "record", "--count", "1", "--device", "absent", "--into",
              into);
    T(access(into, F_OK) == 0);
}

static bool
is_done(void) {
    return access(into, F_OK) == 0 && t_count_entries(into) > 0;
}

static void *
stop_it(void *context) {
    for (int i = 0; i < T_PATIENCE_MS / 10 && !is_done(); i++) {
        usleep(10000);
    }
    kill(getpid(), SIGTERM);
    return NULL;
}

T_CASE(signal_ends_it_with_status_0) {
    pthread_t other;
    T_INT(pthread_create(&other, NULL, stop_it, NULL), 0);
    RUN("record", "--every", "1h", "--device", "demo", "--into", into);
    pthread_join(other, NULL);
    T_INT(run.status, 0);
    T_STR(run.err, "squint record: recording demo\n");
    run_says(run.out, "1 saved, 0 skipped because nothing had changed: ");
}

/* Without --index neither texts nor activities are read. */
T_CASE(options_of_the_index_need_it) {
    static const char *const options[][2] = { { "--ocr-language", "deu" },
                                              { "--activity", "none" },
                                              { "--activity-path", "a.csv" } };
    char message[160];
    for (size_t i = 0; i < SQ_COUNT(options); i++) {
        RUN("record", "--count", "1", "--into", into, options[i][0],
            options[i][1]);
        snprintf(message, sizeof(message),
                 "%s has no effect without --index\n  Leave it out, or add "
                 "--index to read the text of each picture.\n",
                 options[i][0]);
        run_refused(2, message);
    }
    T_INT(access(into, F_OK), -1);
    setenv("SQUINT_UI_OCR_LANGUAGE", "deu", 1);
    RUN("record", "--count", "1", "--into", into);
    unsetenv("SQUINT_UI_OCR_LANGUAGE");
    T_INT(run.status, 0);
}

/* --ocr-enabled allows rules that hide texts; the index is always read. */
T_CASE(reading_is_enabled_for_rules_only) {
    static const char message[] =
        "--ocr-enabled has no effect without rules that hide texts\n  Leave it "
        "out, or add such rules with --redact or --redact-patterns.\n";
    RUN("record", "--count", "1", "--into", into, "--ocr-enabled");
    run_refused(2, message);
    RUN("record", "--count", "1", "--archive", into, "--ocr-enabled",
        "--index");
    run_refused(2, message);
    RUN("archive", "index", "--archive", into, "--ocr-enabled");
    run_refused(2, message);
    RUN("watch", "--count", "1", "-o", "w.png", "--ocr-enabled");
    run_refused(2, message);
    RUN("watch", "--count", "1", "-o", "w.png", "--ocr-language", "deu");
    run_refused(2, "--ocr-language has no effect without rules that hide "
                   "texts\n");
    T_INT(access(into, F_OK), -1);
}
