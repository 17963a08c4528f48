#include "sys/windows/private.h"

#include "windows/posix.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <tlhelp32.h>

#include "support/leaks.h"
#include "support/test.h"

#define MAX_VARIABLES 1000

extern char **environ;

/* What Windows has in place of HOME, with the folders of Linux below it. */
static const char *const homes[][2] = {
    { "USERPROFILE", "" },
    { "APPDATA", "/.config" },
    { "LOCALAPPDATA", "/.local/share" },
};

int
unsetenv(const char *name) {
    const char *value;
    for (size_t i = 0; strcmp(name, "HOME") == 0 && i < 3; i++) {
        unsetenv(homes[i][0]);
    }
    while ((value = getenv(name))) {
        char **at = environ;
        while (*at + strlen(name) + 1 != value) {
            at++;
        }
        do {
            at[0] = at[1];
        } while (*at++);
    }
    return 0;
}

static void
move_home(const char *home, int replaces) {
    for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]); i++) {
        char path[1024];
        snprintf(path, sizeof(path), "%s%s", home, homes[i][1]);
        setenv(homes[i][0], path, replaces);
    }
}

int
setenv(const char *name, const char *value, int replaces) {
    static char *variables[MAX_VARIABLES];
    size_t size = strlen(name) + strlen(value) + 2;
    size_t count = 0;
    char *text = malloc(size);
    if (!text || (getenv(name) && !replaces)) {
        abort();
    }
    snprintf(text, size, "%s=%s", name, value);
    unsetenv(name);
    while (environ[count] && count < MAX_VARIABLES - 2) {
        variables[count] = environ[count];
        count++;
    }
    variables[count] = text;
    variables[count + 1] = NULL;
    environ = variables;
    if (strcmp(name, "HOME") == 0) {
        move_home(value, replaces);
    }
    return 0;
}

char *
mkdtemp(char *path) {
    char *end = path + strlen(path) - strlen("XXXXXX");
    for (int i = 0; i < 1000000; i++) {
        snprintf(end, sizeof("XXXXXX"), "%06d", i);
        if (mkdir(path, 0700) == 0) {
            return path;
        }
    }
    return NULL;
}

/* A folder of the tested code, which knows its descriptor. */
struct open_folder {
    DIR *list;
    int fd;   /* 0: descriptors or threads of this process, */
    int left; /* their number, with "." and ".." */
};
static struct open_folder open_folders[64];

static int
count_open_files(void) {
    int count = 0;
    for (int i = 0; i < SQ_MAX_HANDLES; i++) {
        count += sq_handle_get(SQ_FIRST_HANDLE + i).kind != SQ_HANDLE_NONE;
    }
    return count;
}

static int
count_threads(void) {
    THREADENTRY32 entry = { .dwSize = sizeof(entry) };
    HANDLE all = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    int count = 0;
    for (BOOL ok = Thread32First(all, &entry); ok;
         ok = Thread32Next(all, &entry)) {
        count += entry.th32OwnerProcessID == GetCurrentProcessId();
    }
    CloseHandle(all);
    return count;
}

DIR *
opendir(const char *path) {
    struct open_folder *free_one = open_folders;
    while (free_one->list) {
        free_one++;
    }
    bool are_files = strcmp(path, "/proc/self/fd") == 0;
    if (are_files || strcmp(path, "/proc/self/task") == 0) {
        *free_one = (struct open_folder){
            .list = (DIR *)free_one,
            .left = 2 + (are_files ? count_open_files() : count_threads()),
        };
        return free_one->list;
    }
    free_one->fd =
        sq_call_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    free_one->list = free_one->fd < 0 ? NULL : sq_call_fdopendir(free_one->fd);
    return free_one->list;
}

static struct open_folder *
find(DIR *folder) {
    struct open_folder *found = open_folders;
    while (found->list != folder) {
        found++;
    }
    return found;
}

struct dirent *
readdir(DIR *folder) {
    static struct dirent nameless;
    struct open_folder *found = find(folder);
    return found->fd         ? sq_call_readdir(folder, 1)
         : found->left-- > 0 ? &nameless
                             : NULL;
}

int
closedir(DIR *folder) {
    struct open_folder *found = find(folder);
    found->list = NULL;
    if (found->fd) {
        sq_call_closedir(folder);
    }
    return 0;
}

int
dirfd(DIR *folder) {
    return find(folder)->fd;
}

static DWORD first_thread;

/*
 * No sanitizer counts memory here. This is called first: Wine itself cannot
 * start with a path of Windows in TMPDIR.
 */
void
t_leaks_learn(void) {
    const char *folder = getenv("SQUINT_TEST_TMPDIR");
    first_thread = GetCurrentThreadId();
    if (folder) {
        setenv("TMPDIR", folder, 0);
    }
}

int
sq_stat(const char *path, struct stat *out) {
    return sq_call_fstatat(AT_FDCWD, path, out);
}

/* The same with the paths and descriptors of the tested code. */

#define UNITS 4096
#define MAX_DEPTH 16
#define EPOCH_100NS 116444736000000000LL /* 1970 since 1601 */

