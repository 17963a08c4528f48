/* What went wrong with the adb server or a device, and what to do about it. */
#ifndef SQ_DEVICE_ANDROID_EXPLAIN_H
#define SQ_DEVICE_ANDROID_EXPLAIN_H

#include "device/android/link.h"

/* All add to the error already recorded, which may be NULL; return false. */

/* The server broke off or did not answer. */
bool sq_adb_explain_server(const struct sq_adb *adb, struct sq_err *err);

/*
 * The server refused to lead to the device: a cable helps no phone that was
 * reached by the network.
 */
bool sq_adb_explain_refusal(const struct sq_adb_link *link, struct sq_err *err);

/* The device broke off, did not answer, or sent too much. */
bool sq_adb_explain_device(const struct sq_adb_link *link, struct sq_err *err);

/* The same where the device is known to have the service. */
bool sq_adb_explain_break(const struct sq_adb_link *link, struct sq_err *err);

/* The same of something that may have been done nevertheless. */
bool sq_adb_explain_action(const struct sq_adb_link *link, struct sq_err *err);

#endif
