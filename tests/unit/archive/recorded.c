/* Which recorded screenshots are removed, and that no other file ever is. */
#include "archive/recorded.h"

#include <sys/stat.h>
#include <unistd.h>

#include <errno.h>
#include <stdio.h>
#include <utime.h>

#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/folder.h"
#include "util/fault.h"

#define DAY_S 86400
#define NOW INT64_C(1768471200) /* 2026-01-15T10:00:00Z */
#define PICTURE 600             /* bytes */
#define THUMB 100

static int folder;
static struct sq_recorded_result result;

static void
start(void) {
    t_scratch_start();
    T_OK(sq_folder_open(t_scratch_path("a"), &folder, &t_err));
}

static void
end(void) {
    sq_folder_close(folder);
    t_album_end();
}

T_FIXTURE(start, end);

static void
put(const char *name, size_t len, int64_t utc) {
    static const char bytes[PICTURE];
    const struct utimbuf times = { (time_t)utc, (time_t)utc };
    T_INT(unlink(t_scratch_path(name)) == 0 || errno == ENOENT, true);
    t_put(t_scratch_path(name), bytes, len);
    T_INT(utime(t_scratch_path(name), &times), 0);
}

/* Puts a picture and a thumbnail of that many days ago. */
static void
put_files(const char *stem, int days) {
    char name[200];
    snprintf(name, sizeof(name), "a/%.10s", stem);
    T(mkdir(t_scratch_path(name), 0700) == 0 || errno == EEXIST);
    snprintf(name, sizeof(name), "a/%s.jpg", stem);
    put(name, PICTURE, NOW - (int64_t)days * DAY_S);
    snprintf(name, sizeof(name), "a/%s.thumbnail.jpg", stem);
    put(name, THUMB, NOW - (int64_t)days * DAY_S);
}

static void
record(const char *stem, int days) {
    put_files(stem, days);
    T_OK(sq_recorded_add(folder, stem, &t_err));
}

/* A line in the list of a day as someone else might have written it. */
static void
forge(const char *day, const char *line) {
    char name[200];
    snprintf(name, sizeof(name), "a/%s/" SQ_RECORDED_LIST, day);
    FILE *list = fopen(t_scratch_path(name), "a");
    T(list && fprintf(list, "%s\n", line) > 0);
    T_INT(fclose(list), 0);
}

static bool
prune_at(int64_t now, int days, int64_t bytes, bool is_rehearsal) {
    const struct sq_deadline deadline = sq_deadline_in(T_PATIENCE_MS, NULL);
    const struct sq_recorded_limits limits = {
        .now = now,
        .max_age_s = (int64_t)days * DAY_S,
        .max_bytes = bytes,
        .is_rehearsal = is_rehearsal,
    };
    t_err = (struct sq_err){ 0 };
    return sq_recorded_prune(t_scratch_path("a"), &limits, &deadline, &result,
                             &t_err);
}

static bool
prune(int days, int64_t bytes) {
    return prune_at(NOW, days, bytes, false);
}

static bool
exists(const char *name) {
    struct stat st;
    return lstat(t_scratch_path(name), &st) == 0;
}

T_CASE(what_is_older_is_removed_with_its_thumbnail) {
    record("2026-01-01/one", 14);
    record("2026-01-01/two", 14);
    record("2026-01-10/three", 5);
    T_OK(prune_at(NOW, 10, 0, true));
    T_INT(result.removed, 2);
    T(exists("a/2026-01-01/one.jpg"));
    T_OK(prune(10, 0));
    T_INT(result.removed, 2);
    T_INT(result.removed_bytes, 2 * (PICTURE + THUMB));
    T_STR(result.from, "2026-01-01");
    T_STR(result.to, "2026-01-01");
    T_INT(result.kept, 1);
    T_INT(result.kept_bytes, PICTURE + THUMB);
    T(!exists("a/2026-01-01"));
    T(exists("a/2026-01-10/three.thumbnail.jpg"));
    T_OK(prune(10, 0));
    T_INT(result.removed, 0);
    T_STR(result.from, "");
}

T_CASE(the_oldest_beyond_a_size_are_removed) {
    record("2026-01-13/one", 2);
    record("2026-01-14/two", 1);
    record("2026-01-14/three", 1);
    T_OK(prune(0, 3 * (PICTURE + THUMB)));
    T_INT(result.removed, 0);
    T_OK(prune(0, 2 * (PICTURE + THUMB) - 1));
    T_INT(result.removed, 2);
    T_STR(result.from, "2026-01-13");
    T_STR(result.to, "2026-01-14");
    T(!exists("a/2026-01-14/two.jpg"));
    T(exists("a/2026-01-14/three.jpg"));
    /* What is too old does not count. */
    record("2026-01-01/old", 14);
    T_OK(prune(10, PICTURE + THUMB));
    T_INT(result.removed, 1);
    T(exists("a/2026-01-14/three.jpg"));
}

