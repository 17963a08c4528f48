/* Formats the time of the demo phone's clock, in UTC. */
#ifndef SQ_DEMO_PHONE_CLOCK_H
#define SQ_DEMO_PHONE_CLOCK_H

#include "demo/phone/phone.h"

struct sq_phone_time {
    int64_t day; /* days since 1970-01-01 */
    int hour;
    int minute;
    int second;
};

struct sq_phone_time sq_phone_time(const struct sq_phone *phone);

/* Return text for widgets: "14:05", "14:05:09" and "Saturday, 14 November". */
struct sq_span sq_minute_text(const struct sq_phone *phone,
                              const struct sq_widget *widget,
                              char scratch[SQ_WIDGET_TEXT_SIZE]);
struct sq_span sq_second_text(const struct sq_phone *phone,
                              const struct sq_widget *widget,
                              char scratch[SQ_WIDGET_TEXT_SIZE]);
struct sq_span sq_date_text(const struct sq_phone *phone,
                            const struct sq_widget *widget,
                            char scratch[SQ_WIDGET_TEXT_SIZE]);

#endif
