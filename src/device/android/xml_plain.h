/* A reader of XML as plain as Android writes it, and of no other. */
#ifndef SQ_DEVICE_ANDROID_XML_PLAIN_H
#define SQ_DEVICE_ANDROID_XML_PLAIN_H

#include "device/android/ui_builder.h"
#include "util/err.h"
#include "util/span.h"

enum sq_xml_plain {
    SQ_XML_PLAIN_READ,
    SQ_XML_PLAIN_DECLINED, /* not plain: ask somebody who knows all of XML */
    SQ_XML_PLAIN_FAILED,   /* the builder's refusal, or no memory: in err */
};

/*
 * Read the document at the front up to the end of its outermost element; what
 * follows is not looked at. Plain are a declaration of XML 1.0 in UTF-8, and
 * elements with nothing but white space between them, whose names are of
 * ASCII letters, whose attributes are quoted, and whose values contain no
 * references but numbers and XML's own five, and no white space but blanks
 * (other white space XML wants changed). Everything else is declined, whether
 * it is wrong or only rare; the builder then holds a part, to be thrown away.
 * Linear, pure.
 */
enum sq_xml_plain sq_xml_plain_read(struct sq_span text,
                                    struct sq_ui_builder *builder,
                                    struct sq_err *err);

#endif
