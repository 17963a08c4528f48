/* Serves the demo phone on a local port, for adb and its clients. */
#ifndef SQ_DEMO_ADBD_SERVE_H
#define SQ_DEMO_ADBD_SERVE_H

#include <stdbool.h>

#include "config/config.h"
#include "util/err.h"

/* Options from the command line; NULL if not given. */
struct sq_demo_phone_options {
    const char *address; /* HOST:PORT, or only a port */
    const char *serial;
    const char *fault;
    const char *delay;
    const char *log; /* path of a log file; "-": standard error */
    int clock_s;     /* fixed time in seconds since 1970; 0: the real clock */
    int link_rate;   /* bytes per second to adb; 0: no limit */
    bool runs_programs; /* programs copied to it run on this machine */
};

/*
 * Prints the address and the commands to use it, and serves until a termination
 * signal arrives or, if standard input is a pipe, its other end is closed.
 */
bool sq_demo_phone_run(const struct sq_demo_phone_options *options,
                       const struct sq_config *config, struct sq_err *err);

#endif
