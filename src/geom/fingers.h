/*
 * The paths of several fingers on a screen: a pinch, a turn, a move, or all of
 * them together.
 */
#ifndef SQ_GEOM_FINGERS_H
#define SQ_GEOM_FINGERS_H

#include "geom/view.h"

#define SQ_MIN_FINGERS 2
#define SQ_MAX_FINGERS 5
#define SQ_MIN_PINCH_SCALE 0.1
#define SQ_MAX_PINCH_SCALE 10
#define SQ_MAX_FINGER_STEPS 32

/* Where all fingers are at one moment. */
struct sq_finger_step {
    int at_ms; /* since they went down */
    struct sq_dev_pt fingers[SQ_MAX_FINGERS];
};

/*
 * All fingers go down at the first step, whose time is 0, and up after the last
 * one. A tap, a press or a swipe has one finger, a pinch at least two.
 */
struct sq_finger_paths {
    int finger_count;
    int step_count;
    struct sq_finger_step steps[SQ_MAX_FINGER_STEPS];
};

struct sq_pinch {
    struct sq_dev_pt from; /* the middle of the fingers at the first step */
    struct sq_dev_pt to;   /* and at the last */
    double scale;          /* above 1: the fingers move apart */
    double degrees;        /* clockwise */
    int fingers;
    int duration_ms;
};

/*
 * Plans the paths of a pinch on a screen of this size and density (pixels per
 * dp; 0: not known). All points are on the screen and away from its edges,
 * where a touch would be a gesture of the system. Fails with SQ_ERR_ARGUMENT
 * if there is too little room around the middle; the hint says what fits.
 */
bool sq_pinch_plan(const struct sq_pinch *pinch, struct sq_size screen,
                   double density, struct sq_finger_paths *out,
                   struct sq_err *err);

/* Returns how long the fingers are down, in milliseconds. */
int sq_fingers_duration_ms(const struct sq_finger_paths *paths);

/*
 * Returns the point of the panel, as it is mounted, for a point of a screen of
 * this size that is turned by quarter turns (0 to 3), counter-clockwise.
 */
struct sq_dev_pt sq_point_on_panel(struct sq_dev_pt point,
                                   struct sq_size screen, int rotation);

#endif
