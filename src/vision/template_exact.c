/*
 * Searches for the pixel of the template that is rarest in the picture, and
 * compares the whole template where it occurs.
 */
#include "vision/template_private.h"

#include <string.h>

#include "util/mem.h"
#include "util/minmax.h"

#define BINS 4096
#define SAMPLE 4 /* every fourth pixel of every fourth row is counted */
#define BLOCK 32 /* pixels that are searched together */
#define OPAQUE 255

/* The template as pixels without ignored bytes. */
struct pattern {
    uint32_t *pixels;
    uint8_t *mask; /* 1: compared; NULL: all are */
    int width;
    int height;
    int x; /* of the rarest pixel */
    int y;
};

static uint32_t
load_pixel(const uint8_t *p) {
    uint32_t value =
        (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
    uint8_t bytes[4] = { p[0], p[1], p[2], 0 };
    memcpy(&value, bytes, sizeof(value));
    return value;
}

static size_t
bin_of(uint32_t pixel) {
    return (pixel * 2654435761u) >> 20;
}

static bool
load_pattern(struct pattern *pattern, const struct sq_image *template,
             bool has_alpha, struct sq_err *err) {
    size_t count = (size_t) template->width * (size_t) template->height;
    *pattern = (struct pattern){
        .pixels = sq_mem_alloc(count, sizeof(*pattern->pixels)),
        .mask = has_alpha ? sq_mem_alloc(count, 1) : NULL,
        .width = template->width,
        .height = template->height,
    };
    if (!pattern->pixels || (has_alpha && !pattern->mask)) {
        return sq_fail_nomem(err);
    }
    size_t i = 0;
    for (int y = 0; y < template->height; y++) {
        const uint8_t *p = sq_image_row(template, y);
        for (int x = 0; x < template->width; x++, i++, p += SQ_PIXEL_BYTES) {
            pattern->pixels[i] = load_pixel(p);
            if (has_alpha) {
                pattern->mask[i] = p[3] == OPAQUE;
            }
        }
    }
    return true;
}

/* Chooses the pixel of the template that a sample of the picture has least. */
static bool
choose_rarest(struct pattern *pattern, const struct sq_image *picture,
              struct sq_rect area, struct sq_err *err) {
    uint32_t *counts = sq_mem_zalloc(BINS, sizeof(*counts));
    if (!counts) {
        return sq_fail_nomem(err);
    }
    for (int y = area.top; y < area.bottom; y += SAMPLE) {
        const uint8_t *row = sq_image_row(picture, y);
        for (int x = area.left; x < area.right; x += SAMPLE) {
            counts[bin_of(load_pixel(row + (size_t)x * SQ_PIXEL_BYTES))]++;
        }
    }
    uint32_t least = UINT32_MAX;
    bool is_flat = true;
    uint32_t first = 0;
    bool has_first = false;
    for (int i = 0; i < pattern->width * pattern->height; i++) {
        if (pattern->mask && !pattern->mask[i]) {
            continue;
        }
        uint32_t pixel = pattern->pixels[i];
        uint32_t count = counts[bin_of(pixel)];
        is_flat = is_flat && (!has_first || pixel == first);
        first = has_first ? first : pixel;
        has_first = true;
        if (count < least) {
            least = count;
            pattern->x = i % pattern->width;
            pattern->y = i / pattern->width;
        }
    }
    sq_mem_free(counts);
    if (is_flat) {
        sq_fail(err, SQ_ERR_ARGUMENT, "the template has only one colour");
        return sq_fail_hint(err, "Cut out a part with a visible shape.");
    }
    return true;
}

static bool
is_equal_row(const struct pattern *pattern, int row, const uint8_t *p) {
    size_t width = (size_t)pattern->width;
    const uint32_t *wanted = pattern->pixels + (size_t)row * width;
    if (!pattern->mask) {
        return memcmp(wanted, p, width * sizeof(*wanted)) == 0;
    }
    const uint8_t *mask = pattern->mask + (size_t)row * width;
    for (size_t i = 0; i < width; i++) {
        if (mask[i] && memcmp(&wanted[i], p + 4 * i, sizeof(*wanted)) != 0) {
            return false;
        }
    }
    return true;
}

static bool
is_equal_at(const struct pattern *pattern, const struct sq_image *picture,
            int x, int y) {
    for (int row = 0; row < pattern->height; row++) {
        const uint8_t *p =
            sq_image_row(picture, y + row) + (size_t)x * SQ_PIXEL_BYTES;
        if (!is_equal_row(pattern, row, p)) {
            return false;
        }
    }
    return true;
}

/* Returns whether one of BLOCK pixels has the value. Vectorised. */
static bool
block_contains(const uint8_t *p, uint32_t value) {
    uint32_t pixels[BLOCK];
    uint32_t found = 0;
    memcpy(pixels, p, sizeof(pixels));
    for (int i = 0; i < BLOCK; i++) {
        found |= pixels[i] == value;
    }
    return found;
}

static bool
overlap_much(struct sq_rect a, struct sq_rect b) {
    struct sq_rect common = sq_rect_common(a, b);
    if (sq_rect_is_empty(common)) {
        return false;
    }
    int64_t shared =
        (int64_t)(common.right - common.left) * (common.bottom - common.top);
    int64_t one = (int64_t)(a.right - a.left) * (a.bottom - a.top);
    int64_t other = (int64_t)(b.right - b.left) * (b.bottom - b.top);
    return shared * 10 > (one < other ? one : other) * 3;
}

void
sq_hits_add(struct sq_image_hits *hits, const struct sq_image_hit *hit) {
    int kept = 0;
    for (int i = 0; i < hits->count; i++) {
        if (overlap_much(hits->items[i].box, hit->box)
            && hits->items[i].score >= hit->score) {
            return;
        }
    }
    for (int i = 0; i < hits->count; i++) {
        if (!overlap_much(hits->items[i].box, hit->box)) {
            hits->items[kept++] = hits->items[i];
        }
    }
    if (kept == SQ_MAX_HITS) {
        kept -= hits->items[kept - 1].score < hit->score;
    }
    if (kept < SQ_MAX_HITS) {
        int at = kept++;
        while (at > 0 && hits->items[at - 1].score < hit->score) {
            hits->items[at] = hits->items[at - 1];
            at--;
        }
        hits->items[at] = *hit;
    }
    hits->count = kept;
}

/* Searches one row of the picture for the rarest pixel, x from..to. */
static void
search_row(const struct pattern *pattern, const struct sq_image *picture,
           int from, int to, int y, struct sq_image_hits *out) {
    uint32_t wanted =
        pattern->pixels[(size_t)pattern->y * (size_t)pattern->width
                        + (size_t)pattern->x];
    const uint8_t *row = sq_image_row(picture, y);
    for (int x = from; x < to;) {
        const uint8_t *p = row + (size_t)x * SQ_PIXEL_BYTES;
        if (x + BLOCK <= to && !block_contains(p, wanted)) {
            x += BLOCK;
            continue;
        }
        int end = sq_min_int(to, x + BLOCK);
        for (; x < end; x++) {
            p = row + (size_t)x * SQ_PIXEL_BYTES;
            int left = x - pattern->x;
            int top = y - pattern->y;
            if (memcmp(p, &wanted, sizeof(wanted)) == 0
                && is_equal_at(pattern, picture, left, top)) {
                const struct sq_image_hit hit = {
                    .box = { left, top, left + pattern->width,
                             top + pattern->height },
                    .scale = 1,
                    .score = 1,
                    .tier = SQ_IMAGE_HIT_EXACT,
                };
                sq_hits_add(out, &hit);
            }
        }
    }
}

bool
sq_template_find_exact(struct sq_image *picture,
                       const struct sq_image *template,
                       const struct sq_template_plan *plan,
                       struct sq_image_hits *out, struct sq_err *err) {
    struct pattern pattern;
    struct sq_rect area = plan->area;
    /* Sets the ignored bytes to 0, so that whole pixels can be compared. */
    for (int y = area.top; y < area.bottom; y++) {
        uint8_t *p =
            sq_image_row(picture, y) + (size_t)area.left * SQ_PIXEL_BYTES;
        size_t count = (size_t)(area.right - area.left);
        for (size_t i = 0; i < count; i++) {
            p[4 * i + 3] = 0;
        }
    }
    bool ok = load_pattern(&pattern, template, plan->has_alpha, err)
           && choose_rarest(&pattern, picture, area, err);
    int from = area.left + pattern.x;
    int to = area.right - pattern.width + pattern.x + 1;
    int last = area.bottom - pattern.height + pattern.y;
    for (int y = area.top + pattern.y; ok && y <= last; y++) {
        search_row(&pattern, picture, from, to, y, out);
    }
    sq_mem_free(pattern.pixels);
    sq_mem_free(pattern.mask);
    return ok;
}
