/*
 * Encodes and decodes packets of the ADB transport. Pure; spans point into the
 * input.
 */
#ifndef SQ_DEMO_ADBD_PACKET_H
#define SQ_DEMO_ADBD_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

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

#endif
