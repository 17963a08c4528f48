/*
 * Converts a line to dark text on white: the further the colour of a pixel is
 * from that of the background, the darker it becomes.
 */
#include "vision/normalise.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/minmax.h"
#include "vision/gradient.h"
#include "vision/grey.h"

#define COLOUR_BITS 5 /* per channel, when colours are counted */
#define COLOURS (1 << (3 * COLOUR_BITS))

#define TEXT_HEIGHT 36 /* of a strip without its border */
#define MAX_SCALE 3.0

/* Long lines are made narrower: recognition takes time in proportion to the
   width. Short ones have too little context for that. Below 0.9 words are
   lost; docs/vision.md has the figures. */
#define LONG_LINE 8 /* times as wide as high */
#define NARROW 0.9

#define MAX_STRIP_WIDTH 16384
#define BORDER 8
#define WHITE 255

/* The darkest 2 percent of the pixels become black. */
#define DARK_PERCENT 2

/* Share of the background in percent below which a line is no text. Narrow
   ones are often parts of photographs and icons. */
#define MIN_BACKGROUND 45
#define MIN_BACKGROUND_NARROW 60

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

/* A gradient must explain this many percent more pixels than one colour. */
#define MIN_GAIN 10

/* Pixels this near to the background belong to it: JPEG blurs it. In faint
   lines it is less, a part of the distance of the letters. */
#define NOISE 24
#define NOISE_PART 4

struct background {
    int channel[3];
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

static void
count_colours(const struct sq_image *image, struct sq_rect box,
              uint32_t *counts, size_t *most) {
    for (int y = box.top; y < box.bottom; y++) {
        const uint8_t *p =
            sq_image_row(image, y) + (size_t)box.left * SQ_PIXEL_BYTES;
        for (int x = box.left; x < box.right; x++, p += SQ_PIXEL_BYTES) {
            size_t bin = bin_of(p);
            *most = ++counts[bin] > counts[*most] ? bin : *most;
        }
    }
}

/* Finds the mean of the pixels in the most common bin of colours. */
static bool
find_background(const struct sq_image *image, struct sq_rect box,
                struct background *out, struct sq_err *err) {
    uint32_t *counts = sq_mem_zalloc(COLOURS, sizeof(*counts));
    if (!counts) {
        return sq_fail_nomem(err);
    }
    size_t most = 0;
    count_colours(image, box, counts, &most);
    int64_t sums[3] = { 0 };
    for (int y = box.top; y < box.bottom; y++) {
        const uint8_t *p =
            sq_image_row(image, y) + (size_t)box.left * SQ_PIXEL_BYTES;
        for (int x = box.left; x < box.right; x++, p += SQ_PIXEL_BYTES) {
            if (bin_of(p) == most) {
                sums[0] += p[0];
                sums[1] += p[1];
                sums[2] += p[2];
            }
        }
    }
    int64_t count = counts[most];
    for (int i = 0; i < 3; i++) {
        out->channel[i] = (int)((sums[i] + count / 2) / count);
    }
    sq_mem_free(counts);
    return true;
}

static uint8_t
distance(const uint8_t *pixel, const struct background *background) {
    int red = abs(pixel[0] - background->channel[0]);
    int green = abs(pixel[1] - background->channel[1]);
    int blue = abs(pixel[2] - background->channel[2]);
    return (uint8_t)sq_max_int(red, sq_max_int(green, blue));
}

/* Writes the distance of each pixel from the background. */
static void
measure(const struct sq_image *image, struct sq_rect box,
        const struct background *background, uint8_t *out) {
    for (int y = box.top; y < box.bottom; y++) {
        const uint8_t *p =
            sq_image_row(image, y) + (size_t)box.left * SQ_PIXEL_BYTES;
        for (int x = box.left; x < box.right; x++, p += SQ_PIXEL_BYTES) {
            *out++ = distance(p, background);
        }
    }
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
    for (size_t i = 0; i < area; i++) {
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
    out->scale_y = scale;
    out->scale_x = width >= LONG_LINE * height ? scale * NARROW : scale;
    out->border = BORDER;
    out->width = sq_max_int(1, (int)(width * out->scale_x + 0.5)) + 2 * BORDER;
    out->height = sq_max_int(1, (int)(height * scale + 0.5)) + 2 * BORDER;
    out->pixels = sq_mem_alloc((size_t)out->width, (size_t)out->height);
    if (!out->pixels) {
        return sq_fail_nomem(err);
    }
    memset(out->pixels, WHITE, (size_t)out->width * (size_t)out->height);
    return true;
}

/* Scales the grey line into the middle of the strip. */
static bool
scale_into(const struct sq_grey *grey, struct sq_strip *strip,
           struct sq_err *err) {
    size_t stride = (size_t)strip->width;
    size_t border = (size_t)strip->border;
    const struct sq_grey_place place = {
        .pixels = strip->pixels + border * stride + border,
        .stride = stride,
        .width = strip->width - 2 * strip->border,
        .height = strip->height - 2 * strip->border,
    };
    return sq_grey_scale_into(grey, &place, err);
}

/*
 * Replaces the distances from one colour by those from a gradient, where that
 * explains more pixels.
 */
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
    struct background background;
    if (!find_background(image, box, &background, err)) {
        return false;
    }
    measure(image, box, &background, grey->pixels);
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
    struct sq_grey grey = { 0 };
    *out = (struct sq_strip){ 0 };
    bool ok = sq_grey_init(&grey, width, height, err)
           && compare_with_background(image, box, &grey, &levels, err)
           && init_strip(out, box, err);
    if (ok) {
        stretch(grey.pixels, (size_t)width * (size_t)height, levels.black);
        out->background_percent = levels.percent;
        out->ink_percent = levels.ink;
        out->black = levels.black;
        ok = scale_into(&grey, out, err);
    }
    sq_grey_finish(&grey);
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
    int least = width < 3 * height ? MIN_BACKGROUND_NARROW : MIN_BACKGROUND;
    bool is_large_text =
        height >= MIN_LARGE_HEIGHT && width * 100 <= height * MAX_LARGE_WIDTH
        && strip->background_percent >= MIN_BACKGROUND_LARGE
        && strip->background_percent + strip->ink_percent >= MIN_TWO_COLOURS;
    bool is_text = strip->background_percent >= least || is_large_text;
    return is_text
        && (strip->black >= MAX_FAINT
            || has_two_colours(strip->background_percent, strip->ink_percent));
}

bool
sq_box_is_faint_text(const struct sq_image *image, struct sq_rect box,
                     bool *is_text, struct sq_err *err) {
    struct levels levels;
    struct sq_grey grey = { 0 };
    bool ok =
        sq_grey_init(&grey, box.right - box.left, box.bottom - box.top, err)
        && compare_with_background(image, box, &grey, &levels, err);
    *is_text = ok && levels.black >= MIN_FAINT && levels.black < MAX_UNCLEAR
            && has_two_colours(levels.percent, levels.ink);
    sq_grey_finish(&grey);
    return ok;
}

void
sq_strip_finish(struct sq_strip *strip) {
    sq_mem_free(strip->pixels);
    *strip = (struct sq_strip){ 0 };
}
