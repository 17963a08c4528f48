/* The text block of an answer: one JSON object, and the shapes in it. */
#ifndef SQ_TOOLS_REPLY_H
#define SQ_TOOLS_REPLY_H

#include "geom/view.h"
#include "session/session.h"
#include "tool/tool.h"

struct sq_token_profile;

struct sq_reply {
    struct sq_block *block;
    struct sq_json_writer w;
};

/*
 * Add a text block to the call's result and open its object. An image block
 * that belongs before it must have been added already.
 */
bool sq_reply_start(struct sq_call *call, struct sq_reply *reply,
                    struct sq_err *err);

/* Hosts refuse pictures with a longer side once there are many of them. */
#define SQ_REPLY_MAX_SIDE 2000

/*
 * So many bytes of a picture fit into so many of a reply: an eighth is for the
 * text, and base64 makes four bytes of three.
 */
size_t sq_reply_picture_bytes(size_t reply_bytes);

/* How the configured model counts the tokens of a picture. */
const struct sq_token_profile *sq_reply_profile(const struct sq_call *call);

/* What the blocks so far leave of the largest reply allowed. */
size_t sq_reply_bytes_left(const struct sq_call *call);

/*
 * Write whether there is untrusted text in it and which device it was, close
 * the object, and check the whole.
 */
bool sq_reply_end(struct sq_call *call, struct sq_reply *reply,
                  struct sq_err *err);

/* Members of the object being written. */
void sq_put_text(struct sq_json_writer *w, const char *key, const char *text);
void sq_put_int(struct sq_json_writer *w, const char *key, int64_t number);
void sq_put_double(struct sq_json_writer *w, const char *key, double number);
void sq_put_bool(struct sq_json_writer *w, const char *key, bool boolean);

/*
 * Whether more than half of what the answer may hold is still free: lists that
 * could be longer stop here and say so.
 */
bool sq_reply_has_room(const struct sq_json_writer *w);

/*
 * Text of a screen, a device, a database or another program, at most
 * SQ_MAX_UNTRUSTED_BYTES of it; left out when empty. The answer is marked by
 * the member "untrusted", see sq_reply_end.
 */
#define SQ_MAX_UNTRUSTED_BYTES 256
void sq_put_untrusted(struct sq_json_writer *w, const char *key,
                      struct sq_span text);

/* The same for text of the caller's own: the answer is not marked. */
void sq_put_clean(struct sq_json_writer *w, const char *key,
                  struct sq_span text);

/* The message of an error; untrusted text if it quotes. */
void sq_put_message(struct sq_json_writer *w, const char *key,
                    const struct sq_err *err);

/* "untrusted": true, if untrusted text was written. */
void sq_put_mark(struct sq_json_writer *w);

/* {"width":…,"height":…} */
void sq_put_size(struct sq_json_writer *w, const char *key,
                 struct sq_size size);

/* {"x":…,"y":…} */
void sq_put_img_pt(struct sq_json_writer *w, const char *key,
                   struct sq_img_pt point);
void sq_put_dev_pt(struct sq_json_writer *w, const char *key,
                   struct sq_dev_pt point);

/* {"left":…,"top":…,"right":…,"bottom":…} */
void sq_put_img_rect(struct sq_json_writer *w, const char *key,
                     struct sq_img_rect rect);

/* x, y, width, height of what lies between the edges. */
void sq_put_edges(struct sq_json_writer *w, int left, int top, int right,
                  int bottom);

/* coordinateSpace, and screenshotId unless the frame has none. */
void sq_put_frame(struct sq_json_writer *w, const struct sq_frame *frame);

/* {"packageName":…,"activityName":…}, with locked and hint if it is. */
void sq_put_app(struct sq_json_writer *w, const char *key,
                const struct sq_app *app);

#endif
