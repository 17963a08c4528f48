/*
 * Temporary files, each beside the file that it will replace, and the removal
 * of those that killed processes left.
 */
#ifndef SQ_SYS_TEMPORARY_FILE_H
#define SQ_SYS_TEMPORARY_FILE_H

#include <limits.h>

/* Owns a descriptor: free with sq_temporary_file_remove or _close. */
struct sq_temporary_file {
    int fd;                  /* for writing; locked (sys/owner_lock.h) */
    char name[NAME_MAX + 1]; /* relative to its folder */
};

/*
 * Creates an empty file that only its owner may read, with an unpredictable
 * name. First removes files that killed processes left in this folder. Returns
 * -1 and sets errno on failure.
 */
int sq_temporary_file_create(int folder, struct sq_temporary_file *out);

/*
 * Renames the file so that, if this process is killed, a later sweep also
 * removes an empty file of the given name. Returns -1 and sets errno on
 * failure.
 */
int sq_temporary_file_set_target(int folder, struct sq_temporary_file *file,
                                 const char *name);

/* Closes the file. Its name must already be gone. */
void sq_temporary_file_close(struct sq_temporary_file *file);

/* Removes the file's name, if it still has it, and closes it. */
void sq_temporary_file_remove(int folder, struct sq_temporary_file *file);

/*
 * Removes hidden files of a folder whose creating processes have ended. Ignores
 * every error: a file that cannot be removed is tried again next time.
 */
void sq_temporary_file_sweep(int folder);

#endif
