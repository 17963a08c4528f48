/*
 * Sizes, rotation and power as wm and dumpsys tell them. All are pure, accept
 * any bytes, and return false with outputs untouched where the text does not
 * say; then another command may. Spans point into the text.
 */
#ifndef SQ_DEVICE_ANDROID_PARSE_DISPLAY_H
#define SQ_DEVICE_ANDROID_PARSE_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "geom/size.h"
#include "util/span.h"

/* "wm size": the override where there is one. Not turned by the rotation. */
bool sq_wm_parse_size(struct sq_span text, struct sq_size *out);

/* "wm density", in dots per inch; density is this divided by 160. */
bool sq_wm_parse_density(struct sq_span text, int *dpi);

/*
 * Quarter turns, 0 to 3, of the default display: from "dumpsys input",
 * "dumpsys window displays" (or all of "dumpsys window") or "dumpsys display".
 */
bool sq_display_parse_rotation(struct sq_span dumpsys, int *rotation);

/* All of the default display in one answer. */
struct sq_display_state {
    struct sq_size size; /* as it is turned, overrides included */
    int dpi;             /* 0: not said */
    int rotation;        /* quarter turns, 0 to 3 */
};

/* From "dumpsys window displays": needs its cur=WxH and a rotation. */
bool sq_display_parse_state(struct sq_span dumpsys,
                            struct sq_display_state *out);

/* One panel, as screencap -d wants it. */
struct sq_display_id {
    uint64_t id;
    struct sq_span name; /* may be empty */
};

/*
 * Take the next panel off "dumpsys SurfaceFlinger --display-id"; other lines
 * are stepped over. False at the end.
 */
bool sq_display_take_id(struct sq_span *rest, struct sq_display_id *out);

/*
 * Which panel the default display is shown on, from "dumpsys display": the one
 * of a foldable that is lit.
 */
bool sq_display_parse_active(struct sq_span dumpsys, uint64_t *id);

/* Whether the screen is on, from "dumpsys power". */
bool sq_power_parse(struct sq_span dumpsys, bool *on);

#endif
