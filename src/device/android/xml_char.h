/* Checks XML characters and parses numeric character references. */
#ifndef SQ_DEVICE_ANDROID_XML_CHAR_H
#define SQ_DEVICE_ANDROID_XML_CHAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/span.h"

/* Returns whether XML 1.0 allows that code point. */
bool sq_xml_is_char(uint32_t code);

/*
 * Parses a reference such as "&#10;" or "&#xa;" at the start. Returns its
 * length, or 0 with *code unchanged if there is none. The code may be invalid;
 * a number that is too large gives a code beyond Unicode.
 */
size_t sq_xml_reference(struct sq_span text, uint32_t *code);

#endif
