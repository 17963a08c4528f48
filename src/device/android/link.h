/* Exchanges with the adb server, one connection each: with it or a device. */
#ifndef SQ_DEVICE_ANDROID_LINK_H
#define SQ_DEVICE_ANDROID_LINK_H

#include <stdbool.h>

#include "device/android/adb.h"
#include "device/android/shell_output.h"
#include "device/device.h"
#include "util/span.h"

/* Append the server's answer to a request such as "host:devices-l". */
bool sq_adb_ask(struct sq_adb *adb, const char *request, struct sq_buf *answer,
                const struct sq_deadline *deadline, struct sq_err *err);

/*
 * The same in steps, over a connection of one's own: send a request that must
 * be accepted, and append its answer, or the next one where there are many.
 */
bool sq_adb_request(int fd, const char *request,
                    const struct sq_deadline *deadline, struct sq_err *err);
bool sq_adb_hear(int fd, struct sq_buf *answer,
                 const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Ask a server that runs already for something that changes, such as
 * "host:track-devices", and call heard with every answer. True once heard has
 * returned false; a connection that ends before is an error.
 */
bool sq_adb_follow(struct sq_adb *adb, const char *request,
                   bool (*heard)(void *context, struct sq_span answer),
                   void *context, const struct sq_deadline *deadline,
                   struct sq_err *err);

/* How a device runs commands: what Android 7, 5 and its elders offer. */
enum sq_adb_way {
    SQ_ADB_SHELL_V2, /* output, errors and exit status apart */
    SQ_ADB_EXEC,     /* all it says in one piece, byte for byte */
    SQ_ADB_TERMINAL, /* the same as a terminal shows it: text only */
};

/* A connection, if there is one. A value: zeroed, there is none. */
struct sq_adb_kept {
    bool is_there;
    int fd;
};

/* The way to one device. A value for one thread at a time. */
struct sq_adb_link {
    struct sq_adb *adb;
    char serial[SQ_DEVICE_ID_SIZE];
    enum sq_adb_way way;
    /* Where connections are kept: */
    struct sq_adb_kept ahead; /* for the next exchange, on its way already */
    struct sq_adb_kept spent; /* of the last one; closed during the next */
};

/* Find out what the device can do; *link is then for sq_adb_link_finish. */
bool sq_adb_link_init(struct sq_adb_link *link, struct sq_adb *adb,
                      const char *serial, const struct sq_deadline *deadline,
                      struct sq_err *err);

/* Safe on a zeroed value. */
void sq_adb_link_finish(struct sq_adb_link *link);

/*
 * Run a command in the device's shell to its end and append what it says. Its
 * failure is not ours: look at said->status. It may not end the shell itself
 * (exit), which would look as if the device had gone. Every word that is not
 * ours must have been through sq_shell_quote. A device that is offline is asked
 * to come back, once. *said is initialised before; on failure it may hold a
 * part.
 */
bool sq_adb_run(struct sq_adb_link *link, struct sq_span command,
                struct sq_adb_output *said, const struct sq_deadline *deadline,
                struct sq_err *err);

/*
 * Append a file of the device to said->out. SQ_ERR_NOT_FOUND where there is
 * none, and SQ_ERR_LIMIT before a byte of it has come where it is too large
 * for said->out, which is unchanged on failure.
 */
bool sq_adb_pull(struct sq_adb_link *link, const char *path,
                 struct sq_adb_output *said, const struct sq_deadline *deadline,
                 struct sq_err *err);

/*
 * Ask the server to reconnect devices that are offline; false if it was asked
 * not long ago, or did not take it.
 */
bool sq_adb_revive(struct sq_adb *adb, const struct sq_deadline *deadline);

#endif
