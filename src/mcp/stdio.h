/* Serves a client over standard input and output. */
#ifndef SQ_MCP_STDIO_H
#define SQ_MCP_STDIO_H

#include "mcp/server.h"

/*
 * Finds the id of a message that cannot be parsed, so that the error can carry
 * it: broken UTF-8, a duplicate key, nested too deep, cut short, or too long to
 * be stored. Takes the text in pieces of any size and needs no memory beyond
 * the struct.
 */

/* A longer id, in bytes with its quotes, is not found. */
#define SQ_MCP_SALVAGE_ID_BYTES 4096

/* Down to this depth brackets are matched by kind; below only counted. */
#define SQ_MCP_SALVAGE_DEPTH 4096

/* All fields are private to salvage.c. */
struct sq_mcp_salvage {
    int state;
    int mark_bytes; /* bytes seen of a byte-order mark */

    bool in_text; /* in a string; in_word: in a number, true, null */
    bool in_word;
    bool in_escape; /* after a backslash */
    bool is_key;    /* the string is a key of the message */

    size_t depth; /* nesting; 1: in the message itself */
    uint8_t objects[SQ_MCP_SALVAGE_DEPTH / 8]; /* bit per level: an object */

    char key[40]; /* start of the key of a member, with its escapes */
    size_t key_len;
    bool has_method;
    bool has_outcome; /* has a result or an error: is an answer */

    int ids;    /* number of members named id */
    bool is_id; /* the last member is named so */
    bool in_id; /* its value is being read, or was just read */
    bool is_id_whole;
    char id[SQ_MCP_SALVAGE_ID_BYTES];
    size_t id_len; /* above sizeof(id): does not fit */
};

void sq_mcp_salvage_init(struct sq_mcp_salvage *salvage);

void sq_mcp_salvage_feed(struct sq_mcp_salvage *salvage, struct sq_span bytes);

/*
 * Returns the id as written, a number or a string with its quotes; it may be
 * invalid. Points into the struct. Empty if the message has no id or several,
 * if the id is cut off or not a scalar, or if the message is an answer. Never
 * returns the id of a nested object or text inside a string: up to the end of
 * the id, strings and brackets, and the members of the message were complete.
 */
struct sq_span sq_mcp_salvage_id(const struct sq_mcp_salvage *salvage);

/* Splits the input into lines. Free `bytes` at the end. */
struct sq_mcp_lines {
    struct sq_buf bytes;
    size_t start;   /* of the bytes not yet returned */
    size_t scanned; /* no newline between start and here */
    size_t max_line;
    bool is_at_end; /* set by the caller: no more bytes will come, and the last
                       line needs no newline */
    bool is_skipping;              /* inside a line that is too long */
    struct sq_mcp_salvage salvage; /* finds the id of such a line */
};

void sq_mcp_lines_init(struct sq_mcp_lines *lines, size_t max_line);

/*
 * Returns space for the next bytes and its size; add them with sq_buf_commit.
 * Invalidates lines returned before.
 */
bool sq_mcp_lines_reserve(struct sq_mcp_lines *lines, uint8_t **space,
                          size_t *count, struct sq_err *err);

enum sq_mcp_line {
    SQ_MCP_LINE_NONE, /* no complete line yet */
    SQ_MCP_LINE_WHOLE,
    SQ_MCP_LINE_TOO_LONG, /* returned once per line; its bytes are dropped */
};

/*
 * Returns the next line without its newline. For a line that is too long, *line
 * is its id as sq_mcp_salvage_id returns it. Valid until the next call of this
 * function or of sq_mcp_lines_reserve.
 */
enum sq_mcp_line sq_mcp_lines_next(struct sq_mcp_lines *lines,
                                   struct sq_span *line);

/*
 * The queue of outgoing messages. Any thread may add one and never waits for
 * the client to read. One thread writes them. While it sleeps, the thread that
 * adds a message writes it, because waking the other takes longer.
 *
 * The queue's memory is bounded because its producers stop: the thread that
 * reads from the client pauses while the outbox is full, and threads of calls
 * wait until there is space (sink.await_space).
 */

/* In bytes of memory: a short message takes more than its text. */
#define SQ_MCP_OUTBOX_LIMIT ((size_t)32 << 20)

struct sq_mcp_outbox;

/*
 * Creates an outbox that writes to fd. fd must be non-blocking; the caller
 * closes it.
 */
bool sq_mcp_outbox_create(int fd, struct sq_mcp_outbox **out,
                          struct sq_err *err);

/* Frees the outbox and all messages in it. Accepts NULL. */
void sq_mcp_outbox_destroy(struct sq_mcp_outbox *outbox);

/* Returns a sink that adds to the outbox, which must outlive it. */
struct sq_mcp_sink sq_mcp_outbox_sink(struct sq_mcp_outbox *outbox);

/*
 * Called by the writing thread before it waits for sq_mcp_outbox_fd, which
 * becomes readable when a message could not be written immediately. Returns
 * whether any message is queued already.
 */
bool sq_mcp_outbox_sleep(struct sq_mcp_outbox *outbox);

/*
 * Called by the writing thread after the wait; is_readable is whether the
 * descriptor became readable.
 */
void sq_mcp_outbox_wake(struct sq_mcp_outbox *outbox, bool is_readable);

/*
 * Returns the descriptor to wait for. Negative after a system error: the caller
 * then checks periodically.
 */
int sq_mcp_outbox_fd(const struct sq_mcp_outbox *outbox);

/*
 * Returns whether the outbox is full, so that no more messages should be read
 * from the client. Once full, it stays so until half of it has been written.
 */
bool sq_mcp_outbox_is_full(struct sq_mcp_outbox *outbox);

/* Return the number of queued messages, and the bytes written so far. */
size_t sq_mcp_outbox_count(struct sq_mcp_outbox *outbox);
uint64_t sq_mcp_outbox_written(struct sq_mcp_outbox *outbox);

/* Wakes all threads that wait for space; none waits from then on. */
void sq_mcp_outbox_close(struct sq_mcp_outbox *outbox);

enum sq_mcp_flush {
    SQ_MCP_FLUSH_ALL,    /* nothing is left */
    SQ_MCP_FLUSH_SOME,   /* the client must read first */
    SQ_MCP_FLUSH_CLOSED, /* the client has closed its end */
    SQ_MCP_FLUSH_FAILED, /* err is set; drop the client */
};

/* Writes as much as possible without waiting. */
enum sq_mcp_flush sq_mcp_outbox_flush(struct sq_mcp_outbox *outbox,
                                      struct sq_err *err);

/*
 * Serves until the input ends, the client closes the output, or a termination
 * signal arrives. Returns the exit status of the process. Ends the process
 * instead if a call cannot be cancelled in time.
 */
int sq_mcp_serve_stdio(const struct sq_mcp_host *host,
                       const struct sq_mcp_options *options);

#endif
