/* A temporary folder for a test that needs files, and functions to check it. */
#ifndef SQ_TEST_SCRATCH_H
#define SQ_TEST_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

/* Make the folder; t_scratch_end removes it with all files in it. */
void t_scratch_start(void);
void t_scratch_end(void);

/* Remove what commands have left for the next; t_scratch_end does so too. */
void t_scratch_remove_run(void);

/* Remove a folder and the files in it; it must contain no folders. */
void t_remove_folder(const char *path);

/* The path of the folder. */
const char *t_scratch(void);

/* Path of a file in it; the last eight results stay valid. */
const char *t_scratch_path(const char *name);

/* The number of files and folders in a folder. */
int t_count_entries(const char *folder);

/* The number of open descriptors of this process. */
int t_count_open_files(void);

/* Write a file without the code under test. */
void t_put(const char *path, const void *bytes, size_t len);

/* Whether a file contains exactly these bytes. */
bool t_holds(const char *path, const void *bytes, size_t len);

#endif
