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
extern const struct sq_drawing sq_icon_signal;
extern const struct sq_drawing sq_icon_wifi;
extern const struct sq_drawing sq_icon_battery;
extern const struct sq_drawing sq_icon_check;
extern const struct sq_drawing sq_icon_gear;
extern const struct sq_drawing sq_icon_person;
extern const struct sq_drawing sq_icon_bag;
extern const struct sq_drawing sq_icon_target;
extern const struct sq_drawing sq_icon_clock;
extern const struct sq_drawing sq_icon_spinner;
extern const struct sq_drawing sq_icon_lock;
extern const struct sq_drawing sq_icon_rotate;
extern const struct sq_drawing sq_icon_bluetooth;
extern const struct sq_drawing sq_icon_bell;
extern const struct sq_drawing sq_icon_sun;
extern const struct sq_drawing sq_icon_quiet;
extern const struct sq_drawing sq_icon_volume;
extern const struct sq_drawing sq_icon_storage;
extern const struct sq_drawing sq_icon_pin;
extern const struct sq_drawing sq_icon_shield;
extern const struct sq_drawing sq_icon_info;
extern const struct sq_drawing sq_icon_globe;
extern const struct sq_drawing sq_icon_plane;
extern const struct sq_drawing sq_icon_grid;
extern const struct sq_drawing sq_icon_type;
extern const struct sq_drawing sq_icon_display;
extern const struct sq_drawing sq_icon_touch;
extern const struct sq_drawing sq_icon_picture;
extern const struct sq_drawing sq_icon_heart;
extern const struct sq_drawing sq_icon_heart_full;
extern const struct sq_drawing sq_icon_cart;
extern const struct sq_drawing sq_icon_search;
extern const struct sq_drawing sq_icon_filter;
extern const struct sq_drawing sq_icon_plus;
extern const struct sq_drawing sq_icon_back;
extern const struct sq_drawing sq_icon_chevron;
extern const struct sq_drawing sq_icon_phone;

/* Pictures have their own colours. */
extern const struct sq_drawing sq_picture_eye;
extern const struct sq_drawing sq_picture_headphones;
extern const struct sq_drawing sq_picture_lamp;
extern const struct sq_drawing sq_picture_plant;
extern const struct sq_drawing sq_picture_mug;
extern const struct sq_drawing sq_picture_watch;
extern const struct sq_drawing sq_picture_camera;
extern const struct sq_drawing sq_picture_backpack;
extern const struct sq_drawing sq_picture_speaker;

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

extern const struct sq_demo_app sq_app_launcher;
extern const struct sq_demo_app sq_app_settings;
extern const struct sq_demo_app sq_app_login;
extern const struct sq_demo_app sq_app_shop;
extern const struct sq_demo_app sq_app_game;
extern const struct sq_demo_app sq_app_clock;
extern const struct sq_demo_app sq_app_animation;
extern const struct sq_demo_app sq_app_secure;
extern const struct sq_demo_app sq_app_rotate;

/* Callbacks for widgets whose arg is a switch. */
bool sq_switch_is_on(const struct sq_phone *phone,
                     const struct sq_widget *widget);
void sq_switch_toggle(struct sq_phone *phone, const struct sq_item *item);

#endif
