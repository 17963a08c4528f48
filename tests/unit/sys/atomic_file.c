#define _GNU_SOURCE /* O_TMPFILE */
#include "sys/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/kill.h"
#include "support/scratch.h"
#include "support/test.h"
#include "sys/features.h"
#include "util/fault.h"

#if defined(__linux__)
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#define MAX_CALLS 60

static const char content[] = "all of it";
static int folder;

static void
start(void) {
    t_scratch_start();
    folder = open(t_scratch(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    T(folder >= 0);
}

static void
stop(void) {
    close(folder);
    t_scratch_end();
}

static int
make(bool synced) {
    const struct sq_atomic_file file = { .bytes = content,
                                         .len = strlen(content),
                                         .synced = synced };
    return sq_atomic_file_make(folder, "x", &file);
}

static bool
is_there(void) {
    return access(t_scratch_path("x"), F_OK) == 0;
}

/* Removes the files next to x; all must have hidden names. */
static int
remove_temporary_files(void) {
    int count = 0;
    DIR *dir = opendir(t_scratch());
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0
            && strcmp(name, "x") != 0) {
            T(strncmp(name, ".squint-", strlen(".squint-")) == 0);
            unlinkat(dirfd(dir), name, 0);
            count++;
        }
    }
    closedir(dir);
    return count;
}

/* What a file system or its kernel does not support. */
struct missing_features {
    bool nameless;     /* O_TMPFILE */
    bool renaming;     /* RENAME_NOREPLACE */
    bool linking;      /* hard links */
    bool holds_a_name; /* so an empty file is there for a moment */
};

/* One call fails, or that one and all later ones, as if killed there. */
static bool
fail_at(long nth, int how, bool from_then,
        const struct missing_features *without) {
    int open_before = t_count_open_files();
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ .nth = nth,
                                                        .from_then = from_then,
                                                        .how = how });
    bool ok = make(nth % 2) == 0;
    bool was_reached = sq_fault_count(SQ_FAULT_CALL) >= nth;
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    T_INT(t_count_open_files(), open_before);
    bool there = is_there();
    if (!without->holds_a_name || !from_then) {
        T_INT(there, ok);
        T(!there || t_holds(t_scratch_path("x"), content, strlen(content)));
    }
    T(ok || how > 0);
    T(ok || how != EINTR || from_then);
    unlink(t_scratch_path("x"));
    return was_reached;
}

/* Every call fails in every way; returns how often a hidden file was left. */
static int
fail_everywhere(const struct missing_features *without) {
    static const struct {
        int how;
        bool from_then;
    } ways[] = {
        { EIO, false },   { ENOSPC, false },         { EMFILE, false },
        { EINTR, false }, { SQ_FAULT_SHORT, false }, { EIO, true },
        { ENOSPC, true }, { SQ_FAULT_SHORT, true },
    };
    int left = 0;
    for (size_t w = 0; w < SQ_COUNT(ways); w++) {
        long nth = 1;
        while (nth < MAX_CALLS
               && fail_at(nth, ways[w].how, ways[w].from_then, without)) {
            left += remove_temporary_files();
            nth++;
        }
        T(nth > 3 && nth < MAX_CALLS);
        T_INT(remove_temporary_files(), 0);
    }
    return left;
}

T_FIXTURE(start, stop);

T_CASE(file_is_complete_or_absent) {
    static const struct missing_features nothing = { 0 };
    fail_everywhere(&nothing);
}

T_CASE(no_temporary_file_is_left) {
    static const struct missing_features nothing = { 0 };
#if SQ_IS_LINUX
    int fd = openat(folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    if (fd >= 0) {
        close(fd);
        T_INT(fail_everywhere(&nothing), 0);
        return;
    }
#endif
    (void)nothing;
    t_skip("files need a name here");
}

T_CASE(new_file_is_private_and_never_replaces_another) {
    struct stat st;
    T_INT(make(false), 0);
    T(t_holds(t_scratch_path("x"), content, strlen(content)));
    T_INT(stat(t_scratch_path("x"), &st), 0);
    T_INT(st.st_mode & 0777, 0600);
    T_INT(st.st_nlink, 1);
    t_put(t_scratch_path("x"), "mine", 4);
    T(make(false) < 0);
    T_INT(errno, EEXIST);
    T(t_holds(t_scratch_path("x"), "mine", 4));
    unlink(t_scratch_path("x"));
    T_INT(symlink("y", t_scratch_path("x")), 0);
    T(make(true) < 0);
    T_INT(errno, EEXIST);
    T_INT(t_count_entries(t_scratch()), 1);
}

#define WRITERS 3
#define ROUNDS 40
#define BIG_BYTES 100000

struct writer {
    uint8_t bytes[BIG_BYTES];
    pthread_barrier_t *gate;
    bool won;
};

static atomic_int writing;

static void *
write_at_once(void *context) {
    struct writer *writer = context;
    const struct sq_atomic_file file = { .bytes = writer->bytes,
                                         .len = BIG_BYTES };
    pthread_barrier_wait(writer->gate);
    writer->won = sq_atomic_file_make(folder, "x", &file) == 0;
    T(writer->won || errno == EEXIST);
    atomic_fetch_sub(&writing, 1);
    return NULL;
}

/* A file of that name is always one writer's complete file; 0: no file yet. */
static uint8_t
read_as_other(void) {
    static uint8_t bytes[BIG_BYTES + 1];
    int fd = open(t_scratch_path("x"), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return 0;
    }
    T_INT(read(fd, bytes, sizeof(bytes)), BIG_BYTES);
    close(fd);
    T(memcmp(bytes, bytes + 1, BIG_BYTES - 1) == 0);
    return bytes[0];
}

/* If several threads create one file concurrently, one succeeds. */
static void
race(const struct missing_features *without) {
    static struct writer writers[WRITERS];
    pthread_t threads[WRITERS];
    pthread_barrier_t gate;
    pthread_barrier_init(&gate, NULL, WRITERS);
    atomic_store(&writing, WRITERS);
    for (int i = 0; i < WRITERS; i++) {
        memset(writers[i].bytes, 'a' + i, BIG_BYTES);
        writers[i].gate = &gate;
        T_INT(pthread_create(&threads[i], NULL, write_at_once, &writers[i]), 0);
    }
    while (!without->holds_a_name && atomic_load(&writing) > 0) {
        read_as_other();
    }
    int winners = 0;
    int winner = 0;
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        winners += writers[i].won;
        winner = writers[i].won ? i : winner;
    }
    T_INT(winners, 1);
    T_INT(read_as_other(), 'a' + winner);
    T_INT(remove_temporary_files(), 0);
    unlink(t_scratch_path("x"));
    pthread_barrier_destroy(&gate);
}

