/*
 * Converts a line to dark text on white: the further the colour of a pixel is
 * from that of the background, the darker it becomes.
 */
#include "vision/strip.h"

#include <string.h>

#include "util/mem.h"
#include "util/minmax.h"
#include "vision/grey.h"

#define COLOUR_BITS 5 /* per channel, when colours are counted */
#define COLOURS (1 << (3 * COLOUR_BITS))

#define TEXT_HEIGHT 36 /* of a strip without its border */
#define MAX_SCALE 3.0

#define MAX_STRIP_WIDTH 16384

/* White above and below the letters. Recognition scales a strip to its own
   height, so that more of it makes letters smaller and saves time. Single
   letters are read better with more. */
#define BORDER 5
#define BORDER_SMALL 4
#define SMALL_LINE 22 /* pixels high */
#define BORDER_NARROW 8
#define NARROW_LINE 2 /* times as wide as high */

#define MARGIN 4 /* beside the letters, of what is recognised */
#define WHITE 255

/* A gap between pieces of a line, as a part of the height of a strip, and how
   much of it text fills at least, in percent. Usual text fills 75. */
#define PIECE_GAP 4
#define MIN_TEXT_ROWS 60

#define INK 160 /* pixels below this are letters */

/* The darkest 2 percent of the pixels become black. */
#define DARK_PERCENT 2

/* Share of the background in percent below which a line is no text. Narrow
   ones are often parts of photographs and icons. */
#define MIN_BACKGROUND 45
#define MIN_BACKGROUND_NARROW 60
#define MIN_BACKGROUND_SMALL 50 /* of narrow ones with small letters */
#define MAX_SMALL_HEIGHT 20

/* A large bold digit leaves less background, but has one colour itself: least
   shares of the background, and of both colours, in percent. */
#define MIN_LARGE_HEIGHT 40
#define MAX_LARGE_WIDTH 80 /* in percent of the height; icons are wider */
#define MIN_BACKGROUND_LARGE 35
#define MIN_TWO_COLOURS 80

/* Distances of letters from their background: the least, the one from which
   letters are found by their edges alone, and the one from which all are. */
#define MIN_FAINT 12
#define MAX_FAINT 48
#define MAX_UNCLEAR 96

/* Least shares of the background, and of both colours, of faint letters. Noise
   of JPEG and photographs has at most 82 percent, letters had at least 83. */
#define MIN_BACKGROUND_FAINT 50
#define MIN_TWO_FAINT 82

/* Of high boxes that may be faint letters, about this many rows are measured
   first. What differs by more than this many percent is none. */
#define SAMPLED_ROWS 10
#define SAMPLED_SLACK 15

/* Strips with less than this in two colours, in percent, may be anything. */
#define MIN_CLEAR 40

/* A gradient must explain this many percent more pixels than one colour. */
#define MIN_GAIN 10

/* Pixels this near to the background belong to it: JPEG blurs it. In faint
   lines it is less, a part of the distance of the letters. */
#define NOISE 24
#define NOISE_PART 4

#define CHANNELS 3

struct background {
    uint8_t channel[CHANNELS];
};

/* How the distances from the background are distributed. */
struct levels {
    int black;   /* the distance that only DARK_PERCENT exceed */
    int percent; /* share of the pixels that are like the background */
    int ink;     /* share of the pixels that become nearly black */
};

static size_t
bin_of(const uint8_t *pixel) {
    const int drop = 8 - COLOUR_BITS;
    return ((size_t)(pixel[0] >> drop) << (2 * COLOUR_BITS))
         | ((size_t)(pixel[1] >> drop) << COLOUR_BITS)
         | (size_t)(pixel[2] >> drop);
}

/* Returns how many of the pixels, at least one, equal the first. */
static int
equal_pixels(const uint8_t *pixels, int count) {
    uint32_t first;
    uint32_t other;
    int equal = 1;
    memcpy(&first, pixels, sizeof(first));
    for (; equal < count; equal++) {
        memcpy(&other, pixels + (size_t)equal * SQ_PIXEL_BYTES, sizeof(other));
        if (other != first) {
            break;
        }
    }
    return equal;
}

