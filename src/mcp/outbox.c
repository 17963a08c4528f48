/* Queues outgoing messages and writes them. */
#include "mcp/stdio.h"

#include <errno.h>
#include <stdatomic.h>

#include "sys/call.h"
#include "sys/lock.h"
#include "util/mem.h"

#define PIECES 64
#define HEAP_BYTES 16 /* heap overhead per block */

struct sq_mcp_outbox {
    int fd;           /* messages are written here */
    int wake_pipe[2]; /* of the pipe that wakes the writer; -1: closed */
    struct sq_lock *write_lock; /* held while writing; taken before lock */

    /* Written with the lock held, except for is_asleep. */
    atomic_size_t count;      /* messages in the queue */
    atomic_bool is_full;      /* see sq_mcp_outbox_is_full */
    atomic_bool is_asleep;    /* the writing thread waits */
    atomic_bool lost_message; /* there was no memory for a message */

    struct sq_lock *lock; /* guards the fields below; held briefly */
    struct sq_mcp_message *first;
    struct sq_mcp_message **last; /* where the next one is linked */
    size_t held;                  /* bytes of memory of all messages */
    size_t sent;                  /* bytes written of the first message */
    uint64_t written;             /* bytes written since the start */
    bool is_closing;              /* no thread may wait for space */
};

bool
sq_mcp_outbox_create(int fd, struct sq_mcp_outbox **out, struct sq_err *err) {
    struct sq_mcp_outbox *outbox = sq_mem_zalloc(1, sizeof(*outbox));
    if (!outbox) {
        return sq_fail_nomem(err);
    }
    if (sq_call_pipe(outbox->wake_pipe) < 0) {
        sq_mem_free(outbox);
        return sq_errno_fail(err, "create a pipe");
    }
    outbox->fd = fd;
    outbox->last = &outbox->first;
    if (!sq_lock_create(&outbox->lock, err)
        || !sq_lock_create(&outbox->write_lock, err)) {
        sq_mcp_outbox_destroy(outbox);
        return false;
    }
    *out = outbox;
    return true;
}

void
sq_mcp_outbox_destroy(struct sq_mcp_outbox *outbox) {
    if (!outbox) {
        return;
    }
    sq_mcp_messages_destroy(outbox->first);
    sq_close_fd(&outbox->wake_pipe[0]);
    sq_close_fd(&outbox->wake_pipe[1]);
    sq_lock_destroy(outbox->write_lock);
    sq_lock_destroy(outbox->lock);
    sq_mem_free(outbox);
}

/* Returns the memory of a queued message in bytes. */
static size_t
memory_of(const struct sq_mcp_message *message) {
    return sizeof(*message) + message->bytes.cap + 2 * (size_t)HEAP_BYTES;
}

/*
 * Updates is_full after a change of held, and wakes threads if there is space.
 */
static void
update_is_full(struct sq_mcp_outbox *outbox) {
    if (outbox->held >= SQ_MCP_OUTBOX_LIMIT) {
        outbox->is_full = true;
    } else {
        sq_lock_broadcast(outbox->lock);
    }
    if (outbox->is_full && outbox->held < SQ_MCP_OUTBOX_LIMIT / 2) {
        outbox->is_full = false;
    }
}

bool
sq_mcp_outbox_is_full(struct sq_mcp_outbox *outbox) {
    return outbox->is_full;
}

size_t
sq_mcp_outbox_count(struct sq_mcp_outbox *outbox) {
    return outbox->count;
}

uint64_t
sq_mcp_outbox_written(struct sq_mcp_outbox *outbox) {
    SQ_LOCKED(outbox->lock);
    return outbox->written;
}

void
sq_mcp_outbox_close(struct sq_mcp_outbox *outbox) {
    SQ_LOCKED(outbox->lock);
    outbox->is_closing = true;
    sq_lock_broadcast(outbox->lock);
}

/*
 * A thread that adds a message changes `count` and then reads `is_asleep`. So
 * either this sees the message, or that thread sees that this one waits.
 */
bool
sq_mcp_outbox_sleep(struct sq_mcp_outbox *outbox) {
    outbox->is_asleep = true;
    return outbox->count > 0;
}

void
sq_mcp_outbox_wake(struct sq_mcp_outbox *outbox, bool is_readable) {
    char ignored[16];
    outbox->is_asleep = false;
    if (is_readable
        && sq_call_read(outbox->wake_pipe[0], ignored, sizeof(ignored)) == 0) {
        sq_close_fd(&outbox->wake_pipe[0]);
    }
}

int
sq_mcp_outbox_fd(const struct sq_mcp_outbox *outbox) {
    return outbox->wake_pipe[0];
}

/*
 * Collects the first pieces to write. Only the holder of `write_lock` removes
 * messages, so they stay valid.
 */
