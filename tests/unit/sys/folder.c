#include "sys/folder.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

static int folder;

static void
start(void) {
    t_scratch_start();
    T_OK(sq_folder_open(t_scratch(), &folder, &t_err));
}

static void
stop(void) {
    sq_folder_close(folder);
    t_scratch_end();
}

static enum sq_err_code
put(const char *name) {
    struct sq_err err = { 0 };
    bool ok = sq_folder_write(folder, sq_span_of(name), "bytes", 5, &err);
    T(ok == (err.code == SQ_ERR_NONE));
    return err.code;
}

T_CASE(folder_is_created_with_its_parents) {
    int made = -1;
    struct stat st;
    t_scratch_start();
    T_OK(sq_folder_open(t_scratch_path("a/b/c"), &made, &t_err));
    T(stat(t_scratch_path("a/b/c"), &st) == 0 && S_ISDIR(st.st_mode));
    T_INT(st.st_mode & 0777, 0700);
    sq_folder_close(made);
    T_OK(sq_folder_open(t_scratch_path("a/b/c"), &made, &t_err));
    sq_folder_close(made);
    t_put(t_scratch_path("file"), "x", 1);
    T(!sq_folder_open(t_scratch_path("file"), &made, &t_err));
    T(!sq_folder_open(t_scratch_path("file/x"), &made, &t_err));
    rmdir(t_scratch_path("a/b/c"));
    rmdir(t_scratch_path("a/b"));
    rmdir(t_scratch_path("a"));
    t_scratch_end();
}

T_CASE(new_file_is_private_and_not_overwritten) {
    start();
    struct stat st;
    T_INT(put("one.png"), SQ_ERR_NONE);
    T(t_holds(t_scratch_path("one.png"), "bytes", 5));
    T(stat(t_scratch_path("one.png"), &st) == 0);
    T_INT(st.st_mode & 0777, 0600);
    T_INT(put("one.png"), SQ_ERR_EXISTS);
    T(t_holds(t_scratch_path("one.png"), "bytes", 5));
    T_INT(put("deep/er/two.png"), SQ_ERR_NONE);
    T(t_holds(t_scratch_path("deep/er/two.png"), "bytes", 5));
    sq_folder_remove(folder, SQ_SPAN("deep/er/two.png"));
    T(access(t_scratch_path("deep/er/two.png"), F_OK) != 0);
    rmdir(t_scratch_path("deep/er"));
    rmdir(t_scratch_path("deep"));
    stop();
}

T_CASE(paths_outside_the_folder_are_refused) {
    static const char *const names[] = {
        "",     "/etc/x", "..",     "../x",  "a/../../x", "a/..",   "a//b",
        "x/",   ".",      "./x",    "a/./b", ".hidden",   "a\\b",   "a\nb",
        "\x7f", "\xff",   "link/x", "to/x",  "dangling",  "file/x",
    };
    start();
    mkdir(t_scratch_path("real"), 0700);
    T(symlink("/tmp", t_scratch_path("link")) == 0);
    T(symlink("real", t_scratch_path("to")) == 0);
    T(symlink("/tmp/squint-must-not-appear", t_scratch_path("dangling")) == 0);
    t_put(t_scratch_path("file"), "x", 1);
    int before = t_count_entries(t_scratch());
    for (size_t i = 0; i < SQ_COUNT(names); i++) {
        if (!T(put(names[i]) != SQ_ERR_NONE)) {
            printf("# %s\n", names[i]);
        }
    }
    T_INT(t_count_entries(t_scratch()), before);
    T_INT(t_count_entries(t_scratch_path("real")), 0);
    T(access("/tmp/squint-must-not-appear", F_OK) != 0);
    char long_name[400];
    memset(long_name, 'x', sizeof(long_name) - 1);
    long_name[sizeof(long_name) - 1] = '\0';
    T_INT(put(long_name), SQ_ERR_ARGUMENT);
    rmdir(t_scratch_path("real"));
    stop();
}

