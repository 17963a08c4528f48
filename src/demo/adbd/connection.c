/* The ADB transport protocol for one client. */
#include "demo/adbd/connection.h"

#include <stdio.h>

#include "util/mem.h"
#include "util/minmax.h"

#define MAX_STREAMS 64
#define MAX_INPUT_BYTES (2 * (SQ_ADBD_MAX_PAYLOAD + SQ_ADBD_HEADER_BYTES))
#define MAX_OUTPUT_BYTES ((size_t)160 << 20)
#define MAX_STREAM_BYTES ((size_t)128 << 20)
/* No more output is produced while this much waits for the client. */
#define ENOUGH_BYTES ((size_t)2 << 20)
#define MIN_PAYLOAD 512
/*
 * The largest piece on a link with a limited rate: as much as the pipe of a
 * program holds. Pieces are smaller on a slow link, for a steady flow.
 */
#define MAX_PIECE_BYTES ((size_t)64 << 10)
#define PIECES_PER_S 100
#define TOKEN_BYTES 20
#define BANNER_SIZE 512

struct stream {
    struct stream *next;
    uint32_t ours;
    uint32_t theirs;
    struct sq_adbd_service *service;
    struct sq_buf out;
    size_t sent_bytes; /* bytes of out already sent */
    uint64_t total;    /* total bytes sent */
    bool may_write;    /* the last piece has been acknowledged */
    bool ended;
    bool is_control;
};

struct sq_adbd_connection {
    struct sq_adbd_phone *phone;
    struct sq_buf in;
    struct sq_buf out;
    size_t sent; /* bytes of out already sent */
    enum {
        STATE_NEW,
        STATE_REFUSED, /* permanently */
        STATE_ONLINE,
        STATE_OVER,
    } state;
    uint32_t version;
    size_t max_payload;
    uint32_t last_id;
    struct stream *streams;
    int stream_count;
    /*
     * The link has a limited rate, simulated by an absolute schedule. A late
     * piece does not delay later ones, so delays are caught up. Idle time is
     * not saved up.
     */
    int64_t link_gone_ns; /* when all carried bytes had gone, as scheduled */
    bool link_is_busy;    /* data has been waiting ever since */
    int64_t now_ns;       /* when bytes were last received */
};

bool
sq_adbd_connection_create(struct sq_adbd_phone *phone,
                          struct sq_adbd_connection **out, struct sq_err *err) {
    struct sq_adbd_connection *connection =
        sq_mem_zalloc(1, sizeof(*connection));
    if (!connection) {
        return sq_fail_nomem(err);
    }
    connection->phone = phone;
    connection->version = SQ_ADBD_VERSION_NO_SUM;
    connection->max_payload = SQ_ADBD_MAX_PAYLOAD;
    sq_buf_init(&connection->in, MAX_INPUT_BYTES);
    sq_buf_init(&connection->out, MAX_OUTPUT_BYTES);
    *out = connection;
    return true;
}

static void
destroy_stream(struct stream *stream) {
    if (stream->service) {
        stream->service->ops->destroy(stream->service);
    }
    sq_buf_finish(&stream->out);
    sq_mem_free(stream);
}

static void
remove_stream(struct sq_adbd_connection *connection, struct stream *stream) {
    struct stream **at = &connection->streams;
    while (*at != stream) {
        at = &(*at)->next;
    }
    *at = stream->next;
    connection->stream_count--;
    destroy_stream(stream);
}

void
sq_adbd_connection_destroy(struct sq_adbd_connection *connection) {
    if (connection) {
        while (connection->streams) {
            remove_stream(connection, connection->streams);
        }
        sq_buf_finish(&connection->in);
        sq_buf_finish(&connection->out);
        sq_mem_free(connection);
    }
}

static bool
put(struct sq_adbd_connection *connection, uint32_t command, uint32_t arg0,
    uint32_t arg1, struct sq_span data, struct sq_err *err) {
    struct sq_adbd_packet packet = { command, arg0, arg1, data };
    return sq_adbd_packet_put(&connection->out, &packet,
                              connection->version < SQ_ADBD_VERSION_NO_SUM,
                              err);
}

