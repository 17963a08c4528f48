/* Reads, writes, appends to and replaces files; temporary files and folders. */
#ifndef SQ_SYS_FILE_H
#define SQ_SYS_FILE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "sys/path.h"
#include "util/buf.h"
#include "util/err.h"

/* Reads and writes whole files. */

#define SQ_FILE_NAME_SIZE 160

/*
 * Writes a path for display: control characters are escaped, a very long path
 * is reduced to its end, and "-" becomes the name of the stream.
 */
void sq_file_name(const char *path, bool for_writing,
                  char name[SQ_FILE_NAME_SIZE]);

/*
 * Sets the error for a failed read or write of a path; number is the errno
 * value. Returns false.
 */
bool sq_file_fail(const char *path, bool writing, int number,
                  struct sq_err *err);

/*
 * Reads a file, pipe or socket to its end; "-" is standard input. Fails with
 * SQ_ERR_LIMIT if there are more than max_bytes. *out must hold no memory
 * before; the caller finishes it. On failure it is unchanged.
 */
bool sq_file_read(const char *path, size_t max_bytes, struct sq_buf *out,
                  struct sq_err *err);

/*
 * Replaces the content of a file atomically: other processes see the old file
 * or the complete new one, and a failure leaves the old one. The temporary file
 * beside it is private; those left by killed processes are removed. A symbolic
 * link to a file is replaced, not followed. "-" is standard output. Standard
 * output, devices and pipes are written to directly.
 */
bool sq_file_write(const char *path, const void *bytes, size_t len,
                   struct sq_err *err);

/*
 * Like sq_file_write, but the new file is readable by its owner only, whatever
 * the mode of the old one.
 */
bool sq_file_write_private(const char *path, const void *bytes, size_t len,
                           struct sq_err *err);

/* A new file that only grows, such as a journal. */

/*
 * Creates a file that only its owner may read. Fails with SQ_ERR_EXISTS if
 * the name is taken. Close *out with sq_append_file_close.
 */
bool sq_append_file_create(const char *path, int *out, struct sq_err *err);

/*
 * Appends all bytes. After a failure a part of them may be in the file. If the
 * process is killed, what was appended before stays.
 */
bool sq_append_file_write(int file, const char *path, const void *bytes,
                          size_t len, struct sq_err *err);

void sq_append_file_close(int file);

/* Removes a file, or a socket. Ignores errors. */
void sq_file_remove(const char *path);

/* Returns whether the path is a folder. */
bool sq_path_is_folder(const char *path);

/*
 * Creates files atomically. A new file has no name, or only a hidden one, until
 * it is complete. A reader never sees a partial file, even if this process is
 * killed while writing.
 */

struct sq_atomic_file {
    const void *bytes;
    size_t len;
    bool synced; /* fsync before naming it, to survive a power cut */
};

/*
 * Creates a file that only its owner may read. Returns -1 and sets errno on
 * failure (EEXIST if the name is taken); no file is left then. Block signals
 * with sq_call_hold_signals first. Otherwise a signal may leave a hidden file,
 * which stays until the next file is created in that folder.
 */
int sq_atomic_file_make(int folder, const char *name,
                        const struct sq_atomic_file *file);

/*
 * Locks on temporary files and folders. A process holds the lock for as long as
 * it lives, so that others can tell which files a killed process left.
 */

/*
 * Returns whether the process that created this file or folder has ended. On
 * file systems without locks: whether it was last written to more than an hour
 * ago. Returns false for files of other users.
 */
bool sq_owner_lock_is_abandoned(int fd);

/*
 * Temporary files, each beside the file that it will replace, and the removal
 * of those that killed processes left.
 */

/* Owns a descriptor: free with sq_temporary_file_remove, or close it. */
struct sq_temporary_file {
    int fd;                  /* for writing; locked by sq_owner_lock */
    char name[NAME_MAX + 1]; /* relative to its folder */
};

/*
 * Creates an empty file that only its owner may read, with an unpredictable
 * name. First removes files that killed processes left in this folder. Returns
 * -1 and sets errno on failure.
 */
int sq_temporary_file_create(int folder, struct sq_temporary_file *out);

/* Removes the file's name, if it still has it, and closes it. */
void sq_temporary_file_remove(int folder, struct sq_temporary_file *file);

/* Private temporary folders for the output of other programs. */

/* Start zeroed; free with sq_temp_remove. */
struct sq_temp {
    char folder[SQ_PATH_SIZE]; /* absolute; empty if not created */
    char file[SQ_PATH_SIZE];   /* path inside it; not created here */
    int lock_fd;               /* the open folder, locked by its owner */
};

/*
 * Creates a folder with an unpredictable name in the system's temporary folder,
 * for one file or folder of the given name. Also removes such folders that
 * killed processes left.
 */
bool sq_temp_make(struct sq_temp *out, const char *file_name,
                  struct sq_err *err);

/* Removes the folder and all that is in it. Safe on a zeroed value. */
void sq_temp_remove(struct sq_temp *temp);

#endif
