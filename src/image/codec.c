#include "image/codec.h"

#include <string.h>

#include "image/png_chunks.h"
#include "image/png_read.h"
#include "image/raw_frame.h"
#include "image/webp.h"

static bool
jpeg_sniff(const uint8_t *bytes, size_t count) {
    return count >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0;
}

static bool
jpeg_open_whole(const uint8_t *bytes, size_t count,
                const struct sq_limits *limits, struct sq_rows **out,
                struct sq_err *err) {
    const struct sq_jpeg_want whole = { 0 };
    return sq_jpeg_open(bytes, count, limits, &whole, out, err);
}

static bool
webp_sniff(const uint8_t *bytes, size_t count) {
    return count >= 12 && memcmp(bytes, "RIFF", 4) == 0
        && memcmp(bytes + 8, "WEBP", 4) == 0;
}

/* Raw frames have no signature of their own, so they are asked last. */
static const struct sq_codec codecs[] = {
    { .name = "png", .sniff = sq_png_sniff, .open = sq_png_open },
    { .name = "jpeg",
      .sniff = jpeg_sniff,
      .open = jpeg_open_whole,
      .size = sq_jpeg_size,
      .open_part = sq_jpeg_open },
    { .name = "webp", .sniff = webp_sniff, .open = sq_webp_open },
    { .name = "raw", .sniff = sq_raw_sniff, .open = sq_raw_open },
};

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
    sq_fail(err, SQ_ERR_FORMAT, "these %zu bytes are no picture squint knows",
            count);
    return sq_fail_hint(err, "It reads PNG, JPEG, WebP and raw Android "
                             "screencap frames.");
}

bool
sq_codec_size(const uint8_t *bytes, size_t count, struct sq_size *out,
              struct sq_err *err) {
    const struct sq_codec *codec;
    struct sq_rows *rows;
    if (!sq_codec_find(bytes, count, &codec, err)) {
        return false;
    }
    if (codec->size) {
        return codec->size(bytes, count, &out->width, &out->height, err);
    }
    if (!codec->open(bytes, count, &sq_limits_default, &rows, err)) {
        return false;
    }
    *out = (struct sq_size){ rows->width, rows->height };
    sq_rows_destroy(rows);
    return true;
}

bool
sq_image_decode(const uint8_t *bytes, size_t count,
                const struct sq_limits *limits, struct sq_image *out,
                struct sq_err *err) {
    const struct sq_codec *codec;
    struct sq_rows *rows = NULL;
    bool ok = sq_codec_find(bytes, count, &codec, err)
           && codec->open(bytes, count, limits, &rows, err)
           && sq_rows_to_image(rows, limits, out, err);
    sq_rows_destroy(rows);
    return ok;
}