/* A descriptor of sys, not one of the C library: see sys/windows/private.h. */
static bool
is_ours(int fd) {
    return fd >= SQ_FIRST_HANDLE || (fd >= 64 && fd % 4 == 0);
}

static const wchar_t *
wide_path(const char *path) {
    static _Thread_local wchar_t wide[UNITS];
    if (strcmp(path, "/dev/null") == 0) {
        path = "NUL";
    }
    return MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, UNITS) > 0 ? wide
                                                                      : L"?";
}

FILE *(open_stream)(const char *path, const char *mode) {
    wchar_t wide_mode[8]; /* no CR before LF */
    swprintf(wide_mode, 8, L"%hs%hs", mode, strchr(mode, 'b') ? "" : "b");
    return _wfopen(wide_path(path), wide_mode);
}

int
open_path(const char *path, int flags, ...) {
    if (flags & O_DIRECTORY || strcmp(path, ".") == 0) {
        return sq_call_openat(AT_FDCWD, path, flags | O_DIRECTORY, 0);
    }
    return _wopen(wide_path(path), (flags & 0xffff) | _O_BINARY, 0600);
}

int
close(int fd) {
    return is_ours(fd) ? sq_call_close(fd) : _close(fd);
}

int
read(int fd, void *into, unsigned count) {
    return is_ours(fd) ? (int)sq_call_read(fd, into, count)
                       : _read(fd, into, count);
}

int
write(int fd, const void *from, unsigned count) {
    return is_ours(fd) ? (int)sq_call_write(fd, from, count)
                       : _write(fd, from, count);
}

int
dup(int fd) {
    return is_ours(fd) ? sq_call_dup(fd) : _dup(fd);
}

int
dup2(int fd, int wanted) {
    int result = is_ours(fd) ? -1 : _dup2(fd, wanted);
    if (result == 0 && wanted < 3) {
        /* It is looked up again. */
        sq_handle_set(wanted, (struct sq_handle){ .kind = SQ_HANDLE_NONE });
    }
    return result == 0 ? wanted : result;
}

int
fcntl(int fd, int command, ...) {
    va_list args;
    va_start(args, command);
    int value = command == F_SETFL ? va_arg(args, int) : 0;
    va_end(args);
    switch (command) {
    case F_DUPFD_CLOEXEC:
        return dup(fd);
    case F_GETFD:
        return sq_call_fstat(fd, &(struct stat){ 0 }) == 0 ? FD_CLOEXEC : -1;
    case F_GETFL: {
        int blocked = sq_call_set_blocking(fd, true);
        sq_call_set_blocking(fd, blocked != 0);
        return blocked ? 0 : O_NONBLOCK;
    }
    default:
        return sq_call_set_blocking(fd, !(value & O_NONBLOCK)) < 0 ? -1 : 0;
    }
}

int
pipe(int ends[2]) {
    if (sq_call_pipe(ends) != 0) {
        return -1;
    }
    sq_call_set_blocking(ends[0], true);
    sq_call_set_blocking(ends[1], true);
    return 0;
}

int
socket_pair(int ends[2]) {
    if (sq_call_socket_pair(ends) != 0) {
        return -1;
    }
    sq_call_set_blocking(ends[0], true);
    sq_call_set_blocking(ends[1], true);
    return 0;
}

int
lstat(const char *path, struct stat *out) {
    return sq_call_lstatat(AT_FDCWD, path, out);
}

int
rename_file(const char *from, const char *to) {
    return sq_call_renameat(AT_FDCWD, from, to);
}

int
remove_path(const char *path) {
    return unlink(path) == 0 ? 0 : rmdir(path);
}

int
link(const char *path, const char *other) {
    return sq_call_linkat(AT_FDCWD, path, other);
}

int
truncate_file(const char *path, long long size) {
    int fd = _wopen(wide_path(path), _O_RDWR | _O_BINARY);
    int result = fd < 0 ? -1 : _chsize_s(fd, size);
    if (fd >= 0) {
        _close(fd);
    }
    return result ? -1 : 0;
}

int
fchdir(int folder) {
    char path[UNITS];
    return sq_path_of_handle(sq_handle_get(folder).os, path, sizeof(path))
                && SetCurrentDirectoryW(wide_path(path))
             ? 0
             : -1;
}

/* Locks the byte that sys locks. */
int
flock(int fd, int how) {
    OVERLAPPED at = { .OffsetHigh = 0x7fffffff };
    HANDLE file =
        is_ours(fd) ? sq_handle_get(fd).os : (HANDLE)_get_osfhandle(fd);
    DWORD flags = (how & LOCK_EX ? LOCKFILE_EXCLUSIVE_LOCK : 0u)
                | (how & LOCK_NB ? LOCKFILE_FAIL_IMMEDIATELY : 0u);
    return LockFileEx(file, flags, 0, 1, 0, &at) ? 0 : -1;
}

static FILETIME
file_time(const struct timespec *at) {
    long long ticks =
        (long long)at->tv_sec * 10000000 + at->tv_nsec / 100 + EPOCH_100NS;
    return (FILETIME){ (DWORD)ticks, (DWORD)(ticks >> 32) };
}

