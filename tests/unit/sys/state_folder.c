/* The private folder: who may use it, its files, and its locks. */
#include "sys/folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"

static struct sq_state_folder folder;

static bool
open_folder(void) {
    t_err = (struct sq_err){ 0 };
    return sq_state_folder_open(&folder, &t_err);
}

static void
start(void) {
    t_scratch_start();
    setenv("XDG_RUNTIME_DIR", t_scratch_path("run"), 1);
    setenv("XDG_STATE_HOME", t_scratch_path("state"), 1);
    T_OK(open_folder());
}

static void
stop(void) {
    sq_state_folder_close(&folder);
    t_album_end();
}

static mode_t
mode_of(const char *path) {
    struct stat st = { 0 };
    T_INT(stat(path, &st), 0);
    return st.st_mode & 0777;
}

static void
expect_content(const char *want) {
    T_BUF(out, 1024);
    T_OK(sq_state_folder_read(&folder, "a.json", 64, &out, &t_err));
    T_BYTES(out.data, out.len, want, strlen(want));
}

T_FIXTURE(start, stop);

T_CASE(files_are_private) {
    T_STR(folder.path, t_scratch_path("run/squint"));
    T_INT(mode_of(folder.path), 0700);
    expect_content("");
    T_OK(sq_state_folder_write(&folder, "a.json", SQ_SPAN("one"), &t_err));
    T_OK(sq_state_folder_write(&folder, "a.json", SQ_SPAN("longer"), &t_err));
    T_INT(sq_state_folder_size(&folder, "a.json"), 6);
    T_INT(sq_state_folder_size(&folder, "b.json"), 0);
    T_INT(sq_state_folder_size(&folder, "."), 0);
    T_OK(sq_state_folder_write(&folder, "a.json", SQ_SPAN("two"), &t_err));
    expect_content("two");
    T_INT(mode_of(t_scratch_path("run/squint/a.json")), 0600);
    T_INT(t_count_entries(folder.path), 1);
    T_OK(sq_state_folder_remove(&folder, "a.json", &t_err));
    T_OK(sq_state_folder_remove(&folder, "a.json", &t_err));
    expect_content("");
}

T_CASE(strange_files_are_refused) {
    T_BUF(out, 1024);
    t_put(t_scratch_path("elsewhere"), "x", 1);
    T_INT(symlink(t_scratch_path("elsewhere"),
                  t_scratch_path("run/squint/a.json")),
          0);
    T(!sq_state_folder_read(&folder, "a.json", 64, &out, &t_err));
    T_INT(unlink(t_scratch_path("run/squint/a.json")), 0);
    char large[65] = "";
    t_put(t_scratch_path("run/squint/a.json"), large, sizeof(large));
    T(!sq_state_folder_read(&folder, "a.json", 64, &out, &t_err));
    T_INT((long)out.len, 0);
}

/* One that others may enter is not used; the next place is. */
T_CASE(a_folder_of_others_is_not_used) {
    sq_state_folder_close(&folder);
    T_INT(chmod(t_scratch_path("run/squint"), 0755), 0);
    T_OK(open_folder());
    T_STR(folder.path, t_scratch_path("state/squint/run"));
    sq_state_folder_close(&folder);
    T_INT(chmod(t_scratch_path("state/squint/run"), 0750), 0);
    T(!open_folder());
    T(strstr(t_err.message, "is not private") != NULL);
    T_INT(chmod(t_scratch_path("state/squint/run"), 0700), 0);
    unsetenv("XDG_RUNTIME_DIR");
    T_OK(open_folder());
}

T_CASE(one_process_at_a_time) {
    const struct sq_deadline soon = sq_deadline_in(30, NULL);
    const struct sq_deadline later = sq_deadline_in(T_PATIENCE_MS, NULL);
    int lock;
    int second;
    T_OK(sq_state_folder_lock(&folder, "a.lock", &soon, &lock, &t_err));
    T_FAILS(sq_state_folder_lock(&folder, "a.lock", &soon, &second, &t_err),
            SQ_ERR_TIMEOUT);
    t_err = (struct sq_err){ 0 };
    T_OK(sq_state_folder_lock(&folder, "b.lock", &later, &second, &t_err));
    sq_state_folder_unlock(second);
    sq_state_folder_unlock(lock);
    T_OK(sq_state_folder_lock(&folder, "a.lock", &later, &lock, &t_err));
    sq_state_folder_unlock(lock);
}
