/* The file of a remembered picture is refused, or has a name that is valid. */
#include <assert.h>

#include "fuzz/fuzz.h"
#include "tools/screen/remembered.h"
#include "util/utf8.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_arena arena;
    struct sq_remembered what;
    struct sq_span png;
    struct sq_err err = { 0 };
    const struct sq_span bytes = { (const char *)data, size };
    sq_arena_init(&arena, (size_t)4 << 20);
    if (sq_remembered_parse(bytes, &arena, &what, &png, &err)) {
        assert(what.name.len > 0 && what.name.len <= SQ_REMEMBERED_NAME_BYTES);
        assert(sq_utf8_valid_len(what.name) == what.name.len);
        assert(png.len < size);
    } else {
        assert(err.code != SQ_ERR_NONE && err.message[0]);
    }
    sq_arena_finish(&arena);
    return 0;
}
