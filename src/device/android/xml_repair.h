/* Repairs invalid characters in XML that Android writes. */
#ifndef SQ_DEVICE_ANDROID_XML_REPAIR_H
#define SQ_DEVICE_ANDROID_XML_REPAIR_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/span.h"

/* A repaired text is at most this many times as long. */
#define SQ_XML_REPAIR_GROWTH 3

/*
 * Replaces invalid UTF-8, characters that XML forbids and numeric references to
 * them by U+FFFD. Surrogate pairs, written as references or encoded separately
 * as Java may do, become their character. Everything else is unchanged,
 * including markup.
 *
 * *out is the text itself if it was valid, else the repaired copy in scratch.
 * scratch must be initialised and empty, and must outlive *out. Linear, pure.
 */
bool sq_xml_repair(struct sq_span text, struct sq_buf *scratch,
                   struct sq_span *out, struct sq_err *err);

#endif
