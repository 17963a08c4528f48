/* Listing windows of time from folders that change. */
#include "archive/archive_private.h"

#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/time_text.h"

static struct sq_archive *archive;
static struct sq_archive_listing listing;

static void
open_roots(const char *first, const char *second) {
    char paths[2][600];
    struct sq_archive_root roots[2] = {
        { .path = paths[0], .permission = SQ_ARCHIVE_FULL },
        { .path = paths[1], .permission = SQ_ARCHIVE_FULL },
    };
    snprintf(paths[0], sizeof(paths[0]), "%s", t_scratch_path(first));
    snprintf(paths[1], sizeof(paths[1]), "%s",
             t_scratch_path(second ? second : ""));
    const struct sq_archive_options options = { .roots = roots,
                                                .root_count = second ? 2 : 1 };
    T_OK(sq_archive_create(&options, &archive, &t_err));
}

static void
stop(void) {
    sq_archive_listing_finish(&listing);
    sq_archive_destroy(archive);
    t_album_end();
}

static int64_t
moment(const char *text) {
    struct sq_time_text time;
    T_OK(sq_time_parse(sq_span_of(text), &time, &t_err));
    return time.wall_s - time.offset_s;
}

/* Lists from one time to another; returns the number of shots. */
static size_t
list(const char *from, const char *to) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    const struct sq_archive_window window = {
        .from_utc = moment(from),
        .to_utc = moment(to),
        .monitor = SQ_ARCHIVE_ANY,
        .root = SQ_ARCHIVE_ANY,
    };
    sq_archive_listing_finish(&listing);
    T_OK(sq_archive_list(archive, &window, &deadline, &listing, &t_err));
    return listing.shots.count;
}

static void
is_shot(size_t index, const char *place, const char *full) {
    struct sq_archive_pick pick;
    char path[SQ_LAYOUT_PATH_SIZE];
    if (T(index < listing.shots.count)) {
        sq_archive_listing_pick(&listing, index, &pick);
        sq_layout_path(pick.place, path);
        T_STR(path, place);
        T_STR(pick.full, full);
    }
}

T_FIXTURE(t_scratch_start, stop);

T_CASE(window_excludes_its_end) {
    t_album_put("a/2026-02-27/2026-02-27_06-00-00_01-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-27/2026-02-27_06-00-30_01-00_8_6_2_1.jpg");
    t_album_put("a/2026-02-27/2026-02-27_06-01-00_01-00_8_6_3_1.jpg");
    open_roots("a", NULL);
    T_INT(list("2026-02-27T06:00:00+01:00", "2026-02-27T06:01:00+01:00"), 2);
    is_shot(0, "2026-02-27", "2026-02-27_06-00-00_01-00_8_6_1_1.jpg");
    is_shot(1, "2026-02-27", "2026-02-27_06-00-30_01-00_8_6_2_1.jpg");
    T_INT(listing.reason, SQ_ARCHIVE_REASON_NONE);
    T_INT(list("2026-02-27T06:00:01+01:00", "2026-02-27T06:01:01+01:00"), 2);
    T_INT(list("2026-02-27T05:00:00Z", "2026-02-27T05:00:01Z"), 1);
}

T_CASE(folders_of_adjacent_days_are_read) {
    /* One evening in Auckland and in Honolulu: the same hours in UTC. */
    t_album_put("a/2026-02-28/2026-02-28_12-00-00_13-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-27/2026-02-27_13-00-00_-10-00_8_6_2_1.jpg");
    /* Stored in the folder of the day before. */
    t_album_put("a/2026-02-27/2026-02-28_00-00-01_+01-00_8_6_3_1.jpg");
    t_album_put("a/2026-02-20/2026-02-20_12-00-00_+01-00_8_6_3_1.jpg");
    open_roots("a", NULL);
    T_INT(list("2026-02-27T22:30:00Z", "2026-02-27T23:30:00Z"), 3);
    T_INT(listing.roots[0].folders, 3);
    T_INT(listing.roots[0].opened, 3);
    is_shot(0, "2026-02-28", "2026-02-28_12-00-00_13-00_8_6_1_1.jpg");
    is_shot(1, "2026-02-27", "2026-02-27_13-00-00_-10-00_8_6_2_1.jpg");
    is_shot(2, "2026-02-27", "2026-02-28_00-00-01_+01-00_8_6_3_1.jpg");
}

