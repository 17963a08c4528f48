/* Declarations shared by the files of this folder only. */
#ifndef SQ_HTTP_PRIVATE_H
#define SQ_HTTP_PRIVATE_H

#include <event2/event.h>

#include "http/serve.h"
#include "sys/lock.h"
#include "sys/process.h"

/*
 * Bytes of all extensions of chunks of a body: they cost time and carry
 * nothing.
 */
#define SQ_HTTP_MAX_EXTENSION 1024

/* All fields are private to head.c. */
struct sq_http_body {
    enum sq_http_framing framing;
    int state;
    uint64_t left;          /* bytes of the body or of the chunk */
    size_t extension_bytes; /* of all chunks so far */
    char line[SQ_HTTP_MAX_EXTENSION + 16]; /* that is not complete yet */
    size_t line_len;
};

void sq_http_body_init(struct sq_http_body *body,
                       const struct sq_http_head *head);

/*
 * Takes bytes from *input and appends what they mean to out, whose maximum
 * limits the body. Returns SQ_HTTP_DONE at the end of the body; the rest of
 * *input belongs to the next request.
 */
enum sq_http_parse sq_http_body_feed(struct sq_http_body *body,
                                     struct sq_span *input, struct sq_buf *out,
                                     struct sq_http_refusal *refusal);

static inline struct timeval
sq_http_time(int ms) {
    return (struct timeval){ ms / 1000, (ms % 1000) * 1000 };
}

struct bufferevent;
struct sq_pool;

/* The event loop and everything that it owns. */
struct sq_http_loop {
    const struct sq_http_options *options;
    const struct sq_mcp_options *mcp;
    struct sq_http_limits limits; /* with the defaults filled in */
    struct sq_mcp_server *server;
    struct event_base *base;
    struct sq_signals *signals;
    struct event *events[SQ_HTTP_MAX_LISTENERS + 5]; /* of listeners first */
    int event_count;
    struct event *accept_again;     /* after a failure to accept */
    struct event *wake;             /* the wake pipe is readable */
    struct event *fallback;         /* if the wake pipe is closed */
    struct sq_http_client *clients; /* newest first */
    int client_count;
    struct sq_http_session *sessions; /* last used first */
    int session_count;
    size_t logged_bytes;  /* of the events that all sessions keep */
    struct sq_pool *pool; /* runs the calls of the site; NULL: no site */
    struct {
        int64_t since_ns; /* start of the period below */
        int count;        /* lines in it */
        int left_out;     /* refusals without a line, since the last line */
    } reports;
    bool is_draining;
    struct sq_err err; /* set if it ended because of an error */

    struct sq_lock *lock;           /* guards what worker threads use: below */
    int wake_pipe[2];               /* -1: closed */
    struct sq_http_exchange *ready; /* exchanges with something to send */
};

enum sq_http_mode {
    SQ_HTTP_UNDECIDED,
    SQ_HTTP_JSON,
    SQ_HTTP_EVENTS,
};

/*
 * One received message and what is sent for it. Created by the loop; worker
 * threads send to it through its sink.
 */
struct sq_http_exchange {
    struct sq_http_loop *loop;

    /* Guarded by the loop's lock. */
    int references;
    struct sq_mcp_message *first;
    struct sq_mcp_message **last;
    size_t queued;     /* bytes of these messages */
    size_t unsent;     /* bytes that the socket has not taken */
    int waiting_calls; /* that wait for space */
    bool is_receiving; /* the loop will look after it received the message */
    bool is_ready;     /* in the loop's list */
    bool is_released;  /* nothing more will be sent */
    bool is_closed;    /* no client will read it: drop messages */
    bool must_hang_up; /* a call frees the connection */
    bool is_lost;      /* there was no memory for a message */
    struct sq_cancel *cancel; /* of a call of the site; NULL: none runs */
    struct sq_http_exchange *next_ready;

