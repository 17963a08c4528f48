/* Health, totals, references and the index, across processes. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive/archive.h"
#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

#define DAY_27 20511 /* 2026-02-27 in days since 1970 */
#define DAY_S 86400
/* The literal is split because a hexadecimal escape has no fixed length. */
#define CZECH                                                                  \
    "a/2026/02/27/Sn\xc3\xadmek 2026-02-27 v\xc2\xa0"                          \
    "05.00.00.png"

static struct sq_archive *archive;

static bool
open_archive(struct sq_err *err) {
    char paths[4][600];
    static const char *const names[] = { "a", "b", "cache", "state" };
    for (size_t i = 0; i < 4; i++) {
        snprintf(paths[i], sizeof(paths[i]), "%s", t_scratch_path(names[i]));
    }
    const struct sq_archive_root roots[] = {
        { .path = paths[0], .permission = SQ_ARCHIVE_FULL },
        { .path = paths[1], .permission = SQ_ARCHIVE_FULL },
    };
    const struct sq_archive_options options = { .roots = roots,
                                                .root_count = 2,
                                                .index_folder = paths[2],
                                                .key_folder = paths[3] };
    return sq_archive_create(&options, &archive, err);
}

static void
start(void) {
    t_scratch_start();
    T_OK(open_archive(&t_err));
}

static void
reopen(void) {
    sq_archive_destroy(archive);
    T_OK(open_archive(&t_err));
}

static void
stop(void) {
    sq_archive_destroy(archive);
    t_album_end();
}

static bool
list(int64_t from, int64_t to, struct sq_archive_listing *out,
     struct sq_err *err) {
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    const struct sq_archive_window window = { from, to, SQ_ARCHIVE_ANY,
                                              SQ_ARCHIVE_ANY };
    return sq_archive_list(archive, &window, &deadline, out, err);
}

/* The reason why a day has no shots. */
static enum sq_archive_reason
reason_of(int day) {
    T_FREED(sq_archive_listing_finish)
    struct sq_archive_listing listing = { 0 };
    T_OK(list((int64_t)day * DAY_S, (int64_t)(day + 1) * DAY_S, &listing,
              &t_err));
    enum sq_archive_reason reason = listing.reason;
    T((reason == SQ_ARCHIVE_REASON_NONE) == (listing.shots.count > 0));
    return reason;
}

static struct sq_archive_health
health_of(size_t root) {
    struct sq_archive_health health = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    T_OK(sq_archive_health(archive, root, &deadline, &health, &t_err));
    return health;
}

T_FIXTURE(start, stop);

T_CASE(empty_window_has_a_reason) {
    T_INT(reason_of(DAY_27), SQ_ARCHIVE_REASON_CAPTURE_DISABLED);
    t_album_folder("a");
    T_INT(reason_of(DAY_27), SQ_ARCHIVE_REASON_CAPTURE_DISABLED);
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    T_INT(reason_of(DAY_27), SQ_ARCHIVE_REASON_NONE);
    T_INT(reason_of(DAY_27 - 10), SQ_ARCHIVE_REASON_RETENTION);
    T_INT(reason_of(DAY_27 + 10), SQ_ARCHIVE_REASON_UNKNOWN);
    /* A second folder, with names of an unknown program. */
    t_album_put("b/holiday.jpg");
    T_INT(reason_of(DAY_27 - 10), SQ_ARCHIVE_REASON_UNKNOWN);
    unlink(t_scratch_path("b/holiday.jpg"));
    T_INT(reason_of(DAY_27 - 10), SQ_ARCHIVE_REASON_RETENTION);
    /* All files were deleted, but not their folder. */
    unlink(t_scratch_path("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1"
                          ".jpg"));
    T_INT(reason_of(DAY_27), SQ_ARCHIVE_REASON_RETENTION);
}

T_BARE_CASE(every_reason_has_a_name) {
    T_STR(sq_archive_reason_name(SQ_ARCHIVE_REASON_NONE), "None");
    T_STR(sq_archive_reason_name(SQ_ARCHIVE_REASON_RETENTION), "Retention");
    T_STR(sq_archive_reason_name(SQ_ARCHIVE_REASON_CAPTURE_DISABLED),
          "CaptureDisabled");
    T_STR(sq_archive_reason_name(SQ_ARCHIVE_REASON_UNKNOWN), "Unknown");
    T_STR(sq_archive_trouble_name(SQ_ARCHIVE_TROUBLE_FORBIDDEN), "forbidden");
}

