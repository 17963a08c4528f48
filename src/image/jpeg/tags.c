/* Reads the EXIF and ICC segments of a JPEG file. */
#include "image/jpeg/tags.h"

#include <string.h>

#include "image/colour/exif.h"
#include "image/colour/icc.h"
#include "util/bytes.h"

#define MARKER_TEM 0x01
#define MARKER_RST0 0xd0
#define MARKER_SOI 0xd8
#define MARKER_EOI 0xd9
#define MARKER_SOS 0xda
#define MARKER_APP1 0xe1
#define MARKER_APP2 0xe2

#define MAX_PIECES 255 /* a profile is split into segments */

struct piece {
    const uint8_t *bytes;
    size_t count;
};

struct reader {
    const uint8_t *bytes;
    size_t count;
    size_t at;
    bool has_exif;
    enum sq_orientation orientation;
    int pieces; /* declared number of pieces, 0: no profile */
    int found;
    bool is_broken; /* the profile is damaged */
    struct piece piece[MAX_PIECES];
};

struct segment {
    uint8_t marker;
    const uint8_t *data;
    size_t length;
};

static bool
starts_with(const struct segment *segment, const char *name, size_t length) {
    return segment->length >= length
        && memcmp(segment->data, name, length) == 0;
}

static void
read_exif(struct reader *r, const struct segment *segment) {
    if (!r->has_exif && starts_with(segment, "Exif\0", 6)) {
        r->orientation = sq_exif_orientation(segment->data, segment->length);
        r->has_exif = true;
    }
}

/*
 * Reads "ICC_PROFILE", the number of this piece from 1, and the number of
 * pieces.
 */
static void
read_profile(struct reader *r, const struct segment *segment) {
    static const char name[] = "ICC_PROFILE";
    size_t header = sizeof(name) + 2;
    if (!starts_with(segment, name, sizeof(name)) || segment->length < header) {
        return;
    }
    int number = segment->data[sizeof(name)];
    int pieces = segment->data[sizeof(name) + 1];
    if (r->pieces == 0) {
        r->pieces = pieces;
    }
    if (number < 1 || number > pieces || pieces != r->pieces
        || r->piece[number - 1].bytes) {
        r->is_broken = true;
        return;
    }
    r->piece[number - 1] =
        (struct piece){ segment->data + header, segment->length - header };
    r->found++;
}

/* Returns false at the picture data, or if there is no segment. */
static bool
next_segment(struct reader *r, struct segment *segment) {
    while (r->at + 1 < r->count && r->bytes[r->at] == 0xff
           && r->bytes[r->at + 1] == 0xff) {
        r->at++; /* fill bytes */
    }
    if (r->at + 2 > r->count || r->bytes[r->at] != 0xff) {
        return false;
    }
    *segment = (struct segment){ .marker = r->bytes[r->at + 1] };
    r->at += 2;
    uint8_t marker = segment->marker;
    if (marker == MARKER_TEM
        || (marker >= MARKER_RST0 && marker <= MARKER_SOI)) {
        return true;
    }
    if (marker == MARKER_SOS || marker == MARKER_EOI || r->count - r->at < 2) {
        return false;
    }
    size_t length = sq_load_be16(r->bytes + r->at);
    if (length < 2 || length > r->count - r->at) {
        return false;
    }
    segment->data = r->bytes + r->at + 2;
    segment->length = length - 2;
    r->at += length;
    return true;
}

static bool
join_profile(const struct reader *r, struct sq_buf *out, struct sq_err *err) {
    size_t total = 0;
    if (r->is_broken || r->found != r->pieces) {
        return true;
    }
    for (int i = 0; i < r->pieces; i++) {
        total += r->piece[i].count;
    }
    if (total > SQ_MAX_ICC_BYTES) {
        return true;
    }
    for (int i = 0; i < r->pieces; i++) {
        if (!sq_buf_append(out, r->piece[i].bytes, r->piece[i].count, err)) {
            return false;
        }
    }
    return true;
}

bool
sq_jpeg_tags_init(struct sq_jpeg_tags *tags, const uint8_t *bytes, size_t count,
                  struct sq_err *err) {
    struct reader reader = { .bytes = bytes, .count = count };
    struct segment segment;
    while (next_segment(&reader, &segment)) {
        if (segment.marker == MARKER_APP1) {
            read_exif(&reader, &segment);
        } else if (segment.marker == MARKER_APP2) {
            read_profile(&reader, &segment);
        }
    }
    tags->orientation = reader.orientation;
    sq_buf_init(&tags->icc, SQ_MAX_ICC_BYTES);
    return join_profile(&reader, &tags->icc, err);
}

void
sq_jpeg_tags_finish(struct sq_jpeg_tags *tags) {
    sq_buf_finish(&tags->icc);
    *tags = (struct sq_jpeg_tags){ 0 };
}
