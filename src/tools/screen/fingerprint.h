/* Fingerprints of views, which do not depend on changing numbers. */
#ifndef SQ_TOOLS_SCREEN_FINGERPRINT_H
#define SQ_TOOLS_SCREEN_FINGERPRINT_H

#include "device/device.h"
#include "device/tree.h"

#define SQ_FINGERPRINT_TEXT_SIZE 33

struct sq_fingerprint {
    char hash[SQ_FINGERPRINT_TEXT_SIZE]; /* 128 bits in hexadecimal */
    bool cacheable; /* no sign of loading or another passing state */
    int element_count;
    bool landscape;
};

/*
 * Hashes the view: types, identifiers, labels and positions of its elements,
 * and the size of the screen. Times, percentages, prices and long numbers are
 * hashed by their kind, not their value. Uses FNV-1a, which is not secure
 * against deliberate collisions.
 */
void sq_fingerprint_take(const struct sq_tree *tree,
                         const struct sq_screen *screen,
                         struct sq_fingerprint *out);

/* Writes viewFingerprint; is_known: the view was seen before. */
struct sq_json_writer;
void sq_fingerprint_put(const struct sq_fingerprint *print, bool is_known,
                        struct sq_json_writer *w);

/* Returns whether a state that a caller names passes: "loading". */
bool sq_is_passing_state(struct sq_span state);

#endif
