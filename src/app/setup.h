/* What commands that touch devices have in common: configuration and host. */
#ifndef SQ_APP_SETUP_H
#define SQ_APP_SETUP_H

#include "app/host.h"

struct sq_setup {
    struct sq_arena arena; /* of the configuration */
    struct sq_config config;
    struct sq_host *host;
};

/*
 * Take the configuration's flags out of argv (what is left moves up, *argc is
 * the new count), load the configuration, tell its warnings on standard error
 * and make the host. To be freed by sq_setup_finish, also on failure.
 */
bool sq_setup_init(struct sq_setup *setup, int *argc, char **argv,
                   struct sq_err *err);

/*
 * The same for an operation: the words of its table are left where they are,
 * also those that the configuration knows, too.
 */
bool sq_setup_init_for(struct sq_setup *setup, const struct sq_arg *table,
                       int *argc, char **argv, struct sq_err *err);

void sq_setup_finish(struct sq_setup *setup);

#endif
