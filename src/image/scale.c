#include "image/scale.h"

#include <assert.h>
#include <string.h>

#include "image/resample.h"
#include "util/mem.h"

#define HALVE_FROM 3.0 /* factors from here on are halved first */
#define HALVED_KEEPS 32

static size_t
row_bytes(int width) {
    return (size_t)width * SQ_PIXEL_BYTES;
}

/* Room for a row, its slack, and the block a vector loop rounds up to. */
static size_t
slot_bytes(int width) {
    return (row_bytes(width) + SQ_ROW_SLACK + 63) & ~(size_t)63;
}

/* Each 2x2 block of the source as one pixel. */
struct halve_rows {
    struct sq_rows base;
    struct sq_rows *source;
    const struct sq_resampler *resampler;
    uint8_t *slots; /* HALVED_KEEPS + 1, used in turn */
    int next_slot;
    int y;
    uint8_t *upper; /* a copy, where the source does not keep its rows */
    struct sq_row last;
    bool last_was_flat; /* both its rows were the same */
};

static bool
halve_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct halve_rows *self = (struct halve_rows *)rows;
    struct sq_row upper;
    if (!sq_rows_next(self->source, &upper, err)) {
        return false;
    }
    struct sq_row lower = { upper.pixels, true };
    bool paired = self->y * 2 + 1 < self->source->height;
    if (paired) {
        if (self->upper) {
            memcpy(self->upper, upper.pixels, row_bytes(self->source->width));
            upper.pixels = self->upper;
        }
        if (!sq_rows_next(self->source, &lower, err)) {
            return false;
        }
    }
    bool same =
        self->y++ > 0 && self->last_was_flat && upper.same && lower.same;
    self->last_was_flat = lower.same;
    if (!same) {
        uint8_t *slot =
            self->slots + (size_t)self->next_slot * slot_bytes(rows->width);
        self->next_slot = (self->next_slot + 1) % (HALVED_KEEPS + 1);
        self->resampler->halve(upper.pixels, lower.pixels, self->source->width,
                               slot);
        self->last.pixels = slot;
    }
    self->last.same = same;
    *row = self->last;
    return true;
}

static void
halve_destroy(struct sq_rows *rows) {
    struct halve_rows *self = (struct halve_rows *)rows;
    sq_rows_destroy(self->source);
    sq_mem_free(self->slots);
    sq_mem_free(self->upper);
    sq_mem_free(self);
}

static const struct sq_rows_ops halve_ops = { halve_next, halve_destroy };

/* Takes ownership of source, also on failure. */
static bool
halve(struct sq_rows *source, struct sq_rows **out, struct sq_err *err) {
    struct halve_rows *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        sq_rows_destroy(source);
        return sq_fail_nomem(err);
    }
    self->base = (struct sq_rows){ &halve_ops, (source->width + 1) / 2,
                                   (source->height + 1) / 2, HALVED_KEEPS };
    self->source = source;
    self->resampler = sq_resampler_get();
    self->slots = sq_mem_zalloc(HALVED_KEEPS + 1, slot_bytes(self->base.width));
    bool copies = source->keeps < 1;
    if (copies) {
        self->upper = sq_mem_alloc(slot_bytes(source->width), 1);
    }
    if (!self->slots || (copies && !self->upper)) {
        halve_destroy(&self->base);
        return sq_fail_nomem(err);
    }
    *out = &self->base;
    return true;
}

/* A source row that an output may still need. */
struct held_row {
    const uint8_t *pixels;
    long id; /* rows that are known to be equal share one */
};

struct scale_rows {
    struct sq_rows base;
    struct sq_rows *source;
    const struct sq_resampler *resampler;
    struct sq_weights across;
    struct sq_weights down;

    struct held_row *held; /* the last down.taps rows, by row % taps */
    uint8_t *copies;       /* their pixels, where the source does not keep */
    int read;              /* source rows read so far */
    long last_id;

    const uint8_t **tap_rows; /* of the current output, equal rows merged */
    int16_t *tap_weights;
    int16_t *column; /* the output row before it is scaled across */
    uint8_t *out;
    long out_id; /* the row that out shows unmixed; 0: a mixture */
    int y;
};

static bool
read_row(struct scale_rows *self, struct sq_err *err) {
    struct sq_row row;
    if (!sq_rows_next(self->source, &row, err)) {
        return false;
    }
    int taps = self->down.taps;
    struct held_row *held = &self->held[self->read % taps];
    if (row.same && self->read > 0) {
        /* Equal, but the row before may not be kept as long as this one. */
        bool copied = self->copies != NULL;
        const struct held_row *before = &self->held[(self->read - 1) % taps];
        *held = (struct held_row){ copied ? before->pixels : row.pixels,
                                   before->id };
    } else {
        held->pixels = row.pixels;
        held->id = ++self->last_id;
        if (self->copies) {
            size_t slot = (size_t)(self->last_id % (taps + 1));
            uint8_t *copy =
                self->copies + slot * slot_bytes(self->source->width);
            memcpy(copy, row.pixels, row_bytes(self->source->width));
            held->pixels = copy;
        }
    }
    self->read++;
    return true;
}

