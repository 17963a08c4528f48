/* Finds the range of shots, and counts them by month. */
#include "archive/archive_private.h"
#include "util/minmax.h"
#include "util/time_text.h"

static bool
add_range(struct sq_root *root, const struct sq_deadline *deadline,
          struct sq_archive_range *range, struct sq_err *err) {
    enum sq_archive_trouble trouble;
    struct sq_shot oldest;
    struct sq_shot newest;
    bool found = false;
    if (!sq_root_open(root, deadline, &trouble, err)) {
        return false;
    }
    if (trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        return true;
    }
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
        if (!sq_archive_window_includes(&window, i)) {
            continue;
        }
        if (!sq_root_lock(&archive->roots[i], deadline, err)) {
            return false;
        }
        bool ok = add_range(&archive->roots[i], deadline, &range, err);
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

static bool
count_root(struct sq_root *root, struct counting *counting,
           const struct sq_deadline *deadline, struct sq_archive_count *count,
           struct sq_err *err) {
    const int32_t always[2] = { INT32_MIN, INT32_MAX };
    const struct sq_root_visitor visitor = { count_day, counting };
    if (!sq_root_open(root, deadline, &count->trouble, err)) {
        return false;
    }
    if (count->trouble != SQ_ARCHIVE_TROUBLE_NONE) {
        return true;
    }
    bool ok = sq_root_walk(root, always, &visitor, deadline, count, err);
    sq_root_save(root, 1, NULL);
    return ok;
}

bool
sq_archive_count_months(struct sq_archive *archive, int root, int monitor,
                        const struct sq_deadline *deadline,
                        struct sq_archive_months *out, struct sq_err *err) {
    const struct sq_archive_window window = { .root = root };
    struct counting counting = { out, monitor };
    *out = (struct sq_archive_months){ 0 };
    for (size_t i = 0; i < archive->count; i++) {
        if (!sq_archive_window_includes(&window, i)) {
            continue;
        }
        if (!sq_root_lock(&archive->roots[i], deadline, err)) {
            return false;
        }
        bool ok = count_root(&archive->roots[i], &counting, deadline,
                             &out->roots[i], err);
        sq_root_unlock(&archive->roots[i]);
        if (!ok) {
            return false;
        }
    }
    return true;
}
