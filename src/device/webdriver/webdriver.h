/*
 * Devices that a WebDriver server lends: phones by Appium, browsers by
 * chromedriver or geckodriver, all of them by a Selenium Grid or a farm. Each
 * configured endpoint is one device, a Grid without capabilities one for each
 * kind of slot.
 */
#ifndef SQ_DEVICE_WEBDRIVER_WEBDRIVER_H
#define SQ_DEVICE_WEBDRIVER_WEBDRIVER_H

#include "device/kinds.h"

/* The row of the kind "webdriver". */
extern const struct sq_hand_ops sq_webdriver_hand;
bool sq_webdriver_list(const struct sq_devices_options *options,
                       struct sq_device_list *out,
                       const struct sq_deadline *deadline, struct sq_err *err);
bool sq_webdriver_open(const struct sq_devices_options *options,
                       const struct sq_device_info *info,
                       struct sq_device **out,
                       const struct sq_deadline *deadline, struct sq_err *err);

/*
 * Waits up to ten seconds for sessions that start although their calls have
 * ended, and ends them.
 */
void sq_webdriver_finish(void);

#endif
