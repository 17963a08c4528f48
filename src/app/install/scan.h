/*
 * A JSON scanner for hand-written files: accepts comments and trailing commas
 * and, unlike the parser in json/, reports offsets.
 */
#ifndef SQ_APP_INSTALL_SCAN_H
#define SQ_APP_INSTALL_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_SCAN_NONE ((size_t)-1)

/* Offsets into the text. */
struct sq_scan_member {
    size_t key; /* SQ_SCAN_NONE: there is no such member */
    size_t value;
    size_t end;   /* of the value */
    size_t comma; /* after it, or SQ_SCAN_NONE */
};

struct sq_scan_object {
    size_t open;
    size_t close;
    size_t count;
    struct sq_scan_member last;
    struct sq_scan_member found; /* the member that was searched for */
    struct sq_scan_member before_found;
};

/* A position in a text. */
struct sq_scan {
    struct sq_span text;
    size_t at;
    int depth;
};

/* Skips white space and comments. */
bool sq_scan_trivia(struct sq_scan *s, struct sq_err *err);

/*
 * Skips the object at the cursor and searches it for a key; NULL searches for
 * none. Fails if a key occurs twice.
 */
bool sq_scan_object(struct sq_scan *s, const char *key,
                    struct sq_scan_object *out, struct sq_err *err);

/* Skips the member at the cursor and what follows it up to the next. */
bool sq_scan_member(struct sq_scan *s, struct sq_scan_member *member,
                    struct sq_err *err);

/* Returns the byte at that distance, or NUL after the end. */
char sq_scan_peek(const struct sq_scan *s, size_t ahead);

/* Returns whether the text between two offsets contains a line break. */
bool sq_scan_has_newline(struct sq_span text, size_t from, size_t to);

/*
 * Returns the end of the line that contains `at`, without "\r", if only white
 * space and comments follow; otherwise returns `at`.
 */
size_t sq_scan_end_of_line(struct sq_span text, size_t at);

#endif
