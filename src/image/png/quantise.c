/* Reduces colours: exactly, or by splitting boxes and refining them. */
#include "image/png/png.h"

#include <assert.h>
#include <string.h>

#include "util/mem.h"

#define CHANNELS 3
#define BIN_BITS 5
#define BINS (1 << (CHANNELS * BIN_BITS))
#define MAX_UI_BINS 2000
#define MIN_FLAT_PERCENT 55
#define KMEANS_ROUNDS 3
/* Invisible mean squared error per channel: 42 dB. */
#define GOOD_ENOUGH 4.1

void
sq_indexed_finish(struct sq_indexed *picture) {
    sq_mem_free(picture->indexes);
    *picture = (struct sq_indexed){ 0 };
}

static unsigned int
bin_of(const uint8_t *pixel) {
    return (unsigned int)(pixel[0] >> 3) << 10
         | (unsigned int)(pixel[1] >> 3) << 5 | pixel[2] >> 3;
}

static bool
same_rgb(const uint8_t *a, const uint8_t *b) {
    static const uint8_t rgb[SQ_PIXEL_BYTES] = { 255, 255, 255, 0 };
    uint32_t mask;
    uint32_t left;
    uint32_t right;
    memcpy(&mask, rgb, sizeof(mask));
    memcpy(&left, a, sizeof(left));
    memcpy(&right, b, sizeof(right));
    return ((left ^ right) & mask) == 0;
}

static uint32_t
rgb_of(const uint8_t *pixel) {
    return (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
}

/* Counts row by row, and stops after a row if there are more than `enough`. */
static int
count_bins(const struct sq_image *image, int enough) {
    uint8_t seen[BINS] = { 0 };
    int count = 0;
    for (int y = 0; y < image->height && count <= enough; y++) {
        const uint8_t *pixel = sq_image_row(image, y);
        for (int x = 0; x < image->width; x++, pixel += SQ_PIXEL_BYTES) {
            uint8_t *bin = &seen[bin_of(pixel)];
            count += !*bin;
            *bin = 1;
        }
    }
    return count;
}

/* Returns how many percent of pixels equal their left neighbour. */
static int
flat_percent(const struct sq_image *image) {
    int64_t flat = 0;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *pixel = sq_image_row(image, y);
        for (int x = 1; x < image->width; x++) {
            pixel += SQ_PIXEL_BYTES;
            flat += same_rgb(pixel, pixel - SQ_PIXEL_BYTES);
        }
    }
    return (int)(flat * 100 / ((int64_t)image->width * image->height));
}

bool
sq_image_looks_like_ui(const struct sq_image *image) {
    return flat_percent(image) >= MIN_FLAT_PERCENT
        && count_bins(image, MAX_UI_BINS) <= MAX_UI_BINS;
}

/* Hash table of exact colours in order of appearance. */
#define SLOT_BITS 10
#define SLOTS (1 << SLOT_BITS) /* many more than colours, for short probes */
#define FREE_SLOT UINT32_MAX   /* no colour has a non-zero top byte */

struct colour_set {
    uint32_t keys[SLOTS];
    uint8_t indexes[SLOTS];
    int count;
    int max;
};

/* Returns the colour's index, or -1 if there are too many colours. */
static int
colour_set_index(struct colour_set *set, uint32_t rgb,
                 uint8_t palette[][CHANNELS]) {
    uint32_t slot = rgb * 0x9e3779b1u >> (32 - SLOT_BITS);
    while (set->keys[slot] != rgb) {
        if (set->keys[slot] == FREE_SLOT) {
            if (set->count == set->max) {
                return -1;
            }
            uint8_t *entry = palette[set->count];
            entry[0] = (uint8_t)(rgb >> 16);
            entry[1] = (uint8_t)(rgb >> 8);
            entry[2] = (uint8_t)rgb;
            set->keys[slot] = rgb;
            set->indexes[slot] = (uint8_t)set->count++;
            break;
        }
        slot = (slot + 1) % SLOTS;
    }
    return set->indexes[slot];
}

/* Returns false if the picture has more than max colours. */
static bool
index_exactly(const struct sq_image *image, int max, struct sq_indexed *out) {
    struct colour_set set = { .max = max };
    memset(set.keys, 0xff, sizeof(set.keys));
    uint32_t last = FREE_SLOT;
    int index = 0;
    uint8_t *indexes = out->indexes;
    for (int y = 0; y < image->height; y++) {
        const uint8_t *pixel = sq_image_row(image, y);
        for (int x = 0; x < image->width; x++, pixel += SQ_PIXEL_BYTES) {
            uint32_t rgb = rgb_of(pixel);
            if (rgb != last) {
                index = colour_set_index(&set, rgb, out->palette);
                if (index < 0) {
                    return false;
                }
                last = rgb;
            }
            *indexes++ = (uint8_t)index;
        }
    }
    out->colours = set.count;
    return true;
}

