/*
 * Writes the detailed reply of screenshot, for simulators and size presets: how
 * the picture was made, how to tap in it, and what it shows.
 */
#ifndef SQ_TOOLS_SCREEN_IOS_METADATA_H
#define SQ_TOOLS_SCREEN_IOS_METADATA_H

#include "json/writer.h"
#include "tool/tool.h"
#include "tools/elements/listing.h"
#include "tools/screen/screen_picture.h"

#define SQ_BESIDE_SIZE 48

/*
 * Writes the arguments that a tap in this picture needs in addition to x,y,
 * with a leading space; empty if none. Returns false if the next call cannot
 * know the picture and must use device pixels.
 */
bool sq_tap_beside(const struct sq_call *call,
                   const struct sq_screen_picture *shot,
                   char out[SQ_BESIDE_SIZE]);

/* What to write about a picture. */
struct sq_ios_metadata {
    const struct sq_call *call;
    const struct sq_screen_picture *shot;
    const char *preset;                /* NULL: the default size */
    const struct sq_listing *elements; /* NULL: not listed */
    struct sq_span app_name; /* as given by the caller; all may be empty */
    struct sq_span screen_name;
    struct sq_span state;
};

/* Returns whether taps use points while pictures consist of pixels. */
bool sq_counts_in_points(const struct sq_screen_picture *shot);

/*
 * Writes all members except those that every reply with a picture has. Writes
 * nothing if the picture was not returned.
 */
void sq_put_ios_metadata(const struct sq_ios_metadata *origin,
                         struct sq_json_writer *w);

/* Writes the member "usage": how to tap in the picture, in one line. */
void sq_put_usage(const struct sq_call *call,
                  const struct sq_screen_picture *shot,
                  struct sq_json_writer *w);

#endif
