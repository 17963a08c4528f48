/*
 * What unit tests use of POSIX and mingw-w64 lacks. Every file includes it. A
 * case that needs what Windows has not, such as fork(), ends there and is
 * skipped.
 */
#ifndef SQ_TEST_WINDOWS_POSIX_H
#define SQ_TEST_WINDOWS_POSIX_H

#define _GNU_SOURCE /* vasprintf */

#include <dirent.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sys/call.h"

#include <fcntl.h>
#include <ftw.h>

#define F_DUPFD_CLOEXEC 1
#define F_GETFL 2
#define F_SETFL 3
#define F_GETFD 4
#define FD_CLOEXEC 1
#define AT_SYMLINK_NOFOLLOW 1
#define WNOHANG 1
#define SIGUSR1 30
#define SIGCHLD 17
#define SA_RESTART 0
#define LOCK_EX 2
#define LOCK_NB 4
#define UTIME_OMIT (-2)
#define st_atim st_mtim
/* The variables of the user's folders that have no XDG variable set. */
#define T_HOME "USERPROFILE"
#define T_SETTINGS "APPDATA"

/* Ends the case, skipped: Windows has no such thing. */
_Noreturn void t_give_up(const char *lacking);

int setenv(const char *name, const char *value, int replaces);
int unsetenv(const char *name);
char *mkdtemp(char *path);
DIR *opendir(const char *path);
struct dirent *readdir(DIR *folder);
int closedir(DIR *folder);
int sq_stat(const char *path, struct stat *out); /* stat() */
int lstat(const char *path, struct stat *out);
int dirfd(DIR *folder);
int utimensat(int dir, const char *path, const struct timespec times[2],
              int flags);
int truncate_file(const char *path, long long size);
int change_mode(const char *path, unsigned mode);
int rename_file(const char *from, const char *to);
int remove_path(const char *path);
int open_path(const char *path, int flags, ...);
FILE *open_stream(const char *path, const char *mode);
int fcntl(int fd, int command, ...);
int pipe(int ends[2]);
int accept_waiting(int listener);
int socket_pair(int ends[2]);
int flock(int fd, int how);
int symlink(const char *target, const char *path);
int link(const char *path, const char *other);
int mkfifo(const char *path, unsigned mode);
int sigaction(int number, const struct sigaction *set, struct sigaction *old);
int fork(void);
int waitpid(int child, int *status, int flags);
int kill(int process, int number);
unsigned geteuid(void);
char *ptsname(int terminal);
ssize_t readlink(const char *path, char *into, size_t size);
ssize_t pwrite(int fd, const void *from, size_t count, off_t offset);
int futimens(int fd, const struct timespec times[2]);
int fchdir(int folder);
char *strsep(char **at, const char *marks);
void *find_bytes(const void *bytes, size_t len, const void *part,
                 size_t part_len);
typedef int visit_file(const char *path, const struct stat *st, int type,
                       void *place);
int walk_files(const char *path, visit_file *visit, int depth, int flags);

#undef fstat
#define fstat(fd, st) sq_call_fstat(fd, st)
#define mkdir(path, mode) sq_call_mkdirat(AT_FDCWD, path)
#define rmdir(path) sq_call_rmdirat(AT_FDCWD, path)
#define unlink(path) sq_call_unlinkat(AT_FDCWD, path)
#define access(path, mode) sq_call_access(path, mode)
#define unlinkat(dir, name, flags) sq_call_unlinkat(dir, name)
#define fstatat(dir, name, out, flags)                                         \
    ((flags) ? sq_call_lstatat(dir, name, out)                                 \
             : sq_call_fstatat(dir, name, out))
#define truncate(path, size) truncate_file(path, size)
#define chmod(path, mode) change_mode(path, mode)
#define rename(from, to) rename_file(from, to)
#define remove(path) remove_path(path)
#define fopen(path, mode) open_stream(path, mode)
#define open open_path
#define memmem find_bytes
#define nftw(path, visit, depth, flags)                                        \
    walk_files(path, (visit_file *)(visit), depth, flags)
#define posix_openpt(flags) (t_give_up("terminals of POSIX"), 0)
#define grantpt(terminal) (-1)
#define unlockpt(terminal) (-1)
#define dprintf(fd, ...) (t_give_up("dprintf()"), 0)
#define pipe2(ends, flags) pipe(ends)
#define sigemptyset(set) (*(set) = 0)
#define sigaddset(set, number) (0)
#define umask(mask) (t_give_up("umask"), 0u)
#define getuid() geteuid()
#define socketpair(family, type, protocol, ends) socket_pair(ends)
#define AF_UNIX 1
#define SOCK_STREAM 1
#ifdef _WINSOCK2API_ /* the file uses functions of Winsock by itself */
#define accept(listener, address, len) accept_waiting(listener)
#endif
#define poll(fds, count, timeout_ms) sq_call_poll(fds, count, timeout_ms)
#define SHUT_RDWR 2
#define MSG_NOSIGNAL 0
#define SOCK_CLOEXEC 0
typedef unsigned long nfds_t;

#endif
