#include "sys/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/scratch.h"
#include "support/test.h"
#include "util/fault.h"

#define MANY 300000
#define CEILING ((size_t)1 << 20)

static const char old_text[] = "the old content";
static uint8_t pattern[MANY];

static void
start_scratch(void) {
    for (size_t i = 0; i < sizeof(pattern); i++) {
        pattern[i] = (uint8_t)(i * 31 + i / 251);
    }
    t_scratch_start();
}

static void
check_read(const char *path, size_t max, const void *want, size_t len) {
    T_FREED(sq_buf_finish) struct sq_buf got = { 0 };
    if (T_OK(sq_file_read(path, max, &got, &t_err))) {
        T_BYTES(got.data, got.len, want, len);
    }
}

static void
check_refused(const char *path, size_t max, enum sq_err_code code,
              const char *words) {
    struct sq_buf got = { 0 };
    T_FAILS(sq_file_read(path, max, &got, &t_err), code);
    T_STR(t_err.message, words);
    T(got.data == NULL && got.len == 0);
}

static void
check_not_written(const char *path, enum sq_err_code code, const char *words) {
    T_FAILS(sq_file_write(path, "new", 3, &t_err), code);
    T_STR(t_err.message, words);
}

T_FIXTURE(start_scratch, t_scratch_end);

T_CASE(files_of_any_length_are_read) {
    static const size_t lengths[] = {
        0, 1, 255, 256, 65535, 65536, 65537, MANY
    };
    const char *path = t_scratch_path("in");
    for (size_t i = 0; i < SQ_COUNT(lengths); i++) {
        t_put(path, pattern, lengths[i]);
        check_read(path, CEILING, pattern, lengths[i]);
        check_read(path, lengths[i], pattern, lengths[i]);
    }
}

T_CASE(error_for_too_large_files_has_the_limit) {
    char words[300];
    const char *path = t_scratch_path("in");
    t_put(path, pattern, MANY);
    snprintf(words, sizeof(words), "%s is larger than 100 KiB, the maximum",
             path);
    check_refused(path, 100 << 10, SQ_ERR_LIMIT, words);
    snprintf(words, sizeof(words), "%s is larger than %d bytes, the maximum",
             path, MANY - 1);
    check_refused(path, MANY - 1, SQ_ERR_LIMIT, words);
}

T_BARE_CASE(files_without_a_known_length_are_read) {
    T_FREED(sq_buf_finish) struct sq_buf got = { 0 };
    T_OK(sq_file_read("/proc/self/status", CEILING, &got, &t_err));
    T(got.len > 100 && memcmp(got.data, "Name:", 5) == 0);
}

/* A child process that writes the pattern in uneven pieces and ends. */
static pid_t
start_writer(int fd, bool slowly) {
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        size_t done = 0;
        for (size_t piece = 1; done < MANY; piece = piece * 3 % 40961 + 1) {
            size_t left = MANY - done;
            ssize_t count =
                write(fd, pattern + done, left < piece ? left : piece);
            done += count > 0 ? (size_t)count : left;
            usleep(slowly ? 500 : 0);
        }
        _exit(0);
    }
    close(fd);
    return pid;
}

static void
read_stdin_from_pipe(int flags, size_t max, bool fits) {
    int ends[2];
    int before = t_count_open_files();
    T_INT(pipe(ends), 0);
    T_INT(fcntl(ends[0], F_SETFL, flags), 0);
    pid_t writer = start_writer(ends[1], flags & O_NONBLOCK);
    int saved = dup(STDIN_FILENO);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    if (fits) {
        check_read("-", max, pattern, MANY);
    } else {
        check_refused("-", max, SQ_ERR_LIMIT,
                      "standard input is larger than 1 KiB, the maximum");
    }
    T(fcntl(STDIN_FILENO, F_GETFD) >= 0);
    dup2(saved, STDIN_FILENO);
    close(saved);
    kill(writer, SIGTERM);
    waitpid(writer, NULL, 0);
    T_INT(t_count_open_files(), before);
}

T_CASE(standard_input_is_read_to_its_end) {
    read_stdin_from_pipe(0, CEILING, true);
    read_stdin_from_pipe(0, MANY, true);
    read_stdin_from_pipe(0, 1024, false);
}

T_CASE(nonblocking_pipe_is_awaited) {
    read_stdin_from_pipe(O_NONBLOCK, CEILING, true);
}

static void
on_alarm(int number) {
}

