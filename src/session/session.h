/*
 * State of one client session: the frames the client received, the last element
 * list of each device, and the running cost. Coordinates are resolved against
 * it. All functions are thread-safe; none of them blocks or talks to a device.
 */
#ifndef SQ_SESSION_SESSION_H
#define SQ_SESSION_SESSION_H

#include "archive/store/ref.h"
#include "device/device.h"
#include "eye/frame_hash.h"
#include "geom/rect.h"
#include "geom/view.h"
#include "image/pipeline/codec.h"
#include "image/pipeline/pack.h"
#include "image/pipeline/rows.h"
#include "util/buf.h"
#include "util/span.h"

/*
 * The pixels of the most recent full-screen captures, so that a region can be
 * cropped later. A session holds a few, of at most this size in total.
 */
#define SQ_STORED_FRAME_BYTES ((size_t)8 << 20)

/* Where the pixels of a frame are that were not fetched from the device. */
struct sq_frame_place {
    char device_id[SQ_DEVICE_ID_SIZE]; /* empty: they were */
    struct sq_size size;               /* of the frame, in pixels */
    uint64_t hash;                     /* see eye/frame_hash.h */
};

struct sq_stored_frame {
    struct sq_buf bytes; /* as captured, or packed */
    bool is_packed;
    uint64_t hash; /* of the captured bytes; see eye/frame_hash.h */
    struct sq_frame_place place; /* instead of bytes */
    int redacted;                /* hidden parts */
};

/*
 * Makes a compact copy of a capture; the capture is not changed. *out stays
 * empty if the copy would still be too large. Fails only if out of memory.
 */
bool sq_stored_frame_make(const struct sq_buf *capture,
                          struct sq_stored_frame *out, struct sq_err *err);

/* Safe on a zeroed value. */
void sq_stored_frame_finish(struct sq_stored_frame *held);

/*
 * Makes the same copy while a raw capture is still being received: the bytes
 * pass through to the decoder. A plain value.
 */
struct sq_stored_frame_tee {
    struct sq_incoming incoming; /* read by the decoder */
    struct sq_incoming *from;
    struct sq_packer packer;
    struct sq_frame_hash hash;
    struct sq_stored_frame held;
    size_t total;            /* bytes of the capture; 0: not yet known */
    enum sq_err_code failed; /* SQ_ERR_NONE: no failure */
};

void sq_stored_frame_tee_init(struct sq_stored_frame_tee *tee,
                              struct sq_incoming *from);

/*
 * Ends the copy, however many bytes were received. Returns true if *out is what
 * sq_stored_frame_make would have made. *out stays empty if the copy would be
 * too large.
 */
bool sq_stored_frame_tee_end(struct sq_stored_frame_tee *tee,
                             struct sq_stored_frame *out);

#define SQ_FRAME_ID_SIZE 56

/*
 * One picture that was returned to the client, or the view that a default
 * screenshot would have had. A plain value.
 */
struct sq_frame {
    char id[SQ_FRAME_ID_SIZE]; /* "s17", or see state.h */
    char device_id[SQ_DEVICE_ID_SIZE];
    struct sq_view view;
    int rotation;
    char app[SQ_DEVICE_TEXT_SIZE]; /* foreground app; empty: unknown */
    bool is_region;     /* a crop: element lists do not use its view */
    bool is_default;    /* no picture: the view of a default screenshot */
    bool other_display; /* shows a display that taps do not reach */
    bool is_redacted;   /* parts of the picture are hidden */
    bool has_grid;      /* a grid of cells is drawn on the picture */
};

/* An entry of an element list, with what identifies the element later. */
struct sq_element {
    int index;
    int id;               /* see struct sq_node */
    struct sq_span label; /* text, description, or labels of children; masked */
    struct sq_span type;  /* the class without its package: "Button" */
    struct sq_span resource_id;
    struct sq_span row; /* of text in the pixels: all text beside it */
    struct sq_dev_rect bounds;
    unsigned flags; /* enum sq_node_flag */
    /* Another node may lie over a part of it and take touches there. */
    bool is_covered;
    bool is_empty;  /* a field without text: the label is its hint */
    bool is_secret; /* in a password field: the label is not its text */
};

/* Elements of a screen in tree order. */
struct sq_elements {
    bool is_known;
    struct sq_element *items;
    size_t count;
};

/* Copies the element's texts into the arena. Fails only if out of memory. */
bool sq_element_keep(struct sq_element *element, struct sq_arena *arena,
                     struct sq_err *err);

/*
 * Returns whether two entries describe the same element: they have the same id,
 * or, without ids, its own fields, not its index and what is beside it, are
 * equal.
 */
bool sq_element_same(const struct sq_element *a, const struct sq_element *b);

