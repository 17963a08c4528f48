#include "sys/path.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

T_FIXTURE(t_scratch_start, t_scratch_end);

T_BARE_CASE(program_path_is_found) {
    char self[SQ_PATH_SIZE] = "";
    char got[SQ_PATH_SIZE];
    T(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
    T_OK(sq_path_program(got, &t_err));
    T_STR(got, self);
    /* Without /proc. */
    sq_fault_arm(SQ_FAULT_CALL,
                 (struct sq_fault_plan){ .nth = 1, .how = ENOENT });
    memset(got, 0, sizeof(got));
    T_OK(sq_path_program(got, &t_err));
    T_STR(got, self);
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){
                                    .nth = 1, .from_then = true, .how = EIO });
    T(!sq_path_program(got, &t_err));
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    T_STR(t_err.message, "cannot find the path of this program");
}

static void
check_resolved(const char *path, const char *want, bool want_exists) {
    char got[SQ_PATH_SIZE] = "";
    bool exists = !want_exists;
    T_OK(sq_path_resolve(path, got, &exists, &t_err));
    T_STR(got, want);
    T_INT(exists, want_exists);
}

T_CASE(links_in_paths_are_resolved) {
    char real[512];
    char got[SQ_PATH_SIZE];
    bool exists;
    snprintf(real, sizeof(real), "%s", t_scratch_path("real"));
    const char *link = t_scratch_path("link");
    t_put(real, "x", 1);
    T_INT(symlink("real", link), 0);
    check_resolved(real, real, true);
    check_resolved(link, real, true);
    check_resolved(t_scratch_path("./link"), real, true);
    check_resolved(t_scratch_path("no/such"), t_scratch_path("no/such"), false);
    unlink(real);
    T_FAILS(sq_path_resolve(link, got, &exists, &t_err), SQ_ERR_NOT_FOUND);
    T(!sq_path_resolve(t_scratch_path("link/x/y"), got, &exists, &t_err)
      || !exists);
    char longer[SQ_PATH_SIZE + 10];
    memset(longer, 'a', sizeof(longer) - 1);
    longer[sizeof(longer) - 1] = '\0';
    T_FAILS(sq_path_resolve(longer, got, &exists, &t_err), SQ_ERR_ARGUMENT);
}

T_CASE(backups_use_the_first_free_number) {
    struct stat st;
    char name[SQ_PATH_SIZE];
    const char *path = t_scratch_path("f");
    t_put(t_scratch_path("f.squint-backup-1"), "old", 3);
    T_OK(sq_path_backup(path, "new", 3, name, &t_err));
    T_STR(name, t_scratch_path("f.squint-backup-2"));
    T(t_holds(name, "new", 3));
    T(t_holds(t_scratch_path("f.squint-backup-1"), "old", 3));
    T(stat(name, &st) == 0 && (st.st_mode & 0777) == 0600);
    T_OK(sq_path_backup(path, "", 0, name, &t_err));
    T_STR(name, t_scratch_path("f.squint-backup-3"));
    sq_path_remove_backup(name);
    T_INT(t_count_entries(t_scratch()), 2);
    T_FAILS(sq_path_backup(t_scratch_path("no/such"), "x", 1, name, &t_err),
            SQ_ERR_NOT_FOUND);
}

/* A link at its name is not followed, even a dangling one. */
T_CASE(backups_end_somewhere) {
    char name[SQ_PATH_SIZE];
    char deep[2 * SQ_PATH_SIZE];
    t_scratch_start();
    for (int n = 1; n < 1000; n++) {
        char taken[40];
        snprintf(taken, sizeof(taken), "f" SQ_PATH_BACKUP "%d", n);
        t_put(t_scratch_path(taken), "", 0);
    }
    T_OK(sq_path_backup(t_scratch_path("f"), "", 0, name, &t_err));
    T_FAILS(sq_path_backup(t_scratch_path("f"), "", 0, name, &t_err),
            SQ_ERR_IO);
    /* Paths that are too long, by their folder or by their number. */
    memset(deep, 'x', sizeof(deep));
    deep[sizeof(deep) - 1] = '\0';
    deep[sizeof(deep) - 2] = '/';
    T(!sq_path_backup(deep, "", 0, name, &t_err));
    size_t len = strlen(t_scratch());
    memcpy(deep, t_scratch(), len);
    while (len + 2 < SQ_PATH_SIZE - 1) {
        deep[len++] = '/';
        deep[len++] = '.';
    }
    deep[len++] = '/';
    deep[len++] = 'f';
    deep[SQ_PATH_SIZE - 1] = '\0';
    T(!sq_path_backup(deep, "", 0, name, &t_err));
}

T_CASE(backups_follow_no_link) {
    char name[SQ_PATH_SIZE];
    T_INT(symlink("elsewhere", t_scratch_path("f.squint-backup-1")), 0);
    T_OK(sq_path_backup(t_scratch_path("f"), "x", 1, name, &t_err));
    T_STR(name, t_scratch_path("f.squint-backup-2"));
    T(access(t_scratch_path("elsewhere"), F_OK) != 0);
}

T_CASE(failed_backup_has_no_name) {
    static const int hows[] = { EIO, ENOSPC, EINTR, SQ_FAULT_SHORT };
    int open_files = t_count_open_files();
    for (size_t i = 0; i < SQ_COUNT(hows); i++) {
        bool reached = true;
        long n = 1;
        for (; reached && n < 50; n++) {
            char name[SQ_PATH_SIZE] = "";
            sq_fault_arm(SQ_FAULT_CALL,
                         (struct sq_fault_plan){ .nth = n, .how = hows[i] });
            bool ok =
                sq_path_backup(t_scratch_path("f"), "text", 4, name, &t_err);
            reached = sq_fault_count(SQ_FAULT_CALL) >= n;
            sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
            T(ok ? t_holds(name, "text", 4) : name[0] == '\0');
            T(ok || (hows[i] != EINTR && hows[i] != SQ_FAULT_SHORT));
            T_INT(access(t_scratch_path("f.squint-backup-1"), F_OK) == 0, ok);
            unlink(name);
        }
        T(n > 4); /* open, write, sync, close */
    }
    T_INT(t_count_open_files(), open_files);
}

/* As if killed at any call: nothing is done from there on. */
T_CASE(backup_is_complete_as_soon_as_it_exists) {
    bool reached = true;
    for (long n = 1; reached && n < 50; n++) {
        char name[SQ_PATH_SIZE] = "";
        sq_fault_arm(
            SQ_FAULT_CALL,
            (struct sq_fault_plan){ .nth = n, .from_then = true, .how = EIO });
        sq_path_backup(t_scratch_path("f"), "text", 4, name, &t_err);
        reached = sq_fault_count(SQ_FAULT_CALL) >= n;
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
        const char *backup = t_scratch_path("f.squint-backup-1");
        T(access(backup, F_OK) != 0 || t_holds(backup, "text", 4));
        unlink(backup);
    }
}
