/* A screen with an endless animation, which is never idle. */
#include <math.h>

#include "demo/phone/screens.h"

#define NS_PER_MS 1000000
#define DOTS 9
#define TURN_MS 1800
#define PI 3.14159265f

static bool
paint(struct sq_phone *phone, struct sq_canvas *canvas,
      const struct sq_item *item, struct sq_err *err) {
    struct sq_rect at = item->bounds;
    float x = (float)(at.left + at.right) / 2;
    float y = (float)(at.top + at.bottom) / 2;
    float r = (float)(at.bottom - at.top) / 2 * 0.8f;
    int64_t ms = sq_phone_now_ns(phone) / NS_PER_MS % TURN_MS;
    float turn = (float)(ms < 0 ? ms + TURN_MS : ms) / TURN_MS;
    (void)err;
    sq_canvas_shape(canvas, (struct sq_shape){ SQ_RING, { x, y, r, r * 0.1f } },
                    SQ_TONE);
    sq_canvas_shape(
        canvas,
        (struct sq_shape){
            SQ_ARC, { x, y, r, r * 0.1f, turn * 360 - 90, turn * 360 + 20 } },
        SQ_PRIMARY);
    for (int i = 0; i < DOTS; i++) {
        float phase = turn * 2 * PI - (float)i * 2 * PI / DOTS;
        float size = r * (0.05f + 0.03f * sinf(phase));
        float across = ((float)i - (DOTS - 1) / 2.0f) * r * 0.15f;
        sq_canvas_shape(
            canvas,
            (struct sq_shape){
                SQ_DISC, { x + across, y + r * 0.16f * sinf(phase), size } },
            SQ_RGB(0x7a4fd0));
    }
    return true;
}

static const struct sq_widget screen = SQ_PAGE(
    "Animation", 14,
    SQ_WIDGET(CANVAS, .id = "progress", .desc = "Loading", .paint = paint,
              .width = SQ_FILL, .height = 360),
    SQ_WIDGET(TEXT, .id = "status", .text = "Still loading", .role = SQ_TITLE),
    SQ_WIDGET(TEXT, .text = "This screen never comes to rest.",
              .ink = SQ_INK_SOFT));

const struct sq_demo_app sq_app_animation = {
    .name = "animation",
    .label = "Animation",
    .activity = ".AnimationActivity",
    .screen = &screen,
    .background = SQ_SURFACE,
    .bar_ink = SQ_INK,
    .icon = &sq_icon_spinner,
    .icon_fill = SQ_RGB(0x7a4fd0),
};
