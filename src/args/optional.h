/*
 * Values that may be missing: the fields of args structs. `given` is true if
 * the value was set; a value that was not given is zero.
 */
#ifndef SQ_ARGS_OPTIONAL_H
#define SQ_ARGS_OPTIONAL_H

#include "util/span.h"

struct sq_opt_bool {
    bool given;
    bool value;
};

struct sq_opt_int {
    bool given;
    int value;
};

struct sq_opt_double {
    bool given;
    double value;
};

struct sq_opt_text {
    bool given;
    struct sq_span value; /* not NUL-terminated */
};

#define SQ_MAX_LIST_ITEMS 100

/* A list of texts, in the order given. */
struct sq_opt_texts {
    bool given;
    size_t count;
    struct sq_span items[SQ_MAX_LIST_ITEMS];
};

/* A part of a picture. */
struct sq_opt_region {
    bool given;
    struct sq_opt_int x;
    struct sq_opt_int y;
    struct sq_opt_int width;
    struct sq_opt_int height;
};

/* A list of C strings, which belong to an arena. */
struct sq_strings {
    const char *const *items;
    size_t count;
};

#endif
