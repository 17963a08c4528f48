/* Serves clients over HTTP, for the commands that do so. */
#ifndef SQ_APP_COMMANDS_SERVE_H
#define SQ_APP_COMMANDS_SERVE_H

#include "app/commands/command.h"
#include "http/serve.h"
#include "tool/policy.h"

#define SQ_SERVE_ADDRESS "127.0.0.1:4477"
#define SQ_SERVE_HOST_SIZE 80

/* What is done with the link to the inspector. */
enum sq_link_use {
    SQ_LINK_SHOW,  /* beside the messages */
    SQ_LINK_OPEN,  /* and in a browser */
    SQ_LINK_PRINT, /* on standard output */
};

struct sq_serve_args {
    const char *listen;
    const char *unix_path;
    const char *token_file;
    const char *token_policies; /* NAME=FILE,NAME=FILE */
    bool any_address;
    const char *hosts;
    const char *origins;
    const char *authorization_server;
    const char *public_url;
    int max_connections; /* 0: the default */
    int max_sessions;    /* 0: the default */
    bool inspect;        /* offer the inspector */
    bool paused;         /* hold calls that act from the start */
    bool approve;
    enum sq_link_use link_use;
    /* Prints a message after the name of the command. */
    void (*print_message)(const char *message);
};

/* Tokens of clients with limits of their own: token_policy.c. */
struct sq_token_policies {
    struct sq_arena arena;
    int count;
    struct sq_http_token_file files[SQ_MAX_TOKEN_POLICIES];
    struct sq_config configs[SQ_MAX_TOKEN_POLICIES];
};

/*
 * Reads the policies of a list NAME=FILE,NAME=FILE: files as that of the
 * configuration. The token of NAME is in the file token_path-NAME, which is
 * created if it is missing. *out is NULL if the list is.
 */
bool sq_token_policies_load(const char *list, const char *token_path,
                            const struct sq_config *base,
                            struct sq_token_policies **out, struct sq_err *err);

/* Accepts NULL. */
void sq_token_policies_destroy(struct sq_token_policies *policies);

/*
 * Creates the hub for other processes of the user: inspect.c. NULL: another
 * server has it.
 */
struct sq_inspector;
struct sq_hub *sq_serve_make_hub(const struct sq_setup *setup,
                                 struct sq_inspector *inspector);

/* Serves until a signal arrives. */
bool sq_serve(struct sq_setup *setup, const struct sq_serve_args *args,
              enum sq_status *status, struct sq_err *err);

/* Splits "address:port", or "[address]:port". */
bool sq_serve_read_address(const char *text, char host[SQ_SERVE_HOST_SIZE],
                           int *port, struct sq_err *err);

/*
 * Reads or creates the token, and the secret of the person who uses the
 * inspector, in a file beside it.
 */
bool sq_serve_load_secrets(const char *file, char token[SQ_HTTP_TOKEN_SIZE],
                           char secret[SQ_HTTP_TOKEN_SIZE], struct sq_err *err);

/*
 * Shows a link of the inspector. A log must not contain it: unless it was asked
 * for, and if standard error is no terminal, it is written into a file that
 * only its owner may read.
 */
bool sq_serve_show_link(const char *link, enum sq_link_use use,
                        struct sq_err *err);

#endif
