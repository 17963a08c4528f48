/* Counts all archived shots, for a request without dates. */
#include <string.h>

#include "tools/archive/shot_query_private.h"

bool
sq_shot_query_is_counted(const struct sq_shot_query *query) {
    return query->available.months
        && (query->total > 0 || sq_available_elsewhere(&query->available));
}

bool
sq_shot_query_count(struct sq_call *call,
                    const struct sq_archive_window *window,
                    struct sq_shot_query *out, struct sq_err *err) {
    if (!sq_available_count(call, window->root, window->monitor,
                            &out->available, err)) {
        return false;
    }
    const struct sq_archive_months *months = out->available.months;
    memcpy(out->listing.roots, months->roots, sizeof(months->roots));
    out->total = (size_t)months->shots;
    out->is_limited = months->shots > 0;
    out->listing.reason =
        months->shots > 0 ? SQ_ARCHIVE_REASON_NONE : SQ_ARCHIVE_REASON_UNKNOWN;
    return true;
}
