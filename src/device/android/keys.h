/* Maps key names to Android key codes. */
#ifndef SQ_DEVICE_ANDROID_KEYS_H
#define SQ_DEVICE_ANDROID_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"

#define SQ_KEYCODE_TAB 61
#define SQ_KEYCODE_ENTER 66
#define SQ_KEYCODE_PASTE 279

/*
 * Returns the key code for a name in lower case without "keycode_". A name of
 * digits is the code itself. Fails with SQ_ERR_ARGUMENT, listing common names,
 * if the name is unknown.
 */
bool sq_android_key_code(const char *name, int *out, struct sq_err *err);

/* Returns the name of the key at that index; NULL after the last. */
const char *sq_android_key_name_at(size_t index);

#endif
