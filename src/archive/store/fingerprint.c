/* Computes and compares fingerprints of pictures. */
#include "archive/store/fingerprint.h"

#include <stdlib.h>
#include <string.h>

#include "image/colour/colour.h"
#include "image/pipeline/codec.h"
#include "util/limits.h"

/* Fine enough for both the hash and the grid. */
#define MIN_WIDTH 64
#define MIN_HEIGHT 36
#define CHECK_EVERY 64 /* rows between checks of the deadline */

/* This mean difference in brightness (0 to 255) makes a different scene. */
#define SCENE_LEVELS 14
#define CELLS (SQ_LUMA_ROWS * SQ_LUMA_COLUMNS)
#define LIGHT_PER_BIT (SCENE_LEVELS * CELLS / SQ_FINGERPRINT_SCENE_BITS)
#define MAX_DISTANCE 64

static bool
open_small(const struct sq_codec *codec, const uint8_t *bytes, size_t count,
           struct sq_rows **out, struct sq_err *err) {
    struct sq_jpeg_want want = { .min_width = MIN_WIDTH,
                                 .min_height = MIN_HEIGHT };
    struct sq_rows *stored;
    return (codec->open_part
                ? codec->open_part(bytes, count, &sq_limits_default, &want,
                                   &stored, err)
                : codec->open(bytes, count, &sq_limits_default, &stored, err))
        && sq_rows_normalise(stored, &sq_limits_default, out, err);
}

/* Reads all rows; the deadline (may be NULL) can interrupt it. */
static bool
read_rows(struct sq_rows *rows, const struct sq_deadline *deadline,
          struct sq_image *out, struct sq_err *err) {
    bool ok =
        sq_image_init(out, rows->width, rows->height, &sq_limits_default, err);
    for (int y = 0; ok && y < rows->height; y++) {
        struct sq_row row;
        ok = (y % CHECK_EVERY != 0 || !deadline
              || sq_deadline_check(deadline, err))
          && sq_rows_next(rows, &row, err);
        if (ok) {
            memcpy(sq_image_row(out, y), row.pixels, out->stride);
        }
    }
    return ok;
}

bool
sq_image_fingerprint_make(const uint8_t *bytes, size_t count,
                          const struct sq_deadline *deadline,
                          struct sq_image_fingerprint *out,
                          struct sq_err *err) {
    const struct sq_codec *codec;
    struct sq_rows *rows = NULL;
    struct sq_image image = { 0 };
    bool ok = sq_codec_find(bytes, count, &codec, err)
           && open_small(codec, bytes, count, &rows, err)
           && read_rows(rows, deadline, &image, err);
    sq_rows_destroy(rows);
    if (ok) {
        out->hash = sq_image_dhash(&image);
        sq_image_luma_grid(&image, &out->grid);
        out->known = true;
    }
    sq_image_finish(&image);
    return ok;
}

int
sq_image_fingerprint_distance(const struct sq_image_fingerprint *a,
                              const struct sq_image_fingerprint *b) {
    int bits = sq_hash_distance(a->hash, b->hash);
    int sum = 0;
    for (size_t i = 0; i < sizeof(a->grid.cells); i++) {
        sum += abs((int)a->grid.cells[i] - (int)b->grid.cells[i]);
    }
    int light = sum / LIGHT_PER_BIT;
    light = light < MAX_DISTANCE ? light : MAX_DISTANCE;
    return bits > light ? bits : light;
}

int
sq_image_fingerprint_cell_delta(const struct sq_image_fingerprint *a,
                                const struct sq_image_fingerprint *b) {
    int most = 0;
    for (size_t i = 0; i < sizeof(a->grid.cells); i++) {
        int delta = abs((int)a->grid.cells[i] - (int)b->grid.cells[i]);
        most = delta > most ? delta : most;
    }
    return most;
}
