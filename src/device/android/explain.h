/* Adds explanations and hints to errors of the adb server or a device. */
#ifndef SQ_DEVICE_ANDROID_EXPLAIN_H
#define SQ_DEVICE_ANDROID_EXPLAIN_H

#include "device/android/link.h"

/* Returns whether the connection was closed early or reset. */
bool sq_adb_is_disconnect(const struct sq_err *err);

/*
 * Asks the server whether the device is attached. Returns true if its answer
 * does not tell.
 */
bool sq_adb_is_attached(const struct sq_adb_link *link,
                        const struct sq_deadline *deadline);

/*
 * The functions below add to the error already set in err, which may be NULL,
 * and return false.
 */

/* The server closed the connection or did not answer. */
bool sq_adb_explain_server(const struct sq_adb *adb, struct sq_err *err);

/*
 * The server refused to connect to the device. Adds a hint only for a device
 * attached by network, where advice about cables does not help.
 */
bool sq_adb_explain_rejection(const struct sq_adb_link *link,
                              struct sq_err *err);

/* The device closed the connection, did not answer, or sent too much. */
bool sq_adb_explain_device(const struct sq_adb_link *link, struct sq_err *err);

/*
 * Like sq_adb_explain_device, for a device known to have the service. If it
 * refused the service, the server is asked whether it is still attached.
 */
bool sq_adb_explain_known_device(const struct sq_adb_link *link,
                                 const struct sq_deadline *deadline,
                                 struct sq_err *err);

/*
 * Like the above, for a command that was sent. An action may have been
 * performed whatever failed: the hint then says so.
 */
bool sq_adb_explain_run(const struct sq_adb_link *link, bool is_action,
                        const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Puts the services that did not answer in time, or else the program, before
 * the message.
 */
bool sq_adb_name_program(struct sq_span command, const char *services,
                         struct sq_err *err);

/*
 * Writes a request about a device: by_serial or, for one of several with the
 * same serial, by_id, with "%s" replaced by the serial or the transport id.
 */
#define SQ_ADB_SERVICE_SIZE (SQ_DEVICE_ID_SIZE + 40)
void sq_adb_name_request(const struct sq_adb_link *link,
                         char out[SQ_ADB_SERVICE_SIZE], const char *by_serial,
                         const char *by_id);

#endif