/* Links are not followed; what is wrong is only found out by looking for them.
 */
T_CASE(links_in_the_root_and_in_a_day_are_noticed) {
    t_album_folder("a");
    T(!health_of(0).has_links);
    T(symlink("elsewhere.jpg", t_scratch_path("a/shot.jpg")) == 0);
    T(health_of(0).has_links);
    t_album_folder("b/2026-02-27");
    T(!health_of(1).has_links);
    T(symlink("elsewhere.jpg", t_scratch_path("b/2026-02-27/shot.jpg")) == 0);
    T(health_of(1).has_links);
}

T_CASE(health_describes_each_root) {
    struct sq_archive_health health = health_of(0);
    T_INT(health.trouble, SQ_ARCHIVE_TROUBLE_MISSING);
    T(!health.written && health.oldest_day == SQ_ARCHIVE_NO_DAY);
    t_album_folder("a/2026-02-20");
    health = health_of(0);
    T(health.written && health.newest_day == SQ_ARCHIVE_NO_DAY);
    /* Late evening in UTC is the next day in the local zone. */
    t_album_put("a/2026-02-27/2026-02-27_00-30-00_+02-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-27/2026-02-27_00-30-00_+02-00_8_6_1_1.thumbnail"
                ".jpg");
    t_album_put("a/2026-02-27/holiday.jpg");
    t_album_put("a/2026-03-01/2026-03-01_05-00-00_00-00_8_6_1_1.jpg");
    t_album_folder("a/2026-03-02");
    t_album_put("b/2026/02/27/05/20260227_050004123_1.webp");
    health = health_of(0);
    T_INT(health.trouble, SQ_ARCHIVE_TROUBLE_NONE);
    T_INT(health.oldest_day, DAY_27);
    T_INT(health.newest_day, DAY_27 + 2);
    T_INT(health.folders, 4);
    T_INT(health.shots, 2);
    T_INT(health.thumbnails, 1);
    T_INT(health.unparsed, 1);
    T_STR(sq_name_strategy_at(health.strategy)->id, "manictime");
    T(sq_archive_refs_persist(archive));
    health = health_of(1);
    T_INT(health.oldest_day, DAY_27);
    T_STR(sq_name_strategy_at(health.strategy)->id, "aw-watcher-screenshot");
}

static uint64_t told;

static void
count_shots(void *context, uint32_t done, uint32_t known, uint64_t shots) {
    T(done <= known);
    told = shots;
}

T_CASE(totals_cover_all_roots) {
    struct sq_archive_totals totals = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    const struct sq_archive_progress progress = { count_shots, NULL };
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.thumbnail.jpg");
    t_album_put("a/2025-02-27/2025-02-27_05-00-00_00-00_8_6_1_1.thumbnail.jpg");
    t_album_put("a/2026/02/27/1772168405123_m1.jpg");
    t_album_put("a/2026/02/27/x.jpg");
    T_OK(sq_archive_scan(archive, 0, &progress, &deadline, &totals, &t_err));
    T_INT(totals.shots, 3);
    T_INT(told, 3);
    T_INT(totals.full, 2);
    T_INT(totals.thumbnails, 2);
    T_INT(totals.unparsed, 1);
    T_INT(totals.folders, 3);
    T_INT(totals.by_strategy[0], 2);
    T_INT(totals.first_utc, 1740632400);
    T_INT(totals.last_utc, 1772168405);
    T_OK(sq_archive_scan(archive, 1, NULL, &deadline, &totals, &t_err));
    T_INT(totals.trouble, SQ_ARCHIVE_TROUBLE_MISSING);
}

/* The reference of the only shot. */
static void
make_ref(char out[SQ_REF_SIZE]) {
    T_FREED(sq_archive_listing_finish)
    struct sq_archive_listing listing = { 0 };
    struct sq_archive_pick pick;
    T_OK(list(0, UINT32_MAX, &listing, &t_err));
    if (T_INT(listing.shots.count, 1)) {
        sq_archive_listing_pick(&listing, 0, &pick);
        T_OK(sq_archive_ref(archive, &pick, out, &t_err));
    }
}

