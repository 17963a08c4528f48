/* Writes pictures of results as files. */
#ifndef SQ_APP_COMMANDS_PICTURE_FILE_H
#define SQ_APP_COMMANDS_PICTURE_FILE_H

#include "tool/tool.h"

/* A file that -o names. */
struct sq_picture_file_name {
    const char *file;
    const char *given; /* value of --format; NULL: none */
    bool takes_format; /* the command has the option --format */
    bool is_replaced;  /* several times, so it cannot be a pipe or device */
};

/*
 * Returns in *implied the format of the file's extension. It is NULL if the
 * extension does not matter: for standard output, devices, pipes and folders,
 * and for an unknown one with --format. Fails if the extension is missing or
 * unknown, or if it contradicts --format.
 */
bool sq_picture_file_format(const struct sq_picture_file_name *name,
                            const char **implied, struct sq_err *err);

/* Returns whether the file, which may be NULL, is standard output. */
bool sq_picture_file_is_stdout(const char *file);

/*
 * Fails if the file, which may be NULL, is standard output, but that is a
 * terminal or also gets JSON.
 */
bool sq_picture_file_check_stdout(const char *file, bool json,
                                  struct sq_err *err);

/* Writes a picture in the format of the file's extension, if that is known. */
bool sq_picture_file_write(const struct sq_block *picture, const char *file,
                           struct sq_err *err);

/*
 * Writes a picture beside a file: "shot-2.jpg" for "shot.jpg", or with the next
 * free number. *path receives the name.
 */
bool sq_picture_file_write_beside(const struct sq_block *picture,
                                  const char *file, char path[SQ_PATH_SIZE],
                                  struct sq_err *err);

/*
 * Writes a picture to a new file in the current folder, named by the local time
 * and the picture's format: "screenshot-20260102-030405.jpg". Never replaces a
 * file: the next free one of "-2", "-3" ... is added. *path receives the name.
 */
bool sq_picture_file_write_new(const struct sq_block *picture,
                               const char *prefix, char path[SQ_PATH_SIZE],
                               struct sq_err *err);

#endif