/*
 * Returns the element that a tap at the point hits; elements must be in tree
 * order. The last element that contains the point is drawn on top. Returns NULL
 * if no element contains the point, or if a smaller one also contains it,
 * because the drawing order may then differ from the tree order.
 */
const struct sq_element *sq_element_at(const struct sq_element *elements,
                                       size_t count, struct sq_dev_pt point);

/*
 * Identifies the state of a screen. A tree is valid while its stamp equals the
 * current one. A plain value.
 */
struct sq_tree_stamp {
    uint64_t change; /* of the device, see device/device.h */
    uint64_t view;
    struct sq_size size;
    int rotation;
    char app[SQ_DEVICE_TEXT_SIZE]; /* foreground; empty: unknown */
    int64_t at_ns;                 /* by sq_clock_monotonic_ns */
};

/* Returns the stamp of a device whose screen is known. */
struct sq_tree_stamp sq_tree_stamp_now(const struct sq_device *device,
                                       const struct sq_screen *screen);

/* Returns whether the text has the form of a frame id, not of a reference. */
bool sq_session_is_frame_id(struct sq_span id);

struct sq_session;

#define SQ_SESSION_KEY_BYTES 32

struct sq_session_options {
    int max_dimension; /* of the default view, before the first screenshot */
    int max_frames;    /* frames remembered; 0: a default */
    /*
     * For a client whose calls have no session: SQ_SESSION_KEY_BYTES bytes that
     * sign frame ids which contain the frame. Coordinates then need an id.
     * NULL: ids are numbers.
     */
    const uint8_t *key;
    /* Another session that stores the pixels of frames; NULL: this one. */
    struct sq_session *store;
    uint64_t number; /* tells clients apart; 0: not a client's */
};

bool sq_session_create(const struct sq_session_options *options,
                       struct sq_session **out, struct sq_err *err);

/* Accepts NULL. */
void sq_session_destroy(struct sq_session *session);

/* Returns the number from the options. */
uint64_t sq_session_number(const struct sq_session *session);

/*
 * Assigns an id to a frame and reserves the memory to remember it. Nothing else
 * changes; an id whose frame is never added is skipped.
 */
bool sq_session_name_frame(struct sq_session *session, struct sq_frame *frame,
                           struct sq_err *err);

/*
 * Remembers a frame that has an id, and makes it the one that coordinates refer
 * to. A picture of the whole screen becomes the device's view; a crop, or a
 * picture of another display, only becomes the latest picture. A frame that is
 * already remembered becomes the latest again. Cannot fail. Call it last, after
 * the picture or list was returned, because a failed call must not change what
 * the next tap means.
 */
void sq_session_add_frame(struct sq_session *session,
                          const struct sq_frame *frame);

/*
 * Makes coordinates refer to the device's whole view again if the latest
 * picture is a crop or shows another display.
 */
void sq_session_leave_region(struct sq_session *session, const char *device_id);

/*
 * Returns in *out the view that element lists use: the view of the latest
 * full-screen picture if the screen still has the same size, rotation and app,
 * otherwise a new default view. It has an id; pass it to sq_session_add_frame
 * when the list is complete.
 */
bool sq_session_view(struct sq_session *session, const char *device_id,
                     const struct sq_screen *screen, struct sq_frame *out,
                     struct sq_err *err);

/*
 * Returns in *out the frame that a point or region refers to. An empty id means
 * the latest picture, or the default view (without an id) if there is none.
 * Fails with SQ_ERR_AMBIGUOUS_FRAME if id is empty and the latest picture is a
 * crop of the current screen, SQ_ERR_UNSUPPORTED if the picture shows a display
 * that taps do not reach, SQ_ERR_UNKNOWN_SCREENSHOT if the id is not remembered
 * or belongs to another device, SQ_ERR_STALE_SCREENSHOT if the screen has since
 * rotated, changed its size or shows another app (an empty screen->app matches
 * any app). Every error has a hint.
 */
bool sq_session_frame(struct sq_session *session, const char *device_id,
                      struct sq_span id, const struct sq_screen *screen,
                      struct sq_frame *out, struct sq_err *err);

/*
 * Returns in *out the frame that a cell of a grid refers to: as
 * sq_session_frame(), but fails with SQ_ERR_STALE_SCREENSHOT if no grid was
 * drawn on it. The hint names the latest picture of the device that has one, if
 * it is remembered.
 */
bool sq_session_grid_frame(struct sq_session *session, const char *device_id,
                           struct sq_span id, const struct sq_screen *screen,
                           struct sq_frame *out, struct sq_err *err);

/*
 * Changes sq_session_frame for a person who types commands: if a picture of the
 * whole screen shows another app than the current one, but has the size of the
 * default view, an empty id means the current screen. A point has the same
 * place in both.
 */
void sq_session_follow_app(struct sq_session *session);

