/* Which options of the configuration have an effect in an operation. */
#ifndef SQ_APP_OPERATION_USES_H
#define SQ_APP_OPERATION_USES_H

#include "config/option.h"
#include "tool/tool.h"

/*
 * Returns the uses of an operation, enum sq_config_use; 0 if the table has no
 * row for it.
 */
unsigned sq_operation_uses(const struct sq_tool *tool);

#endif
