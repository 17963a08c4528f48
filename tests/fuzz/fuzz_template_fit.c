/*
 * Fitting any template to any place of a picture gives a place inside it, and
 * both are sampled in the same size. The first bytes are sizes, the place and
 * the scale; the others are pixels.
 */
#include <assert.h>
#include <math.h>

#include "fuzz/fuzz.h"
#include "util/minmax.h"
#include "vision/template_private.h"

#define HEAD 9
#define MAX_AREA 120 /* pixels of the template: larger ones take long */
#define SLACK 0.5001 /* pixels that a place may reach beyond the picture */

static bool
fill(struct sq_grey *grey, int width, int height, const uint8_t *data,
     size_t size, size_t from) {
    struct sq_err err = { 0 };
    if (!sq_grey_init(grey, width, height, &err)) {
        return false;
    }
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
        grey->pixels[i] = data[(from + i) % size];
    }
    return true;
}

/* Returns one of 65,536 values from `from` to `to`. */
static double
between(const uint8_t *data, double from, double to) {
    return from + (to - from) * (data[0] << 8 | data[1]) / 65535;
}

static void
check_samples(const struct sq_fit *fit, const struct sq_template_place *place) {
    struct sq_grey own = { 0 };
    struct sq_grey there = { 0 };
    struct sq_err err = { 0 };
    assert(sq_fit_sample_template(fit->template, place, &own, &err));
    assert(sq_fit_sample_picture(fit->picture, fit->template->width,
                                 fit->template->height, place, &there, &err));
    assert(own.width == there.width && own.height == there.height);
    sq_grey_finish(&own);
    sq_grey_finish(&there);
}

static void
check_place(const struct sq_fit *fit, const struct sq_template_place *place) {
    assert(place->scale >= SQ_FIT_MIN_SCALE
           && place->scale <= SQ_FIT_MAX_SCALE);
    assert(place->x >= -SLACK && place->y >= -SLACK);
    assert(place->x + fit->template->width * place->scale
           <= fit->picture->width + SLACK);
    assert(place->y + fit->template->height * place->scale
           <= fit->picture->height + SLACK);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct sq_grey picture = { 0 };
    struct sq_grey template = { 0 };
    struct sq_grey mask = { 0 };
    struct sq_err err = { 0 };
    if (size <= HEAD) {
        return 0;
    }
    int width = 1 + data[0] % 30;
    int height = 1 + data[1] % sq_min_int(30, MAX_AREA / width);
    struct sq_template_place place = {
        .scale = between(data + 2, SQ_FIT_MIN_SCALE, SQ_FIT_MAX_SCALE),
    };
    /* The picture is at least as large as the template in it. */
    int wide = (int)ceil(width * place.scale) + data[4] % 16;
    int high = (int)ceil(height * place.scale) + data[4] / 16;
    place.x = between(data + 5, 0, wide - width * place.scale);
    place.y = between(data + 6, 0, high - height * place.scale);
    bool ok = fill(&picture, wide, high, data, size, HEAD)
           && fill(&template, width, height, data, size, data[8])
           && (data[7] % 2 || fill(&mask, width, height, data, size, data[7]));
    if (ok) {
        const struct sq_fit fit = { &template, &mask, &picture,
                                    data[7] % 4 > 1 };
        double score;
        check_samples(&fit, &place);
        assert(sq_fit_improve(&fit, &place, &score, &err));
        assert(score >= -1.001 && score <= 1.001);
        check_place(&fit, &place);
        check_samples(&fit, &place);
    }
    sq_grey_finish(&mask);
    sq_grey_finish(&template);
    sq_grey_finish(&picture);
    return 0;
}
