/*
 * The one place where system calls on files are made. Each asks the fault
 * seam first, so that tests can make any of them fail, and each is made again
 * when a signal interrupts it: callers never see EINTR.
 */
#ifndef SQ_SYS_CALL_H
#define SQ_SYS_CALL_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>

/* All return -1 and set errno on failure, as the call they are named after. */
int sq_call_openat(int dir, const char *path, int flags, mode_t mode);

/* Open a folder only to name files inside it; needs no right to list it. */
int sq_call_open_dir(const char *path);

ssize_t sq_call_read(int fd, void *into, size_t count);
ssize_t sq_call_write(int fd, const void *from, size_t count);

/* Many pieces at once; fewer bytes than all of them may go. */
ssize_t sq_call_writev(int fd, const struct iovec *pieces, int count);

/* Wait until fd has one of the poll() events. */
int sq_call_wait(int fd, short events);

/*
 * As poll(), but 0 also means that a signal came: look at the clock again.
 * timeout_ms below 0 waits for ever.
 */
int sq_call_poll(struct pollfd *fds, size_t count, int timeout_ms);

/* Two ends that neither block nor pass on to a child; ends[0] is for reading */
int sq_call_pipe(int ends[2]);

/*
 * Whether reads and writes wait, or are EAGAIN where they would have to.
 * Returns whether they did before.
 */
int sq_call_set_blocking(int fd, bool blocking);

/* The descriptor is gone afterwards, also on failure. */
int sq_call_close(int fd);

int sq_call_fstat(int fd, struct stat *out);

/* Follows a symbolic link in the last place. */
int sq_call_fstatat(int dir, const char *path, struct stat *out);

int sq_call_access(const char *path, int mode);

int sq_call_fsync(int fd);

/* Both names are in dir. */
int sq_call_renameat(int dir, const char *from, const char *to);

int sq_call_unlinkat(int dir, const char *path);

/* Make a folder that only its owner may enter. */
int sq_call_mkdirat(int dir, const char *path);

/* What a symbolic link says; not NUL-terminated. */
ssize_t sq_call_readlink(const char *path, char *into, size_t size);

/* NULL on failure; into has room for PATH_MAX bytes. */
char *sq_call_realpath(const char *path, char *into);

ssize_t sq_call_getrandom(void *into, size_t count);

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

#endif