T_CASE(one_of_many_writers_succeeds) {
    static const struct missing_features nothing = { 0 };
    for (int i = 0; i < ROUNDS; i++) {
        race(&nothing);
    }
}

#if defined(__linux__)
#define WORD(member) offsetof(struct seccomp_data, member)
#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, WORD(member))
#define SKIP_UNLESS(value, count)                                              \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (count))
#define REFUSE(number) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (number))
#define REFUSE_CALL(which, number)                                             \
    LOAD(nr), SKIP_UNLESS(which, 1), REFUSE(number)
#define NEVER 0xffffffff /* not the number of a system call */

/* For this thread, permanently. */
static bool
forbid_calls(const struct missing_features *without) {
    struct sock_filter code[] = {
        REFUSE_CALL(without->renaming ? SYS_renameat2 : NEVER, EINVAL),
        REFUSE_CALL(without->linking ? SYS_linkat : NEVER, EPERM),
        LOAD(nr),
        SKIP_UNLESS(without->nameless ? SYS_openat : NEVER, 4),
        LOAD(args[2]),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_TMPFILE),
        SKIP_UNLESS(O_TMPFILE, 1),
        REFUSE(EOPNOTSUPP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {
        .len = SQ_COUNT(code),
        .filter = code,
    };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
        && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int left_by_kills; /* files that had to be removed */

static bool
make_once(void *context) {
    return make(true) == 0;
}

/* The next file removes what was left. */
static void
check_swept(void *context) {
    const struct missing_features *without = context;
    const struct sq_atomic_file next = { .bytes = "y", .len = 1 };
    int before = t_count_entries(t_scratch());
    bool may_be_empty =
        without->holds_a_name && t_holds(t_scratch_path("x"), "", 0);
    T(may_be_empty || !is_there()
      || t_holds(t_scratch_path("x"), content, strlen(content)));
    T_INT(sq_atomic_file_make(folder, "y", &next), 0);
    T_INT(t_count_entries(t_scratch()), 1 + is_there());
    T(!is_there() || t_holds(t_scratch_path("x"), content, strlen(content)));
    left_by_kills += before - is_there();
    unlink(t_scratch_path("x"));
    unlink(t_scratch_path("y"));
}

static void *
fail_without(void *context) {
    const struct missing_features *without = context;
    if (!forbid_calls(without)) {
        t_skip("no call can be forbidden here");
        return NULL;
    }
    fail_everywhere(without);
    /* SIGKILL before every call. */
    struct missing_features copy = *without;
    left_by_kills = 0;
    T(t_kill_everywhere(make_once, check_swept, &copy) > 5);
    T(left_by_kills > 0);
    T_INT(make(true), 0);
    T(t_holds(t_scratch_path("x"), content, strlen(content)));
    T_INT(t_count_entries(t_scratch()), 1);
    T(make(true) < 0 && errno == EEXIST);
    unlink(t_scratch_path("x"));
    for (int i = 0; i < ROUNDS; i++) {
        race(without);
    }
    return NULL;
}

T_CASE(file_systems_with_fewer_features) {
    static struct missing_features missing[] = {
        { .nameless = true },
        { .linking = true },
        { .nameless = true, .renaming = true },
        { .nameless = true, .linking = true },
        { .renaming = true, .linking = true, .holds_a_name = true },
        { .nameless = true,
          .renaming = true,
          .linking = true,
          .holds_a_name = true },
    };
    for (size_t i = 0; i < SQ_COUNT(missing); i++) {
        pthread_t thread;
        missing[i].holds_a_name |= !SQ_IS_LINUX && missing[i].linking;
        T_INT(pthread_create(&thread, NULL, fail_without, &missing[i]), 0);
        pthread_join(thread, NULL);
    }
}
#else
T_BARE_CASE(file_systems_with_fewer_features) {
    t_skip("no call can be forbidden here");
}
#endif
