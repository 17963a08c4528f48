/* The lock screen, which only a PIN opens; nothing on it can be touched. */
#include "demo/phone/screens.h"

static const struct sq_widget screen =
    SQ_WIDGET(COLUMN, .id = "keyguard", .width = SQ_FILL, .height = SQ_FILL,
              .align = SQ_MIDDLE, .pad = { 20, 160, 20, 24 }, .gap = 16,
              .children = SQ_CHILDREN(
                  SQ_WIDGET(TEXT, .id = "keyguard_title", .text = "Locked",
                            .role = SQ_HEADLINE, .ink = SQ_WHITE),
                  SQ_WIDGET(TEXT, .id = "keyguard_message",
                            .text = "Enter the PIN", .ink = SQ_WHITE)));

const struct sq_demo_app sq_demo_lock = {
    .name = "lock",
    .label = "Lock screen",
    .activity = ".LockScreen",
    .screen = &screen,
    .background = SQ_RGB(0x141a2c),
    .bar_ink = SQ_WHITE,
};
