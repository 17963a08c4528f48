/* Reports which archived screenshots exist, for replies to empty windows. */
#ifndef SQ_TOOLS_ARCHIVE_AVAILABLE_H
#define SQ_TOOLS_ARCHIVE_AVAILABLE_H

#include "archive/library.h"
#include "json/writer.h"
#include "tool/tool.h"

/* A plain value; zeroed: nothing is known. */
struct sq_available {
    bool is_known;
    int64_t today; /* local days since 1970 */
    struct sq_archive_range range;
    uint32_t monitors[8]; /* one bit per monitor with shots in the window */
    const struct sq_archive_months *months; /* NULL: not counted */
};

/* Finds out what exists if a window is empty. */
bool sq_available_find(struct sq_call *call,
                       const struct sq_archive_window *window,
                       struct sq_available *out, struct sq_err *err);

/*
 * Counts the shots per month; out->months is in the call's arena. root and
 * monitor may be SQ_ARCHIVE_ANY.
 */
bool sq_available_count(struct sq_call *call, int root, int monitor,
                        struct sq_available *out, struct sq_err *err);

/* Returns whether other monitors have shots in the window. */
bool sq_available_elsewhere(const struct sq_available *available);

#define SQ_AVAILABLE_TEXT_SIZE 160

/* Writes the sentence that says which other monitors have shots. */
void sq_available_name_monitors(const struct sq_available *available,
                                char out[SQ_AVAILABLE_TEXT_SIZE]);

/* Writes the member "available"; nothing if it is not known. */
void sq_available_put(const struct sq_available *available,
                      struct sq_json_writer *w);

#endif
