/* Formats the time of the demo phone's clock. */
#include "demo/phone/clock.h"

#include <stdio.h>

#include "util/time_text.h"

#define NS_PER_S 1000000000

struct sq_phone_time
sq_phone_time(const struct sq_phone *phone) {
    int64_t ns = sq_phone_now_ns(phone);
    int64_t seconds = ns / NS_PER_S - (ns % NS_PER_S < 0);
    int64_t day = sq_days_of_seconds(seconds);
    int of_day = (int)(seconds - day * SQ_DAY_S);
    return (struct sq_phone_time){
        .day = day,
        .hour = of_day / 3600,
        .minute = of_day / 60 % 60,
        .second = of_day % 60,
    };
}

struct sq_span
sq_minute_text(const struct sq_phone *phone, const struct sq_widget *widget,
               char scratch[SQ_WIDGET_TEXT_SIZE]) {
    struct sq_phone_time time = sq_phone_time(phone);
    (void)widget;
    snprintf(scratch, SQ_WIDGET_TEXT_SIZE, "%02d:%02d", time.hour, time.minute);
    return sq_span_of(scratch);
}

struct sq_span
sq_second_text(const struct sq_phone *phone, const struct sq_widget *widget,
               char scratch[SQ_WIDGET_TEXT_SIZE]) {
    struct sq_phone_time time = sq_phone_time(phone);
    (void)widget;
    snprintf(scratch, SQ_WIDGET_TEXT_SIZE, "%02d:%02d:%02d", time.hour,
             time.minute, time.second);
    return sq_span_of(scratch);
}

struct sq_span
sq_date_text(const struct sq_phone *phone, const struct sq_widget *widget,
             char scratch[SQ_WIDGET_TEXT_SIZE]) {
    static const char *const weekdays[] = { "Sunday",    "Monday",   "Tuesday",
                                            "Wednesday", "Thursday", "Friday",
                                            "Saturday" };
    static const char *const months[] = { "January", "February", "March",
                                          "April",   "May",      "June",
                                          "July",    "August",   "September",
                                          "October", "November", "December" };
    int64_t day = sq_phone_time(phone).day;
    struct sq_date date = sq_date_from_days(day);
    (void)widget;
    snprintf(scratch, SQ_WIDGET_TEXT_SIZE, "%s, %d %s",
             weekdays[sq_weekday_of_days(day)], date.day,
             months[date.month - 1]);
    return sq_span_of(scratch);
}
