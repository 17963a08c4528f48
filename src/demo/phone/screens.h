/* What the screens share: colours, drawings, the clock, and the apps. */
#ifndef SQ_DEMO_PHONE_SCREENS_H
#define SQ_DEMO_PHONE_SCREENS_H

#include "demo/phone/phone.h"

/* Colours, named by purpose. */
#define SQ_WHITE SQ_RGB(0xffffff)
#define SQ_SURFACE SQ_RGB(0xf7f8fc)
#define SQ_CARD SQ_RGB(0xffffff)
#define SQ_TONE SQ_RGB(0xe9ecf5)
#define SQ_INK SQ_RGB(0x1a1c22)
#define SQ_INK_SOFT SQ_RGB(0x5c6070)
#define SQ_LINE_SOFT SQ_RGB(0xdfe2ec)
#define SQ_LINE_FIRM SQ_RGB(0x8a8fa0)
#define SQ_PRIMARY SQ_RGB(0x3557d6)
#define SQ_PRIMARY_SOFT SQ_RGB(0xdce3ff)
#define SQ_PRIMARY_DEEP SQ_RGB(0x14286f)
#define SQ_ERROR SQ_RGB(0xba1a1a)
#define SQ_ERROR_SOFT SQ_RGB(0xffe2de)
#define SQ_GOOD SQ_RGB(0x1b6b3a)
#define SQ_GOOD_SOFT SQ_RGB(0xd6f2df)

/* Icons use the widget's ink colour. */
extern const struct sq_drawing sq_icon_signal, sq_icon_wifi, sq_icon_battery,
    sq_icon_check, sq_icon_gear, sq_icon_person, sq_icon_bag, sq_icon_target,
    sq_icon_clock, sq_icon_spinner, sq_icon_lock, sq_icon_rotate,
    sq_icon_bluetooth, sq_icon_bell, sq_icon_sun, sq_icon_quiet, sq_icon_volume,
    sq_icon_storage, sq_icon_pin, sq_icon_shield, sq_icon_info, sq_icon_globe,
    sq_icon_plane, sq_icon_grid, sq_icon_type, sq_icon_display, sq_icon_touch,
    sq_icon_picture, sq_icon_heart, sq_icon_heart_full, sq_icon_cart,
    sq_icon_search, sq_icon_filter, sq_icon_plus, sq_icon_back, sq_icon_chevron,
    sq_icon_phone;

/* Pictures have their own colours. */
extern const struct sq_drawing sq_picture_eye, sq_picture_headphones,
    sq_picture_lamp, sq_picture_plant, sq_picture_mug, sq_picture_watch,
    sq_picture_camera, sq_picture_backpack, sq_picture_speaker;

/* The time of the phone's clock, in UTC. */
struct sq_phone_time {
    int64_t day; /* days since 1970-01-01 */
    int hour;
    int minute;
    int second;
};

struct sq_phone_time sq_phone_time(const struct sq_phone *phone);

/* Return text for widgets: "14:05", "14:05:09" and "Saturday, 14 November". */
struct sq_span sq_minute_text(const struct sq_phone *phone,
                              const struct sq_widget *widget,
                              char scratch[SQ_WIDGET_TEXT_SIZE]);
struct sq_span sq_second_text(const struct sq_phone *phone,
                              const struct sq_widget *widget,
                              char scratch[SQ_WIDGET_TEXT_SIZE]);
struct sq_span sq_date_text(const struct sq_phone *phone,
                            const struct sq_widget *widget,
                            char scratch[SQ_WIDGET_TEXT_SIZE]);

/* A scrollable screen with a title and centred rows. */
#define SQ_PAGE(title, space, ...)                                             \
    SQ_WIDGET(SCROLL, .id = "content", .arg = SQ_SCROLL_OTHER,                 \
              .width = SQ_FILL, .height = SQ_FILL, .align = SQ_MIDDLE,         \
              .pad = { 20, 12, 20, 24 }, .gap = (space),                       \
              .children = SQ_CHILDREN(                                         \
                  SQ_WIDGET(TEXT, .id = "toolbar_title", .text = (title),      \
                            .width = SQ_FILL, .role = SQ_HEADLINE),            \
                  __VA_ARGS__))

extern const struct sq_demo_app sq_app_launcher, sq_app_settings, sq_app_login,
    sq_app_shop, sq_app_game, sq_app_clock, sq_app_animation, sq_app_secure,
    sq_app_rotate;

/* Callbacks for widgets with a flag. */
bool sq_phone_flag_is_on(const struct sq_phone *phone,
                         const struct sq_widget *widget);
void sq_phone_flag_toggle(struct sq_phone *phone, const struct sq_item *item);
struct sq_span sq_phone_flag_text(const struct sq_phone *phone,
                                  const struct sq_widget *widget,
                                  char scratch[SQ_WIDGET_TEXT_SIZE]);

#endif
