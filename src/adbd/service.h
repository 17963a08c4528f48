/*
 * What a client can open on the phone: a shell, a program's bytes, its files.
 * A service takes bytes and makes bytes; it never waits.
 */
#ifndef SQ_ADBD_SERVICE_H
#define SQ_ADBD_SERVICE_H

#include "adbd/phone.h"

/* One look at a service: what it may use, and what it says. */
struct sq_adbd_turn {
    int64_t now_ns;     /* by sq_clock_monotonic_ns */
    struct sq_buf *out; /* bytes for the client are appended */
    int64_t made_ns;    /* when these bytes were made */
    int64_t wake_ns;    /* when to look again; INT64_MAX: when bytes come */
    bool ended;         /* nothing more will come */
    bool is_control;    /* faults do not apply */
};

struct sq_adbd_service;

struct sq_adbd_service_ops {
    /* Bytes of the client. SQ_ERR_FORMAT ends the service. */
    bool (*receive)(struct sq_adbd_service *service, struct sq_span bytes,
                    struct sq_err *err);
    /* Do what is due; turn says only what has changed from its defaults. */
    bool (*advance)(struct sq_adbd_service *service, struct sq_adbd_turn *turn,
                    struct sq_err *err);
    void (*destroy)(struct sq_adbd_service *service);
};

/* Base of every service. */
struct sq_adbd_service {
    const struct sq_adbd_service_ops *ops;
};

/*
 * Open "shell:...", "shell,v2,raw:...", "exec:..." or "sync:", to be destroyed
 * by its ops. SQ_ERR_NOT_FOUND for what the phone does not offer.
 */
bool sq_adbd_service_open(struct sq_adbd_phone *phone, struct sq_span name,
                          int64_t now_ns, struct sq_adbd_service **out,
                          struct sq_err *err);

bool sq_adbd_shell_open(struct sq_adbd_phone *phone, struct sq_span name,
                        int64_t now_ns, struct sq_adbd_service **out,
                        struct sq_err *err);
bool sq_adbd_sync_open(struct sq_adbd_phone *phone, struct sq_span name,
                       int64_t now_ns, struct sq_adbd_service **out,
                       struct sq_err *err);

/* What the phone can do beyond the oldest protocol; for its banner. */
const char *sq_adbd_features(const struct sq_adbd_phone *phone);

/* Tell the log that something has been done: what it was and how it went. */
struct sq_adbd_report {
    struct sq_span what;
    int64_t began_ns;
    int64_t ended_ns; /* when its output had gone by the link's schedule */
    int status;
    size_t bytes; /* of output */
};
void sq_adbd_log(const struct sq_adbd_phone *phone,
                 const struct sq_adbd_report *report);

#endif