/* The order of shots of one second must not depend on their folders. */
T_CASE(shots_of_one_second_are_sorted_by_monitor) {
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_2.jpg");
    t_album_put("b/2026-02-27/2026-02-27_05-00-00_00-00_8_6_9_1.jpg");
    open_roots("a", "b");
    T_INT(list("2026-02-27", "2026-02-28"), 2);
    T_INT(listing.shots.items[0].monitor, 1);
    T_INT(listing.shots.items[1].monitor, 2);
}

/* A name that cannot be rebuilt sorts after those that can. */
T_CASE(literal_names_sort_last_within_a_monitor) {
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_01_1.jpg");
    t_album_put("b/2026-02-27/2026-02-27_05-00-00_00-00_8_6_5_1.jpg");
    open_roots("a", "b");
    T_INT(list("2026-02-27", "2026-02-28"), 2);
    is_shot(0, "2026-02-27", "2026-02-27_05-00-00_00-00_8_6_5_1.jpg");
    is_shot(1, "2026-02-27", "2026-02-27_05-00-00_00-00_8_6_01_1.jpg");
}

T_CASE(equal_shots_sort_by_root) {
    struct sq_archive_pick pick;
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-27/2026-02-27_05-00-05_00-00_8_6_1_1.jpg");
    t_album_put("b/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    open_roots("a", "b");
    if (T_INT(list("2026-02-27", "2026-02-28"), 3)) {
        for (int i = 0; i < 2; i++) {
            sq_archive_listing_pick(&listing, (size_t)i, &pick);
            T_INT(pick.root, i);
        }
    }
}

/* Otherwise a window of a year would list more than the windows of its days. */
T_CASE(shot_in_the_wrong_folder_is_only_counted) {
    t_album_put("a/2026-02-20/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-20/2026-02-20_05-00-00_00-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-20/2026-02-10_05-00-00_00-00_8_6_1_1.jpg");
    open_roots("a", NULL);
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 0);
    T_INT(list("2026-01-01", "2026-12-31"), 1);
    is_shot(0, "2026-02-20", "2026-02-20_05-00-00_00-00_8_6_1_1.jpg");
    T_INT(listing.roots[0].misfiled, 2);
}

T_CASE(every_layout_is_found) {
    t_album_put("a/2026-02-27_05-00-01_+00-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-27/2026-02-27_05-00-02_+00-00_8_6_1_1.jpg");
    t_album_put("a/2026/02/27/2026-02-27_05-00-03_+00-00_8_6_1_1.jpg");
    t_album_put("a/2026/02/27/05/20260227_050004123_1.webp");
    t_album_put("a/2026/02/1772168405123_m1.jpg");
    t_album_put("a/other/2026-02-27_05-00-06_+00-00_8_6_1_1.jpg");
    t_album_put("a/2025/02/27/2026-02-27_05-00-06_+00-00_8_6_1_1.jpg");
    open_roots("a", NULL);
    T_INT(list("2026-02-27T05:00:00Z", "2026-02-27T05:01:00Z"), 5);
    is_shot(0, "", "2026-02-27_05-00-01_+00-00_8_6_1_1.jpg");
    is_shot(1, "2026-02-27", "2026-02-27_05-00-02_+00-00_8_6_1_1.jpg");
    is_shot(2, "2026/02/27", "2026-02-27_05-00-03_+00-00_8_6_1_1.jpg");
    is_shot(3, "2026/02/27/05", "20260227_050004123_1.webp");
    is_shot(4, "2026/02", "1772168405123_m1.jpg");
}

