/*
 * The services that a client can open: a shell, a program's output, files. A
 * service consumes and produces bytes and never waits.
 */
#ifndef SQ_DEMO_ADBD_SERVICE_H
#define SQ_DEMO_ADBD_SERVICE_H

#include "demo/adbd/phone.h"

/* The input and results of one call of advance. */
struct sq_adbd_turn {
    int64_t now_ns;     /* from sq_clock_monotonic_ns */
    struct sq_buf *out; /* output for the client is appended here */
    int64_t made_ns;    /* when this output was produced */
    int64_t wake_ns;    /* when to call again; INT64_MAX: on input */
    bool ended;         /* there is no more output */
    bool is_control;    /* faults do not apply */
};

struct sq_adbd_service;

struct sq_adbd_service_ops {
    /* Processes bytes from the client. SQ_ERR_FORMAT ends the service. */
    bool (*receive)(struct sq_adbd_service *service, struct sq_span bytes,
                    struct sq_err *err);
    /*
     * Does the work that is due. Sets only those fields of turn that differ
     * from their defaults.
     */
    bool (*advance)(struct sq_adbd_service *service, struct sq_adbd_turn *turn,
                    struct sq_err *err);
    void (*destroy)(struct sq_adbd_service *service);
};

/* Base of every service. Must be its first member. */
struct sq_adbd_service {
    const struct sq_adbd_service_ops *ops;
};

/*
 * Opens "shell:...", "shell,v2,raw:...", "exec:..." or "sync:". The caller
 * frees it with ops->destroy. Fails with SQ_ERR_NOT_FOUND if there is no such
 * service.
 */
bool sq_adbd_service_open(struct sq_adbd_phone *phone, struct sq_span name,
                          int64_t now_ns, struct sq_adbd_service **out,
                          struct sq_err *err);

bool sq_adbd_shell_open(struct sq_adbd_phone *phone, struct sq_span name,
                        int64_t now_ns, struct sq_adbd_service **out,
                        struct sq_err *err);
/*
 * Runs the program of "exec:PATH", which was copied to the phone, on this
 * machine.
 */
bool sq_adbd_program_open(struct sq_adbd_phone *phone, struct sq_span name,
                          int64_t now_ns, struct sq_adbd_service **out,
                          struct sq_err *err);

/* Returns whether "exec:PATH" is such a program, and the phone may run it. */
bool sq_adbd_program_is_copied(const struct sq_adbd_phone *phone,
                               struct sq_span name);

bool sq_adbd_sync_open(struct sq_adbd_phone *phone, struct sq_span name,
                       int64_t now_ns, struct sq_adbd_service **out,
                       struct sq_err *err);

/* Returns the feature list for the phone's banner. */
const char *sq_adbd_features(const struct sq_adbd_phone *phone);

/* Describes a finished request for the log. */
struct sq_adbd_report {
    struct sq_span what;
    int64_t began_ns;
    int64_t ended_ns; /* when its output was sent, as scheduled */
    int status;
    size_t bytes; /* of output */
    int programs; /* that were started, the shell included */
};
void sq_adbd_log(const struct sq_adbd_phone *phone,
                 const struct sq_adbd_report *report);

#endif
