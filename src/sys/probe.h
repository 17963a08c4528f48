/*
 * Checks whether programs can be run, files read and folders written to,
 * without doing so.
 */
#ifndef SQ_SYS_PROBE_H
#define SQ_SYS_PROBE_H

#include <stdbool.h>

#include "sys/path.h"

/*
 * Finds the file that a shell would run for this name, in the folders of PATH.
 * Returns false and leaves *out unchanged if there is none.
 */
bool sq_probe_program(const char *name, char out[SQ_PATH_SIZE]);

/*
 * Returns whether the path is something else than a file: standard output ("-"
 * or /dev/stdout), or an existing device, pipe or folder.
 */
bool sq_probe_is_no_file(const char *path);

enum sq_probe_state {
    SQ_PROBE_MISSING,
    SQ_PROBE_UNREADABLE, /* no permission, or not a file */
    SQ_PROBE_READABLE,
};

/* Returns whether sq_file_read could read this file. Does not open it. */
enum sq_probe_state sq_probe_file(const char *path);

/* Returns whether the path is an executable file. */
bool sq_probe_is_program(const char *path);

/*
 * Returns whether files can be created in this folder: it, or its nearest
 * existing parent, is writable, and sq_folder_open_real finds no link in the
 * path.
 */
bool sq_probe_folder(const char *path);

#endif
