/* The demo phone on a port of this machine, for adb and all that speaks it. */
#ifndef SQ_APP_DEMO_PHONE_H
#define SQ_APP_DEMO_PHONE_H

#include <stdbool.h>

#include "config/config.h"
#include "util/err.h"

/* As the command line has them; NULL where nothing was said. */
struct sq_demo_phone_options {
    const char *address; /* HOST:PORT, or a port */
    const char *serial;
    const char *fault;
    const char *delay;
    const char *log; /* a file; "-": standard error */
    int clock_s;     /* since 1970, and stays there; 0: the machine's clock */
    int link_rate;   /* bytes a second to adb; 0: no limit */
};

/*
 * Print the address and what to type, and be the phone until a signal asks to
 * end or, where standard input is a pipe, its other end is closed.
 */
bool sq_demo_phone_run(const struct sq_demo_phone_options *options,
                       const struct sq_config *config, struct sq_err *err);

#endif
