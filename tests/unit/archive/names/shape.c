#include "archive/names/name.h"

#include "support/test.h"

static void
is_like(const char *name, const char *shape) {
    char text[SQ_SHAPE_SIZE];
    sq_shape_of(sq_span_of(name), text);
    T_STR(text, shape);
}

T_CASE(digits_are_equal_in_shapes) {
    is_like("foo_0001.png", "foo_####.png");
    is_like("a1.jpg", "a#.jpg");
    is_like("", "");
    is_like("Capture 2026.01.15 at 3.png", "Capture ####.##.## at #.png");
    is_like("f81d4fae-7dec-11d0-a765-00a0c91e6bf6.png",
            "*-#dec-##d#-a###-*.png");
    is_like("123456789012345678901.jpg", "*.jpg");
    is_like("\xe5\x9b\xbe 12.png", "\xe5\x9b\xbe ##.png");
    is_like("{a~1}.png", "{a~#}.png");
}

T_CASE(long_names_are_cut_at_a_character) {
    char name[300] = "";
    char text[SQ_SHAPE_SIZE];
    for (size_t lead = 0; lead < 4; lead++) {
        size_t used = lead;
        memset(name, 'x', lead);
        while (used < 240) {
            memcpy(name + used, "\xe5\x9b\xbe", 4);
            used += 3;
        }
        sq_shape_of(sq_span_of(name), text);
        size_t len = strlen(text);
        T(len < SQ_SHAPE_SIZE && strcmp(text + len - 3, "...") == 0);
        T_INT((len - 3 - lead) % 3, 0);
    }
}

T_CASE(names_without_a_place_to_cut) {
    char name[200];
    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    /* One run of letters is longer than a shape. */
    is_like(name, t_text("%.60s...", name));
    /* No character begins in it. */
    memset(name, 0x80, sizeof(name) - 1);
    is_like(name, "...");
}

/* With a place for none of them, shapes that are new are only counted. */
T_CASE(shapes_that_occur_again_are_not_replaced) {
    static struct sq_shapes shapes;
    char name[40];
    for (int i = 0; i < 2 * SQ_SHAPES; i++) {
        snprintf(name, sizeof(name), "%c%c.png", 'a' + i / 2 % 26,
                 'a' + i / 2 / 26);
        sq_shapes_add(&shapes, sq_span_of(name));
    }
    T_INT(shapes.count, SQ_SHAPES);
    T_INT(shapes.others, 0);
    sq_shapes_add(&shapes, SQ_SPAN("new.png"));
    T_INT(shapes.others, 1);
    T_INT(shapes.items[0].count, 2);
    T_STR(shapes.items[0].text, "aa.png");
}

T_CASE(frequent_shapes_are_kept) {
    static struct sq_shapes shapes;
    char name[40];
    for (int i = 0; i < 26 * 26; i++) {
        snprintf(name, sizeof(name), "%c%c.png", 'a' + i / 26, 'a' + i % 26);
        sq_shapes_add(&shapes, sq_span_of(name));
        snprintf(name, sizeof(name), "foo%d.png", i % 10);
        sq_shapes_add(&shapes, sq_span_of(name));
    }
    sq_shapes_sort(&shapes);
    T_INT(shapes.count, SQ_SHAPES);
    T_STR(shapes.items[0].text, "foo#.png");
    T_INT(shapes.items[0].count, 26 * 26);
    uint64_t sum = shapes.others;
    for (size_t i = 0; i < shapes.count; i++) {
        sum += shapes.items[i].count;
    }
    T_INT(sum, 2 * 26 * 26);
}