static bool
put_bare(struct sq_adbd_connection *connection, uint32_t command, uint32_t arg0,
         uint32_t arg1, struct sq_err *err) {
    return put(connection, command, arg0, arg1, (struct sq_span){ 0 }, err);
}

/* Sends a token. The client's signature is never accepted. */
static bool
put_token(struct sq_adbd_connection *connection, struct sq_err *err) {
    static const char token[TOKEN_BYTES] = "squint demo phone..";
    return put(connection, SQ_ADBD_AUTH, SQ_ADBD_AUTH_TOKEN, 0,
               (struct sq_span){ token, sizeof(token) }, err);
}

static const char *
property(const struct sq_adbd_connection *connection, const char *name) {
    const char *value = sq_adbd_store_get(&connection->phone->properties, name);
    return value ? value : "";
}

static bool
handle_connect(struct sq_adbd_connection *connection,
               const struct sq_adbd_packet *packet, struct sq_err *err) {
    struct sq_adbd_faults *faults = &connection->phone->options.faults;
    while (connection->streams) {
        remove_stream(connection, connection->streams);
    }
    if (packet->arg0 < SQ_ADBD_VERSION_FIRST || packet->arg1 < MIN_PAYLOAD) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the client's CNXN packet is invalid");
    }
    connection->version = packet->arg0 < SQ_ADBD_VERSION_NO_SUM
                            ? SQ_ADBD_VERSION_FIRST
                            : SQ_ADBD_VERSION_NO_SUM;
    connection->max_payload =
        packet->arg1 < SQ_ADBD_MAX_PAYLOAD ? packet->arg1 : SQ_ADBD_MAX_PAYLOAD;
    connection->state = STATE_REFUSED;
    if (sq_adbd_fault_spend(faults, SQ_ADBD_OFFLINE)) {
        return true;
    }
    if (sq_adbd_fault_spend(faults, SQ_ADBD_UNAUTHORIZED)) {
        return put_token(connection, err);
    }
    connection->state = STATE_ONLINE;
    char banner[BANNER_SIZE];
    snprintf(banner, sizeof(banner),
             "device::ro.product.name=%.100s;ro.product.model=%.100s;"
             "ro.product.device=%.100s;features=%s",
             property(connection, "ro.product.name"),
             property(connection, "ro.product.model"),
             property(connection, "ro.product.device"),
             sq_adbd_phone_has(connection->phone, SQ_ADBD_OLD_SHELL)
                 ? ""
                 : "shell_v2,cmd");
    return put(connection, SQ_ADBD_CNXN, connection->version,
               (uint32_t)SQ_ADBD_MAX_PAYLOAD, sq_span_of(banner), err);
}

static bool
handle_auth(struct sq_adbd_connection *connection,
            const struct sq_adbd_packet *packet, struct sq_err *err) {
    return packet->arg0 != SQ_ADBD_AUTH_SIGNATURE || put_token(connection, err);
}

static struct stream *
find_stream(const struct sq_adbd_connection *connection, uint32_t ours,
            uint32_t theirs) {
    struct stream *stream = connection->streams;
    while (stream && (stream->ours != ours || stream->theirs != theirs)) {
        stream = stream->next;
    }
    return stream;
}

static bool
make_stream(struct sq_adbd_connection *connection,
            const struct sq_adbd_packet *packet, struct sq_err *err) {
    struct sq_span name = packet->data;
    struct stream *stream = sq_mem_zalloc(1, sizeof(*stream));
    if (!stream) {
        return sq_fail_nomem(err);
    }
    while (name.len > 0 && name.ptr[name.len - 1] == '\0') {
        name.len--;
    }
    sq_buf_init(&stream->out, MAX_STREAM_BYTES);
    if (!sq_adbd_service_open(connection->phone, name, connection->now_ns,
                              &stream->service, err)) {
        destroy_stream(stream);
        return false;
    }
    stream->ours = ++connection->last_id;
    stream->theirs = packet->arg0;
    stream->may_write = true;
    stream->next = connection->streams;
    connection->streams = stream;
    connection->stream_count++;
    return true;
}

