/* From when until when there are past screenshots: for empty answers. */
#ifndef SQ_TOOLS_AVAILABLE_H
#define SQ_TOOLS_AVAILABLE_H

#include "archive/library.h"
#include "json/writer.h"
#include "tool/tool.h"

/* A value: zeroed, nothing is known. */
struct sq_available {
    bool is_known;
    int64_t today; /* local days since 1970 */
    struct sq_archive_range range;
    uint32_t monitors[8]; /* a bit for each that has shots in the window */
    const struct sq_archive_months *months; /* NULL: not counted */
};

/* What there is instead, where a window has nothing. */
bool sq_available_find(struct sq_call *call,
                       const struct sq_archive_window *window,
                       struct sq_available *out, struct sq_err *err);

/*
 * Days and counts of each month; *months in the call's arena. root and monitor
 * may be SQ_ARCHIVE_ANY.
 */
bool sq_available_count(struct sq_call *call, int root, int monitor,
                        struct sq_available *out, struct sq_err *err);

/* Whether other monitors have shots where the wanted one has none. */
bool sq_available_elsewhere(const struct sq_available *available);

/* The member "available"; nothing if it is not known. */
void sq_available_put(const struct sq_available *available,
                      struct sq_json_writer *w);

#endif
