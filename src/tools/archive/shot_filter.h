/* Hides parts of archived screenshots when they are read. */
#ifndef SQ_TOOLS_ARCHIVE_SHOT_FILTER_H
#define SQ_TOOLS_ARCHIVE_SHOT_FILTER_H

#include "archive/library.h"
#include "redact/redact.h"

struct sq_shot_filter {
    const struct sq_library *past;
    const struct sq_redactor *redactor;
};

/*
 * A filter for sq_archive_set_filter; its context is a struct sq_shot_filter.
 * What a thumbnail must hide is found in the full picture, where text can be
 * read.
 */
sq_archive_filter sq_shot_filter_apply;

#endif
