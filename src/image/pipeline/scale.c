/* Provides the rows of another source, scaled. */
#include "image/pipeline/scale.h"

#include <assert.h>
#include <string.h>

#include "util/mem.h"

#define BLOCK_PIXELS (SQ_BLOCK_BYTES / SQ_PIXEL_BYTES)

#define HALVE_FROM 3.0 /* factors from this on are halved first */
#define HALVED_KEEPS 32

/*
 * Where a row differs from the previous one nearly everywhere, as in a
 * photograph, so do the next ones: this many are not compared.
 */
#define UNCOMPARED_ROWS 7

static size_t
row_bytes(int width) {
    return (size_t)width * SQ_PIXEL_BYTES;
}

/* Returns the space for a row, its slack, and rounding up to a vector block. */
static size_t
slot_bytes(int width) {
    return (row_bytes(width) + SQ_ROW_SLACK + 63) & ~(size_t)63;
}

/* Rows in which each 2x2 block of the source is one pixel. */
struct halve_rows {
    struct sq_rows base;
    struct sq_rows *source;
    const struct sq_resampler *resampler;
    uint8_t *slots; /* ring of HALVED_KEEPS + 1 rows */
    int next_slot;
    int y;
    uint8_t *upper; /* copy of a row, if the source does not keep its rows */
    struct sq_row last;
    bool last_was_flat; /* both source rows were equal */
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
    self->base = sq_rows_base_on(&halve_ops, source, (source->width + 1) / 2,
                                 (source->height + 1) / 2, HALVED_KEEPS);
    self->source = source;
    self->resampler = sq_resampler_get();
    self->slots = sq_mem_zalloc(HALVED_KEEPS + 1, slot_bytes(self->base.width));
    bool copies = source->keeps < 1;
    if (copies) {
        self->upper = sq_mem_alloc_aligned(slot_bytes(source->width));
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
    long id;           /* rows known to be equal have the same id */
    uint64_t *changed; /* bit set of blocks that differ from the previous row */
};

/*
 * Most of a screen does not change from row to row. Where the source rows of
 * the previous and of this output row are all equal, so are the outputs: only
 * the other blocks are computed, and `out` keeps the rest.
 */
struct scale_rows {
    struct sq_rows base;
    struct sq_rows *source;
    const struct sq_resampler *resampler;
    struct sq_weights across;
    struct sq_weights down;

    struct held_row *held; /* the last source rows, at row % held_count */
    int held_count;
    uint8_t *copies; /* their pixels, if the source does not keep them */
    int read;        /* source rows read so far */
    int uncompared;  /* next rows that count as changed */
    long last_id;
    size_t blocks;  /* blocks per source row */
    size_t words;   /* 64-bit words per bit set of blocks */
    uint64_t *sets; /* sets of the held rows, and one for the output row */
    struct sq_range *reach; /* by block: the outputs that depend on it */

