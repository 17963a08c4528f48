/* Shows people what screenshot and find answer. */
#ifndef SQ_TOOLS_SCREEN_SHOW_H
#define SQ_TOOLS_SCREEN_SHOW_H

#include "tool/people.h"

bool sq_show_screenshot(struct sq_people *people, struct sq_err *err);
bool sq_show_find(struct sq_people *people, struct sq_err *err);

#endif