T_CASE(parent_folder_can_be_the_root) {
    t_album_put("m/Screenshots/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1"
                ".jpg");
    t_album_put("m/ManicTimeReports.db");
    t_album_put("p/data/2026-02-27/1772168401123_m1.jpg");
    t_album_put("p/db.sqlite");
    open_roots("m", "p");
    T_INT(list("2026-02-27T05:00:00Z", "2026-02-27T05:01:00Z"), 2);
    is_shot(0, "2026-02-27", "2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    is_shot(1, "2026-02-27", "1772168401123_m1.jpg");
    /* Also when the folder appears later. */
    t_album_put("p/data/2026-02-28/1772254801123_m1.jpg");
    T_INT(list("2026-02-28T05:00:00Z", "2026-02-28T05:01:00Z"), 1);
    /* A folder that is created inside it later is found, too. */
    t_album_put("p/new");
    T_INT(list("2026-02-28T05:00:00Z", "2026-02-28T05:01:00Z"), 1);
    t_album_put("p/Screenshots/2026-02-28/2026-02-28_05-00-02_00-00_8_6_1_1"
                ".jpg");
    T_INT(list("2026-02-28T05:00:00Z", "2026-02-28T05:01:00Z"), 1);
    is_shot(0, "2026-02-28", "2026-02-28_05-00-02_00-00_8_6_1_1.jpg");
}

T_CASE(shots_of_one_second_are_all_listed) {
    t_album_put("a/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-27_05-00-00_00-00_8_6_1_0.jpg");
    t_album_put("a/2026-02-27_05-00-00_00-00_8_6_2_0.jpg");
    t_album_put("b/2026-02-27_05-00-00_00-00_8_6_1_0.jpg");
    t_album_put("b/2026-02-27_05-00-00_00-00_8_6_0_0.JPG");
    open_roots("a", "b");
    T_INT(list("2026-02-27T05:00:00Z", "2026-02-27T05:01:00Z"), 5);
    struct sq_archive_pick pick;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    char refs[5][SQ_REF_SIZE];
    for (size_t i = 0; i < 5; i++) {
        struct sq_archive_pick again = { 0 };
        sq_archive_listing_pick(&listing, i, &pick);
        T_OK(sq_archive_ref(archive, &pick, refs[i], &t_err));
        for (size_t k = 0; k < i; k++) {
            T(strcmp(refs[i], refs[k]) != 0);
        }
        T_OK(sq_archive_resolve(archive, sq_span_of(refs[i]), &deadline, &again,
                                &t_err));
        T(again.root == pick.root && strcmp(again.full, pick.full) == 0);
    }
    /* Monitors and roots can be selected. */
    struct sq_archive_window window = { .from_utc = 0,
                                        .to_utc = UINT32_MAX,
                                        .monitor = 0,
                                        .root = SQ_ARCHIVE_ANY };
    sq_archive_listing_finish(&listing);
    T(sq_archive_list(archive, &window, &deadline, &listing, &t_err));
    T_INT(listing.shots.count, 4);
    window.root = 1;
    sq_archive_listing_finish(&listing);
    T(sq_archive_list(archive, &window, &deadline, &listing, &t_err));
    T_INT(listing.shots.count, 2);
    window.root = 2;
    T_FAILS(sq_archive_list(archive, &window, &deadline, &listing, &t_err),
            SQ_ERR_ARGUMENT);
    window.root = 0;
    window.to_utc = 0;
    T_FAILS(sq_archive_list(archive, &window, &deadline, &listing, &t_err),
            SQ_ERR_ARGUMENT);
}

T_CASE(only_changed_folders_are_read_again) {
    t_album_put("a/2026-02-26/2026-02-26_05-00-00_00-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    t_album_put("a/2026-03-01/2026-03-01_05-00-00_00-00_8_6_1_1.jpg");
    t_album_age_all();
    open_roots("a", NULL);
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 1);
    T_INT(listing.roots[0].opened, 3);
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 1);
    T_INT(listing.roots[0].folders, 3);
    T_INT(listing.roots[0].opened, 0);
    /* A new file, a new day, a removed day. */
    t_album_put("a/2026-02-27/2026-02-27_05-00-10_00-00_8_6_1_1.jpg");
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 2);
    T_INT(listing.roots[0].opened, 1);
    t_album_put("a/2026-02-28/2026-02-28_00-00-10_01-00_8_6_1_1.jpg");
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 3);
    unlink(
        t_scratch_path("a/2026-02-28/2026-02-28_00-00-10_01-00_8_6_1_1.jpg"));
    T_INT(rmdir(t_scratch_path("a/2026-02-28")), 0);
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 2);
}

/* Two changes within one tick of the file system's clock have the same time. */
T_CASE(recently_changed_folders_are_read_again) {
    struct stat st;
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    open_roots("a", NULL);
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 1);
    T(stat(t_scratch_path("a/2026-02-27"), &st) == 0);
    t_album_put("a/2026-02-27/2026-02-27_05-00-10_00-00_8_6_1_1.jpg");
    struct timespec times[2] = { st.st_atim, st.st_mtim };
    T_INT(utimensat(-100, t_scratch_path("a/2026-02-27"), times, 0), 0);
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 2);
}

T_CASE(archive_folder_can_appear_and_disappear) {
    open_roots("a", NULL);
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 0);
    T_INT(listing.roots[0].trouble, SQ_ARCHIVE_TROUBLE_MISSING);
    T_INT(listing.reason, SQ_ARCHIVE_REASON_CAPTURE_DISABLED);
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 1);
    T_INT(rename(t_scratch_path("a"), t_scratch_path("b")), 0);
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 0);
    T_INT(listing.roots[0].trouble, SQ_ARCHIVE_TROUBLE_MISSING);
    t_put(t_scratch_path("a"), "x", 1);
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 0);
    T_INT(listing.roots[0].trouble, SQ_ARCHIVE_TROUBLE_NO_FOLDER);
    T_INT(unlink(t_scratch_path("a")), 0);
    T_INT(rename(t_scratch_path("b"), t_scratch_path("a")), 0);
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 1);
}

