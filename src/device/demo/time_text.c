#include "device/demo/time_text.h"

#include <stdio.h>

#define NS_PER_MS 1000000
#define MS_PER_DAY (24 * 60 * 60 * 1000)
/* Days from 0000-03-01, where leap days end a year, to 1970-01-01. */
#define DAYS_TO_EPOCH 719468
#define DAYS_PER_ERA 146097 /* 400 years */

static int64_t
floor_div(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

/* The civil date of a day counted from 1970, by the Gregorian rule. */
static void
set_date(struct sq_time *time, int64_t days) {
    int64_t shifted = days + DAYS_TO_EPOCH;
    int64_t era = floor_div(shifted, DAYS_PER_ERA);
    int64_t day = shifted - era * DAYS_PER_ERA;
    int64_t year =
        (day - day / 1460 + day / 36524 - day / (DAYS_PER_ERA - 1)) / 365;
    int64_t of_year = day - (365 * year + year / 4 - year / 100);
    int64_t month = (5 * of_year + 2) / 153; /* 0: March */
    time->day = (int)(of_year - (153 * month + 2) / 5 + 1);
    time->month = (int)(month < 10 ? month + 3 : month - 9);
    time->weekday = (int)(((days + 4) % 7 + 7) % 7);
}

struct sq_time
sq_phone_time(const struct sq_phone *phone) {
    struct sq_time time;
    int64_t ms = floor_div(sq_phone_now_ns(phone), NS_PER_MS);
    int64_t days = floor_div(ms, MS_PER_DAY);
    int of_day = (int)(ms - days * MS_PER_DAY);
    set_date(&time, days);
    time.hour = of_day / 3600000;
    time.minute = of_day / 60000 % 60;
    time.second = of_day / 1000 % 60;
    return time;
}

struct sq_span
sq_say_minute(const struct sq_phone *phone, const struct sq_widget *widget,
              char scratch[SQ_SAY_SIZE]) {
    struct sq_time time = sq_phone_time(phone);
    (void)widget;
    snprintf(scratch, SQ_SAY_SIZE, "%02d:%02d", time.hour, time.minute);
    return sq_span_of(scratch);
}

struct sq_span
sq_say_second(const struct sq_phone *phone, const struct sq_widget *widget,
              char scratch[SQ_SAY_SIZE]) {
    struct sq_time time = sq_phone_time(phone);
    (void)widget;
    snprintf(scratch, SQ_SAY_SIZE, "%02d:%02d:%02d", time.hour, time.minute,
             time.second);
    return sq_span_of(scratch);
}

struct sq_span
sq_say_date(const struct sq_phone *phone, const struct sq_widget *widget,
            char scratch[SQ_SAY_SIZE]) {
    static const char *const weekdays[] = { "Sunday",    "Monday",   "Tuesday",
                                            "Wednesday", "Thursday", "Friday",
                                            "Saturday" };
    static const char *const months[] = { "January", "February", "March",
                                          "April",   "May",      "June",
                                          "July",    "August",   "September",
                                          "October", "November", "December" };
    struct sq_time time = sq_phone_time(phone);
    (void)widget;
    snprintf(scratch, SQ_SAY_SIZE, "%s, %d %s", weekdays[time.weekday],
             time.day, months[time.month - 1]);
    return sq_span_of(scratch);
}
