/* Finds areas of one colour: connected samples of nearly equal colour. */
#include "vision/lines.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/minmax.h"

#define STEP 4         /* pixels from one sample to the next */
#define MIN_SAMPLES 8  /* of a side */
#define NEAR_COLOUR 10 /* largest difference of neighbours in a channel */
/* Share of the box that is filled, in percent. A disc fills 78. */
#define MIN_FILL 62
#define MAX_ROUND_FILL 86
#define MAX_ASPECT 6
/* Percent of the sides from a corner to a point that is outside of a disc (up
   to 14), but inside of a square whose corners are rounded. */
#define CORNER 11

struct samples {
    const struct sq_image *image;
    int width;
    int height;
    uint8_t *seen; /* of each sample */
    int *stack;    /* positions whose neighbours are to be visited */
};

static const uint8_t *
sample(const struct samples *s, int at) {
    int x = at % s->width * STEP + STEP / 2;
    int y = at / s->width * STEP + STEP / 2;
    return sq_image_row(s->image, y) + (size_t)x * SQ_PIXEL_BYTES;
}

static bool
are_near(const uint8_t *a, const uint8_t *b) {
    return abs(a[0] - b[0]) <= NEAR_COLOUR && abs(a[1] - b[1]) <= NEAR_COLOUR
        && abs(a[2] - b[2]) <= NEAR_COLOUR;
}

/* A connected area, in samples. */
struct blob {
    struct sq_rect box;
    int count;
    int64_t sums[3]; /* of the channels */
};

/* Collects the area of a sample. Every sample is on the stack at most once. */
static struct blob
fill(struct samples *s, int start) {
    int depth = 0;
    struct blob blob = { .box = { s->width, s->height, 0, 0 } };
    s->stack[depth++] = start;
    s->seen[start] = 1;
    while (depth) {
        int at = s->stack[--depth];
        int x = at % s->width;
        int y = at / s->width;
        const int next[4] = { x > 0 ? at - 1 : -1,
                              x + 1 < s->width ? at + 1 : -1,
                              y > 0 ? at - s->width : -1,
                              y + 1 < s->height ? at + s->width : -1 };
        blob.count++;
        for (int i = 0; i < 3; i++) {
            blob.sums[i] += sample(s, at)[i];
        }
        blob.box =
            sq_rect_join(blob.box, (struct sq_rect){ x, y, x + 1, y + 1 });
        for (int i = 0; i < 4; i++) {
            if (next[i] >= 0 && !s->seen[next[i]]
                && are_near(sample(s, at), sample(s, next[i]))) {
                s->seen[next[i]] = 1;
                s->stack[depth++] = next[i];
            }
        }
    }
    return blob;
}

static int
fill_percent(const struct blob *blob) {
    int64_t box = (int64_t)(blob->box.right - blob->box.left)
                * (blob->box.bottom - blob->box.top);
    return (int)(blob->count * (int64_t)100 / box);
}

static bool
is_compact(const struct samples *s, const struct blob *blob) {
    int width = blob->box.right - blob->box.left;
    int height = blob->box.bottom - blob->box.top;
    int most = sq_min_int(s->width, s->height) / 2;
    return width >= MIN_SAMPLES && height >= MIN_SAMPLES && width <= most
        && height <= most && width <= height * MAX_ASPECT
        && height <= width * MAX_ASPECT && fill_percent(blob) >= MIN_FILL;
}

/* Returns whether a point near a corner of the area has its colour. */
static bool
has_corner(const struct sq_image *image, const struct sq_area *area,
           int corner) {
    const struct sq_rect *box = &area->box;
    int x = (box->right - box->left) * CORNER / 100;
    int y = (box->bottom - box->top) * CORNER / 100;
    x = corner % 2 ? box->right - 1 - x : box->left + x;
    y = corner / 2 ? box->bottom - 1 - y : box->top + y;
    return are_near(sq_image_row(image, y) + (size_t)x * SQ_PIXEL_BYTES,
                    area->rgb);
}

/* Returns whether an area is a disc: squares have corners, even rounded ones.
 */
static bool
is_disc(const struct sq_image *image, const struct sq_area *area) {
    int corners = 0;
    for (int i = 0; i < 4; i++) {
        corners += has_corner(image, area, i);
    }
    return corners < 2;
}

static void
add(const struct samples *s, const struct blob *blob, struct sq_areas *out) {
    int width = blob->box.right - blob->box.left;
    int height = blob->box.bottom - blob->box.top;
    bool is_square = width * 5 <= height * 6 && height * 5 <= width * 6;
    struct sq_area area = {
        .box = { blob->box.left * STEP, blob->box.top * STEP,
                 blob->box.right * STEP, blob->box.bottom * STEP },
    };
    for (int i = 0; i < 3; i++) {
        area.rgb[i] = (uint8_t)(blob->sums[i] / blob->count);
    }
    area.is_round = is_square && fill_percent(blob) <= MAX_ROUND_FILL
                 && is_disc(s->image, &area);
    out->items[out->count++] = area;
}

bool
sq_areas_find(const struct sq_image *image, struct sq_areas *out,
              struct sq_err *err) {
    struct samples s = {
        .image = image,
        .width = image->width / STEP,
        .height = image->height / STEP,
    };
    size_t count = (size_t)s.width * (size_t)s.height;
    out->count = 0;
    s.seen = sq_mem_zalloc(count + 1, 1);
    s.stack = sq_mem_alloc(count + 1, sizeof(*s.stack));
    bool ok = (s.seen && s.stack) || sq_fail_nomem(err);
    for (int at = 0; ok && at < (int)count && out->count < SQ_MAX_AREAS; at++) {
        if (s.seen[at]) {
            continue;
        }
        struct blob blob = fill(&s, at);
        if (is_compact(&s, &blob)) {
            add(&s, &blob, out);
        }
    }
    sq_mem_free(s.stack);
    sq_mem_free(s.seen);
    return ok;
}
