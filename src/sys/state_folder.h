/*
 * A private folder of the user for small files that several processes of squint
 * read and replace: $XDG_RUNTIME_DIR/squint, or squint/run below the folder of
 * sq_user_state_path.
 */
#ifndef SQ_SYS_STATE_FOLDER_H
#define SQ_SYS_STATE_FOLDER_H

#include "sys/deadline.h"
#include "sys/path.h"
#include "util/buf.h"

struct sq_state_folder {
    int fd; /* open only after sq_state_folder_open succeeded */
    char path[SQ_PATH_SIZE];
};

/*
 * Opens the folder and creates it if needed, for its owner only. Fails if no
 * place is known, or if the folder belongs to another user or others may enter
 * it. The caller closes it.
 */
bool sq_state_folder_open(struct sq_state_folder *out, struct sq_err *err);

/*
 * The same for a folder below that of sq_user_state_path, whose files stay
 * after a restart of the machine.
 */
bool sq_state_folder_open_kept(const char *name, struct sq_state_folder *out,
                               struct sq_err *err);

void sq_state_folder_close(struct sq_state_folder *folder);

/*
 * Opens the folder for sq_entries_start. The caller closes *out with
 * sq_folder_close.
 */
bool sq_state_folder_open_list(const struct sq_state_folder *folder, int *out,
                               struct sq_err *err);

/* Appends a file; nothing if there is none. */
bool sq_state_folder_read(const struct sq_state_folder *folder,
                          const char *name, size_t max_bytes,
                          struct sq_buf *out, struct sq_err *err);

/* Returns the size of a regular file in bytes; 0 if there is none. */
size_t sq_state_folder_size(const struct sq_state_folder *folder,
                            const char *name);

/* Replaces a file atomically. Only its owner may read it. */
bool sq_state_folder_write(const struct sq_state_folder *folder,
                           const char *name, struct sq_span bytes,
                           struct sq_err *err);

/* Removes a file. A file that does not exist is no error. */
bool sq_state_folder_remove(const struct sq_state_folder *folder,
                            const char *name, struct sq_err *err);

/*
 * Waits until no other process holds the lock of that name, and takes it. Fails
 * with SQ_ERR_TIMEOUT or SQ_ERR_CANCELLED. *out is released with
 * sq_state_folder_unlock; it is released too if the process ends.
 */
bool sq_state_folder_lock(const struct sq_state_folder *folder,
                          const char *name, const struct sq_deadline *deadline,
                          int *out, struct sq_err *err);
void sq_state_folder_unlock(int lock);

#endif
