/* Reads the orientation from EXIF data and turns coordinates and pixels. */
#include "image/colour/colour.h"

#include <assert.h>
#include <string.h>

#include "util/bytes.h"

/* Finds the orientation tag in EXIF data. */

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

/* The steps to turn a picture upright: swap the axes, then mirror. */
struct turn {
    bool swap;
    bool mirror_x;
    bool mirror_y;
};

static const struct turn turns[SQ_ORIENTATIONS] = {
    [SQ_ORIENT_UPRIGHT] = { false, false, false },
    [SQ_ORIENT_MIRRORED] = { false, true, false },
    [SQ_ORIENT_UPSIDE_DOWN] = { false, true, true },
    [SQ_ORIENT_FLIPPED] = { false, false, true },
    [SQ_ORIENT_TRANSPOSED] = { true, false, false },
    [SQ_ORIENT_TURN_RIGHT] = { true, true, false },
    [SQ_ORIENT_TRANSVERSED] = { true, true, true },
    [SQ_ORIENT_TURN_LEFT] = { true, false, true },
};

struct sq_size
sq_orientation_size(enum sq_orientation orientation, struct sq_size size) {
    if (turns[orientation].swap) {
        return (struct sq_size){ size.height, size.width };
    }
    return size;
}

struct sq_region
sq_stored_region(const struct sq_stored_shape *shape,
                 struct sq_region upright) {
    const struct turn *turn = &turns[shape->orientation];
    struct sq_size size =
        sq_orientation_size(shape->orientation, shape->stored);
    struct sq_region at = upright;
    if (turn->mirror_x) {
        at.x = size.width - at.x - at.width;
    }
    if (turn->mirror_y) {
        at.y = size.height - at.y - at.height;
    }
    if (turn->swap) {
        return (struct sq_region){ at.y, at.x, at.height, at.width };
    }
    return at;
}

/* Writes stored row y to its place in the image, pixel by pixel. */
static void
place_row(const struct sq_image *image, const struct turn *turn, int y,
          const struct sq_row *row, int width) {
    ptrdiff_t down = (ptrdiff_t)image->stride;
    ptrdiff_t step = turn->swap ? down : SQ_PIXEL_BYTES;
    bool backwards = turn->swap ? turn->mirror_y : turn->mirror_x;
    int column = 0;
    int line = y;
    if (turn->swap) {
        column = turn->mirror_x ? image->width - 1 - y : y;
        line = 0;
    } else if (turn->mirror_y) {
        line = image->height - 1 - y;
    }
    uint8_t *to = sq_image_row(image, line) + column * SQ_PIXEL_BYTES;
    if (backwards) {
        to += (width - 1) * step;
        step = -step;
    }
    for (int x = 0; x < width; x++, to += step) {
        memcpy(to, row->pixels + (size_t)x * SQ_PIXEL_BYTES, SQ_PIXEL_BYTES);
    }
}

bool
sq_rows_turn(struct sq_rows *rows, const struct sq_limits *limits,
             struct sq_rows **out, struct sq_err *err) {
    if (rows->orientation == SQ_ORIENT_UPRIGHT) {
        *out = rows;
        return true;
    }
    assert(!rows->colour);
    struct sq_image image = { 0 };
    struct sq_size size = sq_orientation_size(
        rows->orientation, (struct sq_size){ rows->width, rows->height });
    bool ok = sq_image_init(&image, size.width, size.height, limits, err);
    for (int y = 0; ok && y < rows->height; y++) {
        struct sq_row row;
        ok = sq_rows_next(rows, &row, err);
        if (ok) {
            place_row(&image, &turns[rows->orientation], y, &row, rows->width);
        }
    }
    sq_rows_destroy(rows);
    if (!ok) {
        sq_image_finish(&image);
        return false;
    }
    return sq_rows_own_image(&image, NULL, out, err);
}
