/* Folders full of screenshots for tests, below the scratch folder. */
#ifndef SQ_TEST_ALBUM_H
#define SQ_TEST_ALBUM_H

#include <stddef.h>

/* The smallest bytes that pass the check for a complete JPEG. */
extern const char t_small_jpeg[];
extern const size_t t_small_jpeg_len;

/* Make a file below the scratch folder, and its parent folders. */
void t_album_put(const char *path);
void t_album_put_bytes(const char *path, const void *bytes, size_t len);

/* Make a folder and its parent folders. */
void t_album_folder(const char *path);

/*
 * Make a folder look as if it had not changed for this time: squint reads a
 * folder again if it was just written.
 */
void t_album_age(const char *path, int seconds);

/* The same for all folders. */
void t_album_age_all(void);

/* Remove the scratch folder with everything in it. */
void t_album_end(void);

#endif
