/*
 * The ADB transport for one client, without I/O: its packets, the simulated
 * link, the services that a client can open, and the connection. The caller
 * moves the bytes and passes the current time. No function waits.
 */
#ifndef SQ_DEMO_ADBD_CONNECTION_H
#define SQ_DEMO_ADBD_CONNECTION_H

#include "demo/adbd/phone.h"

#define SQ_ADBD_HEADER_BYTES 24
#define SQ_ADBD_MAX_PAYLOAD ((size_t)1 << 20)
/* From this version on the checksum is not verified. */
#define SQ_ADBD_VERSION_NO_SUM 0x01000001u
#define SQ_ADBD_VERSION_FIRST 0x01000000u

/* The four letters of the command as a little-endian number. */
enum sq_adbd_command {
    SQ_ADBD_CNXN = 0x4e584e43,
    SQ_ADBD_AUTH = 0x48545541,
    SQ_ADBD_OPEN = 0x4e45504f,
    SQ_ADBD_OKAY = 0x59414b4f,
    SQ_ADBD_WRTE = 0x45545257,
    SQ_ADBD_CLSE = 0x45534c43,
};

/* The first argument of AUTH. */
enum sq_adbd_auth {
    SQ_ADBD_AUTH_TOKEN = 1,
    SQ_ADBD_AUTH_SIGNATURE = 2,
    SQ_ADBD_AUTH_PUBLIC_KEY = 3,
};

struct sq_adbd_packet {
    uint32_t command; /* enum sq_adbd_command, or an unknown one */
    uint32_t arg0;
    uint32_t arg1;
    struct sq_span data;
};

enum sq_adbd_taken {
    SQ_ADBD_TAKEN,
    SQ_ADBD_NOT_YET, /* incomplete: more bytes are needed */
    SQ_ADBD_BROKEN,  /* invalid: the stream cannot be continued */
};

/*
 * Takes the next packet from the start of *rest, which moves only for
 * SQ_ADBD_TAKEN. Returns SQ_ADBD_BROKEN and sets *err if the magic does not
 * match the command, the data are longer than max_payload, or check_sum is set
 * and the checksum is wrong.
 */
enum sq_adbd_taken sq_adbd_packet_take(struct sq_span *rest, size_t max_payload,
                                       bool check_sum,
                                       struct sq_adbd_packet *out,
                                       struct sq_err *err);

/*
 * Appends a packet, with the checksum of its data, or 0 for peers that do not
 * verify it. The buffer is unchanged on failure.
 */
bool sq_adbd_packet_put(struct sq_buf *out, const struct sq_adbd_packet *packet,
                        bool with_sum, struct sq_err *err);

/*
 * Returns the duration of that many bytes in nanoseconds, rounded up. rate is
 * in bytes per second; 0: no limit.
 */
int64_t sq_adbd_link_ns(int64_t rate, size_t bytes);

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
    struct sq_adbd_phone *phone;
    int64_t began_ns;
    int64_t gone_ns; /* when its output was sent, as scheduled */
    size_t bytes;    /* of output */
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
 * machine. Opens a shell for it if there is none, or it may not run.
 */
bool sq_adbd_program_open(struct sq_adbd_phone *phone, struct sq_span name,
                          int64_t now_ns, struct sq_adbd_service **out,
                          struct sq_err *err);

/* Adds bytes that were made at that time to the schedule of the link. */
void sq_adbd_service_sent(struct sq_adbd_service *service, size_t bytes,
                          int64_t made_ns, bool is_control);

/* Logs a finished request, and how many programs it started. */
void sq_adbd_service_log(const struct sq_adbd_service *service,
                         struct sq_span what, int status, int programs);

struct sq_adbd_connection;

/* Creates a connection. The phone must outlive it. */
bool sq_adbd_connection_create(struct sq_adbd_phone *phone,
                               struct sq_adbd_connection **out,
                               struct sq_err *err);

/* Accepts NULL. */
void sq_adbd_connection_destroy(struct sq_adbd_connection *connection);

/*
 * Processes bytes from the client. Fails with SQ_ERR_FORMAT or SQ_ERR_LIMIT if
 * they are not valid packets; the connection must then be closed.
 */
bool sq_adbd_connection_receive(struct sq_adbd_connection *connection,
                                struct sq_span bytes, int64_t now_ns,
                                struct sq_err *err);

/*
 * Does the work that is due. *wake_ns is when to call again; INT64_MAX: only
 * after bytes were received or sent.
 */
bool sq_adbd_connection_advance(struct sq_adbd_connection *connection,
                                int64_t now_ns, int64_t *wake_ns,
                                struct sq_err *err);

/*
 * Returns bytes to send to the client. Valid until the next call of any
 * function here.
 */
struct sq_span
sq_adbd_connection_output(const struct sq_adbd_connection *connection);

/* Removes the first count bytes of the output after they were sent. */
void sq_adbd_connection_sent(struct sq_adbd_connection *connection,
                             size_t count);

/* Returns whether to close the connection once its output is sent. */
bool sq_adbd_connection_is_over(const struct sq_adbd_connection *connection);

#endif