int
utimensat(int dir, const char *path, const struct timespec times[2],
          int flags) {
    (void)flags;
    char whole[UNITS];
    if (dir != AT_FDCWD
        && sq_path_of_handle(sq_handle_get(dir).os, whole, sizeof(whole))) {
        size_t len = strlen(whole);
        snprintf(whole + len, sizeof(whole) - len, "/%s", path);
        path = whole;
    }
    HANDLE file = CreateFileW(wide_path(path), FILE_WRITE_ATTRIBUTES,
                              FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    FILETIME at[2] = { file_time(&times[0]), file_time(&times[1]) };
    bool sets_access = times[0].tv_nsec != UTIME_OMIT;
    bool ok = file != INVALID_HANDLE_VALUE
           && SetFileTime(file, NULL, sets_access ? &at[0] : NULL, &at[1]);
    if (file != INVALID_HANDLE_VALUE) {
        CloseHandle(file);
    }
    return ok ? 0 : -1;
}

/* Calls the function for what is in a folder, and then for the folder. */
static int
walk(const char *path, visit_file *visit, int depth) {
    char(*names)[256] = NULL;
    int count = 0;
    DIR *dir = depth < MAX_DEPTH ? opendir(path) : NULL;
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (count % 256 == 0) {
            names = realloc(names, (size_t)(count + 256) * sizeof(*names));
        }
        if (names && strcmp(entry->d_name, ".") != 0
            && strcmp(entry->d_name, "..") != 0
            && strlen(entry->d_name) < sizeof(names[0])) {
            memcpy(names[count++], entry->d_name, strlen(entry->d_name) + 1);
        }
    }
    if (dir) {
        closedir(dir);
    }
    int result = 0;
    for (int i = 0; i < count && result == 0; i++) {
        char below[1024];
        snprintf(below, sizeof(below), "%s/%s", path, names[i]);
        result = walk(below, visit, depth + 1);
    }
    free(names);
    struct FTW where = { .level = depth };
    return result ? result : visit(path, NULL, dir ? FTW_DP : FTW_F, &where);
}

int
walk_files(const char *path, visit_file *visit, int depth, int flags) {
    (void)depth, (void)flags;
    return walk(path, visit, 0);
}

char *
strsep(char **at, const char *marks) {
    char *start = *at;
    if (start) {
        size_t len = strcspn(start, marks);
        *at = start[len] ? start + len + 1 : NULL;
        start[len] = '\0';
    }
    return start;
}

void *
find_bytes(const void *bytes, size_t len, const void *part, size_t part_len) {
    const char *at = bytes;
    for (; len >= part_len; at++, len--) {
        if (memcmp(at, part, part_len) == 0) {
            return (void *)at;
        }
    }
    return NULL;
}

unsigned
geteuid(void) {
    return 1000;
}

/* What Windows does not have. */

void
t_give_up(const char *lacking) {
    static char why[100];
    snprintf(why, sizeof(why), "Windows has no %s", lacking);
    if (GetCurrentThreadId() != first_thread) {
        printf("# a thread of the case, which skipped.txt has to leave out: "
               "%s\n",
               why);
        exit(1);
    }
    t_skip(why);
    t_end_case();
}

char *
ptsname(int terminal) {
    (void)terminal;
    t_give_up("terminals of POSIX");
}

ssize_t
readlink(const char *path, char *into, size_t size) {
    (void)path, (void)into, (void)size;
    t_give_up("links under Wine");
}

/*
 * Accepted sockets wait, even if sys has made their listener not wait in a
 * poll().
 */
int
accept_waiting(int listener) {
    SOCKET made = accept((SOCKET)listener, NULL, NULL);
    ioctlsocket(made, (long)FIONBIO, &(u_long){ 0 });
    return made == INVALID_SOCKET ? -1 : (int)made;
}

ssize_t
pwrite(int fd, const void *from, size_t count, off_t offset) {
    (void)fd, (void)from, (void)count, (void)offset;
    t_give_up("pwrite()");
}

int
futimens(int fd, const struct timespec times[2]) {
    (void)fd, (void)times;
    t_give_up("futimens()");
}

int
change_mode(const char *path, unsigned mode) {
    (void)path;
    if ((mode & 0600) != 0600 || mode & 022) {
        t_give_up("modes of files");
    }
    return 0;
}

int
symlink(const char *target, const char *path) {
    (void)target, (void)path;
    t_give_up("links under Wine");
}

int
mkfifo(const char *path, unsigned mode) {
    (void)path, (void)mode;
    t_give_up("named pipes among files");
}

int
sigaction(int number, const struct sigaction *set, struct sigaction *old) {
    (void)number, (void)set, (void)old;
    t_give_up("signals");
}

int
fork(void) {
    t_give_up("fork()");
}

int
waitpid(int child, int *status, int flags) {
    (void)child, (void)status, (void)flags;
    t_give_up("fork()");
}

int
kill(int process, int number) {
    (void)process, (void)number;
    t_give_up("signals");
}

int
wcwidth(wchar_t c) {
    (void)c;
    t_give_up("wcwidth()");
}
