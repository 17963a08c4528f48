/* Serves clients over HTTP, for the commands that do so. */
#ifndef SQ_APP_COMMANDS_SERVE_H
#define SQ_APP_COMMANDS_SERVE_H

#include "app/commands/command.h"
#include "http/serve.h"

#define SQ_SERVE_ADDRESS "127.0.0.1:4477"
#define SQ_SERVE_HOST_SIZE 80

struct sq_serve_args {
    const char *listen;
    const char *unix_path;
    const char *token_file;
    bool any_address;
    const char *hosts;
    const char *origins;
    const char *authorization_server;
    const char *public_url;
    int max_connections; /* 0: the default */
    int max_sessions;    /* 0: the default */
    bool inspect;        /* offer the inspector */
    bool open_browser;   /* and show it in a browser */
    /* Prints a message after the name of the command. */
    void (*print_message)(const char *message);
};

/* Serves until a signal arrives. */
bool sq_serve(struct sq_setup *setup, const struct sq_serve_args *args,
              enum sq_status *status, struct sq_err *err);

/* Splits "address:port", or "[address]:port". */
bool sq_serve_read_address(const char *text, char host[SQ_SERVE_HOST_SIZE],
                           int *port, struct sq_err *err);

/* Reads or creates the token. Writes the path of its file. */
bool sq_serve_load_token(const char *file, char token[SQ_HTTP_TOKEN_SIZE],
                         char path[SQ_PATH_SIZE], bool *is_new,
                         struct sq_err *err);

/*
 * Shows a link of the inspector, and opens it in a browser if wanted. A log
 * must not contain it: if standard error is no terminal, it is written into a
 * file that only its owner may read.
 */
void sq_serve_show_link(const char *link, bool open_browser);

#endif
