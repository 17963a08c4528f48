/*
 * Parses from the output of "dumpsys input_method" whether a password is being
 * typed. Pure; accepts any bytes.
 */
#ifndef SQ_DEVICE_ANDROID_PARSE_INPUT_METHOD_H
#define SQ_DEVICE_ANDROID_PARSE_INPUT_METHOD_H

#include "device/device.h"
#include "util/span.h"

/* The lines that are parsed, as an extended regular expression for grep. */
#define SQ_INPUT_METHOD_LINES                                                  \
    "inputType=0x|mInputStarted=|Input Method Manager state"

/*
 * Returns SQ_PASSWORD_FOCUSED if the app or the keyboard says that the field
 * with the focus is for a password, and SQ_PASSWORD_FOCUS_UNKNOWN if the text
 * is not that of the input method manager. Fields whose type says that the
 * password is visible do not count: many apps use this type for other text.
 */
enum sq_password_focus sq_input_method_parse(struct sq_span dumpsys);

#endif
