/* A UI hierarchy read twice: as squint reads it, and by expat alone. */
#ifndef SQ_TESTS_SUPPORT_UI_XML_WAYS_H
#define SQ_TESTS_SUPPORT_UI_XML_WAYS_H

#include "util/span.h"

/* What differs: tree, facts beside it, or error. NULL if all is the same. */
const char *ui_xml_difference(struct sq_span text);

#endif
