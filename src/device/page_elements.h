/* The elements of a web page, of every kind of device that shows one. */
#ifndef SQ_DEVICE_PAGE_ELEMENTS_H
#define SQ_DEVICE_PAGE_ELEMENTS_H

#include "device/tree.h"
#include "json/reader.h"
#include "util/buf.h"

/* browser/walk.js: a script that defines globalThis.squint. */
extern const char sq_browser_walk[];
extern const size_t sq_browser_walk_size;

#define SQ_MAX_FRAMES 32
#define SQ_MAX_NODE_ID 99999999

/* Frames of other origins, and where their contents begin. */
struct sq_opaque_frames {
    struct sq_opaque_frame {
        struct sq_node *node;
        struct sq_dev_pt at;
        double by;           /* device pixels of one of its pixels */
        bool has_focus;      /* it, and no other one */
        const char *session; /* of the walk that listed it */
        int context;
    } items[SQ_MAX_FRAMES];
    int count;
};

/* Where a frame is, in device space. */
struct sq_frame_place {
    struct sq_node *parent; /* its row; NULL: its first row is the root */
    struct sq_dev_pt at;
    double by; /* device pixels of one of its pixels; 0: 1 */
    struct sq_dev_rect clip;
    bool is_unseen;
    bool has_no_focus;               /* another frame has it */
    struct sq_opaque_frames *opaque; /* gets those in it; NULL: not needed */
};

/*
 * Adds the rows that a walk answers. Their package is the origin of its
 * document. Texts are copied. Fails with SQ_ERR_FORMAT if they are malformed.
 */
bool sq_page_add(struct sq_tree *tree, const struct sq_json *answer,
                 const struct sq_frame_place *place, struct sq_err *err);

/* Numbers the elements of a whole tree. */
void sq_page_number(struct sq_tree *tree);

/* Says that an element is gone, or that a click on it was stopped. */
bool sq_page_fail_gone(bool was_stopped, struct sq_err *err);

/*
 * Writes the call of walk.js that gives a text to the field with the focus. It
 * answers "set", or what else is to be done; see sq_browser_enter.
 */
bool sq_page_write_enter(struct sq_span text, struct sq_buf *out,
                         struct sq_err *err);

/* Says that a field does not take a text, but only these. */
bool sq_page_fail_value(const char *others, struct sq_err *err);

#endif
