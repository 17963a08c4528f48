/*
 * What `idb` prints. Pure: text in, values out. Every version of idb has had
 * its own shape, and every element its own gaps: what is missing is absent,
 * what is odd is passed over.
 */
#ifndef SQ_DEVICE_IOS_IDB_H
#define SQ_DEVICE_IOS_IDB_H

#include "device/tree.h"
#include "util/err.h"

/* The elements of a screen, in points. A value: start zeroed. */
struct sq_idb_screen {
    struct sq_tree tree;   /* its root is the app; empty: nothing is there */
    struct sq_size points; /* of the app; 0x0: it does not say */
    int64_t pid;           /* of the app; 0: it does not say */
    bool tells_focus;      /* this idb says which element has the focus */
};

/*
 * `idb ui describe-all`, `describe-point`: an array of elements, one element,
 * one element per line, each with or without children.
 */
bool sq_idb_parse_elements(struct sq_span text, struct sq_idb_screen *out,
                           struct sq_err *err);

/* Safe on a zeroed value. */
void sq_idb_screen_finish(struct sq_idb_screen *screen);

/*
 * `idb list-targets --json`: the state of a target ("Booted"), copied; false
 * if idb does not know it, or says nothing that can be read. UDIDs compare
 * without case.
 */
bool sq_idb_find_target(struct sq_span text, const char *udid, char *state,
                        size_t size);

#endif
