/*
 * Reading JSON that people write: comments and trailing commas are fine.
 * Unlike the reader in json/, this tells where things stand.
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
    size_t comma; /* behind it, or SQ_SCAN_NONE */
};

struct sq_scan_object {
    size_t open;
    size_t close;
    size_t count;
    struct sq_scan_member last;
    struct sq_scan_member found; /* the one asked for */
    struct sq_scan_member before_found;
};

/* A cursor in a text. */
struct sq_scan {
    struct sq_span text;
    size_t at;
    int depth;
};

/* Step over white space and comments. */
bool sq_scan_trivia(struct sq_scan *s, struct sq_err *err);

/*
 * Step over the object that begins here and look for a key in it; NULL: for
 * none. A key that is there twice is refused.
 */
bool sq_scan_object(struct sq_scan *s, const char *key,
                    struct sq_scan_object *out, struct sq_err *err);

/* The byte so many ahead; NUL behind the end. */
char sq_scan_peek(const struct sq_scan *s, size_t ahead);

/*
 * Where the line ends that at is in, without its "\r", if only white space and
 * comments follow there; else at.
 */
size_t sq_scan_end_of_line(struct sq_span text, size_t at);

#endif
