/*
 * sample-screen KIND WIDTH HEIGHT OUT: draw a page ("ui" or "photo") and write
 * it as Android's screencap would: a raw frame.
 */
#include <stdio.h>

#include "demo/page.h"
#include "sys/file.h"
#include "util/span.h"

#define RGBA_8888 1
#define SRGB 1

static bool
append_word(struct sq_buf *out, uint32_t word, struct sq_err *err) {
    const uint8_t bytes[] = { (uint8_t)word, (uint8_t)(word >> 8),
                              (uint8_t)(word >> 16), (uint8_t)(word >> 24) };
    return sq_buf_append(out, bytes, sizeof(bytes), err);
}

static bool
append_frame(struct sq_buf *out, const struct sq_image *image,
             struct sq_err *err) {
    bool ok = append_word(out, (uint32_t)image->width, err)
           && append_word(out, (uint32_t)image->height, err)
           && append_word(out, RGBA_8888, err) && append_word(out, SRGB, err);
    for (int y = 0; ok && y < image->height; y++) {
        ok = sq_buf_append(out, sq_image_row(image, y), image->stride, err);
    }
    return ok;
}

static bool
read_side(const char *word, int *side, struct sq_err *err) {
    int64_t value;
    if (!sq_span_to_int64(sq_span_of(word), &value) || value < 1
        || value > SQ_MAX_SIDE) {
        return sq_fail(err, SQ_ERR_ARGUMENT, "\"%s\" is no side", word);
    }
    *side = (int)value;
    return true;
}

int
main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: sample-screen ui|photo WIDTH HEIGHT OUT\n");
        return 2;
    }
    struct sq_err err = { 0 };
    struct sq_image page = { 0 };
    struct sq_buf frame;
    sq_buf_init(&frame, SQ_MAX_IMAGE_BYTES);
    int width;
    int height;
    bool ok = read_side(argv[2], &width, &err)
           && read_side(argv[3], &height, &err)
           && demo_page_draw(argv[1], width, height, &page, &err)
           && append_frame(&frame, &page, &err)
           && sq_file_write(argv[4], frame.data, frame.len, &err);
    if (!ok) {
        fprintf(stderr, "sample-screen: %s\n", err.message);
    }
    sq_buf_finish(&frame);
    sq_image_finish(&page);
    return ok ? 0 : 1;
}