static int
collect(struct sq_mcp_outbox *outbox, struct iovec pieces[PIECES]) {
    int count = 0;
    size_t skip = outbox->sent;
    SQ_LOCKED(outbox->lock);
    for (struct sq_mcp_message *message = outbox->first;
         message && count < PIECES; message = message->next) {
        pieces[count++] = (struct iovec){
            .iov_base = message->bytes.data + skip,
            .iov_len = message->bytes.len - skip,
        };
        skip = 0;
    }
    return count;
}

/*
 * Removes count written bytes from the front. Returns the messages that are
 * completely written. *has_more is whether bytes are left.
 */
static struct sq_mcp_message *
remove_written(struct sq_mcp_outbox *outbox, size_t count, bool *has_more) {
    struct sq_mcp_message *done = NULL;
    SQ_LOCKED(outbox->lock);
    outbox->sent += count;
    outbox->written += count;
    while (outbox->first && outbox->sent >= outbox->first->bytes.len) {
        struct sq_mcp_message *message = outbox->first;
        outbox->sent -= message->bytes.len;
        outbox->count--;
        outbox->held -= memory_of(message);
        outbox->first = message->next;
        message->next = done;
        done = message;
    }
    if (!outbox->first) {
        outbox->last = &outbox->first;
    }
    *has_more = outbox->first != NULL;
    update_is_full(outbox);
    return done;
}

static enum sq_mcp_flush
result_of_errno(struct sq_err *err) {
    if (errno == EAGAIN) {
        return SQ_MCP_FLUSH_SOME;
    }
    if (errno == EPIPE || errno == ECONNRESET) {
        return SQ_MCP_FLUSH_CLOSED;
    }
    sq_errno_fail(err, "write to standard output");
    return SQ_MCP_FLUSH_FAILED;
}

static enum sq_mcp_flush
write_all(struct sq_mcp_outbox *outbox, struct sq_err *err) {
    struct iovec pieces[PIECES];
    enum sq_mcp_flush result = SQ_MCP_FLUSH_ALL;
    int count;
    bool has_more = true;
    while (has_more && (count = collect(outbox, pieces)) > 0) {
        /* A single piece needs no list, which takes the kernel longer. */
        ssize_t wrote = count == 1 ? sq_call_write(
                            outbox->fd, pieces[0].iov_base, pieces[0].iov_len)
                                   : sq_call_writev(outbox->fd, pieces, count);
        if (wrote < 0) {
            result = result_of_errno(err);
            break;
        }
        sq_mcp_messages_destroy(
            remove_written(outbox, (size_t)wrote, &has_more));
    }
    if (outbox->lost_message && result < SQ_MCP_FLUSH_CLOSED) {
        sq_fail(err, SQ_ERR_NOMEM, "out of memory for an answer");
        return SQ_MCP_FLUSH_FAILED;
    }
    return result;
}

enum sq_mcp_flush
sq_mcp_outbox_flush(struct sq_mcp_outbox *outbox, struct sq_err *err) {
    SQ_LOCKED(outbox->write_lock);
    return write_all(outbox, err);
}

static void
send_message(void *context, struct sq_mcp_message *message) {
    struct sq_mcp_outbox *outbox = context;
    sq_lock_lock(outbox->lock);
    if (message) {
        message->next = NULL;
        *outbox->last = message;
        outbox->last = &message->next;
        outbox->count++;
        outbox->held += memory_of(message);
        update_is_full(outbox);
    } else {
        outbox->lost_message = true;
    }
    bool is_asleep = outbox->is_asleep;
    sq_lock_unlock(outbox->lock);
    if (is_asleep && sq_mcp_outbox_flush(outbox, NULL) != SQ_MCP_FLUSH_ALL) {
        sq_lock_lock(outbox->lock);
        if (outbox->is_asleep && outbox->wake_pipe[1] >= 0
            && sq_call_write(outbox->wake_pipe[1], "", 1) < 0
            && errno != EAGAIN) {
            sq_close_fd(&outbox->wake_pipe[1]);
        }
        outbox->is_asleep = false;
        sq_lock_unlock(outbox->lock);
    }
}

static size_t
capacity(void *context) {
    struct sq_mcp_outbox *outbox = context;
    sq_lock_lock(outbox->lock);
    size_t held = outbox->held;
    sq_lock_unlock(outbox->lock);
    return held < SQ_MCP_OUTBOX_LIMIT ? SQ_MCP_OUTBOX_LIMIT - held : 0;
}

static void
await_space(void *context, struct sq_cancel *cancel) {
    struct sq_mcp_outbox *outbox = context;
    SQ_LOCKED(outbox->lock);
    while (outbox->held >= SQ_MCP_OUTBOX_LIMIT && !outbox->is_closing
           && !(cancel && sq_cancel_is_set(cancel))) {
        sq_lock_wait(outbox->lock);
    }
}

struct sq_mcp_sink
sq_mcp_outbox_sink(struct sq_mcp_outbox *outbox) {
    return (struct sq_mcp_sink){ .send = send_message,
                                 .capacity = capacity,
                                 .context = outbox,
                                 .await_space = await_space };
}
