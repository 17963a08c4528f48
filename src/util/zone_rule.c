/* Parser and evaluation of POSIX TZ rules. */
#include "util/zone_rule.h"

#include "util/time_text.h"

#define HOUR_S 3600
#define MAX_OFFSET_HOURS 24
#define MAX_CHANGE_HOURS 167
#define DEFAULT_CHANGE_S (2 * HOUR_S)
#define FAR_S INT64_C(300000000000) /* 9,500 years */

static const char default_changes[] = "M3.2.0,M11.1.0";

static bool
take_byte(struct sq_span *rest, char byte) {
    if (!rest->len || rest->ptr[0] != byte) {
        return false;
    }
    *rest = (struct sq_span){ rest->ptr + 1, rest->len - 1 };
    return true;
}

/* Takes a number between low and high. */
static bool
take_number(struct sq_span *rest, int low, int high, int *value) {
    int number = 0;
    size_t len = 0;
    while (len < rest->len && rest->ptr[len] >= '0' && rest->ptr[len] <= '9'
           && number <= high) {
        number = number * 10 + (rest->ptr[len] - '0');
        len++;
    }
    if (len == 0 || number < low || number > high) {
        return false;
    }
    *rest = (struct sq_span){ rest->ptr + len, rest->len - len };
    *value = number;
    return true;
}

static bool
is_letter(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/* Takes a name, "CET" or "<+03>", and ignores it. */
static bool
take_name(struct sq_span *rest) {
    struct sq_span quoted;
    if (take_byte(rest, '<')) {
        return sq_span_take_until(rest, '>', &quoted) && quoted.len > 0;
    }
    size_t len = 0;
    while (len < rest->len && is_letter(rest->ptr[len])) {
        len++;
    }
    *rest = (struct sq_span){ rest->ptr + len, rest->len - len };
    return len >= 3;
}

/* Takes [+-]H[H][:MM[:SS]] as seconds. */
static bool
take_clock(struct sq_span *rest, int max_hours, int *seconds) {
    int hours;
    int minutes = 0;
    int rest_s = 0;
    bool is_minus = take_byte(rest, '-');
    if (!is_minus) {
        take_byte(rest, '+');
    }
    if (!take_number(rest, 0, max_hours, &hours)) {
        return false;
    }
    if (take_byte(rest, ':')) {
        if (!take_number(rest, 0, 59, &minutes)) {
            return false;
        }
        if (take_byte(rest, ':') && !take_number(rest, 0, 59, &rest_s)) {
            return false;
        }
    }
    int sum = hours * HOUR_S + minutes * 60 + rest_s;
    *seconds = is_minus ? -sum : sum;
    return true;
}

/* Takes an offset. POSIX offsets are west of UTC; ours are east. */
static bool
take_offset(struct sq_span *rest, int *offset_s) {
    int west;
    if (!take_clock(rest, MAX_OFFSET_HOURS, &west)) {
        return false;
    }
    *offset_s = -west;
    return true;
}

static bool
take_change(struct sq_span *rest, struct sq_zone_change *out) {
    struct sq_zone_change change = { .time_s = DEFAULT_CHANGE_S };
    bool ok;
    if (take_byte(rest, 'M')) {
        change.kind = SQ_ZONE_DAY_WEEK;
        ok = take_number(rest, 1, 12, &change.month) && take_byte(rest, '.')
          && take_number(rest, 1, 5, &change.week) && take_byte(rest, '.')
          && take_number(rest, 0, 6, &change.day);
    } else if (take_byte(rest, 'J')) {
        change.kind = SQ_ZONE_DAY_JULIAN;
        ok = take_number(rest, 1, 365, &change.day);
    } else {
        change.kind = SQ_ZONE_DAY_ZERO;
        ok = take_number(rest, 0, 365, &change.day);
    }
    if (ok && take_byte(rest, '/')) {
        ok = take_clock(rest, MAX_CHANGE_HOURS, &change.time_s);
    }
    *out = change;
    return ok;
}

static bool
take_changes(struct sq_span *rest, struct sq_zone_rule *rule) {
    return take_change(rest, &rule->to_summer) && take_byte(rest, ',')
        && take_change(rest, &rule->to_winter);
}

bool
sq_zone_rule_parse(struct sq_span text, struct sq_zone_rule *out) {
    struct sq_zone_rule rule = { 0 };
    struct sq_span rest = text;
    if (!take_name(&rest) || !take_offset(&rest, &rule.offset_s)) {
        return false;
    }
    if (rest.len > 0) {
        rule.has_summer = true;
        rule.summer_offset_s = rule.offset_s + HOUR_S;
        if (!take_name(&rest)
            || (rest.len > 0 && rest.ptr[0] != ','
                && !take_offset(&rest, &rule.summer_offset_s))) {
            return false;
        }
        struct sq_span changes = sq_span_of(default_changes);
        bool ok = take_byte(&rest, ',') ? take_changes(&rest, &rule)
                                        : take_changes(&changes, &rule);
        if (!ok || rest.len > 0) {
            return false;
        }
    }
    *out = rule;
    return true;
}

/* Returns the week-th weekday of a month, in days since 1970. */
static int64_t
week_day(int year, const struct sq_zone_change *change) {
    struct sq_date first = { year, change->month, 1 };
    struct sq_date next = { year + (change->month == 12),
                            change->month % 12 + 1, 1 };
    int64_t start = sq_date_to_days(first);
    int64_t end = sq_date_to_days(next);
    int64_t day = start + (change->day - sq_weekday_of_days(start) + 7) % 7
                + (int64_t)(change->week - 1) * 7;
    return day < end ? day : day - 7;
}

/*
 * Returns when the change happens in a year, in seconds of local time before
 * the change.
 */
static int64_t
change_at(int year, const struct sq_zone_change *change) {
    int64_t day;
    if (change->kind == SQ_ZONE_DAY_WEEK) {
        day = week_day(year, change);
    } else {
        int64_t start = sq_date_to_days((struct sq_date){ year, 1, 1 });
        int64_t march = sq_date_to_days((struct sq_date){ year, 3, 1 });
        bool is_julian = change->kind == SQ_ZONE_DAY_JULIAN;
        day = start + change->day - is_julian;
        /* J60 is March 1, whether or not there was a February 29. */
        day += is_julian && march - start == 60 && change->day >= 60;
    }
    return day * SQ_DAY_S + change->time_s;
}

int
sq_zone_rule_offset(const struct sq_zone_rule *rule, int64_t utc) {
    if (!rule->has_summer) {
        return rule->offset_s;
    }
    utc = utc < -FAR_S ? -FAR_S : utc > FAR_S ? FAR_S : utc;
    int year = sq_date_from_days(sq_days_of_seconds(utc)).year;
    int offset_s = rule->offset_s;
    int64_t latest = INT64_MIN;
    /*
     * The latest change applies. If winter ends in the second in which summer
     * begins, there is no winter, so winter is checked first.
     */
    for (int i = year - 2; i <= year + 1; i++) {
        int64_t winter = change_at(i, &rule->to_winter) - rule->summer_offset_s;
        int64_t summer = change_at(i, &rule->to_summer) - rule->offset_s;
        if (winter <= utc && winter >= latest) {
            latest = winter;
            offset_s = rule->offset_s;
        }
        if (summer <= utc && summer >= latest) {
            latest = summer;
            offset_s = rule->summer_offset_s;
        }
    }
    return offset_s;
}
