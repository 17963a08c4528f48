/* Writes the text block of a reply: one JSON object, and its common members. */
#ifndef SQ_TOOLS_REPLY_H
#define SQ_TOOLS_REPLY_H

#include "geom/view.h"
#include "session/session.h"
#include "tool/tool.h"

struct sq_redactor;
struct sq_token_profile;

struct sq_reply {
    struct sq_block *block;
    struct sq_json_writer w;
};

/*
 * Adds a text block to the call's result and opens its JSON object. An image
 * block that belongs before it must already have been added.
 */
bool sq_reply_start(struct sq_call *call, struct sq_reply *reply,
                    struct sq_err *err);

/* Makes a writer hide what the text rules of redaction hide. */
void sq_reply_mask(const struct sq_call *call, struct sq_json_writer *w);

/*
 * Begins JSON that is sent to the caller and may contain text of a device: what
 * the text rules hide is not written. scripts/check-banned allows no other way
 * in src/tools.
 */
void sq_reply_writer_init(const struct sq_call *call, struct sq_json_writer *w,
                          struct sq_buf *out);

/*
 * Does the same without using memory: if there are text rules, all untrusted
 * text is left empty.
 */
void sq_reply_writer_init_least(const struct sq_call *call,
                                struct sq_json_writer *w, struct sq_buf *out);

/*
 * Replaces a text by what the text rules leave of it, in the call's arena. For
 * texts that are shortened or joined before they are written: rules do not
 * match half of a secret.
 */
bool sq_reply_hide(const struct sq_call *call, struct sq_span *text,
                   struct sq_err *err);

/* Hides what the text rules hide in an error that quotes a device. */
void sq_reply_hide_error(const struct sq_redactor *redactor,
                         struct sq_err *err);

/* Hosts reject pictures with a longer side if a reply has many of them. */
#define SQ_REPLY_MAX_SIDE 2000

/*
 * Returns how many bytes of a picture fit into reply_bytes: one eighth is for
 * the text, and base64 turns three bytes into four.
 */
size_t sq_reply_picture_bytes(size_t reply_bytes);

/* Returns how the configured model counts the tokens of a picture. */
const struct sq_token_profile *sq_reply_profile(const struct sq_call *call);

/*
 * Returns the longest side of a picture: the given one, and in short replies a
 * little less if that saves a column of patches.
 */
int sq_reply_side(const struct sq_config *config, int side);

/* Returns the same of a picture whose size is not given. */
int sq_reply_max_dimension(const struct sq_config *config);

/* Returns how many bytes are left of the largest allowed reply. */
size_t sq_reply_bytes_left(const struct sq_call *call);

/*
 * Writes the members "untrusted" and the device, closes the object and checks
 * the whole block.
 */
bool sq_reply_end(struct sq_call *call, struct sq_reply *reply,
                  struct sq_err *err);

/*
 * Writes what has changed since the receipt of the latest action, if the call
 * knows it: the first member of its answer. For receipts; sq_reply_start does
 * it.
 */
void sq_put_late_change(struct sq_call *call, struct sq_json_writer *w);

/* Write one member of the current object. */
void sq_put_text(struct sq_json_writer *w, const char *key, const char *text);
void sq_put_int(struct sq_json_writer *w, const char *key, int64_t number);
void sq_put_double(struct sq_json_writer *w, const char *key, double number);
void sq_put_bool(struct sq_json_writer *w, const char *key, bool boolean);

/* Writes the member only if it is true. */
void sq_put_if_true(struct sq_json_writer *w, const char *key, bool boolean);

/* Writes how many parts of a picture are hidden; nothing if none is. */
void sq_put_redacted(struct sq_json_writer *w, int count);

/*
 * Returns whether more than half of the capacity is still free. Long lists stop
 * when it returns false, and report that they were cut.
 */
bool sq_reply_has_room(const struct sq_json_writer *w);

/*
 * Writes text from a screen, a device, a database or another program, at most
 * SQ_MAX_UNTRUSTED_BYTES; nothing if empty. sq_reply_end then adds the member
 * "untrusted".
 */
#define SQ_MAX_UNTRUSTED_BYTES 256
void sq_put_untrusted(struct sq_json_writer *w, const char *key,
                      struct sq_span text);

/* Does so for the caller's own text, which is not untrusted. */
void sq_put_clean(struct sq_json_writer *w, const char *key,
                  struct sq_span text);

/* Writes a whole text of ours that quotes untrusted text. */
void sq_put_quoting(struct sq_json_writer *w, const char *key,
                    const char *text);

/* Writes the message of an error; as untrusted text if it quotes. */
void sq_put_message(struct sq_json_writer *w, const char *key,
                    const struct sq_err *err);

/* Writes "untrusted": true if untrusted text was written. */
void sq_put_mark(struct sq_json_writer *w);

/* Writes a constant text for its reader; marked: util/err.h. */
void sq_put_words(struct sq_json_writer *w, const char *key, const char *text);

/* Fails because two arguments, which are marked, contradict each other. */
bool sq_fail_conflict(const char *a, const char *b, struct sq_err *err);

/* Writes advice with marked names of operations (tools/offer.h). */
void sq_put_advice(const struct sq_call *call, struct sq_json_writer *w,
                   const char *key, const char *text);

/* Writes {"width":…,"height":…}. */
void sq_put_size(struct sq_json_writer *w, const char *key,
                 struct sq_size size);

/* Writes {"x":…,"y":…}. */
void sq_put_img_pt(struct sq_json_writer *w, const char *key,
                   struct sq_img_pt point);

/* Writes {"left":…,"top":…,"right":…,"bottom":…}. */
void sq_put_img_rect(struct sq_json_writer *w, const char *key,
                     struct sq_img_rect rect);

/* Writes x, y, width and height of the rectangle between the edges. */
void sq_put_edges(struct sq_json_writer *w, int left, int top, int right,
                  int bottom);

/*
 * Writes what changed: null, one rectangle, or an array of several. id may be
 * NULL or empty.
 */
void sq_put_changed(struct sq_json_writer *w, const struct sq_img_rects *rects,
                    const char *id);

/* Writes coordinateSpace, and screenshotId if the frame has an id. */
void sq_put_frame(struct sq_json_writer *w, const struct sq_frame *frame);

/*
 * Writes {"packageName":…,"activityName":…}, with locked and hint if it is
 * locked.
 */
void sq_put_app(const struct sq_call *call, struct sq_json_writer *w,
                const char *key, const struct sq_app *app);

#endif
