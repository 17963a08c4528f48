/*
 * Any pixels give lines inside the picture, and strips of limited size; the
 * picture's size comes from the first bytes.
 */
#include <assert.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "util/limits.h"
#include "util/minmax.h"
#include "vision/lines.h"
#include "vision/strip.h"

#define MAX_AREA 4096 /* pixels: larger pictures take long */

static void
check_line(const struct sq_image *image, struct sq_rect box) {
    struct sq_strip strip;
    struct sq_err err = { 0 };
    assert(box.left >= 0 && box.top >= 0 && box.right <= image->width
           && box.bottom <= image->height && !sq_rect_is_empty(box));
    for (int kind = SQ_LINE_PLAIN; kind <= SQ_LINE_LIGHT; kind++) {
        assert(sq_strip_make_of(image, box, (enum sq_line_kind)kind, &strip,
                                &err));
        assert(strip.width > 0 && strip.height > 0);
        assert(strip.background_percent >= 0
               && strip.background_percent <= 100);
        sq_strip_finish(&strip);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_image image = { 0 };
    struct sq_lines lines;
    struct sq_err err = { 0 };
    if (size < 3) {
        return 0;
    }
    int width = 1 + data[0];
    int height = 1 + data[1] % sq_min_int(64, MAX_AREA / width);
    if (!sq_image_init(&image, width, height, &sq_limits_default, &err)) {
        return 0;
    }
    for (size_t i = 0; i < image.stride * (size_t)height; i++) {
        image.pixels[i] = data[2 + i % (size - 2)];
    }
    const struct sq_rect area = { data[0] % 3 < width - 1 ? data[0] % 3 : 0, 0,
                                  width, height };
    assert(sq_labels_find(&image, area, &lines, &err));
    for (int i = 0; i < lines.count; i++) {
        check_line(&image, lines.boxes[i]);
    }
    sq_lines_finish(&lines);
    sq_image_finish(&image);
    return 0;
}
