/* What Android writes into XML although XML does not allow it, made legal. */
#ifndef SQ_DEVICE_ANDROID_XML_REPAIR_H
#define SQ_DEVICE_ANDROID_XML_REPAIR_H

#include <stdbool.h>

#include "util/buf.h"
#include "util/span.h"

/* No repair makes a text grow by more than this factor. */
#define SQ_XML_REPAIR_GROWTH 3

/*
 * Broken UTF-8, characters XML has no place for, and numeric references to
 * them become U+FFFD; two halves of a surrogate pair (as references, or each
 * encoded alone as Java may) become their character. Everything else stays,
 * markup included.
 *
 * *out is the text itself if it was fine, else the repaired copy in scratch,
 * which is initialised and empty and must outlive *out. Linear, pure.
 */
bool sq_xml_repair(struct sq_span text, struct sq_buf *scratch,
                   struct sq_span *out, struct sq_err *err);

#endif