static enum sq_err_code
resolve(const char *ref, struct sq_archive_pick *out) {
    struct sq_err err = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    bool ok =
        sq_archive_resolve(archive, sq_span_of(ref), &deadline, out, &err);
    T(ok == (err.code == SQ_ERR_NONE) && (ok || err.hint[0]));
    return err.code;
}

T_BARE_CASE(references_are_valid_in_other_processes) {
    static const char *const names[] = {
        "a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg",
        "a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.thumbnail.jpg",
        "a/Screenshot_20260227_050000_Some App.png",
        CZECH,
        "b/1772168405123_m724851.jpg",
    };
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        char ref[SQ_REF_SIZE] = "";
        char again[SQ_REF_SIZE] = "";
        struct sq_archive_pick pick = { 0 };
        start();
        t_album_put(names[i]);
        make_ref(ref);
        T_INT(strlen(ref), 32);
        reopen();
        make_ref(again);
        T_STR(again, ref);
        /* In a process that has not listed, and with more files than before. */
        reopen();
        t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_0_1.jpg");
        t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_2_1.jpg");
        T_INT(resolve(ref, &pick), SQ_ERR_NONE);
        const char *base = strrchr(names[i], '/') + 1;
        T_STR(pick.full[0] ? pick.full : pick.thumb, base);
        T_INT(pick.root, names[i][0] == 'b');
        T(unlink(t_scratch_path(names[i])) == 0);
        T_INT(resolve(ref, &pick), SQ_ERR_NOT_FOUND);
        stop();
    }
}

T_CASE(forged_references_are_refused) {
    char ref[SQ_REF_SIZE] = "";
    struct sq_archive_pick pick = { 0 };
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    make_ref(ref);
    ref[5] = ref[5] == 'A' ? 'B' : 'A';
    T_INT(resolve(ref, &pick), SQ_ERR_UNKNOWN_SCREENSHOT);
    T_INT(resolve("../../etc/passwd", &pick), SQ_ERR_UNKNOWN_SCREENSHOT);
    make_ref(ref);
    /* Another user, or another archive. */
    T(unlink(t_scratch_path("state/screenshot-ref.key")) == 0);
    reopen();
    T_INT(resolve(ref, &pick), SQ_ERR_UNKNOWN_SCREENSHOT);
}

T_CASE(without_a_key_folder_references_still_work) {
    char ref[SQ_REF_SIZE] = "";
    struct sq_archive_pick pick = { 0 };
    t_put(t_scratch_path("state"), "x", 1); /* a file in place of a folder */
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    make_ref(ref);
    T_INT(resolve(ref, &pick), SQ_ERR_NONE);
    T(!sq_archive_refs_persist(archive));
}

/* A failure may be temporary: the next call tries again. */
T_CASE(unreadable_key_is_tried_again) {
    char before[SQ_REF_SIZE] = "";
    char meanwhile[SQ_REF_SIZE] = "";
    char after[SQ_REF_SIZE] = "";
    struct sq_archive_pick pick = { 0 };
    struct sq_err err = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    make_ref(before);
    reopen();
    T(chmod(t_scratch_path("state/screenshot-ref.key"), 0644) == 0);
    /* The reference may be valid, but it cannot be verified now. */
    T(!sq_archive_resolve(archive, sq_span_of(before), &deadline, &pick, &err));
    T_INT(err.code, SQ_ERR_UNKNOWN_SCREENSHOT);
    T_HAS(err.message, "cannot be checked: screenshot-ref.key is not");
    make_ref(meanwhile);
    T(strcmp(before, meanwhile) != 0);
    T_INT(resolve(meanwhile, &pick), SQ_ERR_NONE);
    T(!sq_archive_refs_persist(archive));
    T(chmod(t_scratch_path("state/screenshot-ref.key"), 0600) == 0);
    T_INT(resolve(before, &pick), SQ_ERR_NONE);
    T(sq_archive_refs_persist(archive));
    make_ref(after);
    T_STR(after, before);
    /* References that were made in between stay valid in this process. */
    T_INT(resolve(meanwhile, &pick), SQ_ERR_NONE);
    reopen();
    T_INT(resolve(meanwhile, &pick), SQ_ERR_UNKNOWN_SCREENSHOT);
}

static uint32_t
opened_by_listing(size_t *shots) {
    T_FREED(sq_archive_listing_finish)
    struct sq_archive_listing listing = { 0 };
    T_OK(list(0, UINT32_MAX, &listing, &t_err));
    uint32_t opened = listing.roots[0].opened;
    *shots = listing.shots.count;
    return opened;
}

