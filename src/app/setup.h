/* Configuration and host, as needed by all commands that use devices. */
#ifndef SQ_APP_SETUP_H
#define SQ_APP_SETUP_H

#include "app/host/host.h"

struct sq_setup {
    struct sq_arena arena; /* owns the configuration */
    struct sq_config config;
    struct sq_host *host;
};

/* What a command has instead of flags of the configuration. */
struct sq_setup_own {
    const struct sq_arg *table; /* its own flags; may be NULL */
    const char *refused;        /* a flag that has no effect in it, or NULL */
};

/* Fails if argv has the refused flag, unless it is also in the own table. */
bool sq_setup_refuse(const struct sq_setup_own *own, int argc,
                     char *const *argv, struct sq_err *err);

/*
 * Appends the flags of the configuration that the command takes as help text.
 * serves: it serves clients.
 */
bool sq_setup_help(const struct sq_setup_own *own, bool serves,
                   struct sq_buf *out, struct sq_err *err);

/*
 * Removes the configuration flags from argv and updates *argc, loads the
 * configuration, prints its warnings to standard error and creates the host.
 * Call sq_setup_finish afterwards, even on failure.
 */
bool sq_setup_init(struct sq_setup *setup, int *argc, char **argv,
                   struct sq_err *err);

/*
 * Like sq_setup_init, but leaves flags of the operation's table in argv, even
 * if the configuration has a flag of the same name.
 */
bool sq_setup_init_for(struct sq_setup *setup, const struct sq_arg *table,
                       int *argc, char **argv, struct sq_err *err);

/*
 * Like sq_setup_init_for, but accepts the options that only commands which
 * serve clients use; the others refuse them.
 */
bool sq_setup_init_server(struct sq_setup *setup, const struct sq_arg *table,
                          int *argc, char **argv, struct sq_err *err);

void sq_setup_finish(struct sq_setup *setup);

#endif