/* Counts colours; returns the first bin that reached the largest count. */
static size_t
count_colours(const struct sq_image *image, struct sq_rect box,
              uint32_t *counts) {
    size_t most = 0;
    uint32_t largest = 0;
    for (int y = box.top; y < box.bottom; y++) {
        const uint8_t *row = sq_image_row(image, y);
        int equal;
        for (int x = box.left; x < box.right; x += equal) {
            const uint8_t *p = row + (size_t)x * SQ_PIXEL_BYTES;
            size_t bin = bin_of(p);
            equal = equal_pixels(p, box.right - x);
            uint32_t count = counts[bin] += (uint32_t)equal;
            if (count > largest) {
                largest = count;
                most = bin;
            }
        }
    }
    return most;
}

/* Finds the mean of the pixels in the most common bin of colours. */
static bool
find_background(const struct sq_image *image, struct sq_rect box,
                struct background *out, struct sq_err *err) {
    uint32_t *counts = sq_mem_zalloc(COLOURS, sizeof(*counts));
    if (!counts) {
        return sq_fail_nomem(err);
    }
    int64_t sums[CHANNELS] = { 0 };
    size_t most = count_colours(image, box, counts);
    /* Adds up the pixels of one bin of colours. */
    for (int y = box.top; y < box.bottom; y++) {
        const uint8_t *row = sq_image_row(image, y);
        int equal;
        for (int x = box.left; x < box.right; x += equal) {
            const uint8_t *p = row + (size_t)x * SQ_PIXEL_BYTES;
            equal = equal_pixels(p, box.right - x);
            for (int i = 0; bin_of(p) == most && i < CHANNELS; i++) {
                sums[i] += (int64_t)equal * p[i];
            }
        }
    }
    int64_t count = counts[most];
    for (int i = 0; i < CHANNELS; i++) {
        out->channel[i] = (uint8_t)((sums[i] + count / 2) / count);
    }
    sq_mem_free(counts);
    return true;
}

/* Returns the distance of two values; a compiler makes vector code of it. */
static inline uint8_t
distance(uint8_t a, uint8_t b) {
    return (uint8_t)(a > b ? a - b : b - a);
}

static inline uint8_t
larger(uint8_t a, uint8_t b) {
    return a > b ? a : b;
}

static int64_t
count_from(const int counts[256], int from, int to) {
    int64_t sum = 0;
    for (int i = from; i < to; i++) {
        sum += counts[i];
    }
    return sum;
}

/* Finds out how distances from the background are distributed. */
static struct levels
levels_of(const uint8_t *distances, size_t area) {
    int counts[256] = { 0 };
    /* Counts how often each value occurs; 0 is the most common one. */
    size_t i = 0;
    for (; i + 8 <= area; i += 8) {
        uint64_t eight;
        memcpy(&eight, distances + i, sizeof(eight));
        if (!eight) {
            counts[0] += 8;
            continue;
        }
        for (size_t k = i; k < i + 8; k++) {
            counts[distances[k]]++;
        }
    }
    for (; i < area; i++) {
        counts[distances[i]]++;
    }
    int64_t all = (int64_t)area;
    int64_t above = 0;
    int level = 255;
    while (level > 1 && above * 100 < all * DARK_PERCENT) {
        above += counts[level--];
    }
    int noise = sq_min_int(NOISE, level / NOISE_PART);
    int64_t flat = count_from(counts, 0, noise + 1);
    int64_t dark =
        count_from(counts, sq_max_int(noise + 1, level * 3 / 4), 256);
    return (struct levels){ level, (int)(flat * 100 / all),
                            (int)(dark * 100 / all) };
}

static void
stretch(uint8_t *pixels, size_t count, int black) {
    uint8_t table[256];
    for (int i = 0; i < 256; i++) {
        table[i] = (uint8_t)(WHITE - sq_min_int(WHITE, i * WHITE / black));
    }
    for (size_t i = 0; i < count; i++) {
        pixels[i] = table[pixels[i]];
    }
}

static bool
init_strip(struct sq_strip *out, struct sq_rect box, struct sq_err *err) {
    int width = box.right - box.left;
    int height = box.bottom - box.top;
    double scale = (double)TEXT_HEIGHT / height;
    scale = scale > MAX_SCALE ? MAX_SCALE : scale;
    if (width * scale > MAX_STRIP_WIDTH) {
        scale = (double)MAX_STRIP_WIDTH / width;
    }
    out->source = box;
    out->scale = scale;
    out->border = width < NARROW_LINE * height ? BORDER_NARROW
                : height < SMALL_LINE          ? BORDER_SMALL
                                               : BORDER;
    int around = 2 * out->border;
    out->width = sq_max_int(1, (int)(width * scale + 0.5)) + around;
    out->height = sq_max_int(1, (int)(height * scale + 0.5)) + around;
    out->pixels = sq_mem_alloc((size_t)out->width, (size_t)out->height);
    if (!out->pixels) {
        return sq_fail_nomem(err);
    }
    memset(out->pixels, WHITE, (size_t)out->width * (size_t)out->height);
    return true;
}

