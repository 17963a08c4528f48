/* Recognises rising bars by the gaps between them and their solid areas. */
#include "vision/bars.h"

#include "util/minmax.h"

#define MIN_BARS 3
#define GREY 200     /* columns without pixels below this are gaps */
#define MIN_SOLID 75 /* percent of the area of a bar that is dark */
/* As parts of the height of the higher bar. */
#define MIN_STEP 12 /* least difference of the heights: a twelfth */
#define MAX_SHIFT 8 /* greatest distance of the lower ends: an eighth */

static uint8_t
level_at(const struct sq_strip *strip, int x, int y) {
    return strip->pixels[(size_t)y * (size_t)strip->width + (size_t)x];
}

/* Returns the darkest level of columns from..to. */
static uint8_t
darkest(const struct sq_strip *strip, int from, int to) {
    uint8_t least = 255;
    for (int y = 0; y < strip->height; y++) {
        for (int x = from; x < to; x++) {
            uint8_t level = level_at(strip, x, y);
            least = level < least ? level : least;
        }
    }
    return least;
}

/*
 * Finds what is dark in columns from..to, compared with the darkest pixel
 * there: bars may be grey. Returns whether it fills its box, without a gap as
 * in an i.
 */
static bool
find_bar(const struct sq_strip *strip, int from, int to, struct sq_rect *out) {
    int limit = (darkest(strip, from, to) + 255) / 2;
    int rows = 0;
    int dark = 0;
    struct sq_rect box = { to, strip->height, from, 0 };
    for (int y = 0; y < strip->height; y++) {
        int before = dark;
        for (int x = from; x < to; x++) {
            if (level_at(strip, x, y) < limit) {
                box.left = sq_min_int(box.left, x);
                box.right = sq_max_int(box.right, x + 1);
                dark++;
            }
        }
        if (dark > before) {
            box.top = sq_min_int(box.top, y);
            box.bottom = y + 1;
            rows++;
        }
    }
    *out = box;
    return rows > 0 && rows == sq_rect_height(box)
        && dark * 100 >= sq_rect_width(box) * rows * MIN_SOLID;
}

/* Returns whether a bar may follow another one. */
static bool
rises(struct sq_rect bar, struct sq_rect last) {
    int height = sq_rect_height(bar);
    int step = height - sq_rect_height(last);
    int shift = bar.bottom - last.bottom;
    int narrow = sq_min_int(sq_rect_width(bar), sq_rect_width(last));
    int wide = sq_max_int(sq_rect_width(bar), sq_rect_width(last));
    return step > 1 && step * MIN_STEP >= height && shift * MAX_SHIFT <= height
        && shift * MAX_SHIFT >= -height && 2 * wide <= 3 * narrow + 2;
}

bool
sq_box_has_bars(const struct sq_strip *strip, struct sq_rect box) {
    int count = 0;
    int end = sq_min_int(box.right, strip->width);
    struct sq_rect last = { 0 };
    for (int x = sq_max_int(box.left, 0); x < end;) {
        int from = x;
        while (x < end && darkest(strip, x, x + 1) < GREY) {
            x++;
        }
        if (x == from) {
            x++;
            continue;
        }
        struct sq_rect bar;
        if (!find_bar(strip, from, x, &bar)
            || (count > 0 && !rises(bar, last))) {
            return false;
        }
        last = bar;
        count++;
    }
    return count >= MIN_BARS;
}
