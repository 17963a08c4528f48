/*
 * Temporary files and folders that a killed process can leave: their maker
 * holds a lock on them for as long as it lives, so that others can tell what
 * may be removed.
 */
#ifndef SQ_SYS_OWNER_LOCK_H
#define SQ_SYS_OWNER_LOCK_H

#include <stdbool.h>

/*
 * Lock a file or folder that this process has just made. False if another
 * process removes it as left over, which can happen before the lock is held:
 * then make another one. Closing the last descriptor gives the lock up.
 */
bool sq_claim_take(int fd);

/*
 * Whether the maker of an open file or folder of ours has ended. Where the
 * file system has no locks: whether it was last written to an hour ago.
 * Files of other users never count.
 */
bool sq_claim_is_abandoned(int fd);

#endif
