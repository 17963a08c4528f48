/*
 * What one client has seen: its frames, its last element lists, what they
 * cost. Coordinates mean nothing without it. Safe for calls on several
 * threads; nothing here blocks or talks to a device.
 */
#ifndef SQ_SESSION_SESSION_H
#define SQ_SESSION_SESSION_H

#include "archive/ref.h"
#include "device/device.h"
#include "geom/view.h"
#include "image/rows.h"
#include "session/frame_cache.h"
#include "util/span.h"

#define SQ_FRAME_ID_SIZE 24

/*
 * One picture that was handed over, or the view a default screenshot would
 * have had. A value.
 */
struct sq_frame {
    char id[SQ_FRAME_ID_SIZE]; /* "s17" */
    char device_id[SQ_DEVICE_ID_SIZE];
    struct sq_view view;
    int rotation;
    char app[SQ_DEVICE_TEXT_SIZE]; /* in front of it; empty: not known */
    bool is_region;     /* shows a part: never the view that others answer in */
    bool is_default;    /* no picture: what a default screenshot would show */
    bool other_display; /* shows one that taps do not reach: only to look at */
};

/* One line of an element list, with what is needed to know it again. */
struct sq_element {
    int index;
    struct sq_span label; /* text, description, or its children's; masked */
    struct sq_span type;  /* the class without its package: "Button" */
    struct sq_span resource_id;
    struct sq_dev_rect bounds;
    unsigned flags; /* enum sq_node_flag */
};

/* Have its texts outlive what they were read from: copy them into the arena. */
bool sq_element_keep(struct sq_element *element, struct sq_arena *arena,
                     struct sq_err *err);

/* Whether two lines are of the same element: all but their index is equal. */
bool sq_element_same(const struct sq_element *a, const struct sq_element *b);

/*
 * What is hit at a point of a screen whose elements are in the order of its
 * tree. NULL if there is none, and where it cannot be told: the last one in
 * that order is drawn on top, but if a smaller one lies there too, the tree
 * may have another order than the drawing.
 */
const struct sq_element *sq_element_at(const struct sq_element *elements,
                                       size_t count, struct sq_dev_pt point);

/*
 * What the screen was when a tree was read, or what it is now. A tree holds
 * for as long as both are equal. A value.
 */
struct sq_tree_stamp {
    uint64_t change; /* of the device, see device/device.h */
    struct sq_size size;
    int rotation;
    char app[SQ_DEVICE_TEXT_SIZE]; /* in front; empty: not known */
    int64_t at_ns;                 /* by sq_clock_monotonic_ns */
    uint64_t picture; /* hash of a capture of that screen; 0: none was taken */
};

/* The stamp of a device whose screen is known, without a picture. */
struct sq_tree_stamp sq_tree_stamp_now(const struct sq_device *device,
                                       const struct sq_screen *screen);

/* Whether it looks like the id of a frame; references of past shots do not. */
bool sq_session_is_frame_id(struct sq_span id);

struct sq_session;

struct sq_session_options {
    int max_dimension; /* of the view before any screenshot */
    int max_frames;    /* remembered; 0: a good number */
};

bool sq_session_create(const struct sq_session_options *options,
                       struct sq_session **out, struct sq_err *err);

/* Accepts NULL. */
void sq_session_destroy(struct sq_session *session);

/*
 * Give a frame of a device its id, and make sure that it can be remembered.
 * Nothing else changes: an id that is never added is merely skipped.
 */
bool sq_session_name_frame(struct sq_session *session, struct sq_frame *frame,
                           struct sq_err *err);

/*
 * Remember a frame that was named, and count coordinates in it from now on. A
 * picture of the whole screen becomes the device's view; one of a region, or
 * of another display, only becomes the latest picture. A frame that is
 * remembered already becomes the latest again. Cannot fail: call it last, when
 * the picture or list has been handed over, because a failed call must not
 * change what the next tap means.
 */
void sq_session_add_frame(struct sq_session *session,
                          const struct sq_frame *frame);

/*
 * The latest picture is no longer what coordinates count in if it shows only a
 * region, or another display: the whole view is again.
 */
void sq_session_leave_region(struct sq_session *session, const char *device_id);

/*
 * The view in which lists of elements answer: that of the latest picture of
 * the whole screen if the screen still has its size, rotation and app,
 * otherwise a fresh default one. It has an id; pass it to sq_session_add_frame
 * once the list is complete.
 */
bool sq_session_view(struct sq_session *session, const char *device_id,
                     const struct sq_screen *screen, struct sq_frame *out,
                     struct sq_err *err);

/*
 * The frame in which a point or a region was given. id empty: the latest
 * picture, refused with SQ_ERR_AMBIGUOUS_FRAME if that shows a region only,
 * and the default view, without an id, if there is none yet.
 * SQ_ERR_UNSUPPORTED for a picture of a display that taps do not reach,
 * SQ_ERR_UNKNOWN_SCREENSHOT for an id that is not remembered (or of another
 * device), SQ_ERR_STALE_SCREENSHOT where the screen has turned, changed its
 * size or shows another app since (screen->app empty: any app will do); each
 * with what to do next.
 */
