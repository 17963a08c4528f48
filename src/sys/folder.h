/* Folders that are held open: their files and entries, and what is kept there.
 */
#ifndef SQ_SYS_FOLDER_H
#define SQ_SYS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "sys/deadline.h"
#include "sys/path.h"
#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

/*
 * Opens files strictly inside a folder: no "..", absolute path, symbolic link
 * or concurrent rename of a folder can lead out of it.
 */

/*
 * Opens a relative path for reading. Never blocks, not even on a pipe. Returns
 * -1 and sets errno on failure: ELOOP for a link, EXDEV or EINVAL for a path
 * that leaves the folder.
 */
int sq_open_beneath(int root, const char *path);

/* Like sq_open_beneath, for a folder that will be listed. */
int sq_open_folder_beneath(int root, const char *path);

/* Lists the entries of a folder without a stat() of each. */

enum sq_entry_kind {
    SQ_ENTRY_UNKNOWN, /* not reported by this file system */
    SQ_ENTRY_FILE,
    SQ_ENTRY_FOLDER,
    SQ_ENTRY_OTHER, /* links, pipes, devices */
};

struct sq_entry {
    struct sq_span name; /* followed by a NUL; valid until the next entry */
    enum sq_entry_kind kind;
};

struct sq_entries;

/* Creates a reader, which can be used for many folders. */
bool sq_entries_create(struct sq_entries **out, struct sq_err *err);

void sq_entries_destroy(struct sq_entries *entries);

/*
 * Starts to read an open folder from its beginning. The caller closes it after
 * the last sq_entries_next.
 */
void sq_entries_start(struct sq_entries *entries, int folder);

/*
 * Returns the next entry, without "." and "..". Returns false at the end or on
 * an error; sq_entries_error then returns the errno value, or 0 at the end.
 */
bool sq_entries_next(struct sq_entries *entries, struct sq_entry *out);
int sq_entries_error(const struct sq_entries *entries);

/* Visits the first million entries of a folder. Ignores every error. */
typedef void sq_entry_visitor(void *context, int folder, struct sq_span name);
void sq_folder_visit(int folder, sq_entry_visitor *visit, void *context);

/*
 * Creates, reads and removes files strictly inside one folder. Names are
 * resolved one component at a time from an open folder, so that no "..",
 * symbolic link or race can lead out of it.
 */

#define SQ_FOLDER_NAME_SIZE 256 /* of a name inside it, with its NUL */

/*
 * Opens a folder and creates it and its parents if needed; on failure none of
 * them is left. The caller closes *out with sq_folder_close.
 */
bool sq_folder_open(const char *path, int *out, struct sq_err *err);

/* The folders at the end of a path that were created. */
struct sq_made_folders {
    char path[SQ_PATH_SIZE];
    size_t outermost; /* length of the path of the outermost one; 0: none */
};

/* Like sq_folder_open, and returns in *made what was created. */
bool sq_folder_open_new(const char *path, int *out,
                        struct sq_made_folders *made, struct sq_err *err);

/* Removes the created folders that are empty. Ignores errors. */
void sq_folder_remove_made(const struct sq_made_folders *made);

/*
 * Like sq_folder_open, but creates folders only if `make` is set, and fails
 * with SQ_ERR_IO if any component is a symbolic link. Links directly in "/" are
 * allowed, since only root can create them (on macOS /tmp and /var are such
 * links).
 */
bool sq_folder_open_real(const char *path, bool make, int *out,
                         struct sq_err *err);

void sq_folder_close(int folder);

/*
 * Makes git ignore the folder: writes a ".gitignore" into it unless it has one.
 * Ignores every error.
 */
void sq_folder_hide_from_git(int folder);

/*
 * Returns whether a name may be used inside a folder: it must be relative,
 * without ".", "..", empty components or control characters. Fails with
 * SQ_ERR_ARGUMENT and says what is wrong.
 */
bool sq_folder_check_name(struct sq_span name, struct sq_err *err);

/*
 * Creates a new file and the folders in its name. The file gets its name only
 * when it is complete; on failure neither the file nor a new folder is left.
 * Fails with SQ_ERR_EXISTS if the name is taken.
 */
bool sq_folder_write(int folder, struct sq_span name, const void *bytes,
                     size_t len, struct sq_err *err);

/*
 * Like sq_folder_write. *outermost: the length of the name of the outermost
 * folder that was created, or 0.
 */
bool sq_folder_write_new(int folder, struct sq_span name, const void *bytes,
                         size_t len, size_t *outermost, struct sq_err *err);

/*
 * Like sq_folder_write for a file directly in the folder whose name the user
 * chose: it may begin with a dot. It must have no slash.
 */
bool sq_folder_write_file(int folder, const char *base, const void *bytes,
                          size_t len, struct sq_err *err);

/*
 * Reads a regular file of at most max_bytes. *out must hold no memory before;
 * the caller finishes it. On failure it is unchanged.
 */
bool sq_folder_read(int folder, struct sq_span name, size_t max_bytes,
                    struct sq_buf *out, struct sq_err *err);

/* Removes a file that sq_folder_write created. Ignores errors. */
void sq_folder_remove(int folder, struct sq_span name);

/*
 * The same for sq_folder_write_new: also removes the folders that it created,
 * if they are empty.
 */
void sq_folder_remove_new(int folder, struct sq_span name, size_t outermost);

#define SQ_RANDOM_NAME_SIZE 33

/* Writes 128 random bits as 32 hexadecimal digits. */
bool sq_random_name(char out[SQ_RANDOM_NAME_SIZE], struct sq_err *err);

/* Removes old files that squint created automatically. */

#define SQ_PRUNE_KEEP 50

/*
 * Removes all but the newest SQ_PRUNE_KEEP regular files of a folder whose
 * names satisfy is_ours and are shorter than SQ_PRUNE_NAME_SIZE. The file
 * `latest` counts as the newest. Ignores every error.
 */
void sq_prune(int folder, bool (*is_ours)(struct sq_span name),
              const char *latest);

/*
 * A private folder of the user for small files that several processes of squint
 * read and replace: $XDG_RUNTIME_DIR/squint, or squint/run below the folder of
 * SQ_USER_STATE.
 */

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
 * The same for a folder below that of SQ_USER_STATE, whose files stay
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

/*
 * Writes the first bytes of a file where it is: for a few bytes, which others
 * may read at any time, and which need not survive a power cut.
 */
bool sq_state_folder_put(const struct sq_state_folder *folder, const char *name,
                         const void *bytes, size_t len);

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
