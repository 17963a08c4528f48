/*
 * The inspector: a page for people who watch an agent. This is the site that
 * the HTTP server offers for it: its files, and the requests of the page.
 */
#ifndef SQ_INSPECTOR_INSPECTOR_H
#define SQ_INSPECTOR_INSPECTOR_H

#include "config/config.h"
#include "device/kinds.h"
#include "http/site.h"
#include "json/value.h"
#include "json/writer.h"
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
    const char *token; /* of the server */
    int port;          /* of the server; part of the cookie's name */
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

#endif