static bool
handle_open(struct sq_adbd_connection *connection,
            const struct sq_adbd_packet *packet, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    if (packet->arg0 == 0) {
        return sq_fail(err, SQ_ERR_FORMAT,
                       "the client opened a stream with the number 0");
    }
    bool ok = connection->stream_count < MAX_STREAMS
           && make_stream(connection, packet, &local_err);
    if (!ok && local_err.code == SQ_ERR_NOMEM) {
        return sq_fail_nomem(err);
    }
    return ok ? put_bare(connection, SQ_ADBD_OKAY, connection->last_id,
                         packet->arg0, err)
              : put_bare(connection, SQ_ADBD_CLSE, 0, packet->arg0, err);
}

static bool
handle_okay(struct sq_adbd_connection *connection,
            const struct sq_adbd_packet *packet, struct sq_err *err) {
    struct stream *stream = find_stream(connection, packet->arg1, packet->arg0);
    (void)err;
    if (stream) {
        stream->may_write = true;
    }
    return true;
}

static bool
handle_write(struct sq_adbd_connection *connection,
             const struct sq_adbd_packet *packet, struct sq_err *err) {
    struct sq_err local_err = { 0 };
    struct stream *stream = find_stream(connection, packet->arg1, packet->arg0);
    if (!stream) {
        return put_bare(connection, SQ_ADBD_CLSE, 0, packet->arg0, err);
    }
    if (stream->ended
        || stream->service->ops->receive(stream->service, packet->data,
                                         &local_err)) {
        return put_bare(connection, SQ_ADBD_OKAY, stream->ours, stream->theirs,
                        err);
    }
    if (local_err.code == SQ_ERR_NOMEM) {
        return sq_fail_nomem(err);
    }
    bool ok =
        put_bare(connection, SQ_ADBD_CLSE, stream->ours, stream->theirs, err);
    remove_stream(connection, stream);
    return ok;
}

static bool
handle_close(struct sq_adbd_connection *connection,
             const struct sq_adbd_packet *packet, struct sq_err *err) {
    struct stream *stream = find_stream(connection, packet->arg1, packet->arg0);
    if (!stream) {
        return true;
    }
    bool ok =
        put_bare(connection, SQ_ADBD_CLSE, stream->ours, stream->theirs, err);
    remove_stream(connection, stream);
    return ok;
}

static const struct {
    enum sq_adbd_command command;
    bool (*handle)(struct sq_adbd_connection *connection,
                   const struct sq_adbd_packet *packet, struct sq_err *err);
    bool only_online;
} handlers[] = {
    { SQ_ADBD_CNXN, handle_connect, false },
    { SQ_ADBD_AUTH, handle_auth, false },
    { SQ_ADBD_OPEN, handle_open, true },
    { SQ_ADBD_OKAY, handle_okay, true },
    { SQ_ADBD_WRTE, handle_write, true },
    { SQ_ADBD_CLSE, handle_close, true },
};

/* Handles a packet. Ignores unknown and unexpected ones. */
static bool
handle(struct sq_adbd_connection *connection,
       const struct sq_adbd_packet *packet, struct sq_err *err) {
    bool online = connection->state == STATE_ONLINE;
    for (size_t i = 0; i < SQ_COUNT(handlers); i++) {
        if (packet->command == handlers[i].command
            && (online || !handlers[i].only_online)) {
            return handlers[i].handle(connection, packet, err);
        }
    }
    return true;
}

static bool
handle_packets(struct sq_adbd_connection *connection, struct sq_err *err) {
    struct sq_span rest = sq_buf_span(&connection->in);
    enum sq_adbd_taken result = SQ_ADBD_TAKEN;
    while (result == SQ_ADBD_TAKEN) {
        struct sq_adbd_packet packet;
        /* Before CNXN the client's version is not known. */
        bool checks_sums = connection->state != STATE_NEW
                        && connection->version < SQ_ADBD_VERSION_NO_SUM;
        result = sq_adbd_packet_take(&rest, SQ_ADBD_MAX_PAYLOAD, checks_sums,
                                     &packet, err);
        if (result == SQ_ADBD_BROKEN
            || (result == SQ_ADBD_TAKEN && !handle(connection, &packet, err))) {
            return false;
        }
    }
    sq_buf_drop(&connection->in, connection->in.len - rest.len);
    return true;
}

