/*
 * New files that have no name, or only a hidden one, until they are whole:
 * whoever opens one reads all of it, also when this process was killed in the
 * middle.
 */
#ifndef SQ_SYS_ATOMIC_FILE_H
#define SQ_SYS_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct sq_atomic_file {
    const void *bytes;
    size_t len;
    bool synced; /* on the disk before it is named, lest a power cut tear it */
};

/*
 * Make a file that only its owner may read. Returns -1 and sets errno, EEXIST
 * if there is something of that name, and then has made none. Hold signals
 * (sq_call_hold_signals), or one may leave a hidden file until the next file
 * is made in that folder.
 */
int sq_atomic_file_make(int folder, const char *name,
                        const struct sq_atomic_file *file);

#endif
