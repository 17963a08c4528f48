/*
 * Shortens the replies of operations on devices, for ui.replies: short. What
 * models do not need is left out, and points, sizes and rectangles are texts.
 */
#ifndef SQ_TOOLS_SHORT_REPLY_H
#define SQ_TOOLS_SHORT_REPLY_H

#include "tool/tool.h"

/*
 * Appends the short form of a reply, which is a JSON object. has_picture: the
 * picture is sent with it, so that its file need not be named. Pure.
 */
bool sq_short_reply_write(const struct sq_json *reply, bool has_picture,
                          struct sq_buf *out, struct sq_err *err);

/*
 * Replaces the JSON texts of a result by their short forms. A text for which
 * there is no memory stays as it is.
 */
void sq_short_reply(struct sq_result *result);

/* Estimates the tokens of the texts that sq_short_reply makes of a result. */
int sq_short_reply_tokens(const struct sq_result *result);

#endif
