/*
 * Opens files strictly inside a folder: no "..", absolute path, symbolic link
 * or concurrent rename of a folder can lead out of it.
 */
#ifndef SQ_SYS_OPEN_BENEATH_H
#define SQ_SYS_OPEN_BENEATH_H

#include <stdbool.h>

/*
 * Opens a relative path for reading. Never blocks, not even on a pipe. Returns
 * -1 and sets errno on failure: ELOOP for a link, EXDEV or EINVAL for a path
 * that leaves the folder.
 */
int sq_open_beneath(int root, const char *path);

/* Like sq_open_beneath, for a folder that will be listed. */
int sq_open_folder_beneath(int root, const char *path);

/*
 * For tests: sets for the whole process whether later calls resolve paths one
 * component at a time, as on kernels without openat2.
 */
void sq_walk_beneath(bool walk);

#endif
