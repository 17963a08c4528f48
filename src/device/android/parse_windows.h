/*
 * Parses the foreground app and its window flags from dumpsys. All functions
 * are pure and accept any bytes. They return false and leave outputs unchanged
 * if the text lacks the value.
 */
#ifndef SQ_DEVICE_ANDROID_PARSE_WINDOWS_H
#define SQ_DEVICE_ANDROID_PARSE_WINDOWS_H

#include <stdbool.h>

#include "device/device.h"
#include "util/span.h"

/*
 * Parses the foreground app of the default display from "dumpsys activity
 * activities", "dumpsys window", "dumpsys window displays" or several of them
 * joined, in the formats since Android 4. The activity is shortened (".Main")
 * if it belongs to the package. Under a lock screen or notification shade this
 * is the app below it, and `locked` is set if the text shows a lock screen.
 * Returns false if there is no app, or between two apps.
 */
bool sq_focus_parse(struct sq_span dumpsys, struct sq_app *out);

/*
 * Returns whether a window that is not of an app has the focus, such as the
 * lock screen or the notification shade.
 */
bool sq_focus_is_covered(struct sq_span dumpsys);

/*
 * Parses whether the lock screen is shown, from "dumpsys window", or since
 * Android 10 from "dumpsys window displays".
 */
bool sq_keyguard_parse(struct sq_span dumpsys, bool *showing);

/*
 * Parses whether the focused window or another window of the foreground app
 * must not be captured (FLAG_SECURE). Reads all of "dumpsys window", or
 * "dumpsys window displays" and "dumpsys window windows" joined.
 */
bool sq_secure_parse(struct sq_span dumpsys, bool *secure);

#endif
