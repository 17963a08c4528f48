/*
 * Resolves the target of an acting operation: a point in a picture or on the
 * device, an element of the latest list, or the match of a selector. Nothing
 * here changes the session.
 */
#ifndef SQ_TOOLS_ELEMENTS_TARGET_H
#define SQ_TOOLS_ELEMENTS_TARGET_H

#include "session/session.h"
#include "tool/tool.h"
#include "tools/elements/selector.h"

/* The coordinate space of a point. */
enum sq_space {
    SQ_SPACE_IMAGE,
    SQ_SPACE_DEVICE,
    SQ_SPACE_SCALED, /* image pixels, with scale factors of the caller */
};

/* The point of a request; the text belongs to the arguments. */
struct sq_point {
    double x;
    double y;
    enum sq_space space;
    struct sq_span screenshot_id; /* with IMAGE; empty: the latest picture */
    double scale_x;               /* with SCALED */
    double scale_y;
};

/* A plain value; owns no memory. Texts live in the call's arena. */
struct sq_target {
    struct sq_screen screen;
    struct sq_dev_pt at;
    enum sq_space space;
    double x; /* in that space */
    double y;
    struct sq_frame frame; /* with IMAGE; its id is empty if not yet known */
    double scale_x;        /* with SCALED */
    double scale_y;
    bool has_element; /* an element was the target; its tree is current */
    struct sq_element element;
    bool is_revealed; /* it was scrolled to */
};

/*
 * Resolves a point. Fails with SQ_ERR_ARGUMENT, naming the size, if it lies
 * outside of its picture or screen. Does not find out which element is there.
 */
bool sq_target_point(struct sq_call *call, const struct sq_point *point,
                     struct sq_target *out, struct sq_err *err);

/*
 * Resolves an element of the latest list. Fails with SQ_ERR_STALE_ELEMENT if it
 * is no longer on the screen as listed. Reads the device's tree.
 */
bool sq_target_index(struct sq_call *call, int index, struct sq_target *out,
                     struct sq_err *err);

/*
 * Resolves a selector. Fails with SQ_ERR_ELEMENT_NOT_FOUND if nothing matches,
 * and with SQ_ERR_AMBIGUOUS_MATCH and the alternatives in the result's details
 * if several match equally. If only one of these has a flag of `prefer` (enum
 * sq_node_flag; 0: none), it is chosen. Reads the device's tree and, if nothing
 * matches there and reading text is enabled, the pixels.
 */
bool sq_target_selector(struct sq_call *call,
                        const struct sq_selector *selector, unsigned prefer,
                        struct sq_target *out, struct sq_err *err);

/*
 * Reads the element tree of the screen. Fails with SQ_ERR_ELEMENT_NOT_FOUND if
 * the screen has none. *out must be zeroed; the caller finishes it.
 */
bool sq_target_tree(struct sq_call *call, struct sq_tree *out,
                    struct sq_err *err);

/*
 * Finds the matches of a selector in a tree. Fails with
 * SQ_ERR_ELEMENT_NOT_FOUND if there is none.
 */
bool sq_target_matches(struct sq_call *call, const struct sq_tree *tree,
                       const struct sq_selector *selector,
                       struct sq_selection *out, struct sq_err *err);

/*
 * Fails with SQ_ERR_AMBIGUOUS_MATCH and lists the matches in the result's
 * details, the best tap target first: by score, then clickable, long-clickable,
 * focusable, then the smaller one. Always returns false.
 */
bool sq_fail_ambiguous(struct sq_call *call, const struct sq_screen *screen,
                       struct sq_selection *selection, struct sq_err *err);

/* Does the same for the elements that nearestTo names. */
bool sq_fail_ambiguous_anchor(struct sq_call *call,
                              const struct sq_screen *screen,
                              const struct sq_selection *selection,
                              struct sq_err *err);

/* Returns in *out the visible part of a rectangle. Returns false if none is. */
bool sq_visible_part(struct sq_dev_rect rect, struct sq_size screen,
                     struct sq_dev_rect *out);

/*
 * Returns the view for points in a reply that is not a list. Its id is empty
 * unless the session remembers it.
 */
bool sq_answer_view(struct sq_call *call, const struct sq_screen *screen,
                    struct sq_frame *out, struct sq_err *err);

/* Write x, y, deviceX and deviceY; the coordinate space; or both. */
void sq_put_point(struct sq_json_writer *w, const struct sq_target *target);
void sq_put_space(struct sq_json_writer *w, const struct sq_target *target);
void sq_put_target(struct sq_json_writer *w, const struct sq_target *target);

#endif
