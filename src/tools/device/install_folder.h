/* Whether apps may be installed and removed. */
#ifndef SQ_TOOLS_DEVICE_INSTALL_FOLDER_H
#define SQ_TOOLS_DEVICE_INSTALL_FOLDER_H

#include "config/config.h"
#include "util/err.h"

/* Fails with SQ_ERR_INVALID_OPERATION unless tools.installFrom is set. */
bool sq_install_check(const struct sq_config *config, struct sq_err *err);

#endif
