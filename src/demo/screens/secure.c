/* A screen that must not be captured; its tree can still be read. */
#include "demo/phone/screens.h"

static void
reset(struct sq_phone *phone) {
    phone->amounts_hidden = false;
}

#define PALE SQ_RGB(0xaab2c8)

static const struct sq_widget screen = SQ_WIDGET(
    SCROLL, .id = "content", .arg = SQ_SCROLL_OTHER, .width = SQ_FILL,
    .height = SQ_FILL, .pad = { 20, 12, 20, 24 }, .gap = 16,
    .children = SQ_CHILDREN(
        SQ_WIDGET(TEXT, .id = "toolbar_title", .text = "Vault",
                  .role = SQ_HEADLINE, .ink = SQ_WHITE),
        SQ_WIDGET(
            COLUMN, .width = SQ_FILL, .pad = { 22, 24, 22, 24 }, .gap = 8,
            .radius = 26, .fill = SQ_RGB(0x24304f),
            .children = SQ_CHILDREN(
                SQ_WIDGET(TEXT, .text = "Balance", .ink = PALE),
                SQ_WIDGET(TEXT, .id = "balance", .get_text = sq_phone_flag_text,
                          .flag = SQ_FLAG(amounts_hidden),
                          .texts = { "$12,480.50", "Hidden" },
                          .role = SQ_DISPLAY, .ink = SQ_WHITE),
                SQ_WIDGET(TEXT, .text = "Account 0042 7781", .role = SQ_SMALL,
                          .ink = PALE))),
        SQ_WIDGET(BUTTON, .id = "toggle_amounts",
                  .get_text = sq_phone_flag_text,
                  .flag = SQ_FLAG(amounts_hidden),
                  .texts = { "Hide amounts", "Show amounts" },
                  .tap = sq_phone_flag_toggle, .width = SQ_FILL, .height = 54,
                  .radius = 27, .role = SQ_SUBTITLE, .fill = SQ_RGB(0xb9c8ff),
                  .ink = SQ_RGB(0x14286f)),
        SQ_WIDGET(ROW, .width = SQ_FILL, .gap = 12, .align = SQ_MIDDLE,
                  .pad = { 4, 4, 4, 4 },
                  .children = SQ_CHILDREN(
                      SQ_WIDGET(IMAGE, .ink = PALE, .drawing = &sq_icon_lock),
                      SQ_WIDGET(TEXT, .id = "notice",
                                .text = "This page does not allow screenshots",
                                .role = SQ_SMALL, .lines = 2, .grow = true,
                                .ink = PALE)))));

const struct sq_demo_app sq_app_secure = {
    .name = "secure",
    .label = "Vault",
    .activity = ".VaultActivity",
    .screen = &screen,
    .background = SQ_RGB(0x11151f),
    .bar_ink = SQ_WHITE,
    .secure = true,
    .icon = &sq_icon_lock,
    .icon_fill = SQ_RGB(0x2b3145),
    .reset = reset,
};
