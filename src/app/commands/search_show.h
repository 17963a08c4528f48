/* Shows the pictures that a search has found. */
#ifndef SQ_APP_COMMANDS_SEARCH_SHOW_H
#define SQ_APP_COMMANDS_SEARCH_SHOW_H

#include "app/host/host.h"
#include "args/optional.h"
#include "tool/tool.h"

/*
 * With --show, shows a sheet of the hits of search_screenshots on the terminal.
 * Does nothing after other operations, or without hits.
 */
bool sq_search_show(struct sq_host *host, const struct sq_tool *tool,
                    const struct sq_result *result, struct sq_opt_bool show,
                    struct sq_err *err);

#endif
