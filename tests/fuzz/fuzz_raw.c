/* A raw frame is refused with an error or has all its rows. */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "image/pipeline/codec.h"

static const struct sq_limits limits = { 4000, 1000000, (size_t)16 << 20 };

static unsigned
sum_of(const uint8_t *bytes, size_t count) {
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += bytes[i];
    }
    return sum;
}

/* Every row with its padding, and whether its promises are true. */
static void
check_rows(struct sq_rows *rows) {
    size_t row_bytes = (size_t)rows->width * SQ_PIXEL_BYTES;
    struct sq_err err = { 0 };
    unsigned before = 0;
    for (int y = 0; y < rows->height; y++) {
        struct sq_row row = { 0 };
        bool ok = sq_rows_next(rows, &row, &err);
        assert(ok);
        unsigned sum = sum_of(row.pixels, row_bytes);
        unsigned all = sum_of(row.pixels, row_bytes + SQ_ROW_SLACK);
        assert(all >= sum && (!row.same || (y > 0 && sum == before)));
        before = sum;
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_err err = { 0 };
    struct sq_rows *rows = NULL;
    if (sq_raw_open(data, size, &limits, &rows, &err)) {
        assert(sq_raw_sniff(data, size));
        assert(rows->width >= 1 && rows->height >= 1);
        check_rows(rows);
    } else {
        assert(err.code != SQ_ERR_NONE && err.message[0]);
    }
    sq_rows_destroy(rows);
    return 0;
}
