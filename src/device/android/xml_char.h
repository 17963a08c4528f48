/* The characters of XML, and how they are written as numbers. */
#ifndef SQ_DEVICE_ANDROID_XML_CHAR_H
#define SQ_DEVICE_ANDROID_XML_CHAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/span.h"

/* Whether XML 1.0 has a place for that code point. */
bool sq_xml_is_char(uint32_t code);

/*
 * "&#10;" or "&#xa;" at the front: returns its bytes, or 0 (and *code is
 * untouched) if there is none. The code may be anything, also no character;
 * too large a number is one beyond Unicode.
 */
size_t sq_xml_reference(struct sq_span text, uint32_t *code);

#endif
