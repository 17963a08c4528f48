/*
 * Decompresses a gzip stream with ISA-L. The header is read here: if it arrives
 * in pieces, ISA-L's result for it depends on memory that it did not write.
 */
#include "device/android/link.h"

#include <assert.h>
#include <string.h>

#include <isa-l.h>

#include "util/mem.h"
#include "util/minmax.h"

#define HEADER_BYTES 10
#define MAX_STEP ((size_t)1 << 30) /* ISA-L counts in 32 bits */

struct sq_gunzip {
    struct inflate_state isal;
    enum sq_gunzip_state state;
    bool has_work;
    size_t header; /* bytes of it that were read */
    uint8_t input[SQ_GUNZIP_INPUT_BYTES + SQ_GUNZIP_EXTRA_BYTES];
};

bool
sq_gunzip_create(struct sq_gunzip **out, struct sq_err *err) {
    struct sq_gunzip *gunzip = sq_mem_alloc_aligned(sizeof(*gunzip));
    if (!gunzip) {
        return sq_fail_nomem(err);
    }
    memset(gunzip, 0, sizeof(*gunzip));
    sq_gunzip_reset(gunzip);
    *out = gunzip;
    return true;
}

void
sq_gunzip_destroy(struct sq_gunzip *gunzip) {
    sq_mem_free(gunzip);
}

void
sq_gunzip_reset(struct sq_gunzip *gunzip) {
    isal_inflate_init(&gunzip->isal);
    gunzip->isal.crc_flag = ISAL_GZIP_NO_HDR_VER;
    gunzip->state = SQ_GUNZIP_READING;
    gunzip->has_work = false;
    gunzip->header = 0;
}

enum sq_gunzip_state
sq_gunzip_state(const struct sq_gunzip *gunzip) {
    return gunzip->state;
}

uint8_t *
sq_gunzip_space(struct sq_gunzip *gunzip) {
    assert(!gunzip->has_work);
    return gunzip->input;
}

/*
 * Reads what a piece of input has of the header; returns how many bytes. The
 * flags must be 0, as written by every gzip that compresses a pipe: a name, a
 * comment and other optional fields are refused.
 */
static size_t
read_header(struct sq_gunzip *gunzip, size_t count) {
    static const uint8_t start[] = { 0x1f, 0x8b, 8 /* deflate */, 0 };
    size_t used = sq_min_size(HEADER_BYTES - gunzip->header, count);
    for (size_t i = 0; i < used; i++, gunzip->header++) {
        if (gunzip->header < sizeof(start)
            && gunzip->input[i] != start[gunzip->header]) {
            gunzip->state = SQ_GUNZIP_INVALID;
        }
    }
    return used;
}

void
sq_gunzip_add(struct sq_gunzip *gunzip, size_t count) {
    assert(!gunzip->has_work && count <= SQ_GUNZIP_INPUT_BYTES);
    if (count > 0 && gunzip->state == SQ_GUNZIP_COMPLETE) {
        gunzip->state = SQ_GUNZIP_INVALID; /* bytes after the end */
    }
    if (gunzip->state == SQ_GUNZIP_READING) {
        size_t used = read_header(gunzip, count);
        gunzip->isal.next_in = gunzip->input + used;
        gunzip->isal.avail_in = (uint32_t)(count - used);
        gunzip->has_work = gunzip->state == SQ_GUNZIP_READING && count > used;
    }
}

bool
sq_gunzip_has_work(const struct sq_gunzip *gunzip) {
    return gunzip->has_work;
}

static void
update_state(struct sq_gunzip *gunzip, int result) {
    const struct inflate_state *isal = &gunzip->isal;
    bool is_done = isal->block_state == ISAL_BLOCK_FINISH;
    if (result < 0 || (is_done && isal->avail_in > 0)) {
        gunzip->state = SQ_GUNZIP_INVALID;
    } else if (is_done) {
        gunzip->state = SQ_GUNZIP_COMPLETE;
    }
    /* With space left in the output, all input has been used. */
    gunzip->has_work =
        gunzip->state == SQ_GUNZIP_READING && isal->avail_out == 0;
}

bool
sq_gunzip_run(struct sq_gunzip *gunzip, struct sq_buf *out, size_t max_bytes,
              struct sq_err *err) {
    struct inflate_state *isal = &gunzip->isal;
    uint8_t *space;
    if (!gunzip->has_work) {
        return true;
    }
    max_bytes = sq_min_size(max_bytes, out->max - out->len);
    max_bytes = sq_min_size(max_bytes, MAX_STEP);
    max_bytes = max_bytes > 0 ? max_bytes : 1;
    if (!sq_buf_reserve(out, max_bytes, &space, err)) {
        return false;
    }
    isal->next_out = space;
    isal->avail_out = (uint32_t)max_bytes;
    int result = isal_inflate(isal);
    sq_buf_commit(out, max_bytes - isal->avail_out);
    update_state(gunzip, result);
    return true;
}