/* A shot may be added at any moment. */
T_CASE(the_lists_of_the_last_days_stay) {
    record("2026-01-14/one", 1);
    T_OK(prune(0, 1));
    T_INT(result.removed, 1);
    T(exists("a/2026-01-14/" SQ_RECORDED_LIST));
    record("2026-01-14/two", 1);
    T_OK(prune_at(NOW + (int64_t)5 * DAY_S, 3, 0, false));
    T_INT(result.removed, 1);
    T(!exists("a/2026-01-14"));
}

T_CASE(files_of_others_stay) {
    record("2026-01-01/ours", 14);
    put_files("2026-01-01/theirs", 14);
    put_files("2025-12-01/theirs", 45);
    put("a/2026-01-01/notes.txt", 5, NOW - (int64_t)14 * DAY_S);
    T_OK(prune(10, 0));
    T_INT(result.removed, 1);
    T_INT(result.kept, 0);
    T(!exists("a/2026-01-01/ours.jpg"));
    T(exists("a/2026-01-01/theirs.jpg"));
    T(exists("a/2026-01-01/theirs.thumbnail.jpg"));
    T(exists("a/2026-01-01/notes.txt"));
    T(exists("a/2025-12-01/theirs.jpg"));
}

T_CASE(changed_files_stay) {
    record("2026-01-01/longer", 14);
    record("2026-01-01/later", 14);
    record("2026-01-01/thumb", 14);
    record("2026-01-01/half", 14);
    put("a/2026-01-01/longer.jpg", PICTURE - 1, NOW - (int64_t)14 * DAY_S);
    put("a/2026-01-01/later.jpg", PICTURE, NOW - (int64_t)13 * DAY_S);
    put("a/2026-01-01/thumb.thumbnail.jpg", 1, NOW);
    T_INT(unlink(t_scratch_path("a/2026-01-01/half.jpg")), 0);
    T_OK(prune(10, 0));
    T_INT(result.changed, 3);
    T_INT(result.kept, 3);
    T_INT(result.removed, 1);
    T(exists("a/2026-01-01/longer.thumbnail.jpg"));
    T(exists("a/2026-01-01/later.jpg"));
    T(exists("a/2026-01-01/thumb.jpg"));
    T(!exists("a/2026-01-01/half.thumbnail.jpg"));
}

T_CASE(no_list_leads_out_of_its_folder) {
    static const char *const lines[] = {
        "600 1767261600 100 1767261600 ../outside",
        "600 1767261600 100 1767261600 ../2025-12-01/theirs",
        "600 1767261600 100 1767261600 sub/outside",
        "600 1767261600 100 1767261600 .hidden",
        "600 1767261600 100 1767261600 ",
        "600 1767261600 100",
        "600 1767261600 100 1767261600 linked",
        "rubbish",
        "",
    };
    record("2026-01-01/ours", 14);
    put_files("2025-12-01/theirs", 14);
    put("a/outside.jpg", PICTURE, NOW - (int64_t)14 * DAY_S);
    T_INT(symlink("../outside.jpg", t_scratch_path("a/2026-01-01/linked.jpg")),
          0);
    T_INT(mkdir(t_scratch_path("a/2026-01-01/sub"), 0700), 0);
    put("a/2026-01-01/sub/outside.jpg", PICTURE, NOW - (int64_t)14 * DAY_S);
    put("a/2026-01-01/.hidden.jpg", PICTURE, NOW - (int64_t)14 * DAY_S);
    T_EACH(i, lines) {
        forge("2026-01-01", lines[i]);
    }
    /* A day elsewhere. */
    T_INT(mkdir(t_scratch_path("elsewhere"), 0700), 0);
    T_INT(symlink("../elsewhere", t_scratch_path("a/2026-01-02")), 0);
    put("elsewhere/x.jpg", PICTURE, NOW - (int64_t)14 * DAY_S);
    forge("2026-01-02", "600 1767261600 100 1767261600 x");
    T_OK(prune(10, 0));
    T_INT(result.removed, 1);
    T_INT(result.changed, 1);
    T(exists("a/outside.jpg"));
    T(exists("a/2025-12-01/theirs.jpg"));
    T(exists("a/2026-01-01/linked.jpg"));
    T(exists("a/2026-01-01/sub/outside.jpg"));
    T(exists("a/2026-01-01/.hidden.jpg"));
    T(exists("elsewhere/x.jpg"));
}

T_CASE(a_missing_folder_has_nothing) {
    T_INT(rmdir(t_scratch_path("a")), 0);
    T_OK(prune(10, 0));
    T_INT(result.removed + result.kept, 0);
}

/* What could not be removed is said, and removed the next time. */
T_CASE(no_failed_system_call_is_silent) {
    bool reached = true;
    long failed = 0;
    for (long nth = 1; reached && nth < 100; nth++) {
        record("2026-01-01/one", 14);
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = nth, .how = EIO });
        bool ok = prune(10, 0);
        reached = sq_fault_count(SQ_FAULT_CALL) >= nth;
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
        failed += !ok || result.failed > 0;
        T(!exists("a/2026-01-01/one.jpg") || !ok || result.failed == 1
          || result.removed == 0);
        T_OK(prune(10, 0));
        T(!exists("a/2026-01-01/one.jpg"));
        T(!exists("a/2026-01-01/one.thumbnail.jpg"));
    }
    T(failed >= 3);
}
