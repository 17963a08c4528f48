/* Any template in any picture gives hits inside it, or an error. */
#include <assert.h>

#include "fuzz/fuzz.h"
#include "util/limits.h"
#include "vision/template.h"

/* Most work of one run: the product of the areas of picture and template. */
#define MAX_WORK 20000

/* Makes the longest sides shorter until the search is quick. */
static void
limit_sides(int sides[4]) {
    while (sides[0] * sides[1] * sides[2] * sides[3] > MAX_WORK) {
        int *longest = sides;
        for (int i = 1; i < 4; i++) {
            longest = sides[i] > *longest ? &sides[i] : longest;
        }
        *longest = *longest * 3 / 4;
    }
}

static void
fill(struct sq_image *image, const uint8_t *data, size_t size, size_t from) {
    for (size_t i = 0; i < image->stride * (size_t)image->height; i++) {
        image->pixels[i] = data[(from + i) % size];
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_image picture = { 0 };
    struct sq_image template = { 0 };
    struct sq_err err = { 0 };
    struct sq_image_hits hits;
    if (size < 6) {
        return 0;
    }
    int sides[4] = { 1 + data[0] % 80, 1 + data[1] % 80, 1 + data[2] % 40,
                     1 + data[3] % 40 };
    limit_sides(sides);
    int width = sides[0];
    int height = sides[1];
    bool ok = sq_image_init(&picture, width, height, &sq_limits_default, &err)
           && sq_image_init(&template, sides[2], sides[3], &sq_limits_default,
                            &err);
    if (ok) {
        fill(&picture, data, size, 5);
        fill(&template, data, size, data[4]);
        const struct sq_template_plan plan = {
            .area = { 0, 0, width, height },
            .has_alpha = data[4] % 2,
            .same_scale = data[4] % 4 > 1,
            .any_colours = data[4] % 8 > 3,
            .min_score = 0.5,
        };
        struct sq_deadline deadline = sq_deadline_in(600000, NULL);
        if (sq_template_find(&picture, &template, &plan, &deadline, &hits,
                             &err)) {
            for (int i = 0; i < hits.count; i++) {
                struct sq_rect box = hits.items[i].box;
                assert(box.left >= 0 && box.top >= 0 && box.right <= width
                       && box.bottom <= height && !sq_rect_is_empty(box));
                assert(hits.items[i].score >= 0.5
                       && hits.items[i].score <= 1.001);
            }
        } else {
            assert(err.code != SQ_ERR_NONE && err.message[0]);
        }
    }
    sq_image_finish(&template);
    sq_image_finish(&picture);
    return 0;
}