T_BARE_CASE(without_roots_the_archive_is_empty) {
    const struct sq_archive_options options = { 0 };
    t_scratch_start();
    T_OK(sq_archive_create(&options, &archive, &t_err));
    T_INT(list("2026-02-27T00:00:00Z", "2026-02-28T00:00:00Z"), 0);
    T_INT(listing.reason, SQ_ARCHIVE_REASON_CAPTURE_DISABLED);
    T_INT(sq_archive_root_count(archive), 0);
    stop();
    const struct sq_archive_options many = { .root_count = 17 };
    T_FAILS(sq_archive_create(&many, &archive, &t_err), SQ_ERR_LIMIT);
    sq_archive_destroy(NULL);
}

T_CASE(roots_have_names) {
    open_roots("a", "b");
    T_STR(sq_archive_root_at(archive, 1)->name, "b");
    T_INT(sq_archive_root_named(archive, SQ_SPAN("b")), 1);
    T_INT(sq_archive_root_named(archive, sq_span_of(t_scratch_path("a"))), 0);
    T_INT(sq_archive_root_named(archive, SQ_SPAN("c")), SQ_ARCHIVE_ANY);
}

T_CASE(cache_limit_within_a_listing) {
    for (int day = 1; day <= 20; day++) {
        for (int shot = 0; shot < 10; shot++) {
            char name[100];
            snprintf(name, sizeof(name),
                     "a/2026-02-%02d/2026-02-%02d_05-00-%02d_00-00_8_6_1_1.jpg",
                     day, day, shot);
            t_album_put(name);
        }
    }
    const char *path = t_text("%s", t_scratch_path("a"));
    const struct sq_archive_root root = { .path = path,
                                          .permission = SQ_ARCHIVE_FULL };
    const struct sq_archive_options options = { .roots = &root,
                                                .root_count = 1 };
    T_OK(sq_archive_create(&options, &archive, &t_err));
    archive->roots[0].cache.max_bytes = 600;
    T_INT(list("2026-01-01", "2026-12-31"), 200);
    for (size_t i = 1; i < listing.shots.count; i++) {
        T(listing.shots.items[i - 1].utc < listing.shots.items[i].utc);
    }
    T(archive->roots[0].cache.bytes <= 600);
}

/* One of several threads that list, resolve and read while files are added. */
static void *
use(void *context) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    const struct sq_archive_window window = { 0, UINT32_MAX, -1, -1 };
    for (int i = 0; i < 50; i++) {
        T_FREED(sq_archive_listing_finish)
        struct sq_archive_listing mine = { 0 };
        struct sq_archive_pick pick;
        struct sq_archive_file file = { 0 };
        char ref[SQ_REF_SIZE];
        bool ok = sq_archive_list(archive, &window, &deadline, &mine, &t_err)
               && mine.shots.count > 0;
        if (ok) {
            sq_archive_listing_pick(&mine, mine.shots.count - 1, &pick);
            ok = sq_archive_ref(archive, &pick, ref, &t_err)
              && sq_archive_resolve(archive, sq_span_of(ref), &deadline, &pick,
                                    &t_err)
              && sq_archive_read(archive, &pick, SQ_ARCHIVE_WANT_FULL,
                                 &deadline, &file, &t_err);
        }
        T_OK(ok);
        sq_buf_finish(&file.bytes);
    }
    return NULL;
}

T_CASE(threads_can_share_the_archive) {
    pthread_t threads[4];
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    t_album_put("b/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    open_roots("a", "b");
    for (int i = 0; i < 4; i++) {
        T_INT(pthread_create(&threads[i], NULL, use, NULL), 0);
    }
    for (int i = 0; i < 40; i++) {
        char name[100];
        snprintf(name, sizeof(name),
                 "a/2026-02-%02d/2026-02-%02d_05-00-%02d_00-00_8_6_2_1.jpg",
                 i % 20 + 1, i % 20 + 1, i);
        t_album_put(name);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
}

T_CASE(deadline_ends_a_listing) {
    struct sq_deadline over = sq_deadline_in(0, NULL);
    const struct sq_archive_window window = { 0, UINT32_MAX, -1, -1 };
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    open_roots("a", NULL);
    T_FAILS(sq_archive_list(archive, &window, &over, &listing, &t_err),
            SQ_ERR_TIMEOUT);
}
