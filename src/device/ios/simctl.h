/*
 * Parses the output of `xcrun simctl`. Pure. The input is not trusted: an
 * invalid part affects only its own entry.
 */
#ifndef SQ_DEVICE_IOS_SIMCTL_H
#define SQ_DEVICE_IOS_SIMCTL_H

#include "device/kinds.h"

/* Returns whether the text is exactly the UDID of a simulator: 8-4-4-4-12. */
bool sq_simctl_is_udid(struct sq_span text);

/*
 * Parses `simctl list devices --json` and appends the iOS and iPadOS
 * simulators, running ones first. Unusable ones have a reason. Skips invalid
 * entries. Fails with SQ_ERR_FORMAT if the whole text is invalid.
 */
bool sq_simctl_parse_devices(struct sq_span json, struct sq_device_list *out,
                             struct sq_err *err);

/*
 * Parses `simctl listapps`, an old-style property list, into the apps that can
 * be launched. *out must be zeroed; the caller calls sq_app_list_finish.
 */
bool sq_simctl_parse_apps(struct sq_span text, struct sq_app_list *out,
                          struct sq_err *err);

/*
 * Finds the bundle id of the app with that pid in the output of `simctl spawn
 * UDID launchctl list`. Returns false if there is none.
 */
bool sq_simctl_find_app(struct sq_span text, int64_t pid, struct sq_span *out);

/* Finds the pid of an app in the same output. Returns 0 if it does not run. */
int64_t sq_simctl_find_pid(struct sq_span text, const char *bundle);

/* Returns the last lines of the output of `log show`, without its heading. */
struct sq_span sq_simctl_log_tail(struct sq_span text, int lines);

#endif
