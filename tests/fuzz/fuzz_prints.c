/*
 * Parses any bytes as a file of fingerprints. Checksums would stop the fuzzer
 * early, so the same bytes are also read as records with right checksums.
 */
#include <assert.h>
#include <libdeflate.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "archive/store/root.h"
#include "fuzz/fuzz.h"

#define HEAD_BYTES 32
#define RECORD_BYTES 192 /* its checksum is at its end */

static void
parse(uint64_t owner, const uint8_t *bytes, size_t len) {
    struct sq_image_fingerprint_store store = { 0 };
    struct sq_image_fingerprint print;
    bool ok = sq_image_fingerprint_store_parse(&store, owner, bytes, len, NULL);
    assert(ok && store.table.count <= SQ_FINGERPRINT_STORE_MAX);
    for (size_t i = 0; i < store.table.capacity; i++) {
        const struct sq_file_slot *slot = sq_file_table_at(&store.table, i);
        if (slot->order > 0) {
            assert(
                sq_image_fingerprint_store_find(&store, &slot->state, &print));
        }
    }
    sq_image_fingerprint_store_finish(&store);
}

/* The header of a file without records. */
static void
make_head(uint64_t owner, uint8_t head[HEAD_BYTES]) {
    static const uint32_t start[] = { 0x01020304, 1 };
    uint32_t record_bytes = RECORD_BYTES;
    memcpy(head, "squint\x1a\x02", 8);
    memcpy(head + 8, start, sizeof(start));
    memcpy(head + 16, &owner, sizeof(owner));
    memcpy(head + 24, &record_bytes, sizeof(record_bytes));
    uint32_t crc = libdeflate_crc32(0, head, 28);
    memcpy(head + 28, &crc, sizeof(crc));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint64_t owner = 7;
    uint8_t *file = malloc(HEAD_BYTES + size);
    if (!file) {
        return 0;
    }
    parse(owner, data, size);
    make_head(owner, file);
    if (size > 0) {
        memcpy(file + HEAD_BYTES, data, size);
    }
    parse(owner, file, HEAD_BYTES + size);
    for (size_t at = HEAD_BYTES; HEAD_BYTES + size - at >= RECORD_BYTES;
         at += RECORD_BYTES) {
        size_t len = RECORD_BYTES - sizeof(uint32_t);
        uint32_t crc = libdeflate_crc32(0, file + at, len);
        memcpy(file + at + len, &crc, sizeof(crc));
    }
    parse(owner, file, HEAD_BYTES + size);
    free(file);
    return 0;
}