T_CASE(signals_do_not_interrupt_reading) {
    struct sigaction action = { .sa_handler = on_alarm }, old;
    sigaction(SIGALRM, &action, &old);
    const struct itimerval often = { { 0, 300 }, { 0, 300 } };
    const struct itimerval never = { { 0, 0 }, { 0, 0 } };
    int ends[2];
    T_INT(pipe(ends), 0);
    pid_t writer = start_writer(ends[1], true);
    char path[32];
    snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
    setitimer(ITIMER_REAL, &often, NULL);
    struct sq_buf got = { 0 };
    bool ok = sq_file_read(path, CEILING, &got, &t_err);
    bool written = sq_file_write(t_scratch_path("out"), pattern, MANY, &t_err);
    setitimer(ITIMER_REAL, &never, NULL);
    T_OK(ok && written);
    T_BYTES(got.data, got.len, pattern, MANY);
    T(t_holds(t_scratch_path("out"), pattern, MANY));
    sq_buf_finish(&got);
    sigaction(SIGALRM, &old, NULL);
    waitpid(writer, NULL, 0);
    close(ends[0]);
}

T_BARE_CASE(folders_devices_and_missing_files_are_refused) {
    check_refused("/", CEILING, SQ_ERR_ARGUMENT, "/ is a folder, not a file");
    check_refused("/dev/zero", CEILING, SQ_ERR_ARGUMENT,
                  "/dev/zero is a device, not a file");
    check_refused("/no/such", CEILING, SQ_ERR_NOT_FOUND,
                  "cannot read /no/such: No such file or directory");
    check_refused("", CEILING, SQ_ERR_NOT_FOUND,
                  "cannot read \"\": No such file or directory");
}

static mode_t
mode_of(const char *path) {
    struct stat st = { 0 };
    T_INT(lstat(path, &st), 0);
    return st.st_mode;
}

T_CASE(new_file_uses_the_umask) {
    mode_t saved = umask(027);
    T_OK(sq_file_write(t_scratch_path("a"), pattern, MANY, &t_err));
    T(t_holds(t_scratch_path("a"), pattern, MANY));
    T_INT(mode_of(t_scratch_path("a")), S_IFREG | 0640);
    umask(0);
    T_OK(sq_file_write(t_scratch_path("b"), "", 0, &t_err));
    T(t_holds(t_scratch_path("b"), "", 0));
    T_INT(mode_of(t_scratch_path("b")), S_IFREG | 0666);
    umask(saved);
    T_INT(t_count_entries(t_scratch()), 2);
}

T_CASE(private_file_stays_private) {
    t_put(t_scratch_path("a"), old_text, sizeof(old_text));
    T_INT(chmod(t_scratch_path("a"), 0600), 0);
    T_OK(sq_file_write(t_scratch_path("a"), pattern, 100, &t_err));
    T(t_holds(t_scratch_path("a"), pattern, 100));
    T_INT(mode_of(t_scratch_path("a")), S_IFREG | 0600);
}

T_CASE(link_is_replaced_and_its_target_kept) {
    t_put(t_scratch_path("precious"), old_text, sizeof(old_text));
    T_INT(symlink("precious", t_scratch_path("soft")), 0);
    T_INT(symlink("nowhere", t_scratch_path("dangling")), 0);
    T_INT(link(t_scratch_path("precious"), t_scratch_path("hard")), 0);
    static const char *const names[] = { "soft", "dangling", "hard" };
    for (int i = 0; i < 3; i++) {
        const char *path = t_scratch_path(names[i]);
        T_OK(sq_file_write(path, pattern, 9, &t_err));
        T(S_ISREG(mode_of(path)));
        T(t_holds(path, pattern, 9));
        T(t_holds(t_scratch_path("precious"), old_text, sizeof(old_text)));
    }
    T_INT(t_count_entries(t_scratch()), 4);
}

/*
 * Devices are opened through a link, so that an error in the code under test
 * replaces the link and not, as root, the real /dev/null.
 */
static const char *
link_to_device(const char *device) {
    const char *path = t_scratch_path("device");
    unlink(path);
    T_INT(symlink(device, path), 0);
    return path;
}

