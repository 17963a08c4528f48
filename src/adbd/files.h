/* The few files the phone holds, in memory: whole paths and their bytes. */
#ifndef SQ_ADBD_FILES_H
#define SQ_ADBD_FILES_H

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
    struct sq_adbd_file *next; /* by path, in the order of their bytes */
    char path[SQ_ADBD_PATH_SIZE];
    struct sq_buf bytes;
    int64_t modified_s; /* since 1970 */
};

/* A value: zeroed, it holds nothing. */
struct sq_adbd_files {
    struct sq_adbd_file *first;
    int count;
};

/* Safe on a zeroed value. */
void sq_adbd_files_finish(struct sq_adbd_files *files);

/* NULL if there is none. "/sdcard/a" and "/storage/emulated/0/a" are one. */
struct sq_adbd_file *sq_adbd_files_find(const struct sq_adbd_files *files,
                                        const char *path);

/*
 * Whether a file may be made there: below /sdcard or /data/local/tmp, as on a
 * phone. SQ_ERR_NOT_FOUND if not.
 */
bool sq_adbd_files_check(const char *path, struct sq_err *err);

/* An empty file of that path, the one that was there emptied. */
bool sq_adbd_files_create(struct sq_adbd_files *files, const char *path,
                          int64_t now_s, struct sq_adbd_file **out,
                          struct sq_err *err);

/* Whether there was one. */
bool sq_adbd_files_remove(struct sq_adbd_files *files, const char *path);

/* Whether the path is a folder of the phone, with or without a last slash. */
bool sq_adbd_files_is_folder(const char *path);

/* The next file directly inside the folder after one (NULL: the first). */
const struct sq_adbd_file *sq_adbd_files_in(const struct sq_adbd_files *files,
                                            const char *folder,
                                            const struct sq_adbd_file *after);

/* The part of the path behind the last slash. */
const char *sq_adbd_file_name(const struct sq_adbd_file *file);

#endif
