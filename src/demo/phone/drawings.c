/* The icons, and the pictures with their own colours. */
#include "demo/phone/screens.h"

const struct sq_drawing sq_icon_signal = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_BOX, { 2.5f, 15.5f, 6, 20.5f, 1 } },
                                 { SQ_BOX, { 7.7f, 12, 11.2f, 20.5f, 1 } },
                                 { SQ_BOX, { 12.9f, 8, 16.4f, 20.5f, 1 } },
                                 { SQ_BOX, { 18.1f, 4, 21.6f, 20.5f, 1 } }) })
};

const struct sq_drawing sq_icon_wifi = {
    24,
    SQ_LAYERS({ 0, SQ_SHAPES({ SQ_DISC, { 12, 19, 2 } },
                             { SQ_ARC, { 12, 19, 6.5f, 2.2f, 225, 315 } },
                             { SQ_ARC, { 12, 19, 11, 2.2f, 225, 315 } },
                             { SQ_ARC, { 12, 19, 15.5f, 2.2f, 225, 315 } }) })
};

const struct sq_drawing sq_icon_battery = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_FRAME, { 1, 6.5f, 21, 18.5f, 3.4f, 2 } },
                                 { SQ_BOX, { 4, 9.5f, 15.5f, 15.5f, 1 } },
                                 { SQ_BOX, { 21.4f, 10, 23.4f, 15, 1 } }) })
};

const struct sq_drawing sq_icon_check = {
    24,
    SQ_LAYERS({ 0, SQ_SHAPES({ SQ_BEND,
                               { 2.8f, 6, 12.5f, 10.4f, 17, 18.5f, 7.5f } }) })
};

const struct sq_drawing sq_icon_gear = {
    24,
    SQ_LAYERS(
        { 0, SQ_SHAPES({ SQ_RING, { 12, 12, 5.2f, 3.4f } },
                       { SQ_LINE, { 3.6f, 19, 12, 20.9f, 12 } },
                       { SQ_LINE, { 3.6f, 16.95f, 16.95f, 18.29f, 18.29f } },
                       { SQ_LINE, { 3.6f, 12, 19, 12, 20.9f } },
                       { SQ_LINE, { 3.6f, 7.05f, 16.95f, 5.71f, 18.29f } },
                       { SQ_LINE, { 3.6f, 5, 12, 3.1f, 12 } },
                       { SQ_LINE, { 3.6f, 7.05f, 7.05f, 5.71f, 5.71f } },
                       { SQ_LINE, { 3.6f, 12, 5, 12, 3.1f } },
                       { SQ_LINE, { 3.6f, 16.95f, 7.05f, 18.29f, 5.71f } }) })
};

const struct sq_drawing sq_icon_person = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_DISC, { 12, 7.5f, 4.5f } },
                                 { SQ_BOX, { 4, 14, 20, 23, 8 } },
                                 { SQ_BOX, { 4, 18, 20, 21.5f, 2 } }) })
};

const struct sq_drawing sq_icon_bag = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_BOX, { 4, 8.5f, 20, 21.5f, 3.2f } },
                                 { SQ_ARC, { 12, 8.5f, 3.8f, 2, 180, 360 } }) })
};

const struct sq_drawing sq_icon_target = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_RING, { 12, 12, 9, 2.2f } },
                                 { SQ_RING, { 12, 12, 4.6f, 2.2f } },
                                 { SQ_DISC, { 12, 12, 1.4f } }) })
};

const struct sq_drawing sq_icon_clock = {
    24,
    SQ_LAYERS(
        { 0, SQ_SHAPES({ SQ_RING, { 12, 12, 9, 2.2f } },
                       { SQ_BEND, { 2.2f, 12, 6.8f, 12, 12, 15.6f, 14.2f } }) })
};

const struct sq_drawing sq_icon_spinner = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_ARC, { 12, 12, 8.6f, 2.6f, -70, 90 } },
                                 { SQ_ARC, { 12, 12, 8.6f, 2.6f, 125, 215 } },
                                 { SQ_DISC, { 12, 12, 2.4f } }) })
};

