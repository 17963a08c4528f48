/* How a picture came about, as the screenshot tool of simulators tells it. */
#ifndef SQ_TOOLS_ORIGIN_H
#define SQ_TOOLS_ORIGIN_H

#include "json/writer.h"
#include "tool/tool.h"
#include "tools/look.h"

#define SQ_BESIDE_SIZE 48

/*
 * What a tap must say beside x,y of this picture, with a space in front; empty
 * if nothing. False if the next call cannot know the picture, whatever it
 * says, and must count in pixels of the device.
 */
bool sq_tap_beside(const struct sq_call *call, const struct sq_look *shot,
                   char out[SQ_BESIDE_SIZE]);

/*
 * coordinateTransform and its helper where the picture is scaled; with a
 * preset (NULL: none) screenshotSize; with one, or where taps count in points,
 * imageSizes, screenDimensions and simulatorInfo. Nothing for a picture that
 * was not handed over.
 */
void sq_put_origin(const struct sq_call *call, const struct sq_look *shot,
                   const char *preset, struct sq_json_writer *w);

#endif