/* Forgets the frames and elements of a device, as if it was never used. */
void sq_session_forget_device(struct sq_session *session,
                              const char *device_id);

/*
 * Replaces the device's element list with a copy of the given one. `change` is
 * the device's number when it was read; 0: not known.
 */
bool sq_session_set_elements(struct sq_session *session, const char *device_id,
                             uint64_t change, const struct sq_element *elements,
                             size_t count, struct sq_err *err);

/*
 * Replaces what is known to be on the device's screen with a copy of a complete
 * list in tree order, unlike the list above, which may be filtered.
 */
bool sq_session_set_on_screen(struct sq_session *session, const char *device_id,
                              const struct sq_tree_stamp *stamp,
                              const struct sq_element *elements, size_t count,
                              struct sq_err *err);

/*
 * Returns in *out element `index` of the device's latest list; its texts are
 * copied into the arena. Fails with SQ_ERR_STALE_ELEMENT if there is no list,
 * and with SQ_ERR_ARGUMENT, which names the length, if the list is shorter.
 */
bool sq_session_element(struct sq_session *session, const char *device_id,
                        int index, struct sq_arena *arena,
                        struct sq_element *out, struct sq_err *err);

/*
 * Returns whether element lists are kept for later calls. If not, a client
 * names an element by its number instead of by its position in a list.
 */
bool sq_session_keeps_lists(const struct sq_session *session);

/*
 * Returns the number of an element of a device: nine digits, a hash of what
 * identifies the element, made with the key of the session.
 */
#define SQ_MAX_ELEMENT_INDEX 999999999
int sq_session_element_number(const struct sq_session *session,
                              const char *device_id,
                              const struct sq_element *element);

/* Returns whether an index is such a number, rather than a position. */
bool sq_session_is_element_number(const struct sq_session *session, int number);

/* Returns whether such a number is that of something found in the pixels. */
bool sq_session_is_seen_number(int number);

/*
 * Returns whether an element as it is now has that number. The chance that one
 * with other fields has it is 1 in 225 million.
 */
bool sq_session_has_element_number(const struct sq_session *session,
                                   const char *device_id,
                                   const struct sq_element *element,
                                   int number);

/* Returns the element's index in the latest list, or -1; or its number. */
int sq_session_index_of(struct sq_session *session, const char *device_id,
                        const struct sq_element *element);

/*
 * Returns in *out a copy of the elements on the screen, if the screen is known
 * to be unchanged since they were read: `now`, made after a capture, must equal
 * their stamp. If it has no size, those that were read last, if that was after
 * the latest action: only its `change` counts. Otherwise they are not known.
 */
void sq_session_on_screen(struct sq_session *session, const char *device_id,
                          const struct sq_tree_stamp *now,
                          struct sq_arena *arena, struct sq_elements *out);

/*
 * Records typing into a password field of an app (empty: not known): its last
 * character is shown a while.
 */
void sq_session_set_secret(struct sq_session *session, const char *device_id,
                           struct sq_dev_rect bounds, const char *app);

/*
 * Writes where password fields are in a capture, as far as the session knows:
 * those of the latest list if the device's change counter is still the same,
 * and the one that was typed into in the last seconds, unless another app or
 * another field has the focus since. Returns their number.
 */
#define SQ_SESSION_SECRETS 32
size_t sq_session_secrets(struct sq_session *session,
                          const struct sq_device *device,
                          const struct sq_capture *capture,
                          struct sq_dev_rect out[SQ_SESSION_SECRETS]);

/* Remember the latest views by their fingerprints; return whether it is one. */
void sq_session_note_view(struct sq_session *session, const char *fingerprint);
bool sq_session_saw_view(struct sq_session *session, const char *fingerprint);

/* Stores a capture under its frame's id; *held is empty afterwards. */
void sq_session_store_frame(struct sq_session *session, const char *frame_id,
                            struct sq_stored_frame *held);

/*
 * Appends the stored capture of a frame to out. Fails with
 * SQ_ERR_UNKNOWN_SCREENSHOT and a hint if it is not stored; the message says
 * whether the id was ever given to this client.
 */
bool sq_session_read_frame(struct sq_session *session, struct sq_span frame_id,
                           struct sq_buf *out, struct sq_err *err);

/*
 * Returns what is known of a frame's stored capture, without its bytes; all
 * zero if it is not stored. If it has a place, the pixels were left on that
 * device, and sq_session_read_frame does not have them.
 */
struct sq_stored_frame sq_session_stored_frame(struct sq_session *session,
                                               struct sq_span frame_id);

/*
 * Records that a picture of a screenshot was returned to the client. ref is its
 * reference or live id, `image` the size of the returned picture, `shown` the
 * region of the screenshot it shows (all zero: the whole). Only the latest
 * SQ_SHOWN_PICTURES are remembered.
 */