T_CASE(devices_are_written_to_and_stay_devices) {
    char words[300];
    const char *path = link_to_device("/dev/null");
    T_OK(sq_file_write(path, pattern, sizeof(pattern), &t_err));
    T(S_ISLNK(mode_of(path)));
    path = link_to_device("/dev/full");
    snprintf(words, sizeof(words), "cannot write %s: No space left on device",
             path);
    check_not_written(path, SQ_ERR_IO, words);
    T(S_ISLNK(mode_of(path)));
    T_INT(t_count_entries(t_scratch()), 1);
}

T_CASE(named_pipe_is_written_to) {
    const char *path = t_scratch_path("fifo");
    T_INT(mkfifo(path, 0600), 0);
    fflush(stdout);
    pid_t reader = fork();
    if (reader == 0) {
        _exit(t_holds(path, pattern, MANY) ? 0 : 1);
    }
    T_OK(sq_file_write(path, pattern, MANY, &t_err));
    int status = -1;
    waitpid(reader, &status, 0);
    T_INT(status, 0);
    T(S_ISFIFO(mode_of(path)));
    T_INT(t_count_entries(t_scratch()), 1);
}

/* In a child process without privileges, which cannot damage /dev. */
static bool
write_unprivileged(const char *path, int stdout_fd) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        dup2(stdout_fd, STDOUT_FILENO);
        bool harmless = geteuid() != 0 || setuid(65534) == 0;
        _exit(harmless && sq_file_write(path, "after", 5, &t_err) ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return status == 0;
}

T_CASE(standard_output_is_appended_to) {
    static const char *const names[] = { "-", "/dev/stdout" };
    const char *file = t_scratch_path("redirected");
    for (int i = 0; i < 2; i++) {
        t_put(file, "before ", 7);
        int fd = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
        T(write_unprivileged(names[i], fd));
        close(fd);
        T(t_holds(file, "before after", 12));
    }
    T_INT(t_count_entries(t_scratch()), 1);
}

T_CASE(invalid_targets_are_refused) {
    char words[300];
    char hint[300];
    const char *path = t_scratch_path("no/out.png");
    snprintf(words, sizeof(words), "cannot write %s: No such file or directory",
             path);
    check_not_written(path, SQ_ERR_NOT_FOUND, words);
    snprintf(hint, sizeof(hint),
             "The folder %s/no/ does not exist; create it first.", t_scratch());
    T(!sq_file_write(path, "new", 3, &t_err));
    T_STR(t_err.hint, hint);
    check_not_written("/tmp", SQ_ERR_ARGUMENT, "/tmp is a folder, not a file");
    check_not_written("/tmp/", SQ_ERR_ARGUMENT,
                      "/tmp/ is a folder, not a file");
    check_not_written(".", SQ_ERR_ARGUMENT, ". is a folder, not a file");
    check_not_written("", SQ_ERR_NOT_FOUND,
                      "cannot write \"\": No such file or directory");
    check_not_written("/dev/null/x", SQ_ERR_NOT_FOUND,
                      "cannot write /dev/null/x: Not a directory");
    T_INT(t_count_entries(t_scratch()), 0);
}

T_CASE(full_disk_leaves_the_old_file) {
    const char *path = t_scratch_path("out");
    t_put(path, old_text, sizeof(old_text));
    struct rlimit saved;
    getrlimit(RLIMIT_FSIZE, &saved);
    static const rlim_t limits[] = { 0, 1, 100, 4096, MANY - 1 };
    for (size_t i = 0; i < SQ_COUNT(limits); i++) {
        struct rlimit tight = { limits[i], saved.rlim_max };
        setrlimit(RLIMIT_FSIZE, &tight);
        bool ok = sq_file_write(path, pattern, MANY, &t_err);
        setrlimit(RLIMIT_FSIZE, &saved);
        T(!ok);
        T_INT(t_err.code, SQ_ERR_IO);
        T(strstr(t_err.message, ": File too large") != NULL);
        T(t_holds(path, old_text, sizeof(old_text)));
        T_INT(t_count_entries(t_scratch()), 1);
    }
}

/* A child process writes the file repeatedly until a signal ends it. */
static void
write_until_killed(const char *path, useconds_t after_us) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        ualarm(after_us, 0);
        for (bool ok = true; ok;) {
            ok = sq_file_write(path, pattern, MANY, &t_err);
        }
        _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    T(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM);
}

T_CASE(signal_leaves_one_complete_file) {
    const char *path = t_scratch_path("out");
    for (useconds_t i = 0; i < 40; i++) {
        t_put(path, old_text, sizeof(old_text));
        write_until_killed(path, 1000 + i * 53);
        T(t_holds(path, pattern, MANY)
          || t_holds(path, old_text, sizeof(old_text)));
        T_INT(t_count_entries(t_scratch()), 1);
    }
}

