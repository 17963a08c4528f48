/* What a server may still do once it is confined. */
#ifndef SQ_APP_CONFINE_H
#define SQ_APP_CONFINE_H

#include "app/setup.h"

/* Files of a server that the configuration does not name; NULL: none. */
struct sq_server_files {
    const char *token;  /* read again when it changes */
    const char *socket; /* removed at the end */
};

/*
 * Confines this process to the files, folders and ports of the configuration.
 * Only warns with --no-sandbox. Call it before a thread is started.
 */
bool sq_confine(const struct sq_setup *setup,
                const struct sq_server_files *files, struct sq_err *err);

#endif
