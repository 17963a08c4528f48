/*
 * The one place where system calls are made. Each asks the fault
 * seam first, so that tests can make any of them fail, and each is made again
 * when a signal interrupts it: callers never see EINTR.
 */
#ifndef SQ_SYS_CALL_H
#define SQ_SYS_CALL_H

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

/* All return -1 and set errno on failure, as the call they are named after. */
int sq_call_openat(int dir, const char *path, int flags, mode_t mode);

/* Open a folder only to name files inside it; needs no right to list it. */
int sq_call_open_dir(const char *path);

/* The same of a folder inside dir; a symbolic link is refused. */
int sq_call_enter_dir(int dir, const char *name);

/*
 * As openat, but whatever lies outside dir and whatever is reached through a
 * symbolic link is refused by the kernel itself. ENOSYS where it cannot.
 */
int sq_call_open_beneath(int dir, const char *path, int flags);

ssize_t sq_call_read(int fd, void *into, size_t count);
ssize_t sq_call_write(int fd, const void *from, size_t count);

/* Not from where the last read ended but from that offset. */
ssize_t sq_call_pread(int fd, void *into, size_t count, off_t offset);

/*
 * The next entries of an open folder as struct dirent64 of the kernel; 0 at
 * the end. ENOSYS where only the C library knows how to.
 */
ssize_t sq_call_getdents(int fd, void *into, size_t size);

/* For those: as fdopendir and readdir, closed with sq_call_closedir. */
DIR *sq_call_fdopendir(int fd);
struct dirent *sq_call_readdir(DIR *folder);
void sq_call_closedir(DIR *folder);

/* The same, where a reader that has gone is EPIPE and never a signal. */
ssize_t sq_call_write_pipe(int fd, const void *from, size_t count);

/* Many pieces at once; fewer bytes than all of them may go. */
ssize_t sq_call_writev(int fd, const struct iovec *pieces, int count);

/* Wait until fd has one of the poll() events. */
int sq_call_wait(int fd, short events);

/*
 * As poll(), but 0 also means that a signal came: look at the clock again.
 * timeout_ms below 0 waits for ever.
 */
int sq_call_poll(struct pollfd *fds, size_t count, int timeout_ms);

/* The same in nanoseconds; systems without them round up to milliseconds. */
int sq_call_poll_ns(struct pollfd *fds, size_t count, int64_t timeout_ns);

/* Two ends that neither block nor pass on to a child; ends[0] is for reading */
int sq_call_pipe(int ends[2]);

/*
 * Whether reads and writes wait, or are EAGAIN where they would have to.
 * Returns whether they did before.
 */
int sq_call_set_blocking(int fd, bool blocking);

/* Another descriptor of the same open file; not passed on to a child. */
int sq_call_dup(int fd);

/* The descriptor is gone afterwards, also on failure. */
int sq_call_close(int fd);

int sq_call_fstat(int fd, struct stat *out);

/* Follows a symbolic link in the last place. */
int sq_call_fstatat(int dir, const char *path, struct stat *out);

/* Does not. */
int sq_call_lstatat(int dir, const char *path, struct stat *out);

int sq_call_access(const char *path, int mode);

int sq_call_fsync(int fd);
int sq_call_fchmod(int fd, mode_t mode);

/* What the process takes away from the modes of new files; cannot fail. */
mode_t sq_call_umask(void);

/*
 * Lock an open file or folder, for all its descriptors, without waiting.
 * EWOULDBLOCK if another process holds a lock that excludes this one.
 */
int sq_call_lock_file(int fd, bool exclusive);

/* Both names are in dir. */
int sq_call_renameat(int dir, const char *from, const char *to);

/* A second name for a file in dir; EEXIST if there is a file of it. */
int sq_call_linkat(int dir, const char *from, const char *to);

/* A new name for a file in dir; EEXIST if there is a file of it. */
int sq_call_rename_new(int dir, const char *from, const char *to);

/*
 * A new file in dir that has no name and is gone when it is closed, unless
 * sq_call_link_nameless gave it one (EEXIST if there is a file of it). Many
 * systems and file systems have neither these two nor sq_call_rename_new.
 */
