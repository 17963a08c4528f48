#include "sys/file.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/kill.h"
#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

T_CASE(folder_is_private_and_removed_with_its_file) {
    struct sq_temp a = { 0 };
    struct sq_temp b = { 0 };
    struct stat st;
    t_scratch_start();
    setenv("TMPDIR", t_scratch(), 1);
    T_OK(sq_temp_make(&a, "shot.png", &t_err));
    T_OK(sq_temp_make(&b, "shot.png", &t_err));
    T(strcmp(a.folder, b.folder) != 0);
    T_INT(stat(a.folder, &st), 0);
    T_INT(st.st_mode & 0777, 0700);
    t_put(a.file, "x", 1);
    /* Folders in it are removed, and what a link leads to stays. */
    char path[SQ_PATH_SIZE + 16];
    T_INT(mkdir(b.file, 0700), 0);
    T(snprintf(path, sizeof(path), "%s/deep", b.file) > 0);
    T_INT(mkdir(path, 0700), 0);
    T(snprintf(path, sizeof(path), "%s/deep/link", b.file) > 0);
    T_INT(symlink(a.folder, path), 0);
    sq_temp_remove(&b);
    T_INT(stat(a.file, &st), 0);
    sq_temp_remove(&a);
    sq_temp_remove(&a);
    T_INT(t_count_entries(t_scratch()), 0);
    t_scratch_end();
}

T_CASE(creation_errors_are_reported) {
    struct sq_temp temp = { 0 };
    setenv("TMPDIR", "/does/not/exist", 1);
    T_FAILS(sq_temp_make(&temp, "x", &t_err), SQ_ERR_NOT_FOUND);
    T_STR(temp.folder, "");
    setenv("TMPDIR", "relative", 1); /* not ours */
    T_OK(sq_temp_make(&temp, "x", &t_err));
    T(strncmp(temp.folder, "/tmp/", 5) == 0);
    sq_temp_remove(&temp);
    sq_fault_arm(
        SQ_FAULT_CALL,
        (struct sq_fault_plan){ .nth = 1, .how = EACCES, .from_then = true });
    T(!sq_temp_make(&temp, "x", &t_err));
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    struct sq_temp zero = { 0 };
    sq_temp_remove(&zero);
}

static bool
use_one(void *left) {
    struct sq_temp temp = { 0 };
    if (!sq_temp_make(&temp, "shot.png", &t_err)) {
        return false;
    }
    t_put(temp.file, "x", 1);
    sq_temp_remove(&temp);
    return true;
}

/* The next one removes what a killed process left, and only that. */
static void
check_swept(void *left) {
    struct sq_temp temp = { 0 };
    *(int *)left += t_count_entries(t_scratch()) - 1;
    T_OK(sq_temp_make(&temp, "shot.png", &t_err));
    T_INT(t_count_entries(t_scratch()), 2);
    sq_temp_remove(&temp);
}

T_CASE(leftovers_of_a_killed_process_are_removed) {
    struct sq_temp in_use = { 0 };
    int left = 0;
    unsetenv("TMPDIR"); /* of the previous case */
    t_scratch_start();
    setenv("TMPDIR", t_scratch(), 1);
    T_OK(sq_temp_make(&in_use, "shot.png", &t_err));
    T(t_kill_everywhere(use_one, check_swept, &left) > 5);
    T(left >= 3); /* so there was something to remove */
    sq_temp_remove(&in_use);
    T_INT(t_count_entries(t_scratch()), 0);
    t_scratch_end();
}
