#include "image/colour/colour.h"

#include "unit/image/pipeline/picture.h"

#define WIDTH 7
#define HEIGHT 5

/*
 * The definition of EXIF, for each number: the position of the stored picture's
 * first row and first column in the upright picture.
 */
enum edge { TOP, BOTTOM, LEFT, RIGHT };

static const struct {
    enum edge first_row;
    enum edge first_column;
} seen[SQ_ORIENTATIONS] = {
    { TOP, LEFT }, { TOP, RIGHT }, { BOTTOM, RIGHT }, { BOTTOM, LEFT },
    { LEFT, TOP }, { RIGHT, TOP }, { RIGHT, BOTTOM }, { LEFT, BOTTOM },
};

/* The distance of a stored pixel from the upright picture's left and top. */
static void
upright_position(int orientation, int x, int y, const struct sq_size *upright,
                 int *across, int *down) {
    const enum edge edges[2] = { seen[orientation].first_row,
                                 seen[orientation].first_column };
    const int far[2] = { y, x }; /* from the first row, the first column */
    for (int i = 0; i < 2; i++) {
        switch (edges[i]) {
        case TOP:
            *down = far[i];
            break;
        case BOTTOM:
            *down = upright->height - 1 - far[i];
            break;
        case LEFT:
            *across = far[i];
            break;
        case RIGHT:
            *across = upright->width - 1 - far[i];
            break;
        }
    }
}

T_CASE(quarter_turns_swap_width_and_height) {
    const struct sq_size stored = { WIDTH, HEIGHT };
    for (int i = 0; i < SQ_ORIENTATIONS; i++) {
        struct sq_size size =
            sq_orientation_size((enum sq_orientation)i, stored);
        bool is_lying = seen[i].first_row == LEFT || seen[i].first_row == RIGHT;
        T_INT(size.width, is_lying ? HEIGHT : WIDTH);
        T_INT(size.height, is_lying ? WIDTH : HEIGHT);
        size = sq_orientation_size((enum sq_orientation)i, size);
        T_INT(size.width, WIDTH);
        T_INT(size.height, HEIGHT);
    }
}

T_CASE(pixels_are_rotated_as_in_exif) {
    for (int i = 0; i < SQ_ORIENTATIONS; i++) {
        T_FREED(sq_image_finish) struct sq_image image = { 0 };
        T_FREED(sq_image_finish) struct sq_image turned = { 0 };
        struct sq_rows *upright = NULL;
        picture_make(PICTURE_RANDOM, WIDTH, HEIGHT, &image);
        struct sq_rows *rows = picture_rows(&image);
        rows->orientation = (enum sq_orientation)i;
        T_OK(sq_rows_turn(rows, &sq_limits_default, &upright, &t_err));
        T_OK(sq_rows_to_image(upright, &sq_limits_default, &turned, &t_err));
        const struct sq_size size = { turned.width, turned.height };
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                int across = 0;
                int down = 0;
                upright_position(i, x, y, &size, &across, &down);
                T(memcmp(sq_image_row(&turned, down) + across * SQ_PIXEL_BYTES,
                         sq_image_row(&image, y) + x * SQ_PIXEL_BYTES, 3)
                  == 0);
            }
        }
        sq_rows_destroy(upright);
    }
}

/* Every region, compared with the positions of its corner pixels. */
T_CASE(regions_are_found_in_the_stored_picture) {
    for (int i = 0; i < SQ_ORIENTATIONS; i++) {
        const struct sq_stored_shape shape = { { WIDTH, HEIGHT },
                                               (enum sq_orientation)i };
        struct sq_size size =
            sq_orientation_size(shape.orientation, shape.stored);
        for (int n = 0; n < 200; n++) {
            struct sq_region at;
            at.x = (int)t_random_between(0, size.width - 1);
            at.y = (int)t_random_between(0, size.height - 1);
            at.width = (int)t_random_between(1, size.width - at.x);
            at.height = (int)t_random_between(1, size.height - at.y);
            struct sq_region stored = sq_stored_region(&shape, at);
            int inside = 0;
            for (int y = stored.y; y < stored.y + stored.height; y++) {
                for (int x = stored.x; x < stored.x + stored.width; x++) {
                    int across = 0;
                    int down = 0;
                    upright_position(i, x, y, &size, &across, &down);
                    inside += across >= at.x && across < at.x + at.width
                           && down >= at.y && down < at.y + at.height;
                }
            }
            T_INT(inside, at.width * at.height);
            T_INT(stored.width * stored.height, at.width * at.height);
        }
    }
}

T_CASE(upright_rows_are_returned_unchanged) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    struct sq_rows *out = NULL;
    picture_make(PICTURE_FLAT, 3, 3, &image);
    struct sq_rows *rows = picture_rows(&image);
    T_OK(sq_rows_turn(rows, &sq_limits_default, &out, &t_err));
    T(out == rows);
    sq_rows_destroy(out);
}

static bool
turn(void *context, struct sq_err *err) {
    struct sq_rows *rows = NULL;
    struct sq_rows *out = NULL;
    if (!sq_rows_from_image(context, &rows, err)) {
        return false;
    }
    rows->orientation = SQ_ORIENT_TURN_RIGHT;
    bool ok = sq_rows_turn(rows, &sq_limits_default, &out, err);
    sq_rows_destroy(out);
    return ok;
}

T_CASE(every_allocation_can_fail) {
    T_FREED(sq_image_finish) struct sq_image image = { 0 };
    picture_make(PICTURE_RANDOM, 9, 4, &image);
    T(t_alloc_torture(turn, &image) >= 3);
}

T_CASE(error_of_the_source_is_passed_on) {
    struct failing_rows source;
    struct sq_err err = { 0 };
    struct sq_rows *out = NULL;
    struct sq_rows *rows = failing_rows_init(&source, 2);
    rows->orientation = SQ_ORIENT_FLIPPED;
    T(!sq_rows_turn(rows, &sq_limits_default, &out, &err));
    T(err.code != SQ_ERR_NONE && !out);
}
