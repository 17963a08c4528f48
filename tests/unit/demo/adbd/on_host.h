/* The client's side of an adb connection: packets, services, time. */
#ifndef SQ_TEST_ADBD_ON_HOST_H
#define SQ_TEST_ADBD_ON_HOST_H

#include "demo/adbd/connection.h"
#include "support/demo_shell.h"
#include "support/test.h"

#define MAX_BYTES ((size_t)64 << 20)
#define FRAME_BYTES (16 + 360 * 640 * 4)
#define NS_PER_MS 1000000
#define NEW_VERSION 0x01000001u
#define OLD_VERSION 0x01000000u

/* The client's side of one connection. */
struct host {
    struct sq_adbd_phone *phone;
    struct sq_adbd_connection *connection;
    struct sq_buf got; /* packets of the phone that were not read yet */
    uint32_t version;
    uint32_t payload;
    int64_t now_ns;
    int64_t wake_ns;
    uint32_t next_id;
};

static inline bool
send_packet(struct host *host, uint32_t command, uint32_t arg0, uint32_t arg1,
            struct sq_span data) {
    struct sq_adbd_packet packet = { command, arg0, arg1, data };
    T_BUF(bytes, MAX_BYTES);
    T_OK(sq_adbd_packet_put(&bytes, &packet, host->version == OLD_VERSION,
                            &t_err));
    bool ok = true;
    /* In two pieces, like a network may deliver it. */
    for (size_t at = 0, half = bytes.len / 2; ok && at < bytes.len;
         at += half, half = bytes.len - at) {
        struct sq_span part = { (const char *)bytes.data + at, half };
        ok = sq_adbd_connection_receive(host->connection, part, host->now_ns,
                                        &t_err);
    }
    return ok;
}

/* Lets the phone work, and reads what it sends. */
static inline void
advance(struct host *host) {
    T_OK(sq_adbd_connection_advance(host->connection, host->now_ns,
                                    &host->wake_ns, &t_err));
    struct sq_span out = sq_adbd_connection_output(host->connection);
    T_OK(sq_buf_append(&host->got, out.ptr, out.len, &t_err));
    sq_adbd_connection_sent(host->connection, out.len);
}

/* The next packet of the phone; false if there is none. */
static inline bool
take(struct host *host, struct sq_adbd_packet *out, struct sq_buf *data) {
    struct sq_err err = { 0 };
    struct sq_span rest = { (const char *)host->got.data, host->got.len };
    bool sums = host->version == OLD_VERSION;
    if (sq_adbd_packet_take(&rest, host->payload, sums, out, &err)
        != SQ_ADBD_TAKEN) {
        T(err.code == SQ_ERR_NONE);
        return false;
    }
    sq_buf_clear(data);
    T_OK(sq_buf_append(data, out->data.ptr, out->data.len, &err), &err);
    out->data = (struct sq_span){ (const char *)data->data, data->len };
    memmove(host->got.data, rest.ptr, rest.len);
    sq_buf_clear(&host->got);
    sq_buf_commit(&host->got, rest.len);
    return true;
}

static inline bool
expect(struct host *host, uint32_t command, struct sq_adbd_packet *out) {
    T_BUF(data, MAX_BYTES);
    advance(host);
    bool ok = T(take(host, out, &data)) && T_INT(out->command, command);
    return ok;
}

static inline void
begin(struct host *host, uint32_t version, uint32_t payload) {
    *host = (struct host){ .phone = t_phone_create(),
                           .version = version,
                           .payload = payload,
                           .now_ns = 1000,
                           .next_id = 100 };
    sq_buf_init(&host->got, MAX_BYTES);
    T_OK(sq_adbd_connection_create(host->phone, &host->connection, &t_err));
}

static inline void
begin_online(struct host *host, uint32_t version, uint32_t payload) {
    struct sq_adbd_packet packet;
    begin(host, version, payload);
    T(send_packet(host, SQ_ADBD_CNXN, version, payload,
                  SQ_SPAN("host::features=shell_v2")));
    expect(host, SQ_ADBD_CNXN, &packet);
    T_INT(packet.arg0, version);
    T_INT(packet.arg1, SQ_ADBD_MAX_PAYLOAD);
}

static inline void
end(struct host *host) {
    sq_adbd_connection_destroy(host->connection);
    sq_adbd_phone_destroy(host->phone);
    sq_buf_finish(&host->got);
    t_phone_free_result();
}

/* The result of a service. */
struct result {
    struct sq_buf bytes;
    uint32_t ours;
    uint32_t theirs;
    int writes;
    bool opened;
    bool closed;
};

static inline void
acknowledge(struct host *host, const struct result *result) {
    T(send_packet(host, SQ_ADBD_OKAY, result->ours, result->theirs,
                  (struct sq_span){ 0 }));
}

/* Reads and acknowledges what has arrived; false if nothing did. */
static inline bool
pump(struct host *host, struct result *result) {
    struct sq_adbd_packet packet;
    bool moved = false;
    T_BUF(data, MAX_BYTES);
    advance(host);
    while (take(host, &packet, &data)) {
        moved = true;
        T_INT(packet.arg1, result->ours);
        if (packet.command == SQ_ADBD_OKAY) {
            result->opened = true;
            result->theirs = packet.arg0;
        } else if (packet.command == SQ_ADBD_WRTE) {
            T(packet.data.len <= host->payload);
            T_OK(sq_buf_append(&result->bytes, packet.data.ptr, packet.data.len,
                               &t_err));
            result->writes++;
            acknowledge(host, result);
        } else {
            T_INT(packet.command, SQ_ADBD_CLSE);
            result->closed = true;
        }
    }
    return moved;
}

static inline struct result
open_service(struct host *host, const char *service) {
    struct result result = { .ours = host->next_id++ };
    sq_buf_init(&result.bytes, MAX_BYTES);
    T(send_packet(host, SQ_ADBD_OPEN, result.ours, 0,
                  (struct sq_span){ service, strlen(service) + 1 }));
    return result;
}

/* Opens a service and reads everything it sends. */
static inline struct result
run(struct host *host, const char *service) {
    struct result result = open_service(host, service);
    while (pump(host, &result) && !result.closed) {
    }
    return result;
}

static inline void
finish(struct result *result) {
    sq_buf_finish(&result->bytes);
}

#endif
