/* A game drawn on a canvas: its accessibility tree is empty. */
#include <math.h>
#include <stdio.h>

#include "demo/phone/screens.h"

#define RADIUS_DP 36
#define TOP_DP 150 /* above the playing field */
#define EDGE_DP 60
#define TRIES 20

static const sq_colour colours[SQ_DISCS] = { SQ_RGB(0xff6b6b), SQ_RGB(0xffd166),
                                             SQ_RGB(0x4ecdc4),
                                             SQ_RGB(0x9b8cff) };

static float
random_part(struct sq_phone *phone) {
    return (float)sq_phone_random(phone, 1001) / 1000;
}

/* Moves a disc to a random position, preferably far from the others. */
static void
move_disc(struct sq_phone *phone, int disc) {
    for (int i = 0; i < TRIES; i++) {
        struct sq_disc to = { random_part(phone), random_part(phone) };
        bool is_free = true;
        for (int other = 0; other < SQ_DISCS; other++) {
            const struct sq_disc *at = &phone->discs[other];
            is_free =
                is_free
                && (other == disc || hypotf(to.x - at->x, to.y - at->y) > 0.3f);
        }
        phone->discs[disc] = to;
        if (is_free) {
            return;
        }
    }
}

static void
reset(struct sq_phone *phone) {
    phone->random = phone->options.seed;
    phone->score = 0;
    for (int i = 0; i < SQ_DISCS; i++) {
        move_disc(phone, i);
    }
}

struct field {
    float left, top, width, height, radius;
};

static struct field
field_of(const struct sq_phone *phone, const struct sq_item *item) {
    float density = (float)phone->options.density;
    struct sq_rect at = item->bounds;
    float edge = EDGE_DP * density;
    return (struct field){
        .left = (float)at.left + edge,
        .top = (float)at.top + TOP_DP * density,
        .width = (float)(at.right - at.left) - 2 * edge,
        .height = (float)(at.bottom - at.top) - TOP_DP * density - edge,
        .radius = RADIUS_DP * density,
    };
}

static float
disc_x(const struct field *field, const struct sq_disc *disc) {
    return field->left + disc->x * field->width;
}

static float
disc_y(const struct field *field, const struct sq_disc *disc) {
    return field->top + disc->y * field->height;
}

/* Searches from the last disc, which is drawn on top. */
static void
hit(struct sq_phone *phone, const struct sq_item *item) {
    struct field field = field_of(phone, item);
    for (int i = SQ_DISCS - 1; i >= 0; i--) {
        float dx = (float)phone->touched.x - disc_x(&field, &phone->discs[i]);
        float dy = (float)phone->touched.y - disc_y(&field, &phone->discs[i]);
        if (hypotf(dx, dy) <= field.radius) {
            phone->score++;
            move_disc(phone, i);
            return;
        }
    }
}

static bool
paint(struct sq_phone *phone, struct sq_canvas *canvas,
      const struct sq_item *item, struct sq_err *err) {
    struct field field = field_of(phone, item);
    for (int i = 0; i < SQ_DISCS; i++) {
        float x = disc_x(&field, &phone->discs[i]);
        float y = disc_y(&field, &phone->discs[i]);
        float r = field.radius;
        sq_colour glow = (colours[i] & 0xffffff) | 0x30000000u;
        sq_canvas_shape(
            canvas, (struct sq_shape){ SQ_DISC, { x, y, r * 1.35f } }, glow);
        sq_canvas_shape(canvas, (struct sq_shape){ SQ_DISC, { x, y, r } },
                        colours[i]);
        sq_canvas_shape(
            canvas,
            (struct sq_shape){ SQ_DISC, { x - r / 3, y - r / 3, r / 5 } },
            SQ_FADED(0xffffff, 60));
    }
    char score[SQ_WIDGET_TEXT_SIZE];
    double density = phone->options.density;
    struct sq_face large = { (int)(40 * density), true };
    struct sq_face small = { (int)(14 * density), false };
    struct sq_pt at = { item->bounds.left + (int)(24 * density),
                        item->bounds.top + (int)(64 * density) };
    struct sq_pt below = { at.x, at.y + (int)(28 * density) };
    snprintf(score, sizeof(score), "Score %d", phone->score);
    return sq_canvas_text(canvas, &large, sq_span_of(score), at, SQ_WHITE, err)
        && sq_canvas_text(canvas, &small, SQ_SPAN("Tap the discs"), below,
                          SQ_FADED(0xffffff, 70), err);
}

static const struct sq_widget screen = SQ_WIDGET(
    CANVAS, .width = SQ_FILL, .height = SQ_FILL, .paint = paint, .tap = hit);

const struct sq_demo_app sq_app_game = {
    .name = "game",
    .label = "Game",
    .activity = ".GameActivity",
    .screen = &screen,
    .background = SQ_RGB(0x10142b),
    .background_end = SQ_RGB(0x2a1f4d),
    .bar_ink = SQ_WHITE,
    .icon = &sq_icon_target,
    .icon_fill = SQ_RGB(0xc23b6b),
    .reset = reset,
};
