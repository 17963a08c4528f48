/* Numbers are drawn beside text, and cells of the grid are points. */
#include "tools/screen/marks.h"

#include <string.h>

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

static void
numbers_cover_no_text(void) {
    struct sq_image image = { 0 };
    struct sq_image before = { 0 };
    struct sq_tree tree = { 0 };
    struct sq_arena arena;
    struct sq_err err = { 0 };
    const struct sq_view view = sq_view_make((struct sq_size){ WIDTH, HEIGHT },
                                             (struct sq_size){ WIDTH, HEIGHT });
    /* "Text" inside the buttons, and left of the first one. */
    const struct sq_rect texts[] = { { 103, 103, 297, 137 },
                                     { 20, 90, 98, 160 },
                                     { 3, 3, 200, 37 } };
    sq_arena_init(&arena, (size_t)1 << 20);
    T_OK(fake_tree_build(list, &tree, &err)
             && sq_image_init(&image, WIDTH, HEIGHT, &sq_limits_default, &err)
             && sq_image_init(&before, WIDTH, HEIGHT, &sq_limits_default, &err),
         &err);
    fill(&image, (struct sq_rect){ 0, 0, WIDTH, HEIGHT }, 0);
    for (size_t i = 0; i < 3; i++) {
        fill(&image, texts[i], 1);
    }
    memcpy(before.pixels, image.pixels, image.stride * (size_t)HEIGHT);
    struct sq_marks marks = { .tree = &tree, .arena = &arena };
    T_OK(sq_marks_draw(&marks, &image, &view, &err), &err);
    T_INT(marks.drawn, 2); /* what can be touched */
    T_INT(marks.list.count, 3);
    for (size_t i = 0; i < 3; i++) {
        T(are_equal(&image, &before, texts[i]));
    }
    T(!are_equal(&image, &before, (struct sq_rect){ 0, 0, WIDTH, HEIGHT }));
    sq_image_finish(&image);
    sq_image_finish(&before);
    sq_tree_finish(&tree);
    sq_arena_finish(&arena);
}

static void
cells_are_points(void) {
    const struct sq_size size = { WIDTH, HEIGHT };
    struct sq_img_pt at;
    struct sq_err err = { 0 };
    T_INT(sq_grid_of(size).columns, 9);
    T_INT(sq_grid_of(size).rows, 20);
    T_OK(sq_grid_middle(size, SQ_SPAN("A1"), &at, &err), &err);
    T_INT(at.x, 25);
    T_INT(at.y, 25);
    T_OK(sq_grid_middle(size, SQ_SPAN("i20"), &at, &err), &err);
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
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        T(!sq_grid_middle(size, sq_span_of(bad[i]), &at, &err));
        T_INT(err.code, SQ_ERR_ARGUMENT);
        T(strstr(err.hint, "A1 to I20") != NULL);
    }
}

T_MAIN(T_CASE(numbers_cover_no_text), T_CASE(cells_are_points))
