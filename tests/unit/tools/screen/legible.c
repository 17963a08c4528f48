/* The size at which the text of a screen is legible. */
#include "tools/screen/legible.h"

#include "image/draw/draw.h"
#include "image/pipeline/picture.h"
#include "support/test.h"

static struct sq_font *font;
static struct sq_image image;

static void
start(void) {
    image = (struct sq_image){ 0 };
    T_OK(sq_font_create(&font, &t_err));
}

static void
stop(void) {
    sq_image_finish(&image);
    sq_font_destroy(font);
}

/* Draws lines of text in a size, below one another. */
static void
draw(int width, int height, int size_px, int lines) {
    sq_image_finish(&image);
    T_OK(sq_image_init(&image, width, height, &sq_limits_default, &t_err));
    struct sq_canvas canvas = {
        image.pixels, image.stride, { 0, 0, width, height }, font
    };
    sq_canvas_rect(&canvas, canvas.clip, SQ_RGB(0xffffff));
    for (int i = 0; i < lines; i++) {
        T_OK(sq_canvas_text(&canvas, &(struct sq_face){ size_px, false },
                            SQ_SPAN("Delivery of the parcel is expected"),
                            (struct sq_pt){ 20, (i + 1) * size_px * 2 },
                            SQ_RGB(0x202124), &t_err));
    }
}

static int
side(const char *profile, int budget) {
    const struct sq_legible_limits limits = {
        .profile = sq_token_profile_find(profile),
        .budget_tokens = budget,
        .default_side = sq_token_profile_find(profile)->default_side
                          ? sq_token_profile_find(profile)->default_side
                          : SQ_DEFAULT_MAX_DIMENSION,
    };
    int got = 0;
    T_OK(sq_legible_side(&image, &limits, &got, &t_err));
    return got;
}

T_FIXTURE(start, stop);

T_CASE(small_text_of_a_desktop_gets_a_larger_picture) {
    draw(1920, 1080, 16, 25);
    const int medium = side("claude-hires", 0);
    draw(1920, 1080, 12, 25);
    const int small = side("claude-hires", 0);
    T(medium > 1000 && small > medium);
    T(small <= 1484); /* 1,600 tokens */
    draw(1920, 1080, 10, 25);
    T_INT(side("claude", 0), 1456); /* a larger one is not sent */
}

T_CASE(text_of_a_phone_keeps_the_default) {
    draw(1080, 2400, 36, 25);
    T_INT(side("claude", 0), 1000);
}

T_CASE(large_text_needs_fewer_tokens) {
    draw(1080, 2400, 80, 12);
    const int got = side("claude", 0);
    T(got < 1000 && got >= 640);
    T_INT(side("gemini-3", 0), 2000); /* it would save nothing */
    draw(1080, 2400, 120, 5);
    T_INT(side("claude", 0), 640);
}

T_CASE(a_little_small_text_is_ignored) {
    draw(1080, 2400, 36, 25);
    struct sq_canvas canvas = {
        image.pixels, image.stride, { 0, 0, 1080, 2400 }, font
    };
    T_OK(sq_canvas_text(&canvas, &(struct sq_face){ 12, false },
                        SQ_SPAN("Terms and conditions apply"),
                        (struct sq_pt){ 20, 2380 }, SQ_RGB(0), &t_err));
    T_INT(side("claude", 0), 1000);
}

T_CASE(without_text_it_is_the_default) {
    draw(1920, 1080, 16, 0);
    T_INT(side("claude", 0), 1000);
    T_INT(side("gemini-3", 0), 1920);
    draw(300, 200, 16, 0);
    T_INT(side("claude", 0), 300);
}

T_CASE(a_budget_limits_it) {
    draw(1920, 1080, 12, 25);
    T(side("claude", 800) < 1100);
    T_INT(side("claude", 400), 728);
    int got = 7;
    const struct sq_legible_limits none = {
        .profile = sq_token_profile_find("gpt-4o"),
        .budget_tokens = 100,
        .default_side = 1000,
    };
    T_FAILS(sq_legible_side(&image, &none, &got, &t_err), SQ_ERR_ARGUMENT);
    T_INT(got, 7);
    /* No picture costs 1,600 tokens: the default's cost is the budget. */
    T(side("gpt-4o-mini", 0) >= 1000);
}

T_CASE(hosts_limit_the_side) {
    draw(3840, 2160, 12, 25);
    T_INT(side("gemini-3", 0), 2000);
    T_INT(side("gpt-5.5", 5000), 2000);
}