bool
sq_adbd_connection_receive(struct sq_adbd_connection *connection,
                           struct sq_span bytes, int64_t now_ns,
                           struct sq_err *err) {
    bool ok = true;
    connection->now_ns = now_ns;
    while (ok && bytes.len > 0 && connection->state != STATE_OVER) {
        size_t capacity = connection->in.max - connection->in.len;
        size_t count = bytes.len < capacity ? bytes.len : capacity;
        ok = sq_buf_append(&connection->in, bytes.ptr, count, err)
          && handle_packets(connection, err);
        sq_span_skip(&bytes, count);
    }
    return ok;
}

/* Returns how much may be sent: a hanging phone stops after some bytes. */
static size_t
sendable_bytes(const struct sq_adbd_connection *connection,
               const struct stream *stream, size_t wanted) {
    const struct sq_adbd_fault *hang =
        &connection->phone->options.faults.of[SQ_ADBD_HANG];
    if (!hang->on || stream->is_control) {
        return wanted;
    }
    uint64_t max = hang->number < 0 ? 0 : (uint64_t)hang->number;
    return stream->total < max ? sq_min_size(max - stream->total, wanted) : 0;
}

/*
 * Returns whether the link breaks within these bytes. *count is what is still
 * sent.
 */
static bool
breaks_link(struct sq_adbd_connection *connection, const struct stream *stream,
            size_t *count) {
    struct sq_adbd_fault *fault =
        &connection->phone->options.faults.of[SQ_ADBD_DISCONNECT];
    if (!fault->on || stream->is_control) {
        return false;
    }
    if ((uint64_t)fault->number > *count) {
        fault->number -= (int64_t)*count;
        return false;
    }
    *count = (size_t)fault->number;
    *fault = (struct sq_adbd_fault){ 0 };
    return true;
}

/* Returns the rate of this stream in bytes per second; 0: no limit. */
static int64_t
rate_of(const struct sq_adbd_connection *connection,
        const struct stream *stream) {
    return stream->is_control ? 0 : sq_adbd_phone_rate(connection->phone);
}

/* Returns the length of the next piece of a stream; 0: nothing to send. */
static size_t
next_piece_bytes(const struct sq_adbd_connection *connection,
                 const struct stream *stream) {
    int64_t rate = rate_of(connection, stream);
    size_t max = connection->max_payload;
    if (rate > 0) {
        size_t flowing =
            sq_min_size((uint64_t)rate / PIECES_PER_S, MAX_PIECE_BYTES);
        max = sq_min_size(flowing > MIN_PAYLOAD ? flowing : MIN_PAYLOAD, max);
    }
    return sendable_bytes(
        connection, stream,
        sq_min_size(stream->out.len - stream->sent_bytes, max));
}

static bool
has_pending_output(const struct sq_adbd_connection *connection) {
    const struct stream *stream = connection->streams;
    while (stream && next_piece_bytes(connection, stream) == 0) {
        stream = stream->next;
    }
    return stream != NULL;
}

/* Notes whether data is waiting. */
static void
want_link(struct sq_adbd_connection *connection, bool wanted, int64_t now_ns) {
    if (wanted && !connection->link_is_busy) {
        connection->link_gone_ns = now_ns;
    }
    connection->link_is_busy = wanted;
}

/*
 * Returns whether the next piece may be sent now: the last of its bytes may
 * have gone. Otherwise may lower *wake_ns.
 */
