/*
 * What the editor of clients' files shares with the descriptions of their
 * formats. A format finds the entry and its settings in a text, and plans how
 * to add or remove an entry as a whole; the editor does the rest.
 */
#ifndef SQ_APP_INSTALL_EDIT_H
#define SQ_APP_INSTALL_EDIT_H

#include "app/install/install.h"
#include "util/arena.h"

#define SQ_INSTALL_MAX_MEMBERS 64
#define SQ_INSTALL_MAX_SPLICES 16

/* A setting of the entry; offsets into the text. */
struct sq_install_member {
    struct sq_span key;
    struct sq_span value; /* as JSON without white space */
    size_t key_at;
    size_t from; /* the value */
    size_t to;
    size_t end;       /* where another setting can be inserted */
    const char *lead; /* before a new value; NULL: nothing */
};

/* A range of the text, and what replaces it. */
struct sq_install_splice {
    size_t from;
    size_t to;
    struct sq_span text;
};

struct sq_install_file {
    const struct sq_install_entry *entry;
    struct sq_span text;
    const char *newline; /* the line end that the text uses */
    struct sq_arena *arena;
    bool has_entry;
    size_t member_count;
    struct sq_install_member members[SQ_INSTALL_MAX_MEMBERS];
    size_t splice_count;
    struct sq_install_splice splices[SQ_INSTALL_MAX_SPLICES]; /* ascending */
};

struct sq_install_format {
    const char *name;
    /*
     * Finds the entry and its settings. Plans splices that remove it, or add it
     * if there is none or it has no settings.
     */
    bool (*plan)(struct sq_install_file *file, bool removes,
                 struct sq_err *err);
    /* How an entry is written. */
    const char *quote;  /* around a key */
    const char *assign; /* between a key and its value */
    const char *open;   /* after the key of an object */
    const char *comma;
    const char *close; /* NULL: nothing closes an object */
};

/* How a new entry is written. */
struct sq_install_layout {
    const char *before; /* texts around it */
    const char *after;
    struct sq_span indent; /* of the line of its key */
    const char *unit;      /* indentation of one level */
    bool is_inline;        /* all on one line */
    bool with_section;     /* inside a new section */
};

/* Plans to replace a range by the entry. */
bool sq_install_plan_block(struct sq_install_file *file, size_t from, size_t to,
                           const struct sq_install_layout *layout,
                           struct sq_err *err);

/* Plans to replace a range by a text. */
bool sq_install_plan_text(struct sq_install_file *file, size_t from, size_t to,
                          const char *text, struct sq_err *err);

/*
 * Records a setting of the entry, unless it is there; member->value is copied.
 * A value that begins at `from` need not be given.
 */
bool sq_install_add_member(struct sq_install_file *file,
                           const struct sq_install_member *member,
                           struct sq_err *err);

/* Returns whether the entry has a setting. */
const struct sq_install_member *
sq_install_member_find(const struct sq_install_file *file, struct sq_span key);

/* Returns the client's field of that name, or the one that ends the table. */
const struct sq_install_field *
sq_install_field_named(const struct sq_install_entry *entry,
                       struct sq_span key);

/*
 * Returns the indentation of the line that contains an offset. Sets *is_alone
 * to whether nothing else precedes the offset.
 */
struct sq_span sq_install_indent(struct sq_span text, size_t offset,
                                 bool *is_alone);

/* Returns the offset of the line's end, without its "\r". */
size_t sq_install_line_end(struct sq_span text, size_t at);

/*
 * Skips white space and comments; without `lines` only up to the end of the
 * line. Stops at a comment that is not closed.
 */
size_t sq_install_skip_space(struct sq_span text, size_t at, bool lines);

/*
 * Skips a string in one or three quotes of either kind. Fails if it is not
 * closed.
 */
bool sq_install_skip_string(struct sq_span text, size_t *at,
                            struct sq_err *err);

/* Sets an error with the line number of that offset. Returns false. */
bool sq_install_fail_at(struct sq_span text, size_t offset, const char *what,
                        struct sq_err *err);

/* Sets an error: the file has a form that cannot be edited. Returns false. */
bool sq_install_fail_form(struct sq_span text, size_t offset, const char *what,
                          struct sq_err *err);

#endif
