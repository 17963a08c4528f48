/* The phone's clock as words. It keeps UTC. */
#ifndef SQ_DEVICE_DEMO_TIME_TEXT_H
#define SQ_DEVICE_DEMO_TIME_TEXT_H

#include "device/demo/phone.h"

struct sq_time {
    int month; /* 1 to 12 */
    int day;
    int weekday; /* 0: Sunday */
    int hour;
    int minute;
    int second;
};

struct sq_time sq_phone_time(const struct sq_phone *phone);

/* For widgets: "14:05", "14:05:09" and "Saturday, 14 November". */
struct sq_span sq_say_minute(const struct sq_phone *phone,
                             const struct sq_widget *widget,
                             char scratch[SQ_SAY_SIZE]);
struct sq_span sq_say_second(const struct sq_phone *phone,
                             const struct sq_widget *widget,
                             char scratch[SQ_SAY_SIZE]);
struct sq_span sq_say_date(const struct sq_phone *phone,
                           const struct sq_widget *widget,
                           char scratch[SQ_SAY_SIZE]);

#endif
