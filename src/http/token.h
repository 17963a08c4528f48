/* The token that every HTTP client must send. */
#ifndef SQ_HTTP_TOKEN_H
#define SQ_HTTP_TOKEN_H

#include <stdbool.h>

#include "util/err.h"

/* 256 bits in hexadecimal, or what the user has written into the file. */
#define SQ_HTTP_TOKEN_SIZE 201
#define SQ_HTTP_MIN_TOKEN 32 /* characters: 128 bits in hexadecimal */

/*
 * Reads the token from a file that only its owner may read. Creates the file
 * with a random token if it does not exist, and sets *is_new.
 */
bool sq_http_token_load(const char *path, char out[SQ_HTTP_TOKEN_SIZE],
                        bool *is_new, struct sq_err *err);

#endif
