/* The token that every HTTP client must send, and other secrets in files. */
#ifndef SQ_HTTP_TOKEN_H
#define SQ_HTTP_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sys/path.h"
#include "util/err.h"

/* 256 bits in hexadecimal, or what the user has written into the file. */
#define SQ_HTTP_TOKEN_SIZE 201
#define SQ_HTTP_MIN_TOKEN 32 /* characters: 128 bits in hexadecimal */

/* The file of the token, and its state when it was read. */
struct sq_http_token_file {
    char path[SQ_PATH_SIZE];
    char token[SQ_HTTP_TOKEN_SIZE];
    dev_t device;
    ino_t inode;
    off_t size;
    int64_t changed_ns;
};

/*
 * Reads the token again if the file at `path` is another one than last time or
 * has changed, or if is_forced. *changed says whether the token is another one.
 * On failure the token stays; the error is not repeated until the file changes.
 */
bool sq_http_token_refresh(struct sq_http_token_file *file, bool is_forced,
                           bool *changed, struct sq_err *err);

/*
 * Reads the token from a file that only its owner may read. Creates the file
 * with a random token if it does not exist, and sets *is_new.
 */
bool sq_http_token_load(const char *path, char out[SQ_HTTP_TOKEN_SIZE],
                        bool *is_new, struct sq_err *err);

/*
 * Writes a file that only its owner may read, and creates its folder if needed.
 */
bool sq_http_secret_write(const char *path, const void *bytes, size_t count,
                          struct sq_err *err);

#endif