const struct sq_drawing sq_icon_lock = {
    24,
    SQ_LAYERS({ 0, SQ_SHAPES({ SQ_BOX, { 4.5f, 10.5f, 19.5f, 21.5f, 3 } },
                             { SQ_ARC, { 12, 8.2f, 4.2f, 2.2f, 180, 360 } },
                             { SQ_LINE, { 2.2f, 7.8f, 8.2f, 7.8f, 11.5f } },
                             { SQ_LINE, { 2.2f, 16.2f, 8.2f, 16.2f, 11.5f } },
                             { SQ_HOLE, { 12, 16, 1.9f } }) })
};

const struct sq_drawing sq_icon_rotate = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_FRAME, { 8, 6, 16, 18, 2.2f, 1.9f } },
                                 { SQ_ARC, { 12, 12, 10, 2, 188, 262 } },
                                 { SQ_ARC, { 12, 12, 10, 2, 8, 82 } },
                                 { SQ_TRI, { 9.6f, -1, 15, 2, 9.6f, 5 } },
                                 { SQ_TRI, { 14.4f, 25, 9, 22, 14.4f, 19 } }) })
};

const struct sq_drawing sq_icon_bluetooth = {
    24,
    SQ_LAYERS({ 0, SQ_SHAPES({ SQ_LINE, { 2, 12, 3, 12, 21 } },
                             { SQ_BEND, { 2, 12, 3, 17, 7.8f, 7, 16.2f } },
                             { SQ_BEND, { 2, 12, 21, 17, 16.2f, 7, 7.8f } }) })
};

const struct sq_drawing sq_icon_bell = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_BOX, { 6, 4.5f, 18, 20, 6 } },
                                 { SQ_BOX, { 6, 12, 18, 17, 0.5f } },
                                 { SQ_LINE, { 2.2f, 4.6f, 17, 19.4f, 17 } },
                                 { SQ_DISC, { 12, 20.4f, 2 } },
                                 { SQ_DISC, { 12, 4, 1.7f } }) })
};

const struct sq_drawing sq_icon_sun = {
    24, SQ_LAYERS(
            { 0, SQ_SHAPES({ SQ_DISC, { 12, 12, 4.4f } },
                           { SQ_LINE, { 2, 19.6f, 12, 21.8f, 12 } },
                           { SQ_LINE, { 2, 17.37f, 17.37f, 18.93f, 18.93f } },
                           { SQ_LINE, { 2, 12, 19.6f, 12, 21.8f } },
                           { SQ_LINE, { 2, 6.63f, 17.37f, 5.07f, 18.93f } },
                           { SQ_LINE, { 2, 4.4f, 12, 2.2f, 12 } },
                           { SQ_LINE, { 2, 6.63f, 6.63f, 5.07f, 5.07f } },
                           { SQ_LINE, { 2, 12, 4.4f, 12, 2.2f } },
                           { SQ_LINE, { 2, 17.37f, 6.63f, 18.93f, 5.07f } }) })
};

const struct sq_drawing sq_icon_quiet = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_DISC, { 12, 12, 9.5f } },
                                 { SQ_PIT, { 7, 10.8f, 17, 13.2f, 1.2f } }) })
};

const struct sq_drawing sq_icon_volume = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_BOX, { 3, 9, 9, 15, 1 } },
                                 { SQ_QUAD,
                                   { 6.5f, 9, 12.5f, 4, 12.5f, 20, 6.5f, 15 } },
                                 { SQ_ARC, { 12.5f, 12, 3.8f, 2, -50, 50 } },
                                 { SQ_ARC, { 12.5f, 12, 8, 2, -50, 50 } }) })
};

const struct sq_drawing sq_icon_storage = {
    24,
    SQ_LAYERS({ 0, SQ_SHAPES({ SQ_BOX, { 3.5f, 3.5f, 20.5f, 8.6f, 1.6f } },
                             { SQ_HOLE, { 7, 6.05f, 1.1f } },
                             { SQ_BOX, { 3.5f, 9.6f, 20.5f, 14.6f, 1.6f } },
                             { SQ_HOLE, { 7, 12.1f, 1.1f } },
                             { SQ_BOX, { 3.5f, 15.6f, 20.5f, 20.6f, 1.6f } },
                             { SQ_HOLE, { 7, 18.1f, 1.1f } }) })
};

