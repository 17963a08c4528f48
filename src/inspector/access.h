/*
 * Decides which browser may use the inspector: a link that works once gives it
 * a cookie. The cookie is signed with the server's token, so it stays valid
 * when the server restarts. Used by one thread.
 */
#ifndef SQ_INSPECTOR_ACCESS_H
#define SQ_INSPECTOR_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/err.h"
#include "util/span.h"

#define SQ_INSPECTOR_KEY_SIZE 33 /* 128 bits in hexadecimal */
#define SQ_INSPECTOR_MAX_KEYS 8
#define SQ_INSPECTOR_SECRET_BYTES 32

/* "squint_inspector_4477=..." */
#define SQ_INSPECTOR_COOKIE_SIZE 200

/* "TIME.SIGNATURE", the time in milliseconds */
#define SQ_INSPECTOR_PROOF_SIZE 100
#define SQ_INSPECTOR_PROOF_HEADER "x-squint-proof"

#define SQ_INSPECTOR_PROOF_SECONDS 60
#define SQ_INSPECTOR_KEY_SECONDS 600
#define SQ_INSPECTOR_COOKIE_SECONDS 86400

/* All fields are private to access.c. */
struct sq_inspector_access {
    unsigned char secret[SQ_INSPECTOR_SECRET_BYTES];
    int port;
    int next; /* the key that is replaced next */
    struct {
        char text[SQ_INSPECTOR_KEY_SIZE]; /* empty: none */
        int64_t until_s;
    } keys[SQ_INSPECTOR_MAX_KEYS];
};

/*
 * Derives the secret from the token. The port is part of the cookie's name,
 * because browsers send cookies to every port. Times below are seconds since
 * 1970.
 */
void sq_inspector_access_init(struct sq_inspector_access *access,
                              const char *token, int port);

/* Creates a key for one link. At most SQ_INSPECTOR_MAX_KEYS are valid. */
bool sq_inspector_access_make_key(struct sq_inspector_access *access,
                                  int64_t now_s,
                                  char out[SQ_INSPECTOR_KEY_SIZE],
                                  struct sq_err *err);

/* Returns whether the key is valid, and makes it invalid. */
bool sq_inspector_access_use_key(struct sq_inspector_access *access,
                                 int64_t now_s, struct sq_span key);

/* Writes "name=value" of a new cookie. */
bool sq_inspector_access_make_cookie(const struct sq_inspector_access *access,
                                     int64_t now_s,
                                     char out[SQ_INSPECTOR_COOKIE_SIZE],
                                     struct sq_err *err);

/*
 * Writes a proof that its maker knows the token, which it does not contain: any
 * program may listen at the address of a server. host is that address, as in
 * the header Host. Times are milliseconds since 1970.
 */
void sq_inspector_access_make_proof(const struct sq_inspector_access *access,
                                    struct sq_span host, int64_t now_ms,
                                    char out[SQ_INSPECTOR_PROOF_SIZE]);

/*
 * Returns whether a proof is for that host, made within a minute of now (clocks
 * of two machines differ), and after the server started: an older one may have
 * been sent to a program that listened there before.
 */
bool sq_inspector_access_check_proof(const struct sq_inspector_access *access,
                                     struct sq_span host, int64_t started_ms,
                                     int64_t now_ms, struct sq_span proof);

/* Returns whether a Cookie header contains a valid cookie. */
bool sq_inspector_access_check(const struct sq_inspector_access *access,
                               int64_t now_s, struct sq_span header);

#endif
