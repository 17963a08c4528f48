/* Numbers are drawn beside text, and cells of the grid are points. */
#include "tools/screen/marks.h"

#include "geom/rect.h"
#include "support/fake_device.h"
#include "support/test.h"
#include "util/limits.h"

#define WIDTH 450
#define HEIGHT 1000

static const struct fake_node list[] = {
    { 0, "android.widget.FrameLayout", .bounds = { 0, 0, 450, 1000 } },
    { 1, "android.widget.Button", .text = "One",
      .bounds = { 100, 100, 300, 140 }, .flags = SQ_NODE_CLICKABLE },
    { 1, "android.widget.TextView", .text = "Two",
      .bounds = { 100, 300, 300, 340 } },
    { 1, "android.widget.Button", .text = "Three", .bounds = { 0, 0, 450, 40 },
      .flags = SQ_NODE_CLICKABLE },
    { .class_name = NULL },
};

static void
fill(struct sq_image *image, struct sq_rect rect, int stripes) {
    for (int y = rect.top; y < rect.bottom; y++) {
        for (int x = rect.left; x < rect.right; x++) {
            uint8_t *p = sq_image_row(image, y) + (size_t)x * 4;
            memset(p, stripes && x / 2 % 2 ? 20 : 230, 3);
        }
    }
}

static bool
are_equal(const struct sq_image *a, const struct sq_image *b,
          struct sq_rect rect) {
    for (int y = rect.top; y < rect.bottom; y++) {
        if (memcmp(sq_image_row(a, y) + (size_t)rect.left * 4,
                   sq_image_row(b, y) + (size_t)rect.left * 4,
                   (size_t)(rect.right - rect.left) * 4)
            != 0) {
            return false;
        }
    }
    return true;
}

T_CASE(numbers_cover_no_text) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_image_finish) struct sq_image before = { 0 };
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    const struct sq_view view = sq_view_make((struct sq_size){ WIDTH, HEIGHT },
                                             (struct sq_size){ WIDTH, HEIGHT });
    /* "Text" inside the buttons, and left of the first one. */
    const struct sq_rect texts[] = { { 103, 103, 297, 137 },
                                     { 20, 90, 98, 160 },
                                     { 3, 3, 200, 37 } };
    T_ARENA(arena, (size_t)1 << 20);
    T_OK(fake_tree_build(list, &tree, &t_err)
         && sq_image_init(&image, WIDTH, HEIGHT, &sq_limits_default, &t_err)
         && sq_image_init(&before, WIDTH, HEIGHT, &sq_limits_default, &t_err));
    fill(&image, (struct sq_rect){ 0, 0, WIDTH, HEIGHT }, 0);
    for (size_t i = 0; i < 3; i++) {
        fill(&image, texts[i], 1);
    }
    memcpy(before.pixels, image.pixels, image.stride * (size_t)HEIGHT);
    struct sq_marks marks = { .tree = &tree, .arena = &arena };
    T_OK(sq_marks_draw(&marks, &image, &view, &t_err));
    T_INT(marks.drawn, 2); /* what can be touched */
    T_INT(marks.list.count, 3);
    for (size_t i = 0; i < 3; i++) {
        T(are_equal(&image, &before, texts[i]));
    }
    T(!are_equal(&image, &before, (struct sq_rect){ 0, 0, WIDTH, HEIGHT }));
}

/* Scenes of at most six marks, so that each has its own colour. */
#define CLICK .flags = SQ_NODE_CLICKABLE
#define BUTTON "android.widget.Button"
static const struct fake_node scenes[][8] = {
    /* Touching rows, with a switch in the second one. */
    { { 0, "a.Frame", .bounds = { 0, 0, 450, 1000 } },
      { 1, BUTTON, .text = "A", .bounds = { 0, 200, 450, 260 }, CLICK },
      { 1, BUTTON, .text = "B", .bounds = { 0, 260, 450, 320 }, CLICK },
      { 2, BUTTON, .text = "S", .bounds = { 380, 270, 440, 310 }, CLICK },
      { 1, BUTTON, .text = "C", .bounds = { 0, 320, 450, 380 }, CLICK },
      { 1, BUTTON, .text = "D", .bounds = { 0, 380, 450, 440 }, CLICK },
      { 1, BUTTON, .text = "E", .bounds = { 0, 440, 450, 500 }, CLICK } },
    /* Tiny boxes that touch: in a line, and alone. */
    { { 0, "a.Frame", .bounds = { 0, 0, 450, 1000 } },
      { 1, BUTTON, .text = "A", .bounds = { 200, 500, 208, 508 }, CLICK },
      { 1, BUTTON, .text = "B", .bounds = { 208, 500, 216, 508 }, CLICK },
      { 1, BUTTON, .text = "C", .bounds = { 216, 500, 224, 508 }, CLICK },
      { 1, BUTTON, .text = "D", .bounds = { 224, 500, 232, 508 }, CLICK },
      { 1, BUTTON, .text = "E", .bounds = { 40, 40, 44, 44 }, CLICK } },
    /* At the edges of the screen, and one over two others. */
    { { 0, "a.Frame", .bounds = { 0, 0, 450, 1000 } },
      { 1, BUTTON, .text = "A", .bounds = { 0, 0, 20, 20 }, CLICK },
      { 1, BUTTON, .text = "B", .bounds = { 440, 0, 450, 10 }, CLICK },
      { 1, BUTTON, .text = "C", .bounds = { 0, 900, 450, 950 }, CLICK },
      { 1, BUTTON, .text = "D", .bounds = { 0, 950, 450, 1000 }, CLICK },
      { 1, BUTTON, .text = "E", .bounds = { 380, 920, 440, 980 }, CLICK } },
    /* A page of touching rows that are lower than a number. */
    { { 0, "a.Frame", .bounds = { 0, 0, 450, 1000 } },
      { 1, BUTTON, .text = "A", .bounds = { 0, 200, 450, 208 }, CLICK },
      { 1, BUTTON, .text = "B", .bounds = { 0, 208, 450, 216 }, CLICK },
      { 1, BUTTON, .text = "C", .bounds = { 0, 216, 450, 224 }, CLICK } },
};

