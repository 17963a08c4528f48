/* Parses a UI hierarchy twice: as squint does, and with expat alone. */
#ifndef SQ_TESTS_SUPPORT_UI_XML_WAYS_H
#define SQ_TESTS_SUPPORT_UI_XML_WAYS_H

#include "util/span.h"

/* What differs: the tree, its other facts, or the error. NULL if nothing. */
const char *ui_xml_difference(struct sq_span text);

#endif
