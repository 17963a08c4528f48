/*
 * Creates files atomically. A new file has no name, or only a hidden one, until
 * it is complete. A reader never sees a partial file, even if this process is
 * killed while writing.
 */
#ifndef SQ_SYS_ATOMIC_FILE_H
#define SQ_SYS_ATOMIC_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct sq_atomic_file {
    const void *bytes;
    size_t len;
    bool synced; /* fsync before naming it, to survive a power cut */
};

/*
 * Creates a file that only its owner may read. Returns -1 and sets errno on
 * failure (EEXIST if the name is taken); no file is left then. Block signals
 * with sq_call_hold_signals first. Otherwise a signal may leave a hidden file,
 * which stays until the next file is created in that folder.
 */
int sq_atomic_file_make(int folder, const char *name,
                        const struct sq_atomic_file *file);

#endif
