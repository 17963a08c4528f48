/*
 * Lets programs that really run on this machine take screenshots of the demo
 * phone: they start "squint demo-screencap", which asks here, over a local
 * socket. Never waits.
 */
#ifndef SQ_DEMO_ADBD_SCREENCAP_SERVER_H
#define SQ_DEMO_ADBD_SCREENCAP_SERVER_H

#include "demo/adbd/phone.h"
#include "sys/path.h"

/*
 * An answer is the exit status and the length of the messages, little-endian,
 * then the messages. The picture is in a file beside the socket, because it is
 * too large to be sent without waiting.
 */
#define SQ_ADBD_SCREENCAP_HEAD 8
#define SQ_ADBD_SCREENCAP_SOCKET "socket"
#define SQ_ADBD_SCREENCAP_FILE "picture"

/* Answers one caller at a time. Made by sq_adbd_screencap_server_init. */
struct sq_adbd_screencap_server {
    int listener;
    int caller;            /* -1: none */
    struct sq_buf request; /* arguments of screencap, a line each */
    bool is_asked;         /* the request is complete */
    int64_t due_ns;        /* when screencap has done its work */
    struct sq_buf answer;
    size_t sent;             /* bytes of the answer */
    int programs;            /* runs so far */
    char file[SQ_PATH_SIZE]; /* of the picture */
};

/* The caller then calls sq_adbd_screencap_server_finish, also on failure. */
bool sq_adbd_screencap_server_init(struct sq_adbd_screencap_server *server,
                                   const char *folder, struct sq_err *err);
void sq_adbd_screencap_server_finish(struct sq_adbd_screencap_server *server);

/* Does the work that is due. Fails only if out of memory. */
bool sq_adbd_screencap_server_advance(struct sq_adbd_screencap_server *server,
                                      struct sq_adbd_phone *phone,
                                      int64_t now_ns, struct sq_err *err);

/* Returns whether a caller waits for an answer. */
bool
sq_adbd_screencap_server_is_busy(const struct sq_adbd_screencap_server *server);

#endif
