/* Parses periods of days. */
#include "archive/names/time_period.h"

/* Days since 1970, both inclusive. */
struct days {
    int64_t first;
    int64_t last;
};

/* Returns the month that is `back` months before that of the date. */
static struct days
month_before(struct sq_date date, int back) {
    int months = date.year * 12 + date.month - 1 - back;
    const struct sq_date first = { months / 12, months % 12 + 1, 1 };
    months++;
    const struct sq_date next = { months / 12, months % 12 + 1, 1 };
    return (struct days){ sq_date_to_days(first), sq_date_to_days(next) - 1 };
}

static struct days
year_of(int year) {
    return (struct days){ sq_date_to_days((struct sq_date){ year, 1, 1 }),
                          sq_date_to_days((struct sq_date){ year, 12, 31 }) };
}

static struct days
week_before(int64_t today, int back) {
    int64_t monday = today - (sq_weekday_of_days(today) + 6) % 7 - 7 * back;
    return (struct days){ monday, monday + 6 };
}

/* Parses "last month" and the like. */
static bool
read_words(struct sq_span text, int64_t today, struct days *out) {
    static const char *const words[][2] = {
        { "this week", "last week" },
        { "this month", "last month" },
        { "this year", "last year" },
    };
    const struct sq_date date = sq_date_from_days(today);
    for (int back = 0; back < 2; back++) {
        if (sq_span_is_word(text, words[0][back])) {
            *out = week_before(today, back);
        } else if (sq_span_is_word(text, words[1][back])) {
            *out = month_before(date, back);
        } else if (sq_span_is_word(text, words[2][back])) {
            *out = year_of(date.year - back);
        } else {
            continue;
        }
        return true;
    }
    return false;
}

/* Parses "2026" and "2026-01". */
static bool
read_numbers(struct sq_span text, struct days *out) {
    uint64_t year;
    uint64_t month = 0;
    struct sq_span head = { text.ptr, 4 };
    struct sq_span tail = { text.ptr + 5, 2 };
    bool has_month = text.len == 7 && text.ptr[4] == '-';
    if ((text.len != 4 && !has_month) || !sq_span_to_uint64(head, &year)
        || year < 1970 || year > 2100
        || (has_month
            && (!sq_span_to_uint64(tail, &month) || month < 1 || month > 12))) {
        return false;
    }
    *out = has_month
             ? month_before((struct sq_date){ (int)year, (int)month, 1 }, 0)
             : year_of((int)year);
    return true;
}

bool
sq_time_period_read(struct sq_span text, const struct sq_time_base *base,
                    struct sq_time_period *out) {
    struct sq_span trimmed = sq_span_trim(text);
    struct days days;
    int64_t today = sq_time_local_day(base->zone, base->now_utc);
    if (!read_words(trimmed, today, &days) && !read_numbers(trimmed, &days)) {
        return false;
    }
    sq_date_format(sq_date_from_days(days.first), out->first);
    sq_date_format(sq_date_from_days(days.last), out->last);
    return true;
}
