/* The address of the adb server, in the format of adb's own variables. */
#ifndef SQ_DEVICE_ANDROID_ADDRESS_H
#define SQ_DEVICE_ANDROID_ADDRESS_H

#include <stdbool.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_ADB_HOST_SIZE 256
#define SQ_ADB_PATH_SIZE 108
#define SQ_ADB_PLACE_SIZE 300
#define SQ_ADB_PORT 5037

/* Exactly one of host and path is not empty. */
struct sq_adb_address {
    char host[SQ_ADB_HOST_SIZE];
    int port;
    char path[SQ_ADB_PATH_SIZE]; /* of a Unix domain socket */
};

/*
 * Parses "tcp:HOST:PORT", "tcp:PORT", "localfilesystem:PATH", HOST:PORT or
 * HOST. An IPv6 HOST is in brackets. Fails with SQ_ERR_ARGUMENT if the text is
 * not valid.
 */
bool sq_adb_address_parse(struct sq_span text, struct sq_adb_address *out,
                          struct sq_err *err);

/* Environment variables of adb. Each is NULL or empty if not set. */
struct sq_adb_environment {
    const char *socket; /* ADB_SERVER_SOCKET */
    const char *host;   /* ANDROID_ADB_SERVER_ADDRESS */
    const char *port;   /* ANDROID_ADB_SERVER_PORT */
};

/*
 * Chooses the server: the configured address (may be NULL or empty), then the
 * environment, then port 5037 of this machine.
 */
bool sq_adb_address_choose(const char *configured,
                           const struct sq_adb_environment *environment,
                           struct sq_adb_address *out, struct sq_err *err);

/*
 * Returns whether the address is on this machine, so that a server could be
 * started.
 */
bool sq_adb_address_is_local(const struct sq_adb_address *address);

/* Writes the address for display and for adb's -L: "tcp:127.0.0.1:5037". */
void sq_adb_address_show(const struct sq_adb_address *address,
                         char out[SQ_ADB_PLACE_SIZE]);

#endif