static bool
has_ink(const struct sq_strip *strip, int x) {
    const uint8_t *p = strip->pixels + x;
    for (int y = 0; y < strip->height; y++, p += strip->width) {
        if (*p < INK) {
            return true;
        }
    }
    return false;
}

/* Returns how many rows have ink in the columns first..last. */
static int
count_rows(const struct sq_strip *strip, int first, int last) {
    int top = strip->height;
    int bottom = 0;
    for (int y = 0; y < strip->height; y++) {
        const uint8_t *row = strip->pixels + (size_t)y * (size_t)strip->width;
        for (int x = first; x < last; x++) {
            if (row[x] < INK) {
                top = sq_min_int(top, y);
                bottom = y + 1;
                break;
            }
        }
    }
    return sq_max_int(0, bottom - top);
}

/*
 * Returns whether the widest piece of a strip is much lower than the strip: it
 * is text beside an icon, or not in the middle.
 */
static bool
is_mixed(const struct sq_strip *strip) {
    int widest = 0;
    int from = 0; /* of the widest piece */
    int first = 0;
    int blank = strip->height;
    for (int x = 0; x < strip->width; x++) {
        if (!has_ink(strip, x)) {
            blank++;
            continue;
        }
        first = blank * PIECE_GAP >= strip->height ? x : first;
        blank = 0;
        if (x + 1 - first > widest) {
            widest = x + 1 - first;
            from = first;
        }
    }
    int height = strip->height - 2 * strip->border;
    return count_rows(strip, from, from + widest) * 100
         < height * MIN_TEXT_ROWS;
}

/* Uses distances from a gradient where that explains more pixels. */
static bool
try_gradient(const struct sq_image *image, struct sq_rect box,
             struct sq_grey *grey, struct levels *levels, struct sq_err *err) {
    struct sq_grey other = { 0 };
    bool ok = sq_grey_init(&other, grey->width, grey->height, err)
           && sq_gradient_distances(image, box, other.pixels, err);
    if (ok) {
        struct levels found =
            levels_of(other.pixels, (size_t)other.width * (size_t)other.height);
        if (found.percent >= levels->percent + MIN_GAIN) {
            struct sq_grey flat = *grey;
            *grey = other;
            other = flat;
            *levels = found;
        }
    }
    sq_grey_finish(&other);
    return ok;
}

/* Writes the distances of all pixels from the background. */
static bool
compare_with_background(const struct sq_image *image, struct sq_rect box,
                        struct sq_grey *grey, struct levels *levels,
                        struct sq_err *err) {
    struct background background = { 0 };
    if (!find_background(image, box, &background, err)) {
        return false;
    }
    /* Writes the distance of each pixel from the background. */
    uint8_t *restrict out = grey->pixels;
    const uint8_t red = background.channel[0];
    const uint8_t green = background.channel[1];
    const uint8_t blue = background.channel[2];
    int width = box.right - box.left;
    for (int y = box.top; y < box.bottom; y++, out += width) {
        const uint8_t *restrict p =
            sq_image_row(image, y) + (size_t)box.left * SQ_PIXEL_BYTES;
        for (int x = 0; x < width; x++) {
            uint8_t most =
                larger(distance(p[4 * x], red), distance(p[4 * x + 1], green));
            out[x] = larger(most, distance(p[4 * x + 2], blue));
        }
    }
    *levels =
        levels_of(grey->pixels, (size_t)grey->width * (size_t)grey->height);
    bool is_flat = levels->percent >= MIN_BACKGROUND_NARROW
                && levels->percent + levels->ink >= MIN_TWO_COLOURS;
    return is_flat || try_gradient(image, box, grey, levels, err);
}

