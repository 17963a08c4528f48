/* Checks the output of screencap before it is decoded. */
#include "device/android/capture.h"

#include <string.h>

#include "device/android/parse.h"
#include "image/measure/measure.h"
#include "image/pipeline/picture.h"
#include "util/bytes.h"

#define PNG_HEADER 24 /* signature, and IHDR up to the height */
#define PNG_END 12    /* the complete IEND chunk */

/* A black PNG has far less than one byte per this many pixels. */
#define BLACK_PIXELS_PER_BYTE 40
#define BLACK_BASE_BYTES 2048

#define SAMPLES 512
#define RAW_HEADER 16
#define PIXEL_BYTES 4
/* Anything that is not a picture is a message of screencap. */
#define MAX_MESSAGE ((size_t)64 << 10)

static const uint8_t png_signature[] = { 0x89, 'P',  'N',  'G',
                                         '\r', '\n', 0x1a, '\n' };

static bool
fail_incomplete(const struct sq_buf *bytes, struct sq_err *err) {
    sq_fail(err, SQ_ERR_SCREENSHOT_FAILED,
            "the device sent only part of the picture (%zu bytes)", bytes->len);
    return sq_fail_hint(err, "Try again. If it fails again, check the cable.");
}

static bool
check_png(const struct sq_buf *bytes, struct sq_size *size,
          struct sq_err *err) {
    static const uint8_t end[PNG_END] = { 0,   0,   0,    0,    'I',  'E',
                                          'N', 'D', 0xae, 0x42, 0x60, 0x82 };
    if (bytes->len < sizeof(png_signature)
        || memcmp(bytes->data, png_signature, sizeof(png_signature)) != 0) {
        return sq_fail(err, SQ_ERR_FORMAT, "not a PNG");
    }
    if (bytes->len < PNG_HEADER + PNG_END
        || memcmp(bytes->data + bytes->len - PNG_END, end, PNG_END) != 0) {
        return fail_incomplete(bytes, err);
    }
    struct sq_size found = { (int)sq_load_be32(bytes->data + 16),
                             (int)sq_load_be32(bytes->data + 20) };
    if (!sq_image_check_size(found.width, found.height, &sq_limits_capture,
                             err)) {
        return sq_fail_hint(
            err, "Reduce the size of its screen: adb shell wm size 1080x2400");
    }
    *size = found;
    return true;
}

bool
sq_picture_check(const struct sq_buf *bytes, bool png, struct sq_size *size,
                 struct sq_err *err) {
    struct sq_rows *rows;
    struct sq_err local_err = { 0 };
    if (png) {
        return check_png(bytes, size, err);
    }
    if (!sq_raw_sniff(bytes->data, bytes->len)) {
        return sq_fail(err, SQ_ERR_FORMAT, "not a raw frame");
    }
    if (!sq_raw_open(bytes->data, bytes->len, &sq_limits_default, &rows,
                     &local_err)) {
        return local_err.code == SQ_ERR_NOMEM ? sq_fail_nomem(err)
                                              : fail_incomplete(bytes, err);
    }
    *size = (struct sq_size){ rows->width, rows->height };
    sq_rows_destroy(rows);
    return true;
}

size_t
sq_picture_max_bytes(const struct sq_buf *part) {
    struct sq_span whole = sq_buf_span(part);
    struct sq_span picture = sq_screencap_skip_warning(whole);
    const uint8_t *bytes = (const uint8_t *)picture.ptr;
    if (picture.len < SQ_RAW_HEADER_BYTES) {
        return whole.len > MAX_MESSAGE ? MAX_MESSAGE : 0;
    }
    if (memcmp(bytes, png_signature, sizeof(png_signature)) == 0) {
        return 0;
    }
    size_t frame_bytes = sq_raw_most_bytes(bytes, picture.len);
    return frame_bytes > 0 ? whole.len - picture.len + frame_bytes
                           : MAX_MESSAGE;
}

static bool
is_black(const uint8_t *pixel) {
    return pixel[0] <= SQ_BLACK_CEILING && pixel[1] <= SQ_BLACK_CEILING
        && pixel[2] <= SQ_BLACK_CEILING;
}

bool
sq_picture_is_black(const struct sq_buf *bytes, bool png) {
    bool black = true;
    if (png) {
        int64_t pixels = (int64_t)(int)sq_load_be32(bytes->data + 16)
                       * (int)sq_load_be32(bytes->data + 20);
        black = (int64_t)bytes->len
             <= BLACK_BASE_BYTES + pixels / BLACK_PIXELS_PER_BYTE;
    } else if (bytes->len >= RAW_HEADER + PIXEL_BYTES) {
        /* Samples pixels of four bytes; smaller formats have fewer. */
        size_t pixels = (bytes->len - RAW_HEADER) / PIXEL_BYTES;
        for (size_t i = 0; black && i < SAMPLES; i++) {
            black = is_black(bytes->data + RAW_HEADER
                             + pixels * i / SAMPLES * PIXEL_BYTES);
        }
    }
    /* Decodes row by row, since a huge black picture can be a small file. */
    struct sq_rows *rows;
    struct sq_row row;
    if (!black
        || !sq_picture_open(bytes->data, bytes->len, &sq_limits_capture, &rows,
                            NULL)) {
        return false;
    }
    for (int y = 0; black && y < rows->height; y++) {
        black = sq_rows_next(rows, &row, NULL);
        for (int x = 0; black && !row.same && x < rows->width; x++) {
            black = is_black(row.pixels + (size_t)x * SQ_PIXEL_BYTES);
        }
    }
    sq_rows_destroy(rows);
    return black;
}
