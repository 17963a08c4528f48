/*
 * Sends any bytes to the demo phone. It answers in complete packets of the
 * negotiated size, and the same for any pieces of the bytes.
 */
#include <assert.h>

#include "demo/adbd/connection.h"
#include "fuzz/fuzz.h"

#define MAX_MEMORY ((size_t)256 << 20)
#define PHONE_SIDE 200
#define TURNS 3

static int64_t
stopped(void *context) {
    (void)context;
    return 1;
}

static struct sq_adbd_phone *
make_phone(void) {
    struct sq_err err = { 0 };
    struct sq_adbd_phone *phone = NULL;
    const struct sq_adbd_options options = {
        .demo = { .width = PHONE_SIDE,
                  .height = PHONE_SIDE,
                  .density = 1,
                  .now_ns = stopped },
    };
    bool ok = sq_adbd_phone_create(&options, &phone, &err);
    assert(ok);
    return phone;
}

static void
check_packets(struct sq_span output) {
    struct sq_err err = { 0 };
    struct sq_adbd_packet packet;
    while (output.len > 0) {
        enum sq_adbd_taken taken = sq_adbd_packet_take(
            &output, SQ_ADBD_MAX_PAYLOAD, false, &packet, &err);
        assert(taken == SQ_ADBD_TAKEN);
    }
}

/* Sends the bytes in pieces; returns whether they were accepted. */
static bool
talk(struct sq_span bytes, size_t piece, struct sq_buf *answer) {
    struct sq_err err = { 0 };
    struct sq_adbd_connection *connection = NULL;
    struct sq_adbd_phone *phone = make_phone();
    bool ok = sq_adbd_connection_create(phone, &connection, &err);
    assert(ok);
    while (ok && bytes.len > 0) {
        struct sq_span part = bytes;
        part.len = part.len < piece ? part.len : piece;
        ok = sq_adbd_connection_receive(connection, part, 1, &err);
        bytes.ptr += part.len;
        bytes.len -= part.len;
    }
    assert(ok || err.code == SQ_ERR_FORMAT || err.code == SQ_ERR_LIMIT);
    for (int i = 0; ok && i < TURNS; i++) {
        int64_t wake_ns;
        bool worked = sq_adbd_connection_advance(connection, 1, &wake_ns, &err);
        assert(worked);
        struct sq_span output = sq_adbd_connection_output(connection);
        worked = sq_buf_append(answer, output.ptr, output.len, &err);
        assert(worked);
        sq_adbd_connection_sent(connection, output.len);
    }
    sq_adbd_connection_destroy(connection);
    sq_adbd_phone_destroy(phone);
    return ok;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span bytes = { (const char *)data, size };
    struct sq_buf together;
    struct sq_buf alone;
    sq_buf_init(&together, MAX_MEMORY);
    sq_buf_init(&alone, MAX_MEMORY);
    bool ok = talk(bytes, size, &together);
    bool same = talk(bytes, 1, &alone) == ok;
    assert(same);
    struct sq_span answer = { (const char *)together.data, together.len };
    check_packets(answer);
    assert(sq_span_equal(
        answer, (struct sq_span){ (const char *)alone.data, alone.len }));
    sq_buf_finish(&alone);
    sq_buf_finish(&together);
    return 0;
}
