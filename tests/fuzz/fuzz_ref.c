/*
 * Parses any bytes as a reference, and changes to one of 256 valid ones: an
 * accepted text is exactly what would be written, and has one of the 256
 * contents.
 */
#include <assert.h>
#include <string.h>

#include "archive/store/ref.h"
#include "fuzz/fuzz.h"

#define UTC 1772172884
#define STEM 0x123456789a

static const struct sq_ref_key key = { "a key that is known to everyone" };

static void
check(struct sq_span text) {
    struct sq_ref ref = { 0 };
    char again[SQ_REF_SIZE];
    if (sq_ref_read(&key, text, &ref)) {
        sq_ref_write(&key, &ref, again);
        assert(text.len == SQ_REF_SIZE - 1
               && memcmp(again, text.ptr, text.len) == 0);
        assert(ref.root < 256 && ref.utc == UTC && ref.stem == STEM);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char text[SQ_REF_SIZE];
    struct sq_ref ref = { .root = size ? data[0] : 0,
                          .utc = UTC,
                          .stem = STEM };
    sq_ref_write(&key, &ref, text);
    bool ok = sq_ref_read(&key, sq_span_of(text), &ref);
    assert(ok);
    for (size_t i = 1; i < size && i < SQ_REF_SIZE; i++) {
        text[i - 1] ^= (char)data[i];
    }
    check((struct sq_span){ text, SQ_REF_SIZE - 1 });
    check((struct sq_span){ (const char *)data, size });
    return 0;
}
