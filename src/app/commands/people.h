/*
 * Shows the replies of operations to people: what happened in one line, then a
 * table. One row per operation, in people.c.
 */
#ifndef SQ_APP_COMMANDS_PEOPLE_H
#define SQ_APP_COMMANDS_PEOPLE_H

#include "app/terminal/page.h"
#include "geom/size.h"
#include "json/value.h"

struct sq_tool;

/* One reply that is shown. */
struct sq_people {
    struct sq_page page;
    struct sq_arena *arena; /* for tables */
    const struct sq_json *reply;
    const struct sq_json *request; /* the arguments of the call; may be NULL */
    const char *file;    /* the picture was written there; NULL: it was not */
    struct sq_size size; /* of that picture; zero: as the reply says */
    size_t bytes;
};

#define SQ_PEOPLE_EXAMPLES 3

/* How the reply of one operation is shown. */
struct sq_people_view {
    const char *operation; /* its name in the operation's table */
    const char *about;     /* what it does; NULL: as clients are told */
    bool (*show)(struct sq_people *people, struct sq_err *err);
    /* Returns whether the answer is positive. NULL: a reply always is. */
    bool (*is_done)(const struct sq_json *reply);
    bool prints_data; /* remarks go to standard error, not between the data */
    bool counts_ms;   /* its progress is a time, in milliseconds */
    const char *examples[SQ_PEOPLE_EXAMPLES]; /* for --help, without "squint" */
};

/* Returns the view of an operation, or NULL. */
const struct sq_people_view *sq_people_view_of(const char *operation);

/* Appends what an operation does, in the words of a person. */
bool sq_people_about(const struct sq_tool *tool, struct sq_buf *out,
                     struct sq_err *err);

/* Shows a reply, and the remarks that any reply may have. */
bool sq_people_show(const struct sq_people_view *view, struct sq_people *people,
                    struct sq_err *err);

/* Returns whether all steps of a call were done, and found what they sought. */
bool sq_steps_are_done(const struct sq_json *request,
                       const struct sq_json *reply);

/* Shows the steps before the one that failed, from the details of its error. */
bool sq_people_show_done_steps(struct sq_people *people, struct sq_err *err);

/* Writes a size in bytes as "24 KB". */
#define SQ_BYTES_TEXT_SIZE 32
void sq_bytes_text(int64_t bytes, char out[SQ_BYTES_TEXT_SIZE]);

/* Shows elements that were equally good, from the details of an error. */
bool sq_people_show_alternatives(struct sq_people *people, struct sq_err *err);

#endif
