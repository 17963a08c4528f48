/* The manual's page about iOS simulators. */
#ifndef SQ_TOOLS_IOS_PAGE_H
#define SQ_TOOLS_IOS_PAGE_H

#include <stdbool.h>

#include "util/span.h"

/* Whether the page goes by this name. */
bool sq_ios_page_is(struct sq_span name);

extern const char sq_ios_page[];

#endif