const struct sq_drawing sq_icon_pin = {
    24, SQ_LAYERS(
            { 0, SQ_SHAPES({ SQ_DISC, { 12, 9.5f, 7 } },
                           { SQ_TRI, { 5.6f, 12.3f, 18.4f, 12.3f, 12, 22.5f } },
                           { SQ_HOLE, { 12, 9.2f, 2.6f } }) })
};

const struct sq_drawing sq_icon_shield = {
    24,
    SQ_LAYERS(
        { 0,
          SQ_SHAPES(
              { SQ_QUAD, { 4.6f, 5.4f, 12, 2.2f, 19.4f, 5.4f, 18.6f, 13.4f } },
              { SQ_QUAD,
                { 4.6f, 5.4f, 18.6f, 13.4f, 12, 21.8f, 5.4f, 13.4f } }) })
};

const struct sq_drawing sq_icon_info = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_RING, { 12, 12, 9, 2.2f } },
                                 { SQ_LINE, { 2.2f, 12, 11.4f, 12, 16.4f } },
                                 { SQ_DISC, { 12, 7.8f, 1.4f } }) })
};

const struct sq_drawing sq_icon_globe = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_RING, { 12, 12, 9, 2 } },
                                 { SQ_LINE, { 2, 3.5f, 12, 20.5f, 12 } },
                                 { SQ_ARC, { 5, 12, 11.4f, 2, -51, 51 } },
                                 { SQ_ARC, { 19, 12, 11.4f, 2, 129, 231 } }) })
};

const struct sq_drawing sq_icon_plane = {
    24,
    SQ_LAYERS(
        { 0,
          SQ_SHAPES(
              { SQ_LINE, { 3.2f, 12, 4, 12, 19 } },
              { SQ_QUAD, { 12, 7.5f, 12, 13.2f, 2.5f, 17, 2.5f, 14.2f } },
              { SQ_QUAD, { 12, 7.5f, 12, 13.2f, 21.5f, 17, 21.5f, 14.2f } },
              { SQ_QUAD, { 12, 17, 12, 20.4f, 7.5f, 22.4f, 7.5f, 20.4f } },
              { SQ_QUAD, { 12, 17, 12, 20.4f, 16.5f, 22.4f, 16.5f, 20.4f } }) })
};

const struct sq_drawing sq_icon_grid = {
    24, SQ_LAYERS(
            { 0, SQ_SHAPES({ SQ_BOX, { 3.5f, 3.5f, 10.8f, 10.8f, 2.2f } },
                           { SQ_BOX, { 13.2f, 3.5f, 20.5f, 10.8f, 2.2f } },
                           { SQ_BOX, { 3.5f, 13.2f, 10.8f, 20.5f, 2.2f } },
                           { SQ_BOX, { 13.2f, 13.2f, 20.5f, 20.5f, 2.2f } }) })
};

const struct sq_drawing sq_icon_type = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_BOX, { 2.5f, 4.5f, 16.5f, 7.5f, 0.8f } },
                                 { SQ_BOX, { 8, 4.5f, 11, 20, 0.8f } },
                                 { SQ_BOX, { 14, 11, 21.5f, 13.4f, 0.8f } },
                                 { SQ_BOX, { 16.6f, 11, 19, 20, 0.8f } }) })
};

const struct sq_drawing sq_icon_display = {
    24, SQ_LAYERS(
            { 0, SQ_SHAPES({ SQ_FRAME, { 2.5f, 4, 21.5f, 16.8f, 2.6f, 2.1f } },
                           { SQ_LINE, { 2.2f, 8, 20.2f, 16, 20.2f } },
                           { SQ_LINE, { 2.2f, 12, 16.8f, 12, 20 } }) })
};

const struct sq_drawing sq_icon_touch = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_RING, { 12, 12, 8.6f, 2 } },
                                 { SQ_DISC, { 12, 12, 4 } }) })
};

