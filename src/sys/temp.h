/* Private temporary folders for the output of other programs. */
#ifndef SQ_SYS_TEMP_H
#define SQ_SYS_TEMP_H

#include <stdbool.h>

#include "sys/path.h"
#include "util/err.h"

/* Start zeroed; free with sq_temp_remove. */
struct sq_temp {
    char folder[SQ_PATH_SIZE]; /* absolute; empty if not created */
    char file[SQ_PATH_SIZE];   /* path inside it; not created here */
    int lock_fd;               /* the open folder, see sys/owner_lock.h */
};

/*
 * Creates a folder with an unpredictable name in the system's temporary folder,
 * for one file of the given name. Also removes such folders that killed
 * processes left.
 */
bool sq_temp_make(struct sq_temp *out, const char *file_name,
                  struct sq_err *err);

/* Removes the file, if it exists, and the folder. Safe on a zeroed value. */
void sq_temp_remove(struct sq_temp *temp);

#endif
