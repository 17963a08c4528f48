/* Reads picture sizes from file headers. */
#include "image/pipeline/head.h"

#include <string.h>

#include "image/colour/exif.h"
#include "image/colour/orientation.h"
#include "image/pipeline/codec.h"
#include "image/png/chunks.h"
#include "util/bytes.h"

#define PNG_SIGNATURE_BYTES 8
#define PNG_CHUNK_BYTES 12 /* length, type and CRC */
#define WEBP_HEAD_BYTES 30
#define WEBP_HAS_EXIF 0x08
#define WEBP_SIDE_BITS 14

static uint32_t
little_endian(const uint8_t *at, int bytes) {
    uint32_t value = 0;
    for (int i = bytes; i-- > 0;) {
        value = value << 8 | at[i];
    }
    return value;
}

static bool
is_size(uint32_t width, uint32_t height, struct sq_size *out) {
    if (width < 1 || height < 1 || width > INT32_MAX || height > INT32_MAX) {
        return false;
    }
    *out = (struct sq_size){ (int)width, (int)height };
    return true;
}

/*
 * Reads the chunks before the pixel data. An eXIf chunk after it is rare and
 * ignored.
 */
static bool
png_size(const uint8_t *bytes, size_t count, struct sq_size *out) {
    struct sq_size stored = { 0 };
    enum sq_orientation orientation = SQ_ORIENT_UPRIGHT;
    size_t at = PNG_SIGNATURE_BYTES;
    while (count - at >= PNG_CHUNK_BYTES) {
        const uint8_t *type = bytes + at + 4;
        size_t len = sq_load_be32(bytes + at);
        if (memcmp(type, "IDAT", 4) == 0) {
            *out = sq_orientation_size(orientation, stored);
            return stored.width > 0;
        }
        if (len > count - at - PNG_CHUNK_BYTES) {
            return false;
        }
        if (memcmp(type, "IHDR", 4) == 0
            && (len < 8
                || !is_size(sq_load_be32(type + 4), sq_load_be32(type + 8),
                            &stored))) {
            return false;
        }
        if (memcmp(type, "eXIf", 4) == 0) {
            orientation = sq_exif_orientation(type + 4, len);
        }
        at += len + PNG_CHUNK_BYTES;
    }
    return false;
}

static bool
webp_size(const uint8_t *bytes, size_t count, struct sq_size *out) {
    const uint8_t *type = bytes + 12;
    if (count < WEBP_HEAD_BYTES) {
        return false;
    }
    if (memcmp(type, "VP8X", 4) == 0) {
        return !(bytes[20] & WEBP_HAS_EXIF)
            && is_size(little_endian(bytes + 24, 3) + 1,
                       little_endian(bytes + 27, 3) + 1, out);
    }
    uint32_t mask = (1U << WEBP_SIDE_BITS) - 1;
    if (memcmp(type, "VP8L", 4) == 0) {
        uint32_t bits = little_endian(bytes + 21, 4);
        return is_size((bits & mask) + 1, (bits >> WEBP_SIDE_BITS & mask) + 1,
                       out);
    }
    return memcmp(type, "VP8 ", 4) == 0
        && is_size(little_endian(bytes + 26, 2) & mask,
                   little_endian(bytes + 28, 2) & mask, out);
}

bool
sq_head_size(const uint8_t *bytes, size_t count, struct sq_size *out) {
    const struct sq_codec *codec;
    if (!sq_codec_find(bytes, count, &codec, NULL)) {
        return false;
    }
    if (strcmp(codec->name, "png") == 0) {
        return png_size(bytes, count, out);
    }
    if (strcmp(codec->name, "webp") == 0) {
        return webp_size(bytes, count, out);
    }
    return strcmp(codec->name, "jpeg") == 0
        && sq_codec_size(bytes, count, out, NULL);
}
