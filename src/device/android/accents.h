/*
 * Accented letters as keys of Android's virtual keyboard. Its map (Virtual.kcm)
 * has five dead keys, so "input text" of a dead key and a letter types one
 * accented letter; it also has keys for the letters in sq_accents_extra.
 */
#ifndef SQ_DEVICE_ANDROID_ACCENTS_H
#define SQ_DEVICE_ANDROID_ACCENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Appends text as these keys. *possible is false if a character has no keys;
 * the buffer then holds incomplete data. Fails only without memory.
 */
bool sq_accents_put(struct sq_buf *out, struct sq_span text, bool *possible,
                    struct sq_err *err);

/*
 * Returns the letter that a dead key and a letter type, or 0 if they type no
 * letter. mark is a code point such as U+0301.
 */
uint32_t sq_accents_compose(uint32_t mark, char letter);

/* Returns whether the code point is one of the dead keys. */
bool sq_accents_is_mark(uint32_t code);

/* Returns whether the keyboard has a key for this letter: one of ç Ç ß. */
bool sq_accents_has_key(uint32_t code);

#endif
