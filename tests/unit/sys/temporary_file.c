#include "sys/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/kill.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/call.h"
#include "util/fault.h"

#define BYTES 30000

static const char old_text[] = "the old content";
static uint8_t pattern[BYTES];

static void
start(void) {
    for (size_t i = 0; i < sizeof(pattern); i++) {
        pattern[i] = (uint8_t)(i * 31 + i / 251);
    }
    t_scratch_start();
}

/*
 * Whether all temporary files of the folder are private; counts them in *count.
 */
static bool
are_private(int *count) {
    bool ok = true;
    *count = 0;
    DIR *dir = opendir(t_scratch());
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        struct stat st;
        if (strncmp(entry->d_name, ".squint-", strlen(".squint-")) == 0) {
            (*count)++;
            T_INT(fstatat(dirfd(dir), entry->d_name, &st, 0), 0);
            /* It gets its final mode when it is complete. */
            ok = ok && ((st.st_mode & 0777) == 0600 || st.st_size == BYTES);
        }
    }
    closedir(dir);
    return ok;
}

static bool
write_over_old(void *left) {
    return sq_file_write(t_scratch_path("out"), pattern, BYTES, &t_err);
}

/* After a kill the next run, for any file, removes what was left. */
static void
check_swept(void *left) {
    int count;
    T(are_private(&count));
    *(int *)left += count;
    T(t_holds(t_scratch_path("out"), pattern, BYTES)
      || t_holds(t_scratch_path("out"), old_text, sizeof(old_text)));
    T_OK(sq_file_write(t_scratch_path("next"), "new", 3, &t_err));
    T_INT(t_count_entries(t_scratch()), 2);
    t_put(t_scratch_path("out"), old_text, sizeof(old_text));
}

T_FIXTURE(start, t_scratch_end);

T_CASE(leftovers_of_a_killed_process_are_removed) {
    int left = 0;
    t_put(t_scratch_path("out"), old_text, sizeof(old_text));
    long killed = t_kill_everywhere(write_over_old, check_swept, &left);
    T(killed > 10);
    T(left >= 3); /* so there was something to remove */
}

T_CASE(files_in_use_are_not_removed) {
    static const char *const kept[] = { ".squint-0123456789abcde",
                                        ".squint-0123456789abcdeg",
                                        ".squint-0123456789ABCDEF",
                                        ".squint-0123456789abcdef0",
                                        ".squint-",
                                        "squint-0123456789abcdef",
                                        "x.squint-0123456789abcdef" };
    int count = (int)(SQ_COUNT(kept));
    for (int i = 0; i < count; i++) {
        t_put(t_scratch_path(kept[i]), "", 0);
    }
    T_INT(mkdir(t_scratch_path(".squint-0000000000000001"), 0700), 0);
    T_INT(symlink("x", t_scratch_path(".squint-0000000000000002")), 0);
    T_INT(mkfifo(t_scratch_path(".squint-0000000000000003"), 0600), 0);
    /* A file whose creator runs: it holds a lock. */
    t_put(t_scratch_path(".squint-0000000000000004"), "", 0);
    int fd =
        open(t_scratch_path(".squint-0000000000000004"), O_RDWR | O_CLOEXEC);
    T_INT(sq_call_lock_file(fd, true), 0);
    /* An abandoned one, which shows that the others were examined. */
    t_put(t_scratch_path(".squint-0000000000000005"), "", 0);
    T_OK(sq_file_write(t_scratch_path("out"), "new", 3, &t_err));
    T_INT(t_count_entries(t_scratch()), count + 5);
    T(access(t_scratch_path(".squint-0000000000000005"), F_OK) != 0);
    close(fd);
    T_OK(sq_file_write(t_scratch_path("out"), "new", 3, &t_err));
    T_INT(t_count_entries(t_scratch()), count + 4);
    rmdir(t_scratch_path(".squint-0000000000000001"));
}

#define WRITERS 4
#define WRITES 150

/* Each removes what it considers abandoned while the others work. */
T_CASE(writers_do_not_remove_each_others_files) {
    pid_t children[WRITERS];
    fflush(stdout);
    for (int i = 0; i < WRITERS; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            char name[2] = { (char)('a' + i), '\0' };
            bool ok = true;
            for (int n = 0; ok && n < WRITES; n++) {
                ok = sq_file_write(t_scratch_path(name), pattern, 1000, &t_err);
            }
            _exit(ok ? 0 : 1);
        }
    }
    for (int i = 0; i < WRITERS; i++) {
        int status = -1;
        T_INT(waitpid(children[i], &status, 0), children[i]);
        T_INT(status, 0);
    }
    T_INT(t_count_entries(t_scratch()), WRITERS);
}

/* On file systems without locks, age decides. */
T_CASE(without_locks_only_old_files_are_abandoned) {
    const struct timespec old[2] = { { .tv_sec = 1000000 },
                                     { .tv_sec = 1000000 } };
    t_put(t_scratch_path("file"), "", 0);
    int fd = open(t_scratch_path("file"), O_RDONLY | O_CLOEXEC);
    for (int i = 0; i < 2; i++) {
        /* The first call stats the file, the second locks it. */
        sq_fault_arm(SQ_FAULT_CALL,
                     (struct sq_fault_plan){ .nth = 2, .how = ENOLCK });
        T_INT(sq_owner_lock_is_abandoned(fd), i);
        sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
        T_INT(futimens(fd, old), 0);
    }
    close(fd);
}