struct sums {
    uint64_t weight; /* number of pixels */
    uint64_t channel[CHANNELS];
};

/* All pixels of one bin, treated as one colour. */
struct colour {
    struct sums sums;
    int mean[CHANNELS];
    int nearest; /* index in the palette */
};

/* A range of the order array that becomes one palette entry. */
struct box {
    struct sums sums;
    int start;
    int count;
    int axis;     /* channel with the largest error */
    double error; /* weighted squared distance from the mean, all channels */
};

struct quantiser {
    uint16_t ids[BINS]; /* 1 + index of the bin's colour, 0: no pixels */
    struct colour colours[BINS]; /* in order of appearance */
    uint16_t order[BINS];        /* indexes of colours, grouped by box */
    int count;                   /* number of colours */
    struct box boxes[SQ_MAX_COLOURS];
    int entries; /* number of boxes, later of palette entries */
    int palette[CHANNELS][SQ_MAX_COLOURS];
};

static void
add_run(struct quantiser *self, const uint8_t *pixel, uint64_t run) {
    uint16_t *id = &self->ids[bin_of(pixel)];
    if (*id == 0) {
        *id = (uint16_t)++self->count;
    }
    struct sums *sums = &self->colours[*id - 1].sums;
    sums->weight += run;
    for (int c = 0; c < CHANNELS; c++) {
        sums->channel[c] += run * pixel[c];
    }
}

static int
rounded_mean(const struct sums *sums, int channel) {
    assert(sums->weight > 0);
    return (int)((sums->channel[channel] + sums->weight / 2) / sums->weight);
}

static void
collect_colours(struct quantiser *self, const struct sq_image *image) {
    for (int y = 0; y < image->height; y++) {
        const uint8_t *pixel = sq_image_row(image, y);
        const uint8_t *end = pixel + (size_t)image->width * SQ_PIXEL_BYTES;
        while (pixel < end) {
            const uint8_t *start = pixel;
            do {
                pixel += SQ_PIXEL_BYTES;
            } while (pixel < end && same_rgb(pixel, start));
            add_run(self, start, (uint64_t)(pixel - start) / SQ_PIXEL_BYTES);
        }
    }
    for (int i = 0; i < self->count; i++) {
        struct colour *colour = &self->colours[i];
        self->order[i] = (uint16_t)i;
        for (int c = 0; c < CHANNELS; c++) {
            colour->mean[c] = rounded_mean(&colour->sums, c);
        }
    }
}

static void
measure_box(const struct quantiser *self, struct box *box) {
    struct sums sums = { 0 };
    uint64_t squares[CHANNELS] = { 0 };
    for (int i = box->start; i < box->start + box->count; i++) {
        const struct colour *colour = &self->colours[self->order[i]];
        sums.weight += colour->sums.weight;
        for (int c = 0; c < CHANNELS; c++) {
            uint64_t value = (uint64_t)colour->mean[c];
            sums.channel[c] += colour->sums.weight * value;
            squares[c] += colour->sums.weight * value * value;
        }
    }
    double largest = -1;
    box->sums = sums;
    box->error = 0;
    for (int c = 0; c < CHANNELS; c++) {
        double sum = (double)sums.channel[c];
        double error = (double)squares[c] - sum * sum / (double)sums.weight;
        box->error += error;
        if (error > largest) {
            largest = error;
            box->axis = c;
        }
    }
}

static struct box *
worst_box(struct quantiser *self) {
    struct box *worst = NULL;
    for (int i = 0; i < self->entries; i++) {
        struct box *box = &self->boxes[i];
        if (box->count > 1 && (!worst || box->error > worst->error)) {
            worst = box;
        }
    }
    return worst;
}

/* Moves the colours above the mean to a new box. */
static void
split_box(struct quantiser *self, struct box *box) {
    int low = box->start;
    int high = box->start + box->count;
    while (low < high) {
        uint16_t at = self->order[low];
        uint64_t value = (uint64_t)self->colours[at].mean[box->axis];
        if (value * box->sums.weight <= box->sums.channel[box->axis]) {
            low++;
        } else {
            self->order[low] = self->order[--high];
            self->order[high] = at;
        }
    }
    struct box *upper = &self->boxes[self->entries++];
    *upper = (struct box){
        .start = low,
        .count = box->start + box->count - low,
    };
    box->count = low - box->start;
    /* Distinct bins have distinct means, so neither side is empty. */
    assert(box->count > 0 && upper->count > 0);
    measure_box(self, box);
    measure_box(self, upper);
}

static double
total_error(const struct quantiser *self) {
    double error = 0;
    for (int i = 0; i < self->entries; i++) {
        error += self->boxes[i].error;
    }
    return error;
}

