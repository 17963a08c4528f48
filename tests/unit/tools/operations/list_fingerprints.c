/*
 * Lists that compare pictures: once per file, within the time limit, with
 * progress.
 */
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/library.h"
#include "support/album.h"
#include "support/past_world.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/clock.h"
#include "util/fault.h"

#define SHOTS 40
#define AGE_S 3600
#define NS_PER_MS 1000000

static bool
list(const char *sampling) {
    char text[300];
    snprintf(text, sizeof(text),
             "{'startDate':'2026-01-15','endDate':'2026-01-15',"
             "'samplingStrategy':'%s'}",
             sampling);
    return past_run("list_screenshots", text);
}

static const char *
path_of(int nth) {
    return t_text("a/2026-01-15/Screenshot 2026-01-15 10%02d00.png", nth);
}

/* Four scenes of ten pictures each, without thumbnails. */
static void
start(void) {
    past_start_with_root();
    for (int i = 0; i < SHOTS; i++) {
        const char *path = path_of(i);
        past_put_picture(path, 256, 160, i / 10);
        t_album_age(path, AGE_S);
    }
    t_album_age_all();
}

/* The number of system calls of a list. */
static long
count_calls(const char *sampling) {
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    T_OK(list(sampling));
    return sq_fault_count(SQ_FAULT_CALL);
}

T_FIXTURE(start, past_end);

T_BARE_CASE(each_picture_is_read_once) {
    static const char *const ways[] = { "visual", "coverage" };
    for (size_t i = 0; i < 2; i++) {
        start();
        long first = count_calls(ways[i]);
        T_STR(past_text("sampling"), ways[i]);
        size_t count = past_shots();
        T(count >= 4);
        T(!past_has("compared"));
        long again = count_calls(ways[i]);
        printf("# %s: %ld calls, then %ld\n", ways[i], first, again);
        T(first > SHOTS * 5);
        T(again < SHOTS + (long)count * 3 + 40);
        T_INT(past_shots(), count);
        /* Another process reads them from the file. */
        past_open();
        T(count_calls(ways[i]) < first / 2);
        T_INT(past_shots(), count);
        past_end();
    }
}

T_CASE(changed_picture_is_read_again) {
    T_OK(list("visual"));
    T_INT(past_shots(), 4);
    for (int i = 30; i < SHOTS; i++) {
        const char *path = path_of(i);
        past_put_picture(path, 256, 160, 2);
        t_album_age(path, AGE_S - 60);
    }
    T_OK(list("visual"));
    T_INT(past_shots(), 3);
}

T_CASE(index_files_are_private) {
    int seen = 0;
    T_OK(list("visual"));
    char folder[600];
    snprintf(folder, sizeof(folder), "%s", t_scratch_path("home/cache/squint"));
    DIR *entries = opendir(folder);
    T(entries != NULL);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct stat st;
        char path[900];
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (strstr(entry->d_name, ".index") && stat(path, &st) == 0) {
            T_INT(st.st_mode & 0777, 0600);
            seen++;
        }
    }
    if (entries) {
        closedir(entries);
    }
    T(seen >= 1);
}

static double last_done;
static int told;
static struct sq_cancel *to_cancel;
static int pass_at; /* pictures; then ten seconds are over */

static void
note_progress(struct sq_call *call, double done, double total,
              const char *message) {
    T(done > last_done && done <= total);
    last_done = done;
    if (++told == 5 && to_cancel) {
        sq_cancel_set(to_cancel);
    }
    if (told == pass_at) {
        sq_clock_advance((int64_t)11 * 1000 * NS_PER_MS);
    }
}

/* Lists while the clock says, after half of the pictures, that time is up. */
static void
list_half(const char *sampling) {
    sq_clock_simulate(sq_clock_monotonic_ns());
    world.progress = note_progress;
    last_done = 0;
    told = 0;
    pass_at = SHOTS / 2;
    T_OK(list(sampling));
    pass_at = 0;
    world.progress = NULL;
    sq_clock_simulate_end();
}

T_CASE(pictures_not_compared_in_time_are_reported) {
    list_half("visual");
    T(past_number("compared") == 0.5);
    T_HAS(past_text("comparedNote"), "background");
    T_STR(past_text("sampling"), "visual");
    /* Every second picture is known, which includes all scenes. */
    T_INT(past_shots(), 4);
    /* The rest is compared in the background: nothing remains for a list. */
    for (int waited_ms = 0; sq_archive_computing(world.past->archive).is_running
                            && T(waited_ms < T_PATIENCE_MS);
         waited_ms++) {
        usleep(1000);
    }
    world.progress = note_progress;
    last_done = 0;
    told = 0;
    T_OK(list("visual"));
    world.progress = NULL;
    T(!past_has("compared"));
    T_INT(past_shots(), 4);
    T_INT(told, 4);
}

T_CASE(progress_is_reported_and_cancel_works) {
    world.progress = note_progress;
    T_OK(sq_cancel_create(&to_cancel, &t_err));
    world.cancel = to_cancel;
    last_done = 0;
    told = 0;
    T_FAILS(list("visual"), SQ_ERR_CANCELLED);
    T_INT(told, 5);
    /* Not lost: the next list continues, and reports the rest. */
    world.cancel = NULL;
    sq_cancel_destroy(to_cancel);
    to_cancel = NULL;
    last_done = 0;
    told = 0;
    T_OK(list("visual"));
    T_INT(told, SHOTS - 5 + 4);
    world.progress = NULL;
}

/* A process that ends in the middle loses nothing and does not hang. */
T_CASE(background_job_ends_with_the_archive) {
    list_half("coverage");
    T(past_number("compared") < 1);
    past_open();
    T_OK(list("coverage"));
    T(!past_has("compared"));
}

/* A little more than is compared; a rare look in the middle is found. */
T_BARE_CASE(very_many_pictures_are_sampled) {
    enum { MANY = 20400 };
    static const char *const ways[] = { "coverage", "visual" };
    char one[600];
    char other[600];
    past_start_with_root();
    past_put_picture("one.png", 32, 20, 0);
    past_put_picture("other.png", 32, 20, 2);
    t_album_folder("a/2026-01-15");
    snprintf(one, sizeof(one), "%s", t_scratch_path("one.png"));
    snprintf(other, sizeof(other), "%s", t_scratch_path("other.png"));
    for (int i = 0; i < MANY; i++) {
        char path[300];
        snprintf(path, sizeof(path),
                 "a/2026-01-15/Screenshot 2026-01-15 %02d%02d%02d.png",
                 8 + i / 3600, i / 60 % 60, i % 60);
        bool is_rare = i >= 10000 && i < 10040;
        T_INT(link(is_rare ? other : one, t_scratch_path(path)), 0);
    }
    t_album_age_all();
    for (size_t i = 0; i < 2; i++) {
        bool shows_rare = false;
        do { /* a busy machine needs several calls to compare all of them */
            T_OK(list(ways[i]));
        } while (past_has("compared"));
        T_STR(past_text("sampling"), ways[i]);
        for (size_t j = 0; j < past_shots(); j++) {
            char path[64];
            snprintf(path, sizeof(path), "screenshots.%zu.displayLocalTime", j);
            const char *time = past_text(path);
            shows_rare = shows_rare
                      || (strcmp(time, "2026-01-15 10:46:40") >= 0
                          && strcmp(time, "2026-01-15 10:47:20") < 0);
        }
        T(shows_rare);
        T((strstr(past_text("samplingNote"), "sample of 20000 of the "
                                             "20400")
           != NULL)
          == (i == 0));
    }
    past_end();
}
