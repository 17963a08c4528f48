/* The icons, in a grid of 24 units with lines about two units wide. */
#include "demo/phone/drawings.h"

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
