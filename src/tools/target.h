/*
 * Where an acting operation is meant to land: a point of a picture, a point
 * of the device, an element of the latest list, or what a selector finds.
 * Nothing here changes the session.
 */
#ifndef SQ_TOOLS_TARGET_H
#define SQ_TOOLS_TARGET_H

#include "session/session.h"
#include "tool/tool.h"
#include "tools/selector.h"

/* In which pixels the numbers were given. */
enum sq_space {
    SQ_SPACE_IMAGE,
    SQ_SPACE_DEVICE,
    SQ_SPACE_SCALED, /* image pixels, with factors the caller brought */
};

/* What point an operation was given; the text belongs to the arguments. */
struct sq_point {
    double x;
    double y;
    enum sq_space space;
    struct sq_span screenshot_id; /* with IMAGE; empty: the latest picture */
    double scale_x;               /* with SCALED */
    double scale_y;
};

/* A value without memory; texts live in the call's arena. */
struct sq_target {
    struct sq_screen screen;
    struct sq_dev_pt at;
    enum sq_space space;
    double x; /* in that space */
    double y;
    struct sq_frame frame; /* with IMAGE; its id is empty if not known yet */
    double scale_x;        /* with SCALED */
    double scale_y;
    bool has_element; /* it was aimed at: the tree was read in this call */
    struct sq_element element;
};

/*
 * A point, checked against the picture or screen it is in: outside is
 * SQ_ERR_ARGUMENT naming the size. Does not ask what is there.
 */
bool sq_target_point(struct sq_call *call, const struct sq_point *point,
                     struct sq_target *out, struct sq_err *err);

/*
 * An element of the latest list, which must still be on the screen as it was
 * listed: SQ_ERR_STALE_ELEMENT otherwise. Asks the device for its tree.
 */
bool sq_target_index(struct sq_call *call, int index, struct sq_target *out,
                     struct sq_err *err);

/*
 * What a selector means. SQ_ERR_ELEMENT_NOT_FOUND for nothing, and
 * SQ_ERR_AMBIGUOUS_MATCH for several equals, with the alternatives in the
 * result's details. Where only one of several has a flag of `prefer`
 * (enum sq_node_flag; 0: none), that is the one. Asks the device for its tree.
 */
bool sq_target_selector(struct sq_call *call,
                        const struct sq_selector *selector, unsigned prefer,
                        struct sq_target *out, struct sq_err *err);

/*
 * The elements of the screen; where there are none to be had,
 * SQ_ERR_ELEMENT_NOT_FOUND. *out is zeroed before and the caller's to finish.
 */
bool sq_target_tree(struct sq_call *call, struct sq_tree *out,
                    struct sq_err *err);

/*
 * What a selector finds in a tree, at least one element: else
 * SQ_ERR_ELEMENT_NOT_FOUND.
 */
bool sq_target_matches(struct sq_call *call, const struct sq_tree *tree,
                       const struct sq_selector *selector,
                       struct sq_selection *out, struct sq_err *err);

/* What is visible of a rectangle; false if nothing is. */
bool sq_visible_part(struct sq_dev_rect rect, struct sq_size screen,
                     struct sq_dev_rect *out);

/*
 * The view in which an answer that is no list names its points. The id is
 * empty unless the session remembers it.
 */
bool sq_answer_view(struct sq_call *call, const struct sq_screen *screen,
                    struct sq_frame *out, struct sq_err *err);

/* x, y, deviceX and deviceY; the space they are in; both: as members. */
void sq_put_point(struct sq_json_writer *w, const struct sq_target *target);
void sq_put_space(struct sq_json_writer *w, const struct sq_target *target);
void sq_put_target(struct sq_json_writer *w, const struct sq_target *target);

#endif
