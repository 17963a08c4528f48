/* Reads the text of past screenshots into the index that searches use. */
#ifndef SQ_APP_COMMANDS_ARCHIVE_INDEX_H
#define SQ_APP_COMMANDS_ARCHIVE_INDEX_H

#include "app/commands/command.h"
#include "archive/search/search.h"

struct sq_archive_index_request {
    const struct sq_library *past;
    const struct sq_redactor *redactor;
    const char *language; /* NULL: the default */
    struct sq_span start; /* dates as in a list; empty: all pictures */
    struct sq_span end;
    bool remove; /* the whole index, instead of reading */
    bool json;
    struct sq_cancel *cancel;
};

/*
 * Runs squint archive index. Interrupted, it reports what is done, with
 * SQ_STATUS_INTERRUPTED.
 */
bool sq_archive_index_run(const struct sq_archive_index_request *request,
                          struct sq_buf *out, enum sq_status *status,
                          struct sq_err *err);

#endif
