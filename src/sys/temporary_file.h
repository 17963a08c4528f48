/*
 * Temporary files beside the file that they will become, and the removal of
 * those that killed processes left.
 */
#ifndef SQ_SYS_TEMPORARY_FILE_H
#define SQ_SYS_TEMPORARY_FILE_H

#include <limits.h>

/* Holds a descriptor: end with sq_hidden_file_remove or _close. */
struct sq_hidden_file {
    int fd;                  /* for writing; holds the claim (sys/claim.h) */
    char name[NAME_MAX + 1]; /* in its folder */
};

/*
 * Make an empty file that only its owner may read, of a name that nobody can
 * guess. Removes left over ones of the same folder first. Returns -1 and sets
 * errno on failure.
 */
int sq_hidden_file_make(int folder, struct sq_hidden_file *out);

/*
 * Rename it so that a sweep, should this process be killed, also removes an
 * empty file of the given name. Returns -1 and sets errno on failure.
 */
int sq_hidden_file_note(int folder, struct sq_hidden_file *file,
                        const char *name);

/* Close it; the name must be gone already. */
void sq_hidden_file_close(struct sq_hidden_file *file);

/* Remove its name, if it still has it, and close it. */
void sq_hidden_file_remove(int folder, struct sq_hidden_file *file);

/*
 * Remove the hidden files of a folder whose makers have ended. Ignores every
 * error: what cannot be removed now is tried again next time.
 */
void sq_hidden_file_sweep(int folder);

#endif