    /* Used by the loop only. */
    struct sq_http_client *client;        /* NULL: gone */
    struct sq_http_session *session;      /* NULL: stateless */
    struct sq_mcp_connection *connection; /* of a stateless exchange */
    struct sq_http_exchange *next_stream; /* in the session's list */
    const struct sq_http_head *head;      /* while it is received */
    enum sq_http_mode mode;
    bool accepts_json;
    bool accepts_events;
    bool starts_session; /* the answer carries the session's id */
    uint64_t stream;     /* number in the session */
    uint64_t last_event; /* number of the last event on this stream */
};

/* Returns NULL without memory. */
struct sq_http_exchange *sq_http_exchange_create(struct sq_http_loop *loop);

/* Add and remove a reference. */
void sq_http_exchange_hold(struct sq_http_exchange *exchange);
void sq_http_exchange_drop(struct sq_http_exchange *exchange);

/* Returns its sink; its release drops a reference. */
struct sq_mcp_sink sq_http_exchange_sink(struct sq_http_exchange *exchange);

/* Passes a message to the connection and sends immediate answers. */
void sq_http_exchange_receive(struct sq_http_exchange *exchange,
                              struct sq_mcp_connection *connection,
                              struct sq_span text);

/* Sends what is waiting. May end the exchange. */
void sq_http_exchange_flush(struct sq_http_exchange *exchange);

/* The client has gone. */
void sq_http_exchange_leave(struct sq_http_exchange *exchange);

/* Sends one event as a chunk; number 0: without an id. */
void sq_http_send_event(struct sq_http_client *client, uint64_t stream,
                        uint64_t number, struct sq_span json);

/* Sends a comment on a quiet stream. */
void sq_http_exchange_keep_alive(struct sq_http_exchange *exchange);

/* Updates how many bytes the client has not read. */
void sq_http_exchange_set_unsent(struct sq_http_exchange *exchange,
                                 size_t bytes);

#define SQ_HTTP_SESSION_ID_SIZE 33 /* 128 bits in hexadecimal */

struct sq_http_event {
    struct sq_http_event *next;
    uint64_t stream;
    uint64_t number;
    struct sq_buf bytes;
};

/* A legacy client. */
struct sq_http_session {
    struct sq_http_session *next;
    struct sq_http_loop *loop;
    char id[SQ_HTTP_SESSION_ID_SIZE];
    struct sq_mcp_connection *connection;
    enum sq_mcp_revision revision;
    struct sq_mcp_user user; /* the only one that may use it */
    int64_t used_ns;
    uint64_t streams;                    /* number of the last stream */
    struct sq_http_exchange *standalone; /* messages outside of requests */
    struct sq_http_exchange *running;    /* the other streams */
    struct sq_http_event *first_event;   /* oldest first */
    struct sq_http_event **last_event;
    size_t event_bytes;
    int event_count;
};

/* Creates a session that has no connection yet. */
struct sq_http_session *sq_http_session_create(struct sq_http_loop *loop,
                                               const struct sq_mcp_user *user);

/* Adds it to the loop's list. */
void sq_http_session_open(struct sq_http_session *session,
                          enum sq_mcp_revision revision);

/* Ends the session and its streams. */
void sq_http_session_end(struct sq_http_session *session);

/* Frees a session that was never opened. */
void sq_http_session_drop(struct sq_http_session *session);

/* Returns the session of that id, which is used now; NULL if there is none. */
struct sq_http_session *sq_http_session_find(struct sq_http_loop *loop,
                                             struct sq_span id);

/* Returns whether there is space for one more; ends an unused one if needed. */
bool sq_http_session_make_space(struct sq_http_loop *loop);

/* Ends all sessions that were not used for too long. */
void sq_http_session_expire(struct sq_http_loop *loop);

/* Stores an event for clients that reconnect. */
void sq_http_session_log(struct sq_http_session *session, uint64_t stream,
                         uint64_t number, struct sq_span bytes);