bool
sq_strip_make(const struct sq_image *image, struct sq_rect box,
              struct sq_strip *out, struct sq_err *err) {
    int width = box.right - box.left;
    int height = box.bottom - box.top;
    struct levels levels;
    SQ_FREED(sq_grey_finish) struct sq_grey grey = { 0 };
    *out = (struct sq_strip){ 0 };
    bool ok = sq_grey_init(&grey, width, height, err)
           && compare_with_background(image, box, &grey, &levels, err)
           && init_strip(out, box, err);
    if (ok) {
        stretch(grey.pixels, (size_t)width * (size_t)height, levels.black);
        out->background_percent = levels.percent;
        out->ink_percent = levels.ink;
        out->black = levels.black;
        out->is_unclear =
            levels.percent + levels.ink < MIN_CLEAR
            || levels.ink > levels.percent
            || (width < 3 * height && levels.percent < MIN_BACKGROUND_NARROW);
        /* Scales the grey line into the middle of the strip. */
        size_t stride = (size_t)out->width;
        size_t border = (size_t)out->border;
        const struct sq_grey_place place = {
            .pixels = out->pixels + border * stride + border,
            .stride = stride,
            .width = out->width - 2 * out->border,
            .height = out->height - 2 * out->border,
        };
        ok = sq_grey_scale_into(&grey, &place, err);
        /* Finds the columns with letters; all, if there are none. */
        int first = 0;
        int last = out->width;
        while (first < last && !has_ink(out, first)) {
            first++;
        }
        while (first < last && !has_ink(out, last - 1)) {
            last--;
        }
        bool is_empty = first == last;
        out->first = is_empty ? 0 : sq_max_int(0, first - MARGIN);
        out->last =
            is_empty ? out->width : sq_min_int(out->width, last + MARGIN);
        out->is_mixed = is_mixed(out);
    }
    return ok;
}

/* Returns whether nearly all pixels have the colour of letters or background.
 */
static bool
has_two_colours(int background_percent, int ink_percent) {
    return background_percent >= MIN_BACKGROUND_FAINT
        && background_percent + ink_percent >= MIN_TWO_FAINT;
}

bool
sq_strip_may_be_text(const struct sq_strip *strip) {
    int width = strip->source.right - strip->source.left;
    int height = strip->source.bottom - strip->source.top;
    int least = width >= 3 * height        ? MIN_BACKGROUND
              : height <= MAX_SMALL_HEIGHT ? MIN_BACKGROUND_SMALL
                                           : MIN_BACKGROUND_NARROW;
    bool is_large_text =
        height >= MIN_LARGE_HEIGHT && width * 100 <= height * MAX_LARGE_WIDTH
        && strip->background_percent >= MIN_BACKGROUND_LARGE
        && strip->background_percent + strip->ink_percent >= MIN_TWO_COLOURS;
    bool is_text = strip->background_percent >= least || is_large_text;
    return is_text
        && (strip->black >= MAX_FAINT
            || has_two_colours(strip->background_percent, strip->ink_percent));
}

/* Finds out how far the pixels of a box are from their background. */
static bool
measure_box(const struct sq_image *image, struct sq_rect box,
            struct levels *levels, struct sq_err *err) {
    SQ_FREED(sq_grey_finish) struct sq_grey grey = { 0 };
    return sq_grey_init(&grey, box.right - box.left, box.bottom - box.top, err)
        && compare_with_background(image, box, &grey, levels, err);
}

/* Returns whether a box has faint letters; slack is in percent of its pixels.
 */
static bool
is_faint(const struct levels *levels, int slack) {
    return levels->black >= MIN_FAINT
        && levels->black < MAX_UNCLEAR * (100 + 4 * slack) / 100
        && has_two_colours(levels->percent + slack, levels->ink);
}

bool
sq_box_is_faint_text(const struct sq_image *image, struct sq_rect box,
                     bool *is_text, struct sq_err *err) {
    struct levels levels;
    int step = (box.bottom - box.top) / SAMPLED_ROWS;
    *is_text = false;
    if (step > 1) {
        /* Every step-th row of a box as a picture of its own. */
        struct sq_image rows = *image;
        rows.pixels = sq_image_row(image, box.top);
        rows.stride = image->stride * (size_t)step;
        rows.height = (box.bottom - box.top - 1) / step + 1;
        const struct sq_rect all = { box.left, 0, box.right, rows.height };
        if (!measure_box(&rows, all, &levels, err)) {
            return false;
        }
        if (!is_faint(&levels, SAMPLED_SLACK)) {
            return true; /* a photograph */
        }
    }
    if (!measure_box(image, box, &levels, err)) {
        return false;
    }
    *is_text = is_faint(&levels, 0);
    return true;
}

void
sq_strip_finish(struct sq_strip *strip) {
    sq_mem_free(strip->pixels);
    *strip = (struct sq_strip){ 0 };
}
