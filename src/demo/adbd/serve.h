/* Serves the demo phone on a local port, for adb and its clients. */
#ifndef SQ_DEMO_ADBD_SERVE_H
#define SQ_DEMO_ADBD_SERVE_H

#include "demo/adbd/phone.h"

/* Options from the command line; NULL if not given. */
struct sq_demo_phone_options {
    const char *address; /* HOST:PORT, or only a port; NULL: no such phone */
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

/*
 * Programs that were copied to the phone, and that really run on this machine,
 * start "squint demo-screencap" for a screenshot, which asks the phone over a
 * local socket. An answer is the exit status and the length of the messages,
 * little-endian, then the messages. The picture is in a file beside the socket,
 * because it is too large to be sent without waiting.
 */
#define SQ_ADBD_SCREENCAP_HEAD 8
#define SQ_ADBD_SCREENCAP_SOCKET "socket"
#define SQ_ADBD_SCREENCAP_FILE "picture"

#endif
