/*
 * Reads the text of new past screenshots while clients are served, in one
 * low-priority thread and a confined process that inherits its priority.
 */
#ifndef SQ_APP_HOST_TEXT_INDEX_H
#define SQ_APP_HOST_TEXT_INDEX_H

#include "archive/library.h"
#include "config/config.h"
#include "redact/redact.h"

struct sq_text_index;

/*
 * Starts reading: first the pictures of the last two days, then all, and from
 * then on the new ones. Of several processes of a user, one reads at a time.
 * All arguments must outlive it.
 */
bool sq_text_index_start(const struct sq_config *config,
                         struct sq_library *past,
                         const struct sq_redactor *redactor,
                         struct sq_text_index **out, struct sq_err *err);

/* Stops reading. What was read until then is in the index. Accepts NULL. */
void sq_text_index_stop(struct sq_text_index *index);

#endif
