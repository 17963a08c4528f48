/*
 * Parses any bytes as the header, the table and a day of an index. Checksums
 * would stop the fuzzer early, so each part is also checked as if they were
 * right.
 */
#include <assert.h>
#include <string.h>

#include "archive/store/root.h"
#include "fuzz/fuzz.h"
#include "util/mem.h"

static void
check_day(const uint8_t *data, size_t size) {
    char full[SQ_NAME_SIZE];
    char thumb[SQ_NAME_SIZE];
    struct sq_day *day = sq_mem_alloc(1, size ? size : 1);
    if (!day) {
        return;
    }
    memcpy(day, data, size);
    if (sq_day_check(day, size)) {
        assert(sq_day_bytes(day) == size);
        for (uint32_t i = 0; i < day->shot_count; i++) {
            sq_day_names(&day->shots[i], sq_day_text(day), full, thumb);
            assert(!strchr(full, '/') && !strchr(thumb, '/'));
        }
        for (uint32_t i = 0; i < day->inner_count; i++) {
            char path[SQ_LAYOUT_PATH_SIZE];
            sq_layout_path(sq_day_inner(day)[i], path);
        }
    }
    sq_mem_free(day);
}

static void
check_head(const uint8_t *data, size_t size) {
    struct sq_index_owner owner;
    uint32_t count;
    if (size < SQ_INDEX_HEAD_BYTES) {
        return;
    }
    memcpy(&owner, data + 16, sizeof(owner));
    if (!sq_index_check_head(data, size, &owner, &count)) {
        return;
    }
    size_t bytes = count * sizeof(struct sq_index_slot);
    assert(SQ_INDEX_HEAD_BYTES + bytes <= size);
    struct sq_index_slot *slots = sq_mem_alloc(1, bytes + 1);
    if (!slots) {
        return;
    }
    memcpy(slots, data + SQ_INDEX_HEAD_BYTES, bytes);
    if (sq_index_check_table(data, slots, count, size)) {
        for (uint32_t i = 0; i < count; i++) {
            assert(slots[i].offset + slots[i].bytes <= size);
            check_day(data + slots[i].offset, slots[i].bytes);
        }
    }
    sq_mem_free(slots);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check_head(data, size);
    check_day(data, size);
    return 0;
}