/*
 * Continues a stream on a client's connection: sends the events after that
 * number and, if it is still open, what follows. Returns false if the stream is
 * not known.
 */
bool sq_http_session_resume(struct sq_http_session *session,
                            struct sq_http_client *client, uint64_t stream,
                            uint64_t after);

enum sq_http_state {
    SQ_HTTP_READ_HEAD,
    SQ_HTTP_READ_BODY,
    SQ_HTTP_ANSWERING,
    SQ_HTTP_FLUSHING,  /* the answer is complete */
    SQ_HTTP_LINGERING, /* closed for writing; the rest of the input is dropped
                        */
};

/* One connection of a client. */
struct sq_http_client {
    struct sq_http_loop *loop;
    struct sq_http_client *next;
    struct bufferevent *stream;
    struct event *timer;
    enum sq_http_state state;
    bool is_trusted;      /* has sent the token once */
    int policy;           /* of the token of this request; 0: none */
    bool has_ended;       /* the client has closed its side */
    bool closes;          /* after the answer */
    bool is_broken;       /* no memory to send: it is closed soon */
    bool is_held;         /* what is written is sent with the answer's end */
    int64_t unread_since; /* the client has not read everything since; 0 */
    struct sq_buf head_bytes;
    struct sq_http_head head;
    struct sq_http_body body;
    struct sq_buf body_bytes;
    struct sq_http_exchange *exchange;
    enum sq_http_site_step step; /* of a request for the site */
    struct sq_http_page *page;   /* its answer, with SQ_HTTP_SITE_PAGE */
};

/* Takes a new connection. */
void sq_http_client_accept(struct sq_http_loop *loop, int fd);

/* Frees the connection, and detaches what was being sent to it. */
void sq_http_client_close(struct sq_http_client *client);

/* Closes connections that wait for a request. */
void sq_http_client_close_idle(struct sq_http_loop *loop);

/* Closes one connection that is not in use. Returns false if there is none. */
bool sq_http_client_evict(struct sq_http_loop *loop);

/* Queues bytes to send. Closes the connection if there is no memory. */
void sq_http_client_write(struct sq_http_client *client, const void *bytes,
                          size_t count);

/* The answer is complete: the next request follows, or the end. */
void sq_http_client_finish(struct sq_http_client *client);

/* A complete request has arrived. */
void sq_http_route(struct sq_http_client *client);

/*
 * Decides by the head whether the body is wanted. Otherwise answers and returns
 * false.
 */
bool sq_http_route_head(struct sq_http_client *client);

#define SQ_HTTP_SITE_THREADS 24
#define SQ_HTTP_SITE_JOBS 64 /* that may wait for a thread */

/* Sends the body of an answer, unless the request was HEAD. */
void sq_http_send_body(struct sq_http_client *client, const void *bytes,
                       size_t count);

/* Connections above the limit that are told so. */
#define SQ_HTTP_REFUSED_CLIENTS 16

/* Reports that a request was refused, unless that is not of interest. */
void sq_http_report(struct sq_http_client *client, int status,
                    struct sq_span reason);

/* Reports how many refusals were left out, if any. */
void sq_http_report_rest(struct sq_http_loop *loop);

/* Reads the token again if it has changed, and ends streams of the old one. */
void sq_http_loop_refresh(struct sq_http_loop *loop, bool is_forced);

/* Sends an answer with a JSON-RPC error as its body, and closes if it must. */
void sq_http_refuse(struct sq_http_client *client,
                    const struct sq_http_refusal *refusal);

/* A complete answer; any text may be NULL. */
struct sq_http_answer {
    int status;
    const char *type; /* of the body */
    size_t length;    /* of the body */
    const char *session;
    const char *extra; /* header lines with their ends */
    bool is_chunked;
};

/* Sends the head of an answer. */
void sq_http_send_head(struct sq_http_client *client,
                       const struct sq_http_answer *answer);

#endif