const struct sq_drawing sq_icon_picture = {
    24, SQ_LAYERS(
            { 0, SQ_SHAPES({ SQ_FRAME, { 3, 4, 21, 20, 3, 2 } },
                           { SQ_QUAD,
                             { 6, 17, 10.2f, 10.6f, 13.2f, 14.4f, 16.8f, 17 } },
                           { SQ_TRI, { 12, 17, 15, 12.4f, 18, 17 } },
                           { SQ_DISC, { 15.6f, 8.9f, 1.7f } }) })
};

const struct sq_drawing sq_icon_heart = {
    24,
    SQ_LAYERS(
        { 0, SQ_SHAPES({ SQ_ARC, { 7.9f, 9, 4.1f, 2, 138, 338 } },
                       { SQ_ARC, { 16.1f, 9, 4.1f, 2, 202, 402 } },
                       { SQ_BEND,
                         { 2, 4.85f, 11.74f, 12, 19.6f, 19.15f, 11.74f } }) })
};

const struct sq_drawing sq_icon_heart_full = {
    24, SQ_LAYERS(
            { 0, SQ_SHAPES(
                     { SQ_DISC, { 7.9f, 9, 5 } }, { SQ_DISC, { 16.1f, 9, 5 } },
                     { SQ_QUAD,
                       { 4.1f, 12.3f, 12, 7.5f, 19.9f, 12.3f, 12, 20.8f } }) })
};

const struct sq_drawing sq_icon_cart = {
    24,
    SQ_LAYERS({ 0, SQ_SHAPES({ SQ_BEND, { 2, 2, 4, 5, 4, 7.3f, 15.2f } },
                             { SQ_LINE, { 2, 7.3f, 15.2f, 18.4f, 15.2f } },
                             { SQ_BEND,
                               { 2, 5.8f, 7.4f, 20.6f, 7.4f, 18.4f, 15.2f } },
                             { SQ_DISC, { 9, 19.6f, 1.8f } },
                             { SQ_DISC, { 17, 19.6f, 1.8f } }) })
};

const struct sq_drawing sq_icon_search = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_RING, { 10.5f, 10.5f, 6.2f, 2.2f } },
                                 { SQ_LINE, { 2.4f, 15.2f, 15.2f, 20, 20 } }) })
};

const struct sq_drawing sq_icon_filter = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_LINE, { 2.2f, 4, 7, 20, 7 } },
                                 { SQ_LINE, { 2.2f, 7, 12, 17, 12 } },
                                 { SQ_LINE, { 2.2f, 10, 17, 14, 17 } }) })
};

const struct sq_drawing sq_icon_plus = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_LINE, { 2.6f, 12, 5.5f, 12, 18.5f } },
                                 { SQ_LINE, { 2.6f, 5.5f, 12, 18.5f, 12 } }) })
};

const struct sq_drawing sq_icon_back = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_BEND, { 2.2f, 12, 5, 5, 12, 12, 19 } },
                                 { SQ_LINE, { 2.2f, 5, 12, 19.5f, 12 } }) })
};

const struct sq_drawing sq_icon_chevron = {
    24, SQ_LAYERS({ 0, SQ_SHAPES({ SQ_BEND,
                                   { 2, 9.5f, 6.5f, 15, 12, 9.5f, 17.5f } }) })
};

const struct sq_drawing sq_icon_phone = {
    24,
    SQ_LAYERS({ 0, SQ_SHAPES({ SQ_FRAME, { 6, 2, 18, 22, 3.2f, 2.1f } },
                             { SQ_LINE, { 2, 10.4f, 18.4f, 13.6f, 18.4f } }) })
};

const struct sq_drawing sq_picture_eye = {
    100,
    SQ_LAYERS(
        { SQ_RGB(0xffffff), SQ_SHAPES({ SQ_ARC, { 50, 84, 52, 7, 222, 318 } },
                                      { SQ_ARC, { 50, 16, 52, 7, 42, 138 } }) },
        { SQ_RGB(0xffffff), SQ_SHAPES({ SQ_DISC, { 50, 50, 16.5f } }) },
        { SQ_RGB(0x3557d6), SQ_SHAPES({ SQ_DISC, { 50, 50, 9 } }) },
        { SQ_RGB(0xffffff), SQ_SHAPES({ SQ_DISC, { 54, 46, 3.4f } }) })
};

