/* The simulated file system of the phone: a few files kept in memory. */
#ifndef SQ_DEMO_ADBD_FILES_H
#define SQ_DEMO_ADBD_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_ADBD_PATH_SIZE 256
#define SQ_ADBD_MAX_FILES 64
#define SQ_ADBD_MAX_FILE_BYTES ((size_t)96 << 20)

struct sq_adbd_file {
    struct sq_adbd_file *next; /* sorted by path, bytewise */
    char path[SQ_ADBD_PATH_SIZE];
    struct sq_buf bytes;
    int64_t modified_s; /* since 1970 */
};

/* All zero: no files. */
struct sq_adbd_files {
    struct sq_adbd_file *first;
    int count;
};

/* Safe on a zeroed value. */
void sq_adbd_files_finish(struct sq_adbd_files *files);

/*
 * Returns NULL if there is no such file. "/sdcard/a" and
 * "/storage/emulated/0/a" are the same file.
 */
struct sq_adbd_file *sq_adbd_files_find(const struct sq_adbd_files *files,
                                        const char *path);

/*
 * Checks that a file may be created there: below /sdcard or /data/local/tmp, as
 * on a phone. Fails with SQ_ERR_NOT_FOUND otherwise.
 */
bool sq_adbd_files_check(const char *path, struct sq_err *err);

/* Creates an empty file, or truncates an existing one. */
bool sq_adbd_files_create(struct sq_adbd_files *files, const char *path,
                          int64_t now_s, struct sq_adbd_file **out,
                          struct sq_err *err);

/* Removes a file. Returns whether it existed. */
bool sq_adbd_files_remove(struct sq_adbd_files *files, const char *path);

/* Returns whether the path is a folder, with or without a trailing slash. */
bool sq_adbd_files_is_folder(const char *path);

/*
 * Returns the file after `after` directly inside the folder, or NULL at the
 * end. Starts with the first file if `after` is NULL.
 */
const struct sq_adbd_file *sq_adbd_files_in(const struct sq_adbd_files *files,
                                            const char *folder,
                                            const struct sq_adbd_file *after);

/* Returns the part of the path after the last slash. */
const char *sq_adbd_file_name(const struct sq_adbd_file *file);

#endif