/* Returns which mark has this colour, or -1. Texts and edges have others. */
static int
mark_of(const uint8_t *pixel) {
    static const uint8_t colours[][3] = {
        { 0xd3, 0x2f, 0x2f }, { 0x15, 0x65, 0xc0 }, { 0x2e, 0x7d, 0x32 },
        { 0x6a, 0x1b, 0x9a }, { 0xb3, 0x59, 0x00 }, { 0x00, 0x79, 0x6b }
    };
    for (int i = 0; i < 6; i++) {
        int away = 0;
        for (int c = 0; c < 3; c++) {
            int full = colours[i][c] * 92 / 100 + 255 * 8 / 100;
            away += pixel[c] > full ? pixel[c] - full : full - pixel[c];
        }
        if (away < 12) {
            return i;
        }
    }
    return -1;
}

/* Returns the smallest box around a point, or -1. Frames have 2 pixels. */
static int
owner_of(const struct sq_rect *boxes, int count, int x, int y, bool *on_frame) {
    int owner = -1;
    int64_t least = INT64_MAX;
    *on_frame = false;
    for (int i = 0; i < count; i++) {
        struct sq_rect b = boxes[i];
        int64_t area = (int64_t)(b.right - b.left) * (b.bottom - b.top);
        bool in = x >= b.left && x < b.right && y >= b.top && y < b.bottom;
        bool deep = x >= b.left + 2 && x < b.right - 2 && y >= b.top + 2
                 && y < b.bottom - 2;
        *on_frame = *on_frame || (in && !deep);
        if (in && area < least) {
            least = area;
            owner = i;
        }
    }
    return owner;
}

static void
numbers_are_in_no_other_box(size_t scene) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    T_FREED(sq_tree_finish) struct sq_tree tree = { 0 };
    struct sq_rect boxes[8];
    int count = 0;
    int seen[8] = { 0 };
    int wrong = 0;
    const struct sq_view view = sq_view_make((struct sq_size){ WIDTH, HEIGHT },
                                             (struct sq_size){ WIDTH, HEIGHT });
    T_ARENA(arena, (size_t)1 << 20);
    T_OK(fake_tree_build(scenes[scene], &tree, &t_err)
         && sq_image_init(&image, WIDTH, HEIGHT, &sq_limits_default, &t_err));
    fill(&image, (struct sq_rect){ 0, 0, WIDTH, HEIGHT }, 0);
    memset(image.pixels, 255, image.stride * (size_t)HEIGHT);
    struct sq_marks marks = { .tree = &tree, .arena = &arena };
    T_OK(sq_marks_draw(&marks, &image, &view, &t_err));
    for (size_t i = 0; i < marks.list.count; i++) {
        const struct sq_dev_rect b = marks.list.items[i].node->bounds;
        boxes[count++] = (struct sq_rect){ b.left, b.top, b.right, b.bottom };
    }
    T_INT(marks.drawn, count);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            bool on_frame;
            int mark = mark_of(sq_image_row(&image, y) + (size_t)x * 4);
            int owner = owner_of(boxes, count, x, y, &on_frame);
            if (mark >= 0 && !on_frame) {
                seen[mark]++;
                wrong += owner >= 0 && owner != mark;
            }
        }
    }
    T_INT(wrong, 0);
    for (int i = 0; i < count; i++) {
        /* Only rows that are lower than a number and as wide as the screen
           have none. */
        T((seen[i] > 30) == (scene != 3 || i != 1));
    }
}

T_CASE(every_number_is_that_of_its_box) {
    for (size_t i = 0; i < SQ_COUNT(scenes); i++) {
        printf("# scene %zu\n", i);
        numbers_are_in_no_other_box(i);
    }
}

T_CASE(cells_are_points) {
    const struct sq_size size = { WIDTH, HEIGHT };
    struct sq_img_pt at;
    T_INT(sq_grid_of(size).columns, 9);
    T_INT(sq_grid_of(size).rows, 20);
    T_OK(sq_grid_middle(size, SQ_SPAN("A1"), &at, &t_err));
    T_INT(at.x, 25);
    T_INT(at.y, 25);
    T_OK(sq_grid_middle(size, SQ_SPAN("i20"), &at, &t_err));
    T_INT(at.x, 425);
    T_INT(at.y, 975);
    static const char *const bad[] = { "",
                                       "A",
                                       "7",
                                       "J1",
                                       "A0",
                                       "A21",
                                       "AA1",
                                       "A1x",
                                       "A1 ",
                                       "\xff"
                                       "1" };
    for (size_t i = 0; i < SQ_COUNT(bad); i++) {
        T_FAILS(sq_grid_middle(size, sq_span_of(bad[i]), &at, &t_err),
                SQ_ERR_ARGUMENT);
        T(strstr(t_err.hint, "A1 to I20") != NULL);
    }
}
