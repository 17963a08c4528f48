/* A clock app that shows the phone's time. */
#include <math.h>
#include <stdio.h>

#include "demo/phone/screens.h"

#define PI 3.14159265f

struct dial {
    float x, y, r;
};

static void
paint_hand(struct sq_canvas *canvas, const struct dial *dial, float turn,
           float length, float width, sq_colour colour) {
    float angle = turn * 2 * PI;
    float dx = sinf(angle);
    float dy = -cosf(angle);
    struct sq_shape hand = { SQ_LINE,
                             { width * dial->r, dial->x - dx * dial->r * 0.08f,
                               dial->y - dy * dial->r * 0.08f,
                               dial->x + dx * dial->r * length,
                               dial->y + dy * dial->r * length } };
    sq_canvas_shape(canvas, hand, colour);
}

static bool
paint_dial(struct sq_phone *phone, struct sq_canvas *canvas,
           const struct sq_item *item, struct sq_err *err) {
    struct sq_phone_time time = sq_phone_time(phone);
    struct sq_rect at = item->bounds;
    float width = (float)(at.right - at.left);
    float height = (float)(at.bottom - at.top);
    struct dial dial = { (float)at.left + width / 2, (float)at.top + height / 2,
                         fminf(width, height) / 2 };
    float minute = (float)time.minute + (float)time.second / 60;
    float hour = (float)(time.hour % 12) + minute / 60;
    (void)err;
    sq_canvas_shape(canvas,
                    (struct sq_shape){ SQ_DISC, { dial.x, dial.y, dial.r } },
                    SQ_CARD);
    for (int i = 0; i < 60; i++) {
        float angle = (float)i * PI / 30;
        bool is_hour = i % 5 == 0;
        float r = dial.r * 0.88f;
        struct sq_shape mark = { SQ_DISC,
                                 { dial.x + r * sinf(angle),
                                   dial.y - r * cosf(angle),
                                   dial.r * (is_hour ? 0.022f : 0.009f) } };
        sq_canvas_shape(canvas, mark, is_hour ? SQ_INK : SQ_LINE_FIRM);
    }
    paint_hand(canvas, &dial, hour / 12, 0.5f, 0.055f, SQ_INK);
    paint_hand(canvas, &dial, minute / 60, 0.74f, 0.04f, SQ_INK);
    paint_hand(canvas, &dial, (float)time.second / 60, 0.8f, 0.016f,
               SQ_PRIMARY);
    sq_canvas_shape(
        canvas,
        (struct sq_shape){ SQ_DISC, { dial.x, dial.y, dial.r * 0.05f } },
        SQ_PRIMARY);
    return true;
}

/*
 * Returns the time of a place without daylight saving; arg is its offset in
 * minutes.
 */
static struct sq_span
local_time_text(const struct sq_phone *phone, const struct sq_widget *widget,
                char scratch[SQ_WIDGET_TEXT_SIZE]) {
    struct sq_phone_time time = sq_phone_time(phone);
    int of_day = time.hour * 60 + time.minute + widget->arg;
    of_day = (of_day + 24 * 60) % (24 * 60);
    snprintf(scratch, SQ_WIDGET_TEXT_SIZE, "%02d:%02d", of_day / 60,
             of_day % 60);
    return sq_span_of(scratch);
}

#define PLACE(name, offset, minutes)                                           \
    SQ_WIDGET(                                                                 \
        ROW, .id = "place", .width = SQ_FILL, .max_width = 460,                \
        .pad = { 20, 12, 20, 12 }, .align = SQ_MIDDLE, .radius = 20,           \
        .fill = SQ_CARD,                                                       \
        .children = SQ_CHILDREN(                                               \
            SQ_WIDGET(COLUMN, .grow = true,                                    \
                      .children = SQ_CHILDREN(                                 \
                          SQ_WIDGET(TEXT, .id = "place_name", .text = name),   \
                          SQ_WIDGET(TEXT, .text = offset, .role = SQ_SMALL,    \
                                    .ink = SQ_INK_SOFT))),                     \
            SQ_WIDGET(TEXT, .id = "place_time", .get_text = local_time_text,   \
                      .arg = (minutes), .role = SQ_HEADLINE)))

static const struct sq_widget screen = SQ_PAGE(
    "Clock", 10,
    SQ_WIDGET(CANVAS, .id = "dial", .desc = "Clock face", .paint = paint_dial,
              .width = 290, .height = 300),
    SQ_WIDGET(TEXT, .id = "time", .get_text = sq_second_text, .role = SQ_GIANT),
    SQ_WIDGET(TEXT, .id = "date", .get_text = sq_date_text, .ink = SQ_INK_SOFT),
    SQ_WIDGET(TEXT, .id = "zone", .text = "Coordinated universal time",
              .role = SQ_SMALL, .ink = SQ_INK_SOFT, .pad = { 0, 0, 0, 14 }),
    PLACE("Honolulu", "10 hours behind", -600),
    PLACE("Delhi", "5:30 hours ahead", 330),
    PLACE("Tokyo", "9 hours ahead", 540));

const struct sq_demo_app sq_app_clock = {
    .name = "clock",
    .label = "Clock",
    .activity = ".ClockActivity",
    .screen = &screen,
    .background = SQ_SURFACE,
    .bar_ink = SQ_INK,
    .icon = &sq_icon_clock,
    .icon_fill = SQ_RGB(0x1c7f6e),
};
