/* Where the text fields of the screen are, and what they contain. */
#ifndef SQ_TOOLS_SCREEN_FIELDS_H
#define SQ_TOOLS_SCREEN_FIELDS_H

#include "device/tree.h"

struct sq_field {
    struct sq_dev_rect bounds;
    struct sq_span text; /* empty for passwords */
    bool is_secret;
};

/* The fields of one state of the screen; in the call's arena. */
struct sq_fields {
    bool is_known; /* false: the elements could not be read */
    struct sq_field *items;
    size_t count;
};

/* Finds the fields of a tree; *out stays unknown if out of memory. */
bool sq_fields_of(const struct sq_tree *tree, struct sq_arena *arena,
                  struct sq_fields *out, struct sq_err *err);

#endif