void sq_session_set_shown(struct sq_session *session, struct sq_span ref,
                          struct sq_size image, struct sq_region shown);

/*
 * Returns the size and region of the picture of a screenshot that was returned
 * last. Fails with SQ_ERR_UNKNOWN_SCREENSHOT if none is remembered.
 */
bool sq_session_shown(struct sq_session *session, struct sq_span ref,
                      struct sq_size *image, struct sq_region *shown,
                      struct sq_err *err);

/*
 * Records the screenshotRefs of a contact sheet's cells, starting with cell 1.
 * Replaces those of the previous sheet. At most SQ_SHEET_CELLS.
 */
#define SQ_SHEET_CELLS 100
void sq_session_set_sheet(struct sq_session *session,
                          const char (*refs)[SQ_REF_SIZE], size_t count);

/*
 * Returns the screenshotRef of a cell of the latest sheet. Fails with
 * SQ_ERR_UNKNOWN_SCREENSHOT if there is no such cell.
 */
bool sq_session_sheet_cell(struct sq_session *session, int cell,
                           char out[SQ_REF_SIZE], struct sq_err *err);

/* One hit of a search: its screenshot, and where the words are in it. */
#define SQ_SESSION_HIT_STATE_SIZE 48
struct sq_session_hit {
    char ref[SQ_REF_SIZE];
    struct sq_rect box; /* in pixels of the screenshot */
    /* Of its file when it was found, as text; empty: not known. */
    char state[SQ_SESSION_HIT_STATE_SIZE];
};

/*
 * Reserves numbers for the hits of a search, which no other search of the
 * session has. Returns the first of them.
 */
#define SQ_SESSION_HITS 100
#define SQ_SESSION_HIT_NUMBERS 1000000
int sq_session_number_hits(struct sq_session *session, size_t count);

/*
 * Records the hits of a search, whose numbers begin with `first`. Replaces
 * those of the previous search. At most SQ_SESSION_HITS.
 */
void sq_session_set_hits(struct sq_session *session, int first,
                         const struct sq_session_hit *hits, size_t count);

/*
 * Returns a hit of the latest search. Fails with SQ_ERR_UNKNOWN_SCREENSHOT if
 * there is no such hit, or it is one of an earlier search.
 */
bool sq_session_get_hit(struct sq_session *session, int number,
                        struct sq_session_hit *out, struct sq_err *err);

/* The user's device for calls that name none. A plain value; empty id: none. */
struct sq_device_choice {
    char id[SQ_DEVICE_ID_SIZE];
    uint64_t connection; /* of struct sq_device_info */
};

/* Remembers the choice, unless nothing is kept between requests. */
void sq_session_set_choice(struct sq_session *session,
                           const struct sq_device_choice *choice);
struct sq_device_choice sq_session_choice(struct sq_session *session);

/* Notices that are written in full once per device, then shortened. */
enum sq_notice {
    SQ_NOTICE_DEMO,          /* the demo phone is used: no other device */
    SQ_NOTICE_SLOW_CAPTURES, /* too slow for a fast receipt to capture */
    SQ_NOTICE_SWITCHES,      /* what would also find things is switched off */
    SQ_NOTICE_PASSWORDS,     /* it does not tell where a password is typed */
    SQ_NOTICE_DISPLAY,       /* nor how its display is turned */
    SQ_NOTICES,
};

/* Returns whether the notice was already written for this device. */
bool sq_session_notice_was_sent(struct sq_session *session,
                                const char *device_id, enum sq_notice notice);

/* Records that the notice was written; it is repeated if out of memory. */
void sq_session_set_notice_sent(struct sq_session *session,
                                const char *device_id, enum sq_notice notice);

/* Running cost of the session. */
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

/*
 * What a session knows as JSON, so that a later process can continue it: which
 * pictures were taken, which one points refer to, which past screenshots are
 * the hits of the latest search and the cells of the latest sheet, and how
 * large the pictures were that were returned of them. No pixels, no texts, and
 * no element lists.
 */

#define SQ_SESSION_STATE_MAX ((size_t)64 << 10)

/* Appends the latest frames, hits, cells and sizes. now_s: since 1970. */
bool sq_session_save(struct sq_session *session, int64_t now_s,
                     struct sq_buf *out, struct sq_err *err);

/*
 * Adds what is in a text that sq_session_save wrote to a new session. A text
 * older than SQ_SESSION_MAX_AGE_S has no effect. Fails with SQ_ERR_FORMAT or
 * SQ_ERR_UNSUPPORTED if it is not such a text; the session is then unchanged.
 */
#define SQ_SESSION_MAX_AGE_S 86400
bool sq_session_restore(struct sq_session *session, int64_t now_s,
                        struct sq_span text, struct sq_err *err);

#endif
