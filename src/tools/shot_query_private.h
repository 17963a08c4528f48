/* What the files of a survey share; for survey*.c only. */
#ifndef SQ_TOOLS_SHOT_QUERY_PRIVATE_H
#define SQ_TOOLS_SHOT_QUERY_PRIVATE_H

#include "tools/shot_query.h"

/* Without dates: how many there are, and when. */
bool sq_shot_query_count(struct sq_call *call,
                         const struct sq_archive_window *window,
                         struct sq_shot_query *out, struct sq_err *err);

/* Whether the answer is about all that there is, not about a window. */
bool sq_shot_query_is_counted(const struct sq_shot_query *survey);

#endif
