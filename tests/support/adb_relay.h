/*
 * A relay between a client and the real adb server, in a thread. It passes
 * everything on, counts the requests for the device, and breaks a connection
 * after a given number of bytes of answers.
 */
#ifndef SQ_TEST_ADB_RELAY_H
#define SQ_TEST_ADB_RELAY_H

#include <stdbool.h>

#include "sys/deadline.h"

/* How a connection breaks. */
enum adb_relay_way {
    ADB_RELAY_CLOSES,
    ADB_RELAY_RESETS,
    ADB_RELAY_STALLS, /* stays open; nothing is transferred any more */
};

struct adb_relay_plan {
    long cut_at; /* bytes of answers on all connections; -1: nothing breaks */
    enum adb_relay_way way;
    struct sq_cancel *stalled; /* set when it stalls; may be NULL */
    const char *watched;       /* count commands with this text; may be NULL */
};

/* What has happened since the plan was set. */
struct adb_relay_report {
    long passed; /* bytes of answers */
    bool broke;
    bool broke_watched; /* such a command was sent on that connection */
    bool broke_main;    /* a command was sent there, not only the query of the
                           display, which runs beside it */
    bool broke_early;   /* before the server's first status was complete */
    int connections;    /* with at least one answer */
    int watched;        /* such commands sent to the device */
};

struct adb_relay;

/* Listens on a free port, stored in *port. */
struct adb_relay *adb_relay_start(int server_port, int *port);
void adb_relay_stop(struct adb_relay *relay);

/* Sets a new plan; all counts start again from zero. */
void adb_relay_follow(struct adb_relay *relay,
                      const struct adb_relay_plan *plan);

struct adb_relay_report adb_relay_get_report(struct adb_relay *relay);

#endif