T_CASE(only_regular_files_are_read) {
    start();
    struct sq_err err = { 0 };
    struct sq_buf bytes = { 0 };
    T_INT(put("one.png"), SQ_ERR_NONE);
    T_OK(sq_folder_read(folder, SQ_SPAN("one.png"), 5, &bytes, &err), &err);
    T_BYTES(bytes.data, bytes.len, "bytes", 5);
    sq_buf_finish(&bytes);
    T(!sq_folder_read(folder, SQ_SPAN("one.png"), 4, &bytes, &err));
    T_INT(err.code, SQ_ERR_LIMIT);
    T(!sq_folder_read(folder, SQ_SPAN("none"), 5, &bytes, &err));
    T_INT(err.code, SQ_ERR_NOT_FOUND);
    T(mkfifo(t_scratch_path("pipe"), 0600) == 0);
    T(!sq_folder_read(folder, SQ_SPAN("pipe"), 5, &bytes, &err));
    T(symlink("one.png", t_scratch_path("link")) == 0);
    T(!sq_folder_read(folder, SQ_SPAN("link"), 5, &bytes, &err));
    T(bytes.data == NULL);
    stop();
}

T_CASE(names_are_random) {
    char a[SQ_RANDOM_NAME_SIZE];
    char b[SQ_RANDOM_NAME_SIZE];
    T_OK(sq_random_name(a, &t_err));
    T_OK(sq_random_name(b, &t_err));
    T_INT(strlen(a), 32);
    T_INT(strspn(a, "0123456789abcdef"), 32);
    T(strcmp(a, b) != 0);
}

/* Writes x with one call failing; returns whether that call was reached. */
static bool
put_failing(struct sq_fault_plan plan) {
    const struct sq_fault_plan none = { 0 };
    int open = t_count_open_files();
    sq_fault_arm(SQ_FAULT_CALL, plan);
    enum sq_err_code code = put("x");
    bool was_reached = sq_fault_count(SQ_FAULT_CALL) >= plan.nth;
    sq_fault_arm(SQ_FAULT_CALL, none);
    T_INT(t_count_open_files(), open);
    bool there = access(t_scratch_path("x"), F_OK) == 0;
    T(there == (code == SQ_ERR_NONE));
    T(!there || t_holds(t_scratch_path("x"), "bytes", 5));
    unlink(t_scratch_path("x"));
    T(code == SQ_ERR_NONE || plan.how > 0);
    T(code == SQ_ERR_NONE || plan.how != EINTR);
    return was_reached;
}

/* If all later calls fail too, nothing can be removed. */
T_CASE(failed_calls_leave_no_file) {
    static const struct sq_fault_plan ways[] = {
        { .how = EIO },
        { .how = ENOSPC },
        { .how = EINTR },
        { .how = SQ_FAULT_SHORT },
        { .how = EIO, .from_then = true },
    };
    start();
    for (size_t w = 0; w < SQ_COUNT(ways); w++) {
        struct sq_fault_plan plan = ways[w];
        do {
            plan.nth++;
        } while (put_failing(plan) && plan.nth < 50);
        T(plan.nth > 3 && plan.nth < 50);
    }
    stop();
}

/* Makes folders and a file in them. Returns whether it was done. */
static bool
put_deep(void) {
    struct sq_made_folders made;
    int opened;
    if (!sq_folder_open_new(t_scratch_path("a/b"), &opened, &made, NULL)) {
        return false;
    }
    bool ok = sq_folder_write(opened, SQ_SPAN("c/d/x"), "bytes", 5, NULL);
    T_INT(t_count_entries(t_scratch_path("a/b")), ok ? 1 : 0);
    sq_folder_close(opened);
    if (!ok) {
        sq_folder_remove_made(&made);
    }
    return ok;
}

