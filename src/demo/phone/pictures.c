/* The pictures with their own colours, in a grid of 100 units. */
#include "demo/phone/drawings.h"

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