static void
set_entry(struct quantiser *self, int entry, const struct sums *sums) {
    for (int c = 0; c < CHANNELS; c++) {
        self->palette[c][entry] = rounded_mean(sums, c);
    }
}

static int
nearest_entry(const struct quantiser *self, const int colour[CHANNELS]) {
    int best = INT32_MAX;
    for (int i = 0; i < self->entries; i++) {
        int r = self->palette[0][i] - colour[0];
        int g = self->palette[1][i] - colour[1];
        int b = self->palette[2][i] - colour[2];
        /* The low byte is the index, so one minimum gives both. */
        int key = (r * r + g * g + b * b) * SQ_MAX_COLOURS + i;
        best = key < best ? key : best;
    }
    return best % SQ_MAX_COLOURS;
}

static void
assign_colours(struct quantiser *self) {
    for (int i = 0; i < self->count; i++) {
        struct colour *colour = &self->colours[i];
        colour->nearest = nearest_entry(self, colour->mean);
    }
}

/* Moves each entry to the mean of its colours; an unused one stays. */
static void
move_entries(struct quantiser *self) {
    struct sums sums[SQ_MAX_COLOURS] = { 0 };
    for (int i = 0; i < self->count; i++) {
        const struct colour *colour = &self->colours[i];
        struct sums *sum = &sums[colour->nearest];
        sum->weight += colour->sums.weight;
        for (int c = 0; c < CHANNELS; c++) {
            sum->channel[c] += colour->sums.channel[c];
        }
    }
    for (int i = 0; i < self->entries; i++) {
        if (sums[i].weight > 0) {
            set_entry(self, i, &sums[i]);
        }
    }
}

static void
choose_palette(struct quantiser *self, int max_colours) {
    struct box *all = &self->boxes[0];
    *all = (struct box){ .count = self->count };
    self->entries = 1;
    measure_box(self, all);
    double enough = GOOD_ENOUGH * CHANNELS * (double)all->sums.weight;
    while (self->entries < max_colours && total_error(self) > enough) {
        struct box *box = worst_box(self);
        if (!box) {
            break;
        }
        split_box(self, box);
    }
    for (int i = 0; i < self->entries; i++) {
        set_entry(self, i, &self->boxes[i].sums);
    }
    for (int round = 0; round < KMEANS_ROUNDS; round++) {
        assign_colours(self);
        move_entries(self);
    }
    assign_colours(self);
}

static bool
index_nearly(const struct sq_image *image, int max_colours,
             struct sq_indexed *out, struct sq_err *err) {
    /* Mostly untouched zero pages: a screen has colours for only a few. */
    struct quantiser *self = sq_mem_zalloc(1, sizeof(*self));
    if (!self) {
        return sq_fail_nomem(err);
    }
    collect_colours(self, image);
    choose_palette(self, max_colours);
    /*
     * Numbers the entries by their first colour and drops unused ones. After
     * this a colour's `nearest` is its index in the picture.
     */
    int index[SQ_MAX_COLOURS];
    memset(index, -1, sizeof(index));
    for (int i = 0; i < self->count; i++) {
        int entry = self->colours[i].nearest;
        if (index[entry] < 0) {
            index[entry] = out->colours++;
            for (int c = 0; c < CHANNELS; c++) {
                out->palette[index[entry]][c] =
                    (uint8_t)self->palette[c][entry];
            }
        }
        self->colours[i].nearest = index[entry];
    }
    uint8_t *indexes = out->indexes;
    uint8_t table[BINS];
    for (int i = 0; i < BINS; i++) {
        int id = self->ids[i];
        table[i] = id ? (uint8_t)self->colours[id - 1].nearest : 0;
    }
    for (int y = 0; y < image->height; y++) {
        const uint8_t *pixel = sq_image_row(image, y);
        for (int x = 0; x < image->width; x++, pixel += SQ_PIXEL_BYTES) {
            *indexes++ = table[bin_of(pixel)];
        }
    }
    sq_mem_free(self);
    return true;
}

bool
sq_quantise(const struct sq_image *image, int max_colours,
            struct sq_indexed *out, struct sq_err *err) {
    assert(max_colours >= 1 && max_colours <= SQ_MAX_COLOURS);
    struct sq_indexed picture = { .width = image->width,
                                  .height = image->height };
    picture.indexes = sq_mem_alloc((size_t)image->width, (size_t)image->height);
    if (!picture.indexes) {
        return sq_fail_nomem(err);
    }
    if (!index_exactly(image, max_colours, &picture)) {
        picture.colours = 0;
        if (!index_nearly(image, max_colours, &picture, err)) {
            sq_indexed_finish(&picture);
            return false;
        }
    }
    *out = picture;
    return true;
}
