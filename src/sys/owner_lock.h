/*
 * Locks on temporary files and folders. A process holds the lock for as long as
 * it lives, so that others can tell which files a killed process left.
 */
#ifndef SQ_SYS_OWNER_LOCK_H
#define SQ_SYS_OWNER_LOCK_H

#include <stdbool.h>

/*
 * Locks a file or folder that this process has just created. Returns false if
 * another process removed it as left over before the lock was held; the caller
 * then creates another one. Closing the last descriptor releases the lock.
 */
bool sq_owner_lock_acquire(int fd);

/*
 * Returns whether the process that created this file or folder has ended. On
 * file systems without locks: whether it was last written to more than an hour
 * ago. Returns false for files of other users.
 */
bool sq_owner_lock_is_abandoned(int fd);

#endif
