/* Encodes and decodes packets of the ADB transport. */
#include "demo/adbd/connection.h"

#include <assert.h>

#include "util/bytes.h"

enum {
    AT_COMMAND = 0,
    AT_ARG0 = 4,
    AT_ARG1 = 8,
    AT_LENGTH = 12,
    AT_SUM = 16,
    AT_CHECK = 20,
};

static uint32_t
sum_of(struct sq_span data) {
    uint32_t sum = 0;
    for (size_t i = 0; i < data.len; i++) {
        sum += (uint8_t)data.ptr[i];
    }
    return sum;
}

enum sq_adbd_taken
sq_adbd_packet_take(struct sq_span *rest, size_t max_payload, bool check_sum,
                    struct sq_adbd_packet *out, struct sq_err *err) {
    const char *header = rest->ptr;
    if (rest->len < SQ_ADBD_HEADER_BYTES) {
        return SQ_ADBD_NOT_YET;
    }
    uint32_t command = sq_load_le32((const uint8_t *)header + AT_COMMAND);
    uint32_t length = sq_load_le32((const uint8_t *)header + AT_LENGTH);
    if (sq_load_le32((const uint8_t *)header + AT_CHECK) != ~command) {
        sq_fail(err, SQ_ERR_FORMAT, "the magic number of a packet is wrong");
        return SQ_ADBD_BROKEN;
    }
    if (length > max_payload) {
        sq_fail(err, SQ_ERR_LIMIT, "a packet has %lu bytes; the maximum is %zu",
                (unsigned long)length, max_payload);
        return SQ_ADBD_BROKEN;
    }
    if (rest->len - SQ_ADBD_HEADER_BYTES < length) {
        return SQ_ADBD_NOT_YET;
    }
    struct sq_span data = { header + SQ_ADBD_HEADER_BYTES, length };
    if (check_sum
        && sum_of(data) != sq_load_le32((const uint8_t *)header + AT_SUM)) {
        sq_fail(err, SQ_ERR_FORMAT, "the checksum of a packet is wrong");
        return SQ_ADBD_BROKEN;
    }
    *out = (struct sq_adbd_packet){
        .command = command,
        .arg0 = sq_load_le32((const uint8_t *)header + AT_ARG0),
        .arg1 = sq_load_le32((const uint8_t *)header + AT_ARG1),
        .data = data,
    };
    sq_span_skip(rest, SQ_ADBD_HEADER_BYTES + length);
    return SQ_ADBD_TAKEN;
}

bool
sq_adbd_packet_put(struct sq_buf *out, const struct sq_adbd_packet *packet,
                   bool with_sum, struct sq_err *err) {
    uint8_t *space;
    assert(packet->data.len <= SQ_ADBD_MAX_PAYLOAD);
    if (!sq_buf_reserve(out, SQ_ADBD_HEADER_BYTES + packet->data.len, &space,
                        err)) {
        return false;
    }
    sq_store_le32(space + AT_COMMAND, packet->command);
    sq_store_le32(space + AT_ARG0, packet->arg0);
    sq_store_le32(space + AT_ARG1, packet->arg1);
    sq_store_le32(space + AT_LENGTH, (uint32_t)packet->data.len);
    sq_store_le32(space + AT_SUM, with_sum ? sum_of(packet->data) : 0);
    sq_store_le32(space + AT_CHECK, ~packet->command);
    sq_buf_commit(out, SQ_ADBD_HEADER_BYTES);
    return sq_buf_append(out, packet->data.ptr, packet->data.len, err);
}
