/* Draws the data of an answer onto a picture. */
#include "demo/tour/private.h"

#include <stdlib.h>

#include "image/draw/draw.h"

static const struct sq_paint element_paint = { 0x6d, 0x3b, 0xf5, 1 };
static const struct sq_paint touch_paint = { 0xff, 0x2d, 0x6f, 1 };
static const struct sq_paint change_paint = { 0x00, 0xa3, 0x8d, 1 };
static const struct sq_paint white = { 0xff, 0xff, 0xff, 1 };

#define MAX_COORDINATE 100000

static struct sq_paint
faded(struct sq_paint paint, float opacity) {
    paint.opacity = opacity;
    return paint;
}

/* Reads a member as a coordinate; false if it is none. */
static bool
read_coordinate(const struct sq_json *object, const char *key, float *out) {
    int64_t value;
    if (!sq_json_int(sq_json_get(object, key), &value) || value < 0
        || value > MAX_COORDINATE) {
        return false;
    }
    *out = (float)value;
    return true;
}

/* Reads a rectangle in either form that answers use. */
static bool
read_rectangle(const struct sq_json *object, struct sq_draw_shape *out) {
    static const char *const keys[][4] = {
        { "left", "top", "right", "bottom" },
        { "x", "y", "width", "height" },
    };
    bool has_size = !sq_json_get(object, "left");
    float at[4];
    for (int i = 0; i < 4; i++) {
        if (!read_coordinate(object, keys[has_size][i], &at[i])) {
            return false;
        }
    }
    *out = (struct sq_draw_shape){
        .radius = 7,
        .left = at[0],
        .top = at[1],
        .right = has_size ? at[0] + at[2] : at[2],
        .bottom = has_size ? at[1] + at[3] : at[3],
    };
    return true;
}

/* Inset, so that frames of adjacent elements do not overlap. */
#define FRAME_INSET 2.5f

/* Draws a frame that is visible on any background. */
static void
draw_frame(struct sq_image *image, struct sq_draw_shape shape,
           struct sq_paint paint) {
    shape.left += FRAME_INSET;
    shape.top += FRAME_INSET;
    shape.right -= FRAME_INSET;
    shape.bottom -= FRAME_INSET;
    shape.line = 0;
    sq_draw(image, &shape, faded(paint, 0.08f));
    shape.line = 5.5f;
    sq_draw(image, &shape, faded(white, 0.75f));
    shape.line = 2.5f;
    sq_draw(image, &shape, paint);
}

static void
draw_change(struct sq_image *image, const struct sq_json *changed) {
    struct sq_draw_shape shape;
    if (!read_rectangle(changed, &shape)) {
        return;
    }
    bool is_all = shape.right - shape.left >= (float)image->width
               && shape.bottom - shape.top >= (float)image->height;
    if (!is_all) {
        draw_frame(image, shape, change_paint);
    }
}

/* Draws a line of a compact list: "3 225,398 EditText:password Password". */
static void
draw_listed(struct sq_image *image, struct sq_span line) {
    int64_t number;
    int64_t x;
    int64_t y;
    if (!sq_span_take_int64(&line, &number) || !sq_span_take_prefix(&line, " ")
        || !sq_span_take_int64(&line, &x) || !sq_span_take_prefix(&line, ",")
        || !sq_span_take_int64(&line, &y) || number < 0 || x < 0 || y < 0
        || number > MAX_COORDINATE || x > MAX_COORDINATE
        || y > MAX_COORDINATE) {
        return;
    }
    float left = (float)x + 0.5f;
    float top = (float)y + 0.5f;
    sq_draw_disc(image, left, top, 15, 0, faded(white, 0.9f));
    sq_draw_disc(image, left, top, 13, 0, element_paint);
    sq_draw_number(image, (int)number, left, top, 10.5f, white);
}

static void
draw_elements(struct sq_image *image, const struct sq_json *element) {
    for (; element; element = sq_json_next(element)) {
        struct sq_draw_shape shape;
        struct sq_span line;
        if (sq_json_string(element, &line)) {
            draw_listed(image, line);
        } else if (read_rectangle(sq_json_get(element, "bounds"), &shape)) {
            draw_frame(image, shape, element_paint);
        }
    }
}

void
sq_tour_mark_change(struct sq_image *image, const struct sq_json *answer) {
    draw_elements(image, sq_json_first(sq_json_get(answer, "elements")));
    const struct sq_json *changed = sq_json_get(answer, "changed");
    bool is_list = sq_json_is(changed, SQ_JSON_ARRAY);
    for (changed = is_list ? sq_json_first(changed) : changed; changed;
         changed = is_list ? sq_json_next(changed) : NULL) {
        draw_change(image, changed);
    }
}

void
sq_tour_mark_touch(struct sq_image *image, const struct sq_json *answer) {
    const struct sq_json *tapped = sq_json_get(answer, "tapped");
    float x;
    float y;
    if (!read_coordinate(tapped, "x", &x)
        || !read_coordinate(tapped, "y", &y)) {
        return;
    }
    x += 0.5f;
    y += 0.5f;
    sq_draw_disc(image, x, y, 26, 0, faded(touch_paint, 0.15f));
    sq_draw_disc(image, x, y, 26, 7.5f, faded(white, 0.9f));
    sq_draw_disc(image, x, y, 26, 3.5f, touch_paint);
    sq_draw_disc(image, x, y, 10, 0, faded(white, 0.95f));
    sq_draw_disc(image, x, y, 7, 0, touch_paint);
}

#define DISC_RED 0xff
#define DISC_OTHER 0x6b
#define TOLERANCE 20

static bool
is_disc_colour(const uint8_t *pixel) {
    return abs(pixel[0] - DISC_RED) < TOLERANCE
        && abs(pixel[1] - DISC_OTHER) < TOLERANCE
        && abs(pixel[2] - DISC_OTHER) < TOLERANCE;
}

struct sq_img_pt
sq_tour_find_disc(const struct sq_image *image) {
    int64_t sum_x = 0;
    int64_t sum_y = 0;
    int64_t count = 0;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *row = sq_image_row(image, y);
        for (int x = 0; x < image->width; x++) {
            if (is_disc_colour(row + (size_t)x * SQ_PIXEL_BYTES)) {
                sum_x += x;
                sum_y += y;
                count++;
            }
        }
    }
    if (count == 0) {
        return (struct sq_img_pt){ image->width / 2, image->height / 2 };
    }
    return (struct sq_img_pt){ (int)(sum_x / count), (int)(sum_y / count) };
}
