/*
 * The inspector: a page for people who watch an agent. This is the site that
 * the HTTP server offers for it: its files, and the requests of the page.
 */
#ifndef SQ_INSPECTOR_INSPECTOR_H
#define SQ_INSPECTOR_INSPECTOR_H

#include "device/kinds.h"
#include "http/serve.h"
#include "redact/redact.h"
#include "tool/call_gate.h"
#include "tool/call_log.h"

#define SQ_INSPECTOR_PREFIX "/inspect"
#define SQ_INSPECTOR_LINK_SIZE 400

/* A journal to play against a device. */
struct sq_inspector_play {
    struct sq_span journal; /* the text of the file */
    struct sq_span device;  /* empty: the default one */
    /* Texts of passwords by their numbers, {"1": "..."}; may be NULL. */
    const struct sq_json *secrets;
    struct sq_cancel *cancel; /* set when the page stops it or has gone */
    /*
     * Called with a JSON object after each action and at the end. Returns false
     * if the page no longer listens.
     */
    bool (*report)(void *context, struct sq_span json);
    void *report_context;
};

/* Reads and plays journals. All functions may be called by any thread. */
struct sq_inspector_player {
    void *context; /* of play */
    /* Writes what a journal contains, as members of an object. */
    bool (*describe)(struct sq_span journal, struct sq_json_writer *w,
                     struct sq_err *err);
    /* Appends a journal as a script in that form: "sh" or "maestro". */
    bool (*export)(struct sq_span journal, struct sq_span form,
                   struct sq_buf *out, struct sq_err *err);
    bool (*play)(void *context, const struct sq_inspector_play *play,
                 struct sq_err *err);
};

/* Everything must outlive the inspector. */
struct sq_inspector_options {
    const char *token;  /* of the server */
    const char *secret; /* of the person, which no agent has */
    int port;           /* of the server; part of the cookie's name */
    const char *version;
    const struct sq_config *config;
    struct sq_devices *devices;
    const struct sq_redactor *redactor; /* NULL: hides nothing; for tests */
    struct sq_call_log *calls;          /* of all clients */
    struct sq_call_gate *gate;          /* at which they can be held */
    /* Appends doctor's findings as a JSON object. Any thread. */
    bool (*examine)(void *context, struct sq_buf *out, struct sq_err *err);
    void *examine_context;
    struct sq_inspector_player player;
};

struct sq_inspector;

bool sq_inspector_create(const struct sq_inspector_options *options,
                         struct sq_inspector **out, struct sq_err *err);

/* No request may be running. Accepts NULL. */
void sq_inspector_destroy(struct sq_inspector *inspector);

/* Returns the site for the server; lives as long as the inspector. */
const struct sq_http_site *
sq_inspector_site(const struct sq_inspector *inspector);

/*
 * Replaces the token: cookies and links that were made with the old one are not
 * valid any more. On the loop's thread.
 */
void sq_inspector_set_token(struct sq_inspector *inspector, const char *token);

/*
 * Writes a link that works once. base is the address of the server, such as
 * "http://127.0.0.1:4477". Only before the server has started.
 */
bool sq_inspector_make_link(struct sq_inspector *inspector, const char *base,
                            char out[SQ_INSPECTOR_LINK_SIZE],
                            struct sq_err *err);

/* What a proof for the hub names instead of the address of a server. */
#define SQ_INSPECTOR_HUB_HOST "hub"

/*
 * Appends the answer, a line, to a question that another process of the user
 * has sent through the hub: {"person": proof, "name": ..., "arguments": ...}, a
 * request of the page. The proof is made with the secret and an empty token.
 * Any thread.
 */
bool sq_inspector_ask(struct sq_inspector *inspector,
                      const struct sq_json *question, struct sq_cancel *cancel,
                      struct sq_buf *out);

/*
 * Decides which browser may use the inspector: a link that works once gives it
 * a cookie. The cookie is signed with the server's token, so it stays valid
 * when the server restarts. Used by one thread.
 */

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
 * Derives the secret from the person's and the token. The port is part of the
 * cookie's name, because browsers send cookies to every port. Times below are
 * seconds since 1970.
 */
void sq_inspector_access_init(struct sq_inspector_access *access,
                              const char *token, const char *secret, int port);

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
