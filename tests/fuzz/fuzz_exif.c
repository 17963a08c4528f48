/* EXIF data gives an orientation, the same one with the "Exif" prefix. */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "image/colour/colour.h"
#include "util/mem.h"

#define NAME_BYTES 6

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    enum sq_orientation orientation = sq_exif_orientation(data, size);
    assert(orientation < SQ_ORIENTATIONS);
    uint8_t *named = sq_mem_alloc(size + NAME_BYTES, 1);
    bool has_name = size >= NAME_BYTES && memcmp(data, "Exif\0", 6) == 0;
    if (named && !has_name) {
        memcpy(named, "Exif\0", NAME_BYTES);
        if (size) {
            memcpy(named + NAME_BYTES, data, size);
        }
        assert(sq_exif_orientation(named, size + NAME_BYTES) == orientation);
    }
    sq_mem_free(named);
    return 0;
}
