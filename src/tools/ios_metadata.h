/*
 * The answer of seed 002's screenshot tool, for simulators and for its size
 * presets: how the picture was made, how to tap in it, and what is on it.
 */
#ifndef SQ_TOOLS_IOS_METADATA_H
#define SQ_TOOLS_IOS_METADATA_H

#include "json/writer.h"
#include "tool/tool.h"
#include "tools/listing.h"
#include "tools/screen_picture.h"

#define SQ_BESIDE_SIZE 48

/*
 * What a tap must say beside x,y of this picture, with a space in front; empty
 * if nothing. False if the next call cannot know the picture, whatever it
 * says, and must count in pixels of the device.
 */
bool sq_tap_beside(const struct sq_call *call,
                   const struct sq_screen_picture *shot,
                   char out[SQ_BESIDE_SIZE]);

/* What to tell about a picture. */
struct sq_ios_metadata {
    const struct sq_call *call;
    const struct sq_screen_picture *shot;
    const char *preset;                /* NULL: the default size */
    const struct sq_listing *elements; /* NULL: not listed */
    struct sq_span app_name; /* as the caller names it; all may be empty */
    struct sq_span screen_name;
    struct sq_span state;
};

/* Whether taps count in points while pictures are made of pixels. */
bool sq_counts_in_points(const struct sq_screen_picture *shot);

/*
 * All of seed 002's members but those that every picture's answer has.
 * Nothing for a picture that was not handed over.
 */
void sq_put_ios_metadata(const struct sq_ios_metadata *origin,
                         struct sq_json_writer *w);

/* The member "usage": how to tap in the picture, in one line. */
void sq_put_usage(const struct sq_call *call,
                  const struct sq_screen_picture *shot,
                  struct sq_json_writer *w);

#endif
