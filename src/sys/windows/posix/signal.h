/*
 * The console's events appear as SIGINT and SIGTERM; there are no others, and
 * nothing to block.
 */
#pragma GCC system_header
#ifndef SQ_POSIX_SIGNAL_H
#define SQ_POSIX_SIGNAL_H

#include <sys/types.h>

#include_next <signal.h>

#define SIGHUP 1
#define SIGKILL 9
#define SIGPIPE 13

typedef _sigset_t sigset_t;

struct sigaction {
    void (*sa_handler)(int);
};

#endif
