/*
 * The packets of the ADB transport: bytes in, values out. Pure; spans point
 * into the bytes they were taken from.
 */
#ifndef SQ_ADBD_PACKET_H
#define SQ_ADBD_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/err.h"
#include "util/span.h"

#define SQ_ADBD_HEADER_BYTES 24
#define SQ_ADBD_MAX_PAYLOAD ((size_t)1 << 20)
/* From this version on nobody looks at the sum of the data. */
#define SQ_ADBD_VERSION_NO_SUM 0x01000001u
#define SQ_ADBD_VERSION_FIRST 0x01000000u

/* Four letters each, as they stand in the packet. */
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
    uint32_t command; /* enum sq_adbd_command, or one we do not know */
    uint32_t arg0;
    uint32_t arg1;
    struct sq_span data;
};

enum sq_adbd_taken {
    SQ_ADBD_TAKEN,
    SQ_ADBD_NOT_YET, /* more bytes have to come first */
    SQ_ADBD_BROKEN,  /* these are no packets, and none will follow */
};

/*
 * Take the next packet off the front; rest moves only when one is TAKEN.
 * BROKEN where the check word does not fit the command, the data are more
 * than max_payload or, if check_sum, do not add up; *err says which.
 */
enum sq_adbd_taken sq_adbd_packet_take(struct sq_span *rest, size_t max_payload,
                                       bool check_sum,
                                       struct sq_adbd_packet *out,
                                       struct sq_err *err);

/*
 * Append a packet, with the sum of its data or with 0 for peers that do not
 * look at it; on failure the buffer is as it was.
 */
bool sq_adbd_packet_put(struct sq_buf *out, const struct sq_adbd_packet *packet,
                        bool with_sum, struct sq_err *err);

/* Numbers as the wire has them: least significant byte first. */
uint32_t sq_adbd_get_32(const char *from);
void sq_adbd_put_32(uint8_t *to, uint32_t value);

#endif
