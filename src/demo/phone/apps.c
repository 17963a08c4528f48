/* The table of the demo phone's apps. */
#include "demo/phone/drawings.h"
#include "demo/phone/palette.h"
#include "demo/phone/screens.h"

const struct sq_demo_app sq_demo_apps[SQ_APPS] = {
    [SQ_APP_LAUNCHER] = {
        .name = "launcher",
        .label = "Launcher",
        .activity = ".LauncherActivity",
        .screen = &sq_screen_launcher,
        .background = SQ_RGB(0x1c2a6b),
        .background_end = SQ_RGB(0xc98aa8),
        .wallpaper = sq_launcher_wallpaper,
        .bar_ink = SQ_WHITE,
        .icon = &sq_icon_grid,
        .icon_fill = SQ_RGB(0x5c6070),
        .back = sq_launcher_back,
    },
    [SQ_APP_SETTINGS] = {
        .name = "settings",
        .label = "Settings",
        .activity = ".SettingsActivity",
        .screen = &sq_screen_settings,
        .background = SQ_SURFACE,
        .bar_ink = SQ_INK,
        .icon = &sq_icon_gear,
        .icon_fill = SQ_RGB(0x5b6b8c),
        .reset = sq_settings_reset,
        .back = sq_settings_back,
    },
    [SQ_APP_LOGIN] = {
        .name = "login",
        .label = "Login",
        .activity = ".LoginActivity",
        .screen = &sq_screen_login,
        .background = SQ_SURFACE,
        .bar_ink = SQ_INK,
        .icon = &sq_icon_person,
        .icon_fill = SQ_RGB(0x3557d6),
        .reset = sq_login_reset,
    },
    [SQ_APP_SHOP] = {
        .name = "shop",
        .label = "Shop",
        .activity = ".ShopActivity",
        .screen = &sq_screen_shop,
        .background = SQ_SURFACE,
        .bar_ink = SQ_INK,
        .icon = &sq_icon_bag,
        .icon_fill = SQ_RGB(0xe0663d),
        .reset = sq_shop_reset,
    },
    [SQ_APP_GAME] = {
        .name = "game",
        .label = "Game",
        .activity = ".GameActivity",
        .screen = &sq_screen_game,
        .background = SQ_RGB(0x10142b),
        .background_end = SQ_RGB(0x2a1f4d),
        .bar_ink = SQ_WHITE,
        .icon = &sq_icon_target,
        .icon_fill = SQ_RGB(0xc23b6b),
        .reset = sq_game_reset,
    },
    [SQ_APP_CLOCK] = {
        .name = "clock",
        .label = "Clock",
        .activity = ".ClockActivity",
        .screen = &sq_screen_clock,
        .background = SQ_SURFACE,
        .bar_ink = SQ_INK,
        .icon = &sq_icon_clock,
        .icon_fill = SQ_RGB(0x1c7f6e),
    },
    [SQ_APP_ANIMATION] = {
        .name = "animation",
        .label = "Animation",
        .activity = ".AnimationActivity",
        .screen = &sq_screen_animation,
        .background = SQ_SURFACE,
        .bar_ink = SQ_INK,
        .icon = &sq_icon_spinner,
        .icon_fill = SQ_RGB(0x7a4fd0),
    },
    [SQ_APP_SECURE] = {
        .name = "secure",
        .label = "Vault",
        .activity = ".VaultActivity",
        .screen = &sq_screen_secure,
        .background = SQ_RGB(0x11151f),
        .bar_ink = SQ_WHITE,
        .secure = true,
        .icon = &sq_icon_lock,
        .icon_fill = SQ_RGB(0x2b3145),
        .reset = sq_secure_reset,
    },
    [SQ_APP_ROTATE] = {
        .name = "rotate",
        .label = "Rotate",
        .activity = ".RotateActivity",
        .screen = &sq_screen_rotate,
        .background = SQ_SURFACE,
        .bar_ink = SQ_INK,
        .icon = &sq_icon_rotate,
        .icon_fill = SQ_RGB(0x2f7fb5),
        .reset = sq_rotate_reset,
    },
};

/* The URLs that apps of the phone open. */
static const struct {
    const char *start;
    enum sq_app_id app;
} urls[] = {
    { "https://shop.squint.example/", SQ_APP_SHOP },
    { "https://login.squint.example/", SQ_APP_LOGIN },
    { "squint-settings:", SQ_APP_SETTINGS },
};

enum sq_app_id
sq_phone_app_of_url(struct sq_span url) {
    for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
        if (sq_span_starts_with(url, urls[i].start)) {
            return urls[i].app;
        }
    }
    return SQ_APPS;
}
