/*
 * Looks in the pixels of the screen for what the element tree lacks: text,
 * remembered pictures, and areas of one colour. What is found becomes nodes of
 * the tree.
 */
#ifndef SQ_TOOLS_SCREEN_PIXEL_SEARCH_H
#define SQ_TOOLS_SCREEN_PIXEL_SEARCH_H

#include "device/tree.h"
#include "tool/tool.h"
#include "tools/elements/selector.h"
#include "tools/screen/pixel_text.h"
#include "tools/screen/screen_text.h"
#include "vision/template.h"

/*
 * One look at the screen. Start with call and tree, the rest zeroed; free with
 * sq_look_finish.
 */
struct sq_look {
    struct sq_call *call;
    struct sq_tree *tree; /* what is found is added to it; may be empty */
    /* For typing: adds all text, so that it names the fields beside it. */
    bool names_fields;
    const char *why;  /* why a selection is empty; lives as the call */
    bool has_nearest; /* `why` names the most similar text */
    struct sq_screen_text screen;
    struct sq_segments segments; /* of the text that was read last */
    bool is_captured;
    bool is_read;    /* the text of the whole screen */
    bool is_partial; /* reading stopped early: there may be more matches */
    bool is_slow;    /* reading took too long: it is not tried again */
};

/* Returns whether the configuration enables reading text or finding pictures.
 */
bool sq_look_is_enabled(const struct sq_call *call);

/* Fails with SQ_ERR_UNSUPPORTED and a hint unless one of them is enabled. */
bool sq_look_enabled(const struct sq_call *call, struct sq_err *err);

/* Captures the screen, unless this look has done so. */
bool sq_look_capture(struct sq_look *look, struct sq_err *err);

/* Reads text within its time limit; replaces what was read before. */
bool sq_look_read(struct sq_look *look, struct sq_read_plan *plan,
                  struct sq_err *err);

/* Finds a remembered picture on the screen; *name becomes its own. */
bool sq_look_find_image(struct sq_look *look, struct sq_span *name,
                        struct sq_image_hits *hits, struct sq_err *err);

/* Sets the row of every node of text in the tree that has none. */
bool sq_look_set_rows(struct sq_look *look, struct sq_err *err);

/*
 * Adds to the tree what the pixels show, as far as it is enabled: kinds are
 * flags of SQ_NODE_SEEN. Then names nodes without a label.
 */
bool sq_look_merge(struct sq_look *look, unsigned kinds, struct sq_err *err);

/* Does so for all kinds. *problem has errors that do not end the call. */
bool sq_look_try_merge(struct sq_look *look, struct sq_err *problem,
                       struct sq_err *err);

/*
 * Finds the text of a selector in the pixels, tolerating errors of reading, and
 * adds the places to the tree. Texts that are all of their line come first; a
 * part of a longer line has match->line, and all parts have the same score.
 * Stops after `enough` equal matches that come first (0: never). With
 * nearestTo, all text is merged into the tree and may be the anchor. *out is
 * empty if nothing is found; look->why then says why.
 */
bool sq_look_select_text(struct sq_look *look,
                         const struct sq_selector *selector, int enough,
                         struct sq_selection *out, struct sq_err *err);

/*
 * The words for shapes, "disc" and "box", may also be text. The order is the
 * same for all operations: a line that equals the word, then shapes, then text
 * that only contains the word. Returns whether shapes come before the text that
 * was found, which may be none.
 */
bool sq_look_prefers_shapes(const struct sq_selector *selector,
                            const struct sq_selection *text);

/*
 * Adds to the tree what the pixels show, as sq_look_merge does, and selects
 * there. If the selector names shapes and there are some, only these.
 */
bool sq_look_select_merged(struct sq_look *look,
                           const struct sq_selector *selector, unsigned kinds,
                           struct sq_selection *out, struct sq_err *err);

/*
 * Returns whether the pixels can have what a selector names, with what the
 * configuration enables.
 */
bool sq_look_may_select(const struct sq_call *call,
                        const struct sq_selector *selector);

/* Finds the text or the shapes that a selector names, in that order. */
bool sq_look_select(struct sq_look *look, const struct sq_selector *selector,
                    int enough, struct sq_selection *out, struct sq_err *err);

/*
 * Does what sq_look_select_text does for the remembered picture that has the
 * text as its name.
 */
bool sq_look_select_image(struct sq_look *look,
                          const struct sq_selector *selector,
                          struct sq_selection *out, struct sq_err *err);

/*
 * Finds an entry of a list again that was found in the pixels, near its place.
 * Text must be the same, with the same text in its row. *found is false if it
 * is not there now; otherwise its bounds are updated.
 */
bool sq_look_find_again(struct sq_call *call, struct sq_element *element,
                        bool *found, struct sq_err *err);

/*
 * Returns in *same whether a node of the device, whose label was text in or
 * beside it, still has that label. Adds all text to the tree.
 */
bool sq_look_check_name(struct sq_call *call, struct sq_tree *tree,
                        const struct sq_node *node, struct sq_span label,
                        bool *same, struct sq_err *err);

/*
 * Finds what is in the pixels and has that number (sq_session_element_number).
 * out->index stays 0 if nothing has it.
 */
bool sq_look_find_numbered(struct sq_call *call, int number,
                           struct sq_element *out, struct sq_err *err);

void sq_look_finish(struct sq_look *look);

#endif