T_CASE(failed_calls_leave_no_new_folder) {
    long nth = 1;
    bool reached = true;
    t_scratch_start();
    T_INT(mkdir(t_scratch_path("a"), 0700), 0);
    for (; reached && nth < 50; nth++) {
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = nth, .how = ENOSPC });
        bool ok = put_deep();
        reached = sq_fault_count(SQ_FAULT_CALL) >= nth;
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
        T_INT(t_count_entries(t_scratch_path("a")), ok ? 1 : 0);
        if (ok) {
            T(t_holds(t_scratch_path("a/b/c/d/x"), "bytes", 5));
            unlink(t_scratch_path("a/b/c/d/x"));
            rmdir(t_scratch_path("a/b/c/d"));
            rmdir(t_scratch_path("a/b/c"));
            rmdir(t_scratch_path("a/b"));
        }
    }
    T(nth > 8 && nth < 50);
    rmdir(t_scratch_path("a"));
    t_scratch_end();
}

/* Folders that are in use, and those that existed before, are kept. */
T_CASE(only_new_and_empty_folders_are_removed) {
    struct sq_made_folders made;
    int opened;
    size_t outermost;
    t_scratch_start();
    T_OK(sq_folder_open_new(t_scratch_path("a/b/c"), &opened, &made, &t_err));
    T_OK(sq_folder_write_new(opened, SQ_SPAN("d/e/x"), "bytes", 5, &outermost,
                             &t_err));
    T_INT(outermost, 1);
    sq_folder_remove_made(&made);
    T(t_holds(t_scratch_path("a/b/c/d/e/x"), "bytes", 5));
    T_OK(sq_folder_write_new(opened, SQ_SPAN("d/e/f/x"), "bytes", 5, &outermost,
                             &t_err));
    T_INT(outermost, 5);
    sq_folder_remove_new(opened, SQ_SPAN("d/e/f/x"), outermost);
    T_INT(t_count_entries(t_scratch_path("a/b/c/d/e")), 1);
    sq_folder_remove_new(opened, SQ_SPAN("d/e/x"), 3);
    T_INT(t_count_entries(t_scratch_path("a/b/c/d")), 0);
    sq_folder_remove_new(opened, SQ_SPAN("d/x"), 1);
    sq_folder_close(opened);
    sq_folder_remove_made(&made);
    T_INT(t_count_entries(t_scratch()), 0);
    T_OK(sq_folder_open_new(t_scratch(), &opened, &made, &t_err));
    sq_folder_close(opened);
    sq_folder_remove_made(&made);
    T(access(t_scratch(), F_OK) == 0);
    t_scratch_end();
}

/* A link anywhere in the path is refused, and nothing is created. */
T_CASE(links_in_the_path_are_refused) {
    static const char *const refused[] = { "link", "link/",       "link/deep",
                                           "a/up", "a/up/real/x", "dangling" };
    start();
    int made = -1;
    T_INT(mkdir(t_scratch_path("real"), 0700), 0);
    T_INT(mkdir(t_scratch_path("a"), 0700), 0);
    T_INT(symlink("real", t_scratch_path("link")), 0);
    T_INT(symlink("..", t_scratch_path("a/up")), 0);
    T_INT(symlink("nothing", t_scratch_path("dangling")), 0);
    for (size_t i = 0; i < SQ_COUNT(refused); i++) {
        T_FAILS(sq_folder_open_real(t_scratch_path(refused[i]), true, &made,
                                    &t_err),
                SQ_ERR_IO);
        T(strstr(t_err.message, "symbolic link") != NULL);
        T_INT(made, -1);
    }
    T_INT(t_count_entries(t_scratch_path("real")), 0);
    T(access(t_scratch_path("nothing"), F_OK) != 0);
    T_FAILS(sq_folder_open_real(t_scratch_path("real/x"), false, &made, &t_err),
            SQ_ERR_NOT_FOUND);
    T_INT(t_count_entries(t_scratch_path("real")), 0);
    T_OK(sq_folder_open_real(t_scratch_path("real//x/../y/"), true, &made,
                             &t_err));
    T_INT(t_count_entries(t_scratch_path("real")), 2);
    sq_folder_close(made);
    rmdir(t_scratch_path("real/x"));
    rmdir(t_scratch_path("real/y"));
    rmdir(t_scratch_path("real"));
    unlink(t_scratch_path("a/up"));
    rmdir(t_scratch_path("a"));
    stop();
}
