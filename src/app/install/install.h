/*
 * Adds squint to the configuration files of MCP clients: the list of clients,
 * the places of their files, and editors that insert and remove an entry
 * without changing any other byte.
 */
#ifndef SQ_APP_INSTALL_INSTALL_H
#define SQ_APP_INSTALL_INSTALL_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/path.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

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

struct sq_install_editor;

#define SQ_INSTALL_PLACES 2

struct sq_install_client {
    const char *name; /* on the command line */
    const char *title;
    const struct sq_install_editor *editor;
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
 * An editor of one file format. Both functions append the new text to out,
 * which is empty before; they may append nothing if the text is unchanged. Fail
 * with SQ_ERR_FORMAT if the text cannot be parsed and with SQ_ERR_UNSUPPORTED
 * if it cannot be edited.
 */
struct sq_install_editor {
    bool (*add)(const struct sq_install_entry *entry, struct sq_span text,
                struct sq_buf *out, enum sq_install_change *change,
                struct sq_err *err);
    bool (*remove)(const struct sq_install_entry *entry, struct sq_span text,
                   struct sq_buf *out, enum sq_install_change *change,
                   struct sq_err *err);
};

extern const struct sq_install_editor sq_install_json;
extern const struct sq_install_editor sq_install_toml;
extern const struct sq_install_editor sq_install_yaml;

/*
 * Appends the value of a field on one line; the syntax is valid in all formats.
 */
bool sq_install_put_value(const struct sq_install_entry *entry,
                          const struct sq_install_field *field,
                          struct sq_buf *out, struct sq_err *err);

/* Returns the client's field of that kind: COMMAND or ARGS. */
const struct sq_install_field *
sq_install_field_of(const struct sq_install_entry *entry,
                    enum sq_install_kind kind);

/* Returns the client's field of that name, or the one that ends the table. */
const struct sq_install_field *
sq_install_field_named(const struct sq_install_entry *entry,
                       struct sq_span key);

/*
 * Sets *is_right to whether the value of a COMMAND or ARGS field, as JSON or
 * TOML, can stay: the same program, or arguments that begin with "mcp". Fails
 * if it has arguments before "mcp", which are those of another program, such as
 * npx.
 */
bool sq_install_can_stay(const struct sq_install_entry *entry,
                         const struct sq_install_field *field,
                         struct sq_span text, bool *is_right,
                         struct sq_err *err);

/*
 * Appends a key to entry->kept, unless its value is what a new entry has or
 * must be replaced.
 */
bool sq_install_keep(const struct sq_install_entry *entry, struct sq_span key,
                     struct sq_span value, struct sq_err *err);

/* Appends a key to entry->kept, once, escaped for display. */
bool sq_install_keep_key(const struct sq_install_entry *entry,
                         struct sq_span key, struct sq_err *err);

/*
 * Sets an error: the entry has settings, but starts no program. Returns false.
 */
bool sq_install_fail_entry(const struct sq_install_entry *entry,
                           struct sq_err *err);

/* A range of the text that a field's new value replaces. */
struct sq_install_splice {
    const struct sq_install_field *field; /* NULL: nothing to replace */
    size_t from;
    size_t to;
    struct sq_span indent; /* with label: after a line break */
    const char *before;    /* before the indentation */
    const char *label;     /* between key and value; NULL: only the value */
    const char *quote;     /* around the key */
    const char *after;
};

/*
 * Plans to replace a value, which is a part of the text. The splice gets no
 * field if the value can stay.
 */
bool sq_install_plan(struct sq_install_splice *splice,
                     const struct sq_install_entry *entry,
                     const struct sq_install_field *field, struct sq_span text,
                     struct sq_span value, struct sq_err *err);

/* Inserts a line with the field at an offset, where a line begins or ends. */
void sq_install_add_line(struct sq_install_splice *splice,
                         const struct sq_install_field *field,
                         struct sq_span text, size_t at, struct sq_span indent,
                         const char *label);

/*
 * Appends the text with the splices, which do not overlap, and sets *change.
 * Appends nothing if there are none.
 */
bool sq_install_put_splices(const struct sq_install_entry *entry,
                            struct sq_span text,
                            const struct sq_install_splice splices[2],
                            struct sq_buf *out, enum sq_install_change *change,
                            struct sq_err *err);

/* Returns the line ending that the text uses. */
const char *sq_install_newline(struct sq_span text);

/* Sets an error with the line number of that offset. Returns false. */
bool sq_install_fail_at(struct sq_span text, size_t offset, const char *what,
                        struct sq_err *err);

bool sq_install_put(struct sq_buf *out, struct sq_span text,
                    struct sq_err *err);
bool sq_install_put_part(struct sq_buf *out, struct sq_span text, size_t from,
                         size_t to, struct sq_err *err);

/*
 * Appends the difference of two texts as a short unified diff, with control
 * characters escaped.
 */
bool sq_install_diff(const char *path, struct sq_span before,
                     struct sq_span after, struct sq_buf *out,
                     struct sq_err *err);

#endif
