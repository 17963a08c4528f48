/*
 * Making squint known to a client: which clients there are, where they keep
 * their servers, and how an entry gets into such a file and out of it again
 * without a byte of anything else being touched.
 */
#ifndef SQ_APP_INSTALL_H
#define SQ_APP_INSTALL_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_INSTALL_MAX_BYTES ((size_t)64 << 20)

/* What stands behind a key of an entry. */
enum sq_install_kind {
    SQ_INSTALL_COMMAND, /* the program's path */
    SQ_INSTALL_ARGS,    /* the list of its arguments */
    SQ_INSTALL_NAME,    /* the entry's own name */
    SQ_INSTALL_TEXT,    /* a text, always the same */
    SQ_INSTALL_LITERAL, /* true, 300, {}: alike in all formats */
};

struct sq_install_field {
    const char *key; /* NULL ends a table */
    enum sq_install_kind kind;
    const char *text; /* of TEXT and LITERAL */
};

struct sq_install_editor;

#define SQ_INSTALL_PLACES 2

struct sq_install_client {
    const char *name; /* on the command line */
    const char *title;
    const struct sq_install_editor *editor;
    const char *section; /* the key that holds all servers */
    const struct sq_install_field *fields;
    /*
     * Where its file lies: "~/" is the home folder, "+/" the configuration
     * folder. Of two, the first that exists; without either, the first.
     */
    const char *places[SQ_INSTALL_PLACES];
    const char *macos_places[SQ_INSTALL_PLACES]; /* NULL: the same */
    const char *variable; /* names the folder of home_file; NULL: none does */
    const char *home_file;
    const char *next; /* what to do afterwards */
};

/* The clients in their order; NULL behind the last. */
const struct sq_install_client *sq_install_client_at(size_t index);

/* The client of that name, or NULL. */
const struct sq_install_client *sq_install_client_find(const char *name);

/*
 * Where the client's file lies or would lie; which'th of its places. False
 * with *err untouched if there is no such place, else SQ_ERR_NOT_FOUND if the
 * environment does not say enough.
 */
bool sq_install_place(const struct sq_install_client *client, bool macos,
                      size_t which, struct sq_buf *out, struct sq_err *err);

/* What is to be written. */
struct sq_install_entry {
    const struct sq_install_client *client;
    const char *name;    /* letters, digits, "-" and "_" */
    const char *command; /* without control characters */
};

enum sq_install_change {
    SQ_INSTALL_UNCHANGED, /* it is as wanted already */
    SQ_INSTALL_ADDED,
    SQ_INSTALL_REPLACED,
    SQ_INSTALL_REMOVED,
};

/*
 * One per format. Both append the new text to out, which is empty before; an
 * unchanged text may be left out. A text that cannot be understood is
 * SQ_ERR_FORMAT, one that cannot be edited SQ_ERR_UNSUPPORTED.
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

/* Append the value of a field, on one line; the same text in all formats. */
bool sq_install_put_value(const struct sq_install_entry *entry,
                          const struct sq_install_field *field,
                          struct sq_buf *out, struct sq_err *err);

/*
 * Whether a value's text says what the field should, but for white space;
 * always so for fields other than COMMAND and ARGS.
 */
bool sq_install_compare(const struct sq_install_entry *entry,
                        const struct sq_install_field *field,
                        struct sq_span text, bool *is_same, struct sq_err *err);

/* How lines end in this text. */
const char *sq_install_newline(struct sq_span text);

/* Say what is wrong in which line of a text. Returns false. */
bool sq_install_fail_at(struct sq_span text, size_t offset, const char *what,
                        struct sq_err *err);

bool sq_install_put(struct sq_buf *out, struct sq_span text,
                    struct sq_err *err);
bool sq_install_put_part(struct sq_buf *out, struct sq_span text, size_t from,
                         size_t to, struct sq_err *err);

/*
 * Append the difference of two texts as a small unified diff, control
 * characters escaped.
 */
bool sq_install_diff(const char *path, struct sq_span before,
                     struct sq_span after, struct sq_buf *out,
                     struct sq_err *err);

#endif