T_CASE(index_avoids_reading_folders) {
    size_t shots = 0;
    struct sq_archive_totals totals;
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-28/Screenshot_20260228_050000_Some App.png");
    t_album_age_all();
    T_INT(opened_by_listing(&shots), 3);
    T_OK(sq_archive_scan(archive, 0, NULL, &deadline, &totals, &t_err));
    reopen();
    T_INT(opened_by_listing(&shots), 0);
    T_INT(shots, 2);
    /* The index is used only while the folder has not changed. */
    reopen();
    t_album_put("a/2026-02-27/2026-02-27_05-00-01_00-00_8_6_1_1.jpg");
    T_INT(opened_by_listing(&shots), 1);
    T_INT(shots, 3);
    /* Nothing was written to the archive. */
    T_INT(t_count_entries(t_scratch_path("a")), 2);
    T_INT(t_count_entries(t_scratch_path("cache")), 1);
    struct stat st;
    T(stat(t_scratch_path("cache"), &st) == 0);
    T_INT(st.st_mode & 0777, 0700);
}

static bool
build(void *context, struct sq_err *err) {
    T_FREED(sq_archive_listing_finish)
    struct sq_archive_listing listing = { 0 };
    struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    struct sq_archive_health health;
    struct sq_archive_totals totals;
    struct sq_archive_pick pick;
    char ref[SQ_REF_SIZE];
    archive = NULL;
    bool ok = open_archive(err) && list(0, UINT32_MAX, &listing, err);
    if (ok && T_INT(listing.shots.count, 3)) {
        sq_archive_listing_pick(&listing, 0, &pick);
        ok = sq_archive_ref(archive, &pick, ref, err)
          && sq_archive_resolve(archive, sq_span_of(ref), &deadline, &pick, err)
          && sq_archive_health(archive, 0, &deadline, &health, err)
          && sq_archive_scan(archive, 0, NULL, &deadline, &totals, err);
    }
    sq_archive_destroy(archive);
    return ok;
}

static void
put_some(void) {
    t_scratch_start();
    t_album_put("a/2026-02-27/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
    t_album_put("a/2026-02-28/Screenshot_20260228_050000_Some App.png");
    t_album_put("b/2026-02-27_05-00-00_00-00_8_6_1_1.jpg");
}

T_BARE_CASE(out_of_memory_is_reported) {
    put_some();
    T(t_alloc_torture(build, NULL) > 20);
    t_album_end();
}

/* A failed system call makes a listing shorter, but never wrong. */
T_BARE_CASE(failed_system_calls_are_reported) {
    static const int ways[] = { EIO, EINTR, EMFILE, ENOSYS, SQ_FAULT_SHORT };
    put_some();
    T_EACH(w, ways) {
        bool last = false;
        for (long nth = 1; nth < 300 && !last; nth++) {
            const struct sq_fault_plan plan = { .nth = nth, .how = ways[w] };
            const struct sq_fault_plan none = { 0 };
            struct sq_archive_listing listing = { 0 };
            int open = t_count_open_files();
            T_OK(open_archive(&t_err));
            sq_fault_arm(SQ_FAULT_CALL, plan);
            bool ok = list(0, UINT32_MAX, &listing, &t_err);
            last = sq_fault_count(SQ_FAULT_CALL) < nth;
            sq_fault_arm(SQ_FAULT_CALL, none);
            if (!ok) {
                /*
                 * The listing reports what is missing; the folder is not
                 * blamed.
                 */
                T_INT(ways[w], EMFILE);
                T_INT(t_err.code, SQ_ERR_EXHAUSTED);
                T_HAS(t_err.hint, "ulimit -n");
                sq_archive_destroy(archive);
                T_INT(t_count_open_files(), open);
                continue;
            }
            T(listing.shots.count <= 3);
            bool told_of_it =
                listing.roots[0].trouble || listing.roots[1].trouble
                || listing.roots[0].unreadable || listing.roots[1].unreadable;
            T(listing.shots.count == 3 || told_of_it);
            T(ways[w] != EINTR || listing.shots.count == 3);
            sq_archive_listing_finish(&listing);
            sq_archive_destroy(archive);
            T_INT(t_count_open_files(), open);
        }
        T(last);
    }
    t_album_end();
}
