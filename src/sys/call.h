/*
 * The one place where system calls on files are made. Each asks the fault
 * seam first, so that tests can make any of them fail, and each is made again
 * when a signal interrupts it: callers never see EINTR.
 */
#ifndef SQ_SYS_CALL_H
#define SQ_SYS_CALL_H

#include <signal.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* All return -1 and set errno on failure, as the call they are named after. */
int sq_call_openat(int dir, const char *path, int flags, mode_t mode);

/* Open a folder only to name files inside it; needs no right to list it. */
int sq_call_open_dir(const char *path);

ssize_t sq_call_read(int fd, void *into, size_t count);
ssize_t sq_call_write(int fd, const void *from, size_t count);

/* Wait until fd has one of the poll() events. */
int sq_call_wait(int fd, short events);

/* The descriptor is gone afterwards, also on failure. */
int sq_call_close(int fd);

int sq_call_fstat(int fd, struct stat *out);

/* Follows a symbolic link in the last place. */
int sq_call_fstatat(int dir, const char *path, struct stat *out);

int sq_call_fsync(int fd);

/* Both names are in dir. */
int sq_call_renameat(int dir, const char *from, const char *to);

int sq_call_unlinkat(int dir, const char *path);

ssize_t sq_call_getrandom(void *into, size_t count);

/*
 * Keep signals waiting, so that none ends the process between making a file
 * and removing it. Signals that come meanwhile arrive on release, except that
 * a file has outgrown its limit: the call that did it has failed already.
 */
void sq_call_hold_signals(sigset_t *saved);
void sq_call_release_signals(const sigset_t *saved);

#endif
