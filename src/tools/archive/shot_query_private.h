/* Shares functions between the files shot_query*.c. */
#ifndef SQ_TOOLS_ARCHIVE_SHOT_QUERY_PRIVATE_H
#define SQ_TOOLS_ARCHIVE_SHOT_QUERY_PRIVATE_H

#include "tools/archive/shot_query.h"

/* Counts all shots, for a request without dates. */
bool sq_shot_query_count(struct sq_call *call,
                         const struct sq_archive_window *window,
                         struct sq_shot_query *out, struct sq_err *err);

/* Returns whether the reply is about all shots instead of a window. */
bool sq_shot_query_is_counted(const struct sq_shot_query *query);

#endif
