/*
 * Which app is in front and whether it hides itself, as dumpsys tells it. All
 * are pure, accept any bytes, and return false with outputs untouched where
 * the text does not say.
 */
#ifndef SQ_DEVICE_ANDROID_PARSE_WINDOWS_H
#define SQ_DEVICE_ANDROID_PARSE_WINDOWS_H

#include <stdbool.h>

#include "device/device.h"
#include "util/span.h"

/*
 * The app in front on the default display, from "dumpsys activity activities",
 * "dumpsys window", "dumpsys window displays" or several of them joined: every
 * form since Android 4. The activity is written short (".Main") where it
 * belongs to the package. Under a lock screen or a pulled-down shade it is the
 * app beneath, `locked` where the text tells of the lock screen; false where
 * there is none, or between two apps.
 */
bool sq_focus_parse(struct sq_span dumpsys, struct sq_app *out);

/* Whether the lock screen is shown, from "dumpsys window". */
bool sq_keyguard_parse(struct sq_span dumpsys, bool *showing);

/*
 * Whether the window with the focus, or another one of the app in front, asks
 * not to be captured (FLAG_SECURE): from all of "dumpsys window", or from
 * "dumpsys window displays" and "dumpsys window windows" joined.
 */
bool sq_secure_parse(struct sq_span dumpsys, bool *secure);

#endif
