/* Parses and applies the times whose screenshots are excluded. */
#include "archive/names/name.h"

#include "util/time_text.h"

static bool
fail(struct sq_span text, const char *problem, struct sq_err *err) {
    sq_fail(err, SQ_ERR_ARGUMENT, "archive.exclude: \"%.*s\" %s",
            (int)(text.len < 100 ? text.len : 100), text.ptr, problem);
    return sq_fail_hint(err, "Write days, times or both, such as \"Sat-Sun\", "
                             "\"Mon-Fri 20:00-06:00\", \"2026-09-07\" or "
                             "\"2026-09-07..2026-09-11\".");
}

/* Takes "2026-09-07". */
static bool
take_date(struct sq_span *rest, int32_t *out) {
    struct sq_time_text time;
    if (rest->len < 10 || rest->ptr[4] != '-'
        || !sq_time_parse((struct sq_span){ rest->ptr, 10 }, &time, NULL)) {
        return false;
    }
    sq_span_skip(rest, 10);
    *out = (int32_t)sq_days_of_seconds(time.wall_s);
    return true;
}

/* Takes "20:00". */
static bool
take_minute(struct sq_span *rest, int32_t *out) {
    uint64_t hour;
    uint64_t minute;
    if (rest->len < 5 || rest->ptr[2] != ':'
        || !sq_span_to_uint64((struct sq_span){ rest->ptr, 2 }, &hour)
        || !sq_span_to_uint64((struct sq_span){ rest->ptr + 3, 2 }, &minute)
        || hour > 24 || minute > 59 || (hour == 24 && minute > 0)) {
        return false;
    }
    sq_span_skip(rest, 5);
    *out = (int32_t)(hour * 60 + minute) * 60;
    return true;
}

/* Takes the days at the start, if there are any. */
static bool
take_days(struct sq_span *rest, struct sq_excluded_time *out) {
    if (sq_weekday_take(rest, &out->first)) {
        out->days = SQ_EXCLUDED_WEEKDAYS;
        out->last = out->first;
        return !sq_span_take_prefix(rest, "-")
            || sq_weekday_take(rest, &out->last);
    }
    if (take_date(rest, &out->first)) {
        out->days = SQ_EXCLUDED_DATES;
        out->last = out->first;
        return !sq_span_take_prefix(rest, "..") || take_date(rest, &out->last);
    }
    return true;
}

bool
sq_excluded_time_read(struct sq_span text, struct sq_excluded_time *out,
                      struct sq_err *err) {
    struct sq_excluded_time time = { .to_s = SQ_DAY_S };
    struct sq_span rest = sq_span_trim(text);
    if (rest.len == 0 || !take_days(&rest, &time)) {
        return fail(text, "is not a time", err);
    }
    bool has_space = rest.len > 0 && rest.ptr[0] == ' ';
    rest = sq_span_trim(rest);
    if (rest.len > 0
        && ((time.days != SQ_EXCLUDED_ANY_DAY && !has_space)
            || !take_minute(&rest, &time.from_s)
            || !sq_span_take_prefix(&rest, "-")
            || !take_minute(&rest, &time.to_s) || rest.len > 0
            || time.from_s == SQ_DAY_S)) {
        return fail(text, "is not a time", err);
    }
    if (time.from_s == time.to_s) {
        return fail(text, "begins and ends at the same time", err);
    }
    if (time.days == SQ_EXCLUDED_DATES && time.last < time.first) {
        return fail(text, "ends before it begins", err);
    }
    *out = time;
    return true;
}

static bool
has_day(const struct sq_excluded_time *time, int64_t day) {
    if (time->days == SQ_EXCLUDED_DATES) {
        return day >= time->first && day <= time->last;
    }
    int weekday = sq_weekday_of_days(day);
    return time->days == SQ_EXCLUDED_ANY_DAY
        || (time->first <= time->last
                ? weekday >= time->first && weekday <= time->last
                : weekday >= time->first || weekday <= time->last);
}

bool
sq_excluded_time_has(const struct sq_excluded_time *time, int64_t local_s) {
    int64_t day = sq_days_of_seconds(local_s);
    int64_t second = local_s - day * SQ_DAY_S;
    if (time->from_s < time->to_s) {
        return second >= time->from_s && second < time->to_s
            && has_day(time, day);
    }
    return (second >= time->from_s && has_day(time, day))
        || (second < time->to_s && has_day(time, day - 1));
}
