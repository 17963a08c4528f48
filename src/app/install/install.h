/*
 * Adds squint to the configuration files of MCP clients: the list of clients,
 * the places of their files, and an editor that inserts and removes an entry
 * without changing any other byte.
 */
#ifndef SQ_APP_INSTALL_INSTALL_H
#define SQ_APP_INSTALL_INSTALL_H

#include "sys/path.h"
#include "util/buf.h"

#define SQ_INSTALL_MAX_BYTES ((size_t)64 << 20)

/* The kind of value that a field of an entry has. */
enum sq_install_kind {
    SQ_INSTALL_COMMAND, /* the program's path */
    SQ_INSTALL_ARGS,    /* the list of its arguments */
    SQ_INSTALL_NAME,    /* the name of the entry */
    SQ_INSTALL_TEXT,    /* a fixed string */
    SQ_INSTALL_LITERAL, /* true, 300, {}: same syntax in all formats */
};

struct sq_install_field {
    const char *key; /* NULL ends a table */
    enum sq_install_kind kind;
    const char *text; /* for TEXT and LITERAL */
};

struct sq_install_format;

#define SQ_INSTALL_PLACES 2

struct sq_install_client {
    const char *name; /* on the command line */
    const char *title;
    const struct sq_install_format *format;
    const char *section; /* the key that contains all servers */
    const struct sq_install_field *fields;
    /*
     * Paths of its file: "~/" is the home folder, "+/" the configuration
     * folder. The first that exists is used, or the first if none does.
     */
    const char *places[SQ_INSTALL_PLACES];
    const char *macos_places[SQ_INSTALL_PLACES]; /* NULL: use places */
    const char *variable; /* variable with home_file's folder; NULL: none */
    const char *home_file;
    const char *next;    /* what the user does next */
    const char *profile; /* of its models, if all are of one vendor; or NULL */
};

/* Returns the client at that index, or NULL after the last. */
const struct sq_install_client *sq_install_client_at(size_t index);

/* Returns the client of that name, or NULL. */
const struct sq_install_client *sq_install_client_find(const char *name);

/*
 * Appends the path of the client's file at the given index of its places.
 * Returns false with *err unchanged if there is no such place. Fails with
 * SQ_ERR_NOT_FOUND if a needed environment variable is not set.
 */
bool sq_install_place(const struct sq_install_client *client, bool macos,
                      size_t which, struct sq_buf *out, struct sq_err *err);

/*
 * Finds the file of a client: config if it is given, otherwise the first of its
 * places that exists, or the first if none does. On failure, path is the place
 * that could not be resolved, or unchanged.
 */
bool sq_install_find_file(const struct sq_install_client *client,
                          const char *config, char path[SQ_PATH_SIZE],
                          bool *exists, struct sq_err *err);

/*
 * Appends all clients with the paths of their files and whether they have an
 * entry "squint", as a table or as JSON.
 */
bool sq_install_list(bool json, struct sq_buf *out, struct sq_err *err);

/* The entry to write. */
struct sq_install_entry {
    const struct sq_install_client *client;
    const char *name;    /* letters, digits, "-" and "_" */
    const char *command; /* without control characters */
    const char *package; /* of npm, which the command npx runs; NULL: none */
    bool is_plain;       /* only "mcp" as argument: no flags */
    /*
     * Receives the names of what a person set in an entry that is already
     * there and stays, one per line; NULL: not wanted.
     */
    struct sq_buf *kept;
};

enum sq_install_change {
    SQ_INSTALL_UNCHANGED, /* the entry is already correct */
    SQ_INSTALL_ADDED,
    SQ_INSTALL_REPLACED, /* what a person set is kept */
    SQ_INSTALL_REMOVED,
};

/*
 * Appends the text of a file with the entry, or without it, to out, which is
 * empty before; appends nothing if the text is unchanged. Fails with
 * SQ_ERR_FORMAT if the text cannot be parsed and with SQ_ERR_UNSUPPORTED if it
 * cannot be edited.
 */
bool sq_install_edit(const struct sq_install_entry *entry, bool removes,
                     struct sq_span text, struct sq_buf *out,
                     enum sq_install_change *change, struct sq_err *err);

extern const struct sq_install_format sq_install_json;
extern const struct sq_install_format sq_install_toml;
extern const struct sq_install_format sq_install_yaml;

/*
 * Appends the difference of two texts as a short unified diff, with control
 * characters escaped.
 */
bool sq_install_diff(const char *path, struct sq_span before,
                     struct sq_span after, struct sq_buf *out,
                     struct sq_err *err);

#endif
