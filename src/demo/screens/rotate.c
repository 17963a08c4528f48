/*
 * An app with a switch that rotates the phone to landscape, and a picture that
 * two fingers zoom and turn.
 */
#include <math.h>
#include <stdio.h>

#include "demo/phone/screens.h"

static void
reset(struct sq_phone *phone) {
    phone->landscape = false;
    phone->zoom = 100;
    phone->turn = 0;
}

static void
spread_picture(struct sq_phone *phone, const struct sq_spread *spread) {
    double zoom = phone->zoom * spread->scale;
    int turn = (int)lrint(phone->turn + spread->degrees) % 360;
    phone->zoom = (int)lrint(fmin(fmax(zoom, SQ_MIN_ZOOM), SQ_MAX_ZOOM));
    phone->turn = turn < 0 ? turn + 360 : turn;
}

static int
picture_zoom(const struct sq_phone *phone) {
    return phone->zoom;
}

static bool
is_spread(const struct sq_phone *phone, const struct sq_widget *widget) {
    (void)widget;
    return phone->zoom != 100 || phone->turn != 0;
}

static struct sq_span
spread_text(const struct sq_phone *phone, const struct sq_widget *widget,
            char scratch[SQ_WIDGET_TEXT_SIZE]) {
    (void)widget;
    snprintf(scratch, SQ_WIDGET_TEXT_SIZE, "Zoom %d %%, turned %d\u00b0",
             phone->zoom, phone->turn);
    return sq_span_of(scratch);
}

static const struct sq_widget screen = SQ_PAGE(
    "Rotate", 20,
    SQ_WIDGET(
        ROW, .id = "row", .tap = sq_phone_flag_toggle,
        .flag = SQ_FLAG(landscape), .width = SQ_FILL, .max_width = 560,
        .pad = { 20, 20, 20, 20 }, .gap = 16, .align = SQ_MIDDLE, .radius = 24,
        .fill = SQ_CARD,
        .children = SQ_CHILDREN(
            SQ_WIDGET(COLUMN, .grow = true, .gap = 2,
                      .children = SQ_CHILDREN(
                          SQ_WIDGET(TEXT, .id = "title", .text = "Landscape",
                                    .role = SQ_SUBTITLE),
                          SQ_WIDGET(TEXT, .id = "summary",
                                    .get_text = sq_phone_flag_text,
                                    .flag = SQ_FLAG(landscape),
                                    .texts = { "The phone stands upright",
                                               "The phone lies on its side" },
                                    .role = SQ_SMALL, .ink = SQ_INK_SOFT))),
            SQ_WIDGET(SWITCH, .id = "landscape", .chosen = sq_phone_flag_is_on,
                      .flag = SQ_FLAG(landscape)))),
    SQ_WIDGET(IMAGE, .id = "picture", .desc = "Picture",
              .spread = spread_picture, .zoom = picture_zoom, .width = 200,
              .height = 200, .pad = { 40, 40, 40, 40 }, .radius = 100,
              .fill = SQ_PRIMARY_SOFT, .ink = SQ_PRIMARY,
              .drawing = &sq_icon_rotate),
    SQ_WIDGET(TEXT, .id = "zoom", .shown = is_spread, .get_text = spread_text,
              .role = SQ_SUBTITLE));

const struct sq_demo_app sq_app_rotate = {
    .name = "rotate",
    .label = "Rotate",
    .activity = ".RotateActivity",
    .screen = &screen,
    .background = SQ_SURFACE,
    .bar_ink = SQ_INK,
    .icon = &sq_icon_rotate,
    .icon_fill = SQ_RGB(0x2f7fb5),
    .reset = reset,
};
