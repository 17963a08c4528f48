/* Contains the manual page about iOS simulators. */
#ifndef SQ_TOOLS_IOS_PAGE_H
#define SQ_TOOLS_IOS_PAGE_H

#include <stdbool.h>

#include "util/span.h"

/* Returns whether this is a name of the page. */
bool sq_ios_page_is(struct sq_span name);

extern const char sq_ios_page[];

/* Its second part, about operations that act. */
extern const char sq_ios_acting_page[];

#endif
