/* All vector drawings of the demo phone. */
#ifndef SQ_DEMO_PHONE_DRAWINGS_H
#define SQ_DEMO_PHONE_DRAWINGS_H

#include "demo/phone/widget.h"

#define SQ_SHAPES(...)                                                         \
    (const struct sq_shape[]) {                                                \
        __VA_ARGS__, {                                                         \
            SQ_SHAPE_END, {                                                    \
                0                                                              \
            }                                                                  \
        }                                                                      \
    }
#define SQ_LAYERS(...)                                                         \
    (const struct sq_layer[]) {                                                \
        __VA_ARGS__, {                                                         \
            0, NULL                                                            \
        }                                                                      \
    }

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

#endif
