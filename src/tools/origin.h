/* How a picture came about, as the screenshot tool of simulators tells it. */
#ifndef SQ_TOOLS_ORIGIN_H
#define SQ_TOOLS_ORIGIN_H

#include "json/writer.h"
#include "tool/tool.h"
#include "tools/look.h"

/*
 * coordinateTransform and its helper where the picture is scaled; with a
 * preset (NULL: none) screenshotSize; with one, or where taps count in points,
 * imageSizes, screenDimensions and simulatorInfo. Nothing for a picture that
 * was not handed over.
 */
void sq_put_origin(const struct sq_call *call, const struct sq_look *shot,
                   const char *preset, struct sq_json_writer *w);

#endif
