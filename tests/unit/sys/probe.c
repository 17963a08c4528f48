#include "sys/path.h"

#include <errno.h>
#include <sys/stat.h>

#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

T_FIXTURE(t_scratch_start, t_scratch_end);

T_BARE_CASE(programs_are_found_on_the_path) {
    char saved[4096];
    char path[1024];
    char found[SQ_PATH_SIZE] = "untouched";
    const char *before = getenv("PATH");
    snprintf(saved, sizeof(saved), "%s", before ? before : "");
    t_scratch_start();
    T_INT(mkdir(t_scratch_path("a"), 0700), 0);
    T_INT(mkdir(t_scratch_path("b"), 0700), 0);
    T_INT(mkdir(t_scratch_path("a/tool"), 0700), 0); /* no file */
    t_put(t_scratch_path("b/tool"), "", 0);
    snprintf(path, sizeof(path), ":%s:/does/not/exist:%s", t_scratch_path("a"),
             t_scratch_path("b"));
    setenv("PATH", path, 1);
    T(!sq_probe_program("tool", found)); /* not executable */
    T_STR(found, "untouched");
    T_INT(chmod(t_scratch_path("b/tool"), 0700), 0);
    T(sq_probe_program("tool", found));
    T_STR(found, t_scratch_path("b/tool"));
    T(!sq_probe_program("tools", found));
    setenv("PATH", "", 1);
    T(!sq_probe_program("tool", found));
    unsetenv("PATH");
    T(!sq_probe_program("tool", found));
    setenv("PATH", saved, 1);
    t_remove_folder(t_scratch_path("a/tool"));
    t_remove_folder(t_scratch_path("a"));
    t_remove_folder(t_scratch_path("b"));
    t_scratch_end();
}

T_CASE(files_are_probed_without_opening_them) {
    t_put(t_scratch_path("file"), "", 0);
    T_INT(sq_probe_file(t_scratch_path("file")), SQ_PROBE_READABLE);
    T_INT(sq_probe_file(t_scratch_path("none")), SQ_PROBE_MISSING);
    T_INT(sq_probe_file(t_scratch_path("file/below")), SQ_PROBE_MISSING);
    T_INT(sq_probe_file(t_scratch()), SQ_PROBE_UNREADABLE);
    T_INT(sq_probe_file("/dev/null"), SQ_PROBE_UNREADABLE);
    T_INT(mkfifo(t_scratch_path("pipe"), 0600), 0);
    T_INT(sq_probe_file(t_scratch_path("pipe")), SQ_PROBE_READABLE);
    T_INT(symlink("loop", t_scratch_path("loop")), 0);
    T_INT(sq_probe_file(t_scratch_path("loop")), SQ_PROBE_UNREADABLE);
    /* Root may read everything, so the system's refusals are injected. */
    for (long nth = 1; nth <= 2; nth++) {
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = nth, .how = EACCES });
        T_INT(sq_probe_file(t_scratch_path("file")), SQ_PROBE_UNREADABLE);
        T_INT(sq_fault_disarm(SQ_FAULT_CALL), nth);
    }
}

T_CASE(folders_are_probed_without_creating_them) {
    t_put(t_scratch_path("file"), "", 0);
    T(sq_probe_folder(t_scratch()));
    T(sq_probe_folder(t_scratch_path("a/b/c")));
    T(sq_probe_folder("not-there/either"));
    T(!sq_probe_folder(t_scratch_path("file")));
    T(!sq_probe_folder(t_scratch_path("file/below")));
    T(!sq_probe_folder(""));
    static char longest[SQ_PATH_SIZE + 1];
    memset(longest, 'x', SQ_PATH_SIZE);
    T(!sq_probe_folder(longest));
    /* What cannot be asked is no link. */
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ .nth = 3, .how = EIO });
    T(sq_probe_folder(t_scratch()));
    T(sq_fault_disarm(SQ_FAULT_CALL) >= 3);
    T_INT(t_count_entries(t_scratch()), 1);
    T_INT(symlink(".", t_scratch_path("link")), 0);
    T(!sq_probe_folder(t_scratch_path("link")));
    T(!sq_probe_folder(t_scratch_path("link/below")));
    sq_fault_arm(SQ_FAULT_CALL,
                 (struct sq_fault_plan){ .nth = 2, .how = EACCES });
    T(!sq_probe_folder(t_scratch()));
    sq_fault_arm(
        SQ_FAULT_CALL,
        (struct sq_fault_plan){ .from_then = true, .nth = 1, .how = ENOENT });
    T(!sq_probe_folder("/a/b"));
    T(!sq_probe_folder("a/b"));
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
}

T_CASE(devices_pipes_and_folders_are_no_files) {
    t_put(t_scratch_path("file"), "", 0);
    T(!sq_probe_is_no_file(t_scratch_path("file")));
    T(!sq_probe_is_no_file(t_scratch_path("new")));
    T(!sq_probe_is_no_file(""));
    T_INT(mkfifo(t_scratch_path("pipe"), 0600), 0);
    T(sq_probe_is_no_file(t_scratch_path("pipe")));
    T(sq_probe_is_no_file(t_scratch()));
    T(sq_probe_is_no_file("/dev/null"));
    T(sq_probe_is_no_file("/dev/stdout"));
    T(sq_probe_is_no_file("-"));
}