int sq_call_open_nameless(int dir, mode_t mode);
int sq_call_link_nameless(int fd, int dir, const char *to);

int sq_call_unlinkat(int dir, const char *path);

/* Remove an empty folder. */
int sq_call_rmdirat(int dir, const char *path);

/* Make a folder that only its owner may enter. */
int sq_call_mkdirat(int dir, const char *path);

/* What a symbolic link says; not NUL-terminated. */
ssize_t sq_call_readlink(const char *path, char *into, size_t size);

/* NULL on failure; into has room for PATH_MAX bytes. */
char *sq_call_realpath(const char *path, char *into);

/* Whose rights this process has; cannot fail. */
uid_t sq_call_user(void);

/* Processors that this process may run on; below 1: not known. */
int sq_call_processors(void);

/*
 * Let the calling thread run only when others leave a processor idle, as far
 * as the system can; where it cannot, nothing happens.
 */
void sq_call_lower_priority(void);

/* File descriptors it may have; below 0: not known, or no limit. */
long sq_call_descriptor_limit(void);

ssize_t sq_call_getrandom(void *into, size_t count);

struct addrinfo;

/* A stream socket that neither blocks nor passes on to a child. */
int sq_call_socket(int family);

/* Mostly -1 with EINPROGRESS: wait for POLLOUT, then ask socket_error. */
int sq_call_connect(int fd, const struct sockaddr *to, socklen_t len);

/* What became of a connect(): 0 or an errno value; -1 if that is unknown. */
int sq_call_socket_error(int fd);

int sq_call_bind(int fd, const struct sockaddr *to, socklen_t len);
int sq_call_listen(int fd);

/* The address a socket is bound to. */
int sq_call_getsockname(int fd, struct sockaddr *out, socklen_t *len);

/* As sq_call_socket, of whoever connects to a listener. */
int sq_call_accept(int listener);

/* Switch an option that is on or off. */
int sq_call_setsockopt(int fd, int level, int name, int value);

ssize_t sq_call_recv(int fd, void *into, size_t count);

/* A peer that has gone is EPIPE, and no signal. */
ssize_t sq_call_send(int fd, const void *from, size_t count);

/*
 * As getaddrinfo() for stream sockets, its result too; *out is for
 * sq_call_freeaddrinfo. Blocks as long as the system's resolver likes.
 */
int sq_call_getaddrinfo(const char *host, struct addrinfo **out);
void sq_call_freeaddrinfo(struct addrinfo *list);

/*
 * Keep signals waiting, so that none ends the process between making a file
 * and removing it. Signals that come meanwhile arrive on release, except that
 * a file has outgrown its limit: the call that did it has failed already.
 */
void sq_call_hold_signals(sigset_t *saved);
void sq_call_release_signals(const sigset_t *saved);

/*
 * From now on a signal of that number writes one byte, its number, into the
 * pipe and does nothing else. *old is what it did before.
 */
int sq_call_catch_signal(int number, int write_end, struct sigaction *old);

int sq_call_ignore_signal(int number, struct sigaction *old);

/* Let a signal do again what it did before. */
int sq_call_restore_signal(int number, const struct sigaction *old);

/* A child: what it runs, and the ends of pipes it is given. */
struct sq_spawn {
    const char *const *argv; /* argv[0] is a path */
    int streams[3];          /* its standard input, output and error */
    int report; /* gets the errno, as an int, if the program cannot be run */
};

/*
 * Start a child in a session of its own, with no other descriptors that close
 * on exec, all signals as a new process has them, and an end with ours where
 * the system can promise that. Its id, to be reaped by sq_call_end_child.
 */
pid_t sq_call_spawn(const struct sq_spawn *spawn);

/* 1 once the child has ended, 0 before; it stays to be reaped. */
int sq_call_has_ended(pid_t child);

/*
 * End the child and all of its group, and wait for it: cannot fail. Returns
 * what waitpid says of it.
 */
int sq_call_end_child(pid_t child);

#endif
