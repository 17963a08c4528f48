/* Finds the range of shots, and counts them by month. */
#include "archive/archive_private.h"
#include "util/minmax.h"
#include "util/time_text.h"

static bool
add_range(struct sq_root *root, const struct sq_deadline *deadline,
          struct sq_archive_range *range, struct sq_err *err) {
    struct sq_shot oldest;
    struct sq_shot newest;
    bool found = false;
    if (!sq_root_edge(root, false, deadline, &oldest, &found, err)
        || !sq_root_edge(root, true, deadline, &newest, &found, err)) {
        return false;
    }
    if (found) {
        bool is_first = range->oldest_day == SQ_ARCHIVE_NO_DAY;
        int32_t first = sq_shot_local_day(&oldest);
        range->oldest_day =
            is_first ? first : sq_min_int(first, range->oldest_day);
        range->newest_day =
            sq_max_int(sq_shot_local_day(&newest), range->newest_day);
    }
    return true;
}

bool
sq_archive_range(struct sq_archive *archive, int root,
                 const struct sq_deadline *deadline,
                 struct sq_archive_range *out, struct sq_err *err) {
    const struct sq_archive_window window = { .root = root };
    struct sq_archive_range range = { SQ_ARCHIVE_NO_DAY, SQ_ARCHIVE_NO_DAY };
    for (size_t i = 0; i < archive->count; i++) {
        enum sq_archive_trouble trouble;
        if (!sq_archive_window_includes(&window, i)) {
            continue;
        }
        if (!sq_root_enter(&archive->roots[i], deadline, &trouble, err)) {
            return false;
        }
        bool ok = trouble != SQ_ARCHIVE_TROUBLE_NONE
               || add_range(&archive->roots[i], deadline, &range, err);
        sq_root_unlock(&archive->roots[i]);
        if (!ok) {
            return false;
        }
    }
    *out = range;
    return true;
}

struct counting {
    struct sq_archive_months *months;
    int monitor;
};

/* Counts only the shots that a listing would return. */
static bool
count_day(void *context, sq_place place, const struct sq_day *day,
          struct sq_err *err) {
    const struct counting *counting = context;
    struct sq_archive_months *months = counting->months;
    int64_t from_utc;
    int64_t to_utc;
    (void)err;
    sq_layout_seconds(place, &from_utc, &to_utc);
    size_t to = sq_day_search(day, to_utc);
    for (size_t i = sq_day_search(day, from_utc); i < to; i++) {
        const struct sq_shot *shot = &day->shots[i];
        months->monitors[shot->monitor / 32] |= 1U << shot->monitor % 32;
        if (counting->monitor != SQ_ARCHIVE_ANY
            && shot->monitor != counting->monitor) {
            continue;
        }
        struct sq_date date = sq_date_from_days(sq_shot_local_day(shot));
        months->counts[(date.year - SQ_ARCHIVE_FIRST_YEAR) * 12 + date.month
                       - 1]++;
        months->shots++;
    }
    return true;
}

bool
sq_archive_count_months(struct sq_archive *archive, int root, int monitor,
                        const struct sq_deadline *deadline,
                        struct sq_archive_months *out, struct sq_err *err) {
    const struct sq_archive_window window = { .root = root };
    struct counting counting = { out, monitor };
    const struct sq_root_visitor visitor = { count_day, &counting };
    bool ok = true;
    *out = (struct sq_archive_months){ 0 };
    for (size_t i = 0; ok && i < archive->count; i++) {
        ok = !sq_archive_window_includes(&window, i)
          || sq_root_visit(&archive->roots[i], &visitor, deadline,
                           &out->roots[i], err);
    }
    return ok;
}
