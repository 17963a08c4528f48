/* Scales one channel with the resampling loops for four. */
#include "image/pipeline/scale.h"

#include <assert.h>

#include "util/mem.h"

/* Rows are read in whole blocks, and weights in whole groups. */
#define SLACK (SQ_ROW_SLACK + SQ_TAP_GROUP)

static bool
init_weights(struct sq_weights *weights, const struct sq_plane_side *in,
             const struct sq_plane_side *out, enum sq_kernel kernel,
             struct sq_err *err) {
    double extent = in->extent * out->samples / out->extent;
    return sq_weights_init(weights, in->samples, extent, out->samples, kernel,
                           err);
}

bool
sq_plane_init(struct sq_plane *plane, const struct sq_plane_plan *plan,
              struct sq_err *err) {
    *plane = (struct sq_plane){
        .resampler = sq_resampler_get(),
        .width = plan->in_width.samples,
        .height = plan->in_height.samples,
    };
    return init_weights(&plane->across, &plan->in_width, &plan->out_width,
                        plan->kernel, err)
        && init_weights(&plane->down, &plan->in_height, &plan->out_height,
                        plan->kernel, err);
}

bool
sq_plane_hold(struct sq_plane *plane, size_t bytes, int count,
              struct sq_err *err) {
    size_t outputs = (size_t)plane->across.outputs;
    size_t column = ((size_t)plane->width + SLACK + 63) & ~(size_t)63;
    plane->row_bytes = (bytes + SLACK + 63) & ~(size_t)63;
    plane->row_count = count;
    plane->column_size = column;
    plane->rows = sq_mem_zalloc_aligned((size_t)count, plane->row_bytes);
    plane->tap_rows =
        sq_mem_alloc((size_t)plane->down.taps, sizeof(*plane->tap_rows));
    plane->columns =
        sq_mem_zalloc_aligned(SQ_PLANE_ROWS * column, sizeof(*plane->columns));
    plane->mixed =
        sq_mem_zalloc_aligned(SQ_PLANE_ROWS * column, sizeof(*plane->mixed));
    plane->made = sq_mem_zalloc_aligned(SQ_PLANE_ROWS * outputs, 1);
    return (plane->rows && plane->tap_rows && plane->columns && plane->mixed
            && plane->made)
        || sq_fail_nomem(err);
}

void
sq_plane_finish(struct sq_plane *plane) {
    sq_weights_finish(&plane->across);
    sq_weights_finish(&plane->down);
    sq_mem_free(plane->rows);
    sq_mem_free(plane->tap_rows);
    sq_mem_free(plane->columns);
    sq_mem_free(plane->mixed);
    sq_mem_free(plane->made);
    *plane = (struct sq_plane){ 0 };
}

/* Windows mostly move down, but one may end a row before the previous one. */
int
sq_plane_need(const struct sq_plane *plane, int out) {
    const struct sq_weights *down = &plane->down;
    int need = 0;
    for (int y = out > 1 ? out - 2 : 0; y < out; y++) {
        int end = down->first[y] + down->used[y];
        need = end > need ? end : need;
    }
    return need;
}

int
sq_plane_first(const struct sq_plane *plane, int out) {
    const struct sq_weights *down = &plane->down;
    int first = plane->height;
    for (int y = out; y < out + 2 && y < down->outputs; y++) {
        first = down->first[y] < first ? down->first[y] : first;
    }
    return first;
}

uint8_t *
sq_plane_row(const struct sq_plane *plane, int y) {
    return plane->rows + (size_t)(y % plane->row_count) * plane->row_bytes;
}

static void
make_column(struct sq_plane *plane, int y, int16_t *column) {
    const struct sq_weights *down = &plane->down;
    int taps = down->used[y];
    for (int k = 0; k < taps; k++) {
        plane->tap_rows[k] = sq_plane_row(plane, down->first[y] + k);
    }
    plane->resampler->vertical(
        plane->tap_rows, down->value + (size_t)y * (size_t)down->taps, taps,
        column, (struct sq_range){ 0, (size_t)plane->width });
}

static void
mix(const int16_t *columns, size_t size, int16_t *mixed, size_t width) {
    const int16_t *a = columns;
    const int16_t *b = columns + size;
    const int16_t *c = columns + 2 * size;
    const int16_t *d = columns + 3 * size;
    for (size_t i = 0; i < width; i++) {
        mixed[i * 4] = a[i];
        mixed[i * 4 + 1] = b[i];
        mixed[i * 4 + 2] = c[i];
        mixed[i * 4 + 3] = d[i];
    }
}

static void
take_row(const uint8_t *made, size_t number, uint8_t *row, size_t width) {
    for (size_t i = 0; i < width; i++) {
        row[i] = made[i * SQ_PLANE_ROWS + number];
    }
}

void
sq_plane_make(struct sq_plane *plane, uint8_t *const *rows, int count) {
    size_t outputs = (size_t)plane->across.outputs;
    assert(count <= SQ_PLANE_ROWS && plane->out + count <= plane->down.outputs);
    assert(sq_plane_need(plane, plane->out + count) <= plane->in);
    for (int i = 0; i < count; i++) {
        make_column(plane, plane->out + i,
                    plane->columns + (size_t)i * plane->column_size);
    }
    mix(plane->columns, plane->column_size, plane->mixed, (size_t)plane->width);
    plane->resampler->horizontal(plane->mixed, &plane->across, plane->made,
                                 (struct sq_range){ 0, outputs });
    for (int i = 0; i < count; i++) {
        take_row(plane->made, (size_t)i, rows[i], outputs);
    }
    plane->out += count;
}
