/*
 * Requests to the adb server or, through it, to a device. Each uses one
 * connection.
 */
#ifndef SQ_DEVICE_ANDROID_LINK_H
#define SQ_DEVICE_ANDROID_LINK_H

#include <stdbool.h>

#include "device/android/adb.h"
#include "device/android/hung.h"
#include "device/android/shell_output.h"
#include "device/device.h"
#include "util/span.h"

/* Sends a request such as "host:devices-l" and appends the answer. */
bool sq_adb_ask(struct sq_adb *adb, const char *request, struct sq_buf *answer,
                const struct sq_deadline *deadline, struct sq_err *err);

/*
 * The steps of sq_adb_ask over the caller's connection. sq_adb_request sends a
 * request and fails if it is refused. sq_adb_read_answer appends the answer, or
 * the next one if there are several.
 */
bool sq_adb_request(int fd, const char *request,
                    const struct sq_deadline *deadline, struct sq_err *err);
bool sq_adb_read_answer(int fd, struct sq_buf *answer,
                        const struct sq_deadline *deadline, struct sq_err *err);

/* How a device runs commands: since Android 7, since Android 5, and before. */
enum sq_adb_shell {
    SQ_ADB_SHELL_V2, /* separate stdout, stderr and exit status */
    SQ_ADB_EXEC,     /* stdout and stderr mixed, binary-safe */
    SQ_ADB_TERMINAL, /* the same through a terminal: text only */
};

/* An optional connection. All zero: none. */
struct sq_adb_connection {
    bool is_open;
    int fd;
    char services[SQ_HUNG_NAMES_SIZE]; /* of a started command */
};

/* A link to one device. Used by one thread at a time. */
struct sq_adb_link {
    struct sq_adb *adb;
    char serial[SQ_DEVICE_ID_SIZE];
    uint64_t transport_id; /* of one of several with this serial; 0: only one */
    enum sq_adb_shell shell;
    struct sq_hung hung;
    /*
     * Only if connections are kept: one opened in advance for the next
     * exchange, and that of the last exchange, closed during the next.
     */
    struct sq_adb_connection next;
    struct sq_adb_connection last;
};

/*
 * Queries the features of the device. The caller then calls sq_adb_link_finish.
 */
bool sq_adb_link_init(struct sq_adb_link *link, struct sq_adb *adb,
                      const struct sq_device_info *info,
                      const struct sq_deadline *deadline, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_adb_link_finish(struct sq_adb_link *link);

/*
 * Runs a command in the device's shell and appends its output. The command's
 * own failure is not an error here; check output->status. The command must not
 * exit the shell, which would look like a lost connection. Untrusted words must
 * be quoted with sq_shell_quote. If the device is offline, asks the server to
 * reconnect it once. A command whose service did not answer a short time ago is
 * refused with SQ_ERR_TIMEOUT, unless the whole device is silent. *output must
 * be initialised; on failure it may hold partial output.
 */
bool sq_adb_run(struct sq_adb_link *link, struct sq_span command,
                struct sq_adb_output *output,
                const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Starts a command that runs on the device while other commands run, and
 * returns without waiting for it. The caller passes *started to one of the next
 * two functions. Needs SQ_ADB_SHELL_V2. The output must be small: it is
 * buffered by the sockets until it is collected.
 */
bool sq_adb_start(struct sq_adb_link *link, struct sq_span command,
                  struct sq_adb_connection *started,
                  const struct sq_deadline *deadline, struct sq_err *err);

/* Waits for a started command and appends its output; see sq_adb_run. */
bool sq_adb_collect(struct sq_adb_link *link, struct sq_adb_connection *started,
                    struct sq_adb_output *output,
                    const struct sq_deadline *deadline, struct sq_err *err);

/* Ends a started command. Safe on a zeroed or collected connection. */
void sq_adb_abandon(struct sq_adb_connection *started);

/*
 * Opens a service such as "exec:cmd ..." and gives its connection, on which the
 * caller writes and reads, and which it closes. The service must be constant
 * text and numbers.
 */
bool sq_adb_open(struct sq_adb_link *link, const char *service, int *fd,
                 const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Appends a file of the device to output->out. Fails with SQ_ERR_NOT_FOUND if
 * there is no such file, and with SQ_ERR_LIMIT, before reading any of it, if
 * the file is too large for output->out. output->out is unchanged on failure.
 */
bool sq_adb_pull(struct sq_adb_link *link, const char *path,
                 struct sq_adb_output *output,
                 const struct sq_deadline *deadline, struct sq_err *err);

/*
 * The same in parts of at least `part` bytes, between which other commands can
 * run: the file has ended when the connection is closed. The caller passes
 * *started to sq_adb_abandon in the end.
 */
bool sq_adb_start_pull(struct sq_adb_link *link, const char *path, size_t max,
                       struct sq_adb_connection *started,
                       const struct sq_deadline *deadline, struct sq_err *err);
bool sq_adb_pull_part(struct sq_adb_link *link,
                      struct sq_adb_connection *started, size_t part,
                      struct sq_adb_output *output,
                      const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Asks the server to reconnect offline devices. Returns false if that was done
 * recently or the server refused.
 */
bool sq_adb_reconnect_offline(struct sq_adb *adb,
                              const struct sq_deadline *deadline);

#endif
