/* The names of keys and Android's numbers for them. */
#ifndef SQ_DEVICE_ANDROID_KEYS_H
#define SQ_DEVICE_ANDROID_KEYS_H

#include <stdbool.h>

#include "util/err.h"

#define SQ_KEYCODE_TAB 61
#define SQ_KEYCODE_ENTER 66
#define SQ_KEYCODE_PASTE 279

/*
 * The number of a key, in small letters and without "keycode_"; a number in
 * digits is itself. SQ_ERR_ARGUMENT with the common names where there is none.
 */
bool sq_android_key_code(const char *name, int *out, struct sq_err *err);

#endif
