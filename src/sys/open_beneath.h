/*
 * Opening what lies inside a folder, and nothing else: no "..", no absolute
 * path, no symbolic link and no exchange of a folder while we walk can lead
 * out of it.
 */
#ifndef SQ_SYS_OPEN_BENEATH_H
#define SQ_SYS_OPEN_BENEATH_H

#include <stdbool.h>

/*
 * Open a relative path for reading; never blocks, not even on a pipe. Returns
 * -1 and sets errno: ELOOP for a link, EXDEV or EINVAL for a way out.
 */
int sq_open_beneath(int root, const char *path);

/* The same for a folder that is to be listed. */
int sq_open_folder_beneath(int root, const char *path);

/*
 * Have every process-wide later call walk piece by piece, as on kernels
 * without openat2 (for tests), or as the kernel can.
 */
void sq_walk_beneath(bool walk);

#endif