const struct sq_drawing sq_picture_headphones = {
    100,
    SQ_LAYERS(
        { SQ_RGB(0x2b2f45),
          SQ_SHAPES({ SQ_ARC, { 50, 54, 31, 7, 180, 360 } }) },
        { SQ_RGB(0x2b2f45), SQ_SHAPES({ SQ_LINE, { 7, 19, 54, 19, 62 } },
                                      { SQ_LINE, { 7, 81, 54, 81, 62 } }) },
        { SQ_RGB(0xef6a5b), SQ_SHAPES({ SQ_BOX, { 12, 52, 31, 84, 8 } },
                                      { SQ_BOX, { 69, 52, 88, 84, 8 } }) },
        { SQ_RGB(0xc94a3d), SQ_SHAPES({ SQ_BOX, { 25, 56, 33, 80, 4 } },
                                      { SQ_BOX, { 67, 56, 75, 80, 4 } }) })
};

const struct sq_drawing sq_picture_lamp = {
    100,
    SQ_LAYERS(
        { SQ_RGB(0xfff1c9),
          SQ_SHAPES({ SQ_QUAD, { 22, 52, 78, 52, 92, 88, 8, 88 } }) },
        { SQ_RGB(0x3b3f52), SQ_SHAPES({ SQ_LINE, { 5, 50, 50, 50, 84 } },
                                      { SQ_BOX, { 31, 81, 69, 89, 4 } }) },
        { SQ_RGB(0xf2a93b),
          SQ_SHAPES({ SQ_QUAD, { 35, 16, 65, 16, 80, 53, 20, 53 } }) },
        { SQ_RGB(0xd98e20), SQ_SHAPES({ SQ_BOX, { 20, 50, 80, 55, 2.5f } }) })
};

const struct sq_drawing sq_picture_plant = {
    100,
    SQ_LAYERS(
        { SQ_RGB(0x2f8f57), SQ_SHAPES({ SQ_LINE, { 15, 50, 56, 29, 28 } },
                                      { SQ_LINE, { 15, 50, 56, 71, 28 } }) },
        { SQ_RGB(0x46b371), SQ_SHAPES({ SQ_LINE, { 17, 50, 58, 50, 20 } }) },
        { SQ_RGB(0x237545), SQ_SHAPES({ SQ_LINE, { 2, 50, 60, 50, 22 } }) },
        { SQ_RGB(0xc8693f),
          SQ_SHAPES({ SQ_QUAD, { 30, 62, 70, 62, 64, 91, 36, 91 } }) },
        { SQ_RGB(0xe08355), SQ_SHAPES({ SQ_BOX, { 26, 55, 74, 66, 4 } }) })
};

const struct sq_drawing sq_picture_mug = {
    100,
    SQ_LAYERS(
        { SQ_RGB(0x1d8a8a), SQ_SHAPES({ SQ_RING, { 69, 56, 14, 7 } }) },
        { SQ_RGB(0x25a5a5), SQ_SHAPES({ SQ_BOX, { 20, 32, 68, 86, 11 } }) },
        { SQ_RGB(0x1d8a8a), SQ_SHAPES({ SQ_BOX, { 20, 70, 68, 86, 11 } }) },
        { SQ_RGB(0xffffff), SQ_SHAPES({ SQ_DISC, { 44, 56, 9 } }) },
        { SQ_RGB(0xe5574d), SQ_SHAPES({ SQ_DISC, { 44, 56, 4.6f } }) },
        { SQ_RGB(0xb9c0d2), SQ_SHAPES({ SQ_LINE, { 4, 34, 25, 34, 14 } },
                                      { SQ_LINE, { 4, 45, 25, 45, 10 } },
                                      { SQ_LINE, { 4, 56, 25, 56, 14 } }) })
};

