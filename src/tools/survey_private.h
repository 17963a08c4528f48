/* What the files of a survey share; for survey*.c only. */
#ifndef SQ_TOOLS_SURVEY_PRIVATE_H
#define SQ_TOOLS_SURVEY_PRIVATE_H

#include "tools/survey.h"

/* Without dates: how many there are, and when. */
bool sq_survey_count(struct sq_call *call,
                     const struct sq_archive_window *window,
                     struct sq_survey *out, struct sq_err *err);

/* Whether the answer is about all that there is, not about a window. */
bool sq_survey_is_counted(const struct sq_survey *survey);

#endif