static bool
can_send_now(struct sq_adbd_connection *connection, const struct stream *stream,
             size_t count, int64_t *wake_ns) {
    int64_t now_ns = connection->phone->clock_ns();
    if (count > 0) {
        want_link(connection, true, now_ns);
    }
    if (count == 0 || !stream->may_write) {
        return false;
    }
    int64_t due_ns = connection->link_gone_ns
                   + sq_adbd_link_ns(rate_of(connection, stream), count);
    bool may_go = due_ns <= now_ns;
    if (may_go) {
        connection->link_gone_ns = due_ns;
    } else {
        *wake_ns = sq_min_int64(due_ns, *wake_ns);
    }
    return may_go;
}

/* Sends the next piece of a stream if allowed. */
static bool
write_piece(struct sq_adbd_connection *connection, struct stream *stream,
            int64_t *wake_ns, struct sq_err *err) {
    size_t count = next_piece_bytes(connection, stream);
    if (!can_send_now(connection, stream, count, wake_ns)) {
        return true;
    }
    bool link_broke = breaks_link(connection, stream, &count);
    struct sq_span data = { (const char *)stream->out.data + stream->sent_bytes,
                            count };
    bool ok = count == 0
           || put(connection, SQ_ADBD_WRTE, stream->ours, stream->theirs, data,
                  err);
    stream->sent_bytes += count;
    stream->total += count;
    stream->may_write = false;
    if (stream->sent_bytes == stream->out.len) {
        sq_buf_clear(&stream->out);
        stream->sent_bytes = 0;
    }
    connection->state = link_broke ? STATE_OVER : connection->state;
    return ok;
}

static bool
advance_stream(struct sq_adbd_connection *connection, struct stream *stream,
               int64_t now_ns, int64_t *wake_ns, struct sq_err *err) {
    struct sq_adbd_turn turn = {
        .now_ns = now_ns,
        .out = &stream->out,
        .made_ns = now_ns,
        .wake_ns = INT64_MAX,
    };
    if (!stream->ended) {
        if (!stream->service->ops->advance(stream->service, &turn, err)) {
            return false;
        }
        stream->ended = turn.ended;
        stream->is_control = turn.is_control;
        *wake_ns = turn.wake_ns < *wake_ns ? turn.wake_ns : *wake_ns;
        if (next_piece_bytes(connection, stream) > 0) {
            want_link(connection, true, turn.made_ns);
        }
    }
    if (!write_piece(connection, stream, wake_ns, err)) {
        return false;
    }
    /* Wait for the acknowledgement: the client may drop data when we close. */
    if (stream->ended && stream->out.len == 0 && stream->may_write
        && (stream->is_control
            || !sq_adbd_phone_has(connection->phone, SQ_ADBD_HANG))) {
        bool ok = put_bare(connection, SQ_ADBD_CLSE, stream->ours,
                           stream->theirs, err);
        remove_stream(connection, stream);
        return ok;
    }
    return true;
}

bool
sq_adbd_connection_advance(struct sq_adbd_connection *connection,
                           int64_t now_ns, int64_t *wake_ns,
                           struct sq_err *err) {
    struct stream *next = connection->streams;
    bool ok = true;
    *wake_ns = INT64_MAX;
    while (ok && next && connection->state == STATE_ONLINE
           && connection->out.len - connection->sent < ENOUGH_BYTES) {
        struct stream *stream = next;
        next = stream->next;
        ok = advance_stream(connection, stream, now_ns, wake_ns, err);
    }
    if (!has_pending_output(connection)) {
        want_link(connection, false, now_ns);
    }
    return ok;
}

struct sq_span
sq_adbd_connection_output(const struct sq_adbd_connection *connection) {
    struct sq_span rest = { 0 };
    if (connection->sent < connection->out.len) {
        rest.ptr = (const char *)connection->out.data + connection->sent;
        rest.len = connection->out.len - connection->sent;
    }
    return rest;
}

void
sq_adbd_connection_sent(struct sq_adbd_connection *connection, size_t count) {
    connection->sent += count;
    if (connection->sent == connection->out.len
        || connection->sent > ENOUGH_BYTES) {
        sq_buf_drop(&connection->out, connection->sent);
        connection->sent = 0;
    }
}

bool
sq_adbd_connection_is_over(const struct sq_adbd_connection *connection) {
    return connection->state == STATE_OVER;
}
