/* Groups the changed tiles of a picture into few rectangles. */
#include "inspector/tiles.h"

#include <stdbool.h>

/* Returns the end of the run of changed tiles that begins at a column. */
static int
end_of_run(const uint8_t *row, int from, int columns) {
    int to = from;
    while (to < columns && row[to]) {
        to++;
    }
    return to;
}

/* Makes a part one row taller if it has these columns and ends at this row. */
static bool
extend(struct sq_region *parts, size_t count, int from, int to, int row) {
    for (size_t i = 0; i < count; i++) {
        struct sq_region *part = &parts[i];
        if (part->x == from && part->width == to - from
            && part->y + part->height == row) {
            part->height++;
            return true;
        }
    }
    return false;
}

static struct sq_region
to_pixels(struct sq_region tiles, struct sq_size size) {
    struct sq_region pixels = { tiles.x * SQ_DIFF_TILE, tiles.y * SQ_DIFF_TILE,
                                tiles.width * SQ_DIFF_TILE,
                                tiles.height * SQ_DIFF_TILE };
    int right = size.width - pixels.x;
    int bottom = size.height - pixels.y;
    pixels.width = pixels.width < right ? pixels.width : right;
    pixels.height = pixels.height < bottom ? pixels.height : bottom;
    return pixels;
}

/* Adds the runs of a row. Returns false if there are too many parts. */
static bool
add_row(const struct sq_diff *diff, int row, struct sq_region *parts,
        size_t *count) {
    const uint8_t *tiles = diff->tiles + (size_t)row * (size_t)diff->columns;
    int from = 0;
    while (from < diff->columns) {
        int to = end_of_run(tiles, from, diff->columns);
        if (to > from && !extend(parts, *count, from, to, row)) {
            if (*count == SQ_INSPECTOR_MAX_PARTS) {
                return false;
            }
            parts[(*count)++] = (struct sq_region){ from, row, to - from, 1 };
        }
        from = to + 1;
    }
    return true;
}

size_t
sq_inspector_parts(const struct sq_diff *diff, struct sq_size size,
                   struct sq_region out[SQ_INSPECTOR_MAX_PARTS]) {
    size_t count = 0;
    for (int row = 0; row < diff->rows; row++) {
        if (!add_row(diff, row, out, &count)) {
            out[0] = diff->rect;
            return 1;
        }
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = to_pixels(out[i], size);
    }
    return count;
}
