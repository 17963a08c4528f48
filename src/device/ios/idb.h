/*
 * Parses the output of `idb`. Pure. The format differs between versions of idb
 * and elements may lack fields: missing fields stay absent, unknown ones are
 * skipped.
 */
#ifndef SQ_DEVICE_IOS_IDB_H
#define SQ_DEVICE_IOS_IDB_H

#include "device/tree.h"
#include "util/err.h"

/* The elements of a screen, in points. Initialise with zeroes. */
struct sq_idb_screen {
    struct sq_tree tree;   /* the root is the app; empty: no elements */
    struct sq_size points; /* size of the app; 0x0: not reported */
    int64_t pid;           /* of the app; 0: not reported */
    bool reports_focus;    /* this idb reports the focused element */
};

/*
 * Parses `idb ui describe-all` or `describe-point`: an array of elements, one
 * element, or one element per line, each with or without children.
 */
bool sq_idb_parse_elements(struct sq_span text, struct sq_idb_screen *out,
                           struct sq_err *err);

/* Safe on a zeroed value. */
void sq_idb_screen_finish(struct sq_idb_screen *screen);

/*
 * Finds a target in `idb list-targets --json` and copies its state ("Booted").
 * Returns false if the target is not listed or the text cannot be parsed. UDIDs
 * are compared without case.
 */
bool sq_idb_find_target(struct sq_span text, const char *udid, char *state,
                        size_t size);

#endif
