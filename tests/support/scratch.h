/* A folder of its own for a test that needs files, and questions about it. */
#ifndef SQ_TEST_SCRATCH_H
#define SQ_TEST_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Make the folder; t_scratch_end removes it with all files in it. */
void t_scratch_start(void);
void t_scratch_end(void);

/* Remove a folder and the files, but not the folders, in it. */
void t_remove_folder(const char *path);

/* The folder's own path. */
const char *t_scratch(void);

/* Path of a file in it; valid until the eighth next call. */
const char *t_scratch_path(const char *name);

/* Files and folders in a folder. */
int t_count_entries(const char *folder);

/* Descriptors this process has open. */
int t_count_open_files(void);

/* Write a file, not using the code under test. */
void t_put(const char *path, const void *bytes, size_t len);

/* Whether a file holds exactly these bytes. */
bool t_holds(const char *path, const void *bytes, size_t len);

#endif
