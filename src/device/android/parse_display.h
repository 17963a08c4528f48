/*
 * Parses display sizes, rotation and power from the output of wm and dumpsys.
 * All functions are pure and accept any bytes. They return false and leave
 * outputs unchanged if the text lacks the value; another command may have it.
 * Spans point into the text.
 */
#ifndef SQ_DEVICE_ANDROID_PARSE_DISPLAY_H
#define SQ_DEVICE_ANDROID_PARSE_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "geom/rect.h"
#include "util/span.h"

/* Parses "wm size", preferring the override. The size ignores the rotation. */
bool sq_wm_parse_size(struct sq_span text, struct sq_size *out);

/* Parses "wm density", in dots per inch. Density is this divided by 160. */
bool sq_wm_parse_density(struct sq_span text, int *dpi);

/*
 * Parses the rotation of the default display, in quarter turns from 0 to 3,
 * from "dumpsys input", "dumpsys window displays" (or all of "dumpsys window")
 * or "dumpsys display".
 */
bool sq_display_parse_rotation(struct sq_span dumpsys, int *rotation);

/* The state of the default display. */
struct sq_display_state {
    struct sq_size size; /* in the current rotation, with overrides */
    int dpi;             /* 0: not reported */
    int rotation;        /* quarter turns, 0 to 3 */
};

/* Parses "dumpsys window displays". Requires cur=WxH and a rotation. */
bool sq_display_parse_state(struct sq_span dumpsys,
                            struct sq_display_state *out);

/* One panel, as used by screencap -d. */
struct sq_display_id {
    uint64_t id;
    struct sq_span name; /* may be empty */
};

/*
 * Takes the next panel from "dumpsys SurfaceFlinger --display-id". Skips other
 * lines. Returns false at the end.
 */
bool sq_display_take_id(struct sq_span *rest, struct sq_display_id *out);

/*
 * Parses which panel shows the default display, from "dumpsys display". On a
 * foldable this is the panel that is lit.
 */
bool sq_display_parse_active(struct sq_span dumpsys, uint64_t *id);

/* Parses whether the screen is on, from "dumpsys power". */
bool sq_power_parse(struct sq_span dumpsys, bool *on);

#endif