static const int hows[] = {
    EIO, EINTR, ENOSPC, EMFILE, ENOMEM, SQ_FAULT_SHORT
};

static bool
must_succeed(int how) {
    return how == EINTR || how == SQ_FAULT_SHORT;
}

static bool
is_expected(const struct sq_err *err) {
    return err->code == SQ_ERR_IO || err->code == SQ_ERR_NOMEM
        || err->code == SQ_ERR_EXHAUSTED;
}

static bool
try_read(const char *path) {
    T_FREED(sq_buf_finish) struct sq_buf got = { 0 };
    bool ok = sq_file_read(path, CEILING, &got, &t_err);
    T(ok || is_expected(&t_err));
    T(!ok || (got.len == MANY && memcmp(got.data, pattern, MANY) == 0));
    return ok;
}

static bool
try_write(const char *path) {
    t_put(path, old_text, sizeof(old_text));
    bool ok = sq_file_write(path, pattern, MANY, &t_err);
    T(ok || is_expected(&t_err));
    T(ok ? t_holds(path, pattern, MANY)
         : t_holds(path, old_text, sizeof(old_text)));
    return ok;
}

static bool
try_write_new(const char *path) {
    unlink(path);
    bool ok = sq_file_write(path, pattern, MANY, &t_err);
    T(ok ? t_holds(path, pattern, MANY) : access(path, F_OK) != 0);
    t_put(path, pattern, MANY); /* the same number of files either way */
    return ok;
}

static bool
try_write_device(const char *path) {
    unlink(path);
    T_INT(symlink("/dev/null", path), 0);
    return sq_file_write(path, pattern, MANY, &t_err);
}

/* Fail the 1st, 2nd, ... system call in every way until none is left. */
static void
fail_every_call(bool (*attempt)(const char *path), long at_least) {
    start_scratch();
    const char *path = t_scratch_path("file");
    t_put(path, pattern, MANY);
    int open_files = t_count_open_files();
    long n = 1;
    for (bool reached = true; reached && n < 100; n++) {
        for (size_t i = 0; i < SQ_COUNT(hows); i++) {
            sq_fault_arm(SQ_FAULT_CALL,
                         (struct sq_fault_plan){ .nth = n, .how = hows[i] });
            bool ok = attempt(path);
            reached = sq_fault_count(SQ_FAULT_CALL) >= n;
            T(ok || (reached && !must_succeed(hows[i])));
            T_INT(t_count_entries(t_scratch()), 1);
            T_INT(t_count_open_files(), open_files);
        }
    }
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    T(n - 2 >= at_least);
    t_scratch_end();
}

T_BARE_CASE(reading_survives_every_failed_call) {
    fail_every_call(try_read, 5); /* open, stat, read, read, close */
}

T_BARE_CASE(writing_survives_every_failed_call) {
    /* folder, stat, random, open, write, sync, close, rename, close */
    fail_every_call(try_write, 9);
    fail_every_call(try_write_new, 9);
    fail_every_call(try_write_device, 7);
}

T_CASE(failed_call_error_has_file_and_reason) {
    char words[300];
    const char *path = t_scratch_path("out");
    sq_fault_arm(
        SQ_FAULT_CALL,
        (struct sq_fault_plan){ .nth = 3, .how = ENOSPC, .from_then = true });
    T(!sq_file_write(path, pattern, MANY, &t_err));
    sq_fault_arm(SQ_FAULT_CALL, (struct sq_fault_plan){ 0 });
    snprintf(words, sizeof(words), "cannot write %s: No space left on device",
             path);
    T_STR(t_err.message, words);
    T_STR(t_err.hint, "Free some space or write somewhere else.");
}

static bool
read_pattern(void *path, struct sq_err *err) {
    T_FREED(sq_buf_finish) struct sq_buf got = { 0 };
    bool ok = sq_file_read(path, CEILING, &got, err);
    T(ok || !got.data);
    return ok;
}

T_CASE(reading_survives_every_failed_allocation) {
    char path[512];
    snprintf(path, sizeof(path), "%s", t_scratch_path("in"));
    t_put(path, pattern, MANY);
    int open_files = t_count_open_files();
    T_INT(t_alloc_torture(read_pattern, path), 1);
    T_INT(t_count_open_files(), open_files);
}
