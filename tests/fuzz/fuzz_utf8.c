/* Validating, decoding and encoding of UTF-8 agree. */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "util/utf8.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_span rest = { (const char *)data, size };
    size_t valid = sq_utf8_valid_len(rest);
    size_t at = 0;
    uint32_t code;
    size_t len;
    assert(valid <= size);
    while ((len = sq_utf8_decode(rest, &code)) > 0) {
        char again[SQ_UTF8_MAX];
        assert(len <= rest.len && code <= 0x10ffff);
        assert(sq_utf8_encode(code, again) == len);
        assert(memcmp(again, rest.ptr, len) == 0);
        rest = (struct sq_span){ rest.ptr + len, rest.len - len };
        at += len;
    }
    assert(at == valid);
    return 0;
}