    const uint8_t **tap_rows; /* of the current output, equal rows merged */
    int16_t *tap_weights;
    int16_t *column; /* the output row, scaled only vertically */
    uint8_t *out;
    int y;
};

static struct held_row *
held_at(const struct scale_rows *self, int row) {
    return &self->held[row % self->held_count];
}

/* Stores a new row. Copies its pixels if the source does not keep them. */
static void
hold_row(struct scale_rows *self, struct held_row *held,
         const uint8_t *pixels) {
    held->pixels = pixels;
    held->id = ++self->last_id;
    if (self->copies) {
        size_t slot = (size_t)(self->last_id % self->held_count);
        uint8_t *copy = self->copies + slot * slot_bytes(self->source->width);
        memcpy(copy, pixels, row_bytes(self->source->width));
        held->pixels = copy;
    }
    if (self->uncompared > 0) {
        self->uncompared--;
        memset(held->changed, 0xff, self->words * sizeof(*held->changed));
    } else if (self->read > 0) {
        sq_compare_blocks(held_at(self, self->read - 1)->pixels, held->pixels,
                          self->blocks, held->changed);
        size_t changed = 0;
        for (size_t i = 0; i < self->words; i++) {
            changed += (size_t)__builtin_popcountll(held->changed[i]);
        }
        self->uncompared =
            changed * 4 >= self->blocks * 3 ? UNCOMPARED_ROWS : 0;
    }
}

static bool
read_row(struct scale_rows *self, struct sq_err *err) {
    struct sq_row row;
    if (!sq_rows_next(self->source, &row, err)) {
        return false;
    }
    struct held_row *held = held_at(self, self->read);
    if (row.same && self->read > 0) {
        memset(held->changed, 0, self->words * sizeof(*held->changed));
        const struct held_row *before = held_at(self, self->read - 1);
        /* Equal, but the previous row may become invalid before this one. */
        held->pixels = self->copies ? before->pixels : row.pixels;
        held->id = before->id;
    } else {
        hold_row(self, held, row.pixels);
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

/* Collects the taps of output row y; returns how many are distinct. */
static int
merge_taps(struct scale_rows *self, int y) {
    const struct sq_weights *down = &self->down;
    const int16_t *value = down->value + (size_t)y * (size_t)down->taps;
    int count = 0;
    long id = 0;
    for (int k = 0; k < down->used[y]; k++) {
        const struct held_row *held = held_at(self, down->first[y] + k);
        if (held->id == id) {
            self->tap_weights[count - 1] =
                (int16_t)(self->tap_weights[count - 1] + value[k]);
            continue;
        }
        self->tap_rows[count] = held->pixels;
        self->tap_weights[count++] = value[k];
        id = held->id;
    }
    return count;
}

/*
 * Returns the source rows of output row y and the one before it. Windows mostly
 * move down, but one may end a row before the previous one.
 */
static struct sq_range
source_rows(const struct sq_weights *down, int y) {
    int first = down->first[y];
    int end = first + down->used[y];
    if (y > 0) {
        int end_before = down->first[y - 1] + down->used[y - 1];
        first = first < down->first[y - 1] ? first : down->first[y - 1];
        end = end > end_before ? end : end_before;
    }
    return (struct sq_range){ (size_t)first, (size_t)end };
}

/* Returns the first block from `at` on in the set or not; else `blocks`. */
static size_t
find_block(const struct scale_rows *self, const uint64_t *set, size_t at,
           bool in_set) {
    while (at < self->blocks) {
        uint64_t word = in_set ? set[at / 64] : ~set[at / 64];
        word >>= at % 64;
        if (word) {
            at += (size_t)__builtin_ctzll(word);
            break;
        }
        at = (at / 64 + 1) * 64;
    }
    return at < self->blocks ? at : self->blocks;
}

/* Finds the next run of blocks in the set from run->to on; false if none. */
static bool
next_run(const struct scale_rows *self, const uint64_t *set,
         struct sq_range *run) {
    run->from = find_block(self, set, run->to, true);
    run->to = find_block(self, set, run->from, false);
    return run->from < run->to;
}

static bool
update_out(struct scale_rows *self, int y) {
    /* The blocks in which output row y may differ from the one before. */
    uint64_t *set = self->sets + (size_t)self->held_count * self->words;
    memset(set, y == 0 ? 0xff : 0, self->words * sizeof(*set));
    struct sq_range rows = source_rows(&self->down, y);
    for (size_t row = rows.from + 1; row < rows.to; row++) {
        const uint64_t *changed = held_at(self, (int)row)->changed;
        for (size_t i = 0; i < self->words; i++) {
            set[i] |= changed[i];
        }
    }
    size_t channels = row_bytes(self->source->width);
    int taps = 0;
    for (struct sq_range run = { 0 }; next_run(self, set, &run);) {
        taps = taps ? taps : merge_taps(self, y);
        size_t end = run.to * SQ_BLOCK_BYTES;
        self->resampler->vertical(
            self->tap_rows, self->tap_weights, taps, self->column,
            (struct sq_range){ run.from * SQ_BLOCK_BYTES,
                               end < channels ? end : channels });
    }
    size_t done = 0;
    for (struct sq_range run = { 0 }; next_run(self, set, &run);) {
        struct sq_range outputs = { self->reach[run.from].from,
                                    self->reach[run.to - 1].to };
        outputs.from = outputs.from > done ? outputs.from : done;
        if (outputs.from < outputs.to) {
            self->resampler->horizontal(self->column, &self->across, self->out,
                                        outputs);
            done = outputs.to;
        }
    }
    return taps > 0;
}

static bool
scale_next(struct sq_rows *rows, struct sq_row *row, struct sq_err *err) {
    struct scale_rows *self = (struct scale_rows *)rows;
    int y = self->y;
    if (!read_until(self, self->down.first[y] + self->down.used[y], err)) {
        return false;
    }
    bool changed = update_out(self, y);
    *row = (struct sq_row){ self->out, !changed };
    self->y++;
    /* Read to the last row, which fails if the source is incomplete. */
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
    sq_mem_free(self->sets);
    sq_mem_free(self->reach);
    sq_mem_free(self->tap_rows);
    sq_mem_free(self->tap_weights);
    sq_mem_free(self->column);
    sq_mem_free(self->out);
    sq_mem_free(self);
}

static const struct sq_rows_ops scale_ops = { scale_next, scale_destroy };

static void
find_reach(struct scale_rows *self) {
    const struct sq_weights *across = &self->across;
    for (size_t i = 0; i < self->blocks; i++) {
        self->reach[i] = (struct sq_range){ (size_t)across->outputs, 0 };
    }
    for (size_t i = 0; i < (size_t)across->outputs; i++) {
        int last = across->first[i] + across->used[i] - 1;
        for (int block = across->first[i] / BLOCK_PIXELS;
             block <= last / BLOCK_PIXELS; block++) {
            struct sq_range *reach = &self->reach[block];
            reach->from = reach->from < i ? reach->from : i;
            reach->to = i + 1;
        }
    }
}

static bool
allocate(struct scale_rows *self, struct sq_err *err) {
    size_t taps = (size_t)self->down.taps;
    size_t slot = slot_bytes(self->source->width);
    int most = self->down.taps;
    for (int y = 0; y < self->down.outputs; y++) {
        struct sq_range rows = source_rows(&self->down, y);
        int count = (int)(rows.to - rows.from);
        most = count > most ? count : most;
    }
    self->held_count = most;
    self->blocks =
        (row_bytes(self->source->width) + SQ_BLOCK_BYTES - 1) / SQ_BLOCK_BYTES;
    self->words = (self->blocks + 63) / 64;
    size_t held = (size_t)self->held_count;
    bool copies = self->source->keeps < self->held_count;
    self->held = sq_mem_zalloc(held, sizeof(*self->held));
    self->sets = sq_mem_zalloc((held + 1) * self->words, sizeof(*self->sets));
    self->reach = sq_mem_alloc(self->blocks, sizeof(*self->reach));
    self->tap_rows = sq_mem_alloc(taps, sizeof(*self->tap_rows));
    self->tap_weights = sq_mem_alloc(taps, sizeof(*self->tap_weights));
    self->column = sq_mem_zalloc_aligned(slot, sizeof(*self->column));
    self->out = sq_mem_zalloc_aligned(slot_bytes(self->base.width), 1);
    if (copies) {
        self->copies = sq_mem_zalloc_aligned(held, slot);
    }
    if (!self->held || !self->sets || !self->reach || !self->tap_rows
        || !self->tap_weights || !self->column || !self->out
        || (copies && !self->copies)) {
        return sq_fail_nomem(err);
    }
    for (size_t i = 0; i < held; i++) {
        self->held[i].changed = self->sets + i * self->words;
    }
    find_reach(self);
    return true;
}

/* Returns the source pixels per output pixel, on the axis with fewer. */
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
    double extent_x =
        source->true_width > 0 ? source->true_width : source->width;
    double extent_y =
        source->true_height > 0 ? source->true_height : source->height;
    if (width == extent_x && height == extent_y) {
        *out = source;
        return true;
    }
    struct scale_rows *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        sq_rows_destroy(source);
        return sq_fail_nomem(err);
    }
    self->base = sq_rows_base_on(&scale_ops, source, width, height, 0);
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
