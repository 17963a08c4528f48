/* The private folder: who may use it, its files, and its locks. */
#include "sys/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/album.h"
#include "support/scratch.h"
#include "support/test.h"

static struct sq_state_folder folder;
static struct sq_err err;

static bool
open_folder(void) {
    err = (struct sq_err){ 0 };
    return sq_state_folder_open(&folder, &err);
}

static void
start(void) {
    t_scratch_start();
    setenv("XDG_RUNTIME_DIR", t_scratch_path("run"), 1);
    setenv("XDG_STATE_HOME", t_scratch_path("state"), 1);
    T_OK(open_folder(), &err);
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
    struct sq_buf out;
    sq_buf_init(&out, 1024);
    T_OK(sq_state_folder_read(&folder, "a.json", 64, &out, &err), &err);
    T_BYTES(out.data, out.len, want, strlen(want));
    sq_buf_finish(&out);
}

T_CASE(files_are_private) {
    start();
    T_STR(folder.path, t_scratch_path("run/squint"));
    T_INT(mode_of(folder.path), 0700);
    expect_content("");
    T_OK(sq_state_folder_write(&folder, "a.json", SQ_SPAN("one"), &err), &err);
    T_OK(sq_state_folder_write(&folder, "a.json", SQ_SPAN("longer"), &err),
         &err);
    T_INT(sq_state_folder_size(&folder, "a.json"), 6);
    T_INT(sq_state_folder_size(&folder, "b.json"), 0);
    T_INT(sq_state_folder_size(&folder, "."), 0);
    T_OK(sq_state_folder_write(&folder, "a.json", SQ_SPAN("two"), &err), &err);
    expect_content("two");
    T_INT(mode_of(t_scratch_path("run/squint/a.json")), 0600);
    T_INT(t_count_entries(folder.path), 1);
    T_OK(sq_state_folder_remove(&folder, "a.json", &err), &err);
    T_OK(sq_state_folder_remove(&folder, "a.json", &err), &err);
    expect_content("");
    stop();
}

T_CASE(strange_files_are_refused) {
    struct sq_buf out;
    start();
    sq_buf_init(&out, 1024);
    t_put(t_scratch_path("elsewhere"), "x", 1);
    T_INT(symlink(t_scratch_path("elsewhere"),
                  t_scratch_path("run/squint/a.json")),
          0);
    T(!sq_state_folder_read(&folder, "a.json", 64, &out, &err));
    T_INT(unlink(t_scratch_path("run/squint/a.json")), 0);
    char large[65] = "";
    t_put(t_scratch_path("run/squint/a.json"), large, sizeof(large));
    T(!sq_state_folder_read(&folder, "a.json", 64, &out, &err));
    T_INT((long)out.len, 0);
    sq_buf_finish(&out);
    stop();
}

/* One that others may enter is not used; the next place is. */
T_CASE(a_folder_of_others_is_not_used) {
    start();
    sq_state_folder_close(&folder);
    T_INT(chmod(t_scratch_path("run/squint"), 0755), 0);
    T_OK(open_folder(), &err);
    T_STR(folder.path, t_scratch_path("state/squint/run"));
    sq_state_folder_close(&folder);
    T_INT(chmod(t_scratch_path("state/squint/run"), 0750), 0);
    T(!open_folder());
    T(strstr(err.message, "is not private") != NULL);
    T_INT(chmod(t_scratch_path("state/squint/run"), 0700), 0);
    unsetenv("XDG_RUNTIME_DIR");
    T_OK(open_folder(), &err);
    stop();
}

T_CASE(one_process_at_a_time) {
    const struct sq_deadline soon = sq_deadline_in(30, NULL);
    const struct sq_deadline later = sq_deadline_in(T_PATIENCE_MS, NULL);
    int lock;
    int second;
    start();
    T_OK(sq_state_folder_lock(&folder, "a.lock", &soon, &lock, &err), &err);
    T(!sq_state_folder_lock(&folder, "a.lock", &soon, &second, &err));
    T_INT(err.code, SQ_ERR_TIMEOUT);
    err = (struct sq_err){ 0 };
    T_OK(sq_state_folder_lock(&folder, "b.lock", &later, &second, &err), &err);
    sq_state_folder_unlock(second);
    sq_state_folder_unlock(lock);
    T_OK(sq_state_folder_lock(&folder, "a.lock", &later, &lock, &err), &err);
    sq_state_folder_unlock(lock);
    stop();
}
