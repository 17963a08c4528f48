/*
 * Phones in the network: the adb server pairs with them, connects to them and
 * finds them by mDNS.
 */
#ifndef SQ_DEVICE_ANDROID_WIRELESS_H
#define SQ_DEVICE_ANDROID_WIRELESS_H

#include "device/android/adb.h"
#include "util/buf.h"

/* Returns whether it can be HOST:PORT, or HOST if the port is optional. */
bool sq_wireless_is_address(struct sq_span text, bool port_is_optional);

/*
 * Connects the server to a phone and appends its answer, "connected to ...".
 * Fails if it could not connect.
 */
bool sq_wireless_connect(struct sq_adb *adb, const char *address,
                         struct sq_buf *out, const struct sq_deadline *deadline,
                         struct sq_err *err);

/* Pairs with a phone that shows an address and a code of six digits. */
bool sq_wireless_pair(struct sq_adb *adb, const char *address, const char *code,
                      struct sq_buf *out, const struct sq_deadline *deadline,
                      struct sq_err *err);

/* Appends the phones that announce themselves, one per line. */
bool sq_wireless_list(struct sq_adb *adb, struct sq_buf *out,
                      const struct sq_deadline *deadline, struct sq_err *err);

#endif
