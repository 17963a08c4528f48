/* Is this the same view as before, wherever its numbers have moved on? */
#ifndef SQ_TOOLS_FINGERPRINT_H
#define SQ_TOOLS_FINGERPRINT_H

#include "device/device.h"
#include "device/tree.h"

#define SQ_FINGERPRINT_TEXT_SIZE 33

struct sq_fingerprint {
    char hash[SQ_FINGERPRINT_TEXT_SIZE]; /* 128 bits in hexadecimal */
    bool cacheable; /* nothing in it says that it is on its way elsewhere */
    int element_count;
    bool landscape;
};

/*
 * Hash what the view is made of: types, identifiers, labels and places of its
 * elements and the size of the screen. Times, percentages, prices and long
 * numbers count as what they are, not as their value. FNV-1a: it tells views
 * apart and is no proof against anyone who wants two to be alike.
 */
void sq_fingerprint_take(const struct sq_tree *tree,
                         const struct sq_screen *screen,
                         struct sq_fingerprint *out);

/* Whether a state, as a caller names it, is one that passes: "loading". */
bool sq_is_passing_state(struct sq_span state);

#endif
