/* What could be done here, found out without doing it. */
#ifndef SQ_SYS_PROBE_H
#define SQ_SYS_PROBE_H

#include <stdbool.h>

#include "sys/path.h"

/*
 * The file that a shell would run for this name, looked for in the folders of
 * PATH. False, with *out untouched, if there is none.
 */
bool sq_probe_program(const char *name, char out[SQ_PATH_SIZE]);

/* Whether there is a file at this path that may be run. */
bool sq_probe_is_program(const char *path);

/*
 * Whether files could be made in that folder: it can be written to, or the
 * nearest folder above it that exists can, and sq_folder_open_real finds no
 * link in its path.
 */
bool sq_probe_folder(const char *path);

#endif
