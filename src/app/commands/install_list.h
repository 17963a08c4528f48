/* Lists the clients that squint install knows. */
#ifndef SQ_APP_COMMANDS_INSTALL_LIST_H
#define SQ_APP_COMMANDS_INSTALL_LIST_H

#include "util/buf.h"
#include "util/err.h"

/*
 * Appends all clients with the paths of their files and whether they have an
 * entry "squint", as a table or as JSON.
 */
bool sq_install_list(bool json, struct sq_buf *out, struct sq_err *err);

#endif
