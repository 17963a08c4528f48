/*
 * The inspector: a page for people who watch an agent. This is the site that
 * the HTTP server offers for it: its files, and the requests of the page.
 */
#ifndef SQ_INSPECTOR_INSPECTOR_H
#define SQ_INSPECTOR_INSPECTOR_H

#include "config/config.h"
#include "device/kinds.h"
#include "http/site.h"
#include "redact/redact.h"
#include "tool/call_gate.h"
#include "tool/call_log.h"

#define SQ_INSPECTOR_PREFIX "/inspect"
#define SQ_INSPECTOR_LINK_SIZE 400

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
 * Writes a link that works once. base is the address of the server, such as
 * "http://127.0.0.1:4477". Only before the server has started.
 */
bool sq_inspector_make_link(struct sq_inspector *inspector, const char *base,
                            char out[SQ_INSPECTOR_LINK_SIZE],
                            struct sq_err *err);

#endif
