/* Where the text fields of the screen are, and what they contain. */
#ifndef SQ_TOOLS_SCREEN_FIELDS_H
#define SQ_TOOLS_SCREEN_FIELDS_H

#include "device/tree.h"
#include "tool/tool.h"

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

/*
 * Reads the fields of the screen as it is now. A screen that cannot have
 * elements, as that of a game on the demo phone, has none. *out stays unknown
 * if the elements cannot be read.
 */
void sq_fields_read(struct sq_call *call, const struct sq_deadline *deadline,
                    struct sq_fields *out);

#endif
