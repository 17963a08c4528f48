/* Lists the picture formats, and detects them by their signature. */
#include "image/pipeline/codec.h"

#include <string.h>

#include "image/colour/colour.h"
#include "image/png/png.h"
#include "image/webp/webp.h"
#include "util/bytes.h"

static bool
jpeg_sniff(const uint8_t *bytes, size_t count) {
    return count >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0;
}

static bool
jpeg_open_whole(const uint8_t *bytes, size_t count,
                const struct sq_limits *limits, struct sq_rows **out,
                struct sq_err *err) {
    const struct sq_jpeg_want full = { 0 };
    return sq_jpeg_open(bytes, count, limits, &full, out, err);
}

static bool
webp_sniff(const uint8_t *bytes, size_t count) {
    return count >= 12 && memcmp(bytes, "RIFF", 4) == 0
        && memcmp(bytes + 8, "WEBP", 4) == 0;
}

/* Raw frames have no signature, so they are checked last. */
static const struct sq_codec codecs[] = {
    { .name = "png",
      .sniff = sq_png_sniff,
      .open = sq_png_open,
      .shape = sq_png_shape },
    { .name = "jpeg",
      .sniff = jpeg_sniff,
      .open = jpeg_open_whole,
      .shape = sq_jpeg_shape,
      .open_part = sq_jpeg_open },
    { .name = "webp", .sniff = webp_sniff, .open = sq_webp_open },
    { .name = "raw",
      .sniff = sq_raw_sniff,
      .open = sq_raw_open,
      .is_plain = true },
};

/* Picture formats that are recognised by their signature but not read. */
static const struct {
    const char *name;
    size_t at;
    const char *bytes;
    size_t length;
} unsupported[] = {
    { "GIF", 0, "GIF87a", 6 },
    { "GIF", 0, "GIF89a", 6 },
    { "TIFF", 0, "II*\0", 4 },
    { "TIFF", 0, "MM\0*", 4 },
    { "TIFF", 0, "II+\0", 4 },
    { "TIFF", 0, "MM\0+", 4 },
    { "JPEG XL", 0, "\xff\x0a", 2 },
    { "JPEG XL", 4, "JXL \r\n\x87\n", 8 },
    { "JPEG 2000", 4, "jP  \r\n\x87\n", 8 },
    { "JPEG 2000", 0, "\xff\x4f\xff\x51", 4 },
};

/* AVIF and HEIC start with a list of compatible brands; "mif1" is in both. */
static const char *
name_by_brands(const uint8_t *bytes, size_t count) {
    const char *name = NULL;
    if (count < 16 || memcmp(bytes + 4, "ftyp", 4) != 0) {
        return NULL;
    }
    size_t end = sq_load_be16(bytes + 2); /* end of the list */
    end = bytes[0] || bytes[1] || end > count ? count : end;
    for (size_t at = 8; at + 4 <= end; at += at == 8 ? 8 : 4) {
        const uint8_t *brand = bytes + at;
        if (memcmp(brand, "avif", 4) == 0 || memcmp(brand, "avis", 4) == 0) {
            return "AVIF";
        }
        if (memcmp(brand, "hei", 3) == 0 || memcmp(brand, "hev", 3) == 0
            || memcmp(brand, "mif1", 4) == 0 || memcmp(brand, "msf1", 4) == 0) {
            name = "HEIC";
        }
    }
    return name;
}

/* Checks the header size too, because a signature of two letters is weak. */
static bool
is_bmp(const uint8_t *bytes, size_t count) {
    static const uint8_t sizes[] = { 12, 40, 52, 56, 64, 108, 124 };
    if (count < 18 || memcmp(bytes, "BM", 2) != 0) {
        return false;
    }
    return memchr(sizes, bytes[14], sizeof(sizes))
        && memcmp(bytes + 15, "\0\0", 3) == 0;
}

/* Returns the name of a format that is not supported, or NULL. */
static const char *
name_unsupported(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < sizeof(unsupported) / sizeof(unsupported[0]); i++) {
        if (count >= unsupported[i].at + unsupported[i].length
            && memcmp(bytes + unsupported[i].at, unsupported[i].bytes,
                      unsupported[i].length)
                   == 0) {
            return unsupported[i].name;
        }
    }
    return is_bmp(bytes, count) ? "BMP" : name_by_brands(bytes, count);
}

bool
sq_codec_find(const uint8_t *bytes, size_t count, const struct sq_codec **out,
              struct sq_err *err) {
    if (count == 0) {
        return sq_fail(err, SQ_ERR_TRUNCATED, "the picture is empty: 0 bytes");
    }
    for (size_t i = 0; i < sizeof(codecs) / sizeof(codecs[0]); i++) {
        if (codecs[i].sniff(bytes, count)) {
            *out = &codecs[i];
            return true;
        }
    }
    const char *name = name_unsupported(bytes, count);
    if (name) {
        sq_fail(err, SQ_ERR_UNSUPPORTED, "%s pictures are not supported", name);
        return sq_fail_hint(err, "Convert it to PNG, JPEG or WebP.");
    }
    sq_fail(err, SQ_ERR_FORMAT,
            "these %zu bytes are not a picture in a supported format", count);
    return sq_fail_hint(
        err, "squint reads PNG, JPEG, WebP and raw Android screencap frames.");
}

/* Reads picture sizes from file headers. */

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

/* Reads the chunks before the pixels; an eXIf chunk after them is rare. */
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
            return is_size((bits & mask) + 1,
                           (bits >> WEBP_SIDE_BITS & mask) + 1, out);
        }
        return memcmp(type, "VP8 ", 4) == 0
            && is_size(little_endian(bytes + 26, 2) & mask,
                       little_endian(bytes + 28, 2) & mask, out);
    }
    return strcmp(codec->name, "jpeg") == 0
        && sq_codec_size(bytes, count, out, NULL);
}
