/* What the files of pixel_search share. */
#ifndef SQ_TOOLS_SCREEN_PIXEL_SEARCH_PRIVATE_H
#define SQ_TOOLS_SCREEN_PIXEL_SEARCH_PRIVATE_H

#include "tools/elements/pixel_nodes.h"
#include "tools/screen/pixel_search.h"
#include "tools/screen/pixel_text.h"
#include "vision/template.h"

/* Things found in the pixels; the array is in the call's arena. */
struct sq_findings {
    struct sq_seen *items;
    size_t count;
};

/* Captures the screen, unless this look has done so. */
bool sq_look_capture(struct sq_look *look, struct sq_err *err);

/* Reads text within its time limit; replaces what was read before. */
bool sq_look_read(struct sq_look *look, struct sq_read_plan *plan,
                  struct sq_err *err);

/* Reads the text of the whole screen, unless this look has done so. */
bool sq_look_read_all(struct sq_look *look, struct sq_err *err);

/*
 * Finds what is in the pixels, as far as it is enabled: kinds are flags of
 * SQ_NODE_SEEN.
 */
bool sq_look_find_all(struct sq_look *look, unsigned kinds,
                      struct sq_findings *out, struct sq_err *err);

/* Finds a remembered picture on the screen; *name becomes its own. */
bool sq_look_find_image(struct sq_look *look, struct sq_span *name,
                        struct sq_image_hits *hits, struct sq_err *err);

/* Adds the places of a picture to findings that have room for SQ_MAX_HITS. */
void sq_look_add_hits(const struct sq_look *look,
                      const struct sq_image_hits *hits, struct sq_span name,
                      struct sq_findings *out);

/* Sets the row of every node of text in the tree that has none. */
bool sq_look_set_rows(struct sq_look *look, struct sq_err *err);

#endif
