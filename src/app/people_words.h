/* Puts texts that were written for a client into words for the command line. */
#ifndef SQ_APP_PEOPLE_WORDS_H
#define SQ_APP_PEOPLE_WORDS_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/err.h"

/*
 * Appends a text, such as a hint, in the words of a person who uses commands:
 * "Have the person set X" becomes "Set X", list_screenshots becomes squint
 * list, maxDimension becomes --max-dimension, and "deviceSpace: true" becomes
 * --device-space. Quoted text is unchanged.
 */
bool sq_people_words(struct sq_span text, struct sq_buf *out,
                     struct sq_err *err);

/*
 * Does the same for a text about JSON that the person wrote: the names of
 * arguments stay as they are in the JSON.
 */
bool sq_people_words_of_json(struct sq_span text, struct sq_buf *out,
                             struct sq_err *err);

#endif
