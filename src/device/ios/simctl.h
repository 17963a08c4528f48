/*
 * What `xcrun simctl` prints. Pure: text in, values out. All of it comes from
 * another program, so nothing here is believed beyond its own place.
 */
#ifndef SQ_DEVICE_IOS_SIMCTL_H
#define SQ_DEVICE_IOS_SIMCTL_H

#include "device/kinds.h"

/* Whether this is the id of a simulator, and nothing else: 8-4-4-4-12. */
bool sq_simctl_is_udid(struct sq_span text);

/*
 * `simctl list devices --json`: append the simulators of iOS and iPadOS, the
 * running ones first. Those that cannot be used say why. Entries that make no
 * sense are passed over; SQ_ERR_FORMAT if the whole does not.
 */
bool sq_simctl_parse_devices(struct sq_span json, struct sq_device_list *out,
                             struct sq_err *err);

/*
 * `simctl listapps`, an old-style property list: what can be launched. *out
 * is zeroed before and the caller's to finish.
 */
bool sq_simctl_parse_apps(struct sq_span text, struct sq_app_list *out,
                          struct sq_err *err);

/*
 * `simctl spawn UDID launchctl list`: the bundle id of the app that runs as
 * this process. False if none does.
 */
bool sq_simctl_find_app(struct sq_span text, int64_t pid, struct sq_span *out);

#endif
