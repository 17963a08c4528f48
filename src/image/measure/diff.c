/* Compares two frames tile by tile. */
#include "image/measure/measure.h"

#include <string.h>

#include "util/mem.h"

/*
 * Frames are mostly equal, so the cost is that of reading both once, in memory
 * order. Each row is first compared as a whole, without a branch per pixel.
 * Only if it differs are its tiles compared, from the cache.
 */

/* Mask of red, green and blue of two pixels, for either byte order. */
static const uint8_t colour_bytes[8] = { 255, 255, 255, 0, 255, 255, 255, 0 };

static uint64_t
colour_mask(void) {
    uint64_t mask;
    memcpy(&mask, colour_bytes, sizeof(mask));
    return mask;
}

static bool
pixel_differs(const uint8_t *a, const uint8_t *b) {
    return a[0] != b[0] || a[1] != b[1] || a[2] != b[2];
}

/* Returns whether two runs differ in red, green or blue; is vectorised. */
static bool
differs(const uint8_t *a, const uint8_t *b, size_t pixels) {
    uint64_t differing_bits = 0;
    size_t i = 0;
    for (; i + 2 <= pixels; i += 2) {
        uint64_t left;
        uint64_t right;
        memcpy(&left, a + i * SQ_PIXEL_BYTES, sizeof(left));
        memcpy(&right, b + i * SQ_PIXEL_BYTES, sizeof(right));
        differing_bits |= left ^ right;
    }
    bool last_differs =
        i < pixels
        && pixel_differs(a + i * SQ_PIXEL_BYTES, b + i * SQ_PIXEL_BYTES);
    return (differing_bits & colour_mask()) != 0 || last_differs;
}

/* Edges of the changed rectangle; right and bottom are exclusive. */
struct edges {
    int left;
    int top;
    int right;
    int bottom;
};

/*
 * Extends the edges to the changed pixels between `from` and `to` of a row. At
 * least one pixel has changed, so the searches end; they stop immediately
 * inside the edges.
 */
static void
widen(struct edges *edges, const uint8_t *a, const uint8_t *b, int from,
      int to) {
    int first = from;
    while (first < edges->left
           && !pixel_differs(a + (size_t)first * SQ_PIXEL_BYTES,
                             b + (size_t)first * SQ_PIXEL_BYTES)) {
        first++;
    }
    edges->left = first < edges->left ? first : edges->left;
    int end = to;
    while (end > edges->right
           && !pixel_differs(a + (size_t)(end - 1) * SQ_PIXEL_BYTES,
                             b + (size_t)(end - 1) * SQ_PIXEL_BYTES)) {
        end--;
    }
    edges->right = end > edges->right ? end : edges->right;
}

/* Marks the tiles in which a row differs. */
static void
mark_row(const uint8_t *a, const uint8_t *b, int width, uint8_t *tiles,
         struct edges *edges) {
    for (int x = 0; x < width; x += SQ_DIFF_TILE) {
        int end = width - x > SQ_DIFF_TILE ? x + SQ_DIFF_TILE : width;
        size_t at = (size_t)x * SQ_PIXEL_BYTES;
        if (differs(a + at, b + at, (size_t)(end - x))) {
            tiles[x / SQ_DIFF_TILE] = 1;
            widen(edges, a, b, x, end);
        }
    }
}

static int
tiles_along(int side) {
    return (side + SQ_DIFF_TILE - 1) / SQ_DIFF_TILE;
}

bool
sq_diff_init(struct sq_diff *diff, const struct sq_image *before,
             const struct sq_image *after, struct sq_err *err) {
    if (before->width != after->width || before->height != after->height) {
        *diff = (struct sq_diff){
            .resized = true,
            .rect = { 0, 0, after->width, after->height },
        };
        return true;
    }
    struct sq_diff made = { .columns = tiles_along(before->width),
                            .rows = tiles_along(before->height) };
    size_t tiles = (size_t)made.columns * (size_t)made.rows;
    made.tiles = sq_mem_zalloc(tiles, 1);
    if (!made.tiles) {
        return sq_fail_nomem(err);
    }
    struct edges edges = { before->width, before->height, 0, 0 };
    for (int y = 0; y < before->height; y++) {
        const uint8_t *a = sq_image_row(before, y);
        const uint8_t *b = sq_image_row(after, y);
        if (differs(a, b, (size_t)before->width)) {
            size_t row = (size_t)(y / SQ_DIFF_TILE);
            mark_row(a, b, before->width,
                     made.tiles + row * (size_t)made.columns, &edges);
            edges.top = y < edges.top ? y : edges.top;
            edges.bottom = y + 1;
        }
    }
    for (size_t i = 0; i < tiles; i++) {
        made.changed += made.tiles[i];
    }
    if (made.changed > 0) {
        made.rect =
            (struct sq_region){ edges.left, edges.top, edges.right - edges.left,
                                edges.bottom - edges.top };
    }
    *diff = made;
    return true;
}

void
sq_diff_finish(struct sq_diff *diff) {
    sq_mem_free(diff->tiles);
    *diff = (struct sq_diff){ 0 };
}