const struct sq_drawing sq_picture_watch = {
    100,
    SQ_LAYERS(
        { SQ_RGB(0x39405a), SQ_SHAPES({ SQ_BOX, { 36, 5, 64, 95, 10 } }) },
        { SQ_RGB(0xc9cfde), SQ_SHAPES({ SQ_BOX, { 24, 26, 76, 74, 17 } },
                                      { SQ_BOX, { 74, 43, 81, 57, 3 } }) },
        { SQ_RGB(0x171c2e), SQ_SHAPES({ SQ_BOX, { 29, 31, 71, 69, 13 } }) },
        { SQ_RGB(0x6be3c0),
          SQ_SHAPES({ SQ_ARC, { 50, 50, 13, 4, -90, 150 } }) },
        { SQ_RGB(0xffffff),
          SQ_SHAPES({ SQ_BEND, { 3.2f, 50, 42, 50, 50, 56, 53 } }) })
};

const struct sq_drawing sq_picture_camera = {
    100,
    SQ_LAYERS(
        { SQ_RGB(0x2c3350), SQ_SHAPES({ SQ_BOX, { 33, 20, 67, 44, 8 } }) },
        { SQ_RGB(0x454e74), SQ_SHAPES({ SQ_BOX, { 10, 31, 90, 80, 11 } }) },
        { SQ_RGB(0x2c3350), SQ_SHAPES({ SQ_BOX, { 10, 44, 90, 66, 0.1f } }) },
        { SQ_RGB(0xd5dbea), SQ_SHAPES({ SQ_DISC, { 50, 56, 20 } }) },
        { SQ_RGB(0x171c2e), SQ_SHAPES({ SQ_DISC, { 50, 56, 15 } }) },
        { SQ_RGB(0x3d5bd1), SQ_SHAPES({ SQ_DISC, { 50, 56, 9 } }) },
        { SQ_RGB(0xffffff), SQ_SHAPES({ SQ_DISC, { 45, 51, 3.6f } }) },
        { SQ_RGB(0xf3b64b), SQ_SHAPES({ SQ_BOX, { 72, 36, 83, 42, 2 } }) })
};

const struct sq_drawing sq_picture_backpack = {
    100,
    SQ_LAYERS(
        { SQ_RGB(0x2e6f52), SQ_SHAPES({ SQ_ARC, { 50, 25, 11, 5, 180, 360 } },
                                      { SQ_BOX, { 14, 48, 26, 80, 6 } },
                                      { SQ_BOX, { 74, 48, 86, 80, 6 } }) },
        { SQ_RGB(0x3f9a72), SQ_SHAPES({ SQ_BOX, { 21, 20, 79, 90, 20 } }) },
        { SQ_RGB(0x2e6f52), SQ_SHAPES({ SQ_BOX, { 30, 54, 70, 82, 8 } }) },
        { SQ_RGB(0xf0c14b), SQ_SHAPES({ SQ_LINE, { 3.4f, 34, 61, 66, 61 } },
                                      { SQ_BOX, { 46, 61, 54, 68, 2 } }) },
        { SQ_RGB(0x2e6f52), SQ_SHAPES({ SQ_LINE, { 3.4f, 34, 41, 66, 41 } }) })
};

const struct sq_drawing sq_picture_speaker = {
    100, SQ_LAYERS(
             { SQ_RGB(0x6652c7), SQ_SHAPES({ SQ_BOX, { 26, 9, 74, 91, 14 } }) },
             { SQ_RGB(0x3a2e86), SQ_SHAPES({ SQ_DISC, { 50, 62, 19 } }) },
             { SQ_RGB(0x9a8bf2), SQ_SHAPES({ SQ_DISC, { 50, 62, 12 } }) },
             { SQ_RGB(0x3a2e86), SQ_SHAPES({ SQ_DISC, { 50, 62, 5 } }) },
             { SQ_RGB(0x3a2e86), SQ_SHAPES({ SQ_DISC, { 50, 27, 9 } }) },
             { SQ_RGB(0x9a8bf2), SQ_SHAPES({ SQ_DISC, { 50, 27, 4.4f } }) })
};
