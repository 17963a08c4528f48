/* A folder for another program's output that nobody else can look into. */
#ifndef SQ_SYS_TEMP_H
#define SQ_SYS_TEMP_H

#include <stdbool.h>

#include "sys/path.h"
#include "util/err.h"

/* A value: start zeroed, end with sq_temp_remove. */
struct sq_temp {
    char folder[SQ_PATH_SIZE]; /* absolute; empty: none */
    char file[SQ_PATH_SIZE];   /* in it; not made here */
    int claim;                 /* the open folder, see sys/claim.h */
};

/*
 * Make a folder of a name nobody can guess, for one file of the given name,
 * where temporary files go. Removes those that killed processes left there.
 */
bool sq_temp_make(struct sq_temp *out, const char *file_name,
                  struct sq_err *err);

/* Remove the file, if it is there, and the folder. Safe on a zeroed value. */
void sq_temp_remove(struct sq_temp *temp);

#endif
