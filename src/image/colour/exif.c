/* Finds the orientation tag in EXIF data. */
#include "image/colour/exif.h"

#include <string.h>

#include "util/bytes.h"

#define PREFIX_BYTES 6
#define TIFF_HEADER_BYTES 8
#define ENTRY_BYTES 12
#define TAG_ORIENTATION 0x0112
#define TYPE_SHORT 3

/* TIFF data in either byte order. */
struct tiff {
    const uint8_t *bytes;
    size_t count;
    bool big_endian;
};

static unsigned
load16(const struct tiff *tiff, size_t at) {
    const uint8_t *p = tiff->bytes + at;
    return tiff->big_endian ? sq_load_be16(p) : sq_load_le16(p);
}

static size_t
load32(const struct tiff *tiff, size_t at) {
    size_t first = load16(tiff, at);
    size_t second = load16(tiff, at + 2);
    return tiff->big_endian ? first << 16 | second : second << 16 | first;
}

static bool
read_header(struct tiff *tiff) {
    static const uint8_t prefix[PREFIX_BYTES] = { 'E', 'x', 'i', 'f', 0, 0 };
    if (tiff->count >= PREFIX_BYTES
        && memcmp(tiff->bytes, prefix, PREFIX_BYTES) == 0) {
        tiff->bytes += PREFIX_BYTES;
        tiff->count -= PREFIX_BYTES;
    }
    if (tiff->count < TIFF_HEADER_BYTES) {
        return false;
    }
    tiff->big_endian = memcmp(tiff->bytes, "MM\0*", 4) == 0;
    return tiff->big_endian || memcmp(tiff->bytes, "II*\0", 4) == 0;
}

/* Reads the orientation from an entry; false if it is another tag. */
static bool
read_entry(const struct tiff *tiff, size_t at, enum sq_orientation *out) {
    if (load16(tiff, at) != TAG_ORIENTATION
        || load16(tiff, at + 2) != TYPE_SHORT || load32(tiff, at + 4) != 1) {
        return false;
    }
    unsigned value = load16(tiff, at + 8);
    bool known = value >= 1 && value <= SQ_ORIENTATIONS;
    *out = known ? (enum sq_orientation)(value - 1) : SQ_ORIENT_UPRIGHT;
    return true;
}

enum sq_orientation
sq_exif_orientation(const uint8_t *bytes, size_t count) {
    struct tiff tiff = { .bytes = bytes, .count = count };
    enum sq_orientation orientation = SQ_ORIENT_UPRIGHT;
    if (!read_header(&tiff)) {
        return orientation;
    }
    size_t at = load32(&tiff, 4);
    if (at > tiff.count - 2) {
        return orientation;
    }
    size_t entries = load16(&tiff, at);
    at += 2;
    for (; entries > 0 && tiff.count - at >= ENTRY_BYTES; entries--) {
        if (read_entry(&tiff, at, &orientation)) {
            break;
        }
        at += ENTRY_BYTES;
    }
    return orientation;
}
