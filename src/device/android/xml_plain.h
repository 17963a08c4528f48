/* A fast parser for the simple subset of XML that Android writes. */
#ifndef SQ_DEVICE_ANDROID_XML_PLAIN_H
#define SQ_DEVICE_ANDROID_XML_PLAIN_H

#include "device/android/ui_builder.h"
#include "util/err.h"
#include "util/span.h"

enum sq_xml_plain {
    SQ_XML_PLAIN_READ,
    SQ_XML_PLAIN_DECLINED, /* not in the subset: use a full parser */
    SQ_XML_PLAIN_FAILED,   /* the builder failed, or no memory: see err */
};

/*
 * Parses the document at the start up to the end of its outermost element;
 * ignores what follows. The subset is: a declaration of XML 1.0 in UTF-8;
 * elements with only white space between them and names of ASCII letters;
 * quoted attributes whose values contain no references except numeric ones and
 * the five predefined ones, and no white space except blanks (XML requires
 * other white space to be normalised). Anything else is declined, valid or not;
 * the builder then holds a partial tree to be discarded. Linear, pure.
 */
enum sq_xml_plain sq_xml_plain_read(struct sq_span text,
                                    struct sq_ui_builder *builder,
                                    struct sq_err *err);

#endif