bool sq_session_frame(struct sq_session *session, const char *device_id,
                      struct sq_span id, const struct sq_screen *screen,
                      struct sq_frame *out, struct sq_err *err);

/* Replace the device's element list (copied). */
bool sq_session_set_elements(struct sq_session *session, const char *device_id,
                             const struct sq_tree_stamp *stamp,
                             const struct sq_element *elements, size_t count,
                             struct sq_err *err);

/*
 * Element `index` of the device's latest list, its spans copied into arena.
 * SQ_ERR_STALE_ELEMENT if there is no list, SQ_ERR_ARGUMENT naming its length
 * if it is shorter.
 */
bool sq_session_element(struct sq_session *session, const char *device_id,
                        int index, struct sq_arena *arena,
                        struct sq_element *out, struct sq_err *err);

/* The index under which the latest list has that element; -1: it has not. */
int sq_session_index_of(struct sq_session *session, const char *device_id,
                        const struct sq_element *element);

/*
 * What the latest list has at a point, if the screen is known not to have
 * changed since the list was read: `now` is equal to the list's stamp, and
 * pictures of then and now are among what is equal. False, without an error,
 * if that is not known, or if there is no element at the point.
 */
bool sq_session_element_at(struct sq_session *session, const char *device_id,
                           const struct sq_tree_stamp *now,
                           struct sq_dev_pt point, struct sq_arena *arena,
                           struct sq_element *out);

/* Whether the latest list would be told by a picture that it holds still. */
bool sq_session_compares_pictures(struct sq_session *session,
                                  const char *device_id);

/*
 * A picture of the device was taken, with this hash: a list that belongs to
 * another picture no longer holds.
 */
void sq_session_saw_picture(struct sq_session *session, const char *device_id,
                            uint64_t picture);

/* Known places of a view, by its fingerprint (opt-in; see PRODUCT). */
bool sq_session_cache_view(struct sq_session *session, const char *fingerprint,
                           const struct sq_element *elements, size_t count,
                           struct sq_err *err);
bool sq_session_cached_view(struct sq_session *session, const char *fingerprint,
                            struct sq_arena *arena, struct sq_element **out,
                            size_t *count);

/* Hold it under the id of its frame; *held is empty afterwards. */
void sq_session_hold(struct sq_session *session, const char *frame_id,
                     struct sq_stored_frame *held);

/*
 * Append the capture of a frame. SQ_ERR_UNKNOWN_SCREENSHOT, with what to do,
 * if it is not held.
 */
bool sq_session_held(struct sq_session *session, struct sq_span frame_id,
                     struct sq_buf *out, struct sq_err *err);

/*
 * A picture of a screenshot, named by its ref or live id, was handed over:
 * `image` large, showing `shown` of the whole (all zero: all of it). The latest
 * few are remembered.
 */
void sq_session_set_shown(struct sq_session *session, struct sq_span ref,
                          struct sq_size image, struct sq_region shown);

/*
 * The picture of a screenshot that was handed over last.
 * SQ_ERR_UNKNOWN_SCREENSHOT if none is remembered.
 */
bool sq_session_shown(struct sq_session *session, struct sq_span ref,
                      struct sq_size *image, struct sq_region *shown,
                      struct sq_err *err);

/*
 * The screenshotRefs of the cells of a contact sheet, the first being cell 1:
 * they replace those of the sheet before. At most SQ_SHEET_CELLS.
 */
#define SQ_SHEET_CELLS 100
void sq_session_set_sheet(struct sq_session *session,
                          const char (*refs)[SQ_REF_SIZE], size_t count);

/*
 * The screenshotRef of a cell of the latest sheet. SQ_ERR_UNKNOWN_SCREENSHOT
 * if there is no such cell.
 */
bool sq_session_sheet_cell(struct sq_session *session, int cell,
                           char out[SQ_REF_SIZE], struct sq_err *err);

/* What is said in full once per device, and in short from then on. */
enum sq_notice {
    SQ_NOTICE_DEMO,          /* the demo phone is used: there is no other */
    SQ_NOTICE_SLOW_CAPTURES, /* too slow for a fast receipt to look */
    SQ_NOTICES,
};

/* Whether it was said. */
bool sq_session_has_told(struct sq_session *session, const char *device_id,
                         enum sq_notice notice);

/* It was said. Without memory to remember it, it will be said again. */
void sq_session_tell(struct sq_session *session, const char *device_id,
                     enum sq_notice notice);

/* The running cost of the conversation. */
struct sq_ledger {
    long calls;
    long images;
    long image_tokens;
    long image_bytes;
    long text_bytes;
};

void sq_session_charge(struct sq_session *session,
                       const struct sq_ledger *more);
struct sq_ledger sq_session_ledger(struct sq_session *session);

#endif
