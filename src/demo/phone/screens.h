/* Declares the widget tables of all screens, and their functions for apps.c. */
#ifndef SQ_DEMO_PHONE_SCREENS_H
#define SQ_DEMO_PHONE_SCREENS_H

#include "demo/phone/phone.h"

/* A scrollable screen with a title and centred rows. */
#define SQ_PAGE(title, space, ...)                                             \
    {                                                                          \
        .kind = SQ_SCROLL, .id = "content", .arg = SQ_SCROLL_OTHER,            \
        .width = SQ_FILL, .height = SQ_FILL, .align = SQ_MIDDLE,               \
        .pad = { 20, 12, 20, 24 }, .gap = (space),                             \
        .children = SQ_CHILDREN({ .kind = SQ_TEXT,                             \
                                  .id = "toolbar_title",                       \
                                  .text = (title),                             \
                                  .width = SQ_FILL,                            \
                                  .role = SQ_HEADLINE },                       \
                                __VA_ARGS__)                                   \
    }

extern const struct sq_widget sq_screen_launcher;
extern const struct sq_widget sq_screen_settings;
extern const struct sq_widget sq_screen_login;
extern const struct sq_widget sq_screen_shop;
extern const struct sq_widget sq_screen_game;
extern const struct sq_widget sq_screen_clock;
extern const struct sq_widget sq_screen_animation;
extern const struct sq_widget sq_screen_secure;
extern const struct sq_widget sq_screen_rotate;

/* Reset an app to its initial state. */
void sq_settings_reset(struct sq_phone *phone);
void sq_login_reset(struct sq_phone *phone);
void sq_shop_reset(struct sq_phone *phone);
void sq_game_reset(struct sq_phone *phone);
void sq_secure_reset(struct sq_phone *phone);
void sq_rotate_reset(struct sq_phone *phone);

/* Paints the background of the whole screen. */
void sq_launcher_wallpaper(struct sq_canvas *canvas, struct sq_size size);

/* Go one step back inside an app. Return false if there is none. */
bool sq_launcher_back(struct sq_phone *phone);
bool sq_settings_back(struct sq_phone *phone);

/* Callbacks for widgets whose arg is a switch. */
bool sq_switch_is_on(const struct sq_phone *phone,
                     const struct sq_widget *widget);
bool sq_switch_toggle(struct sq_phone *phone, const struct sq_item *item,
                      struct sq_err *err);

#endif