static bool
read_until(struct scale_rows *self, int row, struct sq_err *err) {
    bool ok = true;
    while (ok && self->read < row) {
        ok = read_row(self, err);
    }
    return ok;
}

/* Collect the taps of output row y; returns how many differ. */
static int
merge_taps(struct scale_rows *self, int y, long *first_id) {
    const struct sq_weights *down = &self->down;
    const int16_t *value = down->value + (size_t)y * (size_t)down->taps;
    int count = 0;
    long id = 0;
    for (int k = 0; k < down->used[y]; k++) {
        const struct held_row *held =
            &self->held[(down->first[y] + k) % down->taps];
        if (held->id == id) {
            self->tap_weights[count - 1] =
                (int16_t)(self->tap_weights[count - 1] + value[k]);
            continue;
        }
        self->tap_rows[count] = held->pixels;
        self->tap_weights[count++] = value[k];
        id = held->id;
    }
    *first_id = id;
    return count;
}

static bool
scale_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct scale_rows *self = (struct scale_rows *)rows;
    int y = self->y;
    if (!read_until(self, self->down.first[y] + self->down.used[y], err)) {
        return false;
    }
    self->y++;
    long id;
    int taps = merge_taps(self, y, &id);
    bool same = taps == 1 && id == self->out_id;
    if (!same) {
        self->resampler->vertical(self->tap_rows, self->tap_weights, taps,
                                  self->column, row_bytes(self->source->width));
        self->resampler->horizontal(self->column, &self->across, self->out);
        self->out_id = taps == 1 ? id : 0;
    }
    *row = (struct sq_row){ self->out, same };
    /* Whether the source is whole shows only at its last row. */
    return self->y < rows->height
        || read_until(self, self->source->height, err);
}

static void
scale_destroy(struct sq_rows *rows) {
    struct scale_rows *self = (struct scale_rows *)rows;
    sq_rows_destroy(self->source);
    sq_weights_finish(&self->across);
    sq_weights_finish(&self->down);
    sq_mem_free(self->held);
    sq_mem_free(self->copies);
    sq_mem_free(self->tap_rows);
    sq_mem_free(self->tap_weights);
    sq_mem_free(self->column);
    sq_mem_free(self->out);
    sq_mem_free(self);
}

static const struct sq_rows_ops scale_ops = { scale_next, scale_destroy };

static bool
allocate(struct scale_rows *self, struct sq_err *err) {
    size_t taps = (size_t)self->down.taps;
    size_t slot = slot_bytes(self->source->width);
    bool copies = self->source->keeps < self->down.taps;
    self->held = sq_mem_zalloc(taps, sizeof(*self->held));
    self->tap_rows = sq_mem_alloc(taps, sizeof(*self->tap_rows));
    self->tap_weights = sq_mem_alloc(taps, sizeof(*self->tap_weights));
    self->column = sq_mem_zalloc(slot, sizeof(*self->column));
    self->out = sq_mem_zalloc(slot_bytes(self->base.width), 1);
    if (copies) {
        self->copies = sq_mem_zalloc(taps + 1, slot);
    }
    bool ok = self->held && self->tap_rows && self->tap_weights && self->column
           && self->out && (!copies || self->copies);
    return ok || sq_fail_nomem(err);
}

/* How many source pixels one output pixel stands for, on the lesser axis. */
static double
least_factor(double width, double height, const struct sq_rows *target) {
    double across = width / target->width;
    double down = height / target->height;
    return across < down ? across : down;
}

bool
sq_scale_rows(struct sq_rows *source, int width, int height,
              enum sq_kernel kernel, struct sq_rows **out, struct sq_err *err) {
    assert(width > 0 && height > 0);
    if (width == source->width && height == source->height) {
        *out = source;
        return true;
    }
    struct scale_rows *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        sq_rows_destroy(source);
        return sq_fail_nomem(err);
    }
    self->base = (struct sq_rows){ &scale_ops, width, height, 0 };
    double extent_x = source->width;
    double extent_y = source->height;
    bool ok = true;
    while (ok && least_factor(extent_x, extent_y, &self->base) >= HALVE_FROM) {
        struct sq_rows *halved = NULL;
        ok = halve(source, &halved, err);
        source = halved;
        extent_x /= 2;
        extent_y /= 2;
    }
    self->source = source;
    self->resampler = sq_resampler_get();
    ok = ok
      && sq_weights_init(&self->across, source->width, extent_x, width, kernel,
                         err)
      && sq_weights_init(&self->down, source->height, extent_y, height, kernel,
                         err)
      && allocate(self, err);
    if (!ok) {
        scale_destroy(&self->base);
        return false;
    }
    *out = &self->base;
    return true;
}
